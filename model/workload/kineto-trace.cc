/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "kineto-trace.h"

#include "json-reader.h"
#include "message-tally.h"
#include "trace-file.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int NANOSECONDS = 3; ///< decimal places that make nanoseconds of microseconds

/// Where the events of a category go.
enum class Class
{
    Operator,
    Call,
    Operation,
    Synchronisation
};

/// Categories that are kept.
const std::map<std::string, Class> CATEGORIES{{"cpu_op", Class::Operator},
                                              {"user_annotation", Class::Operator},
                                              {"cuda_runtime", Class::Call},
                                              {"cuda_driver", Class::Call},
                                              {"kernel", Class::Operation},
                                              {"gpu_memcpy", Class::Operation},
                                              {"gpu_memset", Class::Operation},
                                              {"cuda_sync", Class::Synchronisation}};

/// @param event an event @param key a key @return the text it has for it, or ""
std::string
GetText(const JsonValue& event, const std::string& key)
{
    const JsonValue* value = event.Find(key);
    return value && value->IsText() ? value->GetText() : "";
}

/// @param object an object, null for none @param key a key @return the integer it has for it
std::optional<int64_t>
GetInteger(const JsonValue* object, const std::string& key)
{
    const JsonValue* value = object ? object->Find(key) : nullptr;
    return value ? value->GetInteger() : std::nullopt;
}

/// @param event an event @param key "pid" or "tid" @return the number
int64_t
GetNumber(const JsonValue& event, const std::string& key)
{
    const auto number = GetInteger(&event, key);
    if (!number)
    {
        throw InputError(key + " is missing or no integer");
    }
    return *number;
}

/// @param event an event @param key "ts" or "dur" @return nanoseconds, nothing if it has none
std::optional<int64_t>
GetNanoseconds(const JsonValue& event, const std::string& key)
{
    const JsonValue* value = event.Find(key);
    if (!value)
    {
        return {};
    }
    const auto number = value->GetScaled(NANOSECONDS);
    if (!number || *number < 0)
    {
        throw InputError(key + " is " + ToPythonText(*value) +
                         "; microseconds from 0 are needed, below 2^63 ns");
    }
    return number;
}

/// @param a an event @param b another @return whether a comes first: by start, longer ones first
bool
StartsFirst(const KinetoEvent& a, const KinetoEvent& b)
{
    return a.startNs != b.startNs ? a.startNs < b.startNs : a.durationNs > b.durationNs;
}

/// Reads a whole trace.
class KinetoReader
{
  public:
    /// @param path the file @param diagnostics receives problems
    KinetoReader(const std::string& path, Diagnostics& diagnostics)
        : m_tally(diagnostics)
    {
        m_trace.file = path;
    }

    KinetoTrace Read(); ///< @return the trace

  private:
    /// @param source an event as it is in the file
    void ReadEvent(const JsonValue& source);
    /// @param source an event @param category its category @return what all kinds have
    KinetoEvent ReadCommon(const JsonValue& source, const std::string& category);
    /// @param source a synchronisation @param event what it has in common
    void AddSynchronisation(const JsonValue& source, KinetoEvent event);
    /// @param header the file without its events
    void ReadHeader(const JsonValue& header);

    MessageTally m_tally;  ///< problems
    KinetoTrace m_trace;   ///< so far
    uint64_t m_nEvents{0}; ///< events read
};

KinetoTrace
KinetoReader::Read()
{
    try
    {
        const auto file = OpenTraceFile(m_trace.file);
        ReadHeader(
            ReadJson(*file, "traceEvents", [this](const JsonValue& source) { ReadEvent(source); }));
    }
    catch (const InputError& error)
    {
        m_tally.Error({m_trace.file, 0, "Kineto trace"}, error.what());
    }
    std::stable_sort(m_trace.operators.begin(), m_trace.operators.end(), StartsFirst);
    std::stable_sort(m_trace.calls.begin(), m_trace.calls.end(), StartsFirst);
    std::stable_sort(m_trace.operations.begin(), m_trace.operations.end(), StartsFirst);
    std::stable_sort(m_trace.synchronisations.begin(),
                     m_trace.synchronisations.end(),
                     [](const auto& a, const auto& b) { return StartsFirst(a.event, b.event); });
    return std::move(m_trace);
}

void
KinetoReader::ReadEvent(const JsonValue& source)
{
    const std::string category = GetText(source, "cat");
    const auto found = CATEGORIES.find(category);
    const std::string name = GetText(source, "name");
    ++m_nEvents;
    if (GetText(source, "ph") != "X" || found == CATEGORIES.end())
    {
        return;
    }
    if (found->second == Class::Operator && name.find("ProfilerStep") != std::string::npos)
    {
        ++m_trace.profilerSteps;
        return;
    }
    try
    {
        KinetoEvent event = ReadCommon(source, category);
        switch (found->second)
        {
        case Class::Operator:
            m_trace.operators.push_back(std::move(event));
            break;
        case Class::Call:
            m_trace.calls.push_back(std::move(event));
            break;
        case Class::Operation:
            m_trace.operations.push_back(std::move(event));
            break;
        case Class::Synchronisation:
            AddSynchronisation(source, std::move(event));
            break;
        }
    }
    catch (const InputError& error)
    {
        m_tally.Error({m_trace.file,
                       source.GetLine(),
                       "event " + std::to_string(m_nEvents) + " " + ShowName(name)},
                      error.what());
    }
}

KinetoEvent
KinetoReader::ReadCommon(const JsonValue& source, const std::string& category)
{
    KinetoEvent event;
    event.name = GetText(source, "name");
    event.category = category;
    event.line = {GetNumber(source, "pid"), GetNumber(source, "tid")};
    const auto start = GetNanoseconds(source, "ts");
    if (!start)
    {
        throw InputError("ts is missing");
    }
    event.startNs = *start;
    const auto duration = GetNanoseconds(source, "dur");
    if (!duration)
    {
        m_tally.Warning("has no dur; taken as 0",
                        {m_trace.file, source.GetLine(), category + " " + ShowName(event.name)});
    }
    event.durationNs = duration.value_or(0);
    if (event.durationNs > std::numeric_limits<int64_t>::max() - event.startNs)
    {
        throw InputError("ts and dur together are too large; below 2^63 ns are allowed");
    }
    if (const JsonValue* args = source.Find("args"))
    {
        event.externalId = GetInteger(args, "External id");
        event.recordId = GetInteger(args, "Record function id").value_or(0);
        event.correlation = GetInteger(args, "correlation");
        event.group = GetText(*args, "Process Group Name");
    }
    return event;
}

void
KinetoReader::AddSynchronisation(const JsonValue& source, KinetoEvent event)
{
    const JsonValue* args = source.Find("args");
    const std::string kind = args ? GetText(*args, "cuda_sync_kind") : "";
    event.name = kind.empty() ? event.name : kind;
    event.line.second = GetInteger(args, "stream").value_or(event.line.second);
    const int64_t waitOnStream = GetInteger(args, "wait_on_stream").value_or(-1);
    m_trace.synchronisations.push_back(
        {std::move(event), waitOnStream, GetInteger(args, "wait_on_cuda_event_record_corr_id")});
}

void
KinetoReader::ReadHeader(const JsonValue& header)
{
    if (!header.IsArray() && !header.Find("traceEvents"))
    {
        throw InputError("has no traceEvents; a Kineto trace is an object with \"traceEvents\", or "
                         "an array of events");
    }
    const JsonValue* info = header.Find("distributedInfo");
    if (!info)
    {
        return;
    }
    const auto rank = GetInteger(info, "rank");
    if (rank && *rank >= 0 && *rank < std::numeric_limits<uint32_t>::max())
    {
        m_trace.rank = static_cast<uint32_t>(*rank);
    }
    m_trace.worldSize = std::max<int64_t>(GetInteger(info, "world_size").value_or(0), 0);
    if (const JsonValue* groups = info->Find("pg_config"))
    {
        m_trace.groups = ReadProcessGroups(*groups);
    }
}

} // namespace

int64_t
KinetoEvent::GetEndNs() const
{
    return startNs + durationNs;
}

KinetoTrace
ReadKinetoTrace(const std::string& path, Diagnostics& diagnostics)
{
    return KinetoReader(path, diagnostics).Read();
}

} // namespace mlcluster
} // namespace ns3
