/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-meetings.h"

#include "ns3/diagnostics.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

RankMeetings::RankMeetings(const ClusterWorkload& workload,
                           const ClusterTopology& topology,
                           const Outlines& outlines,
                           PartBandwidth parts)
    : m_workload(workload),
      m_topology(topology),
      m_parts(parts),
      m_of(outlines.size())
{
    if (workload.GetNRanks() != topology.GetNRanks())
    {
        throw InputError("the workload has " + std::to_string(workload.GetNRanks()) +
                         " ranks, topology " + topology.GetNotation() + " has " +
                         std::to_string(topology.GetNRanks()));
    }
    for (uint32_t rank = 0; rank < outlines.size(); ++rank)
    {
        for (const auto& channel : outlines[rank]->GetChannels())
        {
            const bool isGroup = channel.key.kind == NodeKind::Collective;
            const uint32_t number =
                isGroup ? FindGroup(rank, channel) : FindMessages(rank, channel);
            auto& uses = m_meetings[number].uses;
            const Use use{rank, static_cast<uint32_t>(m_of[rank].size())};
            uses.insert(channel.key.kind == NodeKind::Send ? uses.begin() : uses.end(), use);
            m_of[rank].push_back(number);
        }
    }
    Check(outlines);
}

uint32_t
RankMeetings::FindGroup(uint32_t rank, const GraphOutline::Channel& channel)
{
    const std::string name = m_workload.ResolveGroup(rank, channel.key.group);
    Scope& scope = m_scopes[{name, channel.involved}];
    if (!scope.group)
    {
        scope.group = std::make_unique<CollectiveGroup>(m_topology,
                                                        m_workload.GetGroup(name),
                                                        channel.involved);
        scope.traffic = AddTraffic(MeetingTraffic(m_topology, *scope.group, m_parts));
    }
    const auto found = scope.meetings.find(rank);
    if (found != scope.meetings.end())
    {
        return found->second;
    }
    const auto number = static_cast<uint32_t>(m_meetings.size());
    const auto members = FindMembers(*scope.group, rank);
    for (const uint32_t member : members)
    {
        scope.meetings[member] = number;
    }
    m_meetings.push_back({{}, scope.traffic, static_cast<uint32_t>(members.size())});
    return number;
}

uint32_t
RankMeetings::FindMessages(uint32_t rank, const GraphOutline::Channel& channel)
{
    const CommunicationKey& key = channel.key;
    const uint32_t peer =
        key.peerIsOffset ? m_workload.GetPeer(rank, key.peer, key.group) : key.peer;
    const bool isSend = key.kind == NodeKind::Send;
    const uint32_t from = isSend ? rank : peer;
    const uint32_t to = isSend ? peer : rank;
    if (peer >= m_topology.GetNRanks() || peer == rank)
    {
        throw InputError("rank " + std::to_string(rank) + " exchanges messages with rank " +
                         std::to_string(peer) + "; allowed is any other of the " +
                         std::to_string(m_topology.GetNRanks()));
    }
    const auto [entry, isNew] = m_messages.try_emplace({from, to, key.tag}, m_meetings.size());
    if (isNew)
    {
        m_meetings.push_back({{}, AddTraffic(MeetingTraffic(m_topology, from, to)), 2});
    }
    return entry->second;
}

std::vector<uint32_t>
RankMeetings::FindMembers(const CollectiveGroup& group, uint32_t rank)
{
    std::vector<uint32_t> members{rank};
    for (uint32_t level = 0; level < group.GetLevels().size(); ++level)
    {
        std::vector<uint32_t> more;
        for (const uint32_t member : members)
        {
            const auto peers = group.GetPeers(member, level);
            more.insert(more.end(), peers.begin(), peers.end());
        }
        members = std::move(more);
    }
    return members;
}

uint32_t
RankMeetings::AddTraffic(const MeetingTraffic& traffic)
{
    const auto [entry, isNew] = m_trafficNumbers.try_emplace(traffic, m_traffic.size());
    if (isNew)
    {
        m_traffic.push_back(traffic);
    }
    return entry->second;
}

void
RankMeetings::Check(const Outlines& outlines) const
{
    for (const Meeting& meeting : m_meetings)
    {
        const auto getChannel = [&](const Use& use) -> const GraphOutline::Channel& {
            return outlines[use.rank]->GetChannels()[use.channel];
        };
        const auto& first = getChannel(meeting.uses[0]);
        bool fits = meeting.uses.size() == meeting.nExpected;
        for (const Use& use : meeting.uses)
        {
            fits = fits && getChannel(use).nodes.size() == first.nodes.size();
        }
        if (!fits)
        {
            throw InputError("the ranks of the workload do not fit together: rank " +
                             std::to_string(meeting.uses[0].rank) + " has " +
                             std::to_string(first.nodes.size()) + " nodes of kind " +
                             ToString(first.key.kind) + " for which others lack theirs");
        }
    }
}

const std::vector<RankMeetings::Meeting>&
RankMeetings::Get() const
{
    return m_meetings;
}

const std::vector<uint32_t>&
RankMeetings::GetOf(uint32_t rank) const
{
    return m_of[rank];
}

const MeetingTraffic&
RankMeetings::GetTraffic(const Meeting& meeting) const
{
    return m_traffic[meeting.traffic];
}

} // namespace mlcluster
} // namespace ns3
