/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-harness.h"
#include "network-shapes.h"

#include "ns3/test.h"

#include <algorithm>
#include <memory>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

constexpr uint32_t MESSAGES = 150;    ///< of one run of traffic
constexpr int64_t SPREAD = 3'000'000; ///< time over which they are sent, ps

/// A run of random traffic.
struct Traffic
{
    std::vector<TopologyDimension> dimensions;    ///< shape
    std::vector<MessageHarness::Record> messages; ///< what to send
};

/// @param seed of the random numbers @return shape and messages, so that no two are sent in the
/// same picosecond
Traffic
MakeTraffic(uint32_t seed)
{
    std::mt19937_64 random(seed);
    Traffic traffic;
    traffic.dimensions = RandomDimensions(random, 30);
    const uint32_t ranks = ClusterTopology(traffic.dimensions).GetNRanks();
    for (uint32_t i = 0; i < MESSAGES; ++i)
    {
        MessageHarness::Record message{};
        message.source = random() % ranks;
        message.destination = (message.source + 1 + random() % (ranks - 1)) % ranks;
        message.bytes = random() % 100'000;
        message.sentPs = static_cast<int64_t>((random() % SPREAD) / MESSAGES * MESSAGES + i);
        traffic.messages.push_back(message);
    }
    return traffic;
}

/// @param traffic what to send @param attributes of the channel @return the network, everything
/// scheduled
std::unique_ptr<MessageHarness>
Schedule(const Traffic& traffic,
         std::initializer_list<std::pair<std::string, std::string>> attributes = {})
{
    auto harness = std::make_unique<MessageHarness>(traffic.dimensions,
                                                    "ns3::mlcluster::AnalyticalChannel",
                                                    attributes);
    for (const auto& message : traffic.messages)
    {
        harness->Send(message.source, message.destination, message.bytes, message.sentPs);
    }
    return harness;
}

/**
 * @ingroup ml-cluster-tests
 * The law of Congestion=Links by brute force, without events: the head that reaches a link
 * earliest of all is served next, after everything that the link served before.
 */
class LinkOracle
{
  public:
    /// A message and how far it is.
    struct Journey
    {
        std::vector<uint32_t> route; ///< links
        uint64_t bytes;              ///< size
        int64_t headAt;              ///< when its head is where it is, ps
        int64_t tailAt;              ///< when its tail is there, ps
        int64_t leftAt;              ///< when its tail left the source, ps
        uint32_t hop;                ///< links behind it
    };

    /// @param graph what exists @param messages what is sent
    LinkOracle(const LinkGraph& graph, const std::vector<MessageHarness::Record>& messages)
        : m_graph(graph),
          m_ends(graph.GetNLinks())
    {
        for (const auto& message : messages)
        {
            m_journeys.push_back({graph.GetRoute(message.source, message.destination),
                                  message.bytes,
                                  message.sentPs,
                                  message.sentPs,
                                  0,
                                  0});
        }
    }

    /// @param whole whether messages are stored whole at each vertex @return the finished journeys
    const std::vector<Journey>& Run(bool whole)
    {
        while (Journey* next = FindEarliest())
        {
            const uint32_t index = next->route[next->hop];
            const DirectedLink& link = m_graph.GetLink(index);
            const int64_t duration = RoundUp(next->bytes, link.bitRate);
            int64_t start = next->headAt;
            for (const int64_t end : m_ends[index])
            {
                start = std::max(start, end);
            }
            m_ends[index].push_back(start + duration);
            const int64_t tailLeaves = std::max(start + duration, next->tailAt);
            next->leftAt = next->hop == 0 ? tailLeaves : next->leftAt;
            next->tailAt = tailLeaves + link.latencyPs;
            next->headAt = whole ? next->tailAt : start + link.latencyPs;
            ++next->hop;
        }
        return m_journeys;
    }

  private:
    /// @return the unfinished journey whose head is earliest; null if all are finished
    Journey* FindEarliest()
    {
        Journey* earliest = nullptr;
        for (auto& journey : m_journeys)
        {
            const bool unfinished = journey.hop < journey.route.size();
            if (unfinished && (!earliest || journey.headAt < earliest->headAt))
            {
                earliest = &journey;
            }
        }
        return earliest;
    }

    const LinkGraph& m_graph;                 ///< what exists
    std::vector<std::vector<int64_t>> m_ends; ///< per link: when each service ended
    std::vector<Journey> m_journeys;          ///< by message
};

/**
 * @ingroup ml-cluster-tests
 * Random traffic ends to the picosecond when brute force says, with and without ForwardWhole.
 */
class OracleCase : public TestCase
{
  public:
    OracleCase()
        : TestCase("random traffic against brute force")
    {
    }

  private:
    void DoRun() override;
};

void
OracleCase::DoRun()
{
    for (uint32_t seed = 0; seed < 120; ++seed)
    {
        const bool whole = seed % 2;
        const Traffic traffic = MakeTraffic(seed);
        const auto harness = Schedule(traffic, {{"ForwardWhole", whole ? "true" : "false"}});
        const auto records = harness->Run();
        LinkOracle oracle(harness->GetGraph(), traffic.messages);
        const auto expected = oracle.Run(whole);
        uint32_t different = 0;
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            different += records[i].arrivedPs != expected[i].tailAt ||
                         records[i].leftPs != expected[i].leftAt || records[i].arrivals != 1;
        }
        NS_TEST_ASSERT_MSG_EQ(different, 0, "messages that differ, seed " << seed);
        NS_TEST_ASSERT_MSG_EQ(harness->GetBackend().CheckAccounts().size(), 0, "accounts");
    }
}

/**
 * @ingroup ml-cluster-tests
 * What links carry: everything in the end, and at no time more than their rate.
 */
class LinkUsageCase : public TestCase
{
  public:
    LinkUsageCase()
        : TestCase("links carry everything, and never more than their rate")
    {
    }

  private:
    void DoRun() override;
    /// @param harness after a run @param traffic what was sent
    void CheckConservation(MessageHarness& harness, const Traffic& traffic);
};

void
LinkUsageCase::CheckConservation(MessageHarness& harness, const Traffic& traffic)
{
    const LinkGraph& graph = harness.GetGraph();
    std::vector<uint64_t> bytes(graph.GetNLinks());
    std::vector<int64_t> busy(graph.GetNLinks());
    for (const auto& message : traffic.messages)
    {
        for (const uint32_t link : graph.GetRoute(message.source, message.destination))
        {
            bytes[link] += message.bytes;
            busy[link] += RoundUp(message.bytes, graph.GetLink(link).bitRate);
        }
    }
    for (const auto& usage : harness.GetBackend().GetLinkUsage())
    {
        NS_TEST_ASSERT_MSG_EQ(usage.payloadBytes, bytes[usage.link], "payload of a link");
        NS_TEST_ASSERT_MSG_EQ(usage.wireBytes, bytes[usage.link], "no headers");
        NS_TEST_ASSERT_MSG_EQ(usage.busyPs, busy[usage.link], "busy time of a link");
        NS_TEST_ASSERT_MSG_EQ((usage.maxQueueBytes <= bytes[usage.link] + MESSAGES), true, "queue");
    }
}

void
LinkUsageCase::DoRun()
{
    constexpr int64_t STEP = SPREAD / 50;
    for (uint32_t seed = 0; seed < 40; ++seed)
    {
        const Traffic traffic = MakeTraffic(seed);
        const auto harness = Schedule(traffic, {{"ForwardWhole", seed % 2 ? "true" : "false"}});
        auto before = harness->GetBackend().GetLinkUsage();
        for (int64_t time = STEP; time <= SPREAD; time += STEP)
        {
            harness->Run(time);
            const auto now = harness->GetBackend().GetLinkUsage();
            for (uint32_t i = 0; i < now.size(); ++i)
            {
                const auto bytes = now[i].payloadBytes - before[i].payloadBytes;
                const auto limit = static_cast<uint64_t>(
                    TestInt128{STEP} * harness->GetGraph().GetLink(i).bitRate / 8'000'000'000'000);
                NS_TEST_ASSERT_MSG_LT_OR_EQ(bytes, limit + 1, "bytes in a step, whole bytes");
                NS_TEST_ASSERT_MSG_LT_OR_EQ(now[i].busyPs - before[i].busyPs, STEP, "busy");
            }
            before = now;
        }
        harness->Run();
        CheckConservation(*harness, traffic);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Messages of one pair that are sent in one moment arrive in the order they were sent, those of 0
 * bytes too: none waits for what comes behind it. The last of 0 bytes, sent when the link is busy,
 * comes with the tail of the message before it.
 */
class PairOrderCase : public TestCase
{
  public:
    PairOrderCase()
        : TestCase("messages of a pair keep their order")
    {
    }

  private:
    void DoRun() override;
};

void
PairOrderCase::DoRun()
{
    constexpr uint64_t RATE = 100'000'000'000; // 80 ps per byte
    constexpr int64_t LATENCY = 500'000;
    for (const auto block : {BuildingBlock::Ring, BuildingBlock::Switch})
    {
        const int64_t hops = block == BuildingBlock::Ring ? 3 : 2;
        MessageHarness harness({{block, 6, RATE, LATENCY}}, "ns3::mlcluster::AnalyticalChannel");
        uint64_t before = 0;
        for (const uint64_t bytes : {0, 569'945, 0, 1, 0, 8, 0})
        {
            harness.Send(0, 3, bytes);
        }
        for (const auto& message : harness.Run())
        {
            before += message.bytes;
            NS_TEST_EXPECT_MSG_EQ(message.arrivedPs,
                                  hops * LATENCY + 80 * static_cast<int64_t>(before),
                                  message.bytes << " B over " << hops << " links");
        }
        for (uint32_t place = 0; place < harness.Run().size(); ++place)
        {
            NS_TEST_EXPECT_MSG_EQ(harness.Run()[place].place, place, hops << " links");
        }
    }
}

/**
 * @ingroup ml-cluster-tests
 * Two simulations in one process, even if one was stopped midway: same input, same output.
 */
class RepeatCase : public TestCase
{
  public:
    RepeatCase()
        : TestCase("the same traffic twice, in one process")
    {
    }

  private:
    void DoRun() override;
};

void
RepeatCase::DoRun()
{
    for (const std::string whole : {"false", "true"})
    {
        Traffic traffic = MakeTraffic(7);
        for (auto& message : traffic.messages)
        {
            message.sentPs = 0;
        }
        const auto first = Schedule(traffic, {{"ForwardWhole", whole}})->Run();
        Schedule(traffic, {{"ForwardWhole", whole}})->Run(first[0].arrivedPs / 2 + 1);
        const auto second = Schedule(traffic, {{"ForwardWhole", whole}})->Run();
        NS_TEST_ASSERT_MSG_EQ((first == second), true, "ForwardWhole=" << whole);
    }
}

/**
 * @ingroup ml-cluster-tests
 * The suite of traffic over shared links.
 */
class AnalyticalTrafficTestSuite : public TestSuite
{
  public:
    AnalyticalTrafficTestSuite()
        : TestSuite("ml-cluster-analytical-traffic", Type::UNIT)
    {
        AddTestCase(new OracleCase);
        AddTestCase(new LinkUsageCase);
        AddTestCase(new PairOrderCase);
        AddTestCase(new RepeatCase);
    }
};

/// The suite.
AnalyticalTrafficTestSuite g_analyticalTrafficTestSuite;

} // namespace
