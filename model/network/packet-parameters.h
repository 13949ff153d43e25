/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKET_PARAMETERS_H
#define ML_CLUSTER_PACKET_PARAMETERS_H

#include "ns3/link-graph.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Parameters of the packets of a PacketBackend, as its attributes say, and what follows from them
 * for a pair of NPUs.
 */
struct PacketParameters
{
    /// Fewest packets an automatic window allows: four times the eight that may wait in a port.
    static constexpr uint64_t MIN_WINDOW_PACKETS = 32;

    uint64_t payloadBytes;  ///< message bytes in a full packet, at least 1
    uint64_t headerBytes;   ///< further bytes of a data packet on the wire
    uint64_t ackBytes;      ///< bytes of an acknowledgement on the wire
    uint64_t ackInterval;   ///< packets per acknowledgement at most; 0: a quarter of the window
    uint32_t sourcePackets; ///< own packets waiting in a port at most, at least 1
    uint64_t windowBytes;   ///< payload in flight between two NPUs; 0: by windowBdp
    double windowBdp;       ///< window in bandwidth-delay products of the route

    /// @param graph the network @param source a rank, or switch that reduces @param destination
    /// another, which it can reach @return payload that may be in flight between them, bytes
    uint64_t GetWindow(const LinkGraph& graph, uint32_t source, uint32_t destination) const;

    /// @param window of a pair, bytes @return most packets from one that asks for an
    /// acknowledgement to the next that does, for AckInterval's sake
    uint64_t GetAckInterval(uint64_t window) const;

    /// @param bytes of a message @return its packets: one if it has no bytes
    uint64_t CountPackets(uint64_t bytes) const;

    /// @param bytes of a message @param window of its pair, bytes @return its packets that ask for
    /// an acknowledgement: the last one, all that AckInterval says, and any after which no room for
    /// a full packet is left in the window
    uint64_t CountAcknowledgements(uint64_t bytes, uint64_t window) const;

  private:
    /// @param graph the network @param from a rank @param to another @param bytes size of a packet
    /// @return its time in the empty network, ps
    static double GetPacketTime(const LinkGraph& graph, uint32_t from, uint32_t to, uint64_t bytes);
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_PARAMETERS_H
