/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/nstime.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s per NPU
constexpr int64_t LATENCY = 500000;     ///< 500 ns per link
constexpr int64_t US = 1000000;         ///< ps

} // namespace

/**
 * @ingroup ml-cluster-tests
 * On one switch no rank is special: an exchange round a ring, with uneven sizes and compute times,
 * takes the same time whichever rank has which place.
 */
class PermutationTestCase : public TestCase
{
  public:
    PermutationTestCase()
        : TestCase("Any permutation of ranks takes the same time on one switch")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(1);
        std::vector<uint32_t> map{0, 1, 2, 3, 4, 5, 6, 7};
        for (const std::string backend : {"analytical", "packet"})
        {
            const auto expected = Run(map, backend);
            for (int i = 0; i < 5; ++i)
            {
                auto other = map;
                std::reverse(other.begin(), other.end());
                if (i > 0)
                {
                    std::shuffle(other.begin(), other.end(), random);
                }
                NS_TEST_EXPECT_MSG_EQ((Run(other, backend) == expected), true, backend << i);
            }
        }
    }

    /// @param map rank at each place of the ring @param backend name @return finish time by place
    std::vector<int64_t> Run(const std::vector<uint32_t>& map, const std::string& backend)
    {
        const auto n = static_cast<uint32_t>(map.size());
        std::vector<std::vector<ExecutionNode>> nodes(n);
        for (uint32_t place = 0; place < n; ++place)
        {
            const uint32_t next = map[(place + 1) % n];
            const uint32_t before = (place + n - 1) % n;
            nodes[map[place]] = {PeerNode(NodeKind::Send, 1, next, 1000000 + place),
                                 PeerNode(NodeKind::Receive, 2, map[before], 1000000 + before),
                                 ComputeNode(3, place * US, {2}),
                                 PeerNode(NodeKind::Send, 4, map[before], 77777, 1, {3}),
                                 PeerNode(NodeKind::Receive, 5, next, 77777, 1, {3})};
        }
        const auto report =
            RunCluster(MakeTopology("Switch(8)", RATE, LATENCY), MakeWorkload(nodes), {}, backend);
        std::vector<int64_t> times;
        for (const uint32_t rank : map)
        {
            times.push_back(report.ranks[rank].finishTimePs);
        }
        return times;
    }
};

/**
 * @ingroup ml-cluster-tests
 * Equal collectives in a row take equal times when the network is idle in between; without bytes
 * in acknowledgements it is in the packet backend too.
 */
class RepetitionTestCase : public TestCase
{
  public:
    RepetitionTestCase()
        : TestCase("Equal collectives in a row take equal times")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<ExecutionNode> nodes;
        std::vector<uint64_t> before;
        for (uint64_t id = 1; id <= 10; ++id)
        {
            nodes.push_back(CollectiveNode(id, CollectiveType::AllReduce, 1 << 20, before));
            before = {id};
        }
        for (const std::string backend : {"analytical", "packet"})
        {
            const auto report = RunCluster(
                MakeTopology("FullyConnected(8)_Switch(3)", RATE, LATENCY),
                MakeEqualWorkload(24, nodes),
                [&](ClusterHelper& cluster) {
                    if (backend == "packet")
                    {
                        cluster.SetBackendAttribute("AckBytes", UintegerValue(0));
                    }
                },
                backend);
            NS_TEST_ASSERT_MSG_EQ(report.collectives.size(), 10, backend);
            const auto& first = report.collectives[0];
            for (const auto& one : report.collectives)
            {
                NS_TEST_EXPECT_MSG_EQ(one.endPs - one.startPs,
                                      first.endPs - first.startPs,
                                      backend);
            }
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * More chunks of one dimension cost latencies and nothing else; so does an endpoint delay d: 4
 * chunks take 4 (30 d + 2 d) more on 16 ranks, one for each arrival and for each of two phases.
 */
class LatencyPartTestCase : public TestCase
{
  public:
    LatencyPartTestCase()
        : TestCase("Chunks and endpoint delays leave the bandwidth part of a ring alone")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t chunks = 1; chunks <= 64; chunks *= 2)
        {
            NS_TEST_EXPECT_MSG_EQ(Run(8, chunks, 0), 2348810240 + chunks * 14 * LATENCY, chunks);
        }
        const int64_t without = Run(16, 4, 0);
        for (const int64_t delay : {US, 2 * US, 4 * US, 8 * US})
        {
            NS_TEST_EXPECT_MSG_EQ(Run(16, 4, delay), without + 4 * 32 * delay, delay);
        }
    }

    /// @param n ranks @param chunks chunks @param delayPs EndpointDelay @return time of 64 MiB, ps
    int64_t Run(uint32_t n, uint32_t chunks, int64_t delayPs)
    {
        const auto report = RunCluster(
            MakeTopology("Ring(" + std::to_string(n) + ")", RATE, LATENCY),
            MakeEqualWorkload(n, {CollectiveNode(1, CollectiveType::AllReduce, 64 << 20)}),
            [&](ClusterHelper& cluster) {
                cluster.SetCollectiveAttribute("Chunks", UintegerValue(chunks));
                cluster.SetNpuAttribute("EndpointDelay", TimeValue(PicoSeconds(delayPs)));
            });
        return report.finishTimePs;
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of what must not change the time, or only the latency part of it.
 */
class SymmetryTestSuite : public TestSuite
{
  public:
    SymmetryTestSuite()
        : TestSuite("ml-cluster-symmetry", Type::SYSTEM)
    {
        AddTestCase(new PermutationTestCase);
        AddTestCase(new RepetitionTestCase);
        AddTestCase(new LatencyPartTestCase);
    }
};

static SymmetryTestSuite g_symmetryTestSuite; ///< registers the suite
