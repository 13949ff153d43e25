/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-writer.h"

#include "module-version.h"

#include "ns3/critical-traffic.h"
#include "ns3/quantity.h"
#include "ns3/report-table.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Objective = BandwidthProblem::Objective;

/// @param value a number @return it for a table; "" if it is not finite
std::string
Cell(double value)
{
    return std::isfinite(value) ? FormatNumber(value) : "";
}

/// @param os receives a line for each dimension @param report the answer
void
WriteDimensions(std::ostream& os, const DesignReport& report)
{
    const auto& solution = report.solution;
    const CriticalTraffic traffic(report.problem.time, solution.bandwidths);
    const bool isSum = report.config.combination == WorkloadDesign::Combination::Sum;
    ReportTable table({"dimension",
                       "block",
                       "size",
                       "tier",
                       "bandwidth_gb_per_s",
                       "cost",
                       "cost_share",
                       "waited_for",
                       "bytes",
                       "used_share"},
                      0);
    for (std::size_t d = 0; d < solution.bandwidths.size(); ++d)
    {
        const auto& dimension = report.config.network.dimensions[d];
        const double cost = report.problem.prices[d] * solution.bandwidths[d];
        table.AddRow({"b" + std::to_string(d + 1),
                      ToString(dimension.block),
                      std::to_string(dimension.size),
                      dimension.tier,
                      Cell(solution.bandwidths[d]),
                      Cell(cost),
                      Cell(cost / solution.cost),
                      solution.timeShares.empty() ? "" : Cell(solution.timeShares[d]),
                      isSum ? Cell(traffic.bytes[d]) : "",
                      Cell(traffic.shares[d])});
    }
    table.WriteCsv(os);
}

/// @param os receives a line for each constraint @param report the answer
void
WriteConstraints(std::ostream& os, const DesignReport& report)
{
    ReportTable table({"constraint", "file", "line", "value", "shadow_price"}, 0);
    const auto& prices = report.solution.shadowPrices;
    for (std::size_t i = 0; i < report.problem.constraints.size(); ++i)
    {
        const auto& constraint = report.problem.constraints[i];
        table.AddRow({constraint.text,
                      constraint.place.file,
                      std::to_string(constraint.place.line),
                      Cell(constraint.value),
                      i < prices.size() ? Cell(prices[i]) : ""});
    }
    table.WriteCsv(os);
}

/// @param os receives a line for each point @param points some @param report the answer
void
WritePoints(std::ostream& os, const std::vector<DesignPoint>& points, const DesignReport& report)
{
    std::vector<std::string>
        headings{"name", "time", "cost", "value", "bound", "kept_value", "equal_time"};
    std::size_t size = 0;
    for (const auto& point : points)
    {
        size = std::max(size, point.bandwidths.size());
    }
    for (std::size_t d = 0; d < size; ++d)
    {
        headings.push_back("b" + std::to_string(d + 1));
    }
    for (const auto& workload : report.config.workloads)
    {
        headings.push_back("time_ns:" + workload.name);
    }
    headings.emplace_back("not_met");
    headings.emplace_back("fault");
    ReportTable table(headings, 0);
    for (const auto& point : points)
    {
        const bool isThere = point.fault.empty();
        const auto cell = [&](double value) { return isThere ? Cell(value) : ""; };
        std::vector<std::string> cells{point.name, cell(point.time), cell(point.cost)};
        cells.push_back(cell(point.value));
        cells.push_back(point.bound > 0 ? cell(point.bound) : "");
        cells.push_back(point.kept > 0 ? cell(point.kept) : "");
        cells.push_back(point.equalTime > 0 ? cell(point.equalTime) : "");
        for (std::size_t d = 0; d < size; ++d)
        {
            cells.push_back(d < point.bandwidths.size() ? Cell(point.bandwidths[d]) : "");
        }
        for (std::size_t i = 0; i < report.config.workloads.size(); ++i)
        {
            cells.push_back(i < point.times.size() ? Cell(point.times[i]) : "");
        }
        cells.push_back(JoinWords(point.unmet));
        cells.push_back(point.fault);
        table.AddRow(cells);
    }
    table.WriteCsv(os);
}

/// @param os receives the figures of the whole @param report the answer
void
WriteSummary(std::ostream& os, const DesignReport& report)
{
    const auto& solution = report.solution;
    const auto& config = report.config;
    nlohmann::ordered_json json;
    json["mlCluster"] = GetModuleVersion();
    json["ns3"] = GetNs3Version();
    json["design"] = config.file;
    json["choice"] = report.choice;
    json["topology"] = ClusterTopology(config.workloads[0].experiment.dimensions).GetNotation();
    json["objective"] = config.objective == Objective::Time   ? "time"
                        : config.objective == Objective::Cost ? "cost"
                                                              : "time-times-cost";
    json["combine"] = config.combination == WorkloadDesign::Combination::Worst ? "worst" : "sum";
    json["bandwidthsGBps"] = solution.bandwidths;
    json["time"] = solution.time;
    json["cost"] = solution.cost;
    json["value"] = solution.value;
    json["bound"] = solution.bound;
    json["gap"] = solution.GetGap();
    if (config.target)
    {
        json["targetPrice"] = solution.targetPrice;
    }
    if (report.isPartial)
    {
        json["partial"] = true;
    }
    for (std::size_t i = 0; i < config.workloads.size(); ++i)
    {
        json["workloads"].push_back({{"name", config.workloads[i].name},
                                     {"weight", config.workloads[i].weight},
                                     {"does", report.descriptions[i]},
                                     {"timeNs", report.networks[0].times[i]}});
    }
    os << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

} // namespace

void
WriteDesign(ResultFolder& folder, const DesignReport& report)
{
    for (const char* name : {"workloads.csv",
                             "choices.csv",
                             "sweep.csv",
                             "pareto.csv",
                             "sensitivity.csv",
                             "simulated.csv",
                             "packets.csv",
                             "refined.csv"})
    {
        folder.LeaveOut(name);
    }
    folder.Write("summary.json", [&](std::ostream& os) { WriteSummary(os, report); });
    folder.Write("design.csv", [&](std::ostream& os) { WriteDimensions(os, report); });
    folder.Write("constraints.csv", [&](std::ostream& os) { WriteConstraints(os, report); });
    const auto write = [&](const std::string& name, const std::vector<DesignPoint>& points) {
        if (!points.empty())
        {
            folder.Write(name, [&](std::ostream& os) { WritePoints(os, points, report); });
        }
    };
    write("networks.csv", report.networks);
    write("workloads.csv", report.workloads);
    write("choices.csv", report.choices);
    write("sweep.csv", report.sweep);
    write("pareto.csv", report.pareto);
    write("sensitivity.csv", report.sensitivity);
    folder.Publish();
}

} // namespace mlcluster
} // namespace ns3
