/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_WORKLOAD_CASES_H
#define ML_CLUSTER_WORKLOAD_CASES_H

#include "ns3/cluster-workload.h"

#include <gtest/gtest.h>

namespace ns3
{
namespace mlcluster
{

using Nodes = std::vector<ExecutionNode>; ///< nodes of one rank

/// @param id id @param group group @param bytes size @param type operation @return a collective
inline ExecutionNode
Collective(uint64_t id,
           const std::string& group,
           uint64_t bytes,
           CollectiveType type = CollectiveType::AllReduce)
{
    ExecutionNode node;
    node.id = id;
    node.name = "c" + std::to_string(id);
    node.kind = NodeKind::Collective;
    node.group = group;
    node.bytes = bytes;
    node.collective = type;
    return node;
}

/// @param kind Send or Receive @param id id @param peer other rank @param tag tag @param bytes size
/// @return a message node
inline ExecutionNode
Message(NodeKind kind, uint64_t id, uint32_t peer, uint64_t tag, uint64_t bytes)
{
    ExecutionNode node;
    node.id = id;
    node.name = "m" + std::to_string(id);
    node.kind = kind;
    node.peer = peer;
    node.tag = tag;
    node.bytes = bytes;
    return node;
}

/// @param ranks nodes per rank @return their graphs
inline std::vector<std::shared_ptr<const ExecutionGraph>>
MakeGraphs(const std::vector<Nodes>& ranks)
{
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    {
        Diagnostics diagnostics;
        graphs.push_back(std::make_shared<ExecutionGraph>(ranks[rank],
                                                          "w." + std::to_string(rank) + ".et",
                                                          diagnostics));
        EXPECT_FALSE(diagnostics.HasErrors());
    }
    return graphs;
}

/// @param ranks nodes per rank @param groups groups @return the errors of Check
inline std::vector<std::string>
Check(const std::vector<Nodes>& ranks, const CommunicatorGroups& groups = {})
{
    Diagnostics diagnostics;
    ClusterWorkload(MakeGraphs(ranks), groups).Check(diagnostics);
    EXPECT_TRUE(diagnostics.GetWarnings().empty());
    return diagnostics.GetErrors();
}

using Errors = std::vector<std::string>; ///< expected texts

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_WORKLOAD_CASES_H
