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
    for (uint64_t n = m_first; 2 * n + m_unit < m_nRepetitions; n *= 2)
    {
        RepetitionWatch watch(m_unit);
        const RunReport shorter = run(n, &watch);
        if (shorter.partial)
        {
            return shorter;
        }
        const auto period = watch.FindPeriodPs();
        if (!period)
        {
            continue;
        }
        const RunReport longer = run(n + m_unit, nullptr);
        if (longer.partial)
        {
            return longer;
        }
        if (longer.finishTimePs - shorter.finishTimePs == *period)
        {
            RunReport report = ExtrapolateReport(shorter, longer, (m_nRepetitions - n) / m_unit);
            report.repeats = {n, m_nRepetitions - n, m_unit, *period};
            return report;
        }
    }
    return run(m_nRepetitions, nullptr);
}

} // namespace mlcluster
} // namespace ns3
