/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-group.h"

#include "ns3/diagnostics.h"
#include "ns3/memory-size.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

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
                                 const std::vector<bool>& involved,
                                 bool isFlat)
    : m_topology(topology),
      m_ranks(std::move(ranks))
{
    Check(involved);
    const auto varying = FindVaryingDimensions();
    const bool isMasked = std::any_of(varying.begin(), varying.end(), [&](uint32_t k) {
        return !IsInvolved(involved, k);
    });
    const bool isBox = CountBox(varying) == m_ranks.size();
    if (isFlat && isBox && isMasked)
    {
        throw InputError("an algorithm over all members in one cannot leave out dimensions");
    }
    const bool isByDigit = varying.size() <= 1 && std::is_sorted(m_ranks.begin(), m_ranks.end());
    const auto levels =
        isFlat && !(isBox && isByDigit) ? std::vector<Level>() : FindLevels(varying);
    if (levels.empty() && !varying.empty())
    {
        MakeFlat(varying);
    }
    for (const Level& level : levels)
    {
        if (IsInvolved(involved, level.dimension))
        {
            m_levels.push_back(level);
        }
    }
    if (!isBox && !isFlat)
    {
        AddRemarks(isMasked);
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

std::vector<CollectiveGroup::Level>
CollectiveGroup::FindLevels(const std::vector<uint32_t>& varying) const
{
    const bool isBox = CountBox(varying) == m_ranks.size();
    if (!isBox && varying.size() == 1)
    {
        return {};
    }
    std::vector<Level> levels;
    std::size_t count = 1;
    for (const uint32_t k : varying)
    {
        Level level{k, m_topology.GetDimension(k).size};
        if (!isBox)
        {
            std::set<uint32_t> digits;
            for (const uint32_t rank : m_ranks)
            {
                digits.insert(m_topology.GetDigit(rank, k));
            }
            const bool isPart = digits.size() < level.size;
            if (isPart && m_topology.GetDimension(k).block == BuildingBlock::Ring)
            {
                return {};
            }
            level.size = static_cast<uint32_t>(digits.size());
            level.digits.assign(digits.begin(), isPart ? digits.end() : digits.begin());
            count *= digits.size();
        }
        levels.push_back(level);
    }
    return isBox || count == m_ranks.size() ? levels : std::vector<Level>();
}

void
CollectiveGroup::MakeFlat(const std::vector<uint32_t>& varying)
{
    const auto size = static_cast<uint32_t>(m_ranks.size());
    const bool isInOneBlock = varying.size() == 1;
    m_levels.push_back({isInOneBlock ? varying[0] : m_topology.GetNDimensions(), size});
    for (uint32_t position = 0; position < size; ++position)
    {
        m_flatPosition[m_ranks[position]] = position;
    }
    if (GetBlock(0) == BuildingBlock::Ring)
    {
        const bool isOneOfTwoLinks = size == 2 && m_topology.GetDimension(varying[0]).size > 2;
        m_messagesPerLink = (isOneOfTwoLinks ? 2 : 1) * CountMessagesPerLink();
    }
}

std::pair<uint32_t, uint32_t>
CollectiveGroup::GetShare(uint32_t level) const
{
    const uint32_t size = m_levels[level].size;
    const bool isFullyConnected = GetBlock(level) == BuildingBlock::FullyConnected;
    return isFullyConnected && IsPart(level)
               ? std::make_pair(size - 1,
                                m_topology.GetDimension(m_levels[level].dimension).size - 1)
               : std::make_pair(1U, m_messagesPerLink);
}

bool
CollectiveGroup::IsPart(uint32_t level) const
{
    const auto& [dimension, size, digits] = m_levels[level];
    return dimension < m_topology.GetNDimensions() &&
           size < m_topology.GetDimension(dimension).size;
}

uint32_t
CollectiveGroup::CountMessagesPerLink() const
{
    const uint32_t dimension = m_levels[0].dimension;
    const uint64_t n = m_topology.GetDimension(dimension).size;
    const std::size_t size = m_ranks.size();
    std::vector<uint32_t> up(n);
    std::vector<uint32_t> down(n);
    const auto send = [&](uint32_t from, uint32_t to) {
        const uint32_t source = m_topology.GetDigit(from, dimension);
        const uint64_t ahead = (m_topology.GetDigit(to, dimension) + n - source) % n;
        const bool isUp = 2 * ahead <= n;
        for (uint64_t hop = 0; hop < (isUp ? ahead : n - ahead); ++hop)
        {
            ++(isUp ? up[(source + hop) % n] : down[(source + n - hop) % n]);
        }
    };
    for (std::size_t i = 0; i < size; ++i)
    {
        send(m_ranks[i], m_ranks[(i + 1) % size]);
        if (size > 2)
        {
            send(m_ranks[i], m_ranks[(i + size - 1) % size]);
        }
    }
    return std::max(*std::max_element(up.begin(), up.end()),
                    *std::max_element(down.begin(), down.end()));
}

void
CollectiveGroup::AddRemarks(bool isMasked)
{
    const std::string group = "the group of ranks " + JoinNumbers(m_ranks);
    std::string text = "is no sub-box of " + m_topology.GetNotation() +
                       " (in each dimension all digits or one): it runs as one logical ring in "
                       "group order, an all-to-all directly";
    std::vector<std::string> parts;
    double share = 1;
    for (uint32_t level = 0; level < m_levels.size() && GetBlock(level); ++level)
    {
        const auto [part, whole] = GetShare(level);
        share = std::min(share, static_cast<double>(part) / whole);
        parts.insert(parts.end(), IsPart(level) ? 1 : 0, Describe(level));
    }
    if (!parts.empty())
    {
        text = "is a part of " + JoinWords(parts) + ": it runs as a smaller block of that kind" +
               (m_flatPosition.empty() ? "" : ", in group order");
    }
    if (share < 1)
    {
        text +=
            "; between its members lies " + FormatNumber(std::round(1000 * share) / 10) +
            " % of that dimension's bandwidth, so that a model which grants it all (LIBRA) is " +
            FormatNumber(std::round(100 / share) / 100) + " times as fast";
    }
    m_remarks.push_back({group, text});
    if (isMasked && !m_flatPosition.empty())
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

InNetworkCapability
CollectiveGroup::GetInNetwork(uint32_t level) const
{
    const uint32_t dimension = m_levels[level].dimension;
    return dimension < m_topology.GetNDimensions() ? m_topology.GetDimension(dimension).inNetwork
                                                   : InNetworkCapability();
}

uint32_t
CollectiveGroup::GetSwitch(uint32_t rank, uint32_t level) const
{
    return m_topology.GetSwitch(rank, m_levels[level].dimension);
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
    const auto [part, whole] = GetShare(level);
    distance.bitRate = std::max<uint64_t>(distance.bitRate / whole * part, 1);
    return distance;
}

std::vector<uint32_t>
CollectiveGroup::GetPeers(uint32_t rank, uint32_t level) const
{
    if (!m_flatPosition.empty())
    {
        return m_ranks;
    }
    const auto& [dimension, size, digits] = m_levels[level];
    std::vector<uint32_t> peers;
    peers.reserve(size);
    for (uint32_t position = 0; position < size; ++position)
    {
        const uint32_t digit = digits.empty() ? position : digits[position];
        peers.push_back(m_topology.WithDigit(rank, dimension, digit));
    }
    return peers;
}

uint32_t
CollectiveGroup::GetPosition(uint32_t rank, uint32_t level) const
{
    if (!m_flatPosition.empty())
    {
        return m_flatPosition.at(rank);
    }
    const auto& digits = m_levels[level].digits;
    const uint32_t digit = m_topology.GetDigit(rank, m_levels[level].dimension);
    const auto place = std::lower_bound(digits.begin(), digits.end(), digit);
    return digits.empty() ? digit : static_cast<uint32_t>(place - digits.begin());
}

uint32_t
CollectiveGroup::GetFirstMember() const
{
    uint32_t member = m_ranks[0];
    for (uint32_t level = 0; level < m_levels.size() && m_flatPosition.empty(); ++level)
    {
        member = GetPeers(member, level)[0];
    }
    return member;
}

const std::vector<CollectiveRemark>&
CollectiveGroup::GetRemarks() const
{
    return m_remarks;
}

uint64_t
CollectiveGroup::GetMemoryBytes() const
{
    uint64_t bytes = GetContentBytes(m_ranks) + GetContentBytes(m_levels) +
                     GetContentBytes(m_remarks) +
                     m_flatPosition.size() * GetHashNodeBytes(2 * sizeof(uint32_t));
    for (const Level& level : m_levels)
    {
        bytes += GetContentBytes(level.digits);
    }
    for (const CollectiveRemark& remark : m_remarks)
    {
        bytes += GetContentBytes(remark.subject) + GetContentBytes(remark.text);
    }
    const uint64_t dimensions = m_topology.GetNDimensions();
    return bytes + GetHeapBytes(dimensions * sizeof(TopologyDimension)) +
           GetHeapBytes((dimensions + 1) * sizeof(uint32_t)) +
           GetHeapBytes((dimensions + 1) * sizeof(uint64_t));
}

} // namespace mlcluster
} // namespace ns3
