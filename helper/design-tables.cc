/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-tables.h"

#include "design-units.h"
#include "module-version.h"

#include "ns3/critical-traffic.h"
#include "ns3/quantity.h"
#include "ns3/report-table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Combination = WorkloadDesign::Combination;
using Objective = BandwidthProblem::Objective;

constexpr double BYTES_PER_MB = 1e6;
constexpr double BITS_PER_GIGABYTE = 8e9;
constexpr double LITTLE = 1e-7; // of the objective: a smaller change is within the proof's gap
constexpr int DIGITS = 4;

/// @param dimension index @return "b1", ...
std::string
GetName(std::size_t dimension)
{
    return "b" + std::to_string(dimension + 1);
}

/// @param headings before those of bandwidths @param size number of dimensions @param after behind
/// them @return all
std::vector<std::string>
AddDimensions(std::vector<std::string> headings,
              std::size_t size,
              const std::vector<std::string>& after = {})
{
    for (std::size_t d = 0; d < size; ++d)
    {
        headings.push_back(GetName(d));
    }
    headings.insert(headings.end(), after.begin(), after.end());
    return headings;
}

/// @param os receives what was asked @param report the answer
void
PrintQuestion(std::ostream& os, const DesignReport& report)
{
    const DesignConfig& config = report.config;
    const DesignUnits units(report);
    const ClusterTopology topology(config.workloads[0].experiment.dimensions);
    os << "ml-cluster " << GetModuleVersion() << ", ns-3 " << GetNs3Version() << "\n"
       << "design      " << config.file << ": least " << units.GetObjective();
    if (config.target)
    {
        os << ", within " << units.FormatTime(*config.target);
    }
    os << "\ntopology    " << topology.GetNotation() << ", " << topology.GetNRanks()
       << " NPUs; groups with a part of a block have "
       << (config.parts == PartBandwidth::All ? "all of its bandwidth, as in LIBRA's model"
                                              : "that of the links between their members")
       << " (bandwidth-of-parts)\n";
    for (std::size_t i = 0; i < config.workloads.size(); ++i)
    {
        os << (i == 0 ? "workload    " : "            ");
        if (config.workloads.size() > 1)
        {
            os << config.workloads[i].name << ", weight "
               << FormatNumber(config.workloads[i].weight) << ": ";
        }
        os << report.descriptions[i] << "\n";
    }
    if (!report.choice.empty())
    {
        os << "chosen      " << report.choice << "\n";
    }
}

/// @param os receives the collectives of a step @param report the answer @param traffic there
void
PrintTraffic(std::ostream& os, const DesignReport& report, const CriticalTraffic& traffic)
{
    const DesignUnits units(report);
    const auto& shapes = report.problem.time.GetShapes();
    const auto& bandwidths = report.solution.bandwidths;
    ReportTable table(AddDimensions({"MB per NPU"},
                                    bandwidths.size(),
                                    {units.GetTimeHeading("time"), "waits for"}),
                      1);
    std::size_t nShown = 0;
    for (std::size_t k = 0; k < shapes.size(); ++k)
    {
        if (traffic.weights[k] == 0)
        {
            continue;
        }
        constexpr double EQUAL = 1e-6;
        std::vector<std::string> cells{"traffic " + std::to_string(++nShown)};
        std::string waits;
        for (std::size_t d = 0; d < bandwidths.size(); ++d)
        {
            const double bytes = traffic.weights[k] * shapes[k][d];
            cells.push_back(FormatFixed(bytes / BYTES_PER_MB, 3));
            const bool isLongest =
                bytes > 0 && bytes / bandwidths[d] > (1 - EQUAL) * traffic.times[k];
            waits += isLongest ? (waits.empty() ? "" : " ") + GetName(d) : "";
        }
        cells.push_back(FormatFixed(traffic.times[k] / units.GetTime(), DIGITS));
        cells.push_back(waits);
        table.AddRow(cells);
    }
    os << "\n";
    table.Print(os);
}

/// @param os receives the bandwidths @param report the answer @param traffic there
void
PrintBandwidths(std::ostream& os, const DesignReport& report, const CriticalTraffic& traffic)
{
    const DesignUnits units(report);
    const auto& solution = report.solution;
    const auto& shares = solution.timeShares;
    const double most = shares.empty() ? 0 : *std::max_element(shares.begin(), shares.end());
    ReportTable table({"dimension",
                       "block",
                       "tier",
                       "GB/s",
                       units.GetCostHeading("cost"),
                       "of cost %",
                       units.GetTimeHeading("waited for"),
                       "used %",
                       "bottleneck"},
                      3);
    for (std::size_t d = 0; d < solution.bandwidths.size(); ++d)
    {
        const auto& dimension = report.config.network.dimensions[d];
        const double cost = report.problem.prices[d] * solution.bandwidths[d];
        const bool isMost = !shares.empty() && most > 0 && shares[d] == most;
        table.AddRow({GetName(d),
                      ToString(dimension.block) + "(" + std::to_string(dimension.size) + ")",
                      dimension.tier.empty() ? "-" : dimension.tier,
                      FormatSmall(solution.bandwidths[d], DIGITS),
                      report.config.HasPrices() ? FormatFixed(cost / units.GetCost(), DIGITS) : "-",
                      report.config.HasPrices() ? FormatFixed(100 * cost / solution.cost, 2) : "-",
                      shares.empty() ? "-" : FormatFixed(shares[d] / units.GetTime(), DIGITS),
                      FormatFixed(100 * traffic.shares[d], 1),
                      isMost ? "yes" : ""});
    }
    os << "\n";
    table.Print(os);
    os << "\n"
       << units.GetTimeName() << " " << units.FormatTime(solution.time) << ": "
       << FormatFixed(traffic.constant / units.GetTime(), DIGITS) << " without collectives, "
       << FormatFixed(traffic.communication / units.GetTime(), DIGITS) << " with them\n";
    if (report.config.HasPrices())
    {
        os << "cost " << units.FormatCost(solution.cost) << "\nproduct "
           << FormatFixed(solution.time / units.GetTime() * solution.cost / units.GetCost(), DIGITS)
           << " " << units.GetProductUnit() << "\n";
    }
    char gap[16];
    std::snprintf(gap, sizeof(gap), "%.1e", std::max(solution.GetGap(), 0.0));
    os << "proof: no bandwidths have less than " << units.FormatValue(solution.bound) << "; gap "
       << gap << ", convex problems solved: " << solution.nSolves << "\n";
}

/// @param constraint one @param units of the design @return what more room for it means
std::string
DescribeMore(const LinearConstraint& constraint, const DesignUnits& units)
{
    const bool isCost = constraint.text.find("cost") != std::string::npos;
    const std::string unit = isCost ? units.GetCostHeading("1") : "1 GB/s";
    const bool isEqual = constraint.relation == LinearConstraint::Relation::Equal;
    const bool isSum = std::all_of(constraint.coefficients.begin(),
                                   constraint.coefficients.end(),
                                   [](double c) { return c >= 0; });
    return unit + (!isEqual ? " more room" : isSum ? " more" : " more on the right");
}

/// @param os receives the constraints with their shadow prices @param report the answer
void
PrintConstraints(std::ostream& os, const DesignReport& report)
{
    const DesignUnits units(report);
    const auto& solution = report.solution;
    if (solution.shadowPrices.empty() && !report.config.target)
    {
        return;
    }
    ReportTable table({"constraint", "with", units.GetObjective()}, 3);
    for (std::size_t i = 0; i < solution.shadowPrices.size(); ++i)
    {
        const LinearConstraint& constraint = report.problem.constraints[i];
        const bool isTurned = constraint.relation == LinearConstraint::Relation::AtLeast;
        const bool isCost = constraint.text.find("cost") != std::string::npos;
        const double change =
            solution.shadowPrices[i] * (isTurned ? -1 : 1) * (isCost ? units.GetCost() : 1);
        const bool isNothing = std::abs(change) <= LITTLE * solution.value;
        table.AddRow({constraint.text,
                      DescribeMore(constraint, units),
                      isNothing ? "stays" : units.FormatChange(change)});
    }
    if (report.config.target)
    {
        table.AddRow({"time-target = " + units.FormatTime(*report.config.target),
                      "1 % more",
                      units.FormatChange(solution.targetPrice * *report.config.target / 100)});
    }
    os << "\n";
    table.Print(os);
}

/// @param os receives networks beside the answer @param report the answer
void
PrintNetworks(std::ostream& os, const DesignReport& report)
{
    const DesignUnits units(report);
    const bool hasPrices = report.config.HasPrices();
    const auto& equal = report.networks[1];
    ReportTable table({"network",
                       "constraints not met",
                       "total GB/s",
                       units.GetTimeHeading(units.GetTimeName()),
                       "speed-up over equal",
                       units.GetCostHeading("cost"),
                       "performance per cost over equal"},
                      2);
    for (const auto& point : report.networks)
    {
        const auto& b = point.bandwidths;
        const double speedUp = equal.time / point.time;
        table.AddRow({point.name,
                      point.unmet.empty() ? "-" : JoinWords(point.unmet),
                      FormatFixed(std::accumulate(b.begin(), b.end(), 0.0), 2),
                      FormatFixed(point.time / units.GetTime(), DIGITS),
                      FormatFixed(speedUp, 3),
                      hasPrices ? FormatFixed(point.cost / units.GetCost(), DIGITS) : "-",
                      hasPrices ? FormatFixed(speedUp * equal.cost / point.cost, 4) : "-"});
    }
    os << "\n";
    table.Print(os);
    if (report.networks.size() > 2)
    {
        const double speedUp = report.networks[2].time / report.networks[0].time;
        os << "over the given network: speed-up " << FormatFixed(speedUp, 3);
        if (hasPrices)
        {
            os << ", per cost "
               << FormatFixed(speedUp * report.networks[2].cost / report.networks[0].cost, 4);
        }
        os << "\n";
    }
}

/// @param config a design @param bandwidths per dimension, GB/s @return as the file has them, such
/// as "[4000Gbps, 390551181102bps]"
std::string
FormatBandwidths(const DesignConfig& config, const std::vector<double>& bandwidths)
{
    std::vector<std::string> words;
    for (std::size_t d = 0; d < bandwidths.size(); ++d)
    {
        auto bits = static_cast<uint64_t>(std::llround(bandwidths[d] * BITS_PER_GIGABYTE));
        if (config.bandwidthKey == "cluster.link-bandwidth")
        {
            TopologyDimension dimension = config.workloads.front().experiment.dimensions[d];
            dimension.SetMemberBitRate(bits);
            bits = dimension.linkBitRate;
        }
        words.push_back(FormatBitRate(std::max<uint64_t>(bits, 1)));
    }
    return "[" + JoinWords(words) + "]";
}

} // namespace

void
PrintDesign(std::ostream& os, const DesignReport& report)
{
    const CriticalTraffic traffic(report.problem.time, report.solution.bandwidths);
    PrintQuestion(os, report);
    if (report.config.combination == Combination::Sum)
    {
        PrintTraffic(os, report, traffic);
    }
    PrintBandwidths(os, report, traffic);
    PrintConstraints(os, report);
    PrintNetworks(os, report);
}

void
PrintDesignUse(std::ostream& os, const DesignReport& report)
{
    const DesignConfig& config = report.config;
    const auto& workload = config.workloads.front();
    const std::string bandwidths = FormatBandwidths(config, report.solution.bandwidths);
    os << "\n"
       << config.bandwidthKey << ": " << bandwidths
       << "\n\nml-cluster-compare --config=" << config.file;
    for (const auto& override : workload.overrides)
    {
        const std::string& key = override.place.key;
        if (key.rfind("design.", 0) != 0 && key != config.bandwidthKey)
        {
            os << " '--set=" << key << "=" << override.value << "'";
        }
    }
    os << " '--set=" << config.bandwidthKey << "=" << bandwidths << "'\n";
}

} // namespace mlcluster
} // namespace ns3
