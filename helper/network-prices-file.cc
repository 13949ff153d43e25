/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-prices-file.h"

#include "astra-section.h"
#include "config-document.h"

namespace ns3
{
namespace mlcluster
{

PricedNetwork::Prices
ReadNetworkPrices(const std::string& path, Diagnostics& diagnostics)
{
    return ReadNetworkPrices(ReadYamlDocument(path, diagnostics), diagnostics);
}

PricedNetwork::Prices
ReadNetworkPrices(const ConfigNode& tiers, Diagnostics& diagnostics)
{
    PricedNetwork::Prices prices;
    if (tiers.kind == ConfigNode::Kind::Map && tiers.children.empty())
    {
        diagnostics.Error(tiers.place,
                          "no tier is given; needed are prices such as {InterNode: {Link: 4}}");
    }
    for (std::size_t i = 0; i < tiers.children.size(); ++i)
    {
        const ConfigNode& node = tiers.children[i];
        if (node.kind != ConfigNode::Kind::Map)
        {
            diagnostics.Error(node.place,
                              node.Describe() +
                                  " is given; needed are prices such as {Link: 4, Switch: 13}");
            continue;
        }
        AstraSection section(node, diagnostics);
        const auto get = [&](const std::string& key) {
            std::optional<double> price;
            if (section.Has(key))
            {
                price = section.GetFactor(key, "a price in $ per GB/s", 0);
            }
            return price;
        };
        auto& tier = prices[tiers.names[i]];
        tier.link = get("Link");
        tier.switches = get("Switch");
        tier.nic = get("Nic");
        tier.port = section.GetFactor("Port", "a price in $", 0);
        tier.place = node.place;
        section.ReportUnknown({});
    }
    return prices;
}

} // namespace mlcluster
} // namespace ns3
