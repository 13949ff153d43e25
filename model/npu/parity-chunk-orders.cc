/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-chunk-orders.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param topology a network @return sizes of its dimensions
std::vector<uint32_t>
GetSizes(const ClusterTopology& topology)
{
    std::vector<uint32_t> sizes;
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        sizes.push_back(topology.GetDimension(k).size);
    }
    return sizes;
}

/// @param topology a network @param options parameters @return bandwidths of its dimensions
std::vector<double>
GetBandwidths(const ClusterTopology& topology, const ParityOptions& options)
{
    std::vector<double> bandwidths = options.bandwidths;
    for (auto k = static_cast<uint32_t>(bandwidths.size()); k < topology.GetNDimensions(); ++k)
    {
        bandwidths.push_back(static_cast<double>(topology.GetDimension(k).linkBitRate));
    }
    return bandwidths;
}

} // namespace

ParityChunkOrders::ParityChunkOrders(const ClusterTopology& topology, const ParityOptions& options)
    : m_policy(options.chunkOrder),
      m_isGreedy(m_policy == ChunkOrderPolicy::OfflineGreedy ||
                 m_policy == ChunkOrderPolicy::OfflineGreedyFlex),
      m_nRanks(topology.GetNRanks()),
      m_scheduler(m_policy, GetSizes(topology), GetBandwidths(topology, options))
{
}

void
ParityChunkOrders::Begin(uint32_t rank, uint64_t nowNs)
{
    if (rank == 0 && nowNs != m_lastBeginNs)
    {
        m_scheduler.Reset();
        m_lastBeginNs = nowNs;
    }
}

ChunkOrderScheduler::Choice
ParityChunkOrders::Choose(const ParityPlan& plan, const MessageTag& chunk, uint64_t remainingBytes)
{
    const bool isCut = m_isGreedy && plan.GetType() != CollectiveType::AllToAll;
    const uint64_t bytes = plan.GetChunkBytes();
    const bool isPlain =
        !plan.HasDimensions() || (m_policy != ChunkOrderPolicy::RoundRobin && !isCut);
    if (isPlain)
    {
        return {plan.GetOrder(), isCut ? std::min(bytes, remainingBytes) : bytes};
    }
    const auto [entry, isFirst] =
        m_decisions.try_emplace({chunk.context, chunk.index, chunk.order});
    Decision& decision = entry->second;
    if (isFirst)
    {
        decision.choice =
            m_scheduler.Next(plan.GetType(), plan.GetInvolved(), bytes, remainingBytes);
        decision.ranksLeft = m_nRanks;
    }
    ChunkOrderScheduler::Choice choice = decision.choice;
    if (--decision.ranksLeft == 0)
    {
        m_decisions.erase(entry);
    }
    choice.bytes = isCut ? choice.bytes : bytes;
    return choice;
}

} // namespace mlcluster
} // namespace ns3
