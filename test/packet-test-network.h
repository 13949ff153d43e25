/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKET_TEST_NETWORK_H
#define ML_CLUSTER_PACKET_TEST_NETWORK_H

#include "test-tools.h"

#include "ns3/packet-backend.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster-tests
 * A PacketBackend whose endpoints record what happens. One lives at a time: the simulation ends
 * with it.
 */
class PacketTestNetwork : public MessageEndpoint
{
  public:
    using Settings = std::map<std::string, uint64_t>; ///< attributes of the backend by name

    static constexpr int64_t LATENCY_PS = 500000; ///< latency of Shape's links
    static constexpr int64_t PACKET_PS = 81920;   ///< 4096 B on Shape's links

    /// A message and when it left or arrived.
    struct Record
    {
        NetworkMessage message; ///< the message
        int64_t timePs;         ///< when, ps

        /// @param o another @return whether all is equal
        bool operator==(const Record& o) const
        {
            return timePs == o.timePs && message.source == o.message.source &&
                   message.destination == o.message.destination &&
                   message.bytes == o.message.bytes && message.tag == o.message.tag &&
                   message.nodeId == o.message.nodeId;
        }
    };

    /**
     * @param block shape
     * @param size members
     * @param bitRate of a link
     * @param latencyPs of a link
     * @return one dimension
     */
    static std::vector<TopologyDimension> Shape(BuildingBlock block,
                                                uint32_t size,
                                                uint64_t bitRate = 400000000000,
                                                int64_t latencyPs = LATENCY_PS)
    {
        return {{block, size, bitRate, latencyPs}};
    }

    /// @param more further attributes @return settings without headers and acknowledgement bytes
    static Settings Bare(Settings more = {})
    {
        more.insert({{"HeaderBytes", 0}, {"AckBytes", 0}});
        return more;
    }

    /**
     * @param dimensions the shape
     * @param settings attributes of the backend
     */
    PacketTestNetwork(std::vector<TopologyDimension> dimensions, const Settings& settings)
        : graph(std::make_shared<LinkGraph>(ClusterTopology(std::move(dimensions))))
    {
        tests::UsePicoseconds();
        backend = CreateObject<PacketBackend>();
        for (const auto& [name, value] : settings)
        {
            backend->SetAttribute(name, UintegerValue(value));
        }
        backend->Build(graph, NodeContainer(graph->GetNRanks()));
        for (uint32_t rank = 0; rank < graph->GetNRanks(); ++rank)
        {
            backend->SetEndpoint(rank, this);
        }
    }

    /// Ends the simulation.
    ~PacketTestNetwork() override
    {
        backend = nullptr;
        Simulator::Destroy();
    }

    /**
     * Sends a message now; its node id is the number of messages sent before.
     * @param source a rank
     * @param destination another
     * @param bytes size
     */
    void Send(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        NetworkMessage message;
        message.source = source;
        message.destination = destination;
        message.bytes = bytes;
        message.tag = {bytes + 1, bytes + 2, bytes + 3};
        message.nodeId = sent.size();
        sent.push_back(message);
        backend->Send(message);
    }

    void MessageLeft(const NetworkMessage& message) override
    {
        left.push_back({message, Simulator::Now().GetPicoSeconds()});
    }

    void MessageArrived(const NetworkMessage& message) override
    {
        arrived.push_back({message, Simulator::Now().GetPicoSeconds()});
    }

    std::shared_ptr<const LinkGraph> graph; ///< what exists
    Ptr<PacketBackend> backend;             ///< the network
    std::vector<NetworkMessage> sent;       ///< by node id
    std::vector<Record> left;               ///< messages that left, in order
    std::vector<Record> arrived;            ///< messages that arrived, in order
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_TEST_NETWORK_H
