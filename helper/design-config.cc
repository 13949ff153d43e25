/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-config.h"

namespace ns3
{
namespace mlcluster
{

bool
DesignConfig::HasPrices() const
{
    return !prices.empty();
}

PricedNetwork::Costs
DesignConfig::GetCosts() const
{
    if (!HasPrices())
    {
        return {std::vector<double>(network.dimensions.size()), 0};
    }
    Diagnostics diagnostics;
    const auto costs = network.GetCosts(prices, diagnostics);
    diagnostics.ThrowIfErrors();
    return costs;
}

BandwidthProblem
DesignConfig::MakeProblem() const
{
    const auto costs = GetCosts();
    BandwidthProblem problem(costs.prices.size());
    problem.prices = costs.prices;
    problem.fixedCost = costs.fixedCost;
    problem.objective = objective;
    problem.target = target;
    problem.speeds = speeds;
    for (const auto& constraint : constraints)
    {
        problem.Constrain(constraint.text, constraint.place);
    }
    return problem;
}

} // namespace mlcluster
} // namespace ns3
