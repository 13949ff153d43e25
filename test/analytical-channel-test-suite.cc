/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-harness.h"
#include "network-shapes.h"

#include "ns3/test.h"

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

using Attributes = std::initializer_list<std::pair<std::string, std::string>>;

const std::string ANALYTICAL = "ns3::mlcluster::AnalyticalChannel";

constexpr uint64_t GIB = uint64_t{1} << 30;
constexpr uint64_t MIB = uint64_t{1} << 20;

/// @param topology shape @param source rank @param destination rank @return the links of the route,
/// reckoned from the digits
std::vector<TopologyDimension>
LinksOfRoute(const ClusterTopology& topology, uint32_t source, uint32_t destination)
{
    std::vector<TopologyDimension> links;
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        const TopologyDimension& dimension = topology.GetDimension(k);
        const uint32_t offset =
            (topology.GetDigit(destination, k) + dimension.size - topology.GetDigit(source, k)) %
            dimension.size;
        const uint32_t hops = offset == 0 ? 0
                              : dimension.block == BuildingBlock::Ring
                                  ? std::min(offset, dimension.size - offset)
                              : dimension.block == BuildingBlock::Switch ? 2
                                                                         : 1;
        links.insert(links.end(), hops, dimension);
    }
    return links;
}

/**
 * @ingroup ml-cluster-tests
 * A single message takes the closed form of each law, on random routes of random topologies.
 */
class ClosedFormCase : public TestCase
{
  public:
    ClosedFormCase()
        : TestCase("one message takes the closed form of each law")
    {
    }

  private:
    void DoRun() override;
    /// Sends one message. @param attributes of the channel @param arrival expected, ps @param leave
    /// expected, ps
    void Check(Attributes attributes, int64_t arrival, int64_t leave);

    std::vector<TopologyDimension> m_dimensions; ///< shape
    uint32_t m_source{0};                        ///< rank
    uint32_t m_destination{0};                   ///< rank
    uint64_t m_bytes{0};                         ///< size
};

void
ClosedFormCase::Check(Attributes attributes, int64_t arrival, int64_t leave)
{
    MessageHarness harness(m_dimensions, ANALYTICAL, attributes);
    harness.Send(m_source, m_destination, m_bytes);
    const auto record = harness.Run()[0];
    NS_TEST_ASSERT_MSG_EQ(record.arrivedPs, arrival, harness.GetBackend().Describe());
    NS_TEST_ASSERT_MSG_EQ(record.leftPs, leave, harness.GetBackend().Describe());
    NS_TEST_ASSERT_MSG_EQ(record.arrivals, 1, "once");
    NS_TEST_ASSERT_MSG_EQ(harness.GetBackend().CheckAccounts().size(), 0, "accounts");
}

void
ClosedFormCase::DoRun()
{
    std::mt19937_64 random(1);
    const uint64_t limits[] = {1, 2, 10'000, 10'000'000, 10'000'000'000};
    for (int i = 0; i < 200; ++i)
    {
        m_dimensions = RandomDimensions(random, 100);
        const ClusterTopology topology(m_dimensions);
        m_source = random() % topology.GetNRanks();
        m_destination =
            (m_source + 1 + random() % (topology.GetNRanks() - 1)) % topology.GetNRanks();
        const uint64_t limit = limits[random() % 5];
        m_bytes = random() % limit;
        const auto links = LinksOfRoute(topology, m_source, m_destination);

        int64_t latency = 0;
        int64_t firstLatency = 0;
        int64_t whole = 0;
        int64_t wholeDown = 0;
        uint64_t slowest = links[0].linkBitRate;
        for (const auto& link : links)
        {
            latency += link.latencyPs;
            firstLatency += link.linkBitRate == links[0].linkBitRate ? link.latencyPs : 0;
            whole += link.latencyPs + RoundUp(m_bytes, link.linkBitRate);
            wholeDown += RoundDown(link.latencyPs, m_bytes, link.linkBitRate);
            slowest = std::min(slowest, link.linkBitRate);
        }
        const int64_t leave = RoundUp(m_bytes, links[0].linkBitRate);
        const int64_t leaveDown = RoundDown(0, m_bytes, links[0].linkBitRate);
        const int64_t cutThrough = latency + RoundUp(m_bytes, slowest);
        const int64_t unaware = RoundDown(latency, m_bytes, slowest);
        const int64_t firstOnly = RoundDown(firstLatency, m_bytes, links[0].linkBitRate);
        Check({}, cutThrough, leave);
        Check({{"Congestion", "None"}}, cutThrough, leave);
        Check({{"ForwardWhole", "true"}}, whole, leave);
        Check({{"ForwardWhole", "true"}, {"Congestion", "None"}}, whole, leave);
        Check({{"ForwardWhole", "true"}, {"Rounding", "DownNanosecond"}}, wholeDown, leaveDown);
        Check({{"Congestion", "None"}, {"Rounding", "DownNanosecond"}}, unaware, leaveDown);
        Check({{"Congestion", "None"},
               {"Rounding", "DownNanosecond"},
               {"FirstDimensionOnly", "true"}},
              firstOnly,
              leaveDown);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Published numbers, and numbers that follow from the rates by hand.
 */
class ReferenceCase : public TestCase
{
  public:
    ReferenceCase()
        : TestCase("reference values")
    {
    }

  private:
    void DoRun() override;
    /// ASTRA-sim's network tests, ns.
    void CheckAstraSim();
    /// Several messages into one port.
    void CheckSharedPort();
    /// Many messages of under a nanosecond each.
    void CheckSmallMessages();
    /// Sizes about the limits of 32 bits.
    void CheckLargeSizes();
};

/// @param dimensions shape @param source rank @param destination rank @param bytes size @param
/// attributes of the channel @return arrival, ps
int64_t
SendOne(const std::vector<TopologyDimension>& dimensions,
        uint32_t source,
        uint32_t destination,
        uint64_t bytes,
        Attributes attributes = {})
{
    MessageHarness harness(dimensions, ANALYTICAL, attributes);
    harness.Send(source, destination, bytes);
    return harness.Run()[0].arrivedPs;
}

void
ReferenceCase::CheckAstraSim()
{
    const Attributes unaware = {{"Congestion", "None"}, {"Rounding", "DownNanosecond"}};
    const Attributes aware = {{"ForwardWhole", "true"}, {"Rounding", "DownNanosecond"}};
    const std::pair<BuildingBlock, std::pair<int64_t, int64_t>> blocks[] = {
        {BuildingBlock::Ring, {21'031, 60'093}},
        {BuildingBlock::FullyConnected, {20'031, 20'031}},
        {BuildingBlock::Switch, {20'531, 40'062}},
    };
    for (const auto& [block, expected] : blocks)
    {
        const auto dimension = Dimension(block, 16, 50 * 8 * GIB, 500'000);
        NS_TEST_EXPECT_MSG_EQ(SendOne({dimension}, 1, 4, MIB, unaware),
                              expected.first * 1000,
                              ToString(block));
        NS_TEST_EXPECT_MSG_EQ(SendOne({dimension}, 1, 4, MIB, aware),
                              expected.second * 1000,
                              ToString(block));
    }
    const std::vector<TopologyDimension> three = {
        Dimension(BuildingBlock::Ring, 2, 200 * 8 * GIB, 50'000),
        Dimension(BuildingBlock::FullyConnected, 8, 100 * 8 * GIB, 500'000),
        Dimension(BuildingBlock::Switch, 4, 50 * 8 * GIB, 2'000'000),
    };
    NS_TEST_EXPECT_MSG_EQ(SendOne(three, 0, 1, MIB, unaware), 4'932'000, "dimension 0");
    NS_TEST_EXPECT_MSG_EQ(SendOne(three, 37, 41, MIB, unaware), 10'265'000, "dimension 1");
    NS_TEST_EXPECT_MSG_EQ(SendOne(three, 26, 42, MIB, unaware), 23'531'000, "dimension 2");

    MessageHarness allPairs({Dimension(BuildingBlock::Ring, 16, 50 * 8 * GIB, 500'000)},
                            ANALYTICAL,
                            aware);
    for (uint32_t pair = 0; pair < 256; ++pair)
    {
        if (pair / 16 != pair % 16)
        {
            allPairs.Send(pair / 16, pair % 16, MIB);
        }
    }
    int64_t last = 0;
    for (const auto& record : allPairs.Run())
    {
        last = std::max(last, record.arrivedPs);
    }
    NS_TEST_EXPECT_MSG_EQ(last, 704'116'000, "every pair of a Ring(16)");
    NS_TEST_EXPECT_MSG_EQ(allPairs.GetBackend().IsSharing(), false, "rounds down");
    NS_TEST_EXPECT_MSG_EQ(allPairs.GetBackend().CheckAccounts().size(), 0, "so is no violation");
}

void
ReferenceCase::CheckSharedPort()
{
    constexpr uint64_t RATE = 800'000'000'000;
    constexpr int64_t LATENCY = 500'000;
    constexpr int64_t EACH = 1'000'000;
    MessageHarness incast({Dimension(BuildingBlock::Switch, 17, RATE, LATENCY)}, ANALYTICAL);
    for (uint32_t sender = 16; sender > 0; --sender)
    {
        incast.Send(sender, 0, 100'000);
    }
    const auto records = incast.Run();
    for (uint32_t i = 0; i < 16; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(records[i].arrivedPs, 2 * LATENCY + (i + 1) * EACH, "turn " << i);
        NS_TEST_EXPECT_MSG_EQ(records[i].leftPs, EACH, "the way up is not shared");
    }
    const auto usage = incast.GetBackend().GetLinkUsage();
    const uint32_t port = incast.GetGraph().GetRoute(1, 0).back();
    NS_TEST_EXPECT_MSG_EQ(usage[port].payloadBytes, 1'600'000, "bytes down");
    NS_TEST_EXPECT_MSG_EQ(usage[port].busyPs, 16 * EACH, "busy");
    NS_TEST_EXPECT_MSG_EQ(usage[port].maxQueueBytes, 1'600'000, "queue at the port");
}

void
ReferenceCase::CheckSmallMessages()
{
    constexpr int64_t LATENCY = 500'000;
    const auto pair = Dimension(BuildingBlock::FullyConnected, 2, 3'200'000'000'000, LATENCY);
    MessageHarness small({pair}, ANALYTICAL);
    for (int i = 0; i < 1000; ++i)
    {
        small.Send(0, 1, 64);
    }
    NS_TEST_EXPECT_MSG_EQ(small.Run().back().arrivedPs,
                          160'000 + LATENCY,
                          "1000 times 64 B at 400 GB/s");
}

void
ReferenceCase::CheckLargeSizes()
{
    constexpr int64_t PS_PER_BYTE = 20;
    constexpr int64_t LATENCY = 500'000;
    const auto pair = Dimension(BuildingBlock::Ring, 2, 400'000'000'000, LATENCY);
    for (const uint64_t bytes :
         {uint64_t{2'147'483'647}, 2 * GIB, 4 * GIB, uint64_t{10'000'000'000}})
    {
        const auto expected = static_cast<int64_t>(bytes * PS_PER_BYTE + LATENCY);
        NS_TEST_EXPECT_MSG_EQ(SendOne({pair}, 0, 1, bytes), expected, bytes << " bytes");
    }
}

void
ReferenceCase::DoRun()
{
    const auto ring = Dimension(BuildingBlock::Ring, 8, 400'000'000'000, 500'000);
    NS_TEST_EXPECT_MSG_EQ(SendOne({ring}, 0, 4, 1'000'000), 22'000'000, "h L + S / B");
    NS_TEST_EXPECT_MSG_EQ(SendOne({ring}, 0, 4, 1'000'000, {{"ForwardWhole", "true"}}),
                          82'000'000,
                          "h (L + S / B)");
    CheckAstraSim();
    CheckSharedPort();
    CheckSmallMessages();
    CheckLargeSizes();
}

/**
 * @ingroup ml-cluster-tests
 * A link serves in the order in which heads reach it, not in the order of size or sending.
 */
class ServiceOrderCase : public TestCase
{
  public:
    ServiceOrderCase()
        : TestCase("links serve first come, first served")
    {
    }

  private:
    static constexpr int64_t LATENCY = 500'000; ///< of each link, ps

    void DoRun() override;
    /**
     * Sends a large and a small message to one port.
     * @param largeAt when, ps
     * @param smallAt when, ps
     * @param largeArrives expected, ps
     * @param smallArrives expected, ps
     */
    void Check(int64_t largeAt, int64_t smallAt, int64_t largeArrives, int64_t smallArrives);
};

void
ServiceOrderCase::Check(int64_t largeAt,
                        int64_t smallAt,
                        int64_t largeArrives,
                        int64_t smallArrives)
{
    MessageHarness harness({Dimension(BuildingBlock::Switch, 4, 400'000'000'000, LATENCY)},
                           ANALYTICAL);
    harness.Send(1, 0, 1'000'000, largeAt);
    harness.Send(2, 0, 100, smallAt);
    const auto records = harness.Run();
    NS_TEST_EXPECT_MSG_EQ(records[0].arrivedPs, largeArrives, "large");
    NS_TEST_EXPECT_MSG_EQ(records[1].arrivedPs, smallArrives, "small");
}

void
ServiceOrderCase::DoRun()
{
    constexpr int64_t LARGE = 20'000'000;
    constexpr int64_t SMALL = 2'000;
    Check(0, 1'000, 2 * LATENCY + LARGE, 2 * LATENCY + LARGE + SMALL);
    Check(1'000, 0, 2 * LATENCY + SMALL + LARGE, 2 * LATENCY + SMALL);
    Check(0, 0, 2 * LATENCY + LARGE, 2 * LATENCY + LARGE + SMALL);
}

/**
 * @ingroup ml-cluster-tests
 * Seven senders into one port of a Switch(8): seven times the time without congestion.
 */
class CongestionMattersCase : public TestCase
{
  public:
    CongestionMattersCase()
        : TestCase("seven senders to one port")
    {
    }

  private:
    void DoRun() override;
};

void
CongestionMattersCase::DoRun()
{
    constexpr int64_t LATENCY = 500'000;
    constexpr int64_t EACH = 20 * MIB;
    const std::vector<TopologyDimension> shape = {
        Dimension(BuildingBlock::Switch, 8, 400'000'000'000, LATENCY)};
    for (const int turns : {7, 1})
    {
        MessageHarness harness(shape, ANALYTICAL, {{"Congestion", turns == 7 ? "Links" : "None"}});
        for (uint32_t sender = 1; sender < 8; ++sender)
        {
            harness.Send(sender, 0, MIB);
        }
        NS_TEST_EXPECT_MSG_EQ(harness.Run().back().arrivedPs,
                              2 * LATENCY + turns * EACH,
                              turns << " turns");
        const auto port = harness.GetGraph().GetRoute(1, 0).back();
        NS_TEST_EXPECT_MSG_EQ(harness.GetBackend().GetLinkUsage()[port].busyPs,
                              7 * EACH,
                              "busy for all");
        NS_TEST_EXPECT_MSG_EQ(harness.GetBackend().IsSharing(), (turns == 7), "sharing");
        NS_TEST_EXPECT_MSG_EQ(harness.GetBackend().CheckAccounts().size(), 0, "accounts");
    }
}

/**
 * @ingroup ml-cluster-tests
 * The suite of AnalyticalChannel's times.
 */
class AnalyticalChannelTestSuite : public TestSuite
{
  public:
    AnalyticalChannelTestSuite()
        : TestSuite("ml-cluster-analytical-channel", Type::UNIT)
    {
        AddTestCase(new ClosedFormCase);
        AddTestCase(new ReferenceCase);
        AddTestCase(new ServiceOrderCase);
        AddTestCase(new CongestionMattersCase);
    }
};

/// The suite.
AnalyticalChannelTestSuite g_analyticalChannelTestSuite;

} // namespace
