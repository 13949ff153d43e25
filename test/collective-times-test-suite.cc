/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/collective-algorithm.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s per member
constexpr int64_t LATENCY = 500000;     ///< 500 ns per link

/// Serialisation of bytes on a link, ps.
int64_t
Ser(uint64_t bytes, uint64_t bitRate)
{
    return SerialisationPicoseconds(bytes, bitRate);
}

uint64_t
CeilDiv(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Ring algorithm on the three blocks, 2 to 64 ranks, to the picosecond. Steps of a reduce-scatter
 * or all-gather: n - 1; of an all-reduce: twice that. A step takes hops x latency plus the time of
 * its largest piece on the link: on a Ring half a piece on a link of B/2 (n = 2: the piece on B),
 * on a FullyConnected the piece on B/(n-1), through a Switch the piece on B.
 */
class RingClosedFormTestCase : public TestCase
{
  public:
    RingClosedFormTestCase()
        : TestCase("Ring algorithms take their closed form")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t n = 2; n <= 64; ++n)
        {
            for (const uint64_t bytes :
                 {uint64_t{1} << 20, uint64_t{1000003}, uint64_t{2 * n * 1000}})
            {
                Check("Ring", n, bytes);
                Check("FullyConnected", n, bytes);
                Check("Switch", n, bytes);
            }
        }
    }

    /// @param block notation @param n ranks @param bytes all-reduce size
    void Check(const std::string& block, uint32_t n, uint64_t bytes)
    {
        const auto topology = MakeTopology(block + "(" + std::to_string(n) + ")", RATE, LATENCY);
        const uint64_t link = topology.GetDimension(0).linkBitRate;
        const bool halved = block == "Ring" && n > 2;
        const int64_t hops = block == "Switch" ? 2 : 1;
        const auto step = [&](uint64_t piece) {
            return hops * LATENCY + Ser(halved ? CeilDiv(piece, 2) : piece, link);
        };
        const uint64_t piece = CeilDiv(bytes, n);
        const std::string what = block + " " + std::to_string(n) + " " + std::to_string(bytes);
        const auto time = [&](CollectiveType type, uint64_t size) {
            return RunCollective(topology, type, size, "ring").finishTimePs;
        };
        NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::AllReduce, bytes),
                              2 * (n - 1) * step(piece),
                              what);
        NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::ReduceScatter, bytes),
                              (n - 1) * step(piece),
                              what);
        NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::AllGather, bytes), (n - 1) * step(bytes), what);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Direct algorithm: on a FullyConnected one piece on every link at once; through a Switch n - 1
 * pieces one after the other on the link up, rotated so that links down never collide.
 */
class DirectClosedFormTestCase : public TestCase
{
  public:
    DirectClosedFormTestCase()
        : TestCase("Direct algorithms take their closed form")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t n = 2; n <= 64; ++n)
        {
            const uint64_t bytes = n * 10000;
            for (const std::string block : {"FullyConnected", "Switch"})
            {
                const auto topology =
                    MakeTopology(block + "(" + std::to_string(n) + ")", RATE, LATENCY);
                const uint64_t link = topology.GetDimension(0).linkBitRate;
                const auto phase = [&](uint64_t piece) {
                    return block == "Switch" ? 2 * LATENCY + (n - 1) * Ser(piece, link)
                                             : LATENCY + Ser(piece, link);
                };
                const auto time = [&](CollectiveType type) {
                    return RunCollective(topology, type, bytes, "direct").finishTimePs;
                };
                const std::string what = block + " " + std::to_string(n);
                NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::AllReduce), 2 * phase(10000), what);
                NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::ReduceScatter), phase(10000), what);
                NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::AllGather), phase(bytes), what);
                NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::AllToAll), phase(10000), what);
            }
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Halving-doubling through a Switch: log2 n steps of S/2, S/4, ...; all-reduce both ways.
 */
class HalvingDoublingClosedFormTestCase : public TestCase
{
  public:
    HalvingDoublingClosedFormTestCase()
        : TestCase("Halving-doubling takes its closed form")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t n = 2; n <= 64; n *= 2)
        {
            const uint64_t bytes = 64 * 12345;
            const auto topology = MakeTopology("Switch(" + std::to_string(n) + ")", RATE, LATENCY);
            int64_t scatter = 0;
            int64_t gather = 0;
            for (uint64_t part = 2; part <= n; part *= 2)
            {
                scatter += 2 * LATENCY + Ser(bytes / part, RATE);
                gather += 2 * LATENCY + Ser(bytes * part / 2, RATE);
            }
            const auto time = [&](CollectiveType type) {
                return RunCollective(topology, type, bytes, "halving-doubling").finishTimePs;
            };
            const std::string what = "Switch " + std::to_string(n);
            NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::AllReduce), 2 * scatter, what);
            NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::ReduceScatter), scatter, what);
            NS_TEST_EXPECT_MSG_EQ(time(CollectiveType::AllGather), gather, what);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * All-to-all relayed round a ring: step k carries the pieces with k or more hops to go. For n
 * even each direction's links carry n S / 8 bytes at B/2: n S / (4 B) plus n/2 latencies.
 */
class RelayClosedFormTestCase : public TestCase
{
  public:
    RelayClosedFormTestCase()
        : TestCase("A relayed all-to-all takes its closed form")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t n = 4; n <= 64; n += 2)
        {
            const uint64_t bytes = 2 * n * 8000;
            const auto topology = MakeTopology("Ring(" + std::to_string(n) + ")", RATE, LATENCY);
            const int64_t expected = Ser(n * bytes / 4, RATE) + n / 2 * LATENCY;
            const auto report = RunCollective(topology, CollectiveType::AllToAll, bytes, "auto");
            NS_TEST_EXPECT_MSG_EQ(report.finishTimePs, expected, "ring of " << n);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Very large and very small sizes: linear to 10^10 bytes; every collective from 1 byte on.
 */
class CollectiveSizeTestCase : public TestCase
{
  public:
    CollectiveSizeTestCase()
        : TestCase("Sizes from 0 B to 10^10 B")
    {
    }

  private:
    void DoRun() override
    {
        const auto ring = MakeTopology("Ring(8)", RATE, LATENCY);
        for (const uint64_t bytes : {uint64_t{2147483647},
                                     uint64_t{2147483648},
                                     uint64_t{4294967296},
                                     uint64_t{10000000000}})
        {
            const int64_t expected = 14 * (LATENCY + Ser(CeilDiv(CeilDiv(bytes, 8), 2), RATE / 2));
            NS_TEST_EXPECT_MSG_EQ(
                RunCollective(ring, CollectiveType::AllReduce, bytes, "ring").finishTimePs,
                expected,
                bytes);
        }
        for (const std::string notation :
             {"Ring(8)", "Switch(8)", "FullyConnected(8)", "Ring(2)_Switch(4)"})
        {
            const auto topology = MakeTopology(notation, RATE, LATENCY);
            for (const auto type : {CollectiveType::AllReduce,
                                    CollectiveType::AllGather,
                                    CollectiveType::ReduceScatter,
                                    CollectiveType::AllToAll})
            {
                int64_t previous = 0;
                for (const uint64_t bytes : {0, 1, 3, 4, 7, 8, 9})
                {
                    const auto report = RunCollective(topology, type, bytes, "auto");
                    NS_TEST_EXPECT_MSG_EQ((report.finishTimePs >= previous),
                                          true,
                                          notation << " " << ToString(type) << " " << bytes);
                    NS_TEST_EXPECT_MSG_EQ((report.finishTimePs > 0),
                                          (bytes > 0),
                                          notation << " " << ToString(type) << " " << bytes);
                    previous = report.finishTimePs;
                }
            }
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Endpoint delay d and reduction cost R in the ring all-reduce of n ranks:
 * d + 2(n-1)(h + d) + (n-1) R per chunk and phase; two phases, so one d more than a fused one.
 */
class EndpointCostTestCase : public TestCase
{
  public:
    EndpointCostTestCase()
        : TestCase("Endpoint delay and reductions are paid once a step")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t bytes = 8 * 100000;
        const int64_t delay = 10000;
        const uint64_t memory = 1600000000000 * 8ULL / 10;
        const auto report = RunCluster(
            MakeTopology("Switch(8)", RATE, LATENCY),
            MakeEqualWorkload(8, {CollectiveNode(1, CollectiveType::AllReduce, bytes)}),
            [&](ClusterHelper& cluster) {
                cluster.SetCollectiveAttribute("Chunks", UintegerValue(2));
                cluster.SetCollectiveAttribute("AllReduce", StringValue("ring"));
                cluster.SetNpuAttribute("EndpointDelay", TimeValue(PicoSeconds(delay)));
                cluster.SetNpuAttribute("ReductionBandwidth", DataRateValue(DataRate(memory)));
            });
        const int64_t hop = 2 * LATENCY + Ser(50000, RATE);
        const int64_t reduction = Ser(3 * 50000, memory);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              2 * (2 * delay + 14 * (hop + delay) + 7 * reduction),
                              "two chunks one after the other");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Conservation: bytes that cross each dimension are what the algorithm sends, for uneven sizes.
 */
class CollectiveBytesTestCase : public TestCase
{
  public:
    CollectiveBytesTestCase()
        : TestCase("Links carry exactly the bytes of the collective")
    {
    }

  private:
    void DoRun() override
    {
        // Reduce-scatter up: dimension 0 moves (n0-1)/n0 S per rank, dimension 1 of what is left.
        const uint64_t bytes = 1000003;
        const auto report = RunCollective(MakeTopology("Ring(4)_Switch(3)", RATE, LATENCY),
                                          CollectiveType::ReduceScatter,
                                          bytes,
                                          "auto",
                                          4);
        uint64_t perDimension[2] = {0, 0};
        for (const auto& link : report.links)
        {
            perDimension[link.dimension] += link.payloadBytes;
        }
        NS_TEST_ASSERT_MSG_EQ(perDimension[0],
                              12 * bytes - 3 * bytes,
                              "12 ranks, 3 rings that keep S each");
        NS_TEST_ASSERT_MSG_EQ(perDimension[1],
                              2 * (3 * bytes - bytes),
                              "4 switches hold 3 S in all and keep S; 2 links a message");
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of the times collectives take.
 */
class CollectiveTimesTestSuite : public TestSuite
{
  public:
    CollectiveTimesTestSuite()
        : TestSuite("ml-cluster-collective-times", Type::SYSTEM)
    {
        AddTestCase(new RingClosedFormTestCase);
        AddTestCase(new DirectClosedFormTestCase);
        AddTestCase(new HalvingDoublingClosedFormTestCase);
        AddTestCase(new RelayClosedFormTestCase);
        AddTestCase(new CollectiveSizeTestCase);
        AddTestCase(new EndpointCostTestCase);
        AddTestCase(new CollectiveBytesTestCase);
    }
};

static CollectiveTimesTestSuite g_collectiveTimesTestSuite; ///< registers the suite
