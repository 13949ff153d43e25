/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DRAWN_RUNS_H
#define ML_CLUSTER_DRAWN_RUNS_H

#include "random-collectives.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/// @ingroup ml-cluster-tests @param drawn a case @param rank a rank @param nodes receives its
/// collectives
inline void
AddCalls(const DrawnCase& drawn, uint32_t rank, std::vector<ExecutionNode>& nodes)
{
    for (std::size_t i = 0; i < drawn.calls.size(); ++i)
    {
        const auto& call = drawn.calls[i];
        const auto found = std::find(call.members.begin(), call.members.end(), rank);
        if (found == call.members.end())
        {
            continue;
        }
        const uint64_t id = drawn.isSwapped[rank] ? 4 - i : 3 + i;
        auto node = CollectiveNode(id, call.type, call.bytes, {i + 1}, call.group);
        node.name = call.group;
        node.peer = call.root;
        node.priority = static_cast<int32_t>(i);
        node.involvedDimensions = call.involved;
        if (!call.matrix.empty())
        {
            const auto n = static_cast<std::ptrdiff_t>(call.members.size());
            const auto row = call.matrix.begin() + (found - call.members.begin()) * n;
            node.peerBytes.assign(row, row + n);
            node.bytes = std::accumulate(row, row + n, uint64_t{0});
        }
        nodes.push_back(node);
    }
}

/// @ingroup ml-cluster-tests @param drawn a case @return the work of all ranks
inline std::shared_ptr<const ClusterWorkload>
MakeWork(const DrawnCase& drawn)
{
    std::vector<std::vector<ExecutionNode>> ranks;
    for (uint32_t rank = 0; rank < drawn.topology.GetNRanks(); ++rank)
    {
        ranks.push_back(
            {ComputeNode(1, drawn.workPs[rank][0]), ComputeNode(2, drawn.workPs[rank][1])});
        AddCalls(drawn, rank, ranks.back());
    }
    CommunicatorGroups groups;
    for (const auto& call : drawn.calls)
    {
        groups[call.group] = call.members;
    }
    return MakeWorkload(ranks, groups);
}

/// @ingroup ml-cluster-tests @param cluster is set up @param drawn for this case @param granularity
/// of the analytical channel
inline void
Configure(ClusterHelper& cluster, const DrawnCase& drawn, const std::string& granularity)
{
    cluster.SetBackend(drawn.backend);
    if (drawn.backend == "analytical")
    {
        cluster.SetBackendAttribute("Granularity", StringValue(granularity));
    }
    cluster.SetNpuAttribute("CollectivePriority", StringValue(drawn.priority));
    cluster.SetNpuAttribute("EndpointDelay", TimeValue(PicoSeconds(drawn.delayPs)));
    cluster.SetNpuAttribute("ReductionBandwidth", StringValue(drawn.reduction));
    for (const auto& [name, value] : drawn.planner)
    {
        if (name.substr(0, 6) == "Chunks")
        {
            cluster.SetCollectiveAttribute(name, UintegerValue(std::stoul(value)));
        }
        else
        {
            cluster.SetCollectiveAttribute(name, StringValue(value));
        }
    }
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DRAWN_RUNS_H
