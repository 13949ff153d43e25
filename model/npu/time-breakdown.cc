/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "time-breakdown.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

TimeBreakdown::Activity
TimeBreakdown::GetActivity(const ExecutionNode& node)
{
    switch (node.kind)
    {
    case NodeKind::Compute:
        return node.onHost ? Host : Compute;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        return Memory;
    default:
        return Communication;
    }
}

void
TimeBreakdown::Begin(Activity activity, int64_t nowPs)
{
    Book(nowPs);
    ++m_running[activity];
}

void
TimeBreakdown::End(Activity activity, int64_t nowPs)
{
    Book(nowPs);
    --m_running[activity];
}

void
TimeBreakdown::Book(int64_t nowPs)
{
    const auto first =
        std::find_if(m_running.begin(), m_running.end(), [](uint32_t n) { return n > 0; });
    m_partsPs[first - m_running.begin()] += nowPs - m_lastPs;
    m_lastPs = nowPs;
}

RankReport
TimeBreakdown::GetReport(uint32_t rank, int64_t finishPs, int64_t runPs) const
{
    TimeBreakdown closed = *this;
    closed.Book(runPs);
    RankReport report;
    report.rank = rank;
    report.finishTimePs = finishPs;
    report.computePs = closed.m_partsPs[Compute];
    report.exposedCommunicationPs = closed.m_partsPs[Communication];
    report.exposedMemoryPs = closed.m_partsPs[Memory];
    report.hostPs = closed.m_partsPs[Host];
    report.idlePs = closed.m_partsPs[ACTIVITIES];
    return report;
}

} // namespace mlcluster
} // namespace ns3
