/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GENERATOR_CASES_H
#define ML_CLUSTER_GENERATOR_CASES_H

#include "ns3/cluster-workload.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// @param graph a graph @return its nodes without what all names begin with: "name operations
/// bytes" of computations, "name bytes group" of collectives; then "<" and the ids it waits for
inline std::vector<std::string>
ListNodes(const ExecutionGraph& graph)
{
    std::vector<std::string> lines;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = *graph.GetNode(i);
        std::string line = std::to_string(i) + " " + node.name.substr(node.name.find(' ', 5) + 1);
        if (node.kind == NodeKind::Compute)
        {
            line += " " + std::to_string(node.operations) + " " + std::to_string(node.tensorBytes);
        }
        else
        {
            line += " " + std::to_string(node.bytes) + (node.group.empty() ? "" : " ") + node.group;
            for (const uint64_t part : node.peerBytes)
            {
                line += " +" + std::to_string(part);
            }
        }
        line += node.dependencies.empty() ? "" : " <";
        for (const uint64_t id : node.dependencies)
        {
            line += " " + std::to_string(id);
        }
        lines.push_back(line);
    }
    return lines;
}

/// @param workload a workload @param get a number of a node @return its sum over the nodes of all
/// ranks
inline uint64_t
SumUp(const ClusterWorkload& workload, const std::function<uint64_t(const ExecutionNode&)>& get)
{
    uint64_t sum = 0;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        for (uint32_t i = 0; i < workload.GetGraph(rank).GetNNodes(); ++i)
        {
            sum += get(*workload.GetGraph(rank).GetNode(i));
        }
    }
    return sum;
}

/// @param node a node @param text any text @return whether its name has it
inline bool
Names(const ExecutionNode& node, const std::string& text)
{
    return node.name.find(text) != std::string::npos;
}

/// @param workload a workload @return the errors of its check
inline std::vector<std::string>
CheckAll(const ClusterWorkload& workload)
{
    Diagnostics diagnostics;
    workload.Check(diagnostics);
    return diagnostics.GetErrors();
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GENERATOR_CASES_H
