/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-config-fixture.h"

#include "ns3/astra-attributes.h"
#include "ns3/astra-config.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// Turns inputs of ASTRA-sim into attributes.
class AstraAttributesTest : public AstraConfigTest
{
  protected:
    /// @return the settings, by the last part of the name
    std::string GetSetting(const std::vector<AttributeSetting>& settings, const std::string& name)
    {
        for (const auto& setting : settings)
        {
            if (setting.attribute == "ns3::mlcluster::" + name)
            {
                return setting.value;
            }
        }
        return "not set";
    }

    void ExpectEngineError(const std::string& from,
                           const std::string& to,
                           const std::string& key,
                           const std::string& part)
    {
        const auto config = ReadValid(NETWORK, Replace(SYSTEM, from, to), NO_MEMORY);
        Diagnostics diagnostics;
        GetAstraAttributes(config, diagnostics);
        ExpectOne(diagnostics.GetErrors(), "system: " + key + ": ", part);
    }
};

} // namespace

TEST_F(AstraAttributesTest, BecomesAttributesOfTheEngine)
{
    const auto config = ReadValid(NETWORK, SYSTEM, MEMORY);
    const auto settings = GetAstraAttributes(config, m_diagnostics);
    EXPECT_EQ(GetSetting(settings, "NpuApplication::EndpointDelay"), "10ns");
    EXPECT_EQ(GetSetting(settings, "NpuApplication::MemoryBandwidth"), "12804Gbps");
    EXPECT_EQ(GetSetting(settings, "NpuApplication::ReductionBandwidth"), "12804Gbps");
    EXPECT_EQ(GetSetting(settings, "NpuApplication::PeakFlops"), "3.12e+14");
    EXPECT_EQ(GetSetting(settings, "NpuApplication::Roofline"), "true");
    EXPECT_EQ(GetSetting(settings, "CollectivePlanner::Chunks"), "4");
    EXPECT_EQ(GetSetting(settings, "CollectivePlanner::ChunksInFlight"), "2");
    EXPECT_EQ(GetSetting(settings, "CollectivePlanner::AllReduce"), "ring,halving-doubling");
    EXPECT_EQ(GetSetting(settings, "CollectivePlanner::ReduceScatter"), "ring,direct")
        << "a window of n - 1 is no limit";
    EXPECT_EQ(GetSetting(settings, "CollectivePlanner::AllGather"), "direct,ring");
    EXPECT_EQ(GetSetting(settings, "CollectivePlanner::AllToAll"), "relay,direct");
    EXPECT_EQ(GetSetting(settings, "QueuedMemoryModel::Latency"), "100ns");
    EXPECT_EQ(GetSetting(settings, "QueuedMemoryModel::Bandwidth"), "80Gbps");
    EXPECT_FALSE(m_diagnostics.HasErrors());
    EXPECT_TRUE(m_diagnostics.GetWarnings().empty()) << JoinWords(m_diagnostics.GetWarnings());
    EXPECT_EQ(GetSetting(GetAstraAttributes(ReadValid(NETWORK, SYSTEM, NO_MEMORY), m_diagnostics),
                         "QueuedMemoryModel::Bandwidth"),
              "not set");
}

TEST_F(AstraAttributesTest, EngineRefusesWhatItCannotDo)
{
    ExpectEngineError("[\"ring\", \"direct\"]",
                      "[\"ring\", \"halvingDoubling\"]",
                      "all-to-all-implementation",
                      "the engine has no such halvingDoubling; allowed are ring, direct");
    ExpectEngineError("\"peak-perf\"",
                      "\"replay-only\": 1, \"peak-perf\"",
                      "replay-only",
                      "allowed is 0");
    ExpectEngineError("\"peak-perf\"",
                      "\"model-shared-bus\": 1, \"peak-perf\"",
                      "model-shared-bus",
                      "allowed is 0");
    ExpectEngineError("312", "1e300", "peak-perf", "exponent");
}

TEST_F(AstraAttributesTest, EngineTellsWhatItDoesOtherwise)
{
    const auto expect = [this](const std::string& from,
                               const std::string& to,
                               const std::string& begin,
                               const std::string& part) {
        const auto config = ReadValid(NETWORK, Replace(SYSTEM, from, to), NO_MEMORY);
        Diagnostics diagnostics;
        GetAstraAttributes(config, diagnostics);
        EXPECT_FALSE(diagnostics.HasErrors());
        ExpectOne(diagnostics.GetWarnings(), begin, part);
    };
    expect("\"peak-perf\"",
           "\"trace-enabled\": 1, \"peak-perf\"",
           "system: trace-enabled: ",
           "no effect");
    expect("\"peak-perf\"",
           "\"track-local-mem\": 1, \"peak-perf\"",
           "system: track-local-mem: ",
           "no effect");
    expect("\"peak-perf\"",
           "\"intra-dimension-scheduling\": \"RG\", \"peak-perf\"",
           "system: intra-dimension-scheduling: ",
           "FIFO, which counts");
    expect("\"all-gather-implementation\": [\"direct\", \"ring\"],",
           "",
           "system: all-gather-implementation: is missing",
           "default algorithm");
}

TEST_F(AstraAttributesTest, MemoriesOfNodesAndOfAllAreShared)
{
    const auto expect = [this](const std::string& type, const std::string& npusPerMemory) {
        const auto config =
            ReadValid(NETWORK, SYSTEM, Replace(MEMORY, "PER_NPU_MEMORY_EXPANSION\"", type));
        EXPECT_EQ(GetSetting(GetAstraAttributes(config, m_diagnostics),
                             "QueuedMemoryModel::NpusPerMemory"),
                  npusPerMemory);
        EXPECT_TRUE(m_diagnostics.GetWarnings().empty());
    };
    expect("PER_NPU_MEMORY_EXPANSION\"", "1");
    expect("PER_NODE_MEMORY_EXPANSION\", \"num-nodes\": 2, \"num-npus-per-node\": 4", "4");
    expect("MEMORY_POOL\"", "0");
}

TEST_F(AstraAttributesTest, PoliciesBecomeThoseOfTheEngine)
{
    const auto get =
        [this](const std::string& from, const std::string& to, const std::string& name) {
            const auto config = ReadValid(NETWORK, Replace(SYSTEM, from, to), NO_MEMORY);
            Diagnostics diagnostics;
            const auto settings = GetAstraAttributes(config, diagnostics);
            EXPECT_FALSE(diagnostics.HasErrors());
            EXPECT_EQ(JoinWords(diagnostics.GetWarnings()), "");
            return GetSetting(settings, "CollectivePlanner::" + name);
        };
    EXPECT_EQ(get("localBWAware", "localBWAware", "Composition"), "not set");
    EXPECT_EQ(get("localBWAware", "baseline", "Composition"), "per-dimension");
    for (const auto& [word, scheduler] :
         {std::pair<std::string, std::string>("ascending", "not set"),
          {"onlineGreedy", "not set"},
          {"roundRobin", "round-robin"},
          {"themis", "offline-greedy"},
          {"themisFlex", "offline-greedy-flex"}})
    {
        const std::string key = "\"inter-dimension-scheduling\": \"" + word + "\", \"peak-perf\"";
        EXPECT_EQ(get("\"peak-perf\"", key, "Scheduler"), scheduler) << word;
    }
    const std::string key = "\"intra-dimension-scheduling\": \"SCF\", \"peak-perf\"";
    EXPECT_EQ(get("\"peak-perf\"", key, "QueuePolicy"), "smallest-first");
    const std::string ring = "[\"ring\", \"halvingDoubling\"]";
    EXPECT_EQ(get(ring, "[\"oneHalvingDoubling\"]", "AllReduce"), "one-halving-doubling");
    EXPECT_EQ(get(ring, "[\"oneDirect7\"]", "AllReduce"), "one-direct") << "no limit";
}

TEST_F(AstraAttributesTest, OneFormsOnOneDimensionAreThePlainOnes)
{
    const std::string network =
        "topology: [Ring]\nnpus_count: [4]\nbandwidth: [50]\nlatency: [500]\n";
    const std::string system =
        R"({"scheduling-policy": "FIFO", "preferred-dataset-splits": 1, "local-mem-bw": 50,
        "all-reduce-implementation": ["oneHalvingDoubling"]})";
    const auto config = ReadValid(network, system, NO_MEMORY);
    EXPECT_EQ(GetSetting(GetAstraAttributes(config, m_diagnostics), "CollectivePlanner::AllReduce"),
              "halving-doubling");
    EXPECT_FALSE(m_diagnostics.HasErrors());
}

TEST_F(AstraAttributesTest, RemarksStateTheUnits)
{
    const std::string system = Replace(SYSTEM, "  \"endpoint-delay\": 10,\n", "");
    const std::string remarks = JoinWords(GetAstraRemarks(ReadValid(NETWORK, system, NO_MEMORY)));
    for (const std::string part :
         {"Ring(4): 100 GB/s = 858993459200bps per link and direction, 500 ns per link",
          "Switch(2): 50 GB/s = 429496729600bps per link and direction, 936.25 ns per link",
          "2^30 B/s",
          "10^9 B/s",
          "endpoint-delay is not given: 10 ns"})
    {
        EXPECT_NE(remarks.find(part), std::string::npos) << part << " is not in " << remarks;
    }
}
