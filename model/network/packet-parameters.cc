/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-parameters.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace mlcluster
{

double
PacketParameters::GetPacketTime(const LinkGraph& graph, uint32_t from, uint32_t to, uint64_t bytes)
{
    double time = 0;
    graph.VisitRoute(from, to, [&](uint32_t index) {
        const DirectedLink& link = graph.GetLink(index);
        time += static_cast<double>(link.latencyPs) + SerialisationPicoseconds(bytes, link.bitRate);
    });
    return time;
}

uint64_t
PacketParameters::GetWindow(const LinkGraph& graph, uint32_t source, uint32_t destination) const
{
    if (windowBytes > 0)
    {
        return windowBytes;
    }
    uint64_t slowest = std::numeric_limits<uint64_t>::max();
    graph.VisitRoute(source, destination, [&](uint32_t link) {
        slowest = std::min(slowest, graph.GetLink(link).bitRate);
    });
    const double roundTrip = GetPacketTime(graph, source, destination, payloadBytes + headerBytes) +
                             GetPacketTime(graph, destination, source, ackBytes);
    constexpr double PS_PER_BYTE_AND_BIT_RATE = 8e12;
    const double product = static_cast<double>(slowest) * roundTrip / PS_PER_BYTE_AND_BIT_RATE;
    const double packets = std::ceil(windowBdp * product / payloadBytes);
    const double most = std::numeric_limits<int64_t>::max() / payloadBytes;
    return std::max(static_cast<uint64_t>(std::min(packets, most)), MIN_WINDOW_PACKETS) *
           payloadBytes;
}

uint64_t
PacketParameters::GetAckInterval(uint64_t window) const
{
    return ackInterval > 0 ? ackInterval : std::max<uint64_t>(window / payloadBytes / 4, 1);
}

uint64_t
PacketParameters::CountPackets(uint64_t bytes) const
{
    return std::max<uint64_t>(bytes / payloadBytes + (bytes % payloadBytes > 0 ? 1 : 0), 1);
}

uint64_t
PacketParameters::CountAcknowledgements(uint64_t bytes, uint64_t window) const
{
    const uint64_t fitting = std::max<uint64_t>(window / payloadBytes, 1);
    const uint64_t packets = CountPackets(bytes);
    const uint64_t interval = std::min(GetAckInterval(window), fitting);
    return packets / interval + (packets % interval > 0 ? 1 : 0);
}

} // namespace mlcluster
} // namespace ns3
