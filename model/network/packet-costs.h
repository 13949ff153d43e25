/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKET_COSTS_H
#define ML_CLUSTER_PACKET_COSTS_H

#include "message-costs.h"
#include "packet-parameters.h"

#include "ns3/link-graph.h"

#include <memory>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * MessageCosts of PacketBackend. A message causes an event for each of its packets and links, one
 * for each acknowledgement and link of the way back, and one whenever packets that its NPU has put
 * into a port together have left: SourcePackets at a time, fewer at the end of a message and where
 * the window closes, which each acknowledgement of the pair can let happen once.
 *
 * Expected is that the window never closes amid SourcePackets.
 */
class PacketCosts : public MessageCosts
{
  public:
    /// @param graph the network @param parameters of packets @param memory of the network
    PacketCosts(std::shared_ptr<const LinkGraph> graph,
                const PacketParameters& parameters,
                const Memory& memory);

    MessageCost GetCost(uint32_t source, uint32_t destination, uint64_t bytes) const override;
    Leaving GetLeaving() const override;
    uint64_t GetSetupEvents() const override;
    bool ComputesPhases() const override;

  private:
    std::shared_ptr<const LinkGraph> m_graph; ///< network
    PacketParameters m_parameters;            ///< of packets
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_COSTS_H
