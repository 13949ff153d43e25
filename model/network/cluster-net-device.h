/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLUSTER_NET_DEVICE_H
#define ML_CLUSTER_CLUSTER_NET_DEVICE_H

#include "cluster-link-channel.h"
#include "packet-frame.h"

#include "ns3/data-rate.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

class PacketForwarder;

/**
 * @ingroup ml-cluster
 * A port of an NPU or switch in the PacketBackend: one end of a ClusterLinkChannel.
 *
 * Sending side: one queue, first come, first served, unbounded, nothing dropped. The port only
 * knows when it will be idle; a frame of w bytes that comes at time t starts at max(t, idle), keeps
 * the port busy for ceil(8e12 w / rate) ps and arrives a propagation delay after its last byte has
 * left. So a packet costs one event per link, that of its arrival (store and forward). Packets of
 * the backend are frames without a Packet; one is made only if a trace source is connected.
 *
 * Other protocols use it as any NetDevice: Send carries their packets to the peer device through
 * the same queue, as Ethernet frames with 24 further bytes on the wire (preamble, check sequence,
 * gap).
 *
 * Left out: pause frames and priorities (the transmit decision is in Transmit alone), errors.
 */
class ClusterNetDevice : public NetDevice
{
  public:
    /// What has arrived at the device.
    struct Arrivals
    {
        uint64_t dataPackets{
            0}; ///< packets with payload of messages, or of a message without payload
        uint64_t payloadBytes{0}; ///< bytes of messages
        uint64_t wireBytes{0};    ///< bytes on the wire, of all frames
    };

    static TypeId GetTypeId(); ///< @return the TypeId

    ClusterNetDevice();
    ~ClusterNetDevice() override;

    /// @param channel the cable; the node must be set, and the channel has a free end
    void Attach(Ptr<ClusterLinkChannel> channel);

    /// @param rate rate of what is queued from now on @throw InputError if it is 0
    void SetDataRate(DataRate rate);
    DataRate GetDataRate() const; ///< @return rate at which the port sends

    /// @param forwarder what takes the backend's packets that arrive; must outlive the simulation
    /// run
    void SetForwarder(PacketForwarder* forwarder);

    /**
     * Queues a frame.
     * @param frame what to send
     * @return time from now until its last byte has left, ps
     * @throw InputError if that is later than time can be counted
     */
    int64_t Transmit(PacketFrame* frame);

    /// @param frame what has arrived; called by the frame itself
    void Receive(PacketFrame* frame);

    int64_t GetBusyPicoseconds() const; ///< @return time spent sending up to now, ps
    uint64_t GetMaxQueueBytes()
        const; ///< @return most that waited or was being sent, rounded up to bytes
    const Arrivals& GetArrivals() const; ///< @return what has arrived
    /// @return the device at the other end of the cable, null if there is none
    Ptr<ClusterNetDevice> GetPeer() const;

    // inherited from NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    /**
     * Sends a packet of another protocol to the peer.
     * @param packet the packet
     * @param dest without meaning: there is one peer
     * @param protocolNumber its EtherType
     * @return false if the packet exceeds the MTU or there is no peer
     */
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

  private:
    /// Bytes of an Ethernet frame that are on the wire beside header and payload.
    static constexpr uint64_t ETHERNET_EXTRA_BYTES = 24;

    /// @param bytes bytes on the wire @return time they take, ps
    int64_t GetSerialisation(uint64_t bytes);
    /// @param frame what is sent @param startPs time from now until its first byte leaves, ps
    void TraceTransmission(const PacketFrame* frame, int64_t startPs);
    /// @param packet what starts to leave
    void NotifyTransmission(Ptr<const Packet> packet);
    /// @param frame a frame @param from sender's address @param to receiver's @return the packet as
    /// captures show it
    static Ptr<const Packet> MakePacket(const PacketFrame* frame,
                                        Mac48Address from,
                                        Mac48Address to);
    /// @param frame of another protocol; goes to the receive callbacks
    void ReceiveForeign(const PacketFrame* frame);

    DataRate m_dataRate;                      ///< DataRate
    uint16_t m_mtu;                           ///< Mtu
    Mac48Address m_address;                   ///< Address
    Ptr<ClusterLinkChannel> m_channel;        ///< cable
    PacketForwarder* m_forwarder{nullptr};    ///< takes the backend's packets
    Ptr<Node> m_node;                         ///< where it is
    uint32_t m_ifIndex{0};                    ///< index on the node
    int64_t m_idlePs{0};                      ///< when the port will be idle, ps
    int64_t m_sentPs{0};                      ///< serialisation of all frames queued so far, ps
    int64_t m_maxBacklogPs{0};                ///< longest time until idle, ps
    uint64_t m_lastBytes{0};                  ///< size of the last frame, bytes
    int64_t m_lastSerialisationPs{0};         ///< its serialisation, ps
    Arrivals m_arrivals;                      ///< what has arrived
    ReceiveCallback m_receiveCallback;        ///< upper protocols
    PromiscReceiveCallback m_promiscCallback; ///< upper protocols, everything
    TracedCallback<Ptr<const Packet>> m_phyTxBeginTrace;     ///< PhyTxBegin
    TracedCallback<Ptr<const Packet>> m_phyRxEndTrace;       ///< PhyRxEnd
    TracedCallback<Ptr<const Packet>> m_promiscSnifferTrace; ///< PromiscSniffer
    TracedCallback<> m_linkChange;                           ///< link came up
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLUSTER_NET_DEVICE_H
