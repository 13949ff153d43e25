/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "libra-network-file.h"

#include "astra-section.h"
#include "config-document.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

PricedNetwork
ReadLibraNetwork(const std::string& path, Diagnostics& diagnostics)
{
    constexpr double MOST_RANKS = 2147483648; // as many as a topology may have
    const ConfigNode document = ReadYamlDocument(path, diagnostics);
    AstraSection section(document, diagnostics);
    const std::string meaning = "members of each dimension, whole numbers from 2";
    const auto sizes = section.GetNumbers("NpusCount", meaning, 2).value_or(std::vector<double>{});
    const auto getTexts = [&](const std::string& key, const std::string& what) {
        const auto texts = section.GetTexts(key, what);
        if (!texts && document.kind == ConfigNode::Kind::Map && !section.Has(key))
        {
            section.Error(key, "is missing; needed is a list: " + what);
        }
        if (texts && texts->size() != sizes.size())
        {
            section.Error(key,
                          "has " + std::to_string(texts->size()) + " entries, NpusCount has " +
                              std::to_string(sizes.size()));
        }
        auto all = texts.value_or(std::vector<std::string>{});
        all.resize(sizes.size());
        return all;
    };
    const auto blocks = getTexts("Topology", "Ring, FullyConnected or Switch for each dimension");
    const auto tiers = getTexts("CostDimension", "the tier of each dimension");
    section.ReportUnknown({});
    PricedNetwork network;
    double nRanks = 1;
    for (std::size_t d = 0; d < sizes.size(); ++d)
    {
        const auto block = ParseBuildingBlock(blocks[d]);
        if (!block && !blocks[d].empty())
        {
            section.Error("Topology[" + std::to_string(d) + "]",
                          blocks[d] + " is given; allowed are Ring, FullyConnected, Switch");
        }
        nRanks *= sizes[d];
        if (std::floor(sizes[d]) != sizes[d] || nRanks > MOST_RANKS)
        {
            section.Error("NpusCount",
                          FormatNumber(sizes[d]) + " is given; needed are " + meaning +
                              ", whose product is at most " + FormatNumber(MOST_RANKS));
            nRanks = 1;
        }
        const ConfigNode* list = document.Find("CostDimension");
        const bool hasPlace = list != nullptr && d < list->children.size();
        network.dimensions.push_back({block.value_or(BuildingBlock::Ring),
                                      static_cast<uint32_t>(std::min(sizes[d], MOST_RANKS)),
                                      tiers[d],
                                      hasPlace ? list->children[d].place : Diagnostics::Place{}});
    }
    return network;
}

} // namespace mlcluster
} // namespace ns3
