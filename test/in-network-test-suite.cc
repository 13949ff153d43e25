/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-network-cases.h"

#include "ns3/test.h"

#include <algorithm>
#include <string>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

/**
 * @ingroup ml-cluster-tests
 * All collectives on one switch, to the picosecond, on both backends (packets without headers): k
 * chunks of c bytes, all in flight, processing time p. The first result begins to leave after
 * latency + c / B + p, the others follow as fast as the slowest of link up, processing and link
 * down lets them.
 */
class InNetworkClosedFormTestCase : public TestCase
{
  public:
    InNetworkClosedFormTestCase()
        : TestCase("In-network collectives take their closed form")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string backend : {"analytical", "packet"})
        {
            for (const uint32_t n : {2, 3, 8, 13})
            {
                for (const uint32_t k : {1, 2, 5, 16})
                {
                    const int64_t chunk = Ser(n * 4096);
                    for (const int64_t p : {int64_t{0}, chunk / 3, chunk, 3 * chunk + 7})
                    {
                        Check(n, p, {k, k, backend});
                    }
                }
            }
        }
    }

    /// @param n members @param p processing time, ps @param setting chunks and backend
    void Check(uint32_t n, int64_t p, const Setting& setting)
    {
        const auto topology = WithSwitches("Switch(" + std::to_string(n) + ")", {{true, p, 0}});
        const int64_t k = setting.chunks;
        const uint64_t c = n * 4096;
        const std::string what = setting.backend + " n=" + std::to_string(n) +
                                 " k=" + std::to_string(k) + " p=" + std::to_string(p);
        const auto expect = [&](CollectiveType type, uint64_t bytes, uint64_t up, uint64_t down) {
            const int64_t slowest = std::max({p, Ser(up), Ser(down)});
            NS_TEST_EXPECT_MSG_EQ(TimeOf(topology, type, bytes, setting),
                                  2 * LATENCY + p + Ser(up) + Ser(down) + (k - 1) * slowest,
                                  ToString(type) << " " << what);
        };
        expect(AR, k * c, c, c);
        expect(CollectiveType::ReduceScatter, k * c, c, c / n);
        expect(CollectiveType::AllGather, k * c, c, (n - 1) * c);
        expect(CollectiveType::Broadcast, k * c, c, c);
        expect(CollectiveType::Reduce, k * c, c, c);
        if (p <= Ser(c))
        {
            NS_TEST_EXPECT_MSG_EQ(TimeOf(topology, AR, k * c, setting),
                                  2 * LATENCY + p + (k + 1) * Ser(c),
                                  "issue's formula " << what);
        }
        NS_TEST_EXPECT_MSG_EQ(TimeOf(topology, CollectiveType::Barrier, 0, setting),
                              2 * LATENCY + p,
                              what);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Slots: with one, chunks go one after the other; with two, two share a round trip.
 */
class InNetworkSlotsTestCase : public TestCase
{
  public:
    InNetworkSlotsTestCase()
        : TestCase("Slots limit the chunks in a switch")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t c = 40960;
        for (const int64_t p : {int64_t{0}, Ser(c) / 2})
        {
            const int64_t roundTrip = 2 * LATENCY + p + 2 * Ser(c);
            const auto time = [&](uint32_t slots, uint32_t k, const std::string& backend) {
                return TimeOf(WithSwitches("Switch(8)", {{true, p, slots}}),
                              AR,
                              k * c,
                              {k, 64, backend});
            };
            for (const std::string backend : {"analytical", "packet"})
            {
                for (const uint32_t k : {1, 2, 3, 8, 9})
                {
                    const int64_t pairs = (k + 1) / 2;
                    NS_TEST_EXPECT_MSG_EQ(time(1, k, backend), k * roundTrip, "1 slot, k=" << k);
                    NS_TEST_EXPECT_MSG_EQ(time(2, k, backend),
                                          pairs * roundTrip + (k % 2 == 0 ? Ser(c) : 0),
                                          "2 slots, k=" << k);
                }
                NS_TEST_EXPECT_MSG_EQ(time(64, 16, backend),
                                      2 * LATENCY + p + 17 * Ser(c),
                                      "enough slots");
            }
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * One chunk over two dimensions: the sum of its phases, by hand. A ring over 4 takes 3 (latency +
 * a quarter / B) for a reduce-scatter or all-gather.
 */
class InNetworkCompositionTestCase : public TestCase
{
  public:
    InNetworkCompositionTestCase()
        : TestCase("In-network phases compose with others")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t s = 64 * 40960;
        const int64_t p = 123456;
        const InNetworkCapability on{true, p, 0};
        const auto hub = [&](uint64_t up, uint64_t down) {
            return 2 * LATENCY + p + Ser(up) + Ser(down);
        };
        const auto ring = [&](uint64_t quarter) { return 3 * (LATENCY + Ser(quarter)); };
        for (const std::string backend : {"analytical", "packet"})
        {
            const Setting setting{1, 1, backend};
            NS_TEST_EXPECT_MSG_EQ(
                TimeOf(WithSwitches("Ring(4)_Switch(8)", {{}, on}), AR, s, setting),
                2 * ring(s / 4) + hub(s / 4, s / 4),
                "outer " << backend);
            NS_TEST_EXPECT_MSG_EQ(
                TimeOf(WithSwitches("Switch(8)_Ring(4)", {on, {}}), AR, s, setting),
                hub(s, s / 8) + 2 * ring(s / 32) + hub(s / 8, 7 * s / 8),
                "inner " << backend);
            NS_TEST_EXPECT_MSG_EQ(
                TimeOf(WithSwitches("Switch(8)_Switch(4)", {on, on}), AR, s, setting),
                hub(s, s / 8) + hub(s / 8, s / 8) + hub(s / 8, 7 * s / 8),
                "both " << backend);
            NS_TEST_EXPECT_MSG_EQ(TimeOf(WithSwitches("Switch(8)_Switch(4)", {on, on}),
                                         CollectiveType::Broadcast,
                                         s,
                                         setting),
                                  2 * hub(s, s),
                                  "broadcast " << backend);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Headers and acknowledgements: with headers a message takes the time of its bytes on the wire;
 * acknowledgements of results share the links up, so that each may cost its own time there.
 */
class InNetworkPacketTestCase : public TestCase
{
  public:
    InNetworkPacketTestCase()
        : TestCase("In-network reduction in packets pays for headers and acknowledgements")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = WithSwitches("Switch(8)", {{true, 100000, 0}});
        for (const uint32_t k : {1, 4, 16})
        {
            const int64_t packets = 32;
            const int64_t message = Ser(packets * (4096 + 82));
            const int64_t expected = 2 * LATENCY + 100000 + (k + 1) * message;
            const auto time = [&](uint32_t ackBytes) {
                return TimeOf(topology, AR, k * packets * 4096, {k, k, "packet", 82, ackBytes});
            };
            NS_TEST_EXPECT_MSG_EQ(time(0), expected, "headers, k=" << k);
            NS_TEST_EXPECT_MSG_EQ((time(86) >= expected), true, "acknowledgements, k=" << k);
            NS_TEST_EXPECT_MSG_EQ((time(86) <= expected + 2 * k * packets * Ser(86)),
                                  true,
                                  "acknowledgements, k=" << k);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of the times of in-network reduction.
 */
class InNetworkTestSuite : public TestSuite
{
  public:
    InNetworkTestSuite()
        : TestSuite("ml-cluster-in-network", Type::SYSTEM)
    {
        AddTestCase(new InNetworkClosedFormTestCase);
        AddTestCase(new InNetworkSlotsTestCase);
        AddTestCase(new InNetworkCompositionTestCase);
        AddTestCase(new InNetworkPacketTestCase);
    }
};

static InNetworkTestSuite g_inNetworkTestSuite; ///< registers the suite
