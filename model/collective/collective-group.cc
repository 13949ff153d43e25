/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-group.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

bool
IsInvolved(const std::vector<bool>& involved, uint32_t dimension)
{
    return dimension >= involved.size() || involved[dimension];
}

} // namespace

CollectiveGroup::CollectiveGroup(const ClusterTopology& topology,
                                 std::vector<uint32_t> ranks,
                                 const std::vector<bool>& involved)
    : m_topology(topology),
      m_ranks(std::move(ranks))
{
    Check(involved);
    const auto varying = FindVaryingDimensions();
    if (CountBox(varying) != m_ranks.size())
    {
        MakeFlat(varying, std::any_of(varying.begin(), varying.end(), [&](uint32_t k) {
                     return !IsInvolved(involved, k);
                 }));
        return;
    }
    for (const uint32_t k : varying)
    {
        if (IsInvolved(involved, k))
        {
            m_levels.push_back({k, m_topology.GetDimension(k).size});
        }
    }
}

void
CollectiveGroup::Check(const std::vector<bool>& involved) const
{
    std::vector<uint32_t> sorted = m_ranks;
    std::sort(sorted.begin(), sorted.end());
    const uint32_t nRanks = m_topology.GetNRanks();
    if (sorted.empty() || sorted.back() >= nRanks)
    {
        throw InputError(
            "a group needs ranks from 0 to " + std::to_string(nRanks - 1) +
            (sorted.empty() ? ", it has none" : ", it has rank " + std::to_string(sorted.back())));
    }
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
    {
        throw InputError("a group has rank " + std::to_string(*twice) + " twice");
    }
    const uint32_t nDimensions = m_topology.GetNDimensions();
    const bool isPartial = std::find(involved.begin(), involved.end(), false) != involved.end();
    if (involved.size() > nDimensions && isPartial)
    {
        throw InputError("the mask of involved dimensions has " + std::to_string(involved.size()) +
                         " entries, topology " + m_topology.GetNotation() + " has " +
                         std::to_string(nDimensions) + " dimensions");
    }
}

std::vector<uint32_t>
CollectiveGroup::FindVaryingDimensions() const
{
    std::vector<uint32_t> varying;
    for (uint32_t k = 0; k < m_topology.GetNDimensions(); ++k)
    {
        const uint32_t digit = m_topology.GetDigit(m_ranks[0], k);
        if (std::any_of(m_ranks.begin(), m_ranks.end(), [&](uint32_t rank) {
                return m_topology.GetDigit(rank, k) != digit;
            }))
        {
            varying.push_back(k);
        }
    }
    return varying;
}

uint64_t
CollectiveGroup::CountBox(const std::vector<uint32_t>& varying) const
{
    uint64_t count = 1;
    for (const uint32_t k : varying)
    {
        count *= m_topology.GetDimension(k).size;
    }
    return count;
}

void
CollectiveGroup::MakeFlat(const std::vector<uint32_t>& varying, bool isMasked)
{
    const auto size = static_cast<uint32_t>(m_ranks.size());
    const bool isInOneBlock = varying.size() == 1;
    m_levels.push_back({isInOneBlock ? varying[0] : m_topology.GetNDimensions(), size});
    for (uint32_t position = 0; position < size; ++position)
    {
        m_flatPosition[m_ranks[position]] = position;
    }
    const std::string group = "the group of ranks " + JoinNumbers(m_ranks);
    m_remarks.push_back(
        {group,
         isInOneBlock ? "is a part of " + Describe(0) +
                            ": it runs as a smaller block of that kind, in group order"
                      : "is no sub-box of " + m_topology.GetNotation() +
                            " (in each dimension all digits or one): it runs as one logical ring "
                            "in group order, an all-to-all directly"});
    if (isMasked)
    {
        m_remarks.push_back(
            {group, "is no sub-box: the mask of involved dimensions is not applied to it"});
    }
}

const std::vector<uint32_t>&
CollectiveGroup::GetRanks() const
{
    return m_ranks;
}

const std::vector<CollectiveGroup::Level>&
CollectiveGroup::GetLevels() const
{
    return m_levels;
}

std::optional<BuildingBlock>
CollectiveGroup::GetBlock(uint32_t level) const
{
    const uint32_t dimension = m_levels[level].dimension;
    return dimension < m_topology.GetNDimensions()
               ? std::optional<BuildingBlock>(m_topology.GetDimension(dimension).block)
               : std::nullopt;
}

std::string
CollectiveGroup::Describe(uint32_t level) const
{
    const uint32_t dimension = m_levels[level].dimension;
    if (dimension == m_topology.GetNDimensions())
    {
        return "a group across dimensions";
    }
    const auto& shape = m_topology.GetDimension(dimension);
    return "dimension " + std::to_string(dimension) + ", " + ToString(shape.block) + "(" +
           std::to_string(shape.size) + ")";
}

CollectiveGroup::Distance
CollectiveGroup::GetDistance(uint32_t level) const
{
    const uint32_t dimension = m_levels[level].dimension;
    const uint32_t nDimensions = m_topology.GetNDimensions();
    Distance distance{0, std::numeric_limits<uint64_t>::max()};
    for (uint32_t k = 0; k < nDimensions; ++k)
    {
        const auto& shape = m_topology.GetDimension(k);
        if (k == dimension || (dimension == nDimensions && shape.size > 1))
        {
            distance.latencyPs += shape.latencyPs * shape.GetNHops();
            distance.bitRate = std::min(distance.bitRate, shape.GetMemberBitRate());
        }
    }
    return distance;
}

std::vector<uint32_t>
CollectiveGroup::GetPeers(uint32_t rank, uint32_t level) const
{
    if (!m_flatPosition.empty())
    {
        return m_ranks;
    }
    const auto [dimension, size] = m_levels[level];
    std::vector<uint32_t> peers;
    peers.reserve(size);
    for (uint32_t digit = 0; digit < size; ++digit)
    {
        peers.push_back(m_topology.WithDigit(rank, dimension, digit));
    }
    return peers;
}

uint32_t
CollectiveGroup::GetPosition(uint32_t rank, uint32_t level) const
{
    return m_flatPosition.empty() ? m_topology.GetDigit(rank, m_levels[level].dimension)
                                  : m_flatPosition.at(rank);
}

uint32_t
CollectiveGroup::GetFirstMember() const
{
    uint32_t member = m_ranks[0];
    for (uint32_t level = 0; level < m_levels.size() && m_flatPosition.empty(); ++level)
    {
        member = m_topology.WithDigit(member, m_levels[level].dimension, 0);
    }
    return member;
}

const std::vector<CollectiveRemark>&
CollectiveGroup::GetRemarks() const
{
    return m_remarks;
}

} // namespace mlcluster
} // namespace ns3
