/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "synchronisation-finder.h"

#include "runtime-synchronisations.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Line = KinetoEvent::Line; ///< stream or thread

constexpr std::size_t NONE = OperatorMatch::NONE; ///< none of them

/// Finds synchronisations.
class Finder
{
  public:
    /// @param traces the traces @param launches operations @param ledger receives counts
    /// @param tally receives warnings
    Finder(const MatchedTraces& traces,
           const std::vector<DeviceLaunch>& launches,
           ConversionLedger& ledger,
           MessageTally& tally)
        : m_traces(traces),
          m_launches(launches),
          m_order(traces.kineto, launches),
          m_book(traces, m_order, ledger),
          m_ledger(ledger),
          m_tally(tally)
    {
    }

    Synchronisations Run(); ///< @return what was found

  private:
    void FindCollectives(); ///< Fills m_collectives and m_bySequence.
    /// @param launch a collective: it waits for the stream of the thread
    void HandleCollective(std::size_t launch);
    /// @param node a record of a wait on a collective
    void HandleWaitRecord(std::size_t node);
    void HandleBackwardPasses(); ///< Operators that ran a backward pass on other threads.

    const MatchedTraces& m_traces;                      ///< the traces
    const std::vector<DeviceLaunch>& m_launches;        ///< operations
    LaunchOrder m_order;                                ///< their order
    SynchronisationBook m_book;                         ///< so far
    ConversionLedger& m_ledger;                         ///< receives counts
    MessageTally& m_tally;                              ///< receives warnings
    RuntimeSynchronisations::Collectives m_collectives; ///< collectives by record operator
    std::multimap<int64_t, std::size_t> m_bySequence;   ///< launches of collectives by seq
};

Synchronisations
Finder::Run()
{
    FindCollectives();
    RuntimeSynchronisations runtime(m_traces, m_order, m_collectives, m_book, m_ledger, m_tally);
    for (const auto& call : m_traces.kineto.calls)
    {
        runtime.Handle(call);
    }
    for (std::size_t i = 0; i < m_launches.size(); ++i)
    {
        if (m_order.Communicates(i))
        {
            HandleCollective(i);
        }
    }
    for (const auto& [id, record] : m_traces.trace.records)
    {
        const std::size_t node = m_traces.trace.Find(id);
        if (record.operation == "wait" && m_traces.match.operatorOf[node] != NONE)
        {
            HandleWaitRecord(node);
        }
    }
    HandleBackwardPasses();
    return m_book.Take();
}

void
Finder::FindCollectives()
{
    for (std::size_t i = 0; i < m_launches.size(); ++i)
    {
        const std::size_t record =
            m_order.Communicates(i) ? m_traces.trace.FindRecord(m_launches[i].node) : NONE;
        if (record != NONE && m_traces.match.operatorOf[record] != NONE)
        {
            m_collectives.emplace(m_traces.match.operatorOf[record], i);
            m_bySequence.emplace(
                m_traces.trace.records.at(m_traces.trace.nodes[record].id).sequence,
                i);
        }
    }
}

void
Finder::HandleCollective(std::size_t launch)
{
    const std::size_t record = m_traces.trace.FindRecord(m_launches[launch].node);
    const std::size_t index = record == NONE ? NONE : m_traces.match.operatorOf[record];
    const auto& start = index == NONE ? m_order.GetCall(launch) : m_traces.kineto.operators[index];
    const auto stream = m_order.FindStreamBefore(start.line, start.startNs);
    const bool isOther = stream && *stream != m_order.GetOperation(launch).line;
    m_book.DeviceWaits("collective after its thread's stream",
                       ShowEvent(m_order.GetOperation(launch)),
                       isOther ? m_order.FindLast(*stream, start.startNs) : NONE,
                       launch,
                       true);
}

void
Finder::HandleWaitRecord(std::size_t node)
{
    const auto& record = m_traces.trace.records.at(m_traces.trace.nodes[node].id);
    const auto& wait = m_traces.kineto.operators[m_traces.match.operatorOf[node]];
    const std::string id = "node " + std::to_string(m_traces.trace.nodes[node].id) + " seq " +
                           std::to_string(record.sequence);
    const auto [begin, end] = m_bySequence.equal_range(record.sequence);
    std::size_t source = NONE;
    std::size_t nFound = 0;
    for (auto entry = begin; entry != end; ++entry)
    {
        const std::size_t launch = entry->second;
        const auto& other = m_traces.trace.records.at(
            m_traces.trace.nodes[m_traces.trace.FindRecord(m_launches[launch].node)].id);
        if (m_order.GetCall(launch).startNs < wait.startNs &&
            (record.group.empty() || other.group == record.group))
        {
            source = source == NONE ? launch : std::max(source, launch);
            ++nFound;
        }
    }
    if (nFound > 1)
    {
        m_tally.Warning("could be of several groups' collectives; taken to be of the latest",
                        {m_traces.trace.file, 0, id});
    }
    const auto stream = m_order.FindStream(wait.line, wait.startNs);
    m_book.DeviceWaits("wait on collective",
                       id,
                       source,
                       stream ? m_order.FindNext(*stream, wait.startNs) : NONE,
                       true);
}

void
Finder::HandleBackwardPasses()
{
    const auto& trace = m_traces.trace;
    const auto& operators = m_traces.kineto.operators;
    std::map<std::pair<std::size_t, Line>, int64_t> begins;
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
    {
        const std::size_t caller = trace.Find(trace.nodes[i].forwardParent);
        const std::size_t own = m_traces.match.operatorOf[i];
        const std::size_t other = caller == NONE ? NONE : m_traces.match.operatorOf[caller];
        if (own != NONE && other != NONE && operators[own].line != operators[other].line)
        {
            const int64_t start = operators[own].startNs;
            auto& begin =
                begins.emplace(std::make_pair(other, operators[own].line), start).first->second;
            begin = std::min(begin, start);
        }
    }
    for (const auto& [key, beginNs] : begins)
    {
        m_book.ThreadWaits("backward passes joined", key.first, key.second, beginNs);
    }
}

} // namespace

Synchronisations
FindSynchronisations(const MatchedTraces& traces,
                     const std::vector<DeviceLaunch>& launches,
                     ConversionLedger& ledger,
                     MessageTally& tally)
{
    return Finder(traces, launches, ledger, tally).Run();
}

} // namespace mlcluster
} // namespace ns3
