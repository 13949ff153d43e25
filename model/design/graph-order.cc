/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-order.h"

#include "ns3/diagnostics.h"

#include <string>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

using Kind = GraphOutline::Kind;

GraphOrder::GraphOrder(const JoinedGraphs& graphs, const std::vector<uint32_t>& queued)
    : m_graphs(graphs),
      m_nAwaited(graphs.GetNNodes()),
      m_next(graphs.GetJoints().size(), NONE),
      m_lanes(std::size_t{graphs.GetNParts()} * GraphOutline::N_LANES),
      m_before(graphs.GetNNodes(), NONE)
{
    for (std::size_t joint = 0; joint < m_next.size(); ++joint)
    {
        const bool isQueued = queued[joint] != NONE;
        m_nMissing.push_back(graphs.GetJoints()[joint].members.size() + (isQueued ? 1 : 0));
        if (isQueued)
        {
            m_next[queued[joint]] = joint;
        }
    }
    Begin();
    do
    {
        while (!m_running.empty())
        {
            const Place place = m_running.front();
            m_running.pop();
            m_order.push_back(place);
            if (m_graphs.GetKind(place) != Kind::Collective)
            {
                End(place);
                continue;
            }
            const uint32_t joint = m_graphs.GetJointNumber(place);
            for (const Place& member : m_graphs.GetJoints()[joint].members)
            {
                End(member);
            }
            if (m_next[joint] != NONE && --m_nMissing[m_next[joint]] == 0)
            {
                m_running.push(m_graphs.GetJoints()[m_next[joint]].members[0]);
            }
        }
    } while (GoAhead());
    CheckAll();
    m_links.clear();
    m_linksOf.clear();
    m_nAwaited = {};
    m_nMissing = {};
    m_next = {};
    m_lanes = {};
}

GraphOrder::Links
GraphOrder::MakeLinks(const GraphOutline& outline)
{
    Links links;
    std::tie(links.first, links.after) = outline.MakeAfter();
    links.turns.resize(outline.GetNNodes());
    for (const Kind kind : {Kind::Accelerator, Kind::Host, Kind::RemoteMemory})
    {
        uint32_t turn = 0;
        for (const uint32_t index : outline.GetLane(kind))
        {
            links.turns[index] = turn++;
        }
    }
    return links;
}

void
GraphOrder::Begin()
{
    for (uint32_t part = 0; part < m_graphs.GetNParts(); ++part)
    {
        const GraphOutline& outline = *m_graphs.GetOutline(part);
        const auto known = m_links.find(&outline);
        m_linksOf.push_back(known != m_links.end()
                                ? &known->second
                                : &m_links.emplace(&outline, MakeLinks(outline)).first->second);
        for (uint32_t index = 0; index < outline.GetNNodes(); ++index)
        {
            const auto before = outline.GetBefore(index);
            m_nAwaited[m_graphs.GetNumber({part, index})] =
                before.end() - before.begin() + (outline.GetKind(index) == Kind::Receive ? 1 : 0);
        }
    }
    for (uint32_t part = 0; part < m_graphs.GetNParts(); ++part)
    {
        for (uint32_t index = 0; index < m_graphs.GetOutline(part)->GetNNodes(); ++index)
        {
            if (m_nAwaited[m_graphs.GetNumber({part, index})] == 0)
            {
                Ready({part, index});
            }
        }
    }
}

GraphOrder::Lane&
GraphOrder::GetLane(const Place& place)
{
    return m_lanes[std::size_t{place.part} * GraphOutline::N_LANES +
                   static_cast<uint32_t>(m_graphs.GetKind(place))];
}

void
GraphOrder::Ready(const Place& place)
{
    const Kind kind = m_graphs.GetKind(place);
    if (static_cast<uint32_t>(kind) < GraphOutline::N_LANES)
    {
        Lane& lane = GetLane(place);
        lane.ready.push(m_linksOf[place.part]->turns[place.index]);
        Advance(place.part, lane);
    }
    else if (kind != Kind::Collective || --m_nMissing[m_graphs.GetJointNumber(place)] == 0)
    {
        m_running.push(place);
    }
}

void
GraphOrder::Advance(uint32_t part, Lane& lane)
{
    while (!lane.ready.empty() && lane.ready.top() == lane.next)
    {
        lane.ready.pop();
        Take(part, lane, lane.next++);
        while (lane.early.erase(lane.next) > 0)
        {
            ++lane.next;
        }
    }
}

void
GraphOrder::Take(uint32_t part, Lane& lane, uint32_t turn)
{
    const auto kind =
        static_cast<Kind>((&lane - m_lanes.data()) % std::size_t{GraphOutline::N_LANES});
    const uint32_t index = m_graphs.GetOutline(part)->GetLane(kind)[turn];
    m_before[m_graphs.GetNumber({part, index})] = lane.last;
    lane.last = index;
    m_running.push({part, index});
}

bool
GraphOrder::GoAhead()
{
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
    {
        Lane& lane = m_lanes[i];
        if (!lane.ready.empty())
        {
            const uint32_t turn = lane.ready.top();
            lane.ready.pop();
            lane.early.insert(turn);
            Take(i / GraphOutline::N_LANES, lane, turn);
            return true;
        }
    }
    return false;
}

void
GraphOrder::End(const Place& place)
{
    ++m_nEnded;
    const Links& links = *m_linksOf[place.part];
    for (uint32_t i = links.first[place.index]; i < links.first[place.index + 1]; ++i)
    {
        Release({place.part, links.after[i]});
    }
    if (m_graphs.GetKind(place) == Kind::Send)
    {
        Release(m_graphs.GetJoints()[m_graphs.GetJointNumber(place)].members[1]);
    }
}

void
GraphOrder::Release(const Place& place)
{
    if (--m_nAwaited[m_graphs.GetNumber(place)] == 0)
    {
        Ready(place);
    }
}

void
GraphOrder::CheckAll() const
{
    if (m_nEnded == m_graphs.GetNNodes())
    {
        return;
    }
    for (uint32_t part = 0; part < m_graphs.GetNParts(); ++part)
    {
        for (uint32_t index = 0; index < m_graphs.GetOutline(part)->GetNNodes(); ++index)
        {
            const bool isCollective = m_graphs.GetKind({part, index}) == Kind::Collective;
            if (m_nAwaited[m_graphs.GetNumber({part, index})] > 0 ||
                (isCollective && m_nMissing[m_graphs.GetJointNumber({part, index})] > 0))
            {
                throw InputError("the step can never end: ranks wait for each other, among them "
                                 "rank " +
                                 std::to_string(m_graphs.GetRank(part)) + " in node " +
                                 std::to_string(index) +
                                 " of its graph (counted from 0, by ascending id)");
            }
        }
    }
}

const std::vector<GraphOrder::Place>&
GraphOrder::Get() const
{
    return m_order;
}

uint32_t
GraphOrder::GetBefore(uint64_t number) const
{
    return m_before[number];
}

} // namespace mlcluster
} // namespace ns3
