/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-test-network.h"

#include "ns3/double.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using Network = PacketTestNetwork; ///< for short

namespace
{

/**
 * Follows a lone message packet by packet and link by link.
 * @param graph the network
 * @param message the message
 * @param payload bytes of a full packet
 * @param header further bytes of each packet
 * @return when the last byte arrives, ps after it was sent
 */
int64_t
FollowMessage(const LinkGraph& graph,
              const NetworkMessage& message,
              uint64_t payload,
              uint64_t header)
{
    const auto route = graph.GetRoute(message.source, message.destination);
    std::vector<int64_t> idle(route.size(), 0);
    int64_t time = 0;
    uint64_t left = message.bytes;
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
                Check(Network::Shape(BuildingBlock::Ring, 12), 6, bytes, header);
                Check(Network::Shape(BuildingBlock::Ring, 2, 333333333333, 1), 1, bytes, header);
                Check(Network::Shape(BuildingBlock::Switch, 3, 7777777777, 0), 2, bytes, header);
                Check({{BuildingBlock::FullyConnected, 4, 900000000001, 250000},
                       {BuildingBlock::Switch, 4, 50000000000, 1000000}},
                      15,
                      bytes,
                      header);
            }
        }
        for (const uint64_t bytes : {0x7fffffffULL, 0x80000000ULL, 0x100000001ULL, 10000000000ULL})
        {
            Check(Network::Shape(BuildingBlock::Ring, 12), 6, bytes, 82, 100000007);
            Check(Network::Shape(BuildingBlock::Switch, 3), 2, bytes, 0, 1ULL << 40);
        }
    }

    /// Whole packets on 6 equal links, written out.
    void CheckFormula()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 12), Network::Bare());
        network.Send(0, 6, 1 << 20);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.left.size(), 1, "left");
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.left[0].timePs, 256 * Network::PACKET_PS, "S/B");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[0].timePs,
                              256 * Network::PACKET_PS + 6 * Network::LATENCY_PS +
                                  5 * Network::PACKET_PS,
                              "S/B + hops latencies + packets of further hops");
        NS_TEST_EXPECT_MSG_EQ(network.backend->GetPacketHops(), 6 * 256, "packets x hops");
        const auto usage = network.backend->GetLinkUsage();
        const auto route = network.graph->GetRoute(0, 6);
        NS_TEST_EXPECT_MSG_EQ(usage[route[0]].maxQueueBytes, 8 * 4096, "SourcePackets");
        NS_TEST_EXPECT_MSG_EQ(usage[route[1]].maxQueueBytes, 4096, "the packet being sent");
    }

    /**
     * Compares with the message followed packet by packet.
     * @param dimensions the shape
     * @param destination rank that rank 0 sends to
     * @param bytes size
     * @param header bytes
     * @param payload bytes of a full packet
     */
    void Check(std::vector<TopologyDimension> dimensions,
               uint32_t destination,
               uint64_t bytes,
               uint64_t header,
               uint64_t payload = 4096)
    {
        Network network(std::move(dimensions),
                        {{"HeaderBytes", header}, {"PayloadBytes", payload}});
        network.Send(0, destination, bytes);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[0].timePs,
                              FollowMessage(*network.graph, network.sent[0], payload, header),
                              bytes << " bytes to " << destination);
        NS_TEST_EXPECT_MSG_EQ((network.arrived[0].message.tag == network.sent[0].tag),
                              true,
                              "the tag travels with it");
        NS_TEST_EXPECT_MSG_EQ(network.backend->CheckAccounts().size(), 0, "accounts close");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Windows: the automatic size, the throughput they limit to, the acknowledgements they cost.
 */
class PacketWindowTestCase : public TestCase
{
  public:
    PacketWindowTestCase()
        : TestCase("The window limits what is in flight and always opens again")
    {
    }

  private:
    /// Round trip of a packet over 6 links, its acknowledgement of no bytes.
    static constexpr int64_t ROUND_TRIP_PS = 12 * Network::LATENCY_PS + 6 * Network::PACKET_PS;

    void DoRun() override
    {
        CheckAutomaticSize();
        CheckThroughput();
        CheckEmptyMessages();
        CheckBothWays();
        CheckAcknowledgements(1000, 10, 10);
        CheckAcknowledgements(1000, 2000, 1);
        CheckAcknowledgements(100, 0, 4);
        CheckAcknowledgements(16, 1000, 7);
    }

    /// 2 x 400 Gb/s x round trip, in whole packets; at least 32.
    void CheckAutomaticSize()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 12), {});
        const int64_t roundTrip = 12 * Network::LATENCY_PS + 6 * (83560 + 1720);
        const uint64_t packets = (2 * 50 * roundTrip / 1000 + 4095) / 4096;
        NS_TEST_EXPECT_MSG_EQ(network.backend->GetWindow(0, 6), packets * 4096, "2 BDP");
        NS_TEST_EXPECT_MSG_EQ(network.backend->GetWindow(0, 1), 32 * 4096, "lower limit");
        network.backend->SetAttribute("WindowBdp", DoubleValue(4));
        NS_TEST_EXPECT_MSG_EQ_TOL(network.backend->GetWindow(0, 6), 2 * packets * 4096, 4096, "4");
        network.backend->SetAttribute("WindowBytes", UintegerValue(5));
        NS_TEST_EXPECT_MSG_EQ(network.backend->GetWindow(0, 6), 5, "as given");
    }

    /// With a window of w packets: one window per round trip and, if acknowledged as a whole, w - 1
    /// packets.
    void CheckThroughput()
    {
        constexpr int64_t N = 99;
        constexpr int64_t ONE_WAY_PS = 6 * (Network::LATENCY_PS + Network::PACKET_PS);
        for (const int64_t window : {1, 2, 4, 7, 16})
        {
            const int64_t full = (N - 1) / window;
            const int64_t rest = (N - 1) % window * Network::PACKET_PS + ONE_WAY_PS;
            CheckArrival(N, window, 1, full * ROUND_TRIP_PS + rest);
            const int64_t whole = full * (ROUND_TRIP_PS + (window - 1) * Network::PACKET_PS) + rest;
            CheckArrival(N, window, 1000, whole);
        }
    }

    /**
     * @param packets packets of the message from 0 to 6 of a ring
     * @param window packets in flight
     * @param interval packets per acknowledgement
     * @param expected when it must arrive, ps
     */
    void CheckArrival(uint64_t packets, uint64_t window, uint64_t interval, int64_t expected)
    {
        Network network(Network::Shape(BuildingBlock::Ring, 12),
                        Network::Bare({{"WindowBytes", window * 4096}, {"AckInterval", interval}}));
        network.Send(0, 6, packets * 4096);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 1, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[0].timePs,
                              expected,
                              "window " << window << ", interval " << interval);
    }

    /// A message without bytes takes one byte of the window.
    void CheckEmptyMessages()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 12),
                        Network::Bare({{"WindowBytes", 2}}));
        for (uint32_t i = 0; i < 3; ++i)
        {
            network.Send(0, 6, 0);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 3, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[1].timePs, 6 * Network::LATENCY_PS, "second");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[2].timePs, 18 * Network::LATENCY_PS, "third");
    }

    /// Acknowledgements queue behind data of the other direction without slowing it.
    void CheckBothWays()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 2), Network::Bare());
        network.Send(0, 1, 4096 * 1000);
        network.Send(1, 0, 4096 * 1000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 2, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[1].timePs,
                              1000 * Network::PACKET_PS + Network::LATENCY_PS,
                              "S/B");
    }

    /**
     * Counts the acknowledgements of a message of 100 packets.
     * @param window packets in flight
     * @param interval AckInterval
     * @param expected acknowledgements
     */
    void CheckAcknowledgements(uint64_t window, uint64_t interval, uint64_t expected)
    {
        Network network(Network::Shape(BuildingBlock::Ring, 2),
                        {{"WindowBytes", window * 4096}, {"AckInterval", interval}});
        network.Send(0, 1, 100 * 4096);
        Simulator::Run();
        const auto usage = network.backend->GetLinkUsage();
        const uint32_t link = network.graph->GetNextLink(0, 1);
        const auto& back = usage[network.graph->GetReverseLink(link)];
        NS_TEST_EXPECT_MSG_EQ(usage[link].wireBytes, 100 * (4096 + 82), "data");
        NS_TEST_EXPECT_MSG_EQ(usage[link].payloadBytes, 100 * 4096, "payload");
        NS_TEST_EXPECT_MSG_EQ(back.wireBytes, expected * 86, "acknowledgements");
        NS_TEST_EXPECT_MSG_EQ(back.payloadBytes, 0, "no payload comes back");
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
        AddTestCase(new PacketWindowTestCase);
    }
};

static PacketBackendTestSuite g_packetBackendTestSuite; ///< registers the suite
