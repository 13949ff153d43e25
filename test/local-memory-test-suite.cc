/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The accelerator's own memory in runs: times of accesses, sharing, reductions, errors.

#include "estimate-comparison.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <map>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr int64_t US = 1000000; ///< ps in a microsecond
constexpr int64_t NS = 1000;    ///< ps in a nanosecond

/// @param id node id @param bytes how much @param dependencies ids waited for @param kind load or
/// store @return an access to local memory
ExecutionNode
LocalNode(uint64_t id,
          uint64_t bytes,
          std::vector<uint64_t> dependencies = {},
          NodeKind kind = NodeKind::MemoryLoad)
{
    ExecutionNode node;
    node.id = id;
    node.name = "local " + std::to_string(id);
    node.kind = kind;
    node.tensorBytes = bytes;
    node.location = MemoryLocation::LOCAL;
    node.dependencies = std::move(dependencies);
    return node;
}

/// @param id node id @param stream -1: none @param operations how many @param bytes how much
/// @return a compute node of a roofline
ExecutionNode
RooflineNode(uint64_t id, int64_t stream, uint64_t operations, uint64_t bytes)
{
    ExecutionNode node = ComputeNode(id, 123);
    node.stream = stream;
    node.operations = operations;
    node.tensorBytes = bytes;
    return node;
}

/// @param nodes work of rank 0 of two @param isShared MemorySharing @param latency of an access
/// @return ends of the nodes by id, ps; a roofline of 1 TFLOP/s and 100 GB/s, remote memory of
/// 10 GB/s
std::map<uint64_t, int64_t>
GetEnds(const std::vector<ExecutionNode>& nodes, bool isShared, const Time& latency = Time(0))
{
    UsePicoseconds();
    ClusterHelper cluster(MakeTopology("FullyConnected(2)", 400000000000, 0));
    cluster.SetNpuAttribute("Roofline", BooleanValue(true));
    cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e12));
    cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(1600000000000)));
    cluster.SetNpuAttribute("MemoryEfficiency", DoubleValue(0.5));
    cluster.SetNpuAttribute("MemoryLatency", TimeValue(latency));
    cluster.SetNpuAttribute("MemorySharing", BooleanValue(isShared));
    cluster.SetMemoryAttribute("Bandwidth", DataRateValue(DataRate(80000000000)));
    const auto applications = cluster.Install(MakeWorkload({nodes, {}}));
    std::map<uint64_t, int64_t> ends;
    applications.Get(0)->TraceConnectWithoutContext(
        "NodeEnd",
        Callback<void, uint32_t, const ExecutionNode&>([&](uint32_t, const ExecutionNode& node) {
            ends[node.id] = Simulator::Now().GetTimeStep();
        }));
    cluster.Run();
    return ends;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Accesses alone, in a chain, beside each other, beside remote memory and beside computing.
 */
class LocalMemoryTimesTestCase : public TestCase
{
  public:
    LocalMemoryTimesTestCase()
        : TestCase("Local memory takes latency and bytes over its bandwidth, which uses share")
    {
    }

  private:
    void DoRun() override
    {
        ExecutionNode remote = LocalNode(4, 1000000);
        remote.location = MemoryLocation::REMOTE;
        const std::vector<ExecutionNode> nodes{LocalNode(1, 1000000),
                                               LocalNode(2, 1, {1}, NodeKind::MemoryStore),
                                               LocalNode(3, 0, {2}),
                                               remote};
        for (const bool isShared : {false, true})
        {
            auto ends = GetEnds(nodes, isShared, NanoSeconds(300));
            NS_TEST_ASSERT_MSG_EQ(ends[1], 10 * US + 300 * NS, "1 MB at half of 200 GB/s");
            NS_TEST_ASSERT_MSG_EQ(ends[2], ends[1] + 300 * NS + 10, "a byte");
            NS_TEST_ASSERT_MSG_EQ(ends[3], ends[2] + 300 * NS, "no byte");
            NS_TEST_ASSERT_MSG_EQ(ends[4], 100 * US, "remote memory beside it");
        }
        CheckSharing();
    }

    /// Bandwidths of uses that meet.
    void CheckSharing()
    {
        const std::vector<ExecutionNode> accesses{LocalNode(1, 1000000), LocalNode(2, 2000000)};
        auto ends = GetEnds(accesses, true);
        NS_TEST_ASSERT_MSG_EQ(ends[1], 20 * US, "half of the bandwidth");
        NS_TEST_ASSERT_MSG_EQ(ends[2], 30 * US, "half, then all of it");
        ends = GetEnds(accesses, false);
        NS_TEST_ASSERT_MSG_EQ(ends[1], 10 * US, "all of it");
        NS_TEST_ASSERT_MSG_EQ(ends[2], 20 * US, "all of it");

        const std::vector<ExecutionNode> kernels{RooflineNode(1, 1, 50000000, 1000000),
                                                 RooflineNode(2, 2, 1000, 1000000),
                                                 LocalNode(3, 1000000),
                                                 RooflineNode(4, -1, 25000000, 0)};
        ends = GetEnds(kernels, true);
        NS_TEST_ASSERT_MSG_EQ(ends[1], 50 * US, "bound by operations");
        NS_TEST_ASSERT_MSG_EQ(ends[2], 30 * US, "a third of the bandwidth");
        NS_TEST_ASSERT_MSG_EQ(ends[3], 30 * US, "a third of the bandwidth");
        NS_TEST_ASSERT_MSG_EQ(ends[4], 25 * US, "no bytes");
        ends = GetEnds(kernels, false);
        NS_TEST_ASSERT_MSG_EQ(ends[1], 50 * US, "bound by operations");
        NS_TEST_ASSERT_MSG_EQ(ends[2], 10 * US, "none is slowed down");
        NS_TEST_ASSERT_MSG_EQ(ends[3], 10 * US, "none is slowed down");

        ends = GetEnds({RooflineNode(1, -1, 0, 1000000),
                        RooflineNode(2, -1, 0, 1000000),
                        LocalNode(3, 500000)},
                       true);
        NS_TEST_ASSERT_MSG_EQ(ends[3], 10 * US, "beside the first");
        NS_TEST_ASSERT_MSG_EQ(ends[1], 15 * US, "alone from then on");
        NS_TEST_ASSERT_MSG_EQ(ends[2], 25 * US, "one after the other without streams");
    }
};

/**
 * @ingroup ml-cluster-tests
 * What of a run local memory takes, and what it has carried: a compute node of 20 us, remote memory
 * for 50 us, local memory for 80 us, the host for 90 us, all from 0 on.
 */
class LocalMemoryReportTestCase : public TestCase
{
  public:
    LocalMemoryReportTestCase()
        : TestCase("Exposed local memory comes behind remote memory and before the host")
    {
    }

  private:
    void DoRun() override
    {
        ExecutionNode remote = LocalNode(1, 500000);
        remote.location = MemoryLocation::DEFAULT;
        ExecutionNode host = ComputeNode(2, 90 * US);
        host.onHost = true;
        const auto report = RunCluster(
            MakeTopology("FullyConnected(2)", 400000000000, 0),
            MakeEqualWorkload(2,
                              {remote,
                               host,
                               RooflineNode(3, -1, 20000000, 0),
                               LocalNode(4, 8000000),
                               RooflineNode(5, -1, 1, 7),
                               LocalNode(6, 100, {2}, NodeKind::MemoryStore)}),
            [](ClusterHelper& cluster) {
                cluster.SetNpuAttribute("Roofline", BooleanValue(true));
                cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e12));
                cluster.SetNpuAttribute("MemorySharing", BooleanValue(false));
                cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(800000000000)));
                cluster.SetMemoryAttribute("Bandwidth", DataRateValue(DataRate(80000000000)));
            });
        for (const RankReport& rank : report.ranks)
        {
            NS_TEST_EXPECT_MSG_EQ(rank.computePs, 20 * US + 70, "operations, and 7 bytes");
            NS_TEST_EXPECT_MSG_EQ(rank.exposedMemoryPs, 30 * US - 70, "until 50 us");
            NS_TEST_EXPECT_MSG_EQ(rank.exposedLocalMemoryPs, 30 * US + 1000, "until 80 us; store");
            NS_TEST_EXPECT_MSG_EQ(rank.hostPs, 10 * US, "until 90 us");
            NS_TEST_EXPECT_MSG_EQ(rank.idlePs, 0, "nothing is idle");
            NS_TEST_EXPECT_MSG_EQ(rank.GetSumPs(), report.finishTimePs, "parts add up");
        }
        NS_TEST_ASSERT_MSG_EQ(report.memory.size(), 2, "both memories");
        NS_TEST_EXPECT_MSG_EQ(report.memory[0].name, "local memory", "first");
        NS_TEST_EXPECT_MSG_EQ(report.memory[0].loadedBytes, 16000000, "of both ranks");
        NS_TEST_EXPECT_MSG_EQ(report.memory[0].storedBytes, 200, "of both ranks");
        NS_TEST_EXPECT_MSG_EQ(report.memory[0].computedBytes, 14, "of both ranks");
        NS_TEST_EXPECT_MSG_EQ(report.memory[1].loadedBytes, 1000000, "remote");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Two loads of 600 kB each at 10 GB/s, 60 us, into 1 MB with 100 kB resident, an all-gather of the
 * first by two ranks, and a store.
 */
class MemoryCapacityTestCase : public TestCase
{
  public:
    MemoryCapacityTestCase()
        : TestCase("What does not fit into local memory is told, stops the run or moves thrice")
    {
    }

  private:
    /// @param nodes of both ranks @param overflow rule @return the report
    static RunReport Run(const std::vector<ExecutionNode>& nodes, const std::string& overflow)
    {
        return RunCluster(MakeTopology("FullyConnected(2)", 400000000000, 0),
                          MakeEqualWorkload(2, nodes),
                          [&](ClusterHelper& cluster) {
                              cluster.SetNpuAttribute("MemoryCapacity", UintegerValue(1000000));
                              cluster.SetNpuAttribute("ResidentMemory", UintegerValue(100000));
                              cluster.SetNpuAttribute("MemoryOverflow", StringValue(overflow));
                              cluster.SetMemoryAttribute("Bandwidth",
                                                         DataRateValue(DataRate(80000000000)));
                          });
    }

    void DoRun() override
    {
        std::vector<ExecutionNode> loads{LocalNode(1, 600000),
                                         LocalNode(2, 600000),
                                         ComputeNode(3, US, {1, 2}),
                                         LocalNode(4, 900000, {3}, NodeKind::MemoryStore)};
        for (ExecutionNode& node : loads)
        {
            node.location = MemoryLocation::DEFAULT;
        }
        auto report = Run(loads, "ignore");
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, 211 * US, "loads, compute, store");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[1].peakLocalMemoryBytes, 1300000, "above the capacity");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[1].spilledBytes, 0, "ignored");
        report = Run(loads, "spill");
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, 271 * US, "300 kB move twice more: 60 us");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[1].peakLocalMemoryBytes, 1000000, "full");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[1].spilledBytes, 300000, "did not fit");
        NS_TEST_ASSERT_MSG_EQ(report.memory[0].loadedBytes, 2 * (1200000 + 300000), "and again");
        NS_TEST_ASSERT_MSG_EQ(report.memory[0].storedBytes, 2 * (900000 + 300000), "and back");
        std::string error = GetErrorOf([&] { Run(loads, "error"); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error,
                                       "rank 0 node 2 \"local 2\": needs 600kB of local memory, "
                                       "which holds 700kB and has 1MB"),
                              true,
                              error);

        loads.resize(1);
        loads.push_back(CollectiveNode(2, CollectiveType::AllGather, 600000, {1}));
        loads.push_back(ComputeNode(3, US, {2}));
        report = Run(loads, "ignore");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[0].peakLocalMemoryBytes, 1900000, "part and all parts");
        for (const std::string overflow : {"spill", "error"})
        {
            error = GetErrorOf([&] { Run(loads, overflow); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "node 2 \"all-gather 2\": needs 1200kB"),
                                  true,
                                  error);
        }
        error = GetErrorOf([&] { Run(loads, "wait"); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "\"wait\" is no memory overflow"), true, error);
        Simulator::Destroy();
        error = GetErrorOf([&] {
            RunCluster(MakeTopology("FullyConnected(2)", 400000000000, 0),
                       MakeEqualWorkload(2, {}),
                       [](ClusterHelper& cluster) {
                           cluster.SetNpuAttribute("MemoryOverflow", StringValue("spill"));
                       });
        });
        NS_TEST_EXPECT_MSG_EQ(
            Contains(error, "(cluster.npu.memory-overflow) is spill, which needs"),
            true,
            error);
        Simulator::Destroy();
        error = GetErrorOf([&] {
            RunCluster(MakeTopology("FullyConnected(2)", 400000000000, 0),
                       MakeEqualWorkload(2, {}),
                       [](ClusterHelper& cluster) {
                           cluster.SetNpuAttribute("ResidentMemory", UintegerValue(5));
                       });
        });
        NS_TEST_EXPECT_MSG_EQ(
            Contains(error, "(cluster.npu.resident-memory) is 5B, which nothing counts"),
            true,
            error);
        Simulator::Destroy();
    }
};

/**
 * @ingroup ml-cluster-tests
 * Reductions take the local memory's bandwidth if asked to.
 */
class ReduceInMemoryTestCase : public TestCase
{
  public:
    ReduceInMemoryTestCase()
        : TestCase("ReduceInMemory is a ReductionBandwidth of the bandwidth that is reached")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = [](const std::function<void(ClusterHelper&)>& configure) {
            return RunCluster(
                       MakeTopology("Ring(4)", 400000000000, 500000),
                       MakeEqualWorkload(4,
                                         {CollectiveNode(1, CollectiveType::AllReduce, 4000000)}),
                       configure)
                .finishTimePs;
        };
        const int64_t without = run({});
        const int64_t byBandwidth = run([](ClusterHelper& cluster) {
            cluster.SetNpuAttribute("ReductionBandwidth", DataRateValue(DataRate(800000000000)));
        });
        const int64_t inMemory = run([](ClusterHelper& cluster) {
            cluster.SetNpuAttribute("ReduceInMemory", BooleanValue(true));
            cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(1000000000000)));
            cluster.SetNpuAttribute("MemoryEfficiency", DoubleValue(0.8));
        });
        NS_TEST_ASSERT_MSG_EQ(inMemory, byBandwidth, "the same bandwidth");
        NS_TEST_ASSERT_MSG_GT(inMemory, without, "reductions take time");
    }
};

/**
 * @ingroup ml-cluster-tests
 * What has no bandwidth is found before time starts.
 */
class LocalMemoryErrorsTestCase : public TestCase
{
  public:
    LocalMemoryErrorsTestCase()
        : TestCase("Local memory without bandwidth is an error that names node and key")
    {
    }

  private:
    void DoRun() override
    {
        const auto expect = [this](const std::vector<std::vector<ExecutionNode>>& nodes,
                                   const std::function<void(ClusterHelper&)>& configure,
                                   const std::string& part) {
            ClusterHelper cluster(MakeTopology("FullyConnected(2)", 400000000000, 0));
            configure(cluster);
            const std::string error = GetErrorOf([&] { cluster.Install(MakeWorkload(nodes)); });
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error);
        };
        expect(
            {{ComputeNode(1, 5)}, {ComputeNode(1, 5), LocalNode(2, 1)}},
            [](ClusterHelper&) {},
            "rank 1 node 2 \"local 2\": its tensor lies in the accelerator's own memory "
            "(tensor_loc 1), which has no bandwidth: set the attribute "
            "ns3::mlcluster::NpuApplication::MemoryBandwidth (cluster.npu.memory-bandwidth)");
        expect(
            {{LocalNode(2, 1)}, {}},
            [](ClusterHelper& cluster) {
                cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(8)));
                cluster.SetNpuAttribute("MemoryEfficiency", DoubleValue(0));
            },
            "shares above 0 and at most 1");
        const auto reduce = [](ClusterHelper& cluster) {
            cluster.SetNpuAttribute("ReduceInMemory", BooleanValue(true));
        };
        expect({{}, {}}, reduce, "(cluster.npu.reduce-in-memory) takes the bandwidth");
        expect(
            {{}, {}},
            [&](ClusterHelper& cluster) {
                reduce(cluster);
                cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(8)));
                cluster.SetNpuAttribute("ReductionBandwidth", DataRateValue(DataRate(8)));
            },
            "leave ReductionBandwidth (cluster.npu.reduction-bandwidth) at 0");
        const std::string error = GetErrorOf(
            [] { GetEnds({RooflineNode(1, -1, 1000, 0), LocalNode(2, 1ULL << 63, {1})}, true); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "rank 0 node 2 \"local 2\""), true, error);
        Simulator::Destroy();
    }
};

/**
 * @ingroup ml-cluster-tests
 * Random compute nodes of a roofline, on streams or none, and accesses to local memory: events are
 * within what was told, and exactly so where none can meet.
 */
class EstimateOfLocalWorkTestCase : public TestCase
{
  public:
    EstimateOfLocalWorkTestCase()
        : TestCase("Events of what uses local memory are within their range")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 0; seed < 60; ++seed)
        {
            std::mt19937_64 random(seed);
            const bool mayMeet = random() % 2;
            std::vector<ExecutionNode> nodes;
            for (uint64_t id = 1; id <= 40; ++id)
            {
                ExecutionNode node = ComputeNode(id, random() % 1000);
                node.operations = random() % 4 * 1000;
                node.tensorBytes = random() % 4 * 1000;
                if (mayMeet)
                {
                    node.stream = static_cast<int64_t>(random() % 4) - 1;
                    node.kind = random() % 4 ? NodeKind::Compute : NodeKind::MemoryStore;
                    node.location = MemoryLocation::LOCAL;
                }
                nodes.push_back(node);
            }
            const auto comparison = Compare(
                MakeTopology("Ring(4)", 400000000000, 500000),
                [&](ClusterHelper& cluster) {
                    cluster.SetNpuAttribute("Roofline", BooleanValue(true));
                    cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e12));
                    cluster.SetNpuAttribute("MemoryBandwidth",
                                            DataRateValue(DataRate(8000000000000)));
                    cluster.SetNpuAttribute("MemorySharing", BooleanValue(seed % 3 > 0));
                },
                MakeEqualWorkload(4, nodes));
            NS_TEST_ASSERT_MSG_EQ(FindFault(comparison), "", "seed " << seed);
            NS_TEST_ASSERT_MSG_EQ(comparison.error, "", "it runs");
            NS_TEST_ASSERT_MSG_EQ(comparison.estimate.events.IsExact(), !mayMeet, "one number");
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of local memory.
 */
class LocalMemoryTestSuite : public TestSuite
{
  public:
    LocalMemoryTestSuite()
        : TestSuite("ml-cluster-local-memory", Type::UNIT)
    {
        AddTestCase(new LocalMemoryTimesTestCase);
        AddTestCase(new LocalMemoryReportTestCase);
        AddTestCase(new MemoryCapacityTestCase);
        AddTestCase(new ReduceInMemoryTestCase);
        AddTestCase(new EstimateOfLocalWorkTestCase);
        AddTestCase(new LocalMemoryErrorsTestCase);
    }
};

static LocalMemoryTestSuite g_localMemoryTestSuite; ///< registers the suite
