/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-problem.h"

#include "small-matrix.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

BandwidthProblem::BandwidthProblem(std::size_t nDimensions)
    : time(nDimensions),
      prices(nDimensions)
{
}

void
BandwidthProblem::Constrain(const std::string& text, const Diagnostics::Place& place)
{
    for (auto& constraint : ParseLinearConstraints(text, prices, fixedCost))
    {
        constraint.place = place;
        constraints.push_back(constraint);
    }
}

double
BandwidthProblem::GetCost(const std::vector<double>& bandwidths) const
{
    return fixedCost + Dot(prices, bandwidths);
}

double
BandwidthProblem::GetValue(Objective objective, double time, double cost)
{
    return objective == Objective::Cost ? cost : time * (objective == Objective::Time ? 1 : cost);
}

double
BandwidthProblem::GetValue(const std::vector<double>& bandwidths) const
{
    return GetValue(objective, time.Evaluate(bandwidths).total, GetCost(bandwidths));
}

void
BandwidthProblem::Check(Diagnostics& diagnostics) const
{
    const std::size_t size = time.GetNDimensions();
    const auto isUsable = [](double number) { return std::isfinite(number) && number >= 0; };
    const auto check = [&](bool isRight, const Diagnostics::Place& place, const std::string& text) {
        if (!isRight)
        {
            diagnostics.Error(place, text);
        }
    };
    check(!time.GetShapes().empty(),
          {"", 0, "time"},
          "no collective sends anything, so that bandwidths change nothing");
    check(prices.size() == size, {"", 0, "prices"}, "there must be one for each dimension");
    for (std::size_t d = 0; d < prices.size(); ++d)
    {
        const bool isFree = objective == Objective::Time && prices[d] == 0;
        check((isUsable(prices[d]) && prices[d] > 0) || isFree,
              {"", 0, "price of b" + std::to_string(d + 1)},
              FormatNumber(prices[d]) + " is given; needed is a number " +
                  (objective == Objective::Time ? "that is not negative" : "above 0"));
    }
    check(isUsable(fixedCost), {"", 0, "fixed cost"}, "must be finite and not negative");
    check(!target || (isUsable(*target) && *target > 0),
          {"", 0, "time target"},
          "must be finite and above 0");
    check(target || objective != Objective::Cost,
          {"", 0, "time target"},
          "is missing; without one the cheapest network has no bandwidth");
    for (const auto& constraint : constraints)
    {
        const auto& row = constraint.coefficients;
        const bool hasNumbers =
            row.size() == size && std::isfinite(constraint.value) &&
            std::all_of(row.begin(), row.end(), [](double c) { return std::isfinite(c); }) &&
            std::any_of(row.begin(), row.end(), [](double c) { return c != 0; });
        check(hasNumbers,
              constraint.place,
              constraint.text + " needs a finite number for each dimension, not all of them 0");
    }
    check(speeds.empty() || speeds.size() == size,
          {"", 0, "speeds"},
          "there must be a list for each dimension");
    for (const auto& list : speeds)
    {
        check(std::all_of(list.begin(), list.end(), isUsable),
              {"", 0, "speeds"},
              "must be finite and not negative");
    }
}

} // namespace mlcluster
} // namespace ns3
