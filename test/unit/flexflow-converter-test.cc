/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "flexflow-cases.h"
#include "temporary-folder.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-writer.h"
#include "ns3/cluster-workload.h"
#include "ns3/flexflow-converter.h"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::flexflow;

namespace
{

using Texts = std::vector<std::string>;                ///< messages
using Ranks = std::vector<std::vector<ExecutionNode>>; ///< nodes per rank
using Ids = std::vector<uint64_t>;                     ///< dependencies

/// What became of a graph.
struct Conversion
{
    Ranks ranks;             ///< nodes
    Texts errors;            ///< problems
    ConversionLedger ledger; ///< books
};

/// @param statements statements of a graph @param options options @return what became of it
Conversion
Convert(const std::string& statements, const FlexflowOptions& options = {})
{
    Diagnostics diagnostics;
    const auto graph = Read(statements, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts{});
    FlexflowConverter converter(graph, options);
    auto ranks = converter.Convert(diagnostics);
    return {std::move(ranks), diagnostics.GetErrors(), converter.GetLedger()};
}

/// @param time a time @param options options @return the duration it becomes, ps
int64_t
GetDuration(const std::string& time, const FlexflowOptions& options = {})
{
    return Convert(Compute(0, 0, "a", time), options).ranks.at(0).at(0).durationPs;
}

/// Gradients of two devices that meet at the first: backward, barrier, transfer, update, transfer
/// back, barrier.
const std::string EXCHANGE = Compute(1, 1, "Dense") + Edge(1, 3) + Compute(3, 1, "Barrier") +
                             Edge(3, 4) + Transfer(4, 1, 0, 2048) + Edge(4, 5) +
                             Compute(0, 0, "Dense") + Edge(0, 5) + Compute(5, 0, "Update") +
                             Edge(5, 6) + Transfer(6, 0, 1, 4096) + Edge(6, 7) +
                             Compute(7, 1, "Barrier");

} // namespace

TEST(FlexflowConverterTest, TransfersBecomeSendAndReceive)
{
    const auto conversion = Convert(EXCHANGE);
    ASSERT_EQ(conversion.errors, Texts{});
    ASSERT_EQ(conversion.ranks.size(), 2u);
    const auto& first = conversion.ranks[0];
    const auto& second = conversion.ranks[1];
    ASSERT_EQ(first.size(), 4u);
    EXPECT_EQ(first[0].kind, NodeKind::Compute);
    EXPECT_EQ(first[0].name, "Dense Forward");
    EXPECT_EQ(first[1].id, 4u);
    EXPECT_EQ(first[1].kind, NodeKind::Receive);
    EXPECT_EQ(first[1].peer, 1u);
    EXPECT_EQ(first[1].bytes, 2048u);
    EXPECT_EQ(first[1].dependencies, Ids{});
    EXPECT_EQ(first[2].id, 5u);
    EXPECT_EQ(first[2].dependencies, (Ids{0, 4}));
    EXPECT_EQ(first[3].kind, NodeKind::Send);
    EXPECT_EQ(first[3].peer, 1u);
    EXPECT_EQ(first[3].dependencies, Ids{5});
    ASSERT_EQ(second.size(), 5u);
    EXPECT_EQ(second[1].dependencies, Ids{1});
    EXPECT_EQ(second[2].kind, NodeKind::Send);
    EXPECT_EQ(second[2].id, 4u);
    EXPECT_EQ(second[2].tag, first[1].tag);
    EXPECT_EQ(second[3].kind, NodeKind::Receive);
    EXPECT_EQ(second[3].tag, first[3].tag);
    EXPECT_NE(second[3].tag, second[2].tag);
    EXPECT_EQ(second[4].dependencies, Ids{6});
    EXPECT_EQ(conversion.ledger.GetAccount("compute nodes").kept, 5u);
    EXPECT_EQ(conversion.ledger.GetAccount("transfers").kept, 2u);
    EXPECT_EQ(conversion.ledger.GetAccount("edges").kept, 6u);
    EXPECT_EQ(conversion.ledger.GetAccount("edges").GetIn(), 6u);
}

TEST(FlexflowConverterTest, TimesAreExact)
{
    EXPECT_EQ(GetDuration("0.0205856"), 20585600);
    EXPECT_EQ(GetDuration("0"), 0);
    EXPECT_EQ(GetDuration("1.90745e-05"), 19075);
    EXPECT_EQ(GetDuration("1.5e3"), 1500000000000);
    FlexflowOptions options;
    options.timeUnit = "us";
    EXPECT_EQ(GetDuration("0.0205856", options), 20586);
    options.timeUnit = "s";
    EXPECT_EQ(GetDuration("0.0205856", options), 20585600000);
    options.timeUnit = "ns";
    EXPECT_EQ(GetDuration("12", options), 12000);
    options.timeUnit = "min";
    EXPECT_NE(ErrorOf([&] { FlexflowConverter(FlexflowGraph(), options); }), "");
    options.timeUnit = "ms";
    options.parityMhz = 0;
    EXPECT_EQ(ErrorOf([&] { FlexflowConverter(FlexflowGraph(), options); }),
              "the clock is 0 MHz; it must be above 0");
}

TEST(FlexflowConverterTest, TimesThatAreNoneAreErrors)
{
    for (const std::string time : {"-1", "x", "", "nan", "1e30", "1 ms"})
    {
        const auto errors = Convert("\n" + Compute(3, 0, "a", time)).errors;
        ASSERT_EQ(errors.size(), 1u) << time;
        EXPECT_EQ(errors[0].substr(0, 15), "g:2: node3 \"a\":") << errors[0];
    }
}

TEST(FlexflowConverterTest, ParityIsChakrasConverter)
{
    // as its outputs have it: times taken for seconds, counted in cycles, stored as microseconds
    FlexflowOptions options;
    options.parity = true;
    const auto conversion = Convert(EXCHANGE + Compute(9, 0, "Dense_101", "0.0218592"), options);
    EXPECT_EQ(conversion.ranks[0][0].name, "COMP_NODE_Dense");
    EXPECT_EQ(conversion.ranks[0][1].name, "COMM_RECV_NODE_Comm from A to B");
    EXPECT_EQ(conversion.ranks[0][3].name, "COMM_SEND_NODE_Comm from A to B");
    EXPECT_EQ(conversion.ranks[0][4].durationPs, 21859200 * int64_t{1000000});
    EXPECT_EQ(GetDuration("0.0205856", options), 20585600 * int64_t{1000000});
    EXPECT_EQ(GetDuration("1.90745e-05", options), 19074 * int64_t{1000000});
    options.parityMhz = 500;
    EXPECT_EQ(GetDuration("0.0205856", options), 10292800 * int64_t{1000000});
}

TEST(FlexflowConverterTest, OnlyDevicesThatComputeAreRanksWithParity)
{
    FlexflowOptions options;
    options.parity = true;
    const auto alone = Convert(Compute(1, 2, "a"), options);
    ASSERT_EQ(alone.ranks.size(), 3u);
    EXPECT_TRUE(alone.ranks[0].empty());
    EXPECT_TRUE(alone.ranks[1].empty());
    EXPECT_EQ(alone.ranks[2].size(), 1u);
    const std::string statements = Compute(1, 2, "a") + Transfer(2, 2, 1) + Edge(1, 2);
    EXPECT_EQ(Convert(statements).errors, Texts{});
    EXPECT_EQ(Convert(statements, options).errors,
              Texts{"g:2: node2 \"Comm from A to B\": is from or to device 1, which has no compute "
                    "node; with parity only devices that have one are ranks"});
}

TEST(FlexflowConverterTest, IdleRanksAreReadable)
{
    const TemporaryFolder folder;
    auto ranks = Convert(Compute(1, 1, "a")).ranks;
    ASSERT_EQ(ranks.size(), 2u);
    const std::string path = (folder.GetPath() / "x.0.et").string();
    WriteChakraGraph(ranks[0], path);
    Diagnostics diagnostics;
    const auto graph = ReadChakraGraph(path, {}, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Texts{});
    ASSERT_TRUE(graph);
    EXPECT_EQ(graph->GetNNodes(), 0u);
}

TEST(FlexflowConverterTest, TagsCountRankByRankInTheOrderOfTheFile)
{
    const auto ranks =
        Convert(Transfer(1, 3, 2) + Transfer(2, 2, 1) + Transfer(5, 0, 3) + Transfer(4, 1, 0))
            .ranks;
    ASSERT_EQ(ranks.size(), 4u);
    EXPECT_EQ(ranks[0][0].id, 4u);
    EXPECT_EQ(ranks[0][0].tag, 1u);
    EXPECT_EQ(ranks[0][1].tag, 0u);
    EXPECT_EQ(ranks[1][0].tag, 2u);
    EXPECT_EQ(ranks[2][0].tag, 3u);
}

TEST(FlexflowConverterTest, ATransferWithinADeviceKeepsTheOrder)
{
    const auto conversion = Convert(Compute(1, 0, "a") + Compute(2, 0, "b") + Transfer(3, 0, 0) +
                                    Transfer(4, 0, 0) + Compute(5, 0, "c") + Edge(1, 3) +
                                    Edge(3, 4) + Edge(2, 4) + Edge(4, 5) + Edge(1, 5));
    ASSERT_EQ(conversion.errors, Texts{});
    ASSERT_EQ(conversion.ranks[0].size(), 3u);
    EXPECT_EQ(conversion.ranks[0][2].dependencies, (Ids{1, 2}));
    EXPECT_EQ(conversion.ledger.GetAccount("transfers").kept, 0u);
    EXPECT_EQ(conversion.ledger.GetAccount("transfers").GetIn(), 2u);
    EXPECT_EQ(conversion.ledger.GetAccount("edges").kept, 1u);
    EXPECT_EQ(conversion.ledger.GetAccount("edges").GetIn(), 5u);
}

TEST(FlexflowConverterTest, WhatCannotBeConvertedIsTold)
{
    EXPECT_EQ(
        Convert(Compute(1, 0, "a") + Compute(2, 1, "b") + Edge(1, 2)).errors,
        Texts{"g:2: node2 \"b\": waits for node1 \"a\" (line 1), which has no part on device 1; "
              "a transfer has to be between them"});
    EXPECT_EQ(Convert(Compute(1, 2, "a") + Transfer(2, 0, 1) + Edge(1, 2)).errors.size(), 1u);
    EXPECT_EQ(
        Convert(Compute(1, 0, "a") + Compute(2, 0, "b") + Edge(1, 2) + Edge(2, 1)).errors,
        Texts{"g: node 1 \"a\": depends on itself by way of node 2 \"b\" (a cycle of 2 nodes)"});
    EXPECT_EQ(Convert("").errors, Texts{"g: the graph has no nodes"});
    EXPECT_EQ(Convert(Compute(1, 1048576, "a")).errors,
              Texts{"g: a device has the number 1048576; the most that is allowed is 1048575"});
}

TEST(FlexflowConverterTest, RandomGraphsKeepWorkBytesAndOrder)
{
    std::mt19937 random(8);
    for (int round = 0; round < 50; ++round)
    {
        const int nDevices = 1 + random() % 4;
        std::vector<int> deviceOf;
        std::string text;
        uint64_t bytes = 0;
        int id = 1000;
        for (int task = 0; task < 20; ++task)
        {
            deviceOf.push_back(random() % nDevices);
            text += Compute(task, deviceOf[task], "t", std::to_string(random() % 100));
            for (int parent = random() % (task + 1); parent < task; parent += 1 + random() % 5)
            {
                const bool isAcross = deviceOf[parent] != deviceOf[task];
                text += isAcross ? Transfer(id, deviceOf[parent], deviceOf[task], task + 1) +
                                       Edge(parent, id) + Edge(id, task)
                                 : Edge(parent, task);
                bytes += isAcross ? task + 1 : 0;
                id += isAcross ? 1 : 0;
            }
        }
        auto conversion = Convert(text);
        ASSERT_EQ(conversion.errors, Texts{});
        Diagnostics diagnostics;
        std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
        uint64_t sent = 0;
        uint64_t nComputes = 0;
        for (auto& nodes : conversion.ranks)
        {
            for (const auto& node : nodes)
            {
                sent += node.kind == NodeKind::Send ? node.bytes : 0;
                nComputes += node.kind == NodeKind::Compute ? 1 : 0;
            }
            graphs.push_back(std::make_shared<ExecutionGraph>(std::move(nodes), "", diagnostics));
        }
        EXPECT_EQ(sent, bytes);
        EXPECT_EQ(nComputes, 20u);
        ClusterWorkload(graphs, {}).Check(diagnostics);
        EXPECT_EQ(diagnostics.GetErrors(), Texts{});
        EXPECT_EQ(conversion.ledger.GetAccount("edges").kept,
                  conversion.ledger.GetAccount("edges").GetIn());
    }
}
