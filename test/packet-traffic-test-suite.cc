/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-test-network.h"

#include "ns3/diagnostics.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using Network = PacketTestNetwork; ///< for short

/**
 * @ingroup ml-cluster-tests
 * Links that several messages want are shared and lose nothing.
 */
class PacketContentionTestCase : public TestCase
{
  public:
    PacketContentionTestCase()
        : TestCase("Contended links are always busy and in order")
    {
    }

  private:
    static constexpr uint64_t BYTES = 1 << 20;                      ///< of each message
    static constexpr int64_t MESSAGE_PS = 256 * Network::PACKET_PS; ///< serialisation of one

    void DoRun() override
    {
        CheckIncast();
        CheckOldestFirst();
        CheckForwardedTraffic();
    }

    /// 7 senders to one port: its link is busy from the first packet to the last.
    void CheckIncast()
    {
        Network network(Network::Shape(BuildingBlock::Switch, 8), Network::Bare());
        for (uint32_t source = 1; source < 8; ++source)
        {
            network.Send(source, 0, BYTES);
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 7, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[6].timePs,
                              7 * MESSAGE_PS + Network::PACKET_PS + 2 * Network::LATENCY_PS,
                              "finish");
        const auto usage = network.backend->GetLinkUsage()[network.graph->GetNextLink(8, 0)];
        const uint64_t window = network.backend->GetWindow(1, 0);
        NS_TEST_EXPECT_MSG_EQ(usage.busyPs, 7 * MESSAGE_PS, "busy");
        NS_TEST_EXPECT_MSG_EQ(usage.payloadBytes, 7 * BYTES, "payload");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(usage.maxQueueBytes, 7 * window, "windows bound the queue");
        NS_TEST_EXPECT_MSG_GT(usage.maxQueueBytes, 6 * window / 2, "they fill it");
    }

    /// One port, two destinations: the older message goes first, the port never idles.
    void CheckOldestFirst()
    {
        Network network(Network::Shape(BuildingBlock::Switch, 3), Network::Bare());
        network.Send(0, 1, BYTES);
        network.Send(0, 2, BYTES);
        network.Send(0, 1, 0);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.left.size(), 3, "left");
        NS_TEST_EXPECT_MSG_EQ(network.left[0].message.nodeId, 0, "first");
        NS_TEST_EXPECT_MSG_EQ(network.left[0].timePs, MESSAGE_PS, "first");
        NS_TEST_EXPECT_MSG_EQ(network.left[1].message.nodeId, 1, "second");
        NS_TEST_EXPECT_MSG_EQ(network.left[1].timePs, 2 * MESSAGE_PS, "second");
        NS_TEST_EXPECT_MSG_EQ(network.left[2].timePs, 2 * MESSAGE_PS, "third has no bytes");
    }

    /// An NPU that forwards at full rate still sends, and what it forwards still gets through.
    void CheckForwardedTraffic()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 8), Network::Bare());
        network.Send(0, 2, BYTES);
        Simulator::Schedule(PicoSeconds(MESSAGE_PS / 2), [&network] { network.Send(1, 2, BYTES); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 2, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[1].timePs,
                              2 * MESSAGE_PS + Network::PACKET_PS + 2 * Network::LATENCY_PS,
                              "the shared link was busy from the first packet on");
        NS_TEST_EXPECT_MSG_GT(network.arrived[0].timePs, MESSAGE_PS + MESSAGE_PS / 4, "shared");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Random traffic over random networks and parameters: everything arrives, nothing is counted
 * wrongly.
 */
class PacketConservationTestCase : public TestCase
{
  public:
    PacketConservationTestCase()
        : TestCase("Random traffic arrives whole, once and in order")
    {
    }

  private:
    std::mt19937 m_random{20260101}; ///< source of everything random

    void DoRun() override
    {
        for (uint32_t round = 0; round < 150; ++round)
        {
            CheckRound(Draw({1, 2, 5, 64, 10000}) * 512, Draw({1, 100, 4096, 5000}));
        }
    }

    /// @param choices numbers @return one of them
    uint64_t Draw(std::vector<uint64_t> choices)
    {
        return choices[m_random() % choices.size()];
    }

    /// @return one or two dimensions of up to four members
    std::vector<TopologyDimension> DrawShape()
    {
        std::vector<TopologyDimension> shape;
        for (uint64_t left = Draw({1, 2}); left > 0; --left)
        {
            const auto block = static_cast<BuildingBlock>(m_random() % 3);
            shape.push_back({block,
                             static_cast<uint32_t>(Draw({2, 3, 4, 6})),
                             Draw({1000000007, 50000000000, 400000000000}),
                             static_cast<int64_t>(Draw({0, 1, 500000, 10000000}))});
        }
        return shape;
    }

    /**
     * @param window WindowBytes
     * @param payload PayloadBytes
     */
    void CheckRound(uint64_t window, uint64_t payload)
    {
        const uint64_t header = Draw({0, 82});
        Network network(DrawShape(),
                        {{"WindowBytes", window},
                         {"PayloadBytes", payload},
                         {"HeaderBytes", header},
                         {"AckBytes", 0},
                         {"AckInterval", Draw({0, 1, 3, 1000000})},
                         {"SourcePackets", Draw({1, 8})}});
        const uint32_t ranks = network.graph->GetNRanks();
        for (uint32_t i = 0; i < 40; ++i)
        {
            const uint32_t source = m_random() % ranks;
            const uint32_t destination = (source + 1 + m_random() % (ranks - 1)) % ranks;
            const uint64_t bytes = Draw({0, 1, payload - 1, payload, payload + 1, 7 * payload + 3});
            Simulator::Schedule(PicoSeconds(m_random() % 2000000),
                                [=, &network] { network.Send(source, destination, bytes); });
        }
        Simulator::Run();
        CheckMessages(network);
        CheckLinks(network, payload, header);
    }

    /// @param network a network at the end of its run
    void CheckMessages(const Network& network)
    {
        NS_TEST_ASSERT_MSG_EQ(network.left.size(), network.sent.size(), "left");
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), network.sent.size(), "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.backend->CheckAccounts().size(), 0, "accounts close");
        std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> sent;
        std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> arrived;
        for (const auto& message : network.sent)
        {
            sent[{message.source, message.destination}].push_back(message.nodeId);
        }
        for (const auto& [message, timePs] : network.arrived)
        {
            arrived[{message.source, message.destination}].push_back(message.nodeId);
            NS_TEST_EXPECT_MSG_EQ(message.bytes, network.sent[message.nodeId].bytes, "size");
        }
        NS_TEST_EXPECT_MSG_EQ((sent == arrived), true, "each once, in the order of its pair");
    }

    /**
     * Compares what links carried with the routes of the messages.
     * @param network a network at the end of its run
     * @param payload bytes of a full packet
     * @param header further bytes of each packet
     */
    void CheckLinks(const Network& network, uint64_t payload, uint64_t header)
    {
        std::vector<LinkUsage> expected(network.graph->GetNLinks());
        uint64_t hops = 0;
        for (const auto& message : network.sent)
        {
            const uint64_t packets = std::max<uint64_t>((message.bytes + payload - 1) / payload, 1);
            for (const uint32_t link : network.graph->GetRoute(message.source, message.destination))
            {
                expected[link].payloadBytes += message.bytes;
                expected[link].wireBytes += message.bytes + packets * header;
                hops += packets;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(network.backend->GetPacketHops(), hops, "packets x hops");
        for (const auto& usage : network.backend->GetLinkUsage())
        {
            const auto& wanted = expected[usage.link];
            NS_TEST_EXPECT_MSG_EQ(usage.payloadBytes, wanted.payloadBytes, "payload");
            NS_TEST_EXPECT_MSG_EQ(usage.wireBytes, wanted.wireBytes, "wire");
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Two runs give equal results; one that is broken off leaves nothing behind and no false violation.
 */
class PacketRunsTestCase : public TestCase
{
  public:
    PacketRunsTestCase()
        : TestCase("Runs repeat exactly and can be broken off")
    {
    }

  private:
    void DoRun() override
    {
        const auto first = RunAllToAll(Seconds(10));
        NS_TEST_ASSERT_MSG_EQ(first.size(), 56, "all arrive");
        NS_TEST_EXPECT_MSG_EQ((first == RunAllToAll(Seconds(10))),
                              true,
                              "second run in the process");
        NS_TEST_EXPECT_MSG_LT(RunAllToAll(MicroSeconds(20)).size(), 56, "broken off");
        CheckErrors();
    }

    /// @param end when to break off @return what has arrived of an all-to-all on a ring
    std::vector<Network::Record> RunAllToAll(Time end)
    {
        Network network(Network::Shape(BuildingBlock::Ring, 8), {});
        for (uint32_t offset = 1; offset < 8; ++offset)
        {
            for (uint32_t source = 0; source < 8; ++source)
            {
                network.Send(source, (source + offset) % 8, 100000);
            }
        }
        Simulator::Stop(end);
        Simulator::Run();
        for (const auto& violation : network.backend->CheckAccounts())
        {
            NS_TEST_EXPECT_MSG_EQ(violation.find("link"), std::string::npos, violation);
        }
        return network.arrived;
    }

    /// Mistakes of a script.
    void CheckErrors()
    {
        const auto graph =
            std::make_shared<LinkGraph>(ClusterTopology(Network::Shape(BuildingBlock::Ring, 4)));
        auto backend = CreateObject<PacketBackend>();
        std::string text;
        try
        {
            backend->Build(graph, NodeContainer(3));
        }
        catch (const InputError& error)
        {
            text = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ(text, "the network has 4 ranks, and 3 nodes were given", "nodes");
        NS_TEST_EXPECT_MSG_EQ(
            CreateObject<PacketBackend>()->Describe(),
            "PacketBackend PayloadBytes=4096 HeaderBytes=82 AckBytes=86 AckInterval=0 "
            "SourcePackets=8 WindowBytes=0 WindowBdp=2",
            "description");
        Simulator::Destroy();
    }
};

/// @ingroup ml-cluster-tests Suite of many messages at once on packets.
class PacketTrafficTestSuite : public TestSuite
{
  public:
    PacketTrafficTestSuite()
        : TestSuite("ml-cluster-packet-traffic", Type::UNIT)
    {
        AddTestCase(new PacketContentionTestCase);
        AddTestCase(new PacketConservationTestCase);
        AddTestCase(new PacketRunsTestCase);
    }
};

static PacketTrafficTestSuite g_packetTrafficTestSuite; ///< registers the suite
