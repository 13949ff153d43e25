/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Inputs that other simulators were reported to fail on, as far as no other suite has them.

#include "test-tools.h"

#include "ns3/boolean.h"
#include "ns3/test.h"

#include <algorithm>
#include <numeric>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s: 20 ps a byte
constexpr int64_t LATENCY = 500000;     ///< 500 ns

} // namespace

/**
 * @ingroup ml-cluster-tests
 * A ring exchange whose members are placed on a switch in any order. Expectation: any
 * placement takes the time of the longest message.
 */
class PlacementTestCase : public TestCase
{
  public:
    PlacementTestCase()
        : TestCase("Any placement of a ring exchange on a switch takes the same time")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<uint32_t> placement(N);
        std::iota(placement.begin(), placement.end(), 0);
        const int64_t analytical = Run(placement, "analytical");
        const int64_t packet = Run(placement, "packet");
        NS_TEST_EXPECT_MSG_EQ(analytical, 20 * N * 100000 + 2 * LATENCY, "longest message");
        std::reverse(placement.begin(), placement.end());
        std::mt19937 random(11);
        for (uint32_t i = 0; i < 10; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(Run(placement, "analytical"), analytical, "placement " << i);
            NS_TEST_EXPECT_MSG_EQ(Run(placement, "packet"), packet, "placement " << i);
            std::shuffle(placement.begin(), placement.end(), random);
        }
    }

    /// @param placement rank of each member @param backend which @return finish time, ps
    int64_t Run(const std::vector<uint32_t>& placement, const std::string& backend)
    {
        std::vector<std::vector<ExecutionNode>> ranks(N);
        for (uint32_t i = 0; i < N; ++i)
        {
            const uint32_t next = (i + 1) % N;
            const uint64_t bytes = 100000 * (i + 1);
            ranks[placement[i]].push_back(PeerNode(NodeKind::Send, 1, placement[next], bytes));
            ranks[placement[next]].push_back(PeerNode(NodeKind::Receive, 2, placement[i], bytes));
        }
        return RunCluster(MakeTopology("Switch(8)", RATE, LATENCY),
                          MakeWorkload(ranks),
                          {},
                          backend)
            .finishTimePs;
    }

    static constexpr uint32_t N = 8; ///< members
};

/**
 * @ingroup ml-cluster-tests
 * All-to-alls of two groups of 16 at once, up to 256 MiB. Expectation: 15 of 16 pieces pass
 * each port, and nothing but that depends on the size.
 */
class TwoGroupsTestCase : public TestCase
{
  public:
    TwoGroupsTestCase()
        : TestCase("All-to-alls of two groups scale to any size")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint64_t mebibytes : {1, 16, 64, 256})
        {
            const uint64_t bytes = mebibytes << 20;
            const int64_t serialisation = 20 * bytes / 16 * 15;
            NS_TEST_EXPECT_MSG_EQ(Run(bytes, "analytical"), serialisation + 2 * LATENCY, bytes);
        }
        const double expected = 20.0 * (16 << 20) / 16 * 15 + 2 * LATENCY;
        NS_TEST_EXPECT_MSG_EQ_TOL(Run(16 << 20, "packet") / expected,
                                  1.0,
                                  0.02,
                                  "packets are stored whole at the switch");
    }

    /// @param bytes buffer of a rank @param backend which @return finish time, ps
    int64_t Run(uint64_t bytes, const std::string& backend)
    {
        CommunicatorGroups groups;
        std::vector<std::vector<ExecutionNode>> ranks;
        for (uint32_t rank = 0; rank < 32; ++rank)
        {
            const std::string name = rank < 16 ? "low" : "high";
            groups[name].push_back(rank);
            ranks.push_back({CollectiveNode(1, CollectiveType::AllToAll, bytes, {}, name)});
        }
        return RunCluster(
                   MakeTopology("Switch(32)", RATE, LATENCY),
                   MakeWorkload(ranks, groups),
                   [&backend](ClusterHelper& cluster) {
                       cluster.SetCollectiveAttribute("Chunks", UintegerValue(1));
                       if (backend == "packet")
                       {
                           cluster.SetBackendAttribute("HeaderBytes", UintegerValue(0));
                           cluster.SetBackendAttribute("AckBytes", UintegerValue(0));
                       }
                   },
                   backend)
            .finishTimePs;
    }
};

/**
 * @ingroup ml-cluster-tests
 * 16 senders of 100 kB to one port of 800 Gb/s. Expectation: the port is shared, so that
 * the last one ends after 16 us and the latencies.
 */
class SharedPortTestCase : public TestCase
{
  public:
    SharedPortTestCase()
        : TestCase("Senders to one port share its rate")
    {
    }

  private:
    void DoRun() override
    {
        const int64_t least = 16000000 + 2 * LATENCY;
        NS_TEST_EXPECT_MSG_EQ(Run("analytical"), least, "back to back");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(Run("packet"), least, "never above the rate");
    }

    /// @param backend which @return finish time, ps
    int64_t Run(const std::string& backend)
    {
        std::vector<std::vector<ExecutionNode>> ranks(17);
        for (uint32_t rank = 1; rank < 17; ++rank)
        {
            ranks[0].push_back(PeerNode(NodeKind::Receive, rank, rank, 100000));
            ranks[rank] = {PeerNode(NodeKind::Send, 1, 0, 100000)};
        }
        return RunCluster(MakeTopology("Switch(17)", 2 * RATE, LATENCY),
                          MakeWorkload(ranks),
                          {},
                          backend)
            .finishTimePs;
    }
};

/**
 * @ingroup ml-cluster-tests
 * Which delay law holds over several hops. Expectation: the documented ones.
 */
class DelayLawTestCase : public TestCase
{
  public:
    DelayLawTestCase()
        : TestCase("1 MB over four hops takes 22 us, stored whole 82 us")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Run(false), 22000000, "cut-through");
        NS_TEST_EXPECT_MSG_EQ(Run(true), 82000000, "stored whole");
    }

    /// @param whole whether messages are stored whole @return finish time, ps
    int64_t Run(bool whole)
    {
        std::vector<std::vector<ExecutionNode>> ranks(8);
        ranks[0] = {PeerNode(NodeKind::Send, 1, 4, 1000000)};
        ranks[4] = {PeerNode(NodeKind::Receive, 1, 0, 1000000)};
        return RunCluster(MakeTopology("Ring(8)", 2 * RATE, LATENCY),
                          MakeWorkload(ranks),
                          [whole](ClusterHelper& cluster) {
                              cluster.SetBackendAttribute("ForwardWhole", BooleanValue(whole));
                          })
            .finishTimePs;
    }
};

/**
 * @ingroup ml-cluster-tests
 * Work of the host counted as exposed communication. Expectation: of 5 ms on the host, 10
 * ms of compute and an all-reduce of 3 ms in series, the last is exposed and nothing else.
 */
class HostWorkTestCase : public TestCase
{
  public:
    HostWorkTestCase()
        : TestCase("Work of the host is no exposed communication")
    {
    }

  private:
    void DoRun() override
    {
        constexpr int64_t MS = 1'000'000'000;
        auto host = ComputeNode(1, 5 * MS);
        host.onHost = true;
        const uint64_t bytes = (3 * MS - 2 * LATENCY) / 20;
        const auto report = RunCluster(
            MakeTopology("FullyConnected(2)", RATE, LATENCY),
            MakeEqualWorkload(2,
                              {host,
                               ComputeNode(2, 10 * MS, {1}),
                               CollectiveNode(3, CollectiveType::AllReduce, bytes, {2})}),
            [](ClusterHelper& cluster) {
                cluster.SetCollectiveAttribute("Chunks", UintegerValue(1));
            });
        for (const auto& rank : report.ranks)
        {
            NS_TEST_EXPECT_MSG_EQ(rank.exposedCommunicationPs, 3 * MS, "communication");
            NS_TEST_EXPECT_MSG_EQ(rank.hostPs, 5 * MS, "host");
            NS_TEST_EXPECT_MSG_EQ(rank.computePs, 10 * MS, "compute");
            NS_TEST_EXPECT_MSG_EQ(rank.overlappedCommunicationPs, 0, "nothing overlaps");
        }
        NS_TEST_EXPECT_MSG_EQ(report.finishTimePs, 18 * MS, "in series");
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of reported faults.
 */
class ReportedFaultsTestSuite : public TestSuite
{
  public:
    ReportedFaultsTestSuite()
        : TestSuite("ml-cluster-reported-faults", Type::SYSTEM)
    {
        AddTestCase(new PlacementTestCase);
        AddTestCase(new HostWorkTestCase);
        AddTestCase(new TwoGroupsTestCase);
        AddTestCase(new SharedPortTestCase);
        AddTestCase(new DelayLawTestCase);
    }
};

static ReportedFaultsTestSuite g_reportedFaultsTestSuite; ///< registers the suite
