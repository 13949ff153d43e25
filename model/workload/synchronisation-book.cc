/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "synchronisation-book.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

SynchronisationBook::SynchronisationBook(const MatchedTraces& traces,
                                         const LaunchOrder& order,
                                         ConversionLedger& ledger)
    : m_traces(traces),
      m_order(order),
      m_ledger(ledger)
{
    const std::size_t n = traces.kineto.operators.size();
    m_result.waitedNs.assign(n, 0);
    m_nextMatched.assign(n, NONE);
    for (std::size_t i = n; i-- > 0;)
    {
        m_nextMatched[i] =
            traces.match.nodeOf[i] != NONE ? i : FindMatched(traces.timeline.GetNext(i));
    }
}

std::size_t
SynchronisationBook::FindMatched(std::size_t operation) const
{
    return operation == NONE ? NONE : m_nextMatched[operation];
}

void
SynchronisationBook::HostWaits(const KinetoEvent& call,
                               std::vector<std::size_t> sources,
                               bool isAssumed)
{
    sources.erase(std::remove(sources.begin(), sources.end(), NONE), sources.end());
    const std::size_t target = FindMatched(m_traces.timeline.FindNext(call.line, call.GetEndNs()));
    int64_t endNs = std::numeric_limits<int64_t>::min();
    for (const std::size_t source : sources)
    {
        endNs = std::max(endNs, m_order.GetOperation(source).GetEndNs());
    }
    const bool isContradicted = isAssumed && endNs > call.GetEndNs() + ROUNDING_NS;
    if (sources.empty() || target == NONE || isContradicted)
    {
        m_ledger.LeaveOut(call.name,
                          sources.empty()  ? "nothing launched before is known"
                          : isContradicted ? "it ended before what it is taken to wait for"
                                           : "nothing comes after it on its thread",
                          ShowEvent(call));
        return;
    }
    m_ledger.Keep(call.name);
    for (const std::size_t source : sources)
    {
        m_result.dependencies.push_back({{true, source}, {false, m_traces.match.nodeOf[target]}});
    }
    const std::size_t encloser = m_traces.timeline.FindEncloser(call);
    if (encloser != NONE)
    {
        m_result.waitedNs[encloser] +=
            std::max<int64_t>(0, std::min(endNs, call.GetEndNs()) - call.startNs);
    }
}

void
SynchronisationBook::DeviceWaits(const std::string& kind,
                                 const std::string& id,
                                 std::size_t source,
                                 std::size_t target,
                                 bool isAssumed)
{
    if (source == NONE || target == NONE)
    {
        m_ledger.LeaveOut(kind,
                          target == NONE ? "nothing is launched after it"
                                         : "nothing launched before is known",
                          id);
        return;
    }
    if (isAssumed && m_order.GetOperation(target).startNs + ROUNDING_NS <
                         m_order.GetOperation(source).GetEndNs())
    {
        m_ledger.LeaveOut(kind, "the second one started before the first one ended", id);
        return;
    }
    m_ledger.Keep(kind);
    m_result.dependencies.push_back({{true, source}, {true, target}});
}

void
SynchronisationBook::ThreadWaits(const std::string& kind,
                                 std::size_t caller,
                                 const KinetoEvent::Line& thread,
                                 int64_t beginNs)
{
    const auto& event = m_traces.kineto.operators[caller];
    const std::size_t target =
        FindMatched(m_traces.timeline.FindNext(event.line, event.GetEndNs()));
    std::size_t last = m_traces.timeline.FindLast(thread, event.GetEndNs() - 1);
    while (last != NONE && m_traces.match.nodeOf[last] == NONE)
    {
        last = m_traces.timeline.GetEncloser(last);
    }
    const std::string id =
        "node " + std::to_string(m_traces.trace.nodes[m_traces.match.nodeOf[caller]].id);
    if (target == NONE || last == NONE)
    {
        m_ledger.LeaveOut(kind, "nothing comes after it on its thread", id);
        return;
    }
    m_ledger.Keep(kind);
    m_result.dependencies.push_back(
        {{false, m_traces.match.nodeOf[last]}, {false, m_traces.match.nodeOf[target]}});
    const int64_t endNs = std::min(m_traces.kineto.operators[last].GetEndNs(), event.GetEndNs());
    m_result.waitedNs[caller] += std::max<int64_t>(0, endNs - std::max(beginNs, event.startNs));
}

Synchronisations
SynchronisationBook::Take()
{
    return std::move(m_result);
}

} // namespace mlcluster
} // namespace ns3
