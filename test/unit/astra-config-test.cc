/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-config-fixture.h"

#include "ns3/astra-config.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

TEST_F(AstraConfigTest, ReadsTheNetwork)
{
    const auto config = ReadValid(NETWORK, SYSTEM, NO_MEMORY);
    const auto& dimensions = config.network.dimensions;
    ASSERT_EQ(dimensions.size(), 2U);
    EXPECT_EQ(dimensions[0].block, BuildingBlock::Ring);
    EXPECT_EQ(dimensions[0].size, 4U);
    EXPECT_EQ(dimensions[0].linkBitRate, uint64_t{100} << 33) << "100 x 2^30 B/s, of one link";
    EXPECT_EQ(dimensions[0].latencyPs, 500000);
    EXPECT_EQ(dimensions[1].block, BuildingBlock::Switch);
    EXPECT_EQ(dimensions[1].linkBitRate, 429496729600U);
    EXPECT_EQ(dimensions[1].latencyPs, 936250);
    EXPECT_EQ(config.network.bandwidth, (std::vector<double>{100.0, 50.0}));
    EXPECT_EQ(config.network.latency, (std::vector<double>{500.0, 936.25}));
    EXPECT_TRUE(m_diagnostics.GetWarnings().empty());
}

TEST_F(AstraConfigTest, NetworkRatesAreExact)
{
    std::mt19937_64 random(4);
    for (int i = 0; i < 20; ++i)
    {
        const uint64_t thousandths = 1 + random() % 1000000;
        const std::string text = std::to_string(thousandths / 1000) + "." +
                                 std::to_string(1000 + thousandths % 1000).substr(1);
        const auto network = Replace(Replace(NETWORK, "50.0", text), "936.25", text);
        const auto config = ReadValid(network, SYSTEM, NO_MEMORY);
        const uint64_t scaled = thousandths << 33;
        EXPECT_EQ(config.network.dimensions[1].linkBitRate, (scaled + 500) / 1000) << text;
        EXPECT_EQ(config.network.dimensions[1].latencyPs, static_cast<int64_t>(thousandths))
            << text;
    }
}

TEST_F(AstraConfigTest, ReadsRemoteMemory)
{
    const auto none = ReadValid(NETWORK, SYSTEM, NO_MEMORY).memory;
    EXPECT_EQ(none.type, AstraMemoryType::None);
    const auto memory = ReadValid(NETWORK, SYSTEM, MEMORY).memory;
    EXPECT_EQ(memory.type, AstraMemoryType::PerNpu);
    EXPECT_EQ(memory.latency, 100.0);
    EXPECT_EQ(memory.bandwidth, 10.0);
    EXPECT_EQ(ReadValid(NETWORK, SYSTEM, Replace(MEMORY, "PER_NPU_MEMORY_EXPANSION", "MEMORY_POOL"))
                  .memory.type,
              AstraMemoryType::Pool);
    const auto nodes =
        ReadValid(
            NETWORK,
            SYSTEM,
            Replace(MEMORY,
                    "PER_NPU_MEMORY_EXPANSION\"",
                    "PER_NODE_MEMORY_EXPANSION\", \"num-nodes\": 2, \"num-npus-per-node\": 4"))
            .memory;
    EXPECT_EQ(nodes.type, AstraMemoryType::PerNode);
    EXPECT_EQ(nodes.nodes, 2U);
    EXPECT_EQ(nodes.npusPerNode, 4U);
    EXPECT_TRUE(m_diagnostics.GetWarnings().empty());
    EXPECT_EQ(ReadValid(NETWORK, SYSTEM, Replace(MEMORY, "10}", "10.9}")).memory.bandwidth, 10.9);
    ExpectOne(m_diagnostics.GetWarnings(),
              "memory:2: remote-mem-bw: ",
              "cuts it to a whole number");
}

TEST_F(AstraConfigTest, RefusesFilesThatCannotBeRead)
{
    const std::string missing = (m_folder.GetPath() / "missing").string();
    const std::string system = m_folder.Write("system", SYSTEM);
    Diagnostics diagnostics;
    ReadAstraConfig({missing, missing, missing, missing}, diagnostics);
    ASSERT_EQ(diagnostics.GetErrors().size(), 4U);
    for (const auto& error : diagnostics.GetErrors())
    {
        EXPECT_NE(error.find(missing), std::string::npos);
        EXPECT_NE(error.find("No such file"), std::string::npos) << error;
    }
    for (const std::string text : {"", "# nothing\n", "hello\n", "[1]\n"})
    {
        Read(text, SYSTEM, NO_MEMORY);
        EXPECT_EQ(m_diagnostics.GetErrors().size(), 1U) << text;
    }
    Read("a: b: c\n", SYSTEM, NO_MEMORY);
    ExpectOne(m_diagnostics.GetErrors(), "network:1: is no YAML: ", "");
    for (const std::string text : {"", "hello", "[1]", "{\"a\": 1,}", "{\"a\": }", "LIFO: 1"})
    {
        Read(NETWORK, text, NO_MEMORY);
        EXPECT_EQ(m_diagnostics.GetErrors().size(), 1U) << text;
        Read(NETWORK, SYSTEM, text);
        EXPECT_EQ(m_diagnostics.GetErrors().size(), 1U) << text;
    }
    Read(NETWORK, "{\n\"a\": 1\n\"b\": 2}", NO_MEMORY);
    ExpectOne(m_diagnostics.GetErrors(), "system:3: is no JSON: ", "expected");
}

TEST_F(AstraConfigTest, RefusesMalformedNetworks)
{
    ExpectNetworkErrors(
        {{"50.0", "0", "3: bandwidth[1]: '0' is given", "above 0"},
         {"50.0", "-50", "3: bandwidth[1]: '-50' is given", "above 0"},
         {"50.0", ".nan", "3: bandwidth[1]: '.nan' is given", "GB/s"},
         {"50.0", "nan", "3: bandwidth[1]: 'nan' is given", "GB/s"},
         {"50.0", ".inf", "3: bandwidth[1]: '.inf' is given", "GB/s"},
         {"50.0", "inf", "3: bandwidth[1]: 'inf' is given", "GB/s"},
         {"50.0", "fast", "3: bandwidth[1]: 'fast' is given", "GB/s"},
         {"50.0", "50GB", "3: bandwidth[1]: '50GB' is given", "no unit"},
         {"50.0", "\"50\"", "3: bandwidth[1]: '50' is given", "GB/s"},
         {"50.0", "050", "3: bandwidth[1]: '050' is given", "GB/s"},
         {"50.0", "", "3: bandwidth: 1 values are given", "2 dimensions"},
         {"50.0", "1e300", "1: topology: dimension 1: ", "exponent"},
         {"50.0", "1e-12", "1: topology: ", "it is too small"},
         {"936.25", "-1", "4: latency[1]: '-1' is given", "not negative"},
         {"936.25", "1e300", "1: topology: dimension 1: ", "exponent"},
         {"4, 2", "4, 1", "2: npus_count[1]: '1' is given", "at least 2"},
         {"4, 2", "7.5, 2", "2: npus_count: 7.5 is no whole number", ""},
         {"4, 2", "1e12, 2", "2: npus_count: 1e+12 is no whole number", ""},
         {"4, 2", "2000000000, 2", "1: topology: ", "ranks"},
         {"4, 2", "4, 2, 2", "2: npus_count: 3 values are given", "2 dimensions"},
         {"[4, 2]", "8", "2: npus_count: '8' is given", "a list"},
         {"[4, 2]", "", "2: npus_count: nothing is given", "a list"},
         {"Switch",
          "Torus",
          "1: topology: 'Torus' is no building block",
          "Ring, FullyConnected or Switch"},
         {"Switch", "switch", "1: topology: 'switch' is no building block", "nearest: Switch"},
         {"Switch", "tbd", "1: topology: 'tbd' is no building block", ""},
         {"Switch", "[]", "1: topology[1]: a list is given", ""},
         {"latency: [500.0, 936.25]\n", "", " latency: is missing", "ns"},
         {"topology: [Ring, Switch]\n",
          "",
          " topology: is missing",
          "Ring, FullyConnected or Switch"}});
}

TEST_F(AstraConfigTest, ReportsUnknownKeys)
{
    ReadValid(NETWORK + "bandwith: [1, 2]\n", SYSTEM, NO_MEMORY);
    ExpectOne(m_diagnostics.GetWarnings(), "network:5: bandwith: ", "did you mean bandwidth?");
    ReadValid(NETWORK, Replace(SYSTEM, "\"peak-perf\"", "\"pipe\": 1, \"peak-perf\""), NO_MEMORY);
    ExpectOne(m_diagnostics.GetWarnings(), "system:12: pipe: ", "nothing reads this key");
    ReadValid(
        NETWORK,
        Replace(SYSTEM, "\"peak-perf\"", "\"boost-mode\": 0, \"seprate-log\": 1, \"peak-perf\""),
        NO_MEMORY);
    ExpectOne(m_diagnostics.GetWarnings(), "system: without effect", "boost-mode, seprate-log");
    ReadValid(NETWORK, SYSTEM, Replace(MEMORY, "}", ", \"remote-mem-bandwidth\": 1}"));
    ExpectOne(m_diagnostics.GetWarnings(),
              "memory:2: remote-mem-bandwidth: ",
              "nothing reads this key");
}

TEST_F(AstraConfigTest, RefusesMalformedMemories)
{
    ExpectMemoryErrors(
        {{"PER_NPU_MEMORY_EXPANSION",
          "PER_NPU",
          "1: memory-type: 'PER_NPU' is given",
          "MEMORY_POOL"},
         {"\"memory-type\": \"PER_NPU_MEMORY_EXPANSION\",",
          "",
          " memory-type: is missing",
          "MEMORY_POOL"},
         {"\"remote-mem-latency\": 100,", "", " remote-mem-latency: is missing", "ns"},
         {"100", "-1", "2: remote-mem-latency: '-1' is given", "not negative"},
         {", \"remote-mem-bw\": 10", "", " remote-mem-bw: is missing", "GB/s"},
         {"10}", "0}", "2: remote-mem-bw: '0' is given", "at least 1"},
         {"10}", "\"fast\"}", "2: remote-mem-bw: 'fast' is given", "at least 1"},
         {"NPU_MEMORY_EXPANSION\"",
          "NODE_MEMORY_EXPANSION\", \"num-nodes\": 0, \"num-npus-per-node\": 8",
          "1: num-nodes: '0' is given",
          ""},
         {"NPU_MEMORY_EXPANSION\"",
          "NODE_MEMORY_EXPANSION\", \"num-nodes\": 1",
          " num-npus-per-node: is missing",
          ""},
         {"NPU_MEMORY_EXPANSION\"",
          "NODE_MEMORY_EXPANSION\", \"num-nodes\": 1, \"num-npus-per-node\": 4",
          " num-nodes: 1 nodes of 4 NPUs",
          "8 NPUs"}});
}

TEST_F(AstraConfigTest, ReadsGroupsUnlessThePathMeansNone)
{
    const AstraFiles files{m_folder.Write("network", NETWORK),
                           m_folder.Write("system", SYSTEM),
                           m_folder.Write("memory", NO_MEMORY),
                           ""};
    Diagnostics diagnostics;
    for (const std::string path : {"", "empty", "some/empty.json"})
    {
        AstraFiles none = files;
        none.groups = path;
        EXPECT_TRUE(ReadAstraConfig(none, diagnostics).groups.empty()) << path;
    }
    AstraFiles some = files;
    some.groups = m_folder.Write("empty/groups.json", R"({"1": [0, 3, 1], "tp": [4]})");
    const auto groups = ReadAstraConfig(some, diagnostics).groups;
    EXPECT_EQ(groups, (CommunicatorGroups{{"1", {0, 3, 1}}, {"tp", {4}}}));
    EXPECT_FALSE(diagnostics.HasErrors());
}
