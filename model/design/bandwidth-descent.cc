/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-descent.h"

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

constexpr double SHARPER = 30;  ///< factor from one minimum of the barrier to the next
constexpr double END = 1e-12;   ///< relative gap at which the path ends
constexpr double NEAR = 1e-5;   ///< relative gap below which it ends where the bound falls
constexpr int MOST_MINIMA = 14; ///< after so many the barrier is less than rounding

} // namespace

BandwidthDescent::BandwidthDescent(const TimeExpression& time,
                                   const std::vector<double>& prices,
                                   const BandwidthRegion& region)
    : m_time(time),
      m_prices(prices),
      m_region(region),
      m_barrier(time, prices, region)
{
}

double
BandwidthDescent::GetFlow(const Point& point,
                          const Slacks& slacks,
                          double weight,
                          std::vector<double>& bytes) const
{
    TimeExpression::Sum flow;
    flow.Add(m_time.GetTotal(), weight);
    for (std::size_t g = point.maxima.size(); g-- > 0;)
    {
        double sum = 0;
        for (const double slack : slacks.branches[g])
        {
            sum += 1 / slack;
        }
        const double inflow = flow.maxima[g];
        for (std::size_t p = 0; p < slacks.branches[g].size(); ++p)
        {
            flow.Add(m_time.GetMaxima()[g][p], inflow / slacks.branches[g][p] / sum);
        }
    }
    bytes.assign(m_region.GetNDimensions(), 0);
    for (const auto& [k, inflow] : flow.collectives)
    {
        const auto& shape = m_time.GetShapes()[k];
        double sum = 0;
        for (std::size_t d = 0; d < shape.size(); ++d)
        {
            sum +=
                shape[d] > 0 ? point.bandwidths[d] / slacks.collectives[k * shape.size() + d] : 0;
        }
        for (std::size_t d = 0; d < shape.size(); ++d)
        {
            bytes[d] += shape[d] * inflow * point.bandwidths[d] /
                        slacks.collectives[k * shape.size() + d] / sum;
        }
    }
    return flow.constant;
}

double
BandwidthDescent::GetBoxBound(const std::vector<double>& bytes,
                              const std::vector<double>& slope) const
{
    double bound = 0;
    for (std::size_t d = 0; d < bytes.size(); ++d)
    {
        const double most = m_region.GetMost()[d];
        double best = most;
        if (slope[d] > 0)
        {
            best = std::clamp(std::sqrt(bytes[d] / slope[d]), m_region.GetLeast()[d], most);
        }
        bound += bytes[d] > 0 ? bytes[d] / best : 0;
        bound += slope[d] != 0 ? slope[d] * best : 0;
    }
    return bound;
}

BandwidthDescent::Result
BandwidthDescent::GetResult(const Point& point, double sharpness) const
{
    const Slacks slacks = m_barrier.GetSlacks(point);
    const auto& weights = m_barrier.GetWeights();
    Result result;
    result.bandwidths = point.bandwidths;
    result.targetFactor = weights.target ? 1 / sharpness / slacks.target : 0;
    const double weight = weights.time + result.targetFactor;
    result.constant = GetFlow(point, slacks, weight, result.bytes);
    result.bound = result.constant;
    result.bound -= weights.target ? result.targetFactor * *weights.target : 0;
    const std::size_t nDimensions = m_region.GetNDimensions();
    std::vector<double> slope(nDimensions);
    AddTo(slope, weights.cost, m_prices);
    for (std::size_t i = 0; i < slacks.rows.size(); ++i)
    {
        const auto& row = m_region.GetInequalities()[i];
        result.factors.push_back(1 / sharpness / slacks.rows[i]);
        AddTo(slope, result.factors[i], row.coefficients);
        result.bound -= result.factors[i] * row.value;
    }
    std::vector<double> missing(nDimensions);
    for (std::size_t d = 0; d < nDimensions; ++d)
    {
        const double bandwidth = point.bandwidths[d];
        missing[d] = -slope[d];
        if (m_region.GetOpen()[d])
        {
            const bool isFree = m_region.GetLeast()[d] < m_region.GetMost()[d];
            missing[d] += (result.bytes[d] / bandwidth + (isFree ? 1 / sharpness : 0)) / bandwidth;
        }
    }
    const auto factors = m_region.GetNearestFactors(missing);
    for (std::size_t i = 0; i < factors.size(); ++i)
    {
        const auto& row = m_region.GetEquations()[i];
        result.factors.push_back(factors[i]);
        AddTo(slope, factors[i], row.coefficients);
        result.bound -= factors[i] * row.value;
    }
    result.bound += GetBoxBound(result.bytes, slope);
    return result;
}

BandwidthDescent::Result
BandwidthDescent::Follow(Point& point, const IsEnough& isEnough) const
{
    const auto& weights = m_barrier.GetWeights();
    const double objective = m_barrier.GetObjective(point);
    double sharpness = objective > 0 ? m_barrier.GetNEdges() / objective : 1;
    Result best = GetResult(point, sharpness);
    best.bound = -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    bool isOver = false;
    for (int i = 0; i < MOST_MINIMA && !isOver; ++i, sharpness *= SHARPER)
    {
        const bool isCentred = m_barrier.Centre(point, sharpness);
        Result result = GetResult(point, sharpness);
        const double value = weights.time * m_time.Evaluate(point.bandwidths).total +
                             weights.cost * Dot(m_prices, point.bandwidths);
        const bool isRising = result.bound > best.bound;
        if (value < least)
        {
            least = value;
            best.bandwidths = result.bandwidths;
        }
        if (isRising)
        {
            result.bandwidths = best.bandwidths;
            best = result;
        }
        const double gap = least > 0 ? (least - best.bound) / least : 0;
        isOver = gap < END || (gap < NEAR && !(isCentred && isRising)) || isEnough(point, best);
    }
    return best;
}

std::optional<BandwidthDescent::Point>
BandwidthDescent::FindBelow(double target)
{
    constexpr int MOST_TRIES = 20;
    constexpr double CHEAPER = 0.1;
    constexpr double ROOM = 0.5; // of what there is below the target
    const auto& most = m_region.GetMost();
    const bool isBounded =
        std::all_of(most.begin(), most.end(), [](double value) { return std::isfinite(value); });
    const Point start = m_barrier.GetStart();
    double slope = isBounded ? 0 : m_barrier.GetTime(start) / Dot(m_prices, start.bandwidths);
    for (int i = 0; i < (isBounded ? 1 : MOST_TRIES); ++i, slope *= CHEAPER)
    {
        Point point = start;
        m_barrier.SetWeights({1, slope, std::nullopt});
        Follow(point, [&](const Point& at, const Result& result) {
            return target - m_barrier.GetTime(at) > ROOM * (target - result.bound) ||
                   result.bound >= target;
        });
        if (m_barrier.GetTime(point) < target)
        {
            return point;
        }
    }
    return std::nullopt;
}

std::optional<BandwidthDescent::Result>
BandwidthDescent::Minimise(const BandwidthBarrier::Weights& weights)
{
    std::optional<Point> point = weights.target ? FindBelow(*weights.target) : m_barrier.GetStart();
    if (!point)
    {
        return std::nullopt;
    }
    m_barrier.SetWeights(weights);
    return Follow(*point, [](const Point&, const Result&) { return false; });
}

} // namespace mlcluster
} // namespace ns3
