/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-executor.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param options parameters @return the remote memories
MemoryQueues
MakeRemoteMemory(const ParityOptions& options)
{
    constexpr uint64_t LONGEST_NS = std::numeric_limits<int64_t>::max() / 1000;
    const uint64_t latencyNs = std::min(options.remoteLatencyNs, LONGEST_NS);
    return MemoryQueues(options.remoteBytesPerNs * 8'000'000'000,
                        static_cast<int64_t>(latencyNs * 1000),
                        options.npusPerRemoteMemory,
                        MemoryRounding::DownNanosecond);
}

} // namespace

ParityExecutor::ParityExecutor(Ptr<NetworkBackend> network,
                               const ClusterTopology& topology,
                               const ParityOptions& options,
                               std::shared_ptr<const ClusterWorkload> workload,
                               Diagnostics& diagnostics)
    : m_options(options),
      m_workload(workload),
      m_messenger(network, topology.GetNRanks(), options.rendezvous),
      m_recorder(topology.GetNRanks()),
      m_planner(topology, m_options, *m_workload, diagnostics),
      m_orders(topology, m_options),
      m_remoteMemory(MakeRemoteMemory(m_options))
{
    const ParityRank::Shared shared{*m_workload,
                                    m_options,
                                    m_planner,
                                    m_orders,
                                    m_messenger,
                                    m_recorder,
                                    m_remoteMemory,
                                    topology.GetNDimensions()};
    for (uint32_t rank = 0; rank < m_workload->GetNRanks(); ++rank)
    {
        m_ranks.push_back(
            std::make_unique<ParityRank>(rank, shared, [this, rank] { RankFinished(rank); }));
    }
}

void
ParityExecutor::Start()
{
    for (const auto& rank : m_ranks)
    {
        rank->Issue();
    }
}

void
ParityExecutor::RankFinished(uint32_t rank)
{
    const uint64_t finishNs = Simulator::Now().GetNanoSeconds();
    m_finishes.push_back({rank, finishNs, finishNs - m_ranks[rank]->GetAcceleratorNs()});
    m_recorder.Finish(rank);
}

const std::vector<ParityFinish>&
ParityExecutor::GetFinishes() const
{
    return m_finishes;
}

double
ParityExecutor::GetShareDone() const
{
    double share = 0;
    for (const auto& rank : m_ranks)
    {
        share += rank->GetShareDone();
    }
    return share / m_ranks.size();
}

std::string
ParityExecutor::DescribeStuckRanks() const
{
    if (m_finishes.size() == m_ranks.size())
    {
        return "";
    }
    std::string text =
        "the run cannot finish: " + std::to_string(m_ranks.size() - m_finishes.size()) + " of " +
        std::to_string(m_ranks.size()) + " ranks wait for ever";
    for (const auto& rank : m_ranks)
    {
        for (const std::string& line : rank->DescribeBlocked())
        {
            text += "\n  " + line;
        }
    }
    return text;
}

void
ParityExecutor::FillReport(RunReport& report) const
{
    m_recorder.FillReport(m_planner.GetGroupSizes(), report);
}

} // namespace mlcluster
} // namespace ns3
