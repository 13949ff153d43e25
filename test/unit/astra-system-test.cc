/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-config-fixture.h"

#include "ns3/astra-system.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

using namespace ns3::mlcluster;

namespace
{

/// Reads system files.
class AstraSystemTest : public AstraConfigTest
{
};

} // namespace

TEST_F(AstraSystemTest, ReadsTheSystem)
{
    const auto system = ReadValid(NETWORK, SYSTEM, NO_MEMORY).system;
    EXPECT_EQ(system.schedulingPolicy, "LIFO");
    EXPECT_TRUE(system.localBandwidthAware);
    ASSERT_EQ(system.reduceScatter.algorithms.size(), 2U);
    EXPECT_EQ(system.reduceScatter.algorithms[1].name, "direct");
    EXPECT_EQ(system.reduceScatter.algorithms[1].window, 1U);
    EXPECT_EQ(system.allReduce.algorithms[1].name, "halvingDoubling");
    EXPECT_EQ(system.endpointDelay, 10U);
    EXPECT_TRUE(system.hasEndpointDelay);
    EXPECT_EQ(system.activeChunksPerDimension, 2U);
    EXPECT_EQ(system.preferredDatasetSplits, 4U);
    EXPECT_EQ(system.localMemoryBandwidth, 1600.5);
    EXPECT_EQ(system.peakPerformance, 312.0);
    EXPECT_TRUE(system.roofline);
    EXPECT_FALSE(system.replayOnly);
    EXPECT_FALSE(system.sharedBus);
}

TEST_F(AstraSystemTest, KeysThatMayBeMissingHaveAstraSimsDefaults)
{
    const std::string least =
        R"({"scheduling-policy": "FIFO", "preferred-dataset-splits": 1, "local-mem-bw": 50,
        "all-reduce-implementation-custom": ["folder/custom"], "per-node-custom-implementation": "nodes.yaml"})";
    const auto system = ReadValid(NETWORK, least, NO_MEMORY).system;
    EXPECT_EQ(system.allReduce.customPrefix, "folder/custom");
    EXPECT_EQ(system.perNodeCustom, "nodes.yaml");
    EXPECT_TRUE(system.allReduce.algorithms.empty());
    EXPECT_EQ(system.endpointDelay, 10U);
    EXPECT_FALSE(system.hasEndpointDelay);
    EXPECT_EQ(system.activeChunksPerDimension, 1U);
    EXPECT_EQ(system.localReductionDelay, 1U);
    EXPECT_EQ(system.localMemoryTraceFile, "local_mem_trace");
    EXPECT_FALSE(system.localBandwidthAware);
}

TEST_F(AstraSystemTest, ReadsTheSharedBusAndOutputKeys)
{
    const auto system =
        ReadValid(
            NETWORK,
            Replace(
                SYSTEM,
                "\"peak-perf\"",
                "\"model-shared-bus\": 1, \"L\": 1, \"o\": 2, \"g\": 3, \"G\": 0.5, "
                "\"local-reduction-delay\": 7, \"replay-only\": 1, \"trace-enabled\": 1, "
                "\"track-local-mem\": true, \"local-mem-trace-filename\": \"t\", \"peak-perf\""),
            NO_MEMORY)
            .system;
    EXPECT_TRUE(system.sharedBus);
    EXPECT_EQ(system.busLatency, 1);
    EXPECT_EQ(system.busOverhead, 2);
    EXPECT_EQ(system.busGap, 3);
    EXPECT_EQ(system.busGapPerByte, 0.5);
    EXPECT_EQ(system.localReductionDelay, 7U);
    EXPECT_TRUE(system.replayOnly && system.traceEnabled && system.trackLocalMemory);
    EXPECT_EQ(system.localMemoryTraceFile, "t");
}

TEST_F(AstraSystemTest, FlagsMeanWhatTheySay)
{
    for (const auto& [text, value] :
         {std::pair<std::string, bool>("0", false), {"false", false}, {"1", true}, {"true", true}})
    {
        const auto system =
            ReadValid(NETWORK, Replace(SYSTEM, "enabled\": 1", "enabled\": " + text), NO_MEMORY)
                .system;
        EXPECT_EQ(system.roofline, value) << text;
    }
    const std::string begin = "13: roofline-enabled: ";
    ExpectSystemErrors({{"enabled\": 1", "enabled\": 2", begin, "true, false, 1, 0"},
                        {"enabled\": 1", "enabled\": \"1\"", begin, "true, false, 1, 0"},
                        {"enabled\": 1", "enabled\": [1]", begin, "a list is given"}});
}

TEST_F(AstraSystemTest, ReadsAlgorithms)
{
    for (const std::string text : {"ring",
                                   "direct",
                                   "direct7",
                                   "direct99999",
                                   "halvingDoubling",
                                   "doubleBinaryTree",
                                   "oneRing",
                                   "oneDirect",
                                   "oneDirect4",
                                   "oneHalvingDoubling"})
    {
        EXPECT_EQ(ParseAstraAlgorithm(text).GetText(), text);
    }
    const auto algorithm = ParseAstraAlgorithm("oneDirect4");
    EXPECT_TRUE(algorithm.isOne);
    EXPECT_EQ(algorithm.name, "direct");
    EXPECT_EQ(algorithm.window, 4U);
    for (const std::string text : {"",
                                   "one",
                                   "Ring",
                                   "ring2",
                                   "direct0",
                                   "direct123456",
                                   "direct-1",
                                   "onering",
                                   "oneDoubleBinaryTree",
                                   "tree",
                                   "halvingdoubling"})
    {
        EXPECT_THROW(ParseAstraAlgorithm(text), InputError) << text;
    }
}

TEST_F(AstraSystemTest, ReadsSchedulingPolicies)
{
    const auto read = [&](const std::string& key, const std::string& word) {
        const std::string keys =
            "\"" + key + "-dimension-scheduling\": \"" + word + "\", \"peak-perf\"";
        return ReadValid(NETWORK, Replace(SYSTEM, "\"peak-perf\"", keys), NO_MEMORY).system;
    };
    for (const auto& [word, policy] :
         {std::pair<std::string, ChunkOrderPolicy>("ascending", ChunkOrderPolicy::Ascending),
          {"baseline", ChunkOrderPolicy::Ascending},
          {"roundRobin", ChunkOrderPolicy::RoundRobin},
          {"onlineGreedy", ChunkOrderPolicy::OnlineGreedy},
          {"offlineGreedy", ChunkOrderPolicy::OfflineGreedy},
          {"themis", ChunkOrderPolicy::OfflineGreedy},
          {"offlineGreedyFlex", ChunkOrderPolicy::OfflineGreedyFlex},
          {"themisFlex", ChunkOrderPolicy::OfflineGreedyFlex}})
    {
        EXPECT_EQ(read("inter", word).chunkOrder, policy) << word;
    }
    for (const auto& [word, policy] :
         {std::pair<std::string, ParityQueuePolicy>("FIFO", ParityQueuePolicy::Fifo),
          {"RG", ParityQueuePolicy::Alternating},
          {"SCF", ParityQueuePolicy::SmallestFirst},
          {"smallestFirst", ParityQueuePolicy::SmallestFirst},
          {"lessRemainingPhaseFirst", ParityQueuePolicy::LessRemainingPhaseFirst}})
    {
        EXPECT_EQ(read("intra", word).queuePolicy, policy) << word;
    }
    ExpectSystemErrors({{"\"peak-perf\"",
                         "\"inter-dimension-scheduling\": \"themes\", \"peak-perf\"",
                         "12: inter-dimension-scheduling: 'themes' is given (nearest: themis)",
                         "offlineGreedyFlex"},
                        {"\"peak-perf\"",
                         "\"intra-dimension-scheduling\": \"fifo\", \"peak-perf\"",
                         "12: intra-dimension-scheduling: 'fifo' is given",
                         "FIFO, RG, SCF, smallestFirst, lessRemainingPhaseFirst"}});
}

TEST_F(AstraSystemTest, RefusesMalformedSystems)
{
    ExpectSystemErrors(
        {{"LIFO", "lifo", "2: scheduling-policy: 'lifo' is given", "LIFO, FIFO, EXPLICIT"},
         {"\"scheduling-policy\": \"LIFO\",",
          "",
          " scheduling-policy: is missing",
          "LIFO, FIFO, EXPLICIT"},
         {"localBWAware",
          "global",
          "10: collective-optimization: 'global' is given",
          "baseline, localBWAware"},
         {"\"collective-optimization\": \"localBWAware\",",
          "",
          " collective-optimization: is missing",
          "baseline"},
         {"splits\": 4", "splits\": 0", "5: preferred-dataset-splits: '0' is given", "at least 1"},
         {"splits\": 4",
          "splits\": -4",
          "5: preferred-dataset-splits: '-4' is given",
          "at least 1"},
         {"splits\": 4",
          "splits\": \"4\"",
          "5: preferred-dataset-splits: '4' is given",
          "at least 1"},
         {"splits\": 4", "splits\": 1e10", "5: preferred-dataset-splits: 1e+10 is too large", ""},
         {"splits\": 4", "splits\": null", "5: preferred-dataset-splits: nothing is given", ""},
         {"\"preferred-dataset-splits\": 4,", "", " preferred-dataset-splits: is missing", ""},
         {"dimension\": 2",
          "dimension\": 0",
          "4: active-chunks-per-dimension: '0' is given",
          "at least 1"},
         {"delay\": 10", "delay\": -1", "3: endpoint-delay: '-1' is given", "not negative"},
         {"delay\": 10", "delay\": true", "3: endpoint-delay: 'true' is given", "not negative"},
         {"1600.5", "0", "11: local-mem-bw: '0' is given", "above 0"},
         {"\"local-mem-bw\": 1600.5,", "", " local-mem-bw: is missing", "GB/s"},
         {"312", "0", "12: peak-perf: '0' is given", "above 0"},
         {"\"peak-perf\": 312,", "", " peak-perf: is missing", "roofline"},
         {"\"peak-perf\": 312,",
          "\"peak-perf\": 312, \"peak-perf\": 1,",
          "12: peak-perf: the key is given twice",
          ""},
         {"\"peak-perf\"", "\"G\": -1, \"peak-perf\"", "12: G: '-1' is given", "not negative"}});
}

TEST_F(AstraSystemTest, RefusesMalformedAlgorithms)
{
    ExpectSystemErrors({{"halvingDoubling",
                         "halfDoubling",
                         "6: all-reduce-implementation: 'halfDoubling' is no algorithm",
                         "halvingDoubling"},
                        {"[\"ring\", \"halvingDoubling\"]",
                         "[\"ring\"]",
                         "6: all-reduce-implementation: 1 algorithms are given",
                         "2 dimensions"},
                        {"[\"ring\", \"halvingDoubling\"]",
                         "[\"ring\", \"ring\", \"ring\"]",
                         "6: all-reduce-implementation: 3 algorithms",
                         "2 dimensions"},
                        {"[\"ring\", \"halvingDoubling\"]",
                         "[]",
                         "6: all-reduce-implementation: 0 algorithms",
                         "2 dimensions"},
                        {"[\"ring\", \"halvingDoubling\"]",
                         "\"ring\"",
                         "6: all-reduce-implementation: 'ring' is given",
                         "a list"},
                        {"[\"ring\", \"halvingDoubling\"]",
                         "[\"oneRing\", \"ring\"]",
                         "6: all-reduce-implementation: a \"one...\"",
                         "only entry"},
                        {"[\"ring\", \"halvingDoubling\"]",
                         "[[\"ring\"], \"ring\"]",
                         "6: all-reduce-implementation[0]: a list is given",
                         ""},
                        {"\"peak-perf\"",
                         "\"all-gather-implementation-custom\": [\"a\", \"b\"], \"peak-perf\"",
                         "12: all-gather-implementation-custom: 2 entries",
                         ""}});
}

TEST_F(AstraSystemTest, CutsFractionsWithAWarning)
{
    const auto config =
        ReadValid(NETWORK, Replace(SYSTEM, "delay\": 10", "delay\": 10.9"), NO_MEMORY);
    EXPECT_EQ(config.system.endpointDelay, 10U);
    ExpectOne(m_diagnostics.GetWarnings(), "system:3: endpoint-delay: 10.9 is cut to 10", "");
}
