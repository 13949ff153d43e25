/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Tiers of memory behind a link: times, contention, what was carried, errors.

#include "estimate-comparison.h"

#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/tiered-bandwidth.h"
#include "ns3/tiered-memory.h"

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr int64_t US = 1000000;               ///< ps in a microsecond
constexpr uint64_t GBYTES_PER_S = 8000000000; ///< bit/s

/// @param id node id @param location see MemoryLocation @param bytes how much @param dependencies
/// ids waited for @param kind load or store @return the access
ExecutionNode
AccessNode(uint64_t id,
           uint32_t location,
           uint64_t bytes,
           std::vector<uint64_t> dependencies = {},
           NodeKind kind = NodeKind::MemoryLoad)
{
    ExecutionNode node;
    node.id = id;
    node.name = "access " + std::to_string(id);
    node.kind = kind;
    node.tensorBytes = bytes;
    node.location = location;
    node.dependencies = std::move(dependencies);
    return node;
}

/// @param cluster gets CPU memory of 100 GB/s and 1 us and NVMe of 10 GB/s and 20 us @param link
/// rate of the link, GB/s; 0: no limit @param npusPerMemory attribute
void
SetTiers(ClusterHelper& cluster, uint64_t link, uint32_t npusPerMemory)
{
    cluster.SetMemoryModel("tiered");
    cluster.SetMemoryAttribute("Names", StringValue("cpu,nvme"));
    cluster.SetMemoryAttribute("Bandwidths", StringValue("100GB/s,10GB/s"));
    cluster.SetMemoryAttribute("Latencies", StringValue("1us,20us"));
    cluster.SetMemoryAttribute("LinkBandwidth", DataRateValue(DataRate(link * GBYTES_PER_S)));
    cluster.SetMemoryAttribute("NpusPerMemory", UintegerValue(npusPerMemory));
}

/// @param workload of four ranks @param link as SetTiers @param npusPerMemory likewise
/// @return the report
RunReport
RunOnTiers(const std::shared_ptr<const ClusterWorkload>& workload,
           uint64_t link,
           uint32_t npusPerMemory = 1)
{
    return RunCluster(MakeTopology("Ring(4)", 400000000000, 0),
                      workload,
                      [&](ClusterHelper& cluster) { SetTiers(cluster, link, npusPerMemory); });
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Accesses alone take m / min(tier, link) and the latency; those at once share as by hand.
 */
class TieredMemoryTimesTestCase : public TestCase
{
  public:
    TieredMemoryTimesTestCase()
        : TestCase("Times of tiers alone and behind a link that NPUs share")
    {
    }

  private:
    void DoRun() override
    {
        const auto chain = MakeEqualWorkload(4,
                                             {AccessNode(1, MemoryLocation::DEFAULT, 1000000),
                                              AccessNode(2, 3, 1000000, {1}, NodeKind::MemoryStore),
                                              AccessNode(3, 2, 0, {2})});
        auto report = RunOnTiers(chain, 0);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, (10 + 1 + 100 + 20 + 1) * US, "no link");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[3].exposedMemoryPs, report.finishTimePs, "remote");
        report = RunOnTiers(chain, 25);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, (40 + 1 + 100 + 20 + 1) * US, "25 GB/s");
        report = RunOnTiers(chain, 5);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, (200 + 1 + 200 + 20 + 1) * US, "5 GB/s");
        CheckUsage(report);

        const auto two = MakeWorkload(
            {{AccessNode(1, 2, 1000000)}, {AccessNode(1, 3, 1000000)}, {AccessNode(1, 2, 5)}, {}});
        report = RunOnTiers(two, 25, 2);
        NS_TEST_ASSERT_MSG_EQ(report.ranks[1].finishTimePs, 120 * US, "NVMe has all of its 10");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[0].finishTimePs, 66666667 + US, "the CPU the other 15");
        NS_TEST_ASSERT_MSG_EQ(report.ranks[2].finishTimePs, 200 + US, "another link");
        report = RunOnTiers(MakeEqualWorkload(4, {AccessNode(1, 2, 1000000)}), 20, 0);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, 201 * US, "four share 20 GB/s");
        report = RunOnTiers(MakeEqualWorkload(4, {AccessNode(1, 2, 1000000)}), 0, 0);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, 41 * US, "four share the tier");
    }

    /// @param report of the chain of four ranks
    void CheckUsage(const RunReport& report)
    {
        NS_TEST_ASSERT_MSG_EQ(report.memory.size(), 3, "two tiers and the link");
        NS_TEST_EXPECT_MSG_EQ(report.memory[0].name, "cpu", "location 2");
        NS_TEST_EXPECT_MSG_EQ(report.memory[0].loadedBytes, 4000000, "first load of each");
        NS_TEST_EXPECT_MSG_EQ(report.memory[0].storedBytes, 0, "no store");
        NS_TEST_EXPECT_MSG_EQ(report.memory[1].name, "nvme", "location 3");
        NS_TEST_EXPECT_MSG_EQ(report.memory[1].storedBytes, 4000000, "a store of each");
        NS_TEST_EXPECT_MSG_EQ(report.memory[2].loadedBytes, 4000000, "the link: sum");
        NS_TEST_EXPECT_MSG_EQ(report.memory[2].storedBytes, 4000000, "the link: sum");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Random accesses of any NPUs at any times end when TieredBandwidth, run by hand, and latencies
 * say.
 */
class TieredMemoryRandomTestCase : public TestCase
{
  public:
    TieredMemoryRandomTestCase()
        : TestCase("Random accesses agree with TieredBandwidth run by hand")
    {
    }

  private:
    /// An access.
    struct Access
    {
        int64_t startPs; ///< when
        uint32_t tier;   ///< which
        uint64_t bytes;  ///< how much
    };

    /// @param link rate, bit/s @param accesses in the order of starts @return ends without latency
    static std::vector<int64_t> RunByHand(uint64_t link, const std::vector<Access>& accesses)
    {
        TieredBandwidth bandwidth({100 * GBYTES_PER_S, 10 * GBYTES_PER_S}, link);
        std::vector<int64_t> ends(accesses.size());
        const auto advance = [&](int64_t until) {
            for (auto next = bandwidth.GetNextEnd(); next && *next <= until;
                 next = bandwidth.GetNextEnd())
            {
                for (const uint64_t number : bandwidth.Advance(*next))
                {
                    ends[number] = *next;
                }
            }
        };
        for (const Access& access : accesses)
        {
            advance(access.startPs);
            bandwidth.Start(access.tier, access.bytes, access.startPs);
        }
        advance(std::numeric_limits<int64_t>::max());
        return ends;
    }

    void DoRun() override
    {
        UsePicoseconds();
        for (uint32_t seed = 0; seed < 50; ++seed)
        {
            std::mt19937_64 random(seed);
            const uint64_t link = (5 + random() % 100) * GBYTES_PER_S;
            std::vector<Access> accesses;
            int64_t start = 0;
            for (uint32_t i = 0; i < 40; ++i)
            {
                start += random() % 3 == 0 ? 0 : random() % (10 * US);
                accesses.push_back({start, static_cast<uint32_t>(random() % 2), random() % 300000});
            }
            ObjectFactory factory("ns3::mlcluster::TieredMemory");
            factory.Set("Names", StringValue("cpu,nvme"));
            factory.Set("Bandwidths", StringValue("100GB/s,10GB/s"));
            factory.Set("Latencies", StringValue("1us,20us"));
            factory.Set("LinkBandwidth", DataRateValue(DataRate(link)));
            factory.Set("NpusPerMemory", UintegerValue(0));
            const auto memory = factory.Create<MemoryModel>();
            Diagnostics diagnostics;
            memory->Build(4);
            memory->Prepare(MakeEqualWorkload(4, {}), diagnostics);
            std::vector<int64_t> ends(accesses.size());
            for (uint32_t i = 0; i < accesses.size(); ++i)
            {
                Simulator::Schedule(PicoSeconds(accesses[i].startPs), [&, i] {
                    memory->Access({i % 4, accesses[i].bytes, false, 2 + accesses[i].tier},
                                   [&, i] { ends[i] = Simulator::Now().GetTimeStep(); });
                });
            }
            Simulator::Run();
            auto expected = RunByHand(link, accesses);
            for (uint32_t i = 0; i < accesses.size(); ++i)
            {
                expected[i] += accesses[i].tier == 0 ? US : 20 * US;
            }
            NS_TEST_EXPECT_MSG_EQ((ends == expected), true, "seed " << seed);
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * What makes no memory is told, all at once and before time starts.
 */
class TieredMemoryErrorsTestCase : public TestCase
{
  public:
    TieredMemoryErrorsTestCase()
        : TestCase("Attributes and locations that cannot be, and what runs take")
    {
    }

  private:
    /// @param changes attributes that are no texts of SetTiers @param part of the error
    void Expect(const std::vector<std::pair<std::string, std::string>>& changes,
                const std::string& part)
    {
        const std::string error = GetErrorOf([&] {
            ClusterHelper cluster(MakeTopology("Ring(4)", 400000000000, 0));
            SetTiers(cluster, 0, 1);
            for (const auto& [name, value] : changes)
            {
                cluster.SetMemoryAttribute(name, StringValue(value));
            }
            cluster.Install(MakeEqualWorkload(4, {AccessNode(7, 4, 1)}));
        });
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " says " << part);
    }

    void DoRun() override
    {
        const std::string tiered = "cluster.memory.tiered.";
        Expect({},
               "rank 0 node 7 \"access 7\": its tensor lies in memory 4 (tensor_loc), which does "
               "not exist; allowed are 1, the NPU's own, 2 (cpu), 3 (nvme), and 0");
        Expect({{"Names", ""}}, tiered + "names: names 0 tiers");
        Expect({{"Names", "cpu,local memory"}}, tiered + "names: \"local memory\" is the name");
        Expect({{"Names", "link to memory,nvme"}}, tiered + "names: \"link to memory\" is the");
        Expect({{"Names", "cpu,cpu"}}, tiered + "names: \"cpu,cpu\" has a name twice");
        Expect({{"Bandwidths", "1GB/s"}},
               tiered + "bandwidth: 1 values are given for 2 tiers; give one for each");
        Expect({{"Latencies", "1us,1us,1us"}}, tiered + "latency: 3 values are given for 2 tiers");
        Expect({{"Bandwidths", "1GB/s,0bps"}}, tiered + "bandwidth: that of nvme is 0");
        Expect({{"Bandwidths", "1GB/s,5"}}, tiered + "bandwidth: ");
        Expect({{"Latencies", "1,1us"}}, tiered + "latency: ");
        Expect({{"NpusPerMemory", "3"}},
               tiered + "npus-per-memory: is 3, which does not divide the 4 NPUs");
        Expect({{"Names", "a,b,c"}, {"NpusPerMemory", "3"}}, tiered + "bandwidth: 2 values");
        Expect({{"Names", "a,b,c"}, {"NpusPerMemory", "3"}}, tiered + "npus-per-memory: is 3");
        const std::string error =
            GetErrorOf([] { CreateObject<TieredMemory>()->Access({0, 1, false}, [] {}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "is not ready"), true, error);
        CheckEvents();
    }

    /// What runs take is as told.
    void CheckEvents()
    {
        const auto work = MakeEqualWorkload(4,
                                            {AccessNode(1, 2, 1000),
                                             AccessNode(2, 3, 5000, {}, NodeKind::MemoryStore),
                                             AccessNode(3, 2, 0, {1}),
                                             AccessNode(4, 3, 7, {2})});
        for (const uint32_t npusPerMemory : {0, 1, 2})
        {
            const auto comparison = Compare(
                MakeTopology("Ring(4)", 400000000000, 0),
                [&](ClusterHelper& cluster) { SetTiers(cluster, 20, npusPerMemory); },
                work);
            NS_TEST_EXPECT_MSG_EQ(FindFault(comparison), "", npusPerMemory);
            NS_TEST_EXPECT_MSG_EQ(comparison.estimate.events.IsExact(),
                                  (npusPerMemory == 1),
                                  npusPerMemory << " NPUs of a memory");
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of tiers of memory.
 */
class TieredMemoryTestSuite : public TestSuite
{
  public:
    TieredMemoryTestSuite()
        : TestSuite("ml-cluster-tiered-memory", Type::UNIT)
    {
        AddTestCase(new TieredMemoryTimesTestCase);
        AddTestCase(new TieredMemoryRandomTestCase);
        AddTestCase(new TieredMemoryErrorsTestCase);
    }
};

static TieredMemoryTestSuite g_tieredMemoryTestSuite; ///< registers the suite
