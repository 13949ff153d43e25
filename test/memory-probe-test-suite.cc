/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/memory-probe.h"
#include "ns3/test.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t MIB = 1 << 20;

/// @param settings KEY=VALUE each, over the shipped pool @param access which @param bytes size
/// @return what it took
MemoryProbe::Point
Measure(const std::vector<std::string>& settings, const std::string& access, uint64_t bytes)
{
    UsePicoseconds();
    Config::Reset();
    std::vector<std::string> all{"collectives.all-gather=direct",
                                 "collectives.reduce-scatter=direct",
                                 "collectives.chunks=1"};
    all.insert(all.end(), settings.begin(), settings.end());
    const ExperimentConfig config = LoadExperiment("memory-pool.yaml", all);
    char name[] = "test";
    char* arguments[] = {name, nullptr};
    ApplyAttributes(config, 1, arguments);
    const auto point = MemoryProbe(config).Measure(access, bytes);
    Config::Reset();
    return point;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Accesses to a pool and to other memories. Expectation: the times of the closed forms, to the
 * picosecond, of odd sizes but for shares that are rounded up to bytes.
 */
class ProbedTimesCase : public TestCase
{
  public:
    ProbedTimesCase()
        : TestCase("times of single accesses")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& access : MemoryProbe::GetAccesses())
        {
            for (const uint64_t bytes : {uint64_t{64}, MIB, 100 * MIB + 64})
            {
                Check({}, access, bytes);
                Check({"cluster.memory.pool.collectives=all"}, access, bytes);
            }
        }
        // 64 groups of 500 GB/s for 64 NPUs
        const auto load = Measure({}, "load", 64 * MIB);
        NS_TEST_EXPECT_MSG_EQ(load.bottleneck, "memory", "slower than links of 512 GB/s");
        NS_TEST_EXPECT_MSG_EQ(load.rounds, 64 * MIB / (256 * 1024), "64 groups, 64 NPUs");
        NS_TEST_EXPECT_MSG_GT(load.timePs, static_cast<int64_t>(64 * MIB * 2), "2 ps a byte");
        NS_TEST_EXPECT_MSG_EQ_TOL(load.GetRate(), 490, 10, "of each");
        const auto gather = Measure({}, "gather", 64 * MIB);
        NS_TEST_EXPECT_MSG_EQ(gather.bottleneck, "GPU link", "each gets everything");
        const std::vector<std::string> queued{"cluster.memory.model=queued",
                                              "cluster.memory.latency=500ns",
                                              "cluster.memory.bandwidth=100GB/s"};
        for (const std::string access :
             {"load", "store", "load+all-gather", "reduce-scatter+store"})
        {
            Check(queued, access, 64 * MIB);
        }
        std::vector<std::string> shared = queued;
        shared.emplace_back("cluster.memory.npus-per-memory=4");
        NS_TEST_EXPECT_MSG_EQ(Measure(shared, "load", MIB).timePs,
                              4 * (500000 + 10485760),
                              "one after the other");
        Check(shared, "load", MIB);
        shared.back() = "cluster.memory.npus-per-memory=0";
        Check(shared, "store", MIB);
        CheckTiers();
        // packets of a round do not wait for each other
        const auto messages = Measure({"cluster.memory.model=network-pool",
                                       "cluster.topology=Switch(16)_Switch(4)",
                                       "cluster.bandwidth=[512GB/s, 100GB/s]"},
                                      "load",
                                      16 * MIB);
        NS_TEST_EXPECT_MSG_EQ_TOL(messages.timePs, messages.formulaPs, messages.formulaPs / 10, "");
        NS_TEST_EXPECT_MSG_EQ(messages.rounds, 64, "64 groups, 64 NPUs");
    }

    /// Four NPUs load from the first tier: 4 MiB each at 100 GB/s, or at a link's 50 GB/s.
    void CheckTiers()
    {
        std::vector<std::string> tiers{"cluster.memory.model=tiered",
                                       "cluster.memory.tiered.names=[cpu, nvme]",
                                       "cluster.memory.tiered.bandwidth=[100GB/s, 6GB/s]",
                                       "cluster.memory.tiered.latency=[1us, 80us]",
                                       "cluster.memory.tiered.npus-per-memory=4"};
        for (const std::string access : {"load", "store", "load+all-gather"})
        {
            Check(tiers, access, 4 * MIB);
        }
        NS_TEST_EXPECT_MSG_EQ(Measure(tiers, "load", 4 * MIB).timePs, 168772160, "shared by four");
        tiers.emplace_back("cluster.memory.tiered.link-bandwidth=50GB/s");
        Check(tiers, "load", 4 * MIB);
        NS_TEST_EXPECT_MSG_EQ(Measure(tiers, "load", 4 * MIB).timePs, 336544320, "by the link");
    }

    /// @param settings of the experiment @param access which @param bytes size
    void Check(const std::vector<std::string>& settings, const std::string& access, uint64_t bytes)
    {
        const auto point = Measure(settings, access, bytes);
        NS_TEST_EXPECT_MSG_GT(point.timePs, 0, access << " takes time");
        const auto rounded = bytes % MIB == 0 ? 0 : static_cast<int64_t>(1e-5 * point.timePs);
        NS_TEST_EXPECT_MSG_EQ_TOL(point.formulaPs,
                                  point.timePs,
                                  (2 + rounded),
                                  access << " of " << bytes);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Gathering in switches against a load and an all-gather on the same fabric. Expectation: for large
 * tensors the ratio phi / (n g) + (n - 1) / n, with n memories of g and links of phi; more for
 * small ones, whose steps are saved.
 */
class GatherSpeedUpCase : public TestCase
{
  public:
    GatherSpeedUpCase()
        : TestCase("gather in switches against load and all-gather")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::string> settings{"cluster.memory.pool.chunk=4KiB",
                                                "cluster.memory.pool.memory-bandwidth=100GB/s",
                                                "cluster.memory.pool.group-link-bandwidth=100GB/s",
                                                "cluster.memory.pool.collectives=all"};
        double last = 100;
        for (const uint64_t bytes : {MIB, 32 * MIB, 1024 * MIB})
        {
            const auto fused = Measure(settings, "gather", bytes);
            const auto separate = Measure(settings, "load+all-gather", bytes);
            const double ratio = static_cast<double>(separate.timePs) / fused.timePs;
            const double formula = static_cast<double>(separate.formulaPs) / fused.formulaPs;
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, formula, 1e-6, bytes);
            NS_TEST_EXPECT_MSG_LT(ratio, last, "less is saved of more bytes");
            NS_TEST_EXPECT_MSG_GT(ratio, 1, "something is saved");
            last = ratio;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(last, 512.0 / (64 * 100) + 63.0 / 64, 0.01, "of many bytes");
    }
};

/**
 * @ingroup ml-cluster-tests
 * What cannot be probed.
 */
class ProbeErrorsCase : public TestCase
{
  public:
    ProbeErrorsCase()
        : TestCase("errors")
    {
    }

  private:
    void DoRun() override
    {
        const std::string word = GetErrorOf([] { Measure({}, "lode", MIB); });
        NS_TEST_EXPECT_MSG_EQ(Contains(word, "\"lode\" is no access, did you mean load?"),
                              true,
                              word);
        const std::string model =
            GetErrorOf([] { Measure({"cluster.memory.model=queued"}, "gather", MIB); });
        NS_TEST_EXPECT_MSG_EQ(
            Contains(model, "the access gather needs a memory whose switches do it; queued"),
            true,
            model);
        const std::string groups =
            GetErrorOf([] { Measure({"cluster.memory.pool.groups=0"}, "load", MIB); });
        NS_TEST_EXPECT_MSG_EQ(Contains(groups, "--set: cluster.memory.pool.groups: is 0"),
                              true,
                              groups);
        const std::string many = GetErrorOf([] { Measure({}, "gather", UINT64_MAX); });
        NS_TEST_EXPECT_MSG_EQ(Contains(many, "cannot be counted"), true, many);
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of MemoryProbe.
 */
class MemoryProbeTestSuite : public TestSuite
{
  public:
    MemoryProbeTestSuite()
        : TestSuite("ml-cluster-memory-probe", Type::UNIT)
    {
        AddTestCase(new ProbedTimesCase);
        AddTestCase(new GatherSpeedUpCase);
        AddTestCase(new ProbeErrorsCase);
    }
};

static MemoryProbeTestSuite g_memoryProbeTestSuite; ///< registers it
