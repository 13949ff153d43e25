/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "line-compiler.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int64_t MAX_PS = std::numeric_limits<int64_t>::max();
constexpr uint32_t NONE = UINT32_MAX;

/// @return the sum, or the largest time there is
int64_t
AddUpTo(int64_t time, int64_t duration)
{
    return duration > MAX_PS - time ? MAX_PS : time + duration;
}

} // namespace

LineCompiler::LineCompiler(LineProgram& program,
                           const CollectiveAlgorithm& algorithm,
                           const CollectiveRequest& request,
                           const std::vector<uint32_t>& peers,
                           const LinkGraph& graph)
    : m_program(program),
      m_peers(peers),
      m_graph(graph)
{
    for (uint32_t position = 0; position < request.size; ++position)
    {
        m_schedules.emplace_back(algorithm.Build(request, position), position);
    }
    const auto links = LineProgram::GetLinks(peers, graph);
    for (uint32_t slot = 0; slot < links.size(); ++slot)
    {
        m_linkSlot.emplace(links[slot], slot);
    }
    m_program.m_loads.resize(links.size());
    m_program.m_latencyPs = graph.GetLink(links[0]).latencyPs;
}

void
LineCompiler::Compile()
{
    AddSteps();
    FindLaterSteps();
    FindLevels();
    m_program.m_nCells = GetCell(static_cast<uint32_t>(m_steps.size()));
    AddBegins();
    AddMessages();
    FindOrder();
    AddLoads();
}

const RankSchedule::Step&
LineCompiler::GetEntry(uint32_t step) const
{
    return m_schedules[m_steps[step].position].GetSchedule().GetSteps()[m_steps[step].index];
}

uint32_t
LineCompiler::GetCell(uint32_t step) const
{
    return LineProgram::GetEntryCell(static_cast<uint32_t>(m_peers.size())) + 2 * step;
}

LineProgram::Wait
LineCompiler::GetWait(uint32_t step) const
{
    const auto& entry = GetEntry(step);
    return {GetCell(step), AddUpTo(entry.nReceives > 0 ? m_program.m_delayPs : 0, entry.workPs)};
}

void
LineCompiler::AddSteps()
{
    uint32_t nChains = 0;
    for (uint32_t position = 0; position < m_schedules.size(); ++position)
    {
        const auto first = static_cast<uint32_t>(m_steps.size());
        m_firstStep.push_back(first);
        const RankSchedule& schedule = m_schedules[position].GetSchedule();
        std::vector<bool> isContinued(schedule.GetSteps().size());
        for (uint32_t index = 0; index < schedule.GetSteps().size(); ++index)
        {
            const auto& entry = schedule.GetSteps()[index];
            const uint32_t before = entry.nAfter > 0 ? schedule.GetAfter()[entry.firstAfter] : NONE;
            const bool continues = before != NONE && !isContinued[before];
            m_steps.push_back(
                {position, index, continues ? m_steps[first + before].chain : nChains++});
            if (continues)
            {
                isContinued[before] = true;
            }
        }
    }
}

std::vector<uint32_t>
LineCompiler::FindReceivers(uint32_t step) const
{
    const uint32_t position = m_steps[step].position;
    const auto& entry = GetEntry(step);
    std::vector<uint32_t> receivers;
    for (uint32_t i = 0; i < entry.nSends; ++i)
    {
        const Transfer& send = m_schedules[position].GetSchedule().GetSends()[entry.firstSend + i];
        const uint32_t receive = m_schedules[send.peer].FindReceive(position, send.tag);
        if (receive == SharedSchedule::NONE)
        {
            throw InputError("member " + std::to_string(send.peer) + " expects no message " +
                             std::to_string(send.tag) + " of member " + std::to_string(position));
        }
        receivers.push_back(m_firstStep[send.peer] +
                            m_schedules[send.peer].GetStepOfReceive(receive));
    }
    return receivers;
}

std::vector<uint32_t>
LineCompiler::FindChildren(uint32_t step) const
{
    const uint32_t position = m_steps[step].position;
    const auto [begin, end] = m_schedules[position].GetChildren(m_steps[step].index);
    std::vector<uint32_t> children(begin, end);
    for (uint32_t& child : children)
    {
        child += m_firstStep[position];
    }
    return children;
}

void
LineCompiler::FindLaterSteps()
{
    for (uint32_t step = 0; step < m_steps.size(); ++step)
    {
        m_receivers.push_back(FindReceivers(step));
        m_later.push_back(FindChildren(step));
        for (const uint32_t receiver : m_receivers.back())
        {
            const auto children = FindChildren(receiver);
            m_later.back().insert(m_later.back().end(), children.begin(), children.end());
        }
        for (const uint32_t later : m_later.back())
        {
            ++m_steps[later].waiting;
        }
    }
}

void
LineCompiler::FindLevels()
{
    for (uint32_t step = 0; step < m_steps.size(); ++step)
    {
        if (m_steps[step].waiting == 0)
        {
            m_sorted.push_back(step);
        }
    }
    for (std::size_t i = 0; i < m_sorted.size(); ++i)
    {
        const Step& step = m_steps[m_sorted[i]];
        for (const uint32_t later : m_later[m_sorted[i]])
        {
            m_steps[later].level = std::max(m_steps[later].level, step.level + 1);
            if (--m_steps[later].waiting == 0)
            {
                m_sorted.push_back(later);
            }
        }
    }
    if (m_sorted.size() < m_steps.size())
    {
        throw InputError("the schedules wait for each other in a circle");
    }
    std::stable_sort(m_sorted.begin(), m_sorted.end(), [this](uint32_t a, uint32_t b) {
        return m_steps[a].level < m_steps[b].level;
    });
}

void
LineCompiler::AddBegins()
{
    for (const uint32_t step : m_sorted)
    {
        const Step& at = m_steps[step];
        const auto& entry = GetEntry(step);
        const auto& after = m_schedules[at.position].GetSchedule().GetAfter();
        for (uint32_t i = 0; i < entry.nAfter; ++i)
        {
            const uint32_t before = m_firstStep[at.position] + after[entry.firstAfter + i];
            m_program.m_waits.push_back(GetWait(before));
        }
        if (entry.nAfter == 0)
        {
            m_program.m_waits.push_back({LineProgram::GetEntryCell(at.position), 0});
        }
        m_program.m_begins.push_back(
            {GetCell(step), static_cast<uint32_t>(m_program.m_waits.size())});
        m_program.m_levels.resize(at.level + 1);
        ++m_program.m_levels[at.level].endBegin;
        if (FindChildren(step).empty())
        {
            m_program.m_leaves.push_back({at.position, GetWait(step)});
        }
    }
}

void
LineCompiler::AddMessages()
{
    for (const uint32_t step : m_sorted)
    {
        for (uint32_t send = 0; send < m_receivers[step].size(); ++send)
        {
            AddMessage(step, send, m_receivers[step][send]);
        }
    }
    std::stable_sort(m_crossings.begin(), m_crossings.end());
    for (const Crossing& crossing : m_crossings)
    {
        m_program.m_hops.push_back(crossing.what);
        m_program.m_transits.push_back(crossing.transit);
        ++m_program.m_levels[crossing.level].endHop;
    }
    for (std::size_t i = 1; i < m_program.m_levels.size(); ++i)
    {
        m_program.m_levels[i].endBegin += m_program.m_levels[i - 1].endBegin;
        m_program.m_levels[i].endHop += m_program.m_levels[i - 1].endHop;
    }
}

void
LineCompiler::AddMessage(uint32_t step, uint32_t send, uint32_t receiver)
{
    const Step& at = m_steps[step];
    const Transfer& transfer =
        m_schedules[at.position].GetSchedule().GetSends()[GetEntry(step).firstSend + send];
    const auto route = m_graph.GetRoute(m_peers[at.position], m_peers[transfer.peer]);
    uint32_t head = GetCell(step) + 1;
    uint32_t tail = LineProgram::ZERO_CELL;
    for (uint32_t hop = 0; hop < route.size(); ++hop)
    {
        const bool isLast = hop + 1 == route.size();
        const uint32_t next = isLast ? LineProgram::SPARE_CELL : m_program.m_nCells++;
        const uint32_t arrived = isLast ? GetCell(receiver) : m_program.m_nCells++;
        const uint32_t left =
            hop == 0 ? LineProgram::GetEndCell(at.position) : LineProgram::SPARE_CELL;
        const uint64_t bitRate = m_graph.GetLink(route[hop]).bitRate;
        m_crossings.push_back({at.level,
                               send,
                               hop,
                               at.position,
                               {head,
                                left,
                                arrived,
                                m_linkSlot.at(route[hop]),
                                SerialisationPicoseconds(transfer.bytes, bitRate)},
                               {tail, next, at.chain}});
        head = next;
        tail = arrived;
        m_program.m_loads[m_linkSlot.at(route[hop])].bytes += transfer.bytes;
    }
    ++m_program.m_nMessages;
}

void
LineCompiler::FindOrder()
{
    std::vector<uint32_t> users(m_program.m_loads.size(), NONE);
    for (std::size_t i = 0; i < m_program.m_hops.size(); ++i)
    {
        uint32_t& user = users[m_program.m_hops[i].link];
        const LineProgram::Transit& transit = m_program.m_transits[i];
        const bool isShared = user != NONE && user != transit.chain;
        m_program.m_isOrdered =
            m_program.m_isOrdered && !isShared && transit.next == LineProgram::SPARE_CELL;
        user = transit.chain;
    }
}

void
LineCompiler::AddLoads()
{
    int64_t& longest = m_program.m_longestPs;
    longest = m_program.m_delayPs;
    for (const LineProgram::Hop& hop : m_program.m_hops)
    {
        int64_t& busy = m_program.m_loads[hop.link].busyPs;
        busy = AddUpTo(busy, hop.durationPs);
        longest = AddUpTo(AddUpTo(longest, hop.durationPs), m_program.m_latencyPs);
    }
    for (uint32_t step = 0; step < m_steps.size(); ++step)
    {
        longest = AddUpTo(longest, GetWait(step).offsetPs);
    }
}

} // namespace mlcluster
} // namespace ns3
