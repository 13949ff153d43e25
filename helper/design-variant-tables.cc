/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-variant-tables.h"

#include "design-units.h"

#include "ns3/report-table.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int DIGITS = 4;

/// @param points some @return the largest number of bandwidths
std::size_t
GetNDimensions(const std::vector<DesignPoint>& points)
{
    std::size_t size = 0;
    for (const auto& point : points)
    {
        size = std::max(size, point.bandwidths.size());
    }
    return size;
}

/// @param text of errors @return its first line
std::string
GetFirstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

/// @param os receives why points have no bandwidths, a line each @param points some
void
PrintFaults(std::ostream& os, const std::vector<DesignPoint>& points)
{
    for (const auto& point : points)
    {
        if (!point.fault.empty())
        {
            os << point.name << ": " << GetFirstLine(point.fault) << "\n";
        }
    }
}

/// What a table of points tells of each.
struct Columns
{
    bool hasCost;            ///< cost, and its product with the time
    bool hasEqual;           ///< speed-up over equal bandwidths
    bool isChanged;          ///< how good the design itself is there
    std::size_t nDimensions; ///< most bandwidths
    DesignUnits units;       ///< of times and costs

    /// @param title of the first column @return all headings
    std::vector<std::string> GetHeadings(const std::string& title) const
    {
        std::vector<std::string> headings{title, units.GetTimeHeading(units.GetTimeName())};
        if (hasCost)
        {
            headings.push_back(units.GetCostHeading("cost"));
            headings.push_back("product " + units.GetProductUnit());
        }
        if (hasEqual)
        {
            headings.push_back("speed-up over equal");
        }
        if (isChanged)
        {
            headings.push_back("design loses %");
        }
        for (std::size_t d = 0; d < nDimensions; ++d)
        {
            headings.push_back("b" + std::to_string(d + 1));
        }
        return headings;
    }

    /// @param point a point with bandwidths @return its cells
    std::vector<std::string> GetCells(const DesignPoint& point) const
    {
        const double time = point.time / units.GetTime();
        const double cost = point.cost / units.GetCost();
        std::vector<std::string> cells{point.name, FormatFixed(time, DIGITS)};
        if (hasCost)
        {
            cells.push_back(FormatFixed(cost, DIGITS));
            cells.push_back(FormatFixed(time * cost, DIGITS));
        }
        if (hasEqual)
        {
            cells.push_back(FormatFixed(point.equalTime / point.time, 3));
        }
        if (isChanged)
        {
            cells.push_back(FormatFixed(100 * std::max(point.kept / point.value - 1, 0.0), 3));
        }
        for (std::size_t d = 0; d < nDimensions; ++d)
        {
            cells.push_back(d < point.bandwidths.size() ? FormatSmall(point.bandwidths[d], 2) : "");
        }
        return cells;
    }
};

/// @param os receives points, a line each, then those without bandwidths with the reason @param
/// title of the table @param points some @param report the answer
void
PrintPoints(std::ostream& os,
            const std::string& title,
            const std::vector<DesignPoint>& points,
            const DesignReport& report)
{
    if (points.empty())
    {
        return;
    }
    const auto has = [&](double DesignPoint::* value) {
        return std::any_of(points.begin(), points.end(), [value](const auto& point) {
            return point.*value > 0;
        });
    };
    const Columns columns{report.config.HasPrices(),
                          has(&DesignPoint::equalTime),
                          has(&DesignPoint::kept),
                          GetNDimensions(points),
                          DesignUnits(report)};
    ReportTable table(columns.GetHeadings(title), 1);
    for (const auto& point : points)
    {
        if (point.fault.empty())
        {
            table.AddRow(columns.GetCells(point));
        }
    }
    os << "\n";
    table.Print(os);
    PrintFaults(os, points);
}

/// @param os receives times of several workloads @param report the answer
void
PrintWorkloads(std::ostream& os, const DesignReport& report)
{
    const auto& workloads = report.config.workloads;
    if (workloads.size() < 2)
    {
        return;
    }
    constexpr double NS_PER_MS = 1e6;
    ReportTable times({"time ms", "weight", "equal", "given", "designed", "alone"}, 1);
    for (std::size_t i = 0; i < workloads.size(); ++i)
    {
        const auto get = [&](std::size_t network) {
            return network < report.networks.size()
                       ? FormatSmall(report.networks[network].times[i] / NS_PER_MS, DIGITS)
                       : "-";
        };
        times.AddRow({workloads[i].name,
                      FormatFixed(workloads[i].weight, 3),
                      get(1),
                      get(2),
                      get(0),
                      FormatSmall(report.leastTimes[i] / NS_PER_MS, DIGITS)});
    }
    os << "\n";
    times.Print(os);
    std::vector<std::string> headings{"slowdown with the network of"};
    for (const auto& workload : workloads)
    {
        headings.push_back(workload.name);
    }
    headings.emplace_back("worst");
    ReportTable slowdowns(headings, 1);
    for (const auto& point : report.workloads)
    {
        std::vector<std::string> cells{point.name};
        double worst = 0;
        for (std::size_t i = 0; i < workloads.size(); ++i)
        {
            const double slowdown =
                point.fault.empty() ? point.times[i] / report.leastTimes[i] : NAN;
            worst = slowdown > worst || std::isnan(slowdown) ? slowdown : worst;
            cells.push_back(FormatFixed(slowdown, DIGITS));
        }
        cells.push_back(FormatFixed(worst, DIGITS));
        slowdowns.AddRow(cells);
    }
    os << "\n";
    slowdowns.Print(os);
    PrintFaults(os, report.workloads);
}

} // namespace

void
PrintDesignVariants(std::ostream& os, const DesignReport& report)
{
    PrintWorkloads(os, report);
    PrintPoints(os, "choice", report.choices, report);
    PrintPoints(os, "sweep", report.sweep, report);
    PrintPoints(os, "time over least", report.pareto, report);
    PrintPoints(os, "if", report.sensitivity, report);
}

} // namespace mlcluster
} // namespace ns3
