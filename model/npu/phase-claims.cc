/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phase-claims.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

PhaseClaims::PhaseClaims(std::shared_ptr<const LinkGraph> graph)
    : m_graph(std::move(graph)),
      m_slots(std::size_t{m_graph->GetNRanks()} * m_graph->GetTopology().GetNDimensions())
{
}

std::size_t
PhaseClaims::GetIndex(uint32_t rank, uint32_t dimension) const
{
    return std::size_t{dimension} * m_graph->GetNRanks() + rank;
}

std::size_t
PhaseClaims::GetIndexOfLink(uint32_t link) const
{
    const DirectedLink& what = m_graph->GetLink(link);
    return GetIndex(what.from < m_graph->GetNRanks() ? what.from : what.to, what.dimension);
}

std::vector<PhaseClaims::Holder*>
PhaseClaims::GetHolders(uint32_t rank, const std::vector<uint32_t>& dimensions) const
{
    std::vector<Holder*> holders;
    for (const uint32_t dimension : dimensions)
    {
        if (Holder* holder = m_slots[GetIndex(rank, dimension)].last)
        {
            holders.push_back(holder);
        }
    }
    return holders;
}

std::vector<PhaseClaims::Holder*>
PhaseClaims::GetHoldersOfRoute(uint32_t source, uint32_t destination) const
{
    std::vector<Holder*> holders;
    m_graph->VisitRoute(source, destination, [&](uint32_t link) {
        if (Holder* holder = m_slots[GetIndexOfLink(link)].last)
        {
            holders.push_back(holder);
        }
    });
    return holders;
}

bool
PhaseClaims::IsUsed(const Slot& slot, int64_t now)
{
    const bool isQuiet = slot.nHolders == 1 && slot.last && now > slot.last->lastHeadPs;
    return slot.nMessages > 0 || (slot.nHolders > 0 && !isQuiet);
}

bool
PhaseClaims::Disturb(Slot& slot, int64_t now)
{
    if (slot.last && now <= slot.last->lastHeadPs)
    {
        slot.last->isOverlapped = true;
    }
    return IsUsed(slot, now);
}

bool
PhaseClaims::IsFree(uint32_t rank, const std::vector<uint32_t>& dimensions, int64_t now) const
{
    return std::none_of(dimensions.begin(), dimensions.end(), [&](uint32_t dimension) {
        return IsUsed(m_slots[GetIndex(rank, dimension)], now);
    });
}

void
PhaseClaims::Claim(Holder& holder,
                   uint32_t rank,
                   const std::vector<uint32_t>& dimensions,
                   int64_t now)
{
    for (const uint32_t dimension : dimensions)
    {
        Slot& slot = m_slots[GetIndex(rank, dimension)];
        holder.isOverlapped = Disturb(slot, now) || holder.isOverlapped;
        ++slot.nHolders;
        slot.last = &holder;
    }
}

void
PhaseClaims::Release(Holder& holder, uint32_t rank, const std::vector<uint32_t>& dimensions)
{
    for (const uint32_t dimension : dimensions)
    {
        Slot& slot = m_slots[GetIndex(rank, dimension)];
        --slot.nHolders;
        slot.last = slot.last == &holder ? nullptr : slot.last;
    }
}

void
PhaseClaims::Occupy(uint32_t rank, const std::vector<uint32_t>& dimensions, int64_t now)
{
    for (const uint32_t dimension : dimensions)
    {
        Slot& slot = m_slots[GetIndex(rank, dimension)];
        Disturb(slot, now);
        ++slot.nMessages;
    }
}

void
PhaseClaims::Vacate(uint32_t rank, const std::vector<uint32_t>& dimensions)
{
    for (const uint32_t dimension : dimensions)
    {
        --m_slots[GetIndex(rank, dimension)].nMessages;
    }
}

void
PhaseClaims::OccupyRoute(uint32_t source, uint32_t destination, int64_t now)
{
    m_graph->VisitRoute(source, destination, [&](uint32_t link) {
        Slot& slot = m_slots[GetIndexOfLink(link)];
        Disturb(slot, now);
        ++slot.nMessages;
    });
}

void
PhaseClaims::VacateRoute(uint32_t source, uint32_t destination)
{
    m_graph->VisitRoute(source, destination, [&](uint32_t link) {
        --m_slots[GetIndexOfLink(link)].nMessages;
    });
}

} // namespace mlcluster
} // namespace ns3
