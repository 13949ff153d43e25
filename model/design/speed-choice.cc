/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "speed-choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Relation = LinearConstraint::Relation;

constexpr double REACHED = 1e-8; ///< of a speed: a bandwidth nearer to it than that has it

/// @param speeds per dimension, in order @param bandwidths per dimension
/// @return the dimension that is farthest from its speeds; none if all have one
std::optional<std::size_t>
FindSplit(const std::vector<std::vector<double>>& speeds, const std::vector<double>& bandwidths)
{
    std::optional<std::size_t> farthest;
    double most = REACHED;
    for (std::size_t d = 0; d < bandwidths.size(); ++d)
    {
        double nearest = speeds[d].empty() ? 0 : std::numeric_limits<double>::infinity();
        for (const double speed : speeds[d])
        {
            nearest = std::min(nearest, std::abs(speed - bandwidths[d]) / std::max(speed, 1e-9));
        }
        if (nearest > most)
        {
            farthest = d;
            most = nearest;
        }
    }
    return farthest;
}

/// @param size number of dimensions @param dimension one @param relation to the
/// value @param value GB/s @return the constraint on that bandwidth
LinearConstraint
MakeLimit(std::size_t size, std::size_t dimension, Relation relation, double value)
{
    LinearConstraint limit;
    limit.coefficients.resize(size);
    limit.coefficients[dimension] = 1;
    limit.relation = relation;
    limit.value = value;
    limit.text = "the speeds of b" + std::to_string(dimension + 1);
    return limit;
}

} // namespace

SpeedChoice::SpeedChoice(const BandwidthProblem& problem)
    : m_problem(problem),
      m_speeds(problem.speeds)
{
    for (auto& list : m_speeds)
    {
        std::sort(list.begin(), list.end());
    }
    m_best.value = m_best.bound = std::numeric_limits<double>::infinity();
}

BandwidthSolution
SpeedChoice::Solve()
{
    BandwidthProblem limited = m_problem;
    limited.speeds.clear();
    for (std::size_t d = 0; d < m_speeds.size(); ++d)
    {
        const auto& list = m_speeds[d];
        if (!list.empty())
        {
            limited.constraints.push_back(
                MakeLimit(m_speeds.size(), d, Relation::AtLeast, list.front()));
            limited.constraints.push_back(
                MakeLimit(m_speeds.size(), d, Relation::AtMost, list.back()));
        }
    }
    Branch(limited, BandwidthSolver::Solve(limited).bound);
    if (m_best.bandwidths.empty())
    {
        throw InputError("no choice of the speeds given meets the constraints, though bandwidths "
                         "between them do");
    }
    Snap();
    return m_best;
}

void
SpeedChoice::Branch(const BandwidthProblem& problem, double above)
{
    constexpr double WORSE = 1e-9;
    constexpr uint32_t MOST_SOLVES = 100000;
    BandwidthSolution solution;
    solution.bound = above;
    if (m_best.nSolves < MOST_SOLVES)
    {
        try
        {
            solution = BandwidthSolver::Solve(problem);
        }
        catch (const InputError&)
        {
            return; // no bandwidths are within these limits
        }
        m_best.nSolves += solution.nSolves;
    }
    const double threshold = m_best.value * (1 - WORSE);
    const auto split = FindSplit(m_speeds, solution.bandwidths);
    if (solution.bandwidths.empty() || solution.bound >= threshold || !split)
    {
        m_best.bound = std::min(m_best.bound, solution.bound);
        if (!solution.bandwidths.empty() && !split && solution.value < m_best.value)
        {
            solution.bound = m_best.bound;
            solution.nSolves = m_best.nSolves;
            m_best = solution;
        }
        return;
    }
    const auto& list = m_speeds[*split];
    const double bandwidth = solution.bandwidths[*split];
    const auto next = std::upper_bound(list.begin(), list.end(), bandwidth);
    const bool isUpFirst = *next - bandwidth < bandwidth - *(next - 1);
    for (const bool isUp : {isUpFirst, !isUpFirst})
    {
        BandwidthProblem part = problem;
        part.constraints.push_back(MakeLimit(m_speeds.size(),
                                             *split,
                                             isUp ? Relation::AtLeast : Relation::AtMost,
                                             isUp ? *next : *(next - 1)));
        Branch(part, solution.bound);
    }
}

void
SpeedChoice::Snap()
{
    for (std::size_t d = 0; d < m_speeds.size(); ++d)
    {
        double& bandwidth = m_best.bandwidths[d];
        for (const double speed : m_speeds[d])
        {
            bandwidth = std::abs(speed - bandwidth) <= REACHED * speed ? speed : bandwidth;
        }
    }
    m_best.time = m_problem.time.Evaluate(m_best.bandwidths).total;
    m_best.cost = m_problem.GetCost(m_best.bandwidths);
    m_best.value = m_problem.GetValue(m_best.bandwidths);
    m_best.bound = std::min(m_best.bound, m_best.value);
    m_best.shadowPrices.clear();
    m_best.targetPrice = 0;
}

} // namespace mlcluster
} // namespace ns3
