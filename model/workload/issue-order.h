/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ISSUE_ORDER_H
#define ML_CLUSTER_ISSUE_ORDER_H

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Goes through nodes as they would be issued if each took no time: repeatedly the ready node of
 * lowest position, streams counted. Cost: O(log n) a node.
 * @tparam Graph has what ExecutionGraph has to tell dependencies and streams
 * @tparam Visit callable with a position
 * @param graph the nodes
 * @param visit called for each node that gets ready
 * @return by node, what it waits for that was not met; all 0 but for cycles and what is behind them
 */
template <typename Graph, typename Visit>
std::vector<uint32_t>
VisitInIssueOrder(const Graph& graph, const Visit& visit)
{
    const uint32_t nNodes = graph.GetNNodes();
    std::vector<uint32_t> unmet(nNodes);
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    const auto meet = [&](uint32_t index) {
        if (index < nNodes && --unmet[index] == 0)
        {
            ready.push(index);
        }
    };
    for (uint32_t i = 0; i < nNodes; ++i)
    {
        unmet[i] = graph.GetNDependencies(i) + (graph.GetPreviousOnStream(i) < nNodes ? 1 : 0);
        if (unmet[i] == 0)
        {
            ready.push(i);
        }
    }
    while (!ready.empty())
    {
        const uint32_t index = ready.top();
        ready.pop();
        visit(index);
        for (const uint32_t child : graph.GetChildren(index))
        {
            meet(child);
        }
        meet(graph.GetNextOnStream(index));
    }
    return unmet;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ISSUE_ORDER_H
