/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "closed-loop-tables.h"

#include "ns3/quantity.h"
#include "ns3/report-table.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double NS_PER_MS = 1e6;
constexpr double NS_PER_US = 1e3;

/// @param ns a time @return ms, to the nanosecond
std::string
FormatMilliseconds(double ns)
{
    return FormatFixed(ns / NS_PER_MS, 6);
}

/// @param row a step @return its workload, network and scheduler
std::vector<std::string>
GetNames(const ClosedLoop::Row& row)
{
    return {row.workload, row.network, row.scheduler};
}

/// @param os receives the share of the step in which each dimension sends @param rows steps
void
PrintBusy(std::ostream& os, const std::vector<ClosedLoop::Row>& rows)
{
    std::vector<std::string> headings{"workload", "network", "scheduler"};
    for (std::size_t d = 0; d < rows.front().step.busy.size(); ++d)
    {
        headings.push_back("b" + std::to_string(d + 1) + " busy(%)");
    }
    ReportTable table(headings, 3);
    for (const auto& row : rows)
    {
        auto cells = GetNames(row);
        for (const double busy : row.step.busy)
        {
            cells.push_back(FormatFixed(100 * busy / row.step.time, 1));
        }
        table.AddRow(cells);
    }
    table.Print(os);
}

/// @param result of refinement @param onlyBetter leave out trials that were not better than all
/// before @param isSlowdown whether times are slowdowns @return a table of them
ReportTable
MakeTrials(const BandwidthRefiner::Result& result, bool onlyBetter, bool isSlowdown)
{
    std::vector<std::string> headings{"trial"};
    for (std::size_t d = 0; d < result.best.bandwidths.size(); ++d)
    {
        headings.push_back("b" + std::to_string(d + 1) + "(GB/s)");
    }
    for (const char* heading :
         {isSlowdown ? "worst slowdown" : "simulated(ms)", "cost(M$)", "over start"})
    {
        headings.emplace_back(heading);
    }
    ReportTable table(headings, 0);
    BandwidthRefiner::Trial best = result.trials.front();
    for (std::size_t i = 0; i < result.trials.size(); ++i)
    {
        const auto& trial = result.trials[i];
        const bool isBetter =
            trial.delay < best.delay || (trial.delay == best.delay && trial.value < best.value);
        best = isBetter ? trial : best;
        if (!onlyBetter || isBetter || i == 0)
        {
            std::vector<std::string> cells{std::to_string(i + 1)};
            for (const double bandwidth : trial.bandwidths)
            {
                cells.push_back(FormatFixed(bandwidth, 3));
            }
            cells.push_back(isSlowdown ? FormatFixed(trial.time, 6)
                                       : FormatMilliseconds(trial.time));
            cells.push_back(FormatFixed(trial.cost / 1e6, 4));
            cells.push_back(FormatFixed(trial.value / result.trials.front().value, 6));
            table.AddRow(cells);
        }
    }
    return table;
}

} // namespace

void
PrintSimulatedSteps(std::ostream& os, const ClosedLoop& loop)
{
    ReportTable table({"workload",
                       "network",
                       "scheduler",
                       "predicted(ms)",
                       "simulated(ms)",
                       "difference(%)",
                       "latency(ms)",
                       "chunks(ms)",
                       "other(ms)",
                       "predicted speed-up",
                       "simulated speed-up",
                       "wall time(s)"},
                      3);
    for (const auto& row : loop.GetRows())
    {
        auto cells = GetNames(row);
        for (const std::string& cell : {FormatMilliseconds(row.predicted),
                                        FormatMilliseconds(row.step.time),
                                        FormatFixed(100 * row.GetDifference(), 3),
                                        FormatMilliseconds(row.step.parts.latency),
                                        FormatMilliseconds(row.step.parts.chunks),
                                        FormatMilliseconds(row.GetUnexplained()),
                                        FormatFixed(row.predictedGain, 4),
                                        FormatFixed(row.simulatedGain, 4),
                                        FormatFixed(row.step.wallSeconds, 2)})
        {
            cells.push_back(cell);
        }
        table.AddRow(cells);
    }
    table.Print(os);
}

void
PrintSimulatedCollectives(std::ostream& os, const ClosedLoop& loop)
{
    if (loop.GetRows().empty())
    {
        return;
    }
    ReportTable table({"workload",
                       "network",
                       "scheduler",
                       "collective",
                       "group",
                       "size",
                       "ranks",
                       "times",
                       "each(us)",
                       "latency(us)",
                       "chunks(us)",
                       "rest(us)"},
                      5);
    for (const auto& row : loop.GetRows())
    {
        for (const auto& kind : row.step.collectives)
        {
            auto cells = GetNames(row);
            for (const std::string& cell : {ToString(kind.type),
                                            kind.family,
                                            FormatBytes(kind.bytes),
                                            std::to_string(kind.ranks),
                                            std::to_string(kind.count),
                                            FormatFixed(kind.time / NS_PER_US, 3),
                                            FormatFixed(kind.parts.latency / NS_PER_US, 3),
                                            FormatFixed(kind.parts.chunks / NS_PER_US, 3),
                                            FormatFixed(kind.parts.rest / NS_PER_US, 3)})
            {
                cells.push_back(cell);
            }
            table.AddRow(cells);
        }
    }
    table.Print(os);
    os << "\n";
    PrintBusy(os, loop.GetRows());
}

void
WriteSimulatedSteps(std::ostream& os, const ClosedLoop& loop)
{
    ReportTable table({"workload",
                       "network",
                       "scheduler",
                       "predicted_ns",
                       "simulated_ns",
                       "latency_ns",
                       "chunks_ns",
                       "other_ns",
                       "predicted_speed_up",
                       "simulated_speed_up",
                       "events",
                       "wall_s"},
                      3);
    for (const auto& row : loop.GetRows())
    {
        std::vector<std::string> cells;
        for (const auto& name : GetNames(row))
        {
            cells.push_back(CsvText(name));
        }
        for (const double number : {row.predicted,
                                    row.step.time,
                                    row.step.parts.latency,
                                    row.step.parts.chunks,
                                    row.GetUnexplained(),
                                    row.predictedGain,
                                    row.simulatedGain})
        {
            cells.push_back(FormatNumber(number));
        }
        cells.push_back(std::to_string(row.step.events));
        cells.push_back(FormatFixed(row.step.wallSeconds, 3));
        table.AddRow(cells);
    }
    table.WriteCsv(os);
}

void
PrintRefinement(std::ostream& os, const BandwidthRefiner::Result& result, bool isSlowdown)
{
    if (result.trials.empty())
    {
        return;
    }
    MakeTrials(result, true, isSlowdown).Print(os);
    const double gain = 1 - result.best.value / result.trials.front().value;
    os << result.trials.size() << " simulations, " << FormatFixed(100 * gain, 3)
       << " % less than at the start\n";
}

void
WriteRefinement(std::ostream& os, const BandwidthRefiner::Result& result, bool isSlowdown)
{
    if (!result.trials.empty())
    {
        MakeTrials(result, false, isSlowdown).WriteCsv(os);
    }
}

} // namespace mlcluster
} // namespace ns3
