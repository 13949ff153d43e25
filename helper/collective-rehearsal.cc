/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-rehearsal.h"

#include <numeric>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param plan a collective @param member position in its group @return what the member does
ExecutionNode
MakeNode(const CollectivePlan& plan, std::size_t member)
{
    const auto& call = plan.GetCall();
    ExecutionNode node;
    node.name = "rehearsal";
    node.kind = NodeKind::Collective;
    node.collective = call.type;
    node.bytes = call.bytes;
    node.peer = call.root;
    node.involvedDimensions = call.involved;
    node.group = "members";
    if (call.matrix)
    {
        const std::size_t size = plan.GetGroup().size();
        const auto row = call.matrix->begin() + static_cast<std::ptrdiff_t>(member * size);
        node.peerBytes.assign(row, row + static_cast<std::ptrdiff_t>(size));
        node.bytes = std::accumulate(node.peerBytes.begin(), node.peerBytes.end(), uint64_t{0});
    }
    return node;
}

} // namespace

std::shared_ptr<const ClusterWorkload>
MakeRehearsal(const CollectivePlan& plan, uint32_t nRanks)
{
    Diagnostics diagnostics;
    const auto make = [&](std::vector<ExecutionNode> nodes) {
        return std::make_shared<const ExecutionGraph>(std::move(nodes), "", diagnostics);
    };
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs(nRanks, make({}));
    const auto& members = plan.GetGroup();
    const auto shared = make({MakeNode(plan, 0)});
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        graphs[members[i]] = plan.GetCall().matrix ? make({MakeNode(plan, i)}) : shared;
    }
    return std::make_shared<const ClusterWorkload>(std::move(graphs),
                                                   CommunicatorGroups{{"members", members}});
}

} // namespace mlcluster
} // namespace ns3
