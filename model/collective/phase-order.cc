/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phase-order.h"

#include <queue>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// When a chunk's phase ends; ties go to the lower chunk.
struct PhaseEnd
{
    int64_t time;
    uint32_t chunk;
    uint32_t phase;

    bool operator>(const PhaseEnd& o) const
    {
        return std::tie(time, chunk) > std::tie(o.time, o.chunk);
    }
};

/// A chunk's phase in front of its dimension.
struct Waiting
{
    uint64_t urgency;
    uint64_t ticket;
    PhaseOrder::ChunkPhase who;

    bool operator>(const Waiting& o) const
    {
        return std::tie(urgency, ticket) > std::tie(o.urgency, o.ticket);
    }
};

template <typename T>
using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

/// A dimension of the pre-run.
struct Station
{
    Earliest<Waiting> waiting;
    uint32_t inFlight{0};
};

} // namespace

PhaseOrder::PhaseOrder(uint32_t nChunks,
                       uint32_t nPhases,
                       const std::vector<uint32_t>& limits,
                       const Visits& visits)
    : m_orders(limits.size())
{
    std::vector<Station> stations(limits.size());
    Earliest<PhaseEnd> ends;
    uint64_t ticket = 0;
    const auto enqueue = [&](const ChunkPhase& who) {
        const Visit visit = visits(who.chunk, who.phase);
        stations[visit.dimension].waiting.push({visit.urgency, ticket++, who});
    };
    const auto startAll = [&](int64_t now) {
        for (std::size_t k = 0; k < stations.size(); ++k)
        {
            Station& station = stations[k];
            while (!station.waiting.empty() && station.inFlight < limits[k])
            {
                const ChunkPhase who = station.waiting.top().who;
                station.waiting.pop();
                ++station.inFlight;
                m_orders[k].push_back(who);
                ends.push({now + visits(who.chunk, who.phase).idealPs, who.chunk, who.phase});
            }
        }
    };
    for (uint32_t chunk = 0; chunk < nChunks && nPhases > 0; ++chunk)
    {
        enqueue({chunk, 0});
    }
    startAll(0);
    while (!ends.empty())
    {
        const int64_t now = ends.top().time;
        while (!ends.empty() && ends.top().time == now)
        {
            const PhaseEnd end = ends.top();
            ends.pop();
            --stations[visits(end.chunk, end.phase).dimension].inFlight;
            if (end.phase + 1 < nPhases)
            {
                enqueue({end.chunk, end.phase + 1});
            }
        }
        startAll(now);
    }
}

const std::vector<std::vector<PhaseOrder::ChunkPhase>>&
PhaseOrder::GetOrders() const
{
    return m_orders;
}

} // namespace mlcluster
} // namespace ns3
