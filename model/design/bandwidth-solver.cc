/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-solver.h"

#include "pareto-tangents.h"
#include "product-bound.h"
#include "small-matrix.h"
#include "speed-choice.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Objective = BandwidthProblem::Objective;

/// @param dimension index @return "b1", ...
std::string
GetName(std::size_t dimension)
{
    return "b" + std::to_string(dimension + 1);
}

/// @param ns a time @return it with its unit
std::string
FormatTime(double ns)
{
    constexpr double MOST = 1e15; // which picoseconds can count
    constexpr double PS_PER_NS = 1e3;
    return ns < MOST ? FormatPicoseconds(std::llround(ns * PS_PER_NS)) : FormatNumber(ns) + " ns";
}

} // namespace

double
BandwidthSolution::GetGap() const
{
    return value > 0 ? (value - bound) / value : 0;
}

BandwidthSolver::BandwidthSolver(const BandwidthProblem& problem)
    : m_problem(problem),
      m_region(problem.time.GetNDimensions(), problem.constraints),
      m_descent(problem.time, problem.prices, m_region)
{
    m_solution.value = std::numeric_limits<double>::infinity();
    m_solution.shadowPrices.resize(problem.constraints.size());
}

BandwidthSolution
BandwidthSolver::Solve(const BandwidthProblem& problem)
{
    BandwidthProblem used = problem;
    used.time = problem.time.GetUsed();
    Diagnostics diagnostics;
    used.Check(diagnostics);
    diagnostics.ThrowIfErrors();
    const bool isAny = std::all_of(used.speeds.begin(), used.speeds.end(), [](const auto& list) {
        return list.empty();
    });
    return isAny ? BandwidthSolver(used).SolveAny() : SpeedChoice(used).Solve();
}

BandwidthSolution
BandwidthSolver::SolveAny()
{
    CheckBounded();
    if (m_problem.objective == Objective::TimeTimesCost)
    {
        MinimiseProduct();
    }
    else
    {
        const bool isCost = m_problem.objective == Objective::Cost;
        const auto result = Minimise(isCost ? 0 : 1, isCost ? 1 : 0);
        m_solution.bound = result.bound + (isCost ? m_problem.fixedCost : 0);
        SetPrices(result, 1);
    }
    m_solution.bound = std::min(m_solution.bound, m_solution.value);
    return m_solution;
}

void
BandwidthSolver::CheckBounded() const
{
    const auto involved = m_problem.time.GetInvolved();
    m_region.CheckOpen(involved, m_problem.constraints);
    const bool isTime = m_problem.objective == Objective::Time;
    const std::vector<double> unlimited(involved.size(), std::numeric_limits<double>::infinity());
    const bool hasNoScale = m_problem.objective == Objective::TimeTimesCost &&
                            m_problem.fixedCost == 0 &&
                            m_problem.time.Evaluate(unlimited).total == 0;
    for (std::size_t d = 0; d < involved.size(); ++d)
    {
        if ((isTime || hasNoScale) && std::isinf(m_region.GetMost()[d]))
        {
            throw InputError(
                "nothing limits " + GetName(d) +
                (isTime ? ": more bandwidth is always faster"
                        : ": with neither compute time nor fixed cost, time times cost "
                          "stays the same when all bandwidths grow together") +
                ". Needed is a total, a cost budget or a bound (" + GetName(d) + " <= ...)");
        }
    }
    const std::vector<double> none(involved.size());
    const bool isAtZero =
        std::all_of(m_problem.constraints.begin(),
                    m_problem.constraints.end(),
                    [&](const auto& constraint) { return constraint.GetExcess(none) == 0; });
    if (m_problem.objective == Objective::TimeTimesCost && isAtZero && !m_problem.target &&
        m_problem.fixedCost == 0)
    {
        throw InputError("time times cost falls for ever as all bandwidths shrink together, and "
                         "no "
                         "constraint keeps them up. Needed is a floor: a total that must be met "
                         "(total = ...), lower bounds (b1 >= ...) or a time target");
    }
}

BandwidthDescent::Result
BandwidthSolver::Minimise(double time, double cost)
{
    ++m_solution.nSolves;
    const auto result = m_descent.Minimise({time, cost, m_problem.target});
    if (!result)
    {
        BandwidthProblem fastest = m_problem;
        fastest.objective = Objective::Time;
        fastest.target.reset();
        const auto& most = m_region.GetMost();
        const bool isBounded = std::all_of(most.begin(), most.end(), [](double bandwidth) {
            return std::isfinite(bandwidth);
        });
        const double least = isBounded ? BandwidthSolver(fastest).SolveAny().bound
                                       : m_problem.time.Evaluate(most).total;
        throw InputError("no bandwidths that meet the constraints reach the time target of " +
                         FormatTime(*m_problem.target) + "; the time cannot fall below " +
                         FormatTime(least));
    }
    Take(result->bandwidths);
    return *result;
}

BandwidthDescent::Result
BandwidthSolver::AddTangent(ParetoTangents& tangents, double slope)
{
    const auto result = Minimise(1, slope);
    tangents.Add(slope, result.bound + slope * m_problem.fixedCost);
    return result;
}

double
BandwidthSolver::FindTangent(ParetoTangents& tangents, double& bound)
{
    constexpr int MOST_STEPS = 30;

    struct End
    {
        double at;     // logarithm of a slope
        double excess; // of T / C there
    };

    constexpr double FOUND = 1e-9;
    constexpr double LITTLE = 0.01; // a smaller step is not worth it
    const ProductBound product(m_problem, m_region);
    const auto getExcess = [&](double logarithm) {
        const double slope = std::exp(logarithm);
        const auto result = AddTangent(tangents, slope);
        bound = std::max(bound, product.Get(result, slope, m_solution.value));
        return std::log(m_problem.time.Evaluate(result.bandwidths).total /
                        m_problem.GetCost(result.bandwidths)) -
               logarithm;
    };
    const auto& start = m_region.GetInterior();
    double last = std::log(m_problem.time.Evaluate(start).total / m_problem.GetCost(start));
    double excess = getExcess(last);
    End low{last, excess};
    End high{last, excess};
    double stride = std::abs(excess);
    for (int i = 0; i < MOST_STEPS && std::abs(excess) > FOUND; ++i)
    {
        const bool isBetween = low.excess > 0 && high.excess < 0;
        const End& wide = low.excess > -high.excess ? low : high;
        if (!isBetween)
        {
            stride = std::max(2 * stride, 0.5);
            last += std::copysign(stride, excess);
        }
        else
        {
            last = i % 2 == 0
                       ? wide.at + wide.excess
                       : (low.at * high.excess - high.at * low.excess) / (high.excess - low.excess);
            const double margin = LITTLE * (high.at - low.at);
            const bool isMove = i % 2 == 0 ? last > low.at && last < high.at
                                           : last > low.at + margin && last < high.at - margin;
            last = isMove ? last : (low.at + high.at) / 2;
        }
        excess = getExcess(last);
        const bool isFirstSide = !isBetween && excess * low.excess > 0;
        low = isFirstSide || excess > 0 ? End{last, excess} : low;
        high = isFirstSide || excess < 0 ? End{last, excess} : high;
    }
    return std::exp(last);
}

void
BandwidthSolver::MinimiseProduct()
{
    constexpr uint32_t MOST_SOLVES = 400;
    constexpr double CLOSED = 1e-7;
    constexpr double BESIDE = 1e-4; // a corner so near leaves about its square of the product
    double leastCost = m_problem.GetCost(*m_region.Minimise(m_problem.prices));
    if (m_problem.target)
    {
        leastCost = std::max(leastCost, Minimise(0, 1).bound + m_problem.fixedCost);
    }
    ParetoTangents tangents(m_problem.time.Evaluate(m_region.GetMost()).total, leastCost);
    double bound = 0;
    const double best = FindTangent(tangents, bound);
    double lastBound = 0;
    for (uint32_t i = 0; bound < m_solution.value * (1 - CLOSED); ++i)
    {
        const auto corner = tangents.GetLowest();
        bound = std::max(bound, corner.time * corner.cost);
        const bool isRising = i < 3 || corner.time * corner.cost > lastBound;
        lastBound = corner.time * corner.cost;
        if (!isRising || m_solution.nSolves >= MOST_SOLVES)
        {
            break;
        }
        AddTangent(tangents,
                   i == 0   ? best * (1 + BESIDE)
                   : i == 1 ? best / (1 + BESIDE)
                            : corner.time / corner.cost);
    }
    m_solution.bound = bound;
    SetPrices(Minimise(1, m_solution.time / m_solution.cost), m_solution.cost);
}

void
BandwidthSolver::SetPrices(const BandwidthDescent::Result& result, double scale)
{
    std::fill(m_solution.shadowPrices.begin(), m_solution.shadowPrices.end(), 0);
    std::size_t i = 0;
    for (const auto* rows : {&m_region.GetInequalities(), &m_region.GetEquations()})
    {
        for (const auto& row : *rows)
        {
            if (row.constraint < m_solution.shadowPrices.size())
            {
                m_solution.shadowPrices[row.constraint] = -row.sign * result.factors[i] * scale;
            }
            ++i;
        }
    }
    m_solution.targetPrice = -result.targetFactor * scale;
    m_solution.timeShares = result.bytes;
    const double weight =
        (m_problem.objective == Objective::Cost ? 0 : 1) + result.targetFactor; // of the time
    for (std::size_t d = 0; d < result.bytes.size(); ++d)
    {
        m_solution.timeShares[d] =
            result.bytes[d] > 0 ? result.bytes[d] / weight / m_solution.bandwidths[d] : 0;
    }
}

std::vector<double>
BandwidthSolver::Settle(const std::vector<double>& bandwidths) const
{
    constexpr double PREFERENCE = 1e-10; // of a price: less than prices differ by, to break ties
    const std::size_t size = bandwidths.size();
    const auto& shapes = m_problem.time.GetShapes();
    const auto times = m_problem.time.Evaluate(bandwidths).collectives;
    std::vector<double> factors;
    std::vector<LinearConstraint> floors;
    for (std::size_t d = 0; d < size; ++d)
    {
        double floor = 0;
        for (std::size_t k = 0; k < shapes.size(); ++k)
        {
            floor = std::max(floor, shapes[k][d] / times[k]);
        }
        LinearConstraint limit;
        limit.coefficients.assign(size, 0);
        limit.coefficients[d] = 1;
        limit.relation = LinearConstraint::Relation::AtLeast;
        limit.value = std::min(floor, bandwidths[d]);
        floors.push_back(limit);
        factors.push_back((m_problem.prices[d] > 0 ? m_problem.prices[d] : 1) *
                          (1 + PREFERENCE * static_cast<double>(d)));
    }
    return m_region.Minimise(factors, floors).value_or(bandwidths);
}

bool
BandwidthSolver::Take(const std::vector<double>& bandwidths)
{
    constexpr double ROUNDING = 1e-12;
    bool isBetter = false;
    for (const auto& candidate : {bandwidths, Settle(bandwidths)})
    {
        const double value = m_problem.GetValue(candidate);
        if (value < m_solution.value * (1 + (isBetter ? ROUNDING : 0)))
        {
            m_solution.bandwidths = candidate;
            m_solution.time = m_problem.time.Evaluate(candidate).total;
            m_solution.cost = m_problem.GetCost(candidate);
            m_solution.value = value;
            isBetter = true;
        }
    }
    return isBetter;
}

} // namespace mlcluster
} // namespace ns3
