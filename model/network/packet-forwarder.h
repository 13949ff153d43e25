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
#include <vector>

namespace ns3
{
namespace mlcluster
{

class PacketTransport;

/**
 * @ingroup ml-cluster
 * Forwarding in one node of a PacketBackend, NPU or switch: a table of its own from destination
 * rank to the port to take.
 *
 * One port per destination; the choice among several is the business of GetNextDevice alone.
 * Forwarding itself takes no time.
 */
class PacketForwarder
{
  public:
    /// @param nRanks ranks of the network
    explicit PacketForwarder(uint32_t nRanks);

    /// @param transport the NPU's own end, which takes what has no way on; null in a switch
    void SetTransport(PacketTransport* transport);

    /// @param destination a rank @param device the port that leads there, of this node
    void SetRoute(uint32_t destination, ClusterNetDevice* device);

    /// @param fields header of a packet @return the port it leaves by; null if it has arrived
    ClusterNetDevice* GetNextDevice(const PacketFields& fields) const;

    /// @param frame a packet that has come in; goes on or to the transport
    void Receive(PacketFrame* frame);

  private:
    std::vector<ClusterNetDevice*> m_next; ///< port by destination rank
    PacketTransport* m_transport{nullptr}; ///< own end of an NPU
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_FORWARDER_H
