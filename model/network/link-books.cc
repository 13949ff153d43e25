/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-books.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

__extension__ typedef unsigned __int128 uint128;

constexpr uint64_t BITS_PS = 8'000'000'000'000; // a byte's bits, times the picoseconds of a second

} // namespace

LinkBooks::LinkBooks(std::shared_ptr<const LinkGraph> graph, bool isShared)
    : m_graph(std::move(graph)),
      m_isShared(isShared),
      m_links(m_graph->GetNLinks())
{
}

int64_t
LinkBooks::GetFreeAt(uint32_t link) const
{
    return m_links[link].queue.freeAt;
}

const LinkQueue&
LinkBooks::GetQueue(uint32_t link) const
{
    return m_links[link].queue;
}

int64_t
LinkBooks::GetTurn(uint32_t link, int64_t durationPs, int64_t nowPs) const
{
    const LinkState& state = m_links[link];
    const bool isInTheWay = nowPs < state.heldUntil && nowPs + durationPs > state.heldFrom;
    return isInTheWay ? state.heldUntil : nowPs;
}

void
LinkBooks::Enter(uint32_t link, uint64_t bytes, int64_t busyPs, const LinkQueue& queue)
{
    LinkState& state = m_links[link];
    state.bytes += bytes;
    state.busy += busyPs;
    state.heldFrom = state.heldUntil < state.queue.freeAt ? state.queue.freeAt : state.heldFrom;
    state.heldUntil = queue.freeAt;
    state.queue = queue;
}

void
LinkBooks::Book(uint32_t link, uint64_t bytes, int64_t durationPs, int64_t nowPs)
{
    LinkState& state = m_links[link];
    const auto describe = [&] {
        return "a message of " + FormatBytes(bytes) + " over a link of " +
               FormatBitRate(m_graph->GetLink(link).bitRate);
    };
    state.bytes += bytes;
    state.busy = GetEnd(state.busy, durationPs, describe);
    if (m_isShared)
    {
        GetEnd(std::max(nowPs, state.queue.freeAt), durationPs, describe);
        state.queue.Serve(nowPs, durationPs);
    }
}

std::vector<LinkUsage>
LinkBooks::GetUsage(int64_t nowPs) const
{
    std::vector<LinkUsage> usage(m_links.size());
    for (uint32_t i = 0; i < m_links.size(); ++i)
    {
        const LinkState& state = m_links[i];
        const uint128 bitRate = m_graph->GetLink(i).bitRate;
        const int64_t booked = std::clamp<int64_t>(state.queue.freeAt - nowPs, 0, state.busy);
        const auto waiting = static_cast<uint64_t>((booked * bitRate + BITS_PS - 1) / BITS_PS);
        usage[i].link = i;
        usage[i].payloadBytes = state.bytes - std::min(state.bytes, waiting);
        usage[i].wireBytes = usage[i].payloadBytes;
        usage[i].busyPs = state.busy - booked;
        usage[i].maxQueueBytes = static_cast<uint64_t>(state.queue.maxBacklog * bitRate / BITS_PS);
    }
    return usage;
}

} // namespace mlcluster
} // namespace ns3
