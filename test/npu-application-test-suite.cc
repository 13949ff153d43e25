/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/npu-application.h"
#include "ns3/string.h"
#include "ns3/test.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr int64_t US = 1000000;         ///< ps in a microsecond
constexpr int64_t MS = 1000 * US;       ///< ps in a millisecond
constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s
constexpr int64_t LATENCY = 500000;     ///< 500 ns

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Streams: chains, independent nodes by ascending id, host beside accelerator, long durations.
 */
class NpuStreamTestCase : public TestCase
{
  public:
    NpuStreamTestCase()
        : TestCase("Nodes run by ascending id on their streams")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = MakeTopology("FullyConnected(2)", RATE, LATENCY);
        auto host = ComputeNode(5, 7 * US);
        host.onHost = true;
        const auto report = RunCluster(
            topology,
            MakeWorkload(
                {{ComputeNode(3, 4 * US), ComputeNode(1, 2 * US, {3}), ComputeNode(2, US), host},
                 {ComputeNode(1, 2147483647LL * 1000),
                  ComputeNode(2, 2147483648LL * 1000, {1}),
                  ComputeNode(3, 5000000000LL * 1000, {2})}}));
        NS_TEST_ASSERT_MSG_EQ(report.ranks[0].finishTimePs, 7 * US, "node 2, 3, 1 beside the host");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[0].computePs, 7 * US, "compute hides the host stream");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[0].hostPs, 0, "compute hides the host stream");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[1].finishTimePs,
                              (2147483647LL + 2147483648LL + 5000000000LL) * 1000,
                              "durations beyond 31 bits add up");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[0].idlePs,
                              report.finishTimePs - 7 * US,
                              "waiting at the end is idle time");
    }
};

/**
 * @ingroup ml-cluster-tests
 * The order in which ready nodes start, seen through the NodeStart trace source.
 */
class NpuOrderTestCase : public TestCase
{
  public:
    NpuOrderTestCase()
        : TestCase("Ready nodes start by ascending id, not by time of becoming ready")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        ClusterHelper cluster(MakeTopology("FullyConnected(2)", RATE, LATENCY));
        const auto applications = cluster.Install(MakeWorkload({{ComputeNode(10, US),
                                                                 ComputeNode(9, US, {10}),
                                                                 ComputeNode(20, US),
                                                                 ComputeNode(4, US),
                                                                 ComputeNode(30, 0, {4})},
                                                                {}}));
        applications.Get(0)->TraceConnectWithoutContext(
            "NodeStart",
            Callback<void, uint32_t, const ExecutionNode&>(
                [this](uint32_t, const ExecutionNode& node) { m_order.push_back(node.id); }));
        cluster.Run();
        const std::vector<uint64_t> expected{4, 10, 9, 20, 30};
        NS_TEST_ASSERT_MSG_EQ((m_order == expected),
                              true,
                              "4; then 10 of {10, 20, 30}; 9 of {9, 20, 30}");
    }

    std::vector<uint64_t> m_order; ///< ids in the order of starting
};

/**
 * @ingroup ml-cluster-tests
 * Roofline against its formula, compute bound and memory bound.
 */
class NpuRooflineTestCase : public TestCase
{
  public:
    NpuRooflineTestCase()
        : TestCase("The roofline gives the larger of compute and memory time")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = MakeTopology("FullyConnected(2)", RATE, LATENCY);
        const auto run =
            [&](uint64_t operations, uint64_t bytes, double flops, uint64_t bytesPerSecond) {
                auto node = ComputeNode(1, 123);
                node.operations = operations;
                node.tensorBytes = bytes;
                return RunCluster(topology,
                                  MakeWorkload({{node}, {}}),
                                  [&](ClusterHelper& cluster) {
                                      cluster.SetNpuAttribute("Roofline", BooleanValue(true));
                                      cluster.SetNpuAttribute("PeakFlops", DoubleValue(flops));
                                      cluster.SetNpuAttribute(
                                          "MemoryBandwidth",
                                          DataRateValue(DataRate(bytesPerSecond * 8)));
                                  })
                    .finishTimePs;
            };
        NS_TEST_ASSERT_MSG_EQ(run(1000000000, 100000000, 1e14, 100000000000),
                              MS,
                              "memory bound: 1e8 B at 100 GB/s");
        NS_TEST_ASSERT_MSG_EQ(run(1000000000000, 100000000, 1e14, 100000000000),
                              10 * MS,
                              "compute bound: 1e12 at 100 TFLOP/s");
        NS_TEST_ASSERT_MSG_EQ(run(1000000000000, 1, 9e14, 1600000000000),
                              1111111112,
                              "rounded up to 1 ps");
        NS_TEST_ASSERT_MSG_EQ(run(10, 0, 1e13, 1), 1, "no tensor bytes: compute bound");
        const auto error = GetErrorOf([&] { run(1, 1, 0, 1); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "Roofline needs PeakFlops"), true, error);
        CheckEfficiency(topology);
    }

    /// @param topology of two ranks; the shares of the roofs that are reached, and what is counted
    void CheckEfficiency(const ClusterTopology& topology)
    {
        auto bound = ComputeNode(1, 123);
        bound.operations = 1000000000000;
        auto moving = ComputeNode(2, 123);
        moving.tensorBytes = 100000000;
        auto host = ComputeNode(3, 5);
        host.onHost = true;
        host.operations = 77;
        const auto run = [&](double compute, double memory) {
            return RunCluster(topology,
                              MakeEqualWorkload(2, {bound, moving, host}),
                              [&](ClusterHelper& cluster) {
                                  cluster.SetNpuAttribute("Roofline", BooleanValue(true));
                                  cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e14));
                                  cluster.SetNpuAttribute("MemoryBandwidth",
                                                          DataRateValue(DataRate(800000000000)));
                                  cluster.SetNpuAttribute("ComputeEfficiency",
                                                          DoubleValue(compute));
                                  cluster.SetNpuAttribute("MemoryEfficiency", DoubleValue(memory));
                              });
        };
        auto report = run(0.5, 0.8);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, 20 * MS + 1250 * US, "1e12 / 5e13 + 1e8 / 8e10");
        NS_TEST_ASSERT_MSG_EQ(report.operations, 2e12, "of both accelerators");
        report.training = TrainingFigures{1e12, 1, 10, 1e14, 1};
        NS_TEST_ASSERT_MSG_EQ_TOL(TrainingRates(report).hardwareUtilisation,
                                  20 * 0.5 / 21.25,
                                  1e-12,
                                  "half of the peak in 20 of 21.25 ms");
        const auto error = GetErrorOf([&] { run(0, 1); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "shares above 0 and at most 1; given 0"),
                              true,
                              error);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Where time goes: host 5 ms, compute 10 ms, communication 3 ms, memory in series; and overlap.
 */
class NpuBreakdownTestCase : public TestCase
{
  public:
    NpuBreakdownTestCase()
        : TestCase("The parts of a rank's time add up and hidden communication is not exposed")
    {
    }

  private:
    void DoRun() override
    {
        auto host = ComputeNode(1, 5 * MS);
        host.onHost = true;
        ExecutionNode load;
        load.id = 4;
        load.kind = NodeKind::MemoryLoad;
        load.tensorBytes = 1000000;
        load.dependencies = {3};
        const uint64_t bytes = (3 * MS - LATENCY) / 20; // 400 Gb/s: 20 ps a byte
        const std::vector<ExecutionNode> sender{host,
                                                ComputeNode(2, 10 * MS, {1}),
                                                PeerNode(NodeKind::Send, 3, 1, bytes, 0, {2}),
                                                load};
        const std::vector<ExecutionNode> receiver{ComputeNode(1, 15 * MS),
                                                  PeerNode(NodeKind::Receive, 2, 0, bytes, 0, {1}),
                                                  ComputeNode(3, 2 * MS, {1})};
        const auto report = RunCluster(
            MakeTopology("FullyConnected(2)", RATE, LATENCY),
            MakeWorkload({sender, receiver}),
            [](ClusterHelper& cluster) {
                cluster.SetMemoryAttribute("Latency", TimeValue(NanoSeconds(100)));
                cluster.SetMemoryAttribute("Bandwidth", DataRateValue(DataRate(80000000000)));
            });
        const auto& a = report.ranks[0];
        NS_TEST_ASSERT_MSG_EQ(a.hostPs, 5 * MS, "host");
        NS_TEST_ASSERT_MSG_EQ(a.computePs, 10 * MS, "compute");
        NS_TEST_ASSERT_MSG_EQ(a.exposedCommunicationPs,
                              3 * MS - LATENCY,
                              "a send ends when it has left");
        NS_TEST_ASSERT_MSG_EQ(a.exposedMemoryPs, 100100000, "100 ns + 1e6 B at 10 GB/s");
        const auto& b = report.ranks[1];
        NS_TEST_ASSERT_MSG_EQ(b.computePs, 17 * MS, "compute");
        NS_TEST_ASSERT_MSG_EQ(b.exposedCommunicationPs, MS, "2 of 3 ms are hidden");
        NS_TEST_ASSERT_MSG_EQ(b.finishTimePs, 18 * MS, "arrival of the message");
        for (const auto& rank : report.ranks)
        {
            NS_TEST_ASSERT_MSG_EQ(rank.GetSumPs(), report.finishTimePs, "parts add up");
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Matching by peer, tag and order, with messages that come before their receive and after.
 */
class NpuMatchingTestCase : public TestCase
{
  public:
    NpuMatchingTestCase()
        : TestCase("Sends and receives match by peer, tag and order")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = MakeTopology("FullyConnected(2)", RATE, LATENCY);
        const auto ser = [](uint64_t bytes) { return static_cast<int64_t>(bytes * 20); };
        // Equal tags: the first receive (8 KB) matches the first send although the second is
        // smaller.
        const auto report =
            RunCluster(topology,
                       MakeWorkload({{PeerNode(NodeKind::Send, 1, 1, 8000, 7),
                                      PeerNode(NodeKind::Send, 2, 1, 10, 7),
                                      PeerNode(NodeKind::Send, 3, 1, 20, 8)},
                                     {ComputeNode(1, 9 * US),
                                      PeerNode(NodeKind::Receive, 2, 0, 20, 8),
                                      PeerNode(NodeKind::Receive, 3, 0, 8000, 7, {1}),
                                      PeerNode(NodeKind::Receive, 4, 0, 10, 7, {1}),
                                      ComputeNode(5, US, {2})}}));
        NS_TEST_ASSERT_MSG_EQ(report.ranks[0].finishTimePs,
                              ser(8030),
                              "the link serves one after the other");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[1].finishTimePs,
                              10 * US,
                              "all had arrived; compute is last");
        const auto none =
            RunCluster(topology,
                       MakeWorkload({{PeerNode(NodeKind::Send, 1, 1, 8000, 7),
                                      PeerNode(NodeKind::Send, 2, 1, 10, 7)},
                                     {PeerNode(NodeKind::Receive, 1, 0, 8000, 7),
                                      PeerNode(NodeKind::Receive, 2, 0, 10, 7)}}),
                       [](ClusterHelper& cluster) {
                           cluster.SetBackendAttribute("Congestion", StringValue("None"));
                       });
        NS_TEST_ASSERT_MSG_EQ(none.finishTimePs,
                              LATENCY + ser(8000),
                              "a message that overtakes still matches by order");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Runs that cannot finish, and ranks that do not fit together, end with an error that tells why.
 */
class NpuStuckTestCase : public TestCase
{
  public:
    NpuStuckTestCase()
        : TestCase("A run that cannot finish tells who waits for whom")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = MakeTopology("FullyConnected(2)", RATE, LATENCY);
        const auto crossed = [](uint32_t peer) {
            return std::vector<ExecutionNode>{PeerNode(NodeKind::Receive, 1, peer, 100, 3),
                                              PeerNode(NodeKind::Send, 2, peer, 100, 3, {1})};
        };
        auto error =
            GetErrorOf([&] { RunCluster(topology, MakeWorkload({crossed(1), crossed(0)})); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "2 of 2 ranks cannot finish"), true, error);
        NS_TEST_ASSERT_MSG_EQ(
            Contains(
                error,
                "rank 0: node 1 \"receive 1\" (receive from rank 1, tag 3, 100 B) has started"),
            true,
            error);
        NS_TEST_ASSERT_MSG_EQ(
            Contains(error, "rank 0 node 1 -> rank 1 node 1 -> rank 0 node 1 (again)"),
            true,
            error);

        error = GetErrorOf([&] {
            RunCluster(topology,
                       MakeWorkload({{PeerNode(NodeKind::Send, 4, 1, 1048576, 3)},
                                     {PeerNode(NodeKind::Receive, 9, 0, 1048575, 3)}}));
        });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "1048576") && Contains(error, "1048575") &&
                                  Contains(error, "4") && Contains(error, "9"),
                              true,
                              error);

        error = GetErrorOf([&] {
            RunCluster(topology,
                       MakeWorkload({{}, {ComputeNode(1, INT64_MAX), ComputeNode(2, 1, {1})}}));
        });
        const std::string late = "node 2 \"compute 2\" ends later than time can be counted";
        NS_TEST_ASSERT_MSG_EQ(Contains(error, late), true, error);
        NS_TEST_ASSERT_MSG_EQ(
            RunCluster(topology, MakeWorkload({{ComputeNode(1, 5)}, {}})).finishTimePs,
            5,
            "what was refused does not run later");

        error = GetErrorOf([&] { RunCluster(topology, MakeWorkload({{}})); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "the workload has 1 ranks"), true, error);
        error = GetErrorOf([&] { ClusterHelper(topology).SetBackend("pakcet"); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "allowed: analytical, packet"), true, error);
        error = GetErrorOf([&] { ClusterHelper(topology).SetMemoryModel("x"); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "TypeId name of a MemoryModel"), true, error);
        error = GetErrorOf([&] { ClusterHelper(topology).Run(); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "call Install first"), true, error);
        CheckMisuse();
    }

    /// An application without work, and reductions that end too late, are refused.
    void CheckMisuse()
    {
        const auto npu = CreateObject<NpuApplication>();
        auto error = GetErrorOf([&] { npu->Initialize(); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "call Setup before it starts"), true, error);
        error = GetErrorOf([&] { ReductionUnit(1).Book(1048576, 1); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "the reduction of 1MiB ends later"), true, error);
    }
};

/**
 * @ingroup ml-cluster-tests
 * The mailbox finds differing sizes whichever side comes first.
 */
class MailboxTestCase : public TestCase, public MessageReceiver
{
  public:
    MailboxTestCase()
        : TestCase("The mailbox matches once and compares sizes")
    {
    }

    void Received(uint64_t cookie, const NetworkMessage& /* message */) override
    {
        m_cookies.push_back(cookie);
    }

  private:
    void DoRun() override
    {
        MessageMailbox mailbox(1);
        const MessageTag tag{0, 5, 0};
        mailbox.Arrive({0, 1, 10, tag, 40});
        auto error = GetErrorOf([&] { mailbox.Expect({0, tag, 11, 50, this, 1}); });
        NS_TEST_ASSERT_MSG_EQ(error,
                              "sizes differ: node 40 of rank 0 sends 10 B to node 50 of rank 1, "
                              "which receives 11 B; both must be equal",
                              "message first");
        mailbox.Expect({0, tag, 11, 50, this, 2});
        error = GetErrorOf([&] { mailbox.Arrive({0, 1, 10, tag, 40}); });
        NS_TEST_ASSERT_MSG_EQ(Contains(error, "sizes differ"), true, "receive first");
        mailbox.Expect({2, tag, 8, 51, this, 3});
        mailbox.Expect({2, {0, 5, 1}, 8, 52, this, 4});
        const std::vector<uint32_t> sender{2};
        NS_TEST_ASSERT_MSG_EQ((mailbox.GetAwaitedRanks(51) == sender), true, "51 waits");
        NS_TEST_ASSERT_MSG_EQ((mailbox.GetAwaitedRanks(52) == sender), true, "52 waits");
        mailbox.Arrive({2, 1, 8, {0, 5, 1}, 41});
        mailbox.Arrive({2, 1, 8, tag, 41});
        NS_TEST_ASSERT_MSG_EQ((m_cookies == std::vector<uint64_t>{4, 3}),
                              true,
                              "by order, not by arrival");
        NS_TEST_ASSERT_MSG_EQ(mailbox.GetAwaitedRanks(51).empty(), true, "51 does not wait");
        NS_TEST_ASSERT_MSG_EQ(mailbox.GetAwaitedRanks(52).empty(), true, "52 does not wait");
    }

    std::vector<uint64_t> m_cookies; ///< what was received
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of NpuApplication and what it is made of.
 */
class NpuApplicationTestSuite : public TestSuite
{
  public:
    NpuApplicationTestSuite()
        : TestSuite("ml-cluster-npu", Type::UNIT)
    {
        AddTestCase(new NpuStreamTestCase);
        AddTestCase(new NpuOrderTestCase);
        AddTestCase(new NpuRooflineTestCase);
        AddTestCase(new NpuBreakdownTestCase);
        AddTestCase(new NpuMatchingTestCase);
        AddTestCase(new NpuStuckTestCase);
        AddTestCase(new MailboxTestCase);
    }
};

static NpuApplicationTestSuite g_npuApplicationTestSuite; ///< registers the suite
