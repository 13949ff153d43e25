/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "runtime-synchronisations.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t LOOK_BACK = 1000; ///< recorded events looked at for one wait

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

} // namespace

RuntimeSynchronisations::RuntimeSynchronisations(const MatchedTraces& traces,
                                                 const LaunchOrder& order,
                                                 const Collectives& collectives,
                                                 SynchronisationBook& book,
                                                 ConversionLedger& ledger,
                                                 MessageTally& tally)
    : m_traces(traces),
      m_order(order),
      m_collectives(collectives),
      m_book(book),
      m_ledger(ledger),
      m_tally(tally)
{
    for (const auto& synchronisation : traces.kineto.synchronisations)
    {
        m_exact.emplace(synchronisation.event.correlation.value_or(-1), &synchronisation);
    }
    FindMarks();
}

void
RuntimeSynchronisations::FindMarks()
{
    for (const auto& call : m_traces.kineto.calls)
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
RuntimeSynchronisations::FindCommunication(const KinetoEvent& call) const
{
    std::size_t index = m_traces.timeline.FindEncloser(call);
    while (index != NONE && m_traces.kineto.operators[index].name != "record_param_comms")
    {
        index = m_traces.timeline.GetEncloser(index);
    }
    return index;
}

const KinetoSynchronisation*
RuntimeSynchronisations::FindExact(const KinetoEvent& call, const std::string& kind) const
{
    const auto [begin, end] = m_exact.equal_range(call.correlation.value_or(-2));
    const auto found = std::find_if(begin, end, [&](const auto& entry) {
        return entry.second->event.name == kind;
    });
    return found == end ? nullptr : found->second;
}

std::optional<RuntimeSynchronisations::Mark>
RuntimeSynchronisations::FindMark(const KinetoSynchronisation& exact) const
{
    const auto time = m_recordTimes.find(exact.recordCall.value_or(-1));
    if (time == m_recordTimes.end())
    {
        return {};
    }
    return Mark{{exact.event.line.first, exact.waitOnStream}, time->second};
}

void
RuntimeSynchronisations::Assume(const KinetoEvent& call, const std::string& what)
{
    m_tally.Warning("is not recorded with streams (cuda_sync events have them); " + what,
                    {m_traces.kineto.file, 0, ShowEvent(call)});
}

std::size_t
RuntimeSynchronisations::FindMarked(const std::optional<Mark>& mark) const
{
    return mark ? m_order.FindLast(mark->stream, mark->timeNs) : NONE;
}

std::size_t
RuntimeSynchronisations::FindLastMarked(int64_t timeNs,
                                        const std::optional<Line>& other,
                                        int64_t endNs) const
{
    auto mark =
        std::lower_bound(m_marks.begin(), m_marks.end(), timeNs, [](const Mark& m, int64_t time) {
            return m.timeNs < time;
        });
    for (std::size_t i = 0; i < LOOK_BACK && mark != m_marks.begin(); ++i)
    {
        --mark;
        const std::size_t launch = mark->stream == other ? NONE : FindMarked(*mark);
        if (launch != NONE &&
            m_order.GetOperation(launch).GetEndNs() <= endNs + SynchronisationBook::ROUNDING_NS)
        {
            return launch;
        }
    }
    return NONE;
}

void
RuntimeSynchronisations::WaitForStream(const KinetoEvent& call)
{
    if (const auto* exact = FindExact(call, "Stream Sync"))
    {
        m_book.HostWaits(call, {m_order.FindLast(exact->event.line, call.startNs)}, false);
        return;
    }
    const auto stream = m_order.FindStreamBefore(call.line, call.startNs);
    Assume(call, "taken to wait for the stream that its thread used last");
    m_book.HostWaits(call, {stream ? m_order.FindLast(*stream, call.startNs) : NONE}, true);
}

void
RuntimeSynchronisations::WaitForEvent(const KinetoEvent& call)
{
    if (const auto* exact = FindExact(call, "Event Sync"))
    {
        m_book.HostWaits(call, {FindMarked(FindMark(*exact))}, false);
        return;
    }
    Assume(call, "taken to wait for the event recorded last");
    m_book.HostWaits(call, {FindLastMarked(call.startNs, {}, call.GetEndNs())}, true);
}

void
RuntimeSynchronisations::WaitOnDevice(const KinetoEvent& call)
{
    if (const auto* exact = FindExact(call, "Stream Wait Event"))
    {
        m_book.DeviceWaits(call.name,
                           ShowEvent(call),
                           FindMarked(FindMark(*exact)),
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
    const std::size_t target = stream ? m_order.FindNext(*stream, call.startNs) : NONE;
    std::size_t source = NONE;
    if (target != NONE && m_marks.empty())
    {
        Assume(call, "taken to wait for the last operation of its thread on another stream");
        source = m_order.FindLastElsewhere(call.line, call.startNs, *stream);
    }
    else if (target != NONE)
    {
        Assume(call, "taken to wait for the event recorded last on another stream");
        source = FindLastMarked(call.startNs, stream, m_order.GetOperation(target).startNs);
    }
    m_book.DeviceWaits(call.name, ShowEvent(call), source, target, true);
}

void
RuntimeSynchronisations::Handle(const KinetoEvent& call)
{
    const std::string name = StripPrefix(call.name);
    if (BeginsWith(name, "StreamSynchronize"))
    {
        WaitForStream(call);
    }
    else if (BeginsWith(name, "DeviceSynchronize") || BeginsWith(name, "CtxSynchronize"))
    {
        const auto* exact = FindExact(call, "Context Sync");
        const auto device = exact ? std::optional(exact->event.line.first) : std::nullopt;
        m_book.HostWaits(call, m_order.FindLastOfAll(device, call.startNs), false);
    }
    else if (BeginsWith(name, "EventSynchronize"))
    {
        WaitForEvent(call);
    }
    else if (BeginsWith(name, "StreamWaitEvent"))
    {
        WaitOnDevice(call);
    }
    else if (BeginsWith(name, "Memcpy"))
    {
        WaitForCopy(call);
    }
}

void
RuntimeSynchronisations::WaitForCopy(const KinetoEvent& call)
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
        m_book.HostWaits(call, {launch}, true);
    }
}

} // namespace mlcluster
} // namespace ns3
