/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "event-rate.h"

#include "cluster-helper.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t MAX_RANKS = 1024;        ///< of the run
constexpr uint64_t MESSAGE_BYTES = 1 << 18; ///< of a message: some packets
constexpr uint64_t MIN_EVENTS = 200'000;    ///< of the run that counts

/// @param nRanks ranks @param nMessages from each to the next
std::shared_ptr<const ClusterWorkload>
MakeExchange(uint32_t nRanks, uint64_t nMessages)
{
    Diagnostics diagnostics;
    std::vector<ExecutionNode> nodes;
    for (uint64_t i = 0; i < nMessages; ++i)
    {
        for (const NodeKind kind : {NodeKind::Send, NodeKind::Receive})
        {
            ExecutionNode node;
            node.id = nodes.size();
            node.kind = kind;
            node.bytes = MESSAGE_BYTES;
            node.peerIsOffset = true;
            node.peer = kind == NodeKind::Send ? 1 : nRanks - 1;
            if (i > 0)
            {
                node.dependencies = {2 * i - 2, 2 * i - 1};
            }
            nodes.push_back(node);
        }
    }
    const auto graph = std::make_shared<const ExecutionGraph>(std::move(nodes), "", diagnostics);
    return std::make_shared<const ClusterWorkload>(
        std::vector<std::shared_ptr<const ExecutionGraph>>(nRanks, graph),
        CommunicatorGroups());
}

} // namespace

double
MeasureEventRate(const ClusterTopology& topology, const std::string& backend)
{
    std::vector<TopologyDimension> dimensions;
    uint32_t room = MAX_RANKS;
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        dimensions.push_back(topology.GetDimension(k));
        dimensions.back().size = std::min(dimensions.back().size, room);
        room /= dimensions.back().size;
    }
    const ClusterTopology few(dimensions);
    if (few.GetNRanks() == 1)
    {
        return 0;
    }
    const auto run = [&](uint64_t nMessages) {
        ClusterHelper cluster(few);
        cluster.SetBackend(backend);
        cluster.SetTrial("trial: ");
        Diagnostics diagnostics;
        cluster.Install(MakeExchange(few.GetNRanks(), nMessages), diagnostics);
        return cluster.Run();
    };
    const RunReport trial = run(1);
    const RunReport report = run(1 + MIN_EVENTS / std::max<uint64_t>(trial.events, 1));
    return report.wallSeconds > 0 ? report.events / report.wallSeconds : 0;
}

} // namespace mlcluster
} // namespace ns3
