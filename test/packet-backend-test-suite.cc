/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/cluster-pcap-helper.h"
#include "ns3/diagnostics.h"
#include "ns3/double.h"
#include "ns3/packet-backend.h"
#include "ns3/pcap-file.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

/// A message and when it left or arrived.
struct Record
{
    NetworkMessage message; ///< the message
    int64_t timePs;         ///< when

    /// @param other another @return whether all is equal
    bool operator==(const Record& other) const
    {
        return timePs == other.timePs && message.source == other.message.source &&
               message.destination == other.message.destination &&
               message.bytes == other.message.bytes && message.tag == other.message.tag &&
               message.nodeId == other.message.nodeId;
    }
};

/// Attributes of a PacketBackend by name.
using Settings = std::map<std::string, uint64_t>;

/// A PacketBackend whose endpoints record what happens.
class RecordingNetwork : public MessageEndpoint
{
  public:
    /**
     * @param dimensions the shape
     * @param settings attributes of the backend
     */
    RecordingNetwork(std::vector<TopologyDimension> dimensions, const Settings& settings)
        : m_graph(std::make_shared<LinkGraph>(ClusterTopology(std::move(dimensions))))
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
        backend = CreateObject<PacketBackend>();
        for (const auto& [name, value] : settings)
        {
            backend->SetAttribute(name, UintegerValue(value));
        }
        backend->Build(m_graph, NodeContainer(m_graph->GetNRanks()));
        for (uint32_t rank = 0; rank < m_graph->GetNRanks(); ++rank)
        {
            backend->SetEndpoint(rank, this);
        }
    }

    /// Ends the simulation.
    ~RecordingNetwork() override
    {
        backend = nullptr;
        Simulator::Destroy();
    }

    /// @param source a rank @param destination another @param bytes size; sends with nodeId =
    /// number of messages before
    void Send(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        NetworkMessage message;
        message.source = source;
        message.destination = destination;
        message.bytes = bytes;
        message.tag = {bytes + 1, bytes + 2, bytes + 3};
        message.nodeId = backend->GetMessagesSent();
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

    /// @return the graph
    const LinkGraph& GetGraph() const
    {
        return *m_graph;
    }

    Ptr<PacketBackend> backend;  ///< the network
    std::vector<Record> left;    ///< messages that left
    std::vector<Record> arrived; ///< messages that arrived

  private:
    std::shared_ptr<const LinkGraph> m_graph; ///< what exists
};

/// Headers and acknowledgements off.
const Settings BARE = {{"HeaderBytes", 0}, {"AckBytes", 0}};

/// @param block shape @param size members @param bitRate of a link @param latencyPs of a link
/// @return one dimension
std::vector<TopologyDimension>
Shape(BuildingBlock block,
      uint32_t size,
      uint64_t bitRate = 400000000000,
      int64_t latencyPs = 500000)
{
    return {{block, size, bitRate, latencyPs}};
}

/**
 * When the last byte of a lone message arrives, packet by packet and link by link.
 * @param graph the network
 * @param source a rank
 * @param destination another
 * @param bytes size of the message
 * @param payload bytes of a full packet
 * @param header further bytes of each packet
 * @return time since it was sent, ps
 */
int64_t
ArrivalOracle(const LinkGraph& graph,
              uint32_t source,
              uint32_t destination,
              uint64_t bytes,
              uint64_t payload,
              uint64_t header)
{
    const auto route = graph.GetRoute(source, destination);
    std::vector<int64_t> idle(route.size(), 0);
    int64_t time = 0;
    uint64_t left = bytes;
    do
    {
        const uint64_t part = std::min(left, payload);
        time = 0;
        for (std::size_t hop = 0; hop < route.size(); ++hop)
        {
            const DirectedLink& link = graph.GetLink(route[hop]);
            idle[hop] =
                std::max(time, idle[hop]) + SerialisationPicoseconds(part + header, link.bitRate);
            time = idle[hop] + link.latencyPs;
        }
        left -= part;
    } while (left > 0);
    return time;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * A lone message takes S/B, the latencies, and one packet's serialisation for each further link.
 */
class PacketLoneMessageTestCase : public TestCase
{
  public:
    PacketLoneMessageTestCase()
        : TestCase("A lone message takes the time of the formula")
    {
    }

  private:
    void DoRun() override
    {
        CheckFormula();
        for (const uint64_t header : {0, 82})
        {
            for (const uint64_t bytes : {0, 1, 4095, 4096, 4097, 8192, 1000003})
            {
                CheckOracle(Shape(BuildingBlock::Ring, 12), 6, bytes, header);
                CheckOracle(Shape(BuildingBlock::Ring, 2, 333333333333, 1), 1, bytes, header);
                CheckOracle(Shape(BuildingBlock::Switch, 3, 7777777777, 0), 2, bytes, header);
                CheckOracle({{BuildingBlock::FullyConnected, 4, 900000000001, 250000},
                             {BuildingBlock::Switch, 4, 50000000000, 1000000}},
                            15,
                            bytes,
                            header);
            }
        }
    }

    /// Whole packets on 6 equal links, written out.
    void CheckFormula()
    {
        RecordingNetwork network(Shape(BuildingBlock::Ring, 12), BARE);
        network.Send(0, 6, 1 << 20);
        Simulator::Run();
        const int64_t packetPs = 81920;
        NS_TEST_ASSERT_MSG_EQ(network.left.size(), 1, "left");
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.left[0].timePs, 256 * packetPs, "S/B");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[0].timePs,
                              256 * packetPs + 6 * 500000 + 5 * packetPs,
                              "S/B + hops latencies + packets of further hops");
        NS_TEST_EXPECT_MSG_EQ(network.backend->GetPacketHops(), 6 * 256, "packets x hops");
        NS_TEST_EXPECT_MSG_EQ(network.backend->CheckAccounts().size(), 0, "accounts close");
    }

    /**
     * @param dimensions the shape
     * @param destination rank that rank 0 sends to
     * @param bytes size
     * @param header bytes
     */
    void CheckOracle(std::vector<TopologyDimension> dimensions,
                     uint32_t destination,
                     uint64_t bytes,
                     uint64_t header)
    {
        RecordingNetwork network(std::move(dimensions),
                                 {{"HeaderBytes", header}, {"WindowBytes", 1 << 30}});
        network.Send(0, destination, bytes);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(
            network.arrived[0].timePs,
            ArrivalOracle(network.GetGraph(), 0, destination, bytes, 4096, header),
            bytes << " bytes to " << destination);
        NS_TEST_EXPECT_MSG_EQ(
            (network.arrived[0].message.tag == MessageTag{bytes + 1, bytes + 2, bytes + 3}),
            true,
            "the tag travels with it");
        NS_TEST_EXPECT_MSG_EQ(network.backend->CheckAccounts().size(), 0, "accounts close");
    }
};

/// @ingroup ml-cluster-tests Suite of the packet backend.
class PacketBackendTestSuite : public TestSuite
{
  public:
    PacketBackendTestSuite()
        : TestSuite("ml-cluster-packet-backend", Type::UNIT)
    {
        AddTestCase(new PacketLoneMessageTestCase);
    }
};

static PacketBackendTestSuite g_packetBackendTestSuite; //!< registers the suite
