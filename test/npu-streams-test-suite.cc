/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What runs at once on an NPU, and what after the other: streams, host threads, communicators.

#include "test-tools.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr int64_t US = 1000000;         ///< ps in a microsecond
constexpr int64_t MS = 1000 * US;       ///< ps in a millisecond
constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s: 20 ps a byte
constexpr int64_t LATENCY = 500000;     ///< 500 ns
constexpr auto AR = CollectiveType::AllReduce;

/// @param stream a stream @param node a node @return the node on the stream
ExecutionNode
On(int64_t stream, ExecutionNode node)
{
    node.stream = stream;
    return node;
}

/// @param node a compute node @return the node on the host
ExecutionNode
OnHost(ExecutionNode node)
{
    node.onHost = true;
    return node;
}

/// Attributes of NpuApplication that are no default.
using Attributes = std::map<std::string, std::shared_ptr<const AttributeValue>>;

/// When the nodes of rank 0 started and ended.
struct Times
{
    std::map<uint64_t, int64_t> starts; ///< by id, ps
    std::map<uint64_t, int64_t> ends;   ///< by id, ps
    RunReport report;                   ///< of the run
};

/// @param workload for two ranks @param attributes of the NPUs @return times on the analytical
/// channel
Times
RunTimed(const std::shared_ptr<const ClusterWorkload>& workload, const Attributes& attributes = {})
{
    UsePicoseconds();
    ClusterHelper cluster(MakeTopology("FullyConnected(2)", RATE, LATENCY));
    for (const auto& [name, value] : attributes)
    {
        cluster.SetNpuAttribute(name, *value);
    }
    cluster.SetMemoryAttribute("Bandwidth", DataRateValue(DataRate(RATE)));
    cluster.SetCollectiveAttribute("Chunks", UintegerValue(1));
    const auto applications = cluster.Install(workload);
    Times times;
    using Callback = ns3::Callback<void, uint32_t, const ExecutionNode&>;
    const auto note = [](std::map<uint64_t, int64_t>& moments) {
        return Callback([&moments](uint32_t, const ExecutionNode& node) {
            moments[node.id] = Simulator::Now().GetTimeStep();
        });
    };
    applications.Get(0)->TraceConnectWithoutContext("NodeStart", note(times.starts));
    applications.Get(0)->TraceConnectWithoutContext("NodeEnd", note(times.ends));
    times.report = cluster.Run();
    return times;
}

/// @param bytes size @return time of a direct all-reduce over two ranks, ps
int64_t
AllReducePs(uint64_t bytes)
{
    return bytes * 20 + 2 * LATENCY;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * The order of one stream and the concurrency of several.
 */
class StreamOrderTestCase : public TestCase
{
  public:
    StreamOrderTestCase()
        : TestCase("A stream runs strictly in order, several at once")
    {
    }

  private:
    void DoRun() override
    {
        // kernels of 4 ms and 6 ms, launched 10 us apart, that wait for their launches only
        const std::vector<ExecutionNode> launches{
            OnHost(ComputeNode(1, 10 * US)),
            On(7, ComputeNode(2, 4 * MS, {1})),
            OnHost(ComputeNode(3, 10 * US, {1})),
            On(7, ComputeNode(4, 6 * MS, {3})),
        };
        auto times = RunTimed(MakeWorkload({launches, {}}));
        NS_TEST_ASSERT_MSG_EQ(times.ends[4], 10 * MS + 10 * US, "one after the other");

        const std::vector<ExecutionNode> nodes{
            On(1, ComputeNode(1, 5 * US, {6})),
            On(1, ComputeNode(2, 2 * US)),
            On(2, ComputeNode(3, 4 * US)),
            ComputeNode(4, 7 * US),
            ComputeNode(5, US),
            OnHost(ComputeNode(6, 3 * US)),
        };
        times = RunTimed(MakeWorkload({nodes, {}}));
        NS_TEST_ASSERT_MSG_EQ(times.starts[1], 3 * US, "behind the host");
        NS_TEST_ASSERT_MSG_EQ(times.starts[2], 8 * US, "ready at 0, but behind node 1");
        NS_TEST_ASSERT_MSG_EQ(times.starts[3], 0, "another stream");
        NS_TEST_ASSERT_MSG_EQ(times.starts[4], 0, "no stream");
        NS_TEST_ASSERT_MSG_EQ(times.starts[5], 7 * US, "what has no stream runs one by one");
        NS_TEST_ASSERT_MSG_EQ(times.report.ranks[0].computePs, 10 * US, "the union counts");

        times = RunTimed(MakeWorkload({nodes, {}}),
                         {{"ConcurrentStreams", std::make_shared<BooleanValue>(false)}});
        NS_TEST_ASSERT_MSG_EQ(times.starts[3], 0, "lowest id of 3, 4, 5");
        NS_TEST_ASSERT_MSG_EQ(times.starts[1], 4 * US, "lowest id of 1, 4, 5");
        NS_TEST_ASSERT_MSG_EQ(times.starts[2], 9 * US, "lowest id of 2, 4, 5");
        NS_TEST_ASSERT_MSG_EQ(times.starts[4], 11 * US, "then what has no stream");
        NS_TEST_ASSERT_MSG_EQ(times.ends[5], 19 * US, "the sum of all");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Communication and memory on streams.
 */
class StreamKindsTestCase : public TestCase
{
  public:
    StreamKindsTestCase()
        : TestCase("Communication and memory keep to their streams too")
    {
    }

  private:
    void DoRun() override
    {
        ExecutionNode load;
        load.id = 4;
        load.kind = NodeKind::MemoryLoad;
        load.tensorBytes = 50000;
        const std::vector<ExecutionNode> first{
            On(1, CollectiveNode(1, AR, 100000)),
            On(1, ComputeNode(2, 4 * US)),
            On(1, PeerNode(NodeKind::Send, 3, 1, 50000)),
            On(1, load),
            On(2, ComputeNode(5, 30 * US)),
            On(1, CollectiveNode(6, AR, 100000)),
        };
        const std::vector<ExecutionNode> second{
            CollectiveNode(1, AR, 100000),
            PeerNode(NodeKind::Receive, 2, 0, 50000),
            CollectiveNode(3, AR, 100000, {2}),
        };
        auto times = RunTimed(MakeWorkload({first, second}));
        const int64_t all = AllReducePs(100000);
        NS_TEST_ASSERT_MSG_EQ(times.ends[1], all, "all-reduce");
        NS_TEST_ASSERT_MSG_EQ(times.starts[2], all, "behind it");
        NS_TEST_ASSERT_MSG_EQ(times.starts[3], all + 4 * US, "a send, which ends when it has left");
        NS_TEST_ASSERT_MSG_EQ(times.starts[4], all + 5 * US, "remote memory, 1 us");
        NS_TEST_ASSERT_MSG_EQ(times.starts[6], all + 6 * US, "next all-reduce");
        NS_TEST_ASSERT_MSG_EQ(times.ends[6], 2 * all + 6 * US, "last of the stream");
        const auto& rank = times.report.ranks[0];
        NS_TEST_ASSERT_MSG_EQ(rank.computePs,
                              30 * US,
                              "both streams, all of the first is under it");
        NS_TEST_ASSERT_MSG_EQ(rank.exposedCommunicationPs, 0, "hidden by stream 2");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Host operations at once.
 */
class HostThreadsTestCase : public TestCase
{
  public:
    HostThreadsTestCase()
        : TestCase("The host runs as many operations at once as it has threads")
    {
    }

  private:
    void DoRun() override
    {
        const auto workload = MakeWorkload({{OnHost(ComputeNode(1, 5 * US)),
                                             OnHost(ComputeNode(2, 3 * US)),
                                             OnHost(ComputeNode(3, 4 * US)),
                                             OnHost(ComputeNode(4, US, {2}))},
                                            {}});
        const auto run = [&](uint32_t threads) {
            return RunTimed(workload, {{"HostThreads", std::make_shared<UintegerValue>(threads)}});
        };
        NS_TEST_ASSERT_MSG_EQ(RunTimed(workload).report.finishTimePs, 13 * US, "one by default");
        auto times = run(2);
        NS_TEST_ASSERT_MSG_EQ(times.starts[3], 3 * US, "3 before 4");
        NS_TEST_ASSERT_MSG_EQ(times.starts[4], 5 * US, "after 1");
        NS_TEST_ASSERT_MSG_EQ(times.report.ranks[0].hostPs, 7 * US, "the union counts");
        NS_TEST_ASSERT_MSG_EQ(run(3).report.finishTimePs, 5 * US, "all at once");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Communicators as queues, against all collectives at once.
 */
class CommunicatorQueueTestCase : public TestCase
{
  public:
    CommunicatorQueueTestCase()
        : TestCase("A communicator is a queue if so wanted")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<ExecutionNode> nodes;
        for (uint64_t id = 1; id <= 4; ++id)
        {
            nodes.push_back(CollectiveNode(id, AR, 100000, {}, id < 4 ? "a" : "b"));
        }
        nodes[0].dependencies = {5};
        nodes.push_back(ComputeNode(5, 50 * US));
        const auto workload = MakeWorkload({nodes, nodes}, {{"a", {0, 1}}, {"b", {0, 1}}});
        auto times = RunTimed(workload);
        for (uint64_t id = 2; id <= 4; ++id)
        {
            NS_TEST_ASSERT_MSG_EQ(times.starts[id], 0, "all that are ready");
        }
        times =
            RunTimed(workload, {{"SerialiseCollectives", std::make_shared<BooleanValue>(true)}});
        NS_TEST_ASSERT_MSG_EQ(times.starts[2], 0, "first that can be issued");
        NS_TEST_ASSERT_MSG_EQ(times.starts[4], 0, "another group");
        NS_TEST_ASSERT_MSG_EQ(times.starts[3], times.ends[2], "second of the group");
        NS_TEST_ASSERT_MSG_EQ(times.starts[1], 50 * US, "last of the group, waits for 5");
        NS_TEST_ASSERT_MSG_EQ(times.ends[1], 50 * US + AllReducePs(100000), "alone");
        const std::vector<ExecutionNode> two{CollectiveNode(1, AR, 100000),
                                             CollectiveNode(2, AR, 100000)};
        NS_TEST_ASSERT_MSG_EQ(
            RunTimed(MakeWorkload({two, two}),
                     {{"SerialiseCollectives", std::make_shared<BooleanValue>(true)}})
                .report.finishTimePs,
            2 * AllReducePs(100000),
            "one after the other");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Orders that contradict each other: within a rank found before time starts, between ranks told by
 * the report of who waits for whom.
 */
class ContradictingOrderTestCase : public TestCase
{
  public:
    ContradictingOrderTestCase()
        : TestCase("Orders that contradict each other are told")
    {
    }

  private:
    void DoRun() override
    {
        auto error = GetErrorOf(
            [] { MakeWorkload({{On(3, ComputeNode(1, 1, {2})), On(3, ComputeNode(2, 1))}}); });
        NS_TEST_ASSERT_MSG_EQ(
            Contains(error, "node 1 comes before node 2 on stream 3, where nodes run by ascending"),
            true,
            error);

        const CommunicatorGroups groups{{"a", {0, 1}}, {"b", {0, 1}}};
        const auto ranks = [](int64_t stream) {
            return std::vector<std::vector<ExecutionNode>>{
                {On(stream, CollectiveNode(1, AR, 1000, {}, "a")),
                 On(stream, CollectiveNode(2, AR, 2000, {}, "b"))},
                {On(stream, CollectiveNode(3, AR, 2000, {}, "b")),
                 On(stream, CollectiveNode(4, AR, 1000, {}, "a"))}};
        };
        NS_TEST_ASSERT_MSG_EQ(GetErrorOf([&] { RunTimed(MakeWorkload(ranks(-1), groups)); }),
                              "",
                              "no order, no contradiction");
        error = GetErrorOf([&] { RunTimed(MakeWorkload(ranks(9), groups)); });
        NS_TEST_ASSERT_MSG_EQ(
            Contains(error,
                     "rank 0: node 1 \"all-reduce 1\" (collective all-reduce, group \"a\", 1000 B) "
                     "has started; waits for a message of rank 1; behind it on stream 9 waits node "
                     "2 \"all-reduce 2\" (collective all-reduce, group \"b\", 2000 B)"),
            true,
            error);
        NS_TEST_ASSERT_MSG_EQ(
            Contains(error, "rank 0 node 1 -> rank 1 node 3 -> rank 0 node 1 (again)"),
            true,
            error);

        // Rank 0 brings the second of "a" only after the first of "b", rank 1 the other way round.
        const std::vector<std::vector<ExecutionNode>> crossed{
            {CollectiveNode(1, AR, 2000, {}, "b"),
             CollectiveNode(2, AR, 1000, {1}, "a"),
             CollectiveNode(3, AR, 1000, {}, "a")},
            {CollectiveNode(1, AR, 1000, {}, "a"),
             CollectiveNode(2, AR, 1000, {}, "a"),
             CollectiveNode(3, AR, 2000, {2}, "b")}};
        NS_TEST_ASSERT_MSG_EQ(GetErrorOf([&] { RunTimed(MakeWorkload(crossed, groups)); }),
                              "",
                              "no queues");
        error = GetErrorOf([&] {
            RunTimed(MakeWorkload(crossed, groups),
                     {{"SerialiseCollectives", std::make_shared<BooleanValue>(true)}});
        });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "behind it in its communicator waits node 2"),
                              true,
                              error);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Random streams of compute nodes against a simulation that takes the definition literally.
 */
class RandomStreamsTestCase : public TestCase
{
  public:
    RandomStreamsTestCase()
        : TestCase("Random streams end when the definition says")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(3);
        for (uint32_t round = 0; round < 40; ++round)
        {
            std::vector<ExecutionNode> nodes;
            for (uint64_t id = 0; id < 30; ++id)
            {
                const int64_t duration = random() % 1000;
                const int64_t stream = random() % 3;
                nodes.push_back(On(stream, ComputeNode(id, duration)));
                for (uint64_t k = random() % 3; k > 0 && id > 0; --k)
                {
                    nodes.back().dependencies.push_back(random() % id);
                }
            }
            std::map<uint64_t, int64_t> ends;
            std::map<int64_t, int64_t> free;
            for (const auto& node : nodes)
            {
                int64_t start = free[node.stream];
                for (const uint64_t id : node.dependencies)
                {
                    start = std::max(start, ends[id]);
                }
                ends[node.id] = free[node.stream] = start + node.durationPs;
            }
            const auto times = RunTimed(MakeWorkload({nodes, {}}));
            NS_TEST_ASSERT_MSG_EQ((times.ends == ends), true, "round " << round);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of what runs at once on an NPU.
 */
class NpuStreamsTestSuite : public TestSuite
{
  public:
    NpuStreamsTestSuite()
        : TestSuite("ml-cluster-npu-streams", Type::UNIT)
    {
        AddTestCase(new StreamOrderTestCase);
        AddTestCase(new StreamKindsTestCase);
        AddTestCase(new HostThreadsTestCase);
        AddTestCase(new CommunicatorQueueTestCase);
        AddTestCase(new ContradictingOrderTestCase);
        AddTestCase(new RandomStreamsTestCase);
    }
};

static NpuStreamsTestSuite g_npuStreamsTestSuite; ///< registers the suite
