/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKET_BACKEND_H
#define ML_CLUSTER_PACKET_BACKEND_H

#include "cluster-net-device.h"
#include "network-backend.h"
#include "packet-forwarder.h"
#include "packet-transport.h"

#include "ns3/node-container.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The network packet by packet: every vertex of the LinkGraph a node, every link a pair of
 * ClusterNetDevice on a ClusterLinkChannel, in every node a PacketForwarder, in every NPU,
 * every switch that reduces in the network and every attached end, a PacketTransport.
 *
 * Model: messages are cut into packets of PayloadBytes, each with HeaderBytes more on the wire;
 * links store and forward whole packets, ports serve first come, first served and drop nothing;
 * each pair of NPUs has at most a window in flight; acknowledgements of AckBytes go back as packets
 * in the same queues. Without contention a message of S bytes in n packets of equal size s (on the
 * wire) takes sum over its links of latency + n s / rate of the slowest link + s / rate of each
 * other link.
 *
 * The window of a pair is WindowBytes or, if that is 0, WindowBdp times the rate of the slowest
 * link of its route times the round trip of one full packet and its acknowledgement in the empty
 * network, rounded up to whole packets, and at least PacketParameters::MIN_WINDOW_PACKETS, since
 * coalesced acknowledgements and the packets that wait in the own port take part of it.
 *
 * Data come in order (one route per pair), so that messages from one NPU to another arrive in the
 * order they were sent. Left out: pause frames, ECN, congestion control, several routes per pair.
 */
class PacketBackend : public NetworkBackend
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    PacketBackend();
    ~PacketBackend() override;

    void Build(std::shared_ptr<const LinkGraph> graph, const NodeContainer& npus) override;

    std::unique_ptr<const MessageCosts> GetCosts(
        std::shared_ptr<const LinkGraph> graph) const override;

    /// @copydoc NetworkBackend::GetLinkUsage @note bytes count when they have arrived at the far
    /// end
    std::vector<LinkUsage> GetLinkUsage() const override;
    std::string Describe() const override;
    bool IsSharing() const override;
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @param link index of a directed link @return the device that sends into it
    Ptr<ClusterNetDevice> GetLinkDevice(uint32_t link) const;
    const NodeContainer& GetNodes() const; ///< @return the nodes by vertex: the NPUs, then switches
    uint64_t GetPacketHops()
        const; ///< @return data packets that have crossed a link, over all links
    /// @param source a rank, or switch that reduces @param destination another, which it can reach
    /// @return payload that may be in flight between them, bytes
    uint64_t GetWindow(uint32_t source, uint32_t destination) const;

  protected:
    void DoDispose() override;
    std::optional<int64_t> DoSend(const NetworkMessage& message) override;

  private:
    /// @param link a directed link; makes cable and devices for it and its reverse
    void AddLink(uint32_t link);
    /// @param vertex a vertex; fills the table of its forwarder
    void AddRoutes(uint32_t vertex);
    /// @param vertex a vertex; makes its end of the transport, if it has one
    void AddTransport(uint32_t vertex);
    /// @param link a directed link @return a new device that sends into it
    Ptr<ClusterNetDevice> MakeDevice(uint32_t link);
    /// @return the parameters of every NPU's transport
    PacketParameters GetParameters() const;

    uint64_t m_payloadBytes;                                    ///< PayloadBytes
    uint64_t m_headerBytes;                                     ///< HeaderBytes
    uint64_t m_ackBytes;                                        ///< AckBytes
    uint64_t m_ackInterval;                                     ///< AckInterval
    uint32_t m_sourcePackets;                                   ///< SourcePackets
    uint64_t m_windowBytes;                                     ///< WindowBytes
    double m_windowBdp;                                         ///< WindowBdp
    NodeContainer m_nodes;                                      ///< by vertex
    std::vector<Ptr<ClusterNetDevice>> m_devices;               ///< by directed link
    std::vector<std::unique_ptr<PacketForwarder>> m_forwarders; ///< by vertex
    std::vector<std::unique_ptr<PacketTransport>> m_transports; ///< by vertex; null: it has none
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_BACKEND_H
