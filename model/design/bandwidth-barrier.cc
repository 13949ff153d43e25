/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-barrier.h"

#include "small-matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double NEAR = 1e-4;    ///< squared decrement from which full steps lead to the minimum
constexpr double CENTRED = 1e-9; ///< squared decrement of the minimum

/// @param weights of something @param index one @return its weight
double
GetWeight(const std::map<std::size_t, double>& weights, std::size_t index)
{
    const auto found = weights.find(index);
    return found == weights.end() ? 0 : found->second;
}

} // namespace

BandwidthBarrier::BandwidthBarrier(const TimeExpression& time,
                                   const std::vector<double>& prices,
                                   const BandwidthRegion& region)
    : m_time(time),
      m_prices(prices),
      m_region(region),
      m_variable(time.GetTotal()),
      m_places(time.GetShapes().size(), NewtonSystem::NO_PLACE)
{
    m_variable.constant = 0;
    for (const auto& branches : time.GetMaxima())
    {
        for (const auto& branch : branches)
        {
            for (const auto& [index, weight] : branch.collectives)
            {
                if (m_places[index] == NewtonSystem::NO_PLACE)
                {
                    m_places[index] = region.GetNDimensions() + m_nCoupled++;
                }
            }
        }
    }
}

void
BandwidthBarrier::SetWeights(const Weights& weights)
{
    m_weights = weights;
}

const BandwidthBarrier::Weights&
BandwidthBarrier::GetWeights() const
{
    return m_weights;
}

std::size_t
BandwidthBarrier::GetNEdges() const
{
    const std::size_t nDimensions = m_region.GetNDimensions();
    std::size_t nEdges =
        (m_places.size() + 1) * nDimensions + m_region.GetInequalities().size() + 1;
    for (const auto& branches : m_time.GetMaxima())
    {
        nEdges += branches.size();
    }
    return nEdges;
}

BandwidthBarrier::Point
BandwidthBarrier::GetStart() const
{
    constexpr double ROOM = 2; // times of the start are so much longer than they need to be
    Point point;
    point.bandwidths = m_region.GetInterior();
    point.collectives = m_time.Evaluate(point.bandwidths).collectives;
    for (double& time : point.collectives)
    {
        time *= ROOM;
    }
    for (const auto& branches : m_time.GetMaxima())
    {
        double longest = 0;
        for (const auto& branch : branches)
        {
            longest = std::max(longest, GetValue(branch, point));
        }
        point.maxima.push_back(longest * ROOM);
    }
    return point;
}

double
BandwidthBarrier::GetValue(const TimeExpression::Sum& sum, const Point& point)
{
    double value = sum.constant;
    for (const auto& [index, weight] : sum.collectives)
    {
        value += weight * point.collectives[index];
    }
    for (const auto& [index, weight] : sum.maxima)
    {
        value += weight * point.maxima[index];
    }
    return value;
}

BandwidthBarrier::Slacks
BandwidthBarrier::GetSlacks(const Point& point) const
{
    Slacks slacks;
    double product = 1;
    const auto add = [&slacks, &product](double slack) {
        constexpr double MOST = 1e150; // two such numbers can be multiplied
        slacks.isInside = slacks.isInside && slack > 0;
        product *= slack > 0 ? std::clamp(slack, 1 / MOST, MOST) : 1;
        if (product > MOST || product < 1 / MOST)
        {
            slacks.logarithms += std::log(product);
            product = 1;
        }
        return slack;
    };
    const std::size_t nDimensions = m_region.GetNDimensions();
    slacks.collectives.assign(m_places.size() * nDimensions, 1);
    for (std::size_t k = 0; k < m_places.size(); ++k)
    {
        const auto& shape = m_time.GetShapes()[k];
        for (std::size_t d = 0; d < nDimensions && slacks.isInside; ++d)
        {
            if (shape[d] > 0)
            {
                slacks.collectives[k * nDimensions + d] =
                    add(point.collectives[k] * point.bandwidths[d] - shape[d]);
            }
        }
    }
    for (std::size_t g = 0; g < point.maxima.size(); ++g)
    {
        slacks.branches.emplace_back();
        for (const auto& branch : m_time.GetMaxima()[g])
        {
            slacks.branches[g].push_back(add(point.maxima[g] - GetValue(branch, point)));
        }
    }
    for (const auto& row : m_region.GetInequalities())
    {
        slacks.rows.push_back(add(row.value - Dot(row.coefficients, point.bandwidths)));
    }
    for (std::size_t d = 0; d < nDimensions; ++d)
    {
        add(m_region.GetOpen()[d] ? point.bandwidths[d] : 1);
    }
    if (m_weights.target)
    {
        slacks.target = add(*m_weights.target - GetValue(m_time.GetTotal(), point));
    }
    slacks.logarithms += std::log(product);
    return slacks;
}

void
BandwidthBarrier::AddCollectives(NewtonSystem& system,
                                 const Point& point,
                                 const Slacks& slacks,
                                 double weight) const
{
    const std::size_t nDimensions = m_region.GetNDimensions();
    for (std::size_t k = 0; k < m_places.size(); ++k)
    {
        const auto& shape = m_time.GetShapes()[k];
        const double factor = GetWeight(m_variable.collectives, k);
        system.AddTimeSide(k, -weight * factor, factor);
        for (std::size_t d = 0; d < nDimensions; ++d)
        {
            if (shape[d] > 0)
            {
                system.AddCollective(k,
                                     d,
                                     point.collectives[k],
                                     point.bandwidths[d],
                                     shape[d],
                                     slacks.collectives[k * nDimensions + d]);
            }
        }
    }
}

void
BandwidthBarrier::AddMaxima(NewtonSystem& system,
                            const Point& point,
                            const Slacks& slacks,
                            double weight) const
{
    const std::size_t first = m_region.GetNDimensions() + m_nCoupled;
    for (std::size_t g = 0; g < point.maxima.size(); ++g)
    {
        const double factor = GetWeight(m_variable.maxima, g);
        system.AddSide(first + g, -weight * factor, factor);
        for (std::size_t p = 0; p < slacks.branches[g].size(); ++p)
        {
            const auto& branch = m_time.GetMaxima()[g][p];
            std::vector<NewtonSystem::Term> terms{{first + g, 1}};
            for (const auto& [index, share] : branch.collectives)
            {
                terms.emplace_back(m_places[index], -share);
            }
            for (const auto& [index, share] : branch.maxima)
            {
                terms.emplace_back(first + index, -share);
            }
            system.AddEdge(terms, slacks.branches[g][p]);
        }
    }
}

void
BandwidthBarrier::AddRows(NewtonSystem& system,
                          const Point& point,
                          const Slacks& slacks,
                          double weight) const
{
    for (std::size_t i = 0; i < slacks.rows.size(); ++i)
    {
        std::vector<NewtonSystem::Term> terms;
        for (std::size_t d = 0; d < m_prices.size(); ++d)
        {
            terms.emplace_back(d, -m_region.GetInequalities()[i].coefficients[d]);
        }
        system.AddEdge(terms, slacks.rows[i]);
    }
    for (std::size_t d = 0; d < m_prices.size(); ++d)
    {
        system.AddSide(d, -weight * m_prices[d], 0);
        if (m_region.GetOpen()[d])
        {
            system.AddEdge({{d, 1}}, point.bandwidths[d]);
        }
    }
}

BandwidthBarrier::Step
BandwidthBarrier::GetStep(const Point& point, const Slacks& slacks, double sharpness) const
{
    const std::size_t nDimensions = m_region.GetNDimensions();
    NewtonSystem system(nDimensions, m_places, m_nCoupled, point.maxima.size());
    const double weight = sharpness * m_weights.time + (m_weights.target ? 1 / slacks.target : 0);
    AddCollectives(system, point, slacks, weight);
    AddMaxima(system, point, slacks, weight);
    AddRows(system, point, slacks, sharpness * m_weights.cost);
    system.Reduce(m_region.GetFreeDirections(point.bandwidths));
    Step step;
    step.change = system.Solve(0);
    if (m_weights.target)
    {
        const Point target = system.Solve(1);
        step.change.Move(-system.Multiply(1, step.change) /
                             (slacks.target * slacks.target + system.Multiply(1, target)),
                         target);
    }
    step.decrement = system.Multiply(0, step.change);
    return step;
}

double
BandwidthBarrier::GetObjective(const Point& point) const
{
    return m_weights.time * GetValue(m_variable, point) +
           m_weights.cost * Dot(m_prices, point.bandwidths);
}

double
BandwidthBarrier::GetTime(const Point& point) const
{
    return GetValue(m_time.GetTotal(), point);
}

bool
BandwidthBarrier::Centre(Point& point, double sharpness) const
{
    constexpr int MOST_STEPS = 200;
    constexpr int MOST_HALVINGS = 60;
    constexpr double DESCENT = 0.1;
    constexpr double QUICK = 0.05; // a smaller decrement is squared by each step; where it is
    constexpr double SLOW = 0.25;  // not, rounding is all that is left of it
    double lastDecrement = std::numeric_limits<double>::infinity();
    Slacks slacks = GetSlacks(point);
    for (int i = 0; i < MOST_STEPS; ++i)
    {
        const Step step = GetStep(point, slacks, sharpness);
        if (!std::isfinite(step.decrement) || step.decrement < 0)
        {
            return false;
        }
        const double slope = sharpness * GetObjective(step.change);
        double length = 1;
        int nHalvings = 0;
        for (; nHalvings < MOST_HALVINGS; ++nHalvings, length /= 2)
        {
            Point next = point;
            next.Move(length, step.change);
            const Slacks left = GetSlacks(next);
            const double change = length * slope - (left.logarithms - slacks.logarithms);
            if (left.isInside &&
                (change <= -DESCENT * length * step.decrement || step.decrement < NEAR))
            {
                point = next;
                slacks = left;
                break;
            }
        }
        const bool isStuck = step.decrement < QUICK && step.decrement > SLOW * lastDecrement;
        if (step.decrement < CENTRED || isStuck || nHalvings == MOST_HALVINGS)
        {
            return nHalvings < MOST_HALVINGS;
        }
        lastDecrement = step.decrement;
    }
    return false;
}

} // namespace mlcluster
} // namespace ns3
