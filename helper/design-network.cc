/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "design-network.h"

#include "libra-network-file.h"
#include "network-prices-file.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <filesystem>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Kind = ConfigNode::Kind;

constexpr double BITS_PER_GIGABYTE = 8e9;

/// Reads the network of a design.
class DesignNetworkReader
{
  public:
    /// As ReadDesignNetwork has them.
    DesignNetworkReader(const std::string& file,
                        const ConfigNode& document,
                        AstraSection& section,
                        Diagnostics& diagnostics)
        : m_folder(std::filesystem::path(file).parent_path()),
          m_section(section),
          m_diagnostics(diagnostics),
          m_nErrors(diagnostics.GetErrors().size())
    {
        const ConfigNode* cluster = document.Find("cluster");
        m_topology = cluster ? cluster->Find("topology") : nullptr;
    }

    /// @return the network
    DesignNetwork Read()
    {
        if (const ConfigNode* network = m_section.Find("network"))
        {
            ReadFile(*network);
        }
        else
        {
            ReadTopology();
            ReadTiers();
        }
        if (m_section.Has("prices"))
        {
            ReadPrices();
        }
        ReadSpeeds();
        return m_design;
    }

  private:
    /// @param path in the file @return it, seen from here
    std::string Resolve(const std::string& path) const
    {
        return (m_folder / path).lexically_normal().string();
    }

    /// @param network path of a file of LIBRA
    void ReadFile(const ConfigNode& network)
    {
        for (const ConfigNode* other : {m_topology, m_section.Find("tiers")})
        {
            if (other)
            {
                m_diagnostics.Error(other->place,
                                    "is given by the file design.network too; give one of them");
            }
        }
        const std::string path =
            m_section.GetText("network", "the path of a network file of LIBRA");
        if (path.empty())
        {
            return;
        }
        m_design.network = ReadLibraNetwork(Resolve(path), m_diagnostics);
        std::string notation;
        for (const auto& dimension : m_design.network.dimensions)
        {
            notation += (notation.empty() ? "" : "_") + ToString(dimension.block) + "(" +
                        std::to_string(dimension.size) + ")";
        }
        m_design.overrides.push_back(
            {{network.place.file, network.place.line, "cluster.topology"}, notation});
    }

    void ReadTopology()
    {
        if (m_topology && m_topology->kind != Kind::Scalar)
        {
            m_diagnostics.Error(m_topology->place,
                                m_topology->Describe() +
                                    " is given; a design needs the notation, such as "
                                    "Ring(4)_Switch(2), and leaves the bandwidths open");
            return;
        }
        Diagnostics ignored; // told when the experiment is read
        ignored.Collect({}, [&] {
            if (m_topology)
            {
                for (const auto& dimension : ClusterTopology::ParseNotation(m_topology->text))
                {
                    m_design.network.dimensions.push_back(
                        {dimension.block, dimension.size, "", m_topology->place});
                }
            }
        });
    }

    void ReadTiers()
    {
        auto& dimensions = m_design.network.dimensions;
        const auto tiers = m_section.GetTexts("tiers", "the name of a tier for each dimension");
        if (!tiers || dimensions.empty())
        {
            return;
        }
        if (tiers->size() != dimensions.size())
        {
            m_section.Error("tiers",
                            std::to_string(tiers->size()) + " tiers are given for " +
                                std::to_string(dimensions.size()) + " dimensions");
        }
        for (std::size_t d = 0; d < std::min(tiers->size(), dimensions.size()); ++d)
        {
            dimensions[d].tier = (*tiers)[d];
            dimensions[d].place = m_section.Find("tiers")->children[d].place;
        }
    }

    void ReadPrices()
    {
        const ConfigNode* prices = m_section.Find("prices");
        if (prices->kind == Kind::Map)
        {
            m_design.prices = ReadNetworkPrices(*prices, m_diagnostics);
        }
        else
        {
            const std::string path =
                m_section.GetText("prices",
                                  "the path of a file with prices of tiers, or a map of them such "
                                  "as {InterNode: {Link: 4}}");
            m_design.prices = path.empty() ? PricedNetwork::Prices()
                                           : ReadNetworkPrices(Resolve(path), m_diagnostics);
        }
        const auto& dimensions = m_design.network.dimensions;
        const bool hasTiers = m_section.Has("tiers") || m_section.Has("network");
        if (!hasTiers && !dimensions.empty())
        {
            m_section.Error("tiers",
                            "is missing; needed is the tier of each dimension, one of those that "
                            "design.prices has");
        }
        if (m_diagnostics.GetErrors().size() == m_nErrors)
        {
            m_design.network.GetCosts(m_design.prices, m_diagnostics);
        }
        m_design.hasCosts = !dimensions.empty() && m_diagnostics.GetErrors().size() == m_nErrors;
    }

    void ReadSpeeds()
    {
        const std::size_t size = m_design.network.dimensions.size();
        const ConfigNode* speeds = m_section.GetMap("speeds", "{b1: [50GB/s, 100GB/s]}");
        if (!speeds || size == 0)
        {
            return;
        }
        m_design.speeds.resize(size);
        AstraSection section(*speeds, m_diagnostics);
        for (std::size_t d = 0; d < size; ++d)
        {
            const std::string name = "b" + std::to_string(d + 1);
            const ConfigNode* list = section.Find(name);
            const std::string meaning = "bandwidths of one NPU, such as [50GB/s, 100GB/s]";
            const auto texts = section.GetTexts(name, meaning);
            if (texts && texts->empty())
            {
                section.Error(name, "an empty list is given; needed are " + meaning);
            }
            for (std::size_t i = 0; texts && i < texts->size(); ++i)
            {
                m_diagnostics.Collect(list->children[i].place, [&] {
                    m_design.speeds[d].push_back(static_cast<double>(ParseBitRate((*texts)[i])) /
                                                 BITS_PER_GIGABYTE);
                });
            }
        }
        section.RefuseUnknown();
    }

    const std::filesystem::path m_folder; ///< of the file
    const ConfigNode* m_topology;         ///< cluster.topology; null: not given
    AstraSection& m_section;              ///< design
    Diagnostics& m_diagnostics;           ///< receives problems
    const std::size_t m_nErrors;          ///< before this
    DesignNetwork m_design;               ///< so far
};

} // namespace

DesignNetwork
ReadDesignNetwork(const std::string& file,
                  const ConfigNode& document,
                  AstraSection& section,
                  Diagnostics& diagnostics)
{
    return DesignNetworkReader(file, document, section, diagnostics).Read();
}

} // namespace mlcluster
} // namespace ns3
