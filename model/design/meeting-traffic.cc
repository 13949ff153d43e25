/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "meeting-traffic.h"

#include "collective-traffic.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param topology the shape @param ranks some @return per dimension 2 where they differ, or 1
std::vector<uint32_t>
FindDifferences(const ClusterTopology& topology, const std::vector<uint32_t>& ranks)
{
    std::vector<uint32_t> members(topology.GetNDimensions(), 1);
    for (uint32_t d = 0; d < members.size(); ++d)
    {
        for (const uint32_t rank : ranks)
        {
            members[d] =
                topology.GetDigit(rank, d) != topology.GetDigit(ranks[0], d) ? 2 : members[d];
        }
    }
    return members;
}

} // namespace

MeetingTraffic::MeetingTraffic(const ClusterTopology& topology,
                               const CollectiveGroup& group,
                               PartBandwidth parts)
    : m_form(Form::Levels),
      m_members(topology.GetNDimensions(), 1),
      m_shares(topology.GetNDimensions(), 1)
{
    const auto& levels = group.GetLevels();
    for (uint32_t level = 0; level < levels.size(); ++level)
    {
        if (!group.GetBlock(level))
        {
            m_form = Form::Across;
            m_size = levels[level].size;
            m_members = FindDifferences(topology, group.GetRanks());
            return;
        }
        const auto [part, whole] = group.GetShare(level);
        m_members[levels[level].dimension] = levels[level].size;
        m_shares[levels[level].dimension] =
            parts == PartBandwidth::Links ? static_cast<double>(part) / whole : 1;
    }
}

MeetingTraffic::MeetingTraffic(const ClusterTopology& topology, uint32_t from, uint32_t to)
    : m_form(Form::Message),
      m_members(FindDifferences(topology, {from, to})),
      m_shares(topology.GetNDimensions(), 1)
{
    for (uint32_t d = 0; d < m_members.size(); ++d)
    {
        if (m_members[d] > 1)
        {
            m_shares[d] = 1. / topology.GetDimension(d).GetLinksPerMember();
        }
    }
}

std::vector<double>
MeetingTraffic::GetBytes(const ExecutionNode& node) const
{
    const auto size = static_cast<double>(node.bytes);
    if (m_form == Form::Levels)
    {
        return GetCollectiveTraffic(node.collective, size, m_members);
    }
    const double sent =
        m_form == Form::Message ? size : GetCollectiveTraffic(node.collective, size, {m_size})[0];
    std::vector<double> bytes(m_members.size());
    for (std::size_t d = 0; d < bytes.size(); ++d)
    {
        bytes[d] = m_members[d] > 1 ? sent : 0;
    }
    return bytes;
}

std::vector<double>
MeetingTraffic::GetLoads(std::vector<double> bytes) const
{
    for (std::size_t d = 0; d < bytes.size(); ++d)
    {
        bytes[d] /= m_shares[d];
    }
    return bytes;
}

bool
MeetingTraffic::IsSentByAll(const ExecutionNode& node) const
{
    return m_form == Form::Message || (m_form == Form::Levels && !IsRooted(node.collective));
}

bool
MeetingTraffic::operator<(const MeetingTraffic& other) const
{
    return GetKey() < other.GetKey();
}

} // namespace mlcluster
} // namespace ns3
