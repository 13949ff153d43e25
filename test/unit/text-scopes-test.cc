/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-cases.h"

using namespace ns3::mlcluster;

namespace
{

using Errors = std::vector<std::string>; ///< expected texts
using Names = std::vector<std::string>;  ///< expected names
using Mask = std::vector<bool>;          ///< dimensions
using Form = TextGraphOptions::Form;     ///< whose order of things

} // namespace

TEST(TextScopesTest, LibraTakesPartsOfADimension)
{
    auto workload = ReadText("a -1 1 ALLREDUCE 8 2 ALLGATHER 16 3 ALLREDUCE 32 9");
    TextGraphOptions options;
    options.communicators = {{2, 4, 1}, {1, 4, 1}, {1, 2, 3}};
    const auto graphs = MakeGraphs(workload, "R(2)_FC(8)_SW(3)", options);
    const auto& graph = graphs->GetGraph(0);
    EXPECT_EQ(
        GetNames(graph),
        (Names{"a FWD", "a FWD ALLREDUCE", "a IG", "a IG ALLGATHER", "a WG", "a WG ALLREDUCE"}));
    EXPECT_EQ(graph.GetNode(1)->group, "forward");
    EXPECT_EQ(graphs->GetGroup("forward.0"), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(graphs->GetGroup(graphs->ResolveGroup(9, "forward")),
              (std::vector<uint32_t>{8, 9, 10, 11, 12, 13, 14, 15}));
    EXPECT_EQ(graphs->GetGroup(graphs->ResolveGroup(3, "input-gradient")),
              (std::vector<uint32_t>{1, 3, 5, 7}));
    EXPECT_EQ(graphs->GetGroup(graphs->ResolveGroup(3, "weight-gradient")),
              (std::vector<uint32_t>{3, 11, 19, 27, 35, 43}));
    options.communicators = {{2, 1, 3}, {1, 1, 1}, {2, 8, 3}};
    const auto whole = MakeGraphs(workload, "R(2)_FC(8)_SW(3)", options);
    EXPECT_EQ(whole->GetGraph(0).GetNNodes(), 5u);
    EXPECT_EQ(whole->GetGraph(0).GetNode(1)->involvedDimensions, (Mask{true, false, true}));
    EXPECT_EQ(whole->GetGraph(0).GetNode(4)->involvedDimensions, Mask{});
    EXPECT_TRUE(whole->GetGroups().empty());
    options.communicators = {};
    EXPECT_EQ(
        GetGraphErrors(workload, "R(2)", options),
        (Errors{"w.txt: graphs: a workload of LIBRA needs communicators, the members of a group "
                "in each of the 1 dimensions for each pass; given are 0"}));
    options.communicators = {{3}, {1}, {1}};
    EXPECT_EQ(GetGraphErrors(workload, "R(4)", options),
              (Errors{"w.txt: graphs: 3 members of dimension 0 do not divide its size, 4"}));
}

TEST(TextScopesTest, PoliciesTakeTheirDimensions)
{
    const auto masks = [](const std::string& header, const std::string& notation) {
        const auto graphs = MakeGraphs(ReadText(header + LAYER), notation);
        std::vector<Mask> found;
        for (uint32_t i = 0; i < graphs->GetGraph(0).GetNNodes(); ++i)
        {
            const ExecutionNode& node = *graphs->GetGraph(0).GetNode(i);
            if (node.kind == NodeKind::Collective)
            {
                EXPECT_EQ(node.group, "");
                found.push_back(node.involvedDimensions);
            }
        }
        return found;
    };
    const Mask first{true, false, false};
    const Mask others{false, true, true};
    const std::string transformer = "HYBRID_TRANSFORMER model_parallel_NPU_group: ";
    const std::string notation = "R(2)_FC(4)_SW(3)";
    EXPECT_EQ(masks("DATA 1 ", notation), (std::vector<Mask>{{}}));
    EXPECT_EQ(masks("MODEL 1 ", notation), (std::vector<Mask>{{}}));
    EXPECT_EQ(masks("HYBRID_DATA_MODEL 1 ", notation), (std::vector<Mask>{first, others}));
    EXPECT_EQ(masks("HYBRID_MODEL_DATA 1 ", notation), (std::vector<Mask>{others, first}));
    EXPECT_EQ(masks("HYBRID_DATA_MODEL 1 ", "R(2)"), (std::vector<Mask>{{}}));
    EXPECT_EQ(masks(transformer + "1 1 ", notation), (std::vector<Mask>{{}}));
    EXPECT_EQ(masks(transformer + "24 1 ", notation), (std::vector<Mask>{{}, {}}));
    EXPECT_EQ(masks(transformer + "8 1 ", notation),
              (std::vector<Mask>{{true, true, false}, {true, true, false}, {false, false, true}}));
    EXPECT_EQ(masks("DISTRIBUTED_INFERENCE 1 ", notation), (std::vector<Mask>{{}}));
    EXPECT_EQ(masks("MICRO 1 ", notation), (std::vector<Mask>{{}}));
}

TEST(TextScopesTest, TransformersSplitADimension)
{
    const auto graphs =
        MakeGraphs(ReadText("HYBRID_TRANSFORMER model_parallel_NPU_group: 4 1 " + LAYER),
                   "R(2)_FC(4)");
    const auto& graph = graphs->GetGraph(0);
    EXPECT_EQ(graph.GetNode(1)->group, "tensor");
    EXPECT_EQ(graphs->GetGroup("tensor.1"), (std::vector<uint32_t>{4, 5, 6, 7}));
    EXPECT_EQ(graphs->GetGroup("data.1"), (std::vector<uint32_t>{1, 5}));
    EXPECT_EQ(graphs->ResolveGroup(5, "data"), "data.1");
    EXPECT_EQ(&graph, &graphs->GetGraph(7));
    const std::string refusal = "w.txt: graphs: the topology has 8 ranks; a model-parallel group "
                                "(model_parallel_NPU_group) has 3, an expert group (ep) 1, the "
                                "pipeline (pp) 1 stages, whose product must divide the ranks";
    EXPECT_EQ(GetGraphErrors(ReadText("HYBRID_TRANSFORMER model_parallel_NPU_group: 3 1 " + LAYER),
                             "R(2)_FC(4)"),
              (Errors{refusal}));
}

TEST(TextScopesTest, SimAiHasGroupsShardsAndAPipeline)
{
    const auto workload = ReadText(
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 3 vpp: 1 ga: 2 "
        "all_gpus: 24 checkpoints: 0 checkpoint_initiates: 0 pp_comm: 64\n1\n"
        "a -1 1 ALLGATHER 9 2 ALLTOALL_EP 16 3 ALLGATHER_DP_EP 1 0");
    const auto graphs = MakeGraphs(workload, "R(8)_SW(3)");
    EXPECT_EQ(GetNames(graphs->GetGraph(0)),
              (Names{"a FWD",
                     "a FWD ALLGATHER",
                     "activations 0",
                     "activations 1",
                     "a IG",
                     "a IG ALLTOALL",
                     "a WG",
                     "a WG ALLGATHER",
                     "gradients 0",
                     "gradients 1"}));
    EXPECT_EQ(graphs->GetGraph(8).GetNNodes(), 14u);
    EXPECT_EQ(&graphs->GetGraph(0), &graphs->GetGraph(7));
    EXPECT_NE(&graphs->GetGraph(8), &graphs->GetGraph(16));
    EXPECT_EQ(graphs->GetGraph(0).GetNode(1)->bytes, 5u);
    EXPECT_EQ(graphs->GetGraph(0).GetNode(7)->bytes, 1u);
    EXPECT_EQ(graphs->GetGroup(graphs->ResolveGroup(9, "tensor")), (std::vector<uint32_t>{8, 9}));
    EXPECT_EQ(graphs->GetGroup(graphs->ResolveGroup(9, "expert")), (std::vector<uint32_t>{9, 11}));
    EXPECT_EQ(graphs->GetGroup(graphs->ResolveGroup(9, "expert-data")),
              (std::vector<uint32_t>{9, 13}));
    const ExecutionNode send = *graphs->GetGraph(0).GetNode(2);
    EXPECT_EQ(send.kind, NodeKind::Send);
    EXPECT_EQ(send.bytes, 64u);
    EXPECT_EQ(graphs->GetPeer(3, send), 11u);
    EXPECT_EQ(graphs->GetPeer(19, *graphs->GetGraph(19).GetNode(8)), 11u);
    TextGraphOptions options;
    options.form = Form::Converter;
    EXPECT_EQ(GetGraphErrors(workload, "R(8)_SW(3)", options),
              (Errors{"w.txt: graphs: pp is 3; the converter's graph knows no pipeline, allowed is "
                      "the loop's"}));
    EXPECT_EQ(GetGraphErrors(workload, "R(8)_SW(6)").size(), 1u);
    Diagnostics diagnostics;
    MakeTextWorkload(workload, MakeTopology("R(8)_SW(3)"), {}, diagnostics);
    EXPECT_EQ(
        diagnostics.GetWarnings(),
        (Errors{"w.txt: pp: the file does not say when its 3 stages exchange what: all stages "
                "run their layers at once and exchange after each half of a pass, so pipeline "
                "bubbles are left out"}));
}

TEST(TextScopesTest, DataGroupsOfAPipelineStayInTheirStage)
{
    const auto graphs = MakeGraphs(
        ReadText("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 pp: 2 ga: 1 "
                 "checkpoints: 0 checkpoint_initiates: 0 pp_comm: 8\n1\n" +
                 LAYER),
        "SW(8)");
    EXPECT_EQ(graphs->GetGroup(graphs->ResolveGroup(5, "data")), (std::vector<uint32_t>{5, 7}));
}
