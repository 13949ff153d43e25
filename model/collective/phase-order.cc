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

/// A dimension of the pre-run.
struct Station
{
    std::queue<PhaseOrder::ChunkPhase> waiting;
    uint32_t inFlight{0};
};

} // namespace

PhaseOrder::PhaseOrder(uint32_t nChunks,
                       const std::vector<uint32_t>& dimensions,
                       uint32_t nDimensions,
                       uint32_t limit,
                       const IdealTime& idealTime)
    : m_orders(nDimensions)
{
    std::vector<Station> stations(nDimensions);
    std::priority_queue<PhaseEnd, std::vector<PhaseEnd>, std::greater<>> ends;
    const auto start = [&](uint32_t dimension, int64_t now) {
        Station& station = stations[dimension];
        while (!station.waiting.empty() && station.inFlight < limit)
        {
            const ChunkPhase next = station.waiting.front();
            station.waiting.pop();
            ++station.inFlight;
            m_orders[dimension].push_back(next);
            ends.push({now + idealTime(next.chunk, next.phase), next.chunk, next.phase});
        }
    };
    for (uint32_t chunk = 0; chunk < nChunks && !dimensions.empty(); ++chunk)
    {
        stations[dimensions[0]].waiting.push({chunk, 0});
        start(dimensions[0], 0);
    }
    while (!ends.empty())
    {
        const PhaseEnd end = ends.top();
        ends.pop();
        const uint32_t left = dimensions[end.phase];
        const uint32_t next = end.phase + 1;
        --stations[left].inFlight;
        if (next < dimensions.size())
        {
            stations[dimensions[next]].waiting.push({end.chunk, next});
            start(dimensions[next], end.time);
        }
        start(left, end.time);
    }
}

const std::vector<std::vector<PhaseOrder::ChunkPhase>>&
PhaseOrder::GetOrders() const
{
    return m_orders;
}

} // namespace mlcluster
} // namespace ns3
