/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "joined-graphs.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

JoinedGraphs::JoinedGraphs(const ClusterWorkload& workload,
                           const ClusterTopology& topology,
                           const NodeTime& nodeTime,
                           const GraphOutline::Resources& resources,
                           PartBandwidth parts)
    : m_workload(workload),
      m_topology(topology),
      m_mostBytes(topology.GetNDimensions())
{
    const auto outlines = MakeOutlines(resources);
    const RankMeetings meetings(workload, topology, outlines, parts);
    std::vector<std::vector<double>> times;
    const auto kinds = FindKinds(outlines, nodeTime, times);
    const RankClasses classes(kinds, meetings);
    m_classOf = classes.Get();
    for (const uint32_t rank : classes.GetFirstRanks())
    {
        AddPart(outlines[rank], rank, times[kinds[rank]]);
    }
    std::vector<bool> isDone(classes.GetNMeetings());
    for (std::size_t i = 0; i < meetings.Get().size(); ++i)
    {
        const uint32_t kind = classes.GetMeetings()[i];
        if (!isDone[kind])
        {
            AddJoints(meetings, meetings.Get()[i], classes.GetUses(kind));
            isDone[kind] = true;
        }
    }
    for (const Numbers& sent : m_sent)
    {
        for (std::size_t d = 0; d < sent.size(); ++d)
        {
            m_mostBytes[d] = std::max(m_mostBytes[d], sent[d]);
        }
    }
}

RankMeetings::Outlines
JoinedGraphs::MakeOutlines(const GraphOutline::Resources& resources) const
{
    std::unordered_map<const ExecutionGraph*, std::shared_ptr<const GraphOutline>> known;
    RankMeetings::Outlines outlines;
    for (uint32_t rank = 0; rank < m_workload.GetNRanks(); ++rank)
    {
        auto& outline = known[&m_workload.GetGraph(rank)];
        if (!outline)
        {
            outline = std::make_shared<GraphOutline>(m_workload.GetGraph(rank), resources);
        }
        outlines.push_back(outline);
    }
    return outlines;
}

std::vector<double>
JoinedGraphs::MakeTimes(uint32_t rank, const NodeTime& nodeTime) const
{
    const ExecutionGraph& graph = m_workload.GetGraph(rank);
    std::vector<double> times(graph.GetNNodes());
    for (uint32_t index = 0; index < times.size(); ++index)
    {
        const NodeHandle node = graph.GetNode(index);
        if (node->kind == NodeKind::Compute || IsMemoryAccess(*node))
        {
            times[index] = nodeTime(rank, *node);
            if (!std::isfinite(times[index]) || times[index] < 0)
            {
                throw InputError("rank " + std::to_string(rank) + " " + Describe(*node) +
                                 ": a time of " + FormatNumber(times[index]) +
                                 " ns; allowed is a finite one, not negative");
            }
        }
    }
    return times;
}

std::vector<uint32_t>
JoinedGraphs::FindKinds(const RankMeetings::Outlines& outlines,
                        const NodeTime& nodeTime,
                        std::vector<std::vector<double>>& times) const
{
    std::map<const GraphOutline*, std::vector<uint32_t>> kindsOf;
    std::vector<uint32_t> kinds;
    for (uint32_t rank = 0; rank < outlines.size(); ++rank)
    {
        auto own = MakeTimes(rank, nodeTime);
        auto& known = kindsOf[outlines[rank].get()];
        const bool isAlone = m_workload.GetGraph(rank).GetTotals().hasPeerBytes;
        const auto found = std::find_if(known.begin(), known.end(), [&](uint32_t kind) {
            return !isAlone && times[kind] == own;
        });
        kinds.push_back(found == known.end() ? times.size() : *found);
        if (found == known.end())
        {
            known.push_back(times.size());
            times.push_back(std::move(own));
        }
    }
    return kinds;
}

void
JoinedGraphs::AddPart(const std::shared_ptr<const GraphOutline>& outline,
                      uint32_t rank,
                      const std::vector<double>& times)
{
    m_parts.push_back({outline, rank, m_values.size()});
    m_sent.emplace_back(m_topology.GetNDimensions());
    for (const double time : times)
    {
        const auto [entry, isNew] = m_timeNumbers.try_emplace(time, m_times.size());
        if (isNew)
        {
            m_times.push_back(time);
        }
        m_values.push_back(entry->second);
    }
}

void
JoinedGraphs::AddJoints(const RankMeetings& meetings,
                        const RankMeetings::Meeting& meeting,
                        const std::vector<RankClasses::Use>& uses)
{
    const auto getChannel = [&](uint32_t part, uint32_t channel) -> const GraphOutline::Channel& {
        return m_parts[part].outline->GetChannels()[channel];
    };
    const RankMeetings::Use& first = meeting.uses[0];
    const auto& channel = getChannel(m_classOf[first.rank], first.channel);
    const MeetingTraffic& traffic = meetings.GetTraffic(meeting);
    const bool isMessage = channel.key.kind != NodeKind::Collective;
    const uint32_t nMeetings = m_joints.empty() ? 0 : m_joints.back().meeting + 1;
    for (std::size_t k = 0; k < channel.nodes.size(); ++k)
    {
        const NodeHandle node = m_workload.GetGraph(first.rank).GetNode(channel.nodes[k]);
        const bool isUnequal = !node->peerBytes.empty();
        const Numbers bytes =
            isUnequal ? AddUnequalBytes(meeting.uses, k) : traffic.GetBytes(*node);
        const Numbers loads = traffic.GetLoads(bytes);
        const auto [entry, isNew] = m_transferNumbers.try_emplace(loads, m_transfers.size());
        if (isNew)
        {
            m_transfers.push_back(loads);
        }
        Joint joint{entry->second, {}, nMeetings};
        for (const auto& [part, number] : uses)
        {
            const auto& own = getChannel(part, number);
            const bool isSender = isMessage && own.key.kind == NodeKind::Send;
            const Place place{part, own.nodes[k]};
            joint.members.insert(isSender ? joint.members.begin() : joint.members.end(), place);
            m_values[GetNumber(place)] = m_joints.size();
            if (isSender || (!isMessage && !isUnequal && traffic.IsSentByAll(*node)))
            {
                Count(part, bytes);
            }
        }
        m_joints.push_back(std::move(joint));
    }
}

JoinedGraphs::Numbers
JoinedGraphs::AddUnequalBytes(const std::vector<RankMeetings::Use>& uses, std::size_t k)
{
    Numbers most(m_topology.GetNDimensions());
    for (const auto& [rank, channel] : uses)
    {
        const uint32_t part = m_classOf[rank];
        const uint32_t index = m_parts[part].outline->GetChannels()[channel].nodes[k];
        const NodeHandle node = m_workload.GetGraph(rank).GetNode(index);
        const auto& members = m_workload.GetGroup(m_workload.ResolveGroup(rank, node->group));
        const std::vector<uint64_t>& sizes = node->peerBytes;
        Numbers bytes(most.size());
        for (std::size_t j = 0; j < std::min(members.size(), sizes.size()); ++j)
        {
            for (uint32_t d = 0; d < bytes.size(); ++d)
            {
                const bool differs =
                    m_topology.GetDigit(members[j], d) != m_topology.GetDigit(rank, d);
                bytes[d] += differs ? static_cast<double>(sizes[j]) : 0;
            }
        }
        for (std::size_t d = 0; d < bytes.size(); ++d)
        {
            most[d] = std::max(most[d], bytes[d]);
        }
        Count(part, bytes);
    }
    return most;
}

void
JoinedGraphs::Count(uint32_t part, const Numbers& bytes)
{
    for (std::size_t d = 0; d < bytes.size(); ++d)
    {
        m_sent[part][d] += bytes[d];
    }
}

uint32_t
JoinedGraphs::GetNParts() const
{
    return m_parts.size();
}

uint64_t
JoinedGraphs::GetNNodes() const
{
    return m_values.size();
}

const std::shared_ptr<const GraphOutline>&
JoinedGraphs::GetOutline(uint32_t part) const
{
    return m_parts[part].outline;
}

uint32_t
JoinedGraphs::GetRank(uint32_t part) const
{
    return m_parts[part].rank;
}

uint64_t
JoinedGraphs::GetNumber(const Place& place) const
{
    return m_parts[place.part].offset + place.index;
}

GraphOutline::Kind
JoinedGraphs::GetKind(const Place& place) const
{
    return m_parts[place.part].outline->GetKind(place.index);
}

double
JoinedGraphs::GetTime(const Place& place) const
{
    return m_times[m_values[GetNumber(place)]];
}

uint32_t
JoinedGraphs::GetJointNumber(const Place& place) const
{
    return m_values[GetNumber(place)];
}

const std::vector<JoinedGraphs::Joint>&
JoinedGraphs::GetJoints() const
{
    return m_joints;
}

const std::vector<std::vector<double>>&
JoinedGraphs::GetTransfers() const
{
    return m_transfers;
}

const std::vector<double>&
JoinedGraphs::GetMostBytes() const
{
    return m_mostBytes;
}

} // namespace mlcluster
} // namespace ns3
