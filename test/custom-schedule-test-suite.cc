/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"
#include "unit/msccl-writer.h"

#include "ns3/collective-planner.h"
#include "ns3/collective-table.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <fstream>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400'000'000'000; ///< 400 Gb/s: 20 ps a byte
constexpr int64_t LATENCY = 500'000;       ///< 500 ns
constexpr auto AR = CollectiveType::AllReduce;
const std::string BACKENDS[] = {"analytical", "packet"};

using Attributes = std::vector<std::pair<std::string, std::string>>; ///< of the planner

/// @param notation shape @param group members in group order @param bytes size @param attributes of
/// the planner @param backend which @return the report of an all-reduce
RunReport
RunGroup(const std::string& notation,
         const std::vector<uint32_t>& group,
         uint64_t bytes,
         const Attributes& attributes,
         const std::string& backend)
{
    const auto topology = MakeTopology(notation, RATE, LATENCY);
    std::vector<std::vector<ExecutionNode>> ranks(topology.GetNRanks());
    for (const uint32_t rank : group)
    {
        ranks[rank] = {ComputeNode(1, 100'000 * (rank % 3)),
                       CollectiveNode(2, AR, bytes, {1}, "group")};
    }
    return RunCluster(
        topology,
        MakeWorkload(ranks, {{"group", group}}),
        [&](ClusterHelper& cluster) {
            cluster.SetCollectiveAttribute("Chunks", UintegerValue(1));
            for (const auto& [name, value] : attributes)
            {
                cluster.SetCollectiveAttribute(name, StringValue(value));
            }
        },
        backend);
}

/// @param n GPUs @return an all-reduce in which each reduces its piece of all others and gives it
/// back, by way of scratch buffers
std::string
WriteAllPairs(uint32_t n)
{
    MscclWriter writer("allreduce", n, n, true);
    writer.scratch = n;
    const auto place = [](char buffer, uint32_t index) { return buffer + std::to_string(index); };
    for (uint32_t gpu = 0; gpu < n; ++gpu)
    {
        std::vector<WrittenStep> adds;
        for (uint32_t peer = 0; peer < n; ++peer)
        {
            if (peer != gpu)
            {
                const auto block = static_cast<int>(peer < gpu ? peer : peer - 1);
                writer.Add(gpu,
                           static_cast<int>(peer),
                           static_cast<int>(peer),
                           0,
                           {{"s", place('i', peer), ""},
                            {"r", "", place('s', peer)},
                            {"s",
                             place('i', gpu),
                             "",
                             1,
                             static_cast<int>(n) - 1,
                             static_cast<int>(n) - 2},
                            {"r", "", place('i', peer)}});
                adds.push_back({"re", place('s', peer), place('i', gpu), 1, block, 1});
            }
        }
        writer.Add(gpu, -1, -1, 0, adds);
    }
    return writer.GetText();
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * A ring in one direction, written as MSCCL XML, in place. Expectation: to the picosecond the
 * native ring of one chunk, for any order of the group, any shape and divisible size, and ranks
 * that start apart.
 */
class LoadedRingTestCase : public TestCase
{
  public:
    LoadedRingTestCase()
        : TestCase("A loaded ring takes the time of the native one")
    {
    }

  private:
    void DoRun() override
    {
        m_file = CreateTempDirFilename("ring.xml");
        std::ofstream(m_file) << WriteRing(8, true, false);
        const std::vector<uint32_t> inOrder{0, 1, 2, 3, 4, 5, 6, 7};
        const std::vector<uint32_t> inDisorder{3, 7, 0, 5, 1, 6, 4, 2};
        for (const uint64_t bytes : {8, 1 << 20, 1'000'000})
        {
            Check("Ring(8)", inOrder, bytes);
            Check("Switch(8)", inDisorder, bytes);
            Check("FullyConnected(8)", inDisorder, bytes);
            Check("Switch(2)_Ring(4)", inDisorder, bytes);
            Check("Switch(5)_FullyConnected(2)", inDisorder, bytes);
        }
    }

    /// @param notation shape @param group in order @param bytes size
    void Check(const std::string& notation, const std::vector<uint32_t>& group, uint64_t bytes)
    {
        for (const auto& backend : BACKENDS)
        {
            const auto loaded =
                RunGroup(notation, group, bytes, {{"CustomSchedules", m_file}}, backend);
            const auto native =
                RunGroup(notation, group, bytes, {{"AllReduce", "one-ring-one-way"}}, backend);
            const int64_t difference = loaded.finishTimePs - native.finishTimePs;
            NS_TEST_EXPECT_MSG_EQ(difference, 0, notation << " " << bytes << " " << backend);
            for (std::size_t i = 0; i < loaded.links.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ(loaded.links[i].payloadBytes,
                                      native.links[i].payloadBytes,
                                      notation << " " << loaded.links[i].from);
            }
        }
    }

    std::string m_file; ///< of the schedule
};

/**
 * @ingroup ml-cluster-tests
 * An all-reduce that reduces out of scratch buffers. Expectation: two exchanges of n - 1 pieces,
 * and a utilisation that counts what has crossed the network only.
 */
class LocalReductionTestCase : public TestCase
{
  public:
    LocalReductionTestCase()
        : TestCase("Data reduced within a rank use no bandwidth")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("pairs.xml");
        std::ofstream(file) << WriteAllPairs(4);
        const auto report =
            RunCluster(MakeTopology("FullyConnected(4)", 3 * RATE, LATENCY),
                       MakeEqualWorkload(4, {CollectiveNode(1, AR, 400'000)}),
                       [&](ClusterHelper& cluster) {
                           cluster.SetCollectiveAttribute("CustomSchedules", StringValue(file));
                       });
        const int64_t serialisation = 2 * 20 * 100'000;
        NS_TEST_EXPECT_MSG_EQ(report.finishTimePs, serialisation + 2 * LATENCY, "two exchanges");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.collectives.at(0).utilisation,
                                  1.0 * serialisation / report.finishTimePs,
                                  1e-12,
                                  "six pieces over three links");

        const auto planner = CreateObject<CollectivePlanner>();
        planner->SetAttribute("CustomSchedules", StringValue(file + ";group=tp"));
        planner->SetTopology(MakeTopology("FullyConnected(4)", RATE, LATENCY));
        Diagnostics diagnostics;
        CollectiveTable(*MakeEqualWorkload(4, {CollectiveNode(1, AR, 400)}), *planner, diagnostics);
        NS_TEST_ASSERT_MSG_EQ(diagnostics.GetWarnings().size(), 1, "a rule for no collective");
        NS_TEST_EXPECT_MSG_EQ(Contains(diagnostics.GetWarnings()[0], "no collective matches"),
                              true,
                              diagnostics.GetWarnings()[0]);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Schedulers on 64 NPUs in three dimensions. Expectation: packets take at most 3 % more than the
 * model, headers included, never less, and put the schedulers in the same order.
 */
class SchedulersInPacketsTestCase : public TestCase
{
  public:
    SchedulersInPacketsTestCase()
        : TestCase("Packets and model prefer the same chunk scheduler")
    {
    }

  private:
    void DoRun() override
    {
        const Attributes cases[] = {{{"Scheduler", "baseline"}},
                                    {{"Scheduler", "themis"}},
                                    {{"Scheduler", "themis"}, {"QueuePolicy", "smallest-first"}}};
        int64_t last = 0;
        int64_t lastInPackets = 0;
        for (const auto& attributes : cases)
        {
            const int64_t model = Run(attributes, "analytical");
            const int64_t packets = Run(attributes, "packet");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(packets, model, "never faster");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(packets, 1.03 * model, "within 3 %");
            NS_TEST_EXPECT_MSG_EQ((last == 0 || model < last), true, "model prefers the later");
            NS_TEST_EXPECT_MSG_EQ((last == 0 || packets < lastInPackets), true, "so do packets");
            last = model;
            lastInPackets = packets;
        }
    }

    /// @param attributes of the planner @param backend which @return finish time, ps
    static int64_t Run(const Attributes& attributes, const std::string& backend)
    {
        return RunCluster(
                   MakeTopology("Ring(4)_FullyConnected(4)_Switch(4)", RATE, LATENCY),
                   MakeEqualWorkload(64, {CollectiveNode(1, AR, 32 << 20)}),
                   [&](ClusterHelper& cluster) {
                       cluster.SetCollectiveAttribute("Chunks", UintegerValue(16));
                       for (const auto& [name, value] : attributes)
                       {
                           cluster.SetCollectiveAttribute(name, StringValue(value));
                       }
                   },
                   backend)
            .finishTimePs;
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of custom schedules and chunk schedulers on both backends.
 */
class CustomScheduleTestSuite : public TestSuite
{
  public:
    CustomScheduleTestSuite()
        : TestSuite("ml-cluster-custom-schedule", Type::SYSTEM)
    {
        AddTestCase(new LoadedRingTestCase);
        AddTestCase(new LocalReductionTestCase);
        AddTestCase(new SchedulersInPacketsTestCase);
    }
};

static CustomScheduleTestSuite g_customScheduleTestSuite; ///< registers the suite
