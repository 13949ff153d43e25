/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "synchronisation-finder.h"

#include "message-tally.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Line = KinetoEvent::Line; ///< stream or thread

constexpr std::size_t NONE = OperatorMatch::NONE; ///< none of them
constexpr int64_t ROUNDING_NS = 1000; ///< times in whole microseconds may be this much off

/// @param name a call @return it without the prefix of CUDA or HIP
std::string
StripPrefix(const std::string& name)
{
    for (const std::string prefix : {"cuda", "hip", "cu"})
    {
        if (name.rfind(prefix, 0) == 0)
        {
            return name.substr(prefix.size());
        }
    }
    return name;
}

/// @param text a text @param beginning another @return whether it begins with it
bool
BeginsWith(const std::string& text, const std::string& beginning)
{
    return text.rfind(beginning, 0) == 0;
}

/// A moment on a stream: what was launched on it before then.
struct Mark
{
    Line stream;    ///< the stream
    int64_t timeNs; ///< the moment
};

/// Finds synchronisations.
class Finder
{
  public:
    /// @param trace execution trace @param kineto Kineto trace @param match who is who
    /// @param timeline operators @param launches operations @param ledger receives counts
    /// @param tally receives warnings
    Finder(const PytorchTrace& trace,
           const KinetoTrace& kineto,
           const OperatorMatch& match,
           const OperatorTimeline& timeline,
           const std::vector<DeviceLaunch>& launches,
           ConversionLedger& ledger,
           MessageTally& tally);

    Synchronisations Run(); ///< @return what was found

  private:
    void FindNextMatched(); ///< Fills m_nextMatched.
    void FindCollectives(); ///< Fills m_collectives and m_bySequence.
    void FindMarks();       ///< Fills m_marks.
    /// @param call a call of the runtime
    void HandleCall(const KinetoEvent& call);
    /// @param call a call that waits for a stream
    void HandleStreamWait(const KinetoEvent& call);
    /// @param call a call that waits for an event
    void HandleEventWait(const KinetoEvent& call);
    /// @param call a call that makes a stream wait for an event
    void HandleStreamWaitEvent(const KinetoEvent& call);
    /// @param call a copy
    void HandleCopy(const KinetoEvent& call);
    /// @param launch a collective: it waits for the stream of the thread
    void HandleCollective(std::size_t launch);
    /// @param node a record of a wait on a collective
    void HandleWaitRecord(std::size_t node);
    void HandleBackwardPasses(); ///< Operators that ran a backward pass on other threads.

    /// The operator after a call depends on operations.
    /// @param call the call @param sources the launches, NONE among them is passed over
    /// @param isAssumed whether times may contradict it
    void HostWaits(const KinetoEvent& call, std::vector<std::size_t> sources, bool isAssumed);
    /// @param kind of the synchronisation @param id which @param source a launch, or NONE
    /// @param target a later launch, or NONE @param isAssumed whether times may contradict it
    void DeviceWaits(const std::string& kind,
                     const std::string& id,
                     std::size_t source,
                     std::size_t target,
                     bool isAssumed);
    /// @param call a call @param kind of synchronisation @return that of this kind which is the
    /// call, null if there is none
    const KinetoSynchronisation* FindExact(const KinetoEvent& call, const std::string& kind) const;
    /// @param exact a synchronisation @return where its event was recorded, nothing if that is
    /// unknown
    std::optional<Mark> FindMark(const KinetoSynchronisation& exact) const;
    /// @param call a call @return the record_param_comms operator it is in, or NONE
    std::size_t FindCommunication(const KinetoEvent& call) const;
    /// @param call a call @param what was assumed
    void Assume(const KinetoEvent& call, const std::string& what);

    const PytorchTrace& m_trace;                 ///< execution trace
    const KinetoTrace& m_kineto;                 ///< Kineto trace
    const OperatorMatch& m_match;                ///< who is who
    const OperatorTimeline& m_timeline;          ///< operators
    const std::vector<DeviceLaunch>& m_launches; ///< operations
    LaunchOrder m_order;                         ///< their order
    ConversionLedger& m_ledger;                  ///< receives counts
    MessageTally& m_tally;                       ///< receives warnings
    Synchronisations m_result;                   ///< so far
    std::vector<std::size_t> m_nextMatched;      ///< per operator the first from it on with a node
    std::map<std::size_t, std::size_t> m_collectives; ///< per record operator the first launch
    std::multimap<int64_t, std::size_t> m_bySequence; ///< launches of collectives by seq
    std::vector<Mark> m_marks;                        ///< where events were recorded, by time
    std::map<int64_t, int64_t> m_recordTimes; ///< start of the recording calls, by correlation
    std::multimap<int64_t, const KinetoSynchronisation*> m_exact; ///< by correlation
};

Finder::Finder(const PytorchTrace& trace,
               const KinetoTrace& kineto,
               const OperatorMatch& match,
               const OperatorTimeline& timeline,
               const std::vector<DeviceLaunch>& launches,
               ConversionLedger& ledger,
               MessageTally& tally)
    : m_trace(trace),
      m_kineto(kineto),
      m_match(match),
      m_timeline(timeline),
      m_launches(launches),
      m_order(kineto, launches),
      m_ledger(ledger),
      m_tally(tally)
{
    m_result.waitedNs.assign(kineto.operators.size(), 0);
    for (const auto& synchronisation : kineto.synchronisations)
    {
        m_exact.emplace(synchronisation.event.correlation.value_or(-1), &synchronisation);
    }
}

Synchronisations
Finder::Run()
{
    FindNextMatched();
    FindCollectives();
    FindMarks();
    for (const auto& call : m_kineto.calls)
    {
        HandleCall(call);
    }
    for (std::size_t i = 0; i < m_launches.size(); ++i)
    {
        if (m_order.Communicates(i))
        {
            HandleCollective(i);
        }
    }
    for (const auto& [id, record] : m_trace.records)
    {
        const std::size_t node = m_trace.Find(id);
        if (record.operation == "wait" && m_match.operatorOf[node] != NONE)
        {
            HandleWaitRecord(node);
        }
    }
    HandleBackwardPasses();
    return std::move(m_result);
}

void
Finder::FindNextMatched()
{
    m_nextMatched.assign(m_kineto.operators.size(), NONE);
    for (std::size_t i = m_kineto.operators.size(); i-- > 0;)
    {
        const std::size_t next = m_timeline.GetNext(i);
        m_nextMatched[i] = m_match.nodeOf[i] != NONE ? i
                           : next == NONE            ? NONE
                                                     : m_nextMatched[next];
    }
}

void
Finder::FindCollectives()
{
    for (std::size_t i = 0; i < m_launches.size(); ++i)
    {
        const std::size_t record =
            m_order.Communicates(i) ? m_trace.FindRecord(m_launches[i].node) : NONE;
        if (record != NONE && m_match.operatorOf[record] != NONE)
        {
            m_collectives.emplace(m_match.operatorOf[record], i);
            m_bySequence.emplace(m_trace.records.at(m_trace.nodes[record].id).sequence, i);
        }
    }
}

void
Finder::FindMarks()
{
    for (const auto& call : m_kineto.calls)
    {
        if (!BeginsWith(StripPrefix(call.name), "EventRecord"))
        {
            continue;
        }
        if (call.correlation)
        {
            m_recordTimes[*call.correlation] = call.startNs;
        }
        const auto collective = m_collectives.find(FindCommunication(call));
        auto stream = m_order.FindStreamBefore(call.line, call.startNs);
        if (collective != m_collectives.end() &&
            m_order.GetCall(collective->second).startNs < call.startNs)
        {
            stream = m_order.GetOperation(collective->second).line;
        }
        if (stream)
        {
            m_marks.push_back({*stream, call.startNs});
        }
    }
}

std::size_t
Finder::FindCommunication(const KinetoEvent& call) const
{
    std::size_t index = m_timeline.FindEncloser(call);
    while (index != NONE && m_kineto.operators[index].name != "record_param_comms")
    {
        index = m_timeline.GetEncloser(index);
    }
    return index;
}

const KinetoSynchronisation*
Finder::FindExact(const KinetoEvent& call, const std::string& kind) const
{
    const auto [begin, end] = m_exact.equal_range(call.correlation.value_or(-2));
    const auto found = std::find_if(begin, end, [&](const auto& entry) {
        return entry.second->event.name == kind;
    });
    return found == end ? nullptr : found->second;
}

std::optional<Mark>
Finder::FindMark(const KinetoSynchronisation& exact) const
{
    const auto time = m_recordTimes.find(exact.recordCall.value_or(-1));
    if (time == m_recordTimes.end())
    {
        return {};
    }
    return Mark{{exact.event.line.first, exact.waitOnStream}, time->second};
}

void
Finder::Assume(const KinetoEvent& call, const std::string& what)
{
    m_tally.Warning("is not recorded with streams (cuda_sync events have them); " + what,
                    {m_kineto.file, 0, ShowEvent(call)});
}

void
Finder::HandleCall(const KinetoEvent& call)
{
    const std::string name = StripPrefix(call.name);
    if (BeginsWith(name, "StreamSynchronize"))
    {
        HandleStreamWait(call);
    }
    else if (BeginsWith(name, "DeviceSynchronize") || BeginsWith(name, "CtxSynchronize"))
    {
        const auto* exact = FindExact(call, "Context Sync");
        const auto device = exact ? std::optional(exact->event.line.first) : std::nullopt;
        HostWaits(call, m_order.FindLastOfAll(device, call.startNs), false);
    }
    else if (BeginsWith(name, "EventSynchronize"))
    {
        HandleEventWait(call);
    }
    else if (BeginsWith(name, "StreamWaitEvent"))
    {
        HandleStreamWaitEvent(call);
    }
    else if (BeginsWith(name, "Memcpy"))
    {
        HandleCopy(call);
    }
}

void
Finder::HandleStreamWait(const KinetoEvent& call)
{
    if (const auto* exact = FindExact(call, "Stream Sync"))
    {
        HostWaits(call, {m_order.FindLast(exact->event.line, call.startNs)}, false);
        return;
    }
    const auto stream = m_order.FindStreamBefore(call.line, call.startNs);
    Assume(call, "taken to wait for the stream that its thread used last");
    HostWaits(call, {stream ? m_order.FindLast(*stream, call.startNs) : NONE}, true);
}

void
Finder::HandleEventWait(const KinetoEvent& call)
{
    if (const auto* exact = FindExact(call, "Event Sync"))
    {
        const auto mark = FindMark(*exact);
        HostWaits(call, {mark ? m_order.FindLast(mark->stream, mark->timeNs) : NONE}, false);
        return;
    }
    const auto after =
        std::lower_bound(m_marks.begin(),
                         m_marks.end(),
                         call.startNs,
                         [](const Mark& mark, int64_t time) { return mark.timeNs < time; });
    Assume(call, "taken to wait for the event recorded last");
    const bool hasMark = after != m_marks.begin();
    HostWaits(call,
              {hasMark ? m_order.FindLast((after - 1)->stream, (after - 1)->timeNs) : NONE},
              true);
}

void
Finder::HandleStreamWaitEvent(const KinetoEvent& call)
{
    if (const auto* exact = FindExact(call, "Stream Wait Event"))
    {
        const auto mark = FindMark(*exact);
        DeviceWaits(call.name,
                    ShowEvent(call),
                    mark ? m_order.FindLast(mark->stream, mark->timeNs) : NONE,
                    m_order.FindNext(exact->event.line, call.startNs),
                    false);
        return;
    }
    if (FindCommunication(call) != NONE)
    {
        m_ledger.Keep(call.name + " of torch.distributed");
        return;
    }
    const auto stream = m_order.FindStream(call.line, call.startNs);
    std::size_t source = NONE;
    if (stream && m_marks.empty())
    {
        Assume(call, "taken to wait for the last operation of its thread on another stream");
        source = m_order.FindLastElsewhere(call.line, call.startNs, *stream);
    }
    else if (stream)
    {
        Assume(call, "taken to wait for the event recorded last on another stream");
        auto mark = std::lower_bound(m_marks.begin(),
                                     m_marks.end(),
                                     call.startNs,
                                     [](const Mark& m, int64_t time) { return m.timeNs < time; });
        while (mark != m_marks.begin() && (mark - 1)->stream == *stream)
        {
            --mark;
        }
        source = mark == m_marks.begin() ? NONE
                                         : m_order.FindLast((mark - 1)->stream, (mark - 1)->timeNs);
    }
    const std::size_t target = stream ? m_order.FindNext(*stream, call.startNs) : NONE;
    DeviceWaits(call.name, ShowEvent(call), source, target, true);
}

void
Finder::HandleCopy(const KinetoEvent& call)
{
    const std::size_t launch = m_order.FindByCall(call.correlation.value_or(-1));
    if (launch == NONE)
    {
        return;
    }
    const bool isAsync = call.name.find("Async") != std::string::npos ||
                         call.name.find("WithStream") != std::string::npos;
    const auto& copy = m_order.GetOperation(launch).name;
    if (!isAsync ||
        (copy.find("DtoH") != std::string::npos && copy.find("Pageable") != std::string::npos))
    {
        HostWaits(call, {launch}, true);
    }
}

void
Finder::HandleCollective(std::size_t launch)
{
    const std::size_t record = m_trace.FindRecord(m_launches[launch].node);
    const std::size_t index = record == NONE ? NONE : m_match.operatorOf[record];
    const auto& start = index == NONE ? m_order.GetCall(launch) : m_kineto.operators[index];
    const auto stream = m_order.FindStreamBefore(start.line, start.startNs);
    const bool isOther = stream && *stream != m_order.GetOperation(launch).line;
    DeviceWaits("collective after its thread's stream",
                ShowEvent(m_order.GetOperation(launch)),
                isOther ? m_order.FindLast(*stream, start.startNs) : NONE,
                launch,
                true);
}

void
Finder::HandleWaitRecord(std::size_t node)
{
    const auto& record = m_trace.records.at(m_trace.nodes[node].id);
    const auto& wait = m_kineto.operators[m_match.operatorOf[node]];
    const std::string id = "node " + std::to_string(m_trace.nodes[node].id) + " seq " +
                           std::to_string(record.sequence);
    const auto [begin, end] = m_bySequence.equal_range(record.sequence);
    std::size_t source = NONE;
    std::size_t nFound = 0;
    for (auto entry = begin; entry != end; ++entry)
    {
        const std::size_t launch = entry->second;
        const auto& other =
            m_trace.records.at(m_trace.nodes[m_trace.FindRecord(m_launches[launch].node)].id);
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
                        {m_trace.file, 0, id});
    }
    const auto stream = m_order.FindStream(wait.line, wait.startNs);
    DeviceWaits("wait on collective",
                id,
                source,
                stream ? m_order.FindNext(*stream, wait.startNs) : NONE,
                true);
}

void
Finder::HandleBackwardPasses()
{
    std::map<std::pair<std::size_t, Line>, int64_t> begins;
    for (std::size_t i = 0; i < m_trace.nodes.size(); ++i)
    {
        const std::size_t caller = m_trace.Find(m_trace.nodes[i].forwardParent);
        const std::size_t own = m_match.operatorOf[i];
        const std::size_t other = caller == PytorchTrace::NONE ? NONE : m_match.operatorOf[caller];
        if (own != NONE && other != NONE &&
            m_kineto.operators[own].line != m_kineto.operators[other].line)
        {
            const auto& event = m_kineto.operators[own];
            auto& begin =
                begins.emplace(std::make_pair(other, event.line), event.startNs).first->second;
            begin = std::min(begin, event.startNs);
        }
    }
    for (const auto& [key, beginNs] : begins)
    {
        const auto& [other, thread] = key;
        const auto& caller = m_kineto.operators[other];
        const std::size_t after = m_timeline.FindNext(caller.line, caller.GetEndNs());
        const std::size_t target = after == NONE ? NONE : m_nextMatched[after];
        std::size_t last = m_timeline.FindLast(thread, caller.GetEndNs() - 1);
        while (last != NONE && m_match.nodeOf[last] == NONE)
        {
            last = m_timeline.GetEncloser(last);
        }
        const std::string id = "node " + std::to_string(m_trace.nodes[m_match.nodeOf[other]].id);
        if (target == NONE || last == NONE)
        {
            m_ledger.LeaveOut("backward passes joined", "nothing comes after it", id);
            continue;
        }
        m_ledger.Keep("backward passes joined");
        m_result.dependencies.push_back(
            {{false, m_match.nodeOf[last]}, {false, m_match.nodeOf[target]}});
        const int64_t endNs = std::min(m_kineto.operators[last].GetEndNs(), caller.GetEndNs());
        m_result.waitedNs[other] += std::max<int64_t>(0, endNs - std::max(beginNs, caller.startNs));
    }
}

void
Finder::HostWaits(const KinetoEvent& call, std::vector<std::size_t> sources, bool isAssumed)
{
    sources.erase(std::remove(sources.begin(), sources.end(), NONE), sources.end());
    const std::size_t next = m_timeline.FindNext(call.line, call.GetEndNs());
    const std::size_t target = next == NONE ? NONE : m_nextMatched[next];
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
        m_result.dependencies.push_back({{true, source}, {false, m_match.nodeOf[target]}});
    }
    const std::size_t encloser = m_timeline.FindEncloser(call);
    if (encloser != NONE)
    {
        m_result.waitedNs[encloser] +=
            std::max<int64_t>(0, std::min(endNs, call.GetEndNs()) - call.startNs);
    }
}

void
Finder::DeviceWaits(const std::string& kind,
                    const std::string& id,
                    std::size_t source,
                    std::size_t target,
                    bool isAssumed)
{
    if (source == NONE || target == NONE)
    {
        m_ledger.LeaveOut(kind,
                          source == NONE ? "nothing launched before is known"
                                         : "nothing is launched after it",
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

} // namespace

Synchronisations
FindSynchronisations(const PytorchTrace& trace,
                     const KinetoTrace& kineto,
                     const OperatorMatch& match,
                     const OperatorTimeline& timeline,
                     const std::vector<DeviceLaunch>& launches,
                     ConversionLedger& ledger,
                     Diagnostics& diagnostics)
{
    MessageTally tally(diagnostics);
    return Finder(trace, kineto, match, timeline, launches, ledger, tally).Run();
}

} // namespace mlcluster
} // namespace ns3
