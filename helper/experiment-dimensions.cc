/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-dimensions.h"

#include "ns3/quantity.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// A quantity of a dimension: its key, and what it sets.
struct Quantity
{
    std::string name;
    void (*set)(TopologyDimension& dimension, const std::string& text);
};

const std::vector<Quantity> QUANTITIES{
    {"bandwidth",
     [](TopologyDimension& d, const std::string& text) { d.SetMemberBitRate(ParseBitRate(text)); }},
    {"link-bandwidth",
     [](TopologyDimension& d, const std::string& text) { d.linkBitRate = ParseBitRate(text); }},
    {"latency",
     [](TopologyDimension& d, const std::string& text) { d.latencyPs = ParsePicoseconds(text); }},
    {"in-network",
     [](TopologyDimension& d, const std::string& text) { d.inNetwork.enabled = text == "true"; }},
    {"processing-time",
     [](TopologyDimension& d, const std::string& text) {
         d.inNetwork.processingPs = ParsePicoseconds(text);
     }},
    {"slots", [](TopologyDimension& d, const std::string& text) {
         d.inNetwork.slots = static_cast<uint32_t>(std::stoul(text));
     }}};

/// Reads the dimensions of one file.
class DimensionReader
{
  public:
    DimensionReader(const ExperimentInput& input, Diagnostics& diagnostics)
        : m_input(input),
          m_diagnostics(diagnostics)
    {
    }

    std::vector<TopologyDimension> ReadNotation(const ExperimentInput::Given& topology)
    {
        auto dimensions = Parse(topology.place, topology.entries.front());
        for (const auto& quantity : QUANTITIES)
        {
            Spread(quantity, dimensions);
        }
        CheckKeys(topology.place, "cluster.", [this](const std::string& name) {
            return m_input.Find("cluster." + name) != nullptr;
        });
        return dimensions;
    }

    std::vector<TopologyDimension> ReadList(const ConfigNode& list)
    {
        std::vector<TopologyDimension> dimensions;
        for (const auto& item : list.children)
        {
            dimensions.push_back(ReadItem(item));
        }
        for (const auto& quantity : QUANTITIES)
        {
            if (const auto* given = m_input.Find("cluster." + quantity.name))
            {
                m_diagnostics.Error(given->place,
                                    "belongs to each entry of the list cluster.topology");
            }
        }
        return dimensions;
    }

    /// @return whether a value could not be read, which was reported where it is
    bool HasGaps() const
    {
        return m_hasGaps;
    }

  private:
    /// @return the dimensions; after an error none
    std::vector<TopologyDimension> Parse(const Diagnostics::Place& place,
                                         const std::string& notation)
    {
        try
        {
            m_hasGaps |= notation.empty();
            return notation.empty() ? std::vector<TopologyDimension>()
                                    : ClusterTopology::ParseNotation(notation);
        }
        catch (const InputError& e)
        {
            m_diagnostics.Error(place, e.what());
            return {};
        }
    }

    void Spread(const Quantity& quantity, std::vector<TopologyDimension>& dimensions)
    {
        const auto* given = m_input.Find("cluster." + quantity.name);
        if (!given || dimensions.empty())
        {
            return;
        }
        const std::size_t n = given->entries.size();
        if (given->isList && n != dimensions.size())
        {
            m_diagnostics.Error(given->place,
                                std::to_string(n) + " values are given for " +
                                    std::to_string(dimensions.size()) +
                                    " dimensions; give one for each, or a single one for all");
            return;
        }
        for (std::size_t k = 0; k < dimensions.size(); ++k)
        {
            Set(quantity, dimensions[k], given->entries[given->isList ? k : 0]);
        }
    }

    void Set(const Quantity& quantity, TopologyDimension& dimension, const std::string& text)
    {
        m_hasGaps |= text.empty();
        if (!text.empty())
        {
            quantity.set(dimension, text);
        }
    }

    TopologyDimension ReadItem(const ConfigNode& item)
    {
        std::vector<std::string> names{"block", "size"};
        std::for_each(QUANTITIES.begin(), QUANTITIES.end(), [&](const auto& q) {
            names.push_back(q.name);
        });
        for (std::size_t i = 0; i < item.names.size(); ++i)
        {
            if (std::find(names.begin(), names.end(), item.names[i]) == names.end())
            {
                m_diagnostics.Error(item.children[i].place,
                                    "there is no such key; allowed here are " + JoinWords(names));
            }
        }
        const auto block = Parse(item.place, GetBlock(item));
        TopologyDimension dimension = block.empty() ? TopologyDimension() : block.front();
        for (const auto& quantity : QUANTITIES)
        {
            if (const ConfigNode* node = item.Find(quantity.name))
            {
                Set(quantity,
                    dimension,
                    m_input.ReadEntry(*node, *FindExperimentKey("cluster." + quantity.name)));
            }
        }
        CheckKeys(item.place, "", [&item](const std::string& name) {
            return item.Find(name) != nullptr;
        });
        return dimension;
    }

    /// @return the notation of one dimension of the list, "" after an error
    std::string GetBlock(const ConfigNode& item)
    {
        const ConfigNode* block = item.Find("block");
        const ConfigNode* size = item.Find("size");
        if (!block || !size)
        {
            m_diagnostics.Error(item.place,
                                item.Describe() +
                                    " is given; needed are block and size, for example " +
                                    "{block: Ring, size: 4, bandwidth: 400Gbps, latency: 500ns}");
            return "";
        }
        return block->text + "(" + size->text + ")";
    }

    template <typename Has>
    void CheckKeys(const Diagnostics::Place& place, const std::string& prefix, Has has)
    {
        if (has("bandwidth") == has("link-bandwidth"))
        {
            m_diagnostics.Error(
                place,
                std::string(has("bandwidth") ? "both " : "neither ") + prefix +
                    "bandwidth (of one NPU, all its links together) " +
                    (has("bandwidth") ? "and " : "nor ") + prefix +
                    "link-bandwidth (of one link and direction) is given; give one" +
                    (m_input.HasDesign() && !has("bandwidth")
                         ? ", such as ml-cluster-optimize finds it by the section design"
                         : ""));
        }
        if (!has("latency"))
        {
            m_diagnostics.Error(
                place,
                prefix + "latency is missing; needed is the propagation delay of one link, " +
                    "for example 500ns");
        }
    }

    const ExperimentInput& m_input;
    Diagnostics& m_diagnostics;
    bool m_hasGaps{false};
};

} // namespace

void
SetDimensionValue(TopologyDimension& dimension, const std::string& name, const std::string& text)
{
    const auto quantity = std::find_if(QUANTITIES.begin(), QUANTITIES.end(), [&](const auto& q) {
        return q.name == name;
    });
    quantity->set(dimension, FindExperimentKey("cluster." + name)->Parse(text));
}

std::vector<TopologyDimension>
ReadExperimentDimensions(const ExperimentInput& input, Diagnostics& diagnostics)
{
    const std::size_t errorsBefore = diagnostics.GetErrors().size();
    const ConfigNode* list = input.GetDimensionList();
    const auto* topology = list ? nullptr : input.Require("cluster.topology");
    DimensionReader reader(input, diagnostics);
    std::vector<TopologyDimension> dimensions;
    if (list || topology)
    {
        dimensions = list ? reader.ReadList(*list) : reader.ReadNotation(*topology);
    }
    if (diagnostics.GetErrors().size() == errorsBefore && !reader.HasGaps())
    {
        try
        {
            const ClusterTopology check(dimensions);
        }
        catch (const InputError& e)
        {
            diagnostics.Error(list ? list->place : topology->place, e.what());
        }
    }
    return dimensions;
}

} // namespace mlcluster
} // namespace ns3
