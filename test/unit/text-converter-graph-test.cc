/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-cases.h"

#include <map>

using namespace ns3::mlcluster;

namespace
{

using Lines = std::vector<std::string>; ///< nodes, one a line

/// @param text a text workload @param passes how many @return the nodes of the converter's graph on
/// two ranks, a cycle taken for a microsecond as the converter does: "id name time or bytes <
/// dependencies"
Lines
Convert(const std::string& text, uint64_t passes)
{
    TextGraphOptions options;
    options.form = TextGraphOptions::Form::Converter;
    options.passes = passes;
    options.cyclePs = 1000000;
    const auto graphs = MakeGraphs(ReadText(text), "R(2)", options);
    Lines lines;
    for (uint32_t i = 0; i < graphs->GetGraph(0).GetNNodes(); ++i)
    {
        const ExecutionNode& node = *graphs->GetGraph(0).GetNode(i);
        const bool isCollective = node.kind == NodeKind::Collective;
        std::string line = std::to_string(node.id) + " " + node.name + " " +
                           (isCollective ? std::to_string(node.bytes)
                                         : std::to_string(node.durationPs / 1000000) + "us");
        line += node.dependencies.empty() ? "" : " <";
        for (const uint64_t id : node.dependencies)
        {
            line += " " + std::to_string(id);
        }
        lines.push_back(line);
    }
    return lines;
}

/// Two layers with a collective everywhere.
const std::string LAYERS = "a -1 1 ALLGATHER 10 2 REDUCESCATTER 20 3 ALLREDUCE 30 9\n"
                           "b -1 4 ALLGATHER 40 5 REDUCESCATTER 50 6 ALLREDUCE 60 9\n";

} // namespace

TEST(TextConverterGraphTest, Micro)
{
    EXPECT_EQ(Convert("MICRO 2 " + LAYERS, 2),
              (Lines{"0 COMM_COLL_NODE_a_ALLREDUCE 30",
                     "1 COMM_COLL_NODE_b_ALLREDUCE 60",
                     "2 COMM_COLL_NODE_a_ALLREDUCE 30",
                     "3 COMM_COLL_NODE_b_ALLREDUCE 60"}));
}

TEST(TextConverterGraphTest, Data)
{
    EXPECT_EQ(Convert("DATA 2 " + LAYERS, 2),
              (Lines{"0 COMP_NODE_a_FWD 1us",
                     "1 COMP_NODE_b_FWD 4us < 0",
                     "2 COMP_NODE_b_BWD_WG 6us < 1",
                     "3 COMM_COLL_NODE_b_ALLREDUCE 60 < 2",
                     "4 COMP_NODE_b_BWD_IG 5us < 2",
                     "5 COMP_NODE_a_BWD_WG 3us < 4",
                     "6 COMM_COLL_NODE_a_ALLREDUCE 30 < 5",
                     "7 COMP_NODE_a_FWD 1us < 6",
                     "8 COMP_NODE_b_FWD 4us < 3 7",
                     "9 COMP_NODE_b_BWD_WG 6us < 8",
                     "10 COMM_COLL_NODE_b_ALLREDUCE 60 < 9",
                     "11 COMP_NODE_b_BWD_IG 5us < 9",
                     "12 COMP_NODE_a_BWD_WG 3us < 11",
                     "13 COMM_COLL_NODE_a_ALLREDUCE 30 < 12"}));
}

TEST(TextConverterGraphTest, Model)
{
    EXPECT_EQ(Convert("MODEL 2 " + LAYERS, 2),
              (Lines{"0 COMP_NODE_a_FWD 1us",
                     "1 COMM_COLL_NODE_a_ALLGATHER 10 < 0",
                     "2 COMP_NODE_b_FWD 4us < 1",
                     "3 COMM_COLL_NODE_b_ALLGATHER 40 < 2",
                     "4 COMP_NODE_b_BWD_IG 5us < 3",
                     "5 COMM_COLL_NODE_b_REDUCESCATTER 50 < 4",
                     "6 COMP_NODE_b_BWD_WG 6us < 4",
                     "7 COMP_NODE_a_BWD_IG 2us < 5 6",
                     "8 COMP_NODE_a_BWD_WG 3us < 7",
                     "9 COMP_NODE_a_FWD 1us < 8",
                     "10 COMM_COLL_NODE_a_ALLGATHER 10 < 9",
                     "11 COMP_NODE_b_FWD 4us < 6 10",
                     "12 COMM_COLL_NODE_b_ALLGATHER 40 < 11",
                     "13 COMP_NODE_b_BWD_IG 5us < 12",
                     "14 COMM_COLL_NODE_b_REDUCESCATTER 50 < 13",
                     "15 COMP_NODE_b_BWD_WG 6us < 13",
                     "16 COMP_NODE_a_BWD_IG 2us < 14 15",
                     "17 COMP_NODE_a_BWD_WG 3us < 16"}));
}

TEST(TextConverterGraphTest, HybridsKeepCollectivesOfTypeNone)
{
    const std::string layers = "a -1 1 ALLGATHER 10 2 NONE 0 3 ALLREDUCE 30 9\n"
                               "b -1 4 NONE 0 5 REDUCESCATTER 50 6 ALLREDUCE 60 9\n";
    const Lines expected{"0 COMP_NODE_a_FWD 1us",
                         "1 COMM_COLL_NODE_a_ALLGATHER 10 < 0",
                         "2 COMP_NODE_b_FWD 4us < 1",
                         "3 COMM_COLL_NODE_b_NONE 0 < 2",
                         "4 COMP_NODE_b_BWD_IG 5us < 3",
                         "5 COMM_COLL_NODE_b_IG_COMM__REDUCESCATTER 50 < 4",
                         "6 COMP_NODE_b_BWD_WG 6us < 4",
                         "7 COMM_COLL_NODE_b_ALLREDUCE 60 < 6",
                         "8 COMP_NODE_a_BWD_IG 2us < 5 6",
                         "9 COMP_NODE_a_BWD_WG 3us < 8",
                         "10 COMM_COLL_NODE_a_ALLREDUCE 30 < 9",
                         "11 COMP_NODE_a_FWD 1us < 10"};
    Lines found = Convert("HYBRID_DATA_MODEL 2 " + layers, 2);
    EXPECT_EQ(found.size(), 22u);
    EXPECT_EQ(found[13], "13 COMP_NODE_b_FWD 4us < 7 12");
    found.resize(expected.size());
    EXPECT_EQ(found, expected);
    TextGraphOptions options;
    options.form = TextGraphOptions::Form::Converter;
    const auto graphs =
        MakeGraphs(ReadText("HYBRID_DATA_MODEL 2 " + layers), "R(2)_SW(2)", options);
    EXPECT_EQ(graphs->GetGraph(0).GetNode(1)->involvedDimensions, (std::vector<bool>{true, false}));
    EXPECT_EQ(graphs->GetGraph(0).GetNode(3)->involvedDimensions,
              (std::vector<bool>{false, false}));
    EXPECT_EQ(Convert("HYBRID_MODEL_DATA 2 " + layers, 1)[5],
              "5 COMM_COLL_NODE_b_REDUCESCATTER 50 < 4");
}

TEST(TextConverterGraphTest, Dlrm)
{
    EXPECT_EQ(Convert("HYBRID_DLRM 1 3 e -1 1 ALLTOALL 10 2 ALLTOALL 20 3 NONE 0 9\n" + LAYERS, 2),
              (Lines{"0 COMP_NODE_e_FWD 1us",
                     "1 COMM_COLL_NODE_e_ALLTOALL 10 < 0",
                     "2 COMP_NODE_a_FWD 1us < 0 1",
                     "3 COMP_NODE_b_FWD 4us < 2",
                     "4 COMP_NODE_b_BWD_WG 6us < 3",
                     "5 COMM_COLL_NODE_b_ALLREDUCE 60 < 4",
                     "6 COMP_NODE_b_BWD_IG 5us < 4",
                     "7 COMM_COLL_NODE_e_ALLTOALL 20 < 6",
                     "8 COMP_NODE_a_BWD_WG 3us < 6",
                     "9 COMM_COLL_NODE_a_ALLREDUCE 30 < 8",
                     "10 COMP_NODE_a_BWD_IG 2us < 8",
                     "11 COMP_NODE_e_BWD_WG 3us < 7 10",
                     "12 COMP_NODE_e_FWD 1us < 11",
                     "13 COMM_COLL_NODE_e_ALLTOALL 10 < 12",
                     "14 COMP_NODE_a_FWD 1us < 9 12 13",
                     "15 COMP_NODE_b_FWD 4us < 5 14",
                     "16 COMP_NODE_b_BWD_WG 6us < 15",
                     "17 COMM_COLL_NODE_b_ALLREDUCE 60 < 16",
                     "18 COMP_NODE_b_BWD_IG 5us < 16",
                     "19 COMM_COLL_NODE_e_ALLTOALL 20 < 18",
                     "20 COMP_NODE_a_BWD_WG 3us < 18",
                     "21 COMM_COLL_NODE_a_ALLREDUCE 30 < 20",
                     "22 COMP_NODE_a_BWD_IG 2us < 20",
                     "23 COMP_NODE_e_BWD_WG 3us < 19 22"}));
}

TEST(TextConverterGraphTest, TransformersThatRunAgain)
{
    EXPECT_EQ(
        Convert("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 checkpoints: 1 0 "
                "checkpoint_initiates: 1 1\n2\n" +
                    LAYERS,
                1),
        (Lines{"0 COMP_NODE_a_FWD 1us",
               "1 COMM_COLL_NODE_a_ALLGATHER 10 < 0",
               "2 COMP_NODE_b_FWD 4us < 1",
               "3 COMM_COLL_NODE_b_ALLGATHER 40 < 2",
               "4 COMP_NODE_a_REFWD 1us < 3",
               "5 COMM_COLL_NODE_a_ALLGATHER 10 < 4",
               "6 COMP_NODE_b_BWD_IG 5us < 5",
               "7 COMM_COLL_NODE_b_REDUCESCATTER 50 < 6",
               "8 COMP_NODE_b_BWD_WG 6us < 6",
               "9 COMM_COLL_NODE_b_ALLREDUCE 60 < 8",
               "10 COMP_NODE_a_BWD_IG 2us < 7 8",
               "11 COMM_COLL_NODE_a_REDUCESCATTER 20 < 10",
               "12 COMP_NODE_a_BWD_WG 3us < 10",
               "13 COMM_COLL_NODE_a_ALLREDUCE 30 < 12"}));
}

TEST(TextConverterGraphTest, Inference)
{
    EXPECT_EQ(Convert("DISTRIBUTED_INFERENCE 2 " + LAYERS, 2),
              (Lines{"0 COMP_NODE_a_FWD 1us",
                     "1 COMM_COLL_NODE_a_ALLGATHER 10 < 0",
                     "2 COMP_NODE_b_FWD 4us < 1",
                     "3 COMM_COLL_NODE_b_ALLGATHER 40 < 2",
                     "4 COMP_NODE_a_FWD 1us < 3",
                     "5 COMM_COLL_NODE_a_ALLGATHER 10 < 4",
                     "6 COMP_NODE_b_FWD 4us < 5",
                     "7 COMM_COLL_NODE_b_ALLGATHER 40 < 6"}));
}

TEST(TextConverterGraphTest, CountsOfAConvolutionalNetwork)
{
    std::string layers;
    for (int i = 0; i < 54; ++i)
    {
        layers += "l" + std::to_string(i) + " -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1\n";
    }
    TextGraphOptions options;
    options.form = TextGraphOptions::Form::Converter;
    options.passes = 2;
    const auto graphs = MakeGraphs(ReadText("DATA 54 " + layers), "R(2)", options);
    std::map<NodeKind, int> kinds;
    std::size_t nEdges = 0;
    for (uint32_t i = 0; i < graphs->GetGraph(0).GetNNodes(); ++i)
    {
        ++kinds[graphs->GetGraph(0).GetNode(i)->kind];
        nEdges += graphs->GetGraph(0).GetNDependencies(i);
    }
    EXPECT_EQ(kinds[NodeKind::Compute], 322);
    EXPECT_EQ(kinds[NodeKind::Collective], 108);
    EXPECT_EQ(nEdges, 482u);
}
