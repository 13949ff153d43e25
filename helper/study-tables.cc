/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-tables.h"

#include "ns3/quantity.h"
#include "ns3/report-table.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Row = ExperimentStudy::Row;

constexpr double BYTES_PER_MB = 1e6;

/// @param values at least one @return their median
double
GetMedian(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// @param row a run @param index of a swept key @return its value; "" if there is none
std::string
GetSwept(const Row& row, std::size_t index)
{
    return index < row.swept.size() ? CsvText(row.swept[index].value) : "";
}

/// @param rows runs @return those that are of no sweep or variant
std::vector<Row>
LeaveOutChanged(const std::vector<Row>& rows)
{
    std::vector<Row> unchanged;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(unchanged), [](const Row& row) {
        return row.swept.empty() && row.variant.empty();
    });
    return unchanged;
}

/// @param os receives the runs of lone collectives @param rows the runs
void
PrintCollectiveRuns(std::ostream& os, const std::vector<Row>& rows)
{
    ReportTable table({"system",
                       "topology",
                       "scheduler",
                       "NPUs",
                       "size",
                       "chunks",
                       "time us",
                       "utilisation %",
                       "speed-up"},
                      3);
    for (const auto& row : rows)
    {
        table.AddRow({row.system,
                      row.topology,
                      row.scheduler,
                      std::to_string(row.ranks),
                      FormatBytes(row.bytes),
                      std::to_string(row.chunks),
                      FormatMicroseconds(row.timePs),
                      FormatFixed(100 * row.utilisation, 2),
                      FormatFixed(row.speedUp, 3)});
    }
    table.Print(os);
}

/// @param os receives the runs of other work, and what they cost @param rows the runs
void
PrintOtherRuns(std::ostream& os, const std::vector<Row>& rows)
{
    ReportTable table({"system",
                       "topology",
                       "scheduler",
                       "NPUs",
                       "time us",
                       "compute %",
                       "exposed %",
                       "MFU %",
                       "tokens/s",
                       "speed-up",
                       "events",
                       "by messages %",
                       "wall s",
                       "MB so far"},
                      3);
    for (const auto& row : rows)
    {
        const auto time = static_cast<double>(row.timePs);
        table.AddRow({row.system,
                      row.topology,
                      row.scheduler,
                      std::to_string(row.ranks),
                      FormatMicroseconds(row.timePs),
                      FormatFixed(100 * row.computePs / time, 1),
                      FormatFixed(100 * row.exposedPs / time, 1),
                      row.mfu > 0 ? FormatFixed(100 * row.mfu, 1) : "-",
                      row.tokens > 0 ? FormatFixed(row.tokens, 0) : "-",
                      FormatFixed(row.speedUp, 3),
                      std::to_string(row.events),
                      FormatFixed(100.0 * row.fallenBack / static_cast<double>(row.phases), 1),
                      FormatFixed(row.wallSeconds, 2),
                      FormatFixed(row.memoryBytes / BYTES_PER_MB, 0)});
    }
    table.Print(os);
}

/// @param os receives a line for each group @param groups differences of their figures, %
void
PrintMedians(std::ostream& os,
             const std::vector<std::pair<std::string, std::vector<double>>>& groups)
{
    if (groups.empty())
    {
        return;
    }
    ReportTable medians({"group", "figures", "median %", "largest %"}, 1);
    for (const auto& [group, differences] : groups)
    {
        medians.AddRow({group,
                        std::to_string(differences.size()),
                        FormatFixed(GetMedian(differences), 2),
                        FormatFixed(*std::max_element(differences.begin(), differences.end()), 2)});
    }
    os << "\n";
    medians.Print(os);
}

} // namespace

void
PrintStudyRuns(std::ostream& os, const ExperimentStudy& study)
{
    std::vector<Row> collectives = LeaveOutChanged(study.GetRows());
    const auto other = std::stable_partition(collectives.begin(),
                                             collectives.end(),
                                             [](const Row& row) { return row.bytes > 0; });
    const std::vector<Row> others(other, collectives.end());
    collectives.erase(other, collectives.end());
    if (!collectives.empty())
    {
        PrintCollectiveRuns(os, collectives);
    }
    if (!others.empty())
    {
        PrintOtherRuns(os, others);
    }
    std::vector<std::string> schedulers;
    for (const auto& row : study.GetRows())
    {
        if (std::find(schedulers.begin(), schedulers.end(), row.scheduler) == schedulers.end())
        {
            schedulers.push_back(row.scheduler);
        }
    }
    for (std::size_t i = 1; i < schedulers.size(); ++i)
    {
        const auto ours = [&](const std::string& quantity) {
            return FormatFixed(study.GetOurs({quantity, "all", schedulers[i]}), 3);
        };
        os << "\n"
           << schedulers[i] << " over " << schedulers[0] << ", "
           << study.GetSpeedUps(schedulers[i]).size() << " runs: geometric mean "
           << ours("mean-speed-up") << ", largest " << ours("max-speed-up");
    }
    os << (schedulers.size() > 1 ? "\n" : "");
}

void
PrintStudyFigures(std::ostream& os, const ExperimentStudy& study)
{
    ReportTable table(
        {"group", "quantity", "system", "scheduler", "source", "published", "ours", "difference %"},
        5);
    std::vector<std::pair<std::string, std::vector<double>>> groups;
    std::size_t nShown = 0;
    for (const auto& figure : study.GetPublished())
    {
        const double ours = study.GetOurs(figure);
        const double difference = 100 * (ours / figure.value - 1);
        if (!std::isfinite(difference))
        {
            continue;
        }
        ++nShown;
        table.AddRow({figure.group,
                      figure.quantity,
                      figure.system,
                      figure.scheduler,
                      figure.source,
                      figure.Format(figure.value),
                      figure.Format(ours),
                      FormatFixed(difference, 2)});
        const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& entry) {
            return entry.first == figure.group;
        });
        auto& entry = group == groups.end() ? groups.emplace_back(figure.group, 0) : *group;
        entry.second.push_back(std::abs(difference));
    }
    if (nShown > 0)
    {
        table.Print(os);
    }
    const std::size_t nOthers = study.GetPublished().size() - nShown;
    if (nOthers > 0)
    {
        os << (nShown > 0 ? "... " : "") << nOthers << (nShown > 0 ? " more" : "")
           << (nOthers == 1 ? " published figure is" : " published figures are")
           << " of runs that were not made\n";
    }
    PrintMedians(os, groups);
}

void
WriteStudyRuns(std::ostream& os, const ExperimentStudy& study)
{
    os << "system,topology,ranks,bytes,chunks,scheduler,time_ps,utilisation,speed_up,compute_ps,"
          "exposed_ps,mfu,tokens_per_s,events,phases,fallen_back,line,variant,swept_1,swept_2,"
          "reference,over_reference,remote_memory_ps,local_memory_ps,host_ps,idle_ps\n";
    for (const auto& row : study.GetRows())
    {
        os << CsvText(row.system) << "," << row.topology << "," << row.ranks << "," << row.bytes
           << "," << row.chunks << "," << row.scheduler << "," << row.timePs << ","
           << FormatNumber(row.utilisation) << "," << FormatNumber(row.speedUp) << ","
           << FormatNumber(row.computePs) << "," << FormatNumber(row.exposedPs) << ","
           << FormatNumber(row.mfu) << "," << FormatNumber(row.tokens) << "," << row.events << ","
           << row.phases << "," << row.fallenBack << "," << CsvText(row.line) << ","
           << CsvText(row.variant) << "," << GetSwept(row, 0) << "," << GetSwept(row, 1) << ","
           << CsvText(row.reference) << "," << FormatNumber(row.overReference) << ","
           << FormatNumber(row.remotePs) << "," << FormatNumber(row.localPs) << ","
           << FormatNumber(row.hostPs) << "," << FormatNumber(row.idlePs) << "\n";
    }
}

} // namespace mlcluster
} // namespace ns3
