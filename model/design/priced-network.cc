/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "priced-network.h"

#include "ns3/quantity.h"
#include "ns3/shown-text.h"

#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Place = Diagnostics::Place;

/// @param price that a tier may have @param name of it @param tier its name
/// @param needed why it is
/// @param place of the tier @param diagnostics receives what is wrong @return
/// it, 0 if it is
double
GetPrice(const std::optional<double>& price,
         const std::string& name,
         const std::string& tier,
         const std::string& needed,
         const Place& place,
         Diagnostics& diagnostics)
{
    const Place at{place.file, place.line, place.key + (place.key.empty() ? "" : ".") + name};
    if (!price)
    {
        diagnostics.Error(at,
                          "is missing; tier " + ShowName(tier) + " needs a price of " + name +
                              " in $ per GB/s, " + needed);
    }
    else if (!std::isfinite(*price) || *price < 0)
    {
        diagnostics.Error(at,
                          FormatNumber(*price) +
                              " is given; needed is a price in $ per GB/s, not negative");
    }
    return price.value_or(0);
}

} // namespace

uint64_t
PricedNetwork::GetNRanks() const
{
    uint64_t nRanks = 1;
    for (const auto& dimension : dimensions)
    {
        nRanks *= dimension.size;
    }
    return nRanks;
}

PricedNetwork::Costs
PricedNetwork::GetCosts(const Prices& prices, Diagnostics& diagnostics) const
{
    Costs costs;
    const auto nRanks = static_cast<double>(GetNRanks());
    std::vector<std::string> tiers;
    for (const auto& entry : prices)
    {
        tiers.push_back(entry.first);
    }
    for (const auto& dimension : dimensions)
    {
        const auto found = prices.find(dimension.tier);
        if (found == prices.end())
        {
            const std::string nearest = NearestWord(dimension.tier, tiers);
            diagnostics.Error(dimension.place,
                              "tier " + ShowName(dimension.tier) + " has no prices" +
                                  (nearest.empty() ? "" : " (nearest: " + nearest + ")") +
                                  "; there are prices of " + JoinWords(tiers));
            continue;
        }
        const TierPrices& tier = found->second;
        const auto get = [&](const std::optional<double>& price,
                             const std::string& name,
                             const std::string& needed) {
            return GetPrice(price, name, found->first, needed, tier.place, diagnostics);
        };
        const bool isSwitch = dimension.block == BuildingBlock::Switch;
        double price = get(tier.link, "Link", "of every dimension");
        if (isSwitch)
        {
            price += get(tier.switches, "Switch", "since a Switch is made of it");
            price += get(tier.nic, "Nic", "since a Switch is made of it");
        }
        costs.prices.push_back(nRanks * price);
        TopologyDimension shape;
        shape.block = dimension.block;
        shape.size = dimension.size;
        const double nPorts = shape.GetLinksPerMember() * (isSwitch ? 2 : 1);
        costs.fixedCost += nRanks * nPorts * get(tier.port, "Port", "");
    }
    return costs;
}

} // namespace mlcluster
} // namespace ns3
