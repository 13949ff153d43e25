/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-extrapolation.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

__extension__ typedef __int128 Wide; ///< holds any product

/// Adds to values what further periods add.
class Extrapolation
{
  public:
    /// @param nPeriods further periods
    explicit Extrapolation(uint64_t nPeriods)
        : m_nPeriods(nPeriods)
    {
    }

    /// @param value of the shorter run, becomes that of the whole @param longer of the longer run
    template <typename T>
    void Apply(T& value, T longer) const
    {
        const Wide result = value + (Wide{longer} - value) * m_nPeriods;
        if (result < 0 || result > std::numeric_limits<T>::max())
        {
            throw InputError("with " + std::to_string(m_nPeriods) +
                             " further repetitions times or bytes become too large to be counted");
        }
        value = static_cast<T>(result);
    }

  private:
    uint64_t m_nPeriods; ///< further periods
};

} // namespace

RunReport
ExtrapolateReport(const RunReport& shorter, const RunReport& longer, uint64_t nPeriods)
{
    const Extrapolation add(nPeriods);
    RunReport report = shorter;
    add.Apply(report.finishTimePs, longer.finishTimePs);
    report.operations += (longer.operations - shorter.operations) * nPeriods;
    report.wallSeconds += longer.wallSeconds;
    report.events += longer.events;
    report.peakMemoryBytes = std::max(shorter.peakMemoryBytes, longer.peakMemoryBytes);
    report.nodeFileBytes = std::max(shorter.nodeFileBytes, longer.nodeFileBytes);
    for (std::size_t i = 0; i < report.ranks.size(); ++i)
    {
        RankReport& rank = report.ranks[i];
        const RankReport& other = longer.ranks[i];
        add.Apply(rank.finishTimePs, other.finishTimePs);
        add.Apply(rank.computePs, other.computePs);
        add.Apply(rank.exposedCommunicationPs, other.exposedCommunicationPs);
        add.Apply(rank.exposedMemoryPs, other.exposedMemoryPs);
        add.Apply(rank.exposedLocalMemoryPs, other.exposedLocalMemoryPs);
        add.Apply(rank.hostPs, other.hostPs);
        add.Apply(rank.idlePs, other.idlePs);
        add.Apply(rank.overlappedCommunicationPs, other.overlappedCommunicationPs);
        add.Apply(rank.spilledBytes, other.spilledBytes);
        rank.peakLocalMemoryBytes = std::max(rank.peakLocalMemoryBytes, other.peakLocalMemoryBytes);
    }
    for (std::size_t i = 0; i < report.communication.size(); ++i)
    {
        add.Apply(report.communication[i].busyPs, longer.communication[i].busyPs);
        add.Apply(report.communication[i].exposedPs, longer.communication[i].exposedPs);
    }
    for (std::size_t i = 0; i < report.links.size(); ++i)
    {
        LinkReport& link = report.links[i];
        add.Apply(link.payloadBytes, longer.links[i].payloadBytes);
        add.Apply(link.wireBytes, longer.links[i].wireBytes);
        add.Apply(link.busyPs, longer.links[i].busyPs);
        link.utilisation =
            report.finishTimePs > 0 ? static_cast<double>(link.busyPs) / report.finishTimePs : 0;
    }
    for (std::size_t i = 0; i < report.memory.size(); ++i)
    {
        add.Apply(report.memory[i].loadedBytes, longer.memory[i].loadedBytes);
        add.Apply(report.memory[i].storedBytes, longer.memory[i].storedBytes);
        add.Apply(report.memory[i].computedBytes, longer.memory[i].computedBytes);
    }
    if (report.phases)
    {
        add.Apply(report.phases->computed, longer.phases->computed);
        add.Apply(report.phases->overlapped, longer.phases->overlapped);
        for (const auto& [reason, phases] : longer.phases->byMessages)
        {
            add.Apply(report.phases->byMessages[reason], phases);
        }
    }
    return report;
}

} // namespace mlcluster
} // namespace ns3
