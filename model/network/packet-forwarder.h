/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKET_FORWARDER_H
#define ML_CLUSTER_PACKET_FORWARDER_H

#include "cluster-net-device.h"
#include "packet-frame.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class PacketTransport;

/**
 * @ingroup ml-cluster
 * Forwarding in one node of a PacketBackend, NPU or switch: a table of its own from destination
 * (rank, or switch linked to the node) to the port to take.
 *
 * One port per destination; the choice among several is the business of GetNextDevice alone.
 * Forwarding itself takes no time.
 */
class PacketForwarder
{
  public:
    /// @param nRanks ranks of the network
    explicit PacketForwarder(uint32_t nRanks);

    /// @param transport the own end of an NPU or of a switch that reduces, which takes what has no
    /// way on; null in other switches
    void SetTransport(PacketTransport* transport);

    /// @param destination a rank or switch @param device the port that leads there, of this node
    void SetRoute(uint32_t destination, ClusterNetDevice* device);

    /// @param fields header of a packet @return the port it leaves by; null if it has arrived
    ClusterNetDevice* GetNextDevice(const PacketFields& fields) const;

    /// @param frame a packet that has come in; goes on or to the transport
    void Receive(PacketFrame* frame);

  private:
    std::vector<ClusterNetDevice*> m_next;                      ///< port by destination rank
    std::unordered_map<uint32_t, ClusterNetDevice*> m_switches; ///< port by destination switch
    PacketTransport* m_transport{nullptr};                      ///< own end, if it has one
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_FORWARDER_H
