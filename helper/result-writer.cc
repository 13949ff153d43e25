/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "result-writer.h"

#include "module-version.h"

#include "ns3/quantity.h"
#include "ns3/report-table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// One figure of a record: its name in both kinds of file, and its text.
template <typename T>
struct Column
{
    const char* key;                ///< name in summary.json
    const char* heading;            ///< name in the CSV table, with its unit
    std::string (*value)(const T&); ///< the text, unquoted
    bool isText{false};             ///< whether it is no number
};

std::string
Decimal(double value)
{
    return std::isfinite(value) ? FormatNumber(value) : "null";
}

const Column<RankReport> RANK_COLUMNS[] = {
    {"rank", "rank", [](const RankReport& r) { return std::to_string(r.rank); }},
    {"finishTimePs",
     "finish_time_ps",
     [](const RankReport& r) { return std::to_string(r.finishTimePs); }},
    {"computePs", "compute_ps", [](const RankReport& r) { return std::to_string(r.computePs); }},
    {"exposedCommunicationPs",
     "exposed_communication_ps",
     [](const RankReport& r) { return std::to_string(r.exposedCommunicationPs); }},
    {"exposedMemoryPs",
     "exposed_memory_ps",
     [](const RankReport& r) { return std::to_string(r.exposedMemoryPs); }},
    {"exposedLocalMemoryPs",
     "exposed_local_memory_ps",
     [](const RankReport& r) { return std::to_string(r.exposedLocalMemoryPs); }},
    {"hostPs", "host_ps", [](const RankReport& r) { return std::to_string(r.hostPs); }},
    {"idlePs", "idle_ps", [](const RankReport& r) { return std::to_string(r.idlePs); }},
    {"overlappedCommunicationPs",
     "overlapped_communication_ps",
     [](const RankReport& r) { return std::to_string(r.overlappedCommunicationPs); }},
    {"peakLocalMemoryBytes",
     "peak_local_memory_bytes",
     [](const RankReport& r) { return std::to_string(r.peakLocalMemoryBytes); }},
    {"spilledBytes",
     "spilled_bytes",
     [](const RankReport& r) { return std::to_string(r.spilledBytes); }},
};

const Column<CommunicationReport> COMMUNICATION_COLUMNS[] = {
    {"rank", "rank", [](const CommunicationReport& c) { return std::to_string(c.rank); }},
    {"kind", "kind", [](const CommunicationReport& c) { return c.GetKind(); }, true},
    {"group", "group", [](const CommunicationReport& c) { return std::string(c.group); }, true},
    {"busyPs", "busy_ps", [](const CommunicationReport& c) { return std::to_string(c.busyPs); }},
    {"exposedPs",
     "exposed_ps",
     [](const CommunicationReport& c) { return std::to_string(c.exposedPs); }},
};

const Column<TrainingRates> TRAINING_COLUMNS[] = {
    {"stepPs", "step_ps", [](const TrainingRates& t) { return Decimal(t.stepPs); }},
    {"samplesPerSecond",
     "samples_per_s",
     [](const TrainingRates& t) { return Decimal(t.samplesPerSecond); }},
    {"tokensPerSecond",
     "tokens_per_s",
     [](const TrainingRates& t) { return Decimal(t.tokensPerSecond); }},
    {"tokensPerSecondPerNpu",
     "tokens_per_s_per_npu",
     [](const TrainingRates& t) { return Decimal(t.tokensPerSecondPerNpu); }},
    {"mfu", "mfu", [](const TrainingRates& t) { return Decimal(t.modelUtilisation); }},
    {"hfu", "hfu", [](const TrainingRates& t) { return Decimal(t.hardwareUtilisation); }},
};

const Column<CollectiveReport> COLLECTIVE_COLUMNS[] = {
    {"name", "name", [](const CollectiveReport& c) { return std::string(c.name); }, true},
    {"type", "type", [](const CollectiveReport& c) { return ToString(c.type); }, true},
    {"group", "group", [](const CollectiveReport& c) { return std::string(c.group); }, true},
    {"bytes", "size_bytes", [](const CollectiveReport& c) { return std::to_string(c.bytes); }},
    {"ranks", "ranks", [](const CollectiveReport& c) { return std::to_string(c.ranks); }},
    {"startPs", "start_ps", [](const CollectiveReport& c) { return std::to_string(c.startPs); }},
    {"endPs", "end_ps", [](const CollectiveReport& c) { return std::to_string(c.endPs); }},
    {"algbwGBps",
     "algbw_gb_per_s",
     [](const CollectiveReport& c) { return Decimal(c.GetAlgorithmBandwidth()); }},
    {"busbwGBps",
     "busbw_gb_per_s",
     [](const CollectiveReport& c) { return Decimal(c.GetBusBandwidth()); }},
    {"bandwidthBoundPs",
     "bandwidth_bound_ps",
     [](const CollectiveReport& c) { return std::to_string(c.bandwidthBoundPs); }},
    {"latencyBoundPs",
     "latency_bound_ps",
     [](const CollectiveReport& c) { return std::to_string(c.latencyBoundPs); }},
    {"utilisation",
     "utilisation",
     [](const CollectiveReport& c) { return Decimal(c.utilisation); }},
};

const Column<LinkReport> LINK_COLUMNS[] = {
    {"link", "link", [](const LinkReport& l) { return std::to_string(l.link); }},
    {"from", "from", [](const LinkReport& l) { return l.from; }, true},
    {"to", "to", [](const LinkReport& l) { return l.to; }, true},
    {"dimension", "dimension", [](const LinkReport& l) { return std::to_string(l.dimension); }},
    {"bitRate", "rate_bit_per_s", [](const LinkReport& l) { return std::to_string(l.bitRate); }},
    {"payloadBytes",
     "payload_bytes",
     [](const LinkReport& l) { return std::to_string(l.payloadBytes); }},
    {"wireBytes", "wire_bytes", [](const LinkReport& l) { return std::to_string(l.wireBytes); }},
    {"busyPs", "busy_ps", [](const LinkReport& l) { return std::to_string(l.busyPs); }},
    {"utilisation", "utilisation", [](const LinkReport& l) { return Decimal(l.utilisation); }},
    {"maxQueueBytes",
     "max_queue_bytes",
     [](const LinkReport& l) { return std::to_string(l.maxQueueBytes); }},
};

const Column<MemoryReport> MEMORY_COLUMNS[] = {
    {"name", "name", [](const MemoryReport& m) { return m.name; }, true},
    {"loadedBytes",
     "loaded_bytes",
     [](const MemoryReport& m) { return std::to_string(m.loadedBytes); }},
    {"storedBytes",
     "stored_bytes",
     [](const MemoryReport& m) { return std::to_string(m.storedBytes); }},
    {"computedBytes",
     "computed_bytes",
     [](const MemoryReport& m) { return std::to_string(m.computedBytes); }},
};

std::string
JsonText(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

nlohmann::ordered_json
ToJson(const YAML::Node& node)
{
    if (node.IsScalar())
    {
        return node.Scalar();
    }
    nlohmann::ordered_json json;
    for (const auto& entry : node)
    {
        if (node.IsMap())
        {
            json[entry.first.Scalar()] = ToJson(entry.second);
        }
        else
        {
            json.push_back(ToJson(entry));
        }
    }
    return json;
}

template <typename Range, typename Function>
void
WriteArray(std::ostream& os, const char* key, const Range& range, Function write)
{
    os << "\"" << key << "\":[";
    const char* separator = "\n";
    for (const auto& element : range)
    {
        os << separator << "{";
        write(element);
        os << "}";
        separator = ",\n";
    }
    os << "]";
}

template <typename T, std::size_t N>
void
WriteFields(std::ostream& os, const T& record, const Column<T> (&columns)[N])
{
    const char* separator = "";
    for (const auto& column : columns)
    {
        const std::string value = column.value(record);
        os << separator << "\"" << column.key << "\":" << (column.isText ? JsonText(value) : value);
        separator = ",";
    }
}

template <typename T, std::size_t N>
void
WriteRecords(std::ostream& os,
             const char* key,
             const std::vector<T>& records,
             const Column<T> (&columns)[N])
{
    WriteArray(os, key, records, [&](const T& record) { WriteFields(os, record, columns); });
}

template <typename T, std::size_t N>
void
WriteTable(std::ostream& os,
           const std::vector<RunReport>& runs,
           std::vector<T> RunReport::* records,
           const Column<T> (&columns)[N])
{
    os << "backend";
    for (const auto& column : columns)
    {
        os << "," << column.heading;
    }
    os << "\n";
    for (const auto& run : runs)
    {
        for (const T& record : run.*records)
        {
            os << CsvText(run.backend);
            for (const auto& column : columns)
            {
                os << "," << CsvText(column.value(record));
            }
            os << "\n";
        }
    }
}

void
WritePhases(std::ostream& os, const PhaseReport& phases)
{
    os << "\"phases\":{\"computed\":" << phases.computed << ",\"overlapped\":" << phases.overlapped
       << ",\"byMessages\":{";
    const char* separator = "";
    for (const auto& [reason, count] : phases.byMessages)
    {
        os << separator << JsonText(reason) << ":" << count;
        separator = ",";
    }
    os << "}},\n";
}

void
WriteRun(std::ostream& os, const RunReport& run)
{
    os << "\"backend\":" << JsonText(run.backend) << ",\"finishTimePs\":" << run.finishTimePs
       << ",\"wallSeconds\":" << Decimal(run.wallSeconds) << ",\"events\":" << run.events
       << ",\"peakMemoryBytes\":" << run.peakMemoryBytes
       << ",\"operations\":" << Decimal(run.operations) << ",\n";
    if (run.nodeFileBytes > 0)
    {
        os << "\"nodeFileBytes\":" << run.nodeFileBytes << ",\n";
    }
    if (run.training && !run.partial)
    {
        os << "\"training\":{";
        WriteFields(os, TrainingRates(run), TRAINING_COLUMNS);
        os << "},\n";
    }
    if (run.repeats)
    {
        os << "\"repeats\":{\"simulated\":" << run.repeats->simulated
           << ",\"skipped\":" << run.repeats->skipped << ",\"unit\":" << run.repeats->unit
           << ",\"periodPs\":" << run.repeats->periodPs << "},\n";
    }
    if (run.phases)
    {
        WritePhases(os, *run.phases);
    }
    if (!run.memoryRemarks.empty())
    {
        WriteArray(os, "memoryRemarks", run.memoryRemarks, [&os](const std::string& remark) {
            os << "\"text\":" << JsonText(remark);
        });
        os << ",\n";
    }
    WriteRecords(os, "ranks", run.ranks, RANK_COLUMNS);
    os << ",\n";
    WriteRecords(os, "communication", run.communication, COMMUNICATION_COLUMNS);
    os << ",\n";
    WriteRecords(os, "collectives", run.collectives, COLLECTIVE_COLUMNS);
    os << ",\n";
    WriteRecords(os, "memory", run.memory, MEMORY_COLUMNS);
}

} // namespace

void
WriteSummary(std::ostream& os, const std::string& configuration, const std::vector<RunReport>& runs)
{
    os << "{\"module\":" << JsonText(GetModuleVersion())
       << ",\n\"ns3\":" << JsonText(GetNs3Version())
       << ",\n\"config\":" << ToJson(YAML::Load(configuration)).dump(1) << ",\n";
    if (std::any_of(runs.begin(), runs.end(), [](const RunReport& r) { return r.partial; }))
    {
        os << "\"partial\":true,\n";
    }
    WriteArray(os, "runs", runs, [&os](const RunReport& run) { WriteRun(os, run); });
    os << ",\n";
    WriteArray(os, "comparison", CompareRuns(runs), [&os](const RunComparison& c) {
        os << "\"backend\":" << JsonText(c.backend) << ",\"reference\":" << JsonText(c.reference)
           << ",\"finishRelativeError\":" << Decimal(c.finishRelativeError);
    });
    os << "}\n";
}

void
WriteRankTable(std::ostream& os, const std::vector<RunReport>& runs)
{
    WriteTable(os, runs, &RunReport::ranks, RANK_COLUMNS);
}

void
WriteCommunicationTable(std::ostream& os, const std::vector<RunReport>& runs)
{
    WriteTable(os, runs, &RunReport::communication, COMMUNICATION_COLUMNS);
}

void
WriteCollectiveTable(std::ostream& os, const std::vector<RunReport>& runs)
{
    WriteTable(os, runs, &RunReport::collectives, COLLECTIVE_COLUMNS);
}

void
WriteLinkTable(std::ostream& os, const std::vector<RunReport>& runs)
{
    WriteTable(os, runs, &RunReport::links, LINK_COLUMNS);
}

void
WriteMemoryTable(std::ostream& os, const std::vector<RunReport>& runs)
{
    WriteTable(os, runs, &RunReport::memory, MEMORY_COLUMNS);
}

void
WriteResults(ResultFolder& folder,
             const std::string& configuration,
             const std::vector<RunReport>& runs)
{
    folder.Write("summary.json", [&](std::ostream& os) { WriteSummary(os, configuration, runs); });
    folder.Write("ranks.csv", [&](std::ostream& os) { WriteRankTable(os, runs); });
    folder.Write("communication.csv", [&](std::ostream& os) { WriteCommunicationTable(os, runs); });
    folder.Write("collectives.csv", [&](std::ostream& os) { WriteCollectiveTable(os, runs); });
    folder.Write("links.csv", [&](std::ostream& os) { WriteLinkTable(os, runs); });
    folder.Write("memory.csv", [&](std::ostream& os) { WriteMemoryTable(os, runs); });
    folder.Publish();
}

void
WriteEstimates(ResultFolder& folder, const std::vector<RunEstimate>& estimates)
{
    folder.Write("estimate.csv", [&](std::ostream& os) { WriteEstimateTable(os, estimates); });
    folder.Publish();
}

} // namespace mlcluster
} // namespace ns3
