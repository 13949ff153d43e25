/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-estimate.h"

#include "report-table.h"

#include "ns3/quantity.h"

#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double BYTES_PER_MB = 1e6;

/// A part of the memory: its heading in tables.
struct MemoryPart
{
    const char* heading;                 ///< on the console
    const char* column;                  ///< in the CSV table
    uint64_t EstimatedMemory::* pointer; ///< bytes
};

const MemoryPart MEMORY_PARTS[] = {
    {"process", "process_bytes", &EstimatedMemory::process},
    {"graphs", "graphs_bytes", &EstimatedMemory::graphs},
    {"collectives", "collectives_bytes", &EstimatedMemory::collectives},
    {"NPUs", "npus_bytes", &EstimatedMemory::npus},
    {"network", "network_bytes", &EstimatedMemory::network},
    {"live", "live_bytes", &EstimatedMemory::live},
    {"results", "results_bytes", &EstimatedMemory::results},
};

std::string
FormatCount(LargeCount count)
{
    return count.IsCounted() ? std::to_string(count.Get()) : "over 1.8e19";
}

std::string
FormatCsv(LargeCount count)
{
    return count.IsCounted() ? std::to_string(count.Get()) : "inf";
}

std::string
FormatOptional(LargeCount count)
{
    return count == 0 ? "-" : FormatCount(count);
}

std::string
FormatMegabytes(uint64_t bytes)
{
    return FormatFixed(static_cast<double>(bytes) / BYTES_PER_MB, 1);
}

std::string
FormatDuration(double seconds)
{
    constexpr double MINUTE = 60;
    constexpr double HOUR = 60 * MINUTE;
    constexpr double DAY = 24 * HOUR;
    constexpr double YEAR = 365.25 * DAY;
    const auto format = [seconds](double unit, const char* name) {
        return FormatFixed(seconds / unit, 1) + " " + name;
    };
    if (seconds < 2 * MINUTE)
    {
        return format(1, "s");
    }
    if (seconds < 2 * HOUR)
    {
        return format(MINUTE, "min");
    }
    if (seconds < 2 * DAY)
    {
        return format(HOUR, "h");
    }
    return seconds < 2 * YEAR ? format(DAY, "days") : format(YEAR, "years");
}

void
PrintCounts(std::ostream& os, const std::vector<RunEstimate>& estimates)
{
    ReportTable table({"backend",
                       "events",
                       "at least",
                       "at most",
                       "messages",
                       "packets",
                       "packet-hops",
                       "memory(MB)",
                       "events/s",
                       "wall time"},
                      1);
    for (const auto& estimate : estimates)
    {
        const bool isExact = estimate.events.IsExact();
        table.AddRow({estimate.backend,
                      FormatCount(estimate.events.expected),
                      isExact ? "exact" : FormatCount(estimate.events.fewest),
                      isExact ? "exact" : FormatCount(estimate.events.most),
                      FormatCount(estimate.messages),
                      FormatOptional(estimate.packets),
                      FormatOptional(estimate.packetHops),
                      FormatMegabytes(estimate.memory.GetTotal()),
                      FormatRounded(estimate.eventsPerSecond, ""),
                      FormatDuration(estimate.GetWallSeconds())});
    }
    table.Print(os);
}

void
PrintMemory(std::ostream& os, const std::vector<RunEstimate>& estimates)
{
    std::vector<std::string> headings{"memory(MB)"};
    for (const auto& part : MEMORY_PARTS)
    {
        headings.emplace_back(part.heading);
    }
    ReportTable table(headings, 1);
    for (const auto& estimate : estimates)
    {
        std::vector<std::string> row{estimate.backend};
        for (const auto& part : MEMORY_PARTS)
        {
            row.push_back(FormatMegabytes(estimate.memory.*part.pointer));
        }
        table.AddRow(row);
    }
    table.Print(os);
}

void
PrintRepeats(std::ostream& os, const RunEstimate& estimate)
{
    const EstimatedRepeats& repeats = *estimate.repeats;
    os << estimate.backend << ": " << FormatCount(repeats.simulated.expected) << " of "
       << repeats.total << " repetitions are simulated if they are found to repeat at once, up to "
       << FormatCount(repeats.simulated.most) << " if later or never; they stand for "
       << FormatCount(repeats.events.expected) << " events\n";
}

} // namespace

uint64_t
EstimatedMemory::GetTotal() const
{
    uint64_t total = 0;
    for (const auto& part : MEMORY_PARTS)
    {
        total += this->*part.pointer;
    }
    return total;
}

double
RunEstimate::GetWallSeconds() const
{
    const auto count = static_cast<double>(events.expected.Get());
    return eventsPerSecond > 0 ? count / eventsPerSecond : 0;
}

RunEstimate
CombineRepeats(const RunEstimate& first,
               const RunEstimate& second,
               const std::vector<uint64_t>& runs,
               const std::vector<uint64_t>& longest)
{
    const uint64_t unit = runs[1] - runs[0];
    const CountRange perUnit = second.events - first.events;
    const auto countOf = [&](uint64_t parts) {
        return first.events + perUnit * LargeCount((parts - runs[0]) / unit);
    };
    EstimatedRepeats repeats;
    repeats.total = longest.back();
    repeats.events = countOf(repeats.total);
    LargeCount most;
    for (const uint64_t parts : longest)
    {
        repeats.simulated.most += parts;
        most += countOf(parts).most;
    }
    repeats.simulated.fewest = runs[0] + runs[1];
    repeats.simulated.expected = repeats.simulated.fewest;
    RunEstimate sum = second;
    sum.events += first.events;
    sum.events.most = most;
    sum.messages += first.messages;
    sum.packets += first.packets;
    sum.packetHops += first.packetHops;
    sum.repeats = repeats;
    sum.memory.results += first.memory.results;
    return sum;
}

void
PrintEstimates(std::ostream& os, const std::vector<RunEstimate>& estimates)
{
    PrintCounts(os, estimates);
    os << "\n";
    PrintMemory(os, estimates);
    os << "\n";
    std::set<std::string> remarks;
    for (const auto& estimate : estimates)
    {
        if (estimate.repeats)
        {
            PrintRepeats(os, estimate);
        }
        for (const auto& remark : estimate.remarks)
        {
            if (remarks.insert(remark).second)
            {
                os << remark << "\n";
            }
        }
    }
    os << "events/s were measured just now in a short run; they depend on the machine, and fall as "
          "the memory grows\n";
}

void
WriteEstimateTable(std::ostream& os, const std::vector<RunEstimate>& estimates)
{
    std::vector<std::string> headings{"backend",
                                      "events",
                                      "events_at_least",
                                      "events_at_most",
                                      "messages",
                                      "packets",
                                      "packet_hops",
                                      "repetitions_simulated",
                                      "repetitions",
                                      "events_of_all",
                                      "memory_bytes"};
    for (const auto& part : MEMORY_PARTS)
    {
        headings.emplace_back(part.column);
    }
    headings.insert(headings.end(), {"events_per_s", "wall_s"});
    ReportTable table(headings, 1);
    for (const auto& estimate : estimates)
    {
        const EstimatedRepeats repeats =
            estimate.repeats.value_or(EstimatedRepeats{LargeCount(1), 1, estimate.events});
        std::vector<std::string> row{estimate.backend,
                                     FormatCsv(estimate.events.expected),
                                     FormatCsv(estimate.events.fewest),
                                     FormatCsv(estimate.events.most),
                                     FormatCsv(estimate.messages),
                                     FormatCsv(estimate.packets),
                                     FormatCsv(estimate.packetHops),
                                     FormatCsv(repeats.simulated.expected),
                                     std::to_string(repeats.total),
                                     FormatCsv(repeats.events.expected),
                                     std::to_string(estimate.memory.GetTotal())};
        for (const auto& part : MEMORY_PARTS)
        {
            row.push_back(std::to_string(estimate.memory.*part.pointer));
        }
        row.push_back(FormatNumber(estimate.eventsPerSecond));
        row.push_back(FormatNumber(estimate.GetWallSeconds()));
        table.AddRow(row);
    }
    table.WriteCsv(os);
}

} // namespace mlcluster
} // namespace ns3
