/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-costs.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

PacketCosts::PacketCosts(std::shared_ptr<const LinkGraph> graph,
                         const PacketParameters& parameters,
                         const Memory& memory)
    : MessageCosts(memory),
      m_graph(std::move(graph)),
      m_parameters(parameters)
{
}

MessageCost
PacketCosts::GetCost(uint32_t source, uint32_t destination, uint64_t bytes) const
{
    uint64_t hops = 0;
    m_graph->VisitRoute(source, destination, [&](uint32_t) { ++hops; });
    uint64_t hopsBack = 0;
    m_graph->VisitRoute(destination, source, [&](uint32_t) { ++hopsBack; });
    const uint64_t window = m_parameters.GetWindow(*m_graph, source, destination);
    const LargeCount packets = m_parameters.CountPackets(bytes);
    const LargeCount acknowledgements = m_parameters.CountAcknowledgements(bytes, window);
    const uint64_t full = packets.Get() / m_parameters.sourcePackets;
    const LargeCount bursts = full + (packets.Get() % m_parameters.sourcePackets > 0 ? 1 : 0);
    const LargeCount most = std::min(packets, bursts + acknowledgements);
    const LargeCount arrivals = packets * hops + acknowledgements * hopsBack;
    return {{arrivals + bursts, arrivals + bursts, arrivals + most}, packets, packets * hops};
}

MessageCosts::Leaving
PacketCosts::GetLeaving() const
{
    return Leaving::Told;
}

uint64_t
PacketCosts::GetSetupEvents() const
{
    const uint64_t switches = m_graph->GetNVertices() - m_graph->GetNRanks();
    return switches + m_graph->GetNLinks();
}

bool
PacketCosts::ComputesPhases() const
{
    return false;
}

} // namespace mlcluster
} // namespace ns3
