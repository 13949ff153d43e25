/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-model.h"

#include "design-workload.h"

#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/quantity.h"
#include "ns3/small-matrix.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Combination = WorkloadDesign::Combination;
using Objective = BandwidthProblem::Objective;

} // namespace

DesignModel::DesignModel(const DesignConfig& config, int argc, char* argv[])
    : m_config(config)
{
    Diagnostics diagnostics;
    bool hasTraffic = false;
    for (const auto& workload : m_config.workloads)
    {
        Config::Reset();
        ApplyAttributes(workload.experiment, argc, argv);
        DesignWorkload loaded = LoadDesignWorkload(workload.experiment, config.parts);
        TimeExpression time(m_config.network.dimensions.size());
        loaded.time->Evaluate(std::vector<double>(time.GetNDimensions(), 1)); // finds a path
        time.Add(loaded.time->Make(time));
        m_hasTraffic.push_back(!time.GetUsed().GetShapes().empty());
        hasTraffic = hasTraffic || (m_hasTraffic.back() && workload.weight > 0);
        m_steps.push_back(loaded.time);
        if (!m_hasTraffic.back() && GetLeastTime(config, m_steps.size() - 1) == 0)
        {
            diagnostics.Error({m_config.file, 0, "workload"},
                              loaded.description + " takes no time and sends nothing");
        }
        m_descriptions.push_back(loaded.description);
    }
    if (!hasTraffic)
    {
        diagnostics.Error({m_config.file, 0, "workload"},
                          std::string("no collective") +
                              (m_steps.size() > 1 ? " of a workload with a weight above 0" : "") +
                              " sends anything, so that bandwidths change nothing");
    }
    diagnostics.ThrowIfErrors();
}

const DesignConfig&
DesignModel::GetConfig() const
{
    return m_config;
}

const std::string&
DesignModel::Describe(std::size_t workload) const
{
    return m_descriptions[workload];
}

BandwidthSolution
DesignModel::Solve(const DesignConfig& variant) const
{
    return Solve(variant, MakeDesign(variant));
}

BandwidthSolution
DesignModel::Solve(const DesignConfig& variant, const WorkloadDesign& design) const
{
    Diagnostics diagnostics;
    BandwidthSolution solution;
    diagnostics.Collect(variant.place, [&] { solution = design.Solve(variant.MakeProblem()); });
    diagnostics.ThrowIfErrors();
    return solution;
}

double
DesignModel::GetLeastTime(const DesignConfig& variant, std::size_t workload) const
{
    std::string key = std::to_string(workload);
    for (const double price : variant.GetCosts().prices)
    {
        key += " " + FormatNumber(price);
    }
    for (const auto& constraint : variant.constraints)
    {
        key += "; " + constraint.text;
    }
    const auto known = m_leastTimes.find(key);
    if (known != m_leastTimes.end())
    {
        return known->second;
    }
    if (!m_hasTraffic[workload])
    {
        const std::vector<double> any(m_config.network.dimensions.size(), 1);
        return m_steps[workload]->Evaluate(any);
    }
    DesignConfig fastest = variant;
    fastest.objective = Objective::Time;
    fastest.target.reset();
    const double time = Solve(fastest, WorkloadDesign({{m_steps[workload], 1}})).time;
    m_leastTimes.emplace(key, time);
    return time;
}

WorkloadDesign
DesignModel::MakeDesign(const DesignConfig& variant) const
{
    std::vector<WorkloadDesign::Step> steps;
    for (std::size_t i = 0; i < m_steps.size(); ++i)
    {
        const double weight = variant.workloads[i].weight;
        const bool isWorst = variant.combination == Combination::Worst;
        const double least = weight > 0 && isWorst ? GetLeastTime(variant, i) : 1;
        if (weight > 0 && least > 0) // what takes no time cannot be slowed down
        {
            steps.push_back({m_steps[i], isWorst ? 1 / least : weight});
        }
    }
    return WorkloadDesign(steps, variant.combination);
}

DesignPoint
DesignModel::Evaluate(const DesignConfig& variant, const std::vector<double>& bandwidths) const
{
    DesignPoint point;
    const auto costs = variant.GetCosts();
    point.bandwidths = bandwidths;
    point.time = MakeDesign(variant).Evaluate(bandwidths);
    point.cost = costs.fixedCost + Dot(costs.prices, bandwidths);
    point.value = BandwidthProblem::GetValue(variant.objective, point.time, point.cost);
    for (const auto& step : m_steps)
    {
        point.times.push_back(step->Evaluate(bandwidths));
    }
    for (const auto& constraint : variant.MakeProblem().constraints)
    {
        constexpr double ROUNDING = 1e-9;
        if (constraint.GetExcess(bandwidths) > ROUNDING * constraint.GetSize(bandwidths))
        {
            point.unmet.push_back(constraint.text);
        }
    }
    for (std::size_t d = 0; d < variant.speeds.size(); ++d)
    {
        const auto& speeds = variant.speeds[d];
        if (!speeds.empty() &&
            std::find(speeds.begin(), speeds.end(), bandwidths[d]) == speeds.end())
        {
            point.unmet.push_back("speeds of b" + std::to_string(d + 1));
        }
    }
    return point;
}

TimeExpression
DesignModel::GetKnown(const DesignConfig& variant) const
{
    return MakeDesign(variant).GetKnown(m_config.network.dimensions.size());
}

} // namespace mlcluster
} // namespace ns3
