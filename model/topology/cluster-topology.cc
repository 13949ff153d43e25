/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-topology.h"

#include "ns3/diagnostics.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t MAX_RANKS = uint64_t{1} << 31;
constexpr int64_t MAX_LATENCY_PS = 1'000'000'000'000'000;

/// A building block and how the notation spells it.
struct BlockName
{
    BuildingBlock block;
    const char* name;
    const char* shortName;
};

constexpr BlockName BLOCK_NAMES[] = {
    {BuildingBlock::Ring, "Ring", "R"},
    {BuildingBlock::FullyConnected, "FullyConnected", "FC"},
    {BuildingBlock::Switch, "Switch", "SW"},
};

[[noreturn]] void
RefusePart(const std::string& notation, const std::string& part, const std::string& reason)
{
    throw InputError("topology \"" + notation + "\", part \"" + part + "\": " + reason +
                     "; allowed is Ring(n), FullyConnected(n) or Switch(n), short R(n), FC(n) or "
                     "SW(n), with n from 1 to 2147483648, joined by \"_\", such as "
                     "\"Ring(4)_Switch(8)\"");
}

std::string
DescribeUnknownBlock(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& entry : BLOCK_NAMES)
    {
        names.insert(names.end(), {entry.name, entry.shortName});
    }
    const std::string nearest = NearestWord(name, names);
    return "\"" + name + "\" is not a building block" +
           (nearest.empty() ? "" : ", did you mean \"" + nearest + "\"?");
}

TopologyDimension
ParsePart(const std::string& notation, const std::string& part)
{
    const auto open = part.find('(');
    if (open == std::string::npos || part.back() != ')')
    {
        RefusePart(notation, part, "a size in parentheses is missing");
    }
    const auto block = ParseBuildingBlock(part.substr(0, open));
    if (!block)
    {
        RefusePart(notation, part, DescribeUnknownBlock(part.substr(0, open)));
    }
    const std::string digits = part.substr(open + 1, part.size() - open - 2);
    const bool isNumber =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    if (!isNumber || digits.front() == '0' || digits.size() > 10 || std::stoull(digits) > MAX_RANKS)
    {
        RefusePart(notation, part, "\"" + digits + "\" is not a size");
    }
    TopologyDimension dimension;
    dimension.block = *block;
    dimension.size = static_cast<uint32_t>(std::stoull(digits));
    return dimension;
}

void
CheckDimension(const TopologyDimension& dimension, uint32_t index, Diagnostics& diagnostics)
{
    const Diagnostics::Place place{"", 0, "dimension " + std::to_string(index)};
    if (dimension.size == 0)
    {
        diagnostics.Error(place, "the size is 0, at least 1 is needed");
    }
    if (dimension.linkBitRate == 0)
    {
        diagnostics.Error(place, "the rate of a link is 0 bit/s, at least 1 bit/s is needed");
    }
    if (dimension.latencyPs < 0 || dimension.latencyPs > MAX_LATENCY_PS)
    {
        diagnostics.Error(place,
                          "the latency is " + std::to_string(dimension.latencyPs) +
                              " ps, allowed are 0 to 1000 s");
    }
    const InNetworkCapability& inNetwork = dimension.inNetwork;
    if (inNetwork.enabled && dimension.block != BuildingBlock::Switch)
    {
        diagnostics.Error(place,
                          "a " + ToString(dimension.block) +
                              " has no switches that could reduce in the network, only a Switch "
                              "has");
    }
    if (inNetwork.processingPs < 0 || inNetwork.processingPs > MAX_LATENCY_PS)
    {
        diagnostics.Error(place,
                          "the processing time of its switches is " +
                              std::to_string(inNetwork.processingPs) +
                              " ps, allowed are 0 to 1000 s");
    }
}

/// @return switches of a dimension, one per block instance
uint64_t
CountSwitches(const TopologyDimension& dimension, uint64_t nRanks)
{
    const bool hasSwitch = dimension.block == BuildingBlock::Switch && dimension.size > 1;
    return hasSwitch ? nRanks / dimension.size : 0;
}

} // namespace

std::string
ToString(BuildingBlock block)
{
    return BLOCK_NAMES[static_cast<std::size_t>(block)].name;
}

std::optional<BuildingBlock>
ParseBuildingBlock(const std::string& name)
{
    for (const auto& entry : BLOCK_NAMES)
    {
        if (name == entry.name || name == entry.shortName)
        {
            return entry.block;
        }
    }
    return std::nullopt;
}

uint32_t
TopologyDimension::GetLinksPerMember() const
{
    const uint32_t others = size - 1;
    switch (block)
    {
    case BuildingBlock::Ring:
        return std::min(others, 2U);
    case BuildingBlock::Switch:
        return std::min(others, 1U);
    default:
        return others;
    }
}

uint32_t
TopologyDimension::GetNHops() const
{
    return block == BuildingBlock::Switch ? 2 : 1;
}

uint64_t
TopologyDimension::GetMemberBitRate() const
{
    return linkBitRate * std::max(1U, GetLinksPerMember());
}

void
TopologyDimension::SetMemberBitRate(uint64_t bitRate)
{
    linkBitRate = bitRate / std::max(1U, GetLinksPerMember());
}

ClusterTopology::ClusterTopology(std::vector<TopologyDimension> dimensions)
    : m_dimensions(std::move(dimensions)),
      m_strides{1}
{
    Diagnostics diagnostics;
    if (m_dimensions.empty())
    {
        diagnostics.Error({}, "a topology needs at least one dimension");
    }
    uint64_t nRanks = 1;
    for (uint32_t k = 0; k < m_dimensions.size() && nRanks <= MAX_RANKS; ++k)
    {
        CheckDimension(m_dimensions[k], k, diagnostics);
        nRanks *= m_dimensions[k].size;
        m_strides.push_back(static_cast<uint32_t>(nRanks));
    }
    if (nRanks > MAX_RANKS)
    {
        diagnostics.Error({},
                          "topology " + GetNotation() +
                              " has more ranks than the 2147483648 allowed");
    }
    diagnostics.ThrowIfErrors();
    m_firstSwitch.push_back(nRanks);
    for (const auto& dimension : m_dimensions)
    {
        m_firstSwitch.push_back(m_firstSwitch.back() + CountSwitches(dimension, nRanks));
    }
}

std::vector<TopologyDimension>
ClusterTopology::ParseNotation(const std::string& notation)
{
    std::vector<TopologyDimension> dimensions;
    for (std::size_t begin = 0; begin <= notation.size();)
    {
        const std::size_t end = std::min(notation.find('_', begin), notation.size());
        const std::string part = notation.substr(begin, end - begin);
        dimensions.push_back(ParsePart(notation, part));
        begin = end + 1;
    }
    return dimensions;
}

uint32_t
ClusterTopology::GetNRanks() const
{
    return m_strides.back();
}

uint32_t
ClusterTopology::GetNDimensions() const
{
    return static_cast<uint32_t>(m_dimensions.size());
}

const TopologyDimension&
ClusterTopology::GetDimension(uint32_t dimension) const
{
    return m_dimensions[dimension];
}

uint32_t
ClusterTopology::GetStride(uint32_t dimension) const
{
    return m_strides[dimension];
}

uint32_t
ClusterTopology::WithDigit(uint32_t rank, uint32_t dimension, uint32_t digit) const
{
    return rank + (digit - GetDigit(rank, dimension)) * m_strides[dimension];
}

uint64_t
ClusterTopology::GetFirstSwitch(uint32_t dimension) const
{
    return m_firstSwitch[dimension];
}

uint32_t
ClusterTopology::GetSwitch(uint32_t rank, uint32_t dimension) const
{
    const uint32_t stride = m_strides[dimension];
    const uint32_t above = rank / m_strides[dimension + 1];
    return static_cast<uint32_t>(m_firstSwitch[dimension]) + above * stride + rank % stride;
}

uint64_t
ClusterTopology::GetNVertices() const
{
    return m_firstSwitch.back();
}

std::string
ClusterTopology::GetNotation() const
{
    std::string notation;
    for (const auto& dimension : m_dimensions)
    {
        notation += (notation.empty() ? "" : "_") + ToString(dimension.block) + "(" +
                    std::to_string(dimension.size) + ")";
    }
    return notation;
}

} // namespace mlcluster
} // namespace ns3
