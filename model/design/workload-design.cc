/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-design.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

WorkloadDesign::WorkloadDesign(std::vector<Step> steps, Combination combination)
    : m_steps(std::move(steps)),
      m_combination(combination)
{
}

TimeExpression
WorkloadDesign::GetKnown(std::size_t nDimensions) const
{
    TimeExpression time(nDimensions);
    std::vector<TimeExpression::Sum> branches;
    for (const Step& step : m_steps)
    {
        branches.push_back(TimeExpression::Sum().Add(step.time->Make(time), step.weight));
    }
    if (m_combination == Combination::Worst)
    {
        time.Add(time.MakeMaximum(branches));
        return time;
    }
    for (const auto& branch : branches)
    {
        time.Add(branch);
    }
    return time;
}

double
WorkloadDesign::Evaluate(const std::vector<double>& bandwidths) const
{
    double time = 0;
    for (const Step& step : m_steps)
    {
        const double part = step.weight * step.time->Evaluate(bandwidths);
        time = m_combination == Combination::Worst ? std::max(time, part) : time + part;
    }
    return time;
}

BandwidthSolution
WorkloadDesign::Solve(BandwidthProblem problem) const
{
    constexpr double CLOSED = 1e-7; // as BandwidthSolver
    constexpr double TIMELY = 2e-7; // what is whole and meets the target as it is known is timely
    constexpr uint32_t MOST_ROUNDS = 200;
    const std::size_t size = problem.prices.size();
    Evaluate(std::vector<double>(size, 1));
    BandwidthSolution best;
    uint32_t nSolves = 0;
    double bound = 0;
    for (uint32_t round = 0; round < MOST_ROUNDS; ++round)
    {
        problem.time = GetKnown(size);
        BandwidthSolution solution = BandwidthSolver::Solve(problem);
        nSolves += solution.nSolves;
        bound = std::max(bound, solution.bound);
        const double known = solution.time;
        solution.time = Evaluate(solution.bandwidths);
        const bool isTimely = !problem.target || solution.time <= *problem.target * (1 + TIMELY);
        solution.value =
            BandwidthProblem::GetValue(problem.objective, solution.time, solution.cost);
        if (isTimely && (best.bandwidths.empty() || solution.value < best.value))
        {
            best = solution;
        }
        const bool isWhole = solution.time <= known * (1 + CLOSED);
        if (isWhole || (!best.bandwidths.empty() && bound >= best.value * (1 - CLOSED)))
        {
            break;
        }
    }
    if (best.bandwidths.empty())
    {
        throw InputError("after " + std::to_string(MOST_ROUNDS) +
                         " rounds no bandwidths are found that reach the time target of " +
                         FormatNumber(*problem.target) + " ns; a later target may be reached");
    }
    best.bound = std::min(bound, best.value);
    best.nSolves = nSolves;
    return best;
}

} // namespace mlcluster
} // namespace ns3
