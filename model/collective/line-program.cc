/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "line-program.h"

#include "line-compiler.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

void
Raise(int64_t& cell, int64_t time)
{
    cell = std::max(cell, time);
}

} // namespace

LineProgram::LineProgram(const CollectiveAlgorithm& algorithm,
                         const CollectiveRequest& request,
                         const std::vector<uint32_t>& peers,
                         const LinkGraph& graph,
                         int64_t delayPs)
    : m_size(request.size),
      m_delayPs(delayPs)
{
    LineCompiler(*this, algorithm, request, peers, graph).Compile();
}

std::vector<uint32_t>
LineProgram::GetLinks(const std::vector<uint32_t>& peers, const LinkGraph& graph)
{
    const uint32_t dimension = graph.GetLink(graph.GetNextLink(peers[0], peers[1])).dimension;
    const BuildingBlock block = graph.GetTopology().GetDimension(dimension).block;
    std::vector<uint32_t> links;
    for (const uint32_t member : peers)
    {
        for (const uint32_t peer : peers)
        {
            if (block == BuildingBlock::FullyConnected && peer != member)
            {
                links.push_back(graph.GetNextLink(member, peer));
            }
        }
        for (const uint32_t link : graph.GetLinksFrom(member))
        {
            const bool isOfLine = graph.GetLink(link).dimension == dimension;
            if (isOfLine && block != BuildingBlock::FullyConnected)
            {
                links.push_back(link);
            }
            if (isOfLine && block == BuildingBlock::Switch)
            {
                links.push_back(graph.GetReverseLink(link));
            }
        }
    }
    return links;
}

template <bool IS_ORDERED>
bool
LineProgram::RunLevels(int64_t* cells, LinkState* links) const
{
    bool isKnown = true;
    const Begin* begin = m_begins.data();
    const Wait* wait = m_waits.data();
    std::size_t i = 0;
    for (const Level& level : m_levels)
    {
        for (const Begin* end = m_begins.data() + level.endBegin; begin != end; ++begin)
        {
            int64_t start = 0;
            for (const Wait* endWait = m_waits.data() + begin->endWait; wait != endWait; ++wait)
            {
                Raise(start, cells[wait->cell] + wait->offsetPs);
            }
            Raise(cells[begin->cell], start);
            cells[begin->cell + 1] = start;
        }
        for (; i < level.endHop; ++i)
        {
            const Hop& hop = m_hops[i];
            LinkState& link = links[hop.link];
            const int64_t head = cells[hop.head];
            if constexpr (IS_ORDERED)
            {
                link.lastHead = head;
                link.queue.Serve(head, hop.durationPs);
                Raise(cells[hop.left], link.queue.freeAt);
                Raise(cells[hop.arrived], link.queue.freeAt + m_latencyPs);
                continue;
            }
            const Transit& transit = m_transits[i];
            isKnown = isKnown && link.Follow(head, transit.chain, hop.durationPs == 0);
            const int64_t start = link.queue.Serve(head, hop.durationPs);
            const int64_t leaves = std::max(start + hop.durationPs, cells[transit.tail]);
            Raise(cells[hop.left], leaves);
            Raise(cells[transit.next], start + m_latencyPs);
            Raise(cells[hop.arrived], leaves + m_latencyPs);
        }
    }
    return isKnown;
}

bool
LineProgram::LinkState::Follow(int64_t head, uint32_t chain, bool isEmpty)
{
    const bool isLater = head > lastHead;
    const bool isNext = head == lastHead && (chain == lastChain || (isEmpty && lastIsEmpty));
    lastHead = head;
    lastChain = chain;
    lastIsEmpty = isEmpty;
    return isLater || isNext;
}

bool
LineProgram::Run(int64_t* times, LinkState* links, std::vector<int64_t>& cells) const
{
    cells.assign(m_nCells, 0);
    for (uint32_t position = 0; position < m_size; ++position)
    {
        cells[GetEntryCell(position)] = times[position] + m_delayPs;
        cells[GetEndCell(position)] = times[position] + m_delayPs;
    }
    const bool isKnown =
        m_isOrdered ? RunLevels<true>(cells.data(), links) : RunLevels<false>(cells.data(), links);
    for (uint32_t position = 0; position < m_size; ++position)
    {
        times[position] = cells[GetEndCell(position)];
    }
    for (const Leaf& leaf : m_leaves)
    {
        Raise(times[leaf.position], cells[leaf.wait.cell] + leaf.wait.offsetPs);
    }
    return isKnown;
}

bool
LineProgram::IsOrdered() const
{
    return m_isOrdered;
}

uint64_t
LineProgram::GetNMessages() const
{
    return m_nMessages;
}

int64_t
LineProgram::GetLongestPs() const
{
    return m_longestPs;
}

const std::vector<LineProgram::LinkLoad>&
LineProgram::GetLoads() const
{
    return m_loads;
}

} // namespace mlcluster
} // namespace ns3
