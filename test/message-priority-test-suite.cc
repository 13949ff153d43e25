/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-harness.h"
#include "network-shapes.h"
#include "test-tools.h"

#include "ns3/collective-priority.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400'000'000'000; ///< of the links, bit/s
constexpr int64_t LATENCY = 500'000;       ///< of the links, ps
constexpr int64_t PACKET = 81'920;         ///< time of 4096 B on a link, ps
constexpr uint64_t BYTES = 8 * 4096;       ///< of a message: as many packets as wait in a port
constexpr int64_t BUSY = 8 * PACKET;       ///< time of a message on a link, ps

/// A backend in which messages of BYTES take equal times but for storing packets at switches.
struct Backend
{
    std::string name; ///< short name
    int64_t switchPs; ///< what a packet is late for each vertex that forwards it, ps
    std::string type; ///< TypeId name
    std::initializer_list<std::pair<std::string, std::string>> attributes; ///< of the backend
};

const Backend BACKENDS[] = {
    {"analytical", 0, "ns3::mlcluster::AnalyticalChannel", {}},
    {"packet",
     PACKET,
     "ns3::mlcluster::PacketBackend",
     {{"HeaderBytes", "0"}, {"AckBytes", "0"}, {"WindowBytes", "1000000000"}}},
};

/**
 * @ingroup ml-cluster-tests
 * Messages that wait at their source leave by priority, of equals in the order they were sent, and
 * do not interrupt the one being sent.
 */
class SourceCase : public TestCase
{
  public:
    SourceCase()
        : TestCase("the waiting message of largest priority goes next")
    {
    }

  private:
    void DoRun() override;
};

void
SourceCase::DoRun()
{
    for (const auto& backend : BACKENDS)
    {
        MessageHarness harness({Dimension(BuildingBlock::Switch, 4, RATE, LATENCY)},
                               backend.type,
                               backend.attributes);
        const std::vector<std::pair<uint32_t, int32_t>> sent =
            {{1, 0}, {2, 0}, {1, -5}, {3, 7}, {1, 7}, {3, 2000000000}, {1, 0}};
        const std::vector<int64_t> turns{0, 4, 6, 2, 3, 1, 5};
        for (const auto& [destination, priority] : sent)
        {
            harness.Send(0, destination, BYTES, 0, priority);
        }
        harness.Send(0, 3, BYTES, 6 * BUSY + 1, 9);
        const auto& records = harness.Run();
        for (std::size_t i = 0; i < turns.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(records[i].leftPs,
                                  (turns[i] + 1) * BUSY,
                                  backend.name << ", message " << i << " left");
            NS_TEST_EXPECT_MSG_EQ(records[i].arrivedPs,
                                  (turns[i] + 1) * BUSY + 2 * LATENCY + backend.switchPs,
                                  backend.name << ", message " << i << " arrived");
        }
        NS_TEST_EXPECT_MSG_EQ(records.back().leftPs, 8 * BUSY, backend.name << ", comes too late");
        NS_TEST_EXPECT_MSG_EQ(harness.GetBackend().CheckAccounts().size(), 0, "accounts");
    }
}

/**
 * @ingroup ml-cluster-tests
 * Beyond the source priorities do not count: not at a switch, and where an NPU forwards, its own
 * messages of priority above 0 go first.
 */
class TransitCase : public TestCase
{
  public:
    TransitCase()
        : TestCase("forwarded messages are served first come, first served")
    {
    }

  private:
    void DoRun() override;
    /// @param priority of the second message of rank 1 @param forwarded of the one from rank 0
    /// @return when the forwarded message arrives, ps
    int64_t Forward(int32_t priority, int32_t forwarded);
};

int64_t
TransitCase::Forward(int32_t priority, int32_t forwarded)
{
    MessageHarness harness({Dimension(BuildingBlock::Ring, 8, RATE, LATENCY)},
                           "ns3::mlcluster::AnalyticalChannel");
    harness.Send(0, 2, BYTES, 0, forwarded);
    harness.Send(1, 2, BYTES, LATENCY - 2, 0);
    harness.Send(1, 2, BYTES, LATENCY + 1, priority);
    return harness.Run()[0].arrivedPs - LATENCY - (LATENCY - 2);
}

void
TransitCase::DoRun()
{
    NS_TEST_EXPECT_MSG_EQ(Forward(0, 0), 2 * BUSY, "equals: behind what came before");
    NS_TEST_EXPECT_MSG_EQ(Forward(1, 0), 3 * BUSY, "the own one of larger priority first");
    NS_TEST_EXPECT_MSG_EQ(Forward(1, 9), 3 * BUSY, "whatever the priority of the forwarded one");
    NS_TEST_EXPECT_MSG_EQ(Forward(-1, -9), 2 * BUSY, "likewise");

    for (const auto& backend : BACKENDS)
    {
        MessageHarness harness({Dimension(BuildingBlock::Switch, 4, RATE, LATENCY)},
                               backend.type,
                               backend.attributes);
        harness.Send(0, 3, BYTES, 0, 0);
        harness.Send(1, 3, BYTES, BUSY, 1);
        harness.Send(2, 3, BYTES, BUSY + 1, 2);
        const auto& records = harness.Run();
        const int64_t first = BUSY + 2 * LATENCY + backend.switchPs;
        NS_TEST_EXPECT_MSG_EQ(records[0].arrivedPs, first, backend.name);
        NS_TEST_EXPECT_MSG_LT(records[1].arrivedPs, records[2].arrivedPs, backend.name);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Two all-reduces of 4 chunks that start together on two ranks, all chunks in flight. With d the
 * time of a message, L the latency and a, b a message of the reduce-scatter or all-gather phase of
 * the first and second all-reduce, the link of each rank sends
 *
 * - fifo: 4a 4b 4a 4b, so that they end after 12 d + L and 16 d + L;
 * - the second first: a 4b 4b 3a 4a (the first a was being sent), after 16 d + L and 9 d + L;
 * - the first first: 4a 4a 4b 4b, after 8 d + L and 16 d + L;
 *
 * since a chunk's second message is ready d + L < 3 d after its first one started.
 */
class CollectiveCase : public TestCase
{
  public:
    CollectiveCase()
        : TestCase("collectives end in the order of their priority")
    {
    }

  private:
    void DoRun() override;
    /// @param backend to use @param policy of the NPUs @param priorities of the nodes
    /// @param first when the first ends, ps, less a latency @param second likewise
    void Check(const Backend& backend,
               const std::string& policy,
               std::pair<int32_t, int32_t> priorities,
               int64_t first,
               int64_t second);
};

void
CollectiveCase::Check(const Backend& backend,
                      const std::string& policy,
                      std::pair<int32_t, int32_t> priorities,
                      int64_t first,
                      int64_t second)
{
    std::vector<ExecutionNode> nodes{CollectiveNode(1, CollectiveType::AllReduce, 8 * BYTES),
                                     CollectiveNode(2, CollectiveType::AllReduce, 8 * BYTES)};
    nodes[0].priority = priorities.first;
    nodes[1].priority = priorities.second;
    const auto report = RunCluster(
        MakeTopology("Ring(2)", RATE, LATENCY),
        MakeEqualWorkload(2, nodes),
        [&](ClusterHelper& cluster) {
            for (const auto& [name, value] : backend.attributes)
            {
                cluster.SetBackendAttribute(name, StringValue(value));
            }
            cluster.SetCollectiveAttribute("Chunks", UintegerValue(4));
            cluster.SetCollectiveAttribute("ChunksInFlight", UintegerValue(4));
            cluster.SetNpuAttribute("CollectivePriority", StringValue(policy));
        },
        backend.name);
    std::map<std::string, int64_t> ends;
    for (const auto& collective : report.collectives)
    {
        ends[collective.name] = collective.endPs;
    }
    const std::string what = backend.name + ", " + policy;
    NS_TEST_EXPECT_MSG_EQ(ends.at("all-reduce 1"), first * BUSY + LATENCY, what << ", first");
    NS_TEST_EXPECT_MSG_EQ(ends.at("all-reduce 2"), second * BUSY + LATENCY, what << ", second");
}

void
CollectiveCase::DoRun()
{
    for (const auto& backend : BACKENDS)
    {
        Check(backend, "fifo", {1, 2}, 12, 16);
        Check(backend, "lifo", {0, 0}, 16, 9);
        Check(backend, "explicit", {5, -3}, 8, 16);
        Check(backend, "explicit", {-2147483647, 2147483647}, 16, 9);
        Check(backend, "explicit", {7, 7}, 12, 16);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Ranks that start collectives in different orders, and so disagree about which goes first, get
 * through all the same.
 */
class DisagreementCase : public TestCase
{
  public:
    DisagreementCase()
        : TestCase("ranks that disagree about priority do not deadlock")
    {
    }

  private:
    void DoRun() override;
};

void
DisagreementCase::DoRun()
{
    const std::vector<std::string> names{"a", "b", "c"};
    std::vector<std::vector<ExecutionNode>> perRank;
    CommunicatorGroups groups;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        perRank.emplace_back();
        for (uint64_t i = 0; i < names.size(); ++i)
        {
            const std::string& name = names[(i + rank) % names.size()];
            groups[name].push_back(rank);
            perRank.back().push_back(
                CollectiveNode(i, CollectiveType::AllReduce, 1000003, {}, name));
        }
    }
    for (auto& [name, members] : groups)
    {
        std::sort(members.begin(), members.end());
    }
    for (const auto& backend : BACKENDS)
    {
        for (const std::string policy : {"fifo", "lifo"})
        {
            const auto report = RunCluster(
                MakeTopology("Ring(2)_Switch(2)_FullyConnected(2)", RATE, LATENCY),
                MakeWorkload(perRank, groups),
                [&](ClusterHelper& cluster) {
                    cluster.SetNpuAttribute("CollectivePriority", StringValue(policy));
                },
                backend.name);
            NS_TEST_EXPECT_MSG_EQ(report.collectives.size(), 3, backend.name << ", " << policy);
        }
    }
}

/**
 * @ingroup ml-cluster-tests
 * A policy that is none is refused.
 */
class PolicyCase : public TestCase
{
  public:
    PolicyCase()
        : TestCase("a policy that is none is refused")
    {
    }

  private:
    void DoRun() override
    {
        const auto error = GetErrorOf([] { CollectivePriority("livo"); });
        NS_TEST_EXPECT_MSG_EQ(error,
                              "ns3::mlcluster::NpuApplication::CollectivePriority: \"livo\" is "
                              "none (nearest: lifo); allowed are fifo, lifo, explicit",
                              "names what is allowed");
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of priorities between messages and between collectives.
 */
class MessagePriorityTestSuite : public TestSuite
{
  public:
    MessagePriorityTestSuite()
        : TestSuite("ml-cluster-message-priority", Type::UNIT)
    {
        AddTestCase(new SourceCase);
        AddTestCase(new TransitCase);
        AddTestCase(new CollectiveCase);
        AddTestCase(new DisagreementCase);
        AddTestCase(new PolicyCase);
    }
};

/// The suite.
MessagePriorityTestSuite g_messagePriorityTestSuite;

} // namespace
