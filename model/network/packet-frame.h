/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKET_FRAME_H
#define ML_CLUSTER_PACKET_FRAME_H

#include "message-header.h"

#include "ns3/event-impl.h"
#include "ns3/packet.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

class ClusterNetDevice;

/**
 * @ingroup ml-cluster
 * One packet on its way through the links of a PacketBackend.
 *
 * The frame is itself the simulator event "the last byte has arrived at the far end of the link",
 * scheduled anew for every hop, so that a packet costs one event and no allocation per hop. Header
 * fields are plain members; a Packet with real header bytes is made only for trace sinks.
 */
class PacketFrame : public EventImpl
{
  public:
    PacketFields fields;   ///< header of a packet of a message; unused in a foreign one
    uint64_t wireBytes{0}; ///< bytes it takes on the wire
    ClusterNetDevice* receiver{nullptr}; ///< device at the far end of the link it is on
    /// Frame that some other protocol handed to ClusterNetDevice::Send, Ethernet header included;
    /// null in our own.
    Ptr<Packet> foreign;

  protected:
    void Notify() override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_FRAME_H
