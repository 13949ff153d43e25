/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives that other simulators were reported to fail on.

#include "test-tools.h"
#include "unit/msccl-writer.h"

#include "ns3/quantity.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <numeric>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400'000'000'000; ///< 400 Gb/s: 20 ps a byte
constexpr int64_t LATENCY = 500'000;       ///< 500 ns
constexpr uint64_t MIB = 1 << 20;          ///< bytes
constexpr auto AR = CollectiveType::AllReduce;
const std::string BACKENDS[] = {"analytical", "packet"};

/// How a collective runs.
struct Setting
{
    uint32_t chunks{1};                ///< chunks
    uint32_t inFlight{1};              ///< chunks in flight
    int64_t delayPs{0};                ///< endpoint delay, ps
    std::string algorithm{"auto"};     ///< of all-reduces
    std::string backend{"analytical"}; ///< backend
};

/// @param notation shape @param workload work @param setting how @return the report
RunReport
RunWork(const std::string& notation,
        const std::shared_ptr<const ClusterWorkload>& workload,
        const Setting& setting)
{
    return RunCluster(
        MakeTopology(notation, RATE, LATENCY),
        workload,
        [&](ClusterHelper& cluster) {
            cluster.SetCollectiveAttribute("Chunks", UintegerValue(setting.chunks));
            cluster.SetCollectiveAttribute("ChunksInFlight", UintegerValue(setting.inFlight));
            cluster.SetCollectiveAttribute("AllReduce", StringValue(setting.algorithm));
            cluster.SetNpuAttribute("EndpointDelay", TimeValue(PicoSeconds(setting.delayPs)));
        },
        setting.backend);
}

/// @param notation shape @param type operation @param bytes size @param setting how @return the
/// report
RunReport
RunOne(const std::string& notation, CollectiveType type, uint64_t bytes, const Setting& setting)
{
    const uint32_t nRanks = MakeTopology(notation, RATE, LATENCY).GetNRanks();
    return RunWork(notation, MakeEqualWorkload(nRanks, {CollectiveNode(1, type, bytes)}), setting);
}

/// @param report of a run @return bytes of messages on all links
uint64_t
CountPayload(const RunReport& report)
{
    return std::accumulate(
        report.links.begin(),
        report.links.end(),
        uint64_t{0},
        [](uint64_t sum, const LinkReport& link) { return sum + link.payloadBytes; });
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * A double binary tree that never ended on packets. Expectation: it ends on any number of
 * ranks, each of two trees moves half of the buffer up and down each of its edges, and events are
 * as many as messages or packets need.
 */
class TreeEndsTestCase : public TestCase
{
  public:
    TreeEndsTestCase()
        : TestCase("A double binary tree ends on any number of ranks")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t n : {2, 3, 5, 8, 12, 17})
        {
            const std::string notation = "Switch(" + std::to_string(n) + ")";
            for (const auto& backend : BACKENDS)
            {
                const auto report =
                    RunOne(notation, AR, MIB, {4, 1, 0, "double-binary-tree", backend});
                const uint64_t payload = 2 * (n - 1) * MIB;
                const uint64_t messages = 4 * 4 * n;
                const uint64_t packets = payload / 4096 + messages;
                const uint64_t least = backend == "packet" ? packets : messages;
                NS_TEST_ASSERT_MSG_EQ(report.collectives.size(), 1, n << " on " << backend);
                NS_TEST_EXPECT_MSG_EQ(CountPayload(report), 2 * payload, "up and down, " << n);
                NS_TEST_EXPECT_MSG_LT(report.events, 20 * least, n << " on " << backend);
            }
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * The algorithm file of 8 ranks used in a group of 4. Expectation: refused before time
 * starts, with both sizes; the group of 8 beside it may use it.
 */
class OtherGroupSizeTestCase : public TestCase
{
  public:
    OtherGroupSizeTestCase()
        : TestCase("A schedule of 8 ranks is refused in a group of 4")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("ring.xml");
        std::ofstream(file) << WriteRing(8, true, false);
        NS_TEST_EXPECT_MSG_EQ(GetError(file, 8), "", "fits");
        const std::string error = GetError(file, 4);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "8"), true, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "4"), true, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "ring.xml"), true, error);
    }

    /// @param file of the schedule @param size of the group @return why it was refused
    static std::string GetError(const std::string& file, uint32_t size)
    {
        std::vector<std::vector<ExecutionNode>> ranks(8);
        CommunicatorGroups groups;
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            groups["part"].push_back(rank);
            ranks[rank] = {CollectiveNode(1, AR, MIB, {}, "part")};
        }
        return GetErrorOf([&] {
            RunCluster(MakeTopology("Switch(8)", RATE, LATENCY),
                       MakeWorkload(ranks, groups),
                       [&](ClusterHelper& cluster) {
                           cluster.SetCollectiveAttribute("CustomSchedules", StringValue(file));
                       });
        });
    }
};

/**
 * @ingroup ml-cluster-tests
 * An all-to-all of unequal sizes. Expectation: what rank 0 receives, 14 MiB, sets the time
 * on a switch; the largest piece, 9 MiB, that of links of a third of the rate between each two.
 */
class UnequalAllToAllTestCase : public TestCase
{
  public:
    UnequalAllToAllTestCase()
        : TestCase("The fullest column sets the time of an unequal all-to-all")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::vector<uint64_t>> matrix{{0, 1, 2, 3},
                                                        {3, 0, 1, 2},
                                                        {2, 3, 0, 1},
                                                        {9, 0, 0, 0}};
        std::vector<std::vector<ExecutionNode>> ranks;
        for (const auto& row : matrix)
        {
            auto node = CollectiveNode(1, CollectiveType::AllToAll, 0);
            for (const uint64_t mebibytes : row)
            {
                node.peerBytes.push_back(mebibytes * MIB);
                node.bytes += mebibytes * MIB;
            }
            ranks.push_back({node});
        }
        const int64_t expected = 20 * 14 * MIB + 2 * LATENCY;
        const auto workload = MakeWorkload(ranks);
        const auto report = RunWork("Switch(4)", workload, {});
        NS_TEST_EXPECT_MSG_EQ(report.finishTimePs, expected, "column 0");
        NS_TEST_EXPECT_MSG_EQ(CountPayload(report), 2 * 27 * MIB, "all sizes, up and down");
        const auto packet = RunWork("Switch(4)", workload, {1, 1, 0, "auto", "packet"});
        NS_TEST_EXPECT_MSG_GT_OR_EQ(packet.finishTimePs, expected, "never above the rate");
        NS_TEST_EXPECT_MSG_LT(packet.finishTimePs, 1.03 * expected, "headers and packets");

        const int64_t piece = SerialisationPicoseconds(9 * MIB, RATE / 3) + LATENCY;
        const auto connected = RunWork("FullyConnected(4)", workload, {});
        NS_TEST_EXPECT_MSG_EQ(connected.finishTimePs, piece, "from rank 3 to rank 0");
        NS_TEST_EXPECT_MSG_EQ(CountPayload(connected), 27 * MIB, "all sizes");
        const auto link = RunWork("FullyConnected(4)", workload, {1, 1, 0, "auto", "packet"});
        NS_TEST_EXPECT_MSG_GT_OR_EQ(link.finishTimePs, piece, "never above the rate");
        NS_TEST_EXPECT_MSG_LT(link.finishTimePs, 1.03 * piece, "headers and packets");
    }
};

/**
 * @ingroup ml-cluster-tests
 * A message of twice the size took the same time. Expectation: what is added takes 15/8 of
 * its serialisation, so that the ratio is 2 but for latencies.
 */
class DoubledSizeTestCase : public TestCase
{
  public:
    DoubledSizeTestCase()
        : TestCase("Twice the size takes twice the time")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string notation : {"Switch(16)", "Ring(16)", "FullyConnected(16)"})
        {
            const int64_t once = RunOne(notation, AR, 256 * MIB, {4}).finishTimePs;
            const int64_t twice = RunOne(notation, AR, 512 * MIB, {4}).finishTimePs;
            const auto added = static_cast<int64_t>(20 * 256 * MIB / 8 * 15);
            NS_TEST_EXPECT_MSG_EQ_TOL(twice - once, added, 4 * 30, notation);
            NS_TEST_EXPECT_MSG_GT(twice, 1.99 * once, notation << " but for latencies");
        }
        const int64_t once =
            RunOne("Switch(16)", AR, 8 * MIB, {4, 1, 0, "auto", "packet"}).finishTimePs;
        const int64_t twice =
            RunOne("Switch(16)", AR, 16 * MIB, {4, 1, 0, "auto", "packet"}).finishTimePs;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(twice - once,
                                    static_cast<int64_t>(20 * 8 * MIB / 8 * 15),
                                    "packets");
    }
};

/**
 * @ingroup ml-cluster-tests
 * A bus bandwidth above the configured rate. Expectation: on one dimension never, for no
 * collective, and no link carries more than its rate times the time.
 */
class BusBandwidthTestCase : public TestCase
{
  public:
    BusBandwidthTestCase()
        : TestCase("No bus bandwidth or link exceeds the rate")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string notation :
             {"Ring(2)", "Ring(5)", "FullyConnected(5)", "Switch(2)", "Switch(5)"})
        {
            for (uint32_t i = 0; i < 9; ++i)
            {
                const auto type = static_cast<CollectiveType>(i);
                for (const uint64_t bytes : {1, 4, 1000, 3 << 20})
                {
                    for (const auto& backend : BACKENDS)
                    {
                        Check(RunOne(notation, type, bytes, {i + 1, i + 1, 0, "auto", backend}),
                              notation + " " + ToString(type) + " " + backend);
                    }
                }
            }
        }
    }

    /// @param report of a run @param text what it was
    void Check(const RunReport& report, const std::string& text)
    {
        const auto& collective = report.collectives.at(0);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(collective.GetBusBandwidth(), RATE / 8e9, text);
        for (const auto& link : report.links)
        {
            const double possible = 1.0 * link.bitRate * report.finishTimePs / 8e12;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(link.wireBytes, possible, text << ": " << link.from);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * A larger delay of each send took a large all-reduce to a twentieth of its bandwidth.
 * Expectation: the 30 steps of a ring of 16 and the starts of its two phases are each later by the
 * delay, no more.
 */
class SendDelayTestCase : public TestCase
{
  public:
    SendDelayTestCase()
        : TestCase("A delay of each send is paid once a step")
    {
    }

  private:
    void DoRun() override
    {
        Setting one{1, 1, 0, "ring"};
        Setting packet{1, 1, 0, "ring", "packet"};
        Setting four{4, 4, 0, "ring"};
        const int64_t base = RunOne("Ring(16)", AR, 64 * MIB, one).finishTimePs;
        const int64_t basePacket = RunOne("Ring(16)", AR, 8 * MIB, packet).finishTimePs;
        const int64_t baseFour = RunOne("Ring(16)", AR, 64 * MIB, four).finishTimePs;
        for (const int64_t delayPs : {1'000'000, 2'000'000, 4'000'000, 8'000'000})
        {
            one.delayPs = packet.delayPs = four.delayPs = delayPs;
            const int64_t most = (30 + 2) * delayPs;
            const int64_t later = RunOne("Ring(16)", AR, 64 * MIB, one).finishTimePs - base;
            NS_TEST_EXPECT_MSG_EQ(later, most, "steps");
            const int64_t laterPacket =
                RunOne("Ring(16)", AR, 8 * MIB, packet).finishTimePs - basePacket;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(laterPacket, most, "steps, packets");
            const int64_t laterFour =
                RunOne("Ring(16)", AR, 64 * MIB, four).finishTimePs - baseFour;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(laterFour, most, "chunks hide delays of each other");
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Times of equal layers drifted. Expectation: equal all-reduces one after the other take
 * equal times.
 */
class EqualLayersTestCase : public TestCase
{
  public:
    EqualLayersTestCase()
        : TestCase("Equal all-reduces one after the other take equal times")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<ExecutionNode> nodes;
        for (uint64_t id = 0; id < 10; ++id)
        {
            nodes.push_back(ComputeNode(2 * id, 20'000'000));
            nodes.push_back(CollectiveNode(2 * id + 1, AR, 3 * MIB, {2 * id}));
            nodes[2 * id].dependencies.assign(id > 0, 2 * id - 1);
        }
        const auto workload = MakeEqualWorkload(24, nodes);
        for (const auto& backend : BACKENDS)
        {
            const auto report =
                RunWork("FullyConnected(8)_Switch(3)", workload, {4, 1, 0, "auto", backend});
            const auto& layers = report.collectives;
            NS_TEST_ASSERT_MSG_EQ(layers.size(), 10, backend);
            for (const auto& layer : layers)
            {
                NS_TEST_EXPECT_MSG_EQ(layer.endPs - layer.startPs,
                                      layers[0].endPs - layers[0].startPs,
                                      layer.name << " on " << backend);
            }
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * More splits made one collective slower. Expectation: each further chunk adds the
 * latencies of its 14 steps, on packets also one packet a step; several in flight hide them.
 */
class SplitsTestCase : public TestCase
{
  public:
    SplitsTestCase()
        : TestCase("More chunks add latencies only")
    {
    }

  private:
    void DoRun() override
    {
        const auto serialisation = static_cast<int64_t>(20 * 64 * MIB / 8 * 14);
        const int64_t packetPs = 2 * 20 * (4096 + 82 + 12);
        const int64_t once =
            RunOne("Ring(8)", AR, 8 * MIB, {1, 1, 0, "ring", "packet"}).finishTimePs;
        for (uint32_t chunks = 1; chunks <= 64; chunks *= 2)
        {
            const int64_t apart =
                RunOne("Ring(8)", AR, 64 * MIB, {chunks, 1, 0, "ring"}).finishTimePs;
            NS_TEST_EXPECT_MSG_EQ(apart, serialisation + chunks * 14 * LATENCY, chunks);
            const int64_t beside =
                RunOne("Ring(8)", AR, 64 * MIB, {chunks, chunks, 0, "ring"}).finishTimePs;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(beside, serialisation + 14 * LATENCY, chunks);
            const int64_t packet =
                RunOne("Ring(8)", AR, 8 * MIB, {chunks, 1, 0, "ring", "packet"}).finishTimePs;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(packet,
                                        once + (chunks - 1) * 14 * (LATENCY + packetPs),
                                        chunks << " in packets");
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of reported faults of collectives.
 */
class ReportedCollectivesTestSuite : public TestSuite
{
  public:
    ReportedCollectivesTestSuite()
        : TestSuite("ml-cluster-reported-collectives", Type::SYSTEM)
    {
        AddTestCase(new TreeEndsTestCase);
        AddTestCase(new OtherGroupSizeTestCase);
        AddTestCase(new UnequalAllToAllTestCase);
        AddTestCase(new DoubledSizeTestCase);
        AddTestCase(new BusBandwidthTestCase);
        AddTestCase(new SendDelayTestCase);
        AddTestCase(new EqualLayersTestCase);
        AddTestCase(new SplitsTestCase);
    }
};

static ReportedCollectivesTestSuite g_reportedCollectivesTestSuite; ///< registers the suite
