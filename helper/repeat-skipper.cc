/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repeat-skipper.h"

#include "ns3/report-extrapolation.h"

namespace ns3
{
namespace mlcluster
{

RepeatSkipper::RepeatSkipper(uint64_t nRepetitions, uint32_t unit, uint64_t first)
    : m_nRepetitions(nRepetitions),
      m_unit(unit),
      m_first((first + unit - 1) / unit * unit)
{
}

RunReport
RepeatSkipper::Run(const RunFunction& run) const
{
    for (uint64_t n = m_first; IsWorthTrying(n); n *= 2)
    {
        RepetitionWatch watch;
        RunReport shorter = run(n, &watch);
        const auto period = watch.FindPeriod(m_unit);
        if (shorter.partial)
        {
            return Stop(shorter, n);
        }
        const uint64_t nSkipped = period ? (m_nRepetitions - n) / period->parts * period->parts : 0;
        const uint64_t nRun = m_nRepetitions - nSkipped;
        if (!period || 2 * nRun + period->parts > m_nRepetitions)
        {
            continue;
        }
        shorter = nRun == n ? shorter : run(nRun, nullptr);
        const RunReport longer = shorter.partial ? shorter : run(nRun + period->parts, nullptr);
        if (longer.partial)
        {
            return Stop(longer, nRun);
        }
        if (longer.finishTimePs - shorter.finishTimePs == period->ps)
        {
            RunReport report = ExtrapolateReport(shorter, longer, nSkipped / period->parts);
            report.repeats = {nRun, nSkipped, period->parts, period->ps};
            return report;
        }
    }
    return run(m_nRepetitions, nullptr);
}

bool
RepeatSkipper::IsWorthTrying(uint64_t nRun) const
{
    return 2 * nRun + m_unit < m_nRepetitions;
}

std::vector<uint64_t>
RepeatSkipper::GetExpectedRuns() const
{
    return IsWorthTrying(m_first) ? std::vector<uint64_t>{m_first, m_first + m_unit}
                                  : std::vector<uint64_t>{m_nRepetitions};
}

std::vector<uint64_t>
RepeatSkipper::GetLongestRuns() const
{
    std::vector<uint64_t> runs;
    for (uint64_t n = m_first; IsWorthTrying(n); n *= 2)
    {
        runs.push_back(n);
    }
    runs.push_back(m_nRepetitions);
    return runs;
}

RunReport
RepeatSkipper::Stop(RunReport report, uint64_t nRepetitions) const
{
    report.repeats = {nRepetitions, m_nRepetitions - nRepetitions, m_unit, 0};
    return report;
}

} // namespace mlcluster
} // namespace ns3
