/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-recorder.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @return current time, ps
int64_t
GetNowPs()
{
    return Simulator::Now().GetPicoSeconds();
}

/// @param node a node @return whether it takes no time
bool
IsEmpty(const ExecutionNode& node)
{
    return node.kind == NodeKind::Invalid || node.kind == NodeKind::Metadata;
}

} // namespace

ParityRecorder::ParityRecorder(uint32_t nRanks)
    : m_ranks(nRanks)
{
}

void
ParityRecorder::Begin(uint32_t rank, const ExecutionNode& node, uint32_t group)
{
    RankState& state = m_ranks[rank];
    if (!IsEmpty(node))
    {
        state.breakdown.Begin(node, GetNowPs());
    }
    if (node.kind != NodeKind::Collective)
    {
        return;
    }
    state.current = {group, state.collectives[group]++};
    const auto [entry, isFirst] = m_collectives.try_emplace(state.current);
    CollectiveReport& report = entry->second;
    if (isFirst)
    {
        report.name = node.name;
        report.type = node.collective;
        report.group = node.group;
        report.bytes = node.bytes;
        report.startPs = GetNowPs();
    }
}

void
ParityRecorder::End(uint32_t rank, const ExecutionNode& node)
{
    RankState& state = m_ranks[rank];
    if (!IsEmpty(node))
    {
        state.breakdown.End(node, GetNowPs());
    }
    if (node.kind == NodeKind::Collective)
    {
        m_collectives[state.current].endPs = GetNowPs();
    }
}

void
ParityRecorder::Finish(uint32_t rank)
{
    m_ranks[rank].finishPs = GetNowPs();
}

std::vector<uint32_t>
ParityRecorder::GetMissing(uint32_t rank, const std::vector<uint32_t>& members) const
{
    const auto [group, ordinal] = m_ranks[rank].current;
    std::vector<uint32_t> missing;
    for (const uint32_t member : members)
    {
        const auto begun = m_ranks[member].collectives.find(group);
        if (begun == m_ranks[member].collectives.end() || begun->second <= ordinal)
        {
            missing.push_back(member);
        }
    }
    return missing;
}

void
ParityRecorder::FillReport(const std::vector<uint32_t>& nRanksOf, RunReport& report) const
{
    report.finishTimePs = report.partial ? GetNowPs() : 0;
    for (const RankState& state : m_ranks)
    {
        report.finishTimePs = std::max(report.finishTimePs, state.finishPs);
    }
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_ranks[rank].breakdown.AddTo(rank, m_ranks[rank].finishPs, report);
    }
    for (const auto& [key, collective] : m_collectives)
    {
        report.collectives.push_back(collective);
        report.collectives.back().ranks = nRanksOf[key.first];
    }
    std::stable_sort(report.collectives.begin(),
                     report.collectives.end(),
                     [](const CollectiveReport& a, const CollectiveReport& b) {
                         return std::tie(a.startPs, a.name) < std::tie(b.startPs, b.name);
                     });
}

} // namespace mlcluster
} // namespace ns3
