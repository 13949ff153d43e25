/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLUSTER_LINK_CHANNEL_H
#define ML_CLUSTER_CLUSTER_LINK_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace mlcluster
{

class ClusterNetDevice;
class PacketFrame;

/**
 * @ingroup ml-cluster
 * A full-duplex cable between two ClusterNetDevices: it delays, and neither loses nor reorders.
 *
 * All that crosses from one node to another goes through Carry, so that a derived channel can hand
 * frames to another process.
 */
class ClusterLinkChannel : public Channel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    ClusterLinkChannel();
    ~ClusterLinkChannel() override;

    /// @param device an end of the cable; called twice, by ClusterNetDevice::Attach
    void Attach(Ptr<ClusterNetDevice> device);

    /**
     * Takes a frame to the other end, where it arrives after the propagation delay.
     * @param from the device that sends
     * @param frame what is sent; the simulator holds a reference until it has arrived
     * @param sendingPs time from now until its last byte has left, ps
     */
    virtual void Carry(const ClusterNetDevice* from, PacketFrame* frame, int64_t sendingPs);

    /// @param device one end @return the other end, null if it is not attached
    Ptr<ClusterNetDevice> GetPeer(const ClusterNetDevice* device) const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /// One end of the cable.
    struct End
    {
        Ptr<ClusterNetDevice> device; ///< who is there
        uint32_t nodeId{0};           ///< its node
    };

    /// @param device one end @return the other end
    const End& GetOtherEnd(const ClusterNetDevice* device) const;

    Time m_delay;              ///< propagation delay, Delay
    std::array<End, 2> m_ends; ///< both ends
    std::size_t m_nDevices{0}; ///< ends attached
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLUSTER_LINK_CHANNEL_H
