/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "temporary-folder.h"
#include "text-cases.h"

#include "ns3/libra-communicators-file.h"

using namespace ns3::mlcluster;

namespace
{

using Errors = std::vector<std::string>; ///< expected texts
using Numbers = std::vector<uint64_t>;   ///< expected numbers
using Type = CollectiveType;             ///< collectives
using Suffix = TextPass::Suffix;         ///< groups of SimAI
using TextWorkloadTest = FolderTest;     ///< tests with files

/// A header of SimAI with all keys.
const std::string SIMAI = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 2 pp: 2 "
                          "vpp: 1 ga: 3 all_gpus: 16 checkpoints: 1 0 checkpoint_initiates: 1 1 "
                          "pp_comm: 64\n2\n";

/// @param text a text @param from a part of it @param to what stands for it @return the new text
std::string
With(const std::string& text, const std::string& from, const std::string& to)
{
    return Replace(text, from, to);
}

} // namespace

TEST(TextWorkloadReaderTest, ReadsTokenByToken)
{
    const auto workload = ReadText("DATA  \t\r\n2 \r\nconv1 -1 5 NONE 0\r\n 6 NONE 0 7\tALLREDUCE\n"
                                   "1048576 8 fc 0 1 ALLGATHER 2 3 ALLTOALL 4 5 REDUCESCATTER 6 7");
    EXPECT_EQ(workload.dialect, TextDialect::AstraSim);
    EXPECT_EQ(workload.policy, TextPolicy::Data);
    ASSERT_EQ(workload.layers.size(), 2u);
    const TextLayer& first = workload.layers[0];
    EXPECT_EQ(first.name, "conv1");
    EXPECT_EQ(first.forward.cycles, 5);
    EXPECT_EQ(first.forward.type, std::nullopt);
    EXPECT_EQ(first.inputGradient.cycles, 6);
    EXPECT_EQ(first.weightGradient.cycles, 7);
    EXPECT_EQ(first.weightGradient.type, Type::AllReduce);
    EXPECT_EQ(first.weightGradient.bytes, 1048576u);
    EXPECT_EQ(first.updateCycles, 8);
    const TextLayer& second = workload.layers[1];
    EXPECT_EQ(second.forward.type, Type::AllGather);
    EXPECT_EQ(second.inputGradient.type, Type::AllToAll);
    EXPECT_EQ(second.weightGradient.type, Type::ReduceScatter);
    EXPECT_EQ(second.weightGradient.bytes, 6u);
    EXPECT_EQ(second.updateCycles, 7);
}

TEST(TextWorkloadReaderTest, ReadsAllPolicies)
{
    const std::string layer = " 1 x -1 1 NONE 0 1 NONE 0 1 NONE 0 1";
    for (const std::string& word : GetTextPolicyWords())
    {
        std::string header = word;
        header +=
            word.find("TRANSFORMER") == std::string::npos ? "" : " model_parallel_NPU_group: 4";
        header += word.find("FWD_IN") == std::string::npos
                      ? ""
                      : " checkpoints: 0 checkpoint_initiates: 0";
        header += word.find("DLRM") == std::string::npos ? "" : " 0";
        const std::string own = word == "HYBRID_CUSTOMIZED" ? " HYBRID_MODEL_DATA" : "";
        const auto workload = ReadText(header + layer + own);
        EXPECT_EQ(ToString(workload.policy), word);
        EXPECT_EQ(workload.layers.size(), 1u);
        EXPECT_EQ(workload.layers[0].policy,
                  own.empty() ? TextPolicy::Data : TextPolicy::HybridModelData);
    }
}

TEST(TextWorkloadReaderTest, ReadsCheckpointsAndBottomLayer)
{
    std::string layers;
    for (int i = 0; i < 5; ++i)
    {
        layers += "x -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
    }
    const auto transformer =
        ReadText("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 16 "
                 "checkpoints: 2 0 3 checkpoint_initiates: 2 4 2\n5\n" +
                 layers);
    EXPECT_EQ(transformer.modelGroup, 16u);
    EXPECT_EQ(transformer.checkpoints, (Numbers{0, 3}));
    EXPECT_EQ(transformer.recomputations, (Numbers{4, 2}));
    EXPECT_EQ(FindRecomputationStart(transformer, 4), 3u);
    EXPECT_EQ(FindRecomputationStart(transformer, 3), std::nullopt);
    EXPECT_EQ(FindRecomputationStart(transformer, 2), 0u);
    EXPECT_EQ(ReadText("HYBRID_DLRM_ENHANCED 4 5 " + layers).lastBottomLayer, 4u);
}

TEST(TextWorkloadReaderTest, ReadsSimAi)
{
    const std::string layers = "a -1 1 ALLREDUCE 2 3 ALLTOALL_EP 4 5 ALLGATHER_DP_EP 6 7\n"
                               "b -1 1 BROADCAST 2 3 NONE 0 5 REDUCESCATTER 6 7\n";
    const auto workload = ReadText(SIMAI + layers);
    EXPECT_EQ(workload.dialect, TextDialect::SimAi);
    EXPECT_EQ((Numbers{workload.modelGroup,
                       workload.expertGroup,
                       workload.pipeline,
                       workload.virtualStages,
                       workload.microBatches,
                       workload.ranks,
                       workload.pipelineBytes}),
              (Numbers{2, 2, 2, 1, 3, 16, 64}));
    EXPECT_EQ(workload.layers[0].forward.suffix, Suffix::None);
    EXPECT_EQ(workload.layers[0].inputGradient.type, Type::AllToAll);
    EXPECT_EQ(workload.layers[0].inputGradient.suffix, Suffix::Expert);
    EXPECT_EQ(workload.layers[0].weightGradient.suffix, Suffix::ExpertData);
    EXPECT_EQ(workload.layers[1].forward.type, std::nullopt);
    const auto reordered = ReadText(
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD pp_comm: 64 checkpoint_initiates: 1 1 all_gpus: 16 "
        "ga: 3 vpp: 1 pp 2 ep: 2 checkpoints: 1 0 model_parallel_NPU_group: 2 2 " +
        layers);
    EXPECT_EQ(FormatTextWorkload(reordered), FormatTextWorkload(workload));
    const auto dlrm = ReadText("HYBRID_DLRM DLRM_LAST_BOTTOM_LAYER: 1\n2\n" + layers);
    EXPECT_EQ(dlrm.lastBottomLayer, 1u);
}

TEST(TextWorkloadReaderTest, ReadsLibra)
{
    const auto workload = ReadText("Q1 -1 937.5 none 0 2e3 AllReduce 8 3 ALLGATHER 9 10\n"
                                   "K1 -1 1 NONE 0 2 NONE 0 3 NONE 0 0");
    EXPECT_EQ(workload.dialect, TextDialect::Libra);
    EXPECT_EQ(workload.policy, TextPolicy::WithoutOverlap);
    ASSERT_EQ(workload.layers.size(), 2u);
    EXPECT_EQ(workload.layers[0].forward.cycles, 937.5);
    EXPECT_EQ(workload.layers[0].inputGradient.cycles, 2000);
    EXPECT_EQ(workload.layers[0].inputGradient.type, Type::AllReduce);
}

TEST(TextWorkloadReaderTest, WhatIsWrittenReadsAsTheSame)
{
    RandomTextWorkload random(1);
    for (const std::string& word : GetTextPolicyWords())
    {
        for (int i = 0; i < 20; ++i)
        {
            const std::string text = FormatTextWorkload(random.Make(*ParseTextPolicy(word)));
            EXPECT_EQ(FormatTextWorkload(ReadText(text, TextDialect::AstraSim)), text);
        }
    }
    TextWorkload libra = random.Make(TextPolicy::WithoutOverlap);
    libra.dialect = TextDialect::Libra;
    libra.layers[0].forward.cycles = 0.0001;
    libra.layers[0].updateCycles = 9007199254740992;
    const std::string text = FormatTextWorkload(libra);
    EXPECT_EQ(FormatTextWorkload(ReadText(text)), text);
    const std::string simAi = SIMAI + "a -1 1 ALLREDUCE 2 3 ALLTOALL_EP 4 5 ALLGATHER_DP_EP 6 7\n"
                                      "b -1 1 NONE 2 3 NONE 0 5 REDUCESCATTER 6 7\n";
    EXPECT_EQ(FormatTextWorkload(ReadText(simAi)), simAi);
}

TEST(TextWorkloadReaderTest, DialectIsFoundWhereThatIsSafe)
{
    const std::string gather = "x -1 1 NONE 0 1 NONE 0 1 ALLGATHER 8 1\n";
    const std::string reduce = "x -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1\n";
    const std::string header = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 "
                               "checkpoints: 0 checkpoint_initiates: 0\n1\n";
    EXPECT_EQ(ReadText(header + reduce).dialect, TextDialect::AstraSim);
    EXPECT_EQ(ReadText(header + gather, TextDialect::SimAi).dialect, TextDialect::SimAi);
    EXPECT_EQ(ReadText(header + gather, TextDialect::AstraSim).dialect, TextDialect::AstraSim);
    EXPECT_EQ(ReadText("MICRO 1 " + gather).dialect, TextDialect::AstraSim);
    const Errors doubt{
        "w.txt: this may be a file of ASTRA-sim, where ALLGATHER counts the shard of "
        "one rank, or of AICB for SimAI, where it counts the whole; state the "
        "dialect: astra-sim or simai"};
    EXPECT_EQ(GetTextErrors(header + gather), doubt);
    EXPECT_EQ(GetTextErrors("MICRO 1 micro_test" + gather.substr(1)), doubt);
    EXPECT_EQ(
        ReadText("MICRO 2 micro_test" + gather.substr(1) + "x -1 1 BROADCAST 0 1 NONE 0 1 NONE 0 1")
            .dialect,
        TextDialect::SimAi);
}

TEST(TextWorkloadReaderTest, WrongWordsAreToldWithLineAndLayer)
{
    EXPECT_EQ(GetTextErrors("HYBRID_DLMR 1\n1\nx -1 1 NONE 0 1 NONE 0 1 NONE 0 1"),
              (Errors{"w.txt:1: policy: \"HYBRID_DLMR\" is no policy, did you mean HYBRID_DLRM?; "
                      "allowed are " +
                      JoinWords(GetTextPolicyWords())}));
    const std::string collectives =
        "allowed are NONE, ALLREDUCE, ALLTOALL, ALLGATHER, REDUCESCATTER";
    EXPECT_EQ(
        GetTextErrors("DATA\n4\na -1 1 NONE 0 1 NONE 0 1 ALLREDUC 0 1\n"
                      "b -1 1.5 NONE 0 1 NONE 0 1 ALLREDUCE 0 1\n"
                      "c - 1 NONE 0 1 NONE 0 1 ALLREDUCE 0 1\n"
                      "d -1 1 NONE 0 1 ALLREDUCEALLTOALL 0 1 ALLREDUCE -5 1\n"),
        (Errors{
            "w.txt:3: layer 0 \"a\" WG_C: \"ALLREDUC\" is no collective, did you mean "
            "ALLREDUCE?; " +
                collectives,
            "w.txt:4: layer 1 \"b\" FWD_T: '1.5' is no whole number; allowed are digits without "
            "sign, leading zero or unit, for example 4",
            "w.txt:5: layer 2 \"c\" reserved: '' is no whole number; allowed are digits without "
            "sign, leading zero or unit, for example 4",
            "w.txt:6: layer 3 \"d\" IG_C: \"ALLREDUCEALLTOALL\" is no collective; " +
                collectives}));
    EXPECT_EQ(
        GetTextErrors("HYBRID_CUSTOMIZED\n1\na -1 1 NONE 0 1 NONE 0 1 NONE 0 1 MICRO"),
        (Errors{"w.txt:3: layer 0 \"a\" policy: \"MICRO\" is no policy of a layer; allowed are "
                "DATA, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA"}));
    EXPECT_EQ(
        GetTextErrors("a -1 -1 NONE 0 1 NONE 0 1 NONE 0 1\nb -1 x NONE 0 1 NONE 0 1 NONE 0 1"),
        (Errors{"w.txt:1: layer 0 \"a\" FWD_T: '-1' is no time; allowed are numbers from 0 to "
                "2^53 (cycles)",
                "w.txt:2: layer 1 \"b\" FWD_T: 'x' is no number; allowed are numbers without "
                "unit, for example 1.5 or 1.2e14"}));
}

TEST(TextWorkloadReaderTest, LayersTooShortOrTooManyAreTold)
{
    const std::string layer = "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
    EXPECT_EQ(GetTextErrors("DATA\n2\na -1 1 NONE 0 1 NONE 0 1 NONE 0\n" + layer),
              (Errors{"w.txt:4: layer 0 \"a\" UPD_T: 'a' is no whole number; allowed are digits "
                      "without sign, leading zero or unit, for example 4"}));
    EXPECT_EQ(
        GetTextErrors("DATA\n839\n" + layer + layer),
        (Errors{"w.txt:4: number of layers: is stated as 839, but the file ends after 2; it is "
                "cut off, or must state 2"}));
    EXPECT_EQ(GetTextErrors("DATA\n1\n" + layer + layer),
              (Errors{"w.txt:4: number of layers: is stated as 1, but more follows: \"a\""}));
    EXPECT_EQ(GetTextErrors("DATA\n1\na -1 1 NONE"),
              (Errors{"w.txt:3: layer 0 \"a\" FWD_S: is missing: the file ends here"}));
    EXPECT_EQ(GetTextErrors("DATA\n0\n"),
              (Errors{"w.txt: layers: there is none; at least one is needed"}));
    EXPECT_EQ(GetTextErrors("DATA"),
              (Errors{"w.txt:1: number of layers: is missing: the file ends here"}));
    EXPECT_EQ(GetTextErrors(""), (Errors{"w.txt:1: policy: is missing: the file ends here"}));
    EXPECT_EQ(
        GetTextErrors("DATA x 1 " + layer),
        (Errors{"w.txt:1: number of layers: 'x' is no whole number; allowed are digits without "
                "sign, leading zero or unit, for example 4"}));
}

TEST(TextWorkloadReaderTest, HeaderKeysAreChecked)
{
    const std::string layers =
        "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\nb -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
    const std::string text = SIMAI + layers;
    const std::string policy = "HYBRID_TRANSFORMER_FWD_IN_BCKWD";
    EXPECT_EQ(GetTextErrors(text), Errors{});
    EXPECT_EQ(
        GetTextErrors(With(text, "all_gpus", "all_gpu")),
        (Errors{"w.txt:1: header: \"all_gpu\" is no key of the header of " + policy +
                ", did you mean all_gpus?; allowed are model_parallel_NPU_group, checkpoints, "
                "checkpoint_initiates, ep, pp, vpp, ga, all_gpus, pp_comm"}));
    EXPECT_EQ(GetTextErrors(With(text, "model_parallel_NPU_group: 2 ", "")),
              (Errors{"w.txt:1: header: " + policy + " lacks model_parallel_NPU_group:"}));
    EXPECT_EQ(GetTextErrors(With(text, "ga: 3", "ep: 3")),
              (Errors{"w.txt:1: header: ep is given twice"}));
    EXPECT_EQ(
        GetTextErrors(With(text, "ga: 3", "ga: all_gpus: 16")),
        (Errors{"w.txt:1: ga: 'all_gpus:' is no whole number; allowed are digits without sign, "
                "leading zero or unit, for example 4"}));
    EXPECT_EQ(
        GetTextErrors(With(text, "pp_comm: 64", "")),
        (Errors{"w.txt: header: pp is 2 and pp_comm is 0; pp_comm, the bytes between stages, is "
                "above 0 if pp is above 1, and else 0 or left out"}));
    EXPECT_EQ(
        GetTextErrors(With(text, "pp: 2", "pp: 1")),
        (Errors{"w.txt: header: pp is 1 and pp_comm is 64; pp_comm, the bytes between stages, "
                "is above 0 if pp is above 1, and else 0 or left out"}));
    EXPECT_EQ(
        GetTextErrors(With(text, "ep: 2", "ep: 0")),
        (Errors{"w.txt: header: model_parallel_NPU_group, ep, pp and ga are whole numbers from "
                "1; given are 2, 0, 2, 3"}));
    EXPECT_EQ(
        GetTextErrors("HYBRID_TRANSFORMER model_parallel_NPU_group: 1 checkpoints: 0\n2\n" +
                      layers),
        (Errors{"w.txt:1: header: \"checkpoints\" is no key of the header of HYBRID_TRANSFORMER; "
                "allowed are model_parallel_NPU_group"}));
}

TEST(TextWorkloadReaderTest, LayersNamedMustFit)
{
    const std::string layers =
        "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\nb -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n"
        "c -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n";
    EXPECT_EQ(GetTextErrors("HYBRID_DLRM 3\n3\n" + layers),
              (Errors{"w.txt: last bottom layer: 3 is no layer; allowed are 0 to 2"}));
    const auto recompute = [&](const std::string& lists) {
        return GetTextErrors("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 " +
                             lists + "\n3\n" + layers);
    };
    const auto refusal = [](const std::string& layer, const std::string& checkpoints) {
        return "w.txt: checkpoint_initiates: layer " + layer +
               " cannot run others again: it must be one of the 3 layers, no checkpoint itself, "
               "and "
               "above one of the checkpoints " +
               checkpoints + " with no other initiating layer between";
    };
    EXPECT_EQ(recompute("checkpoints: 1 0 checkpoint_initiates: 1 2"), Errors{});
    EXPECT_EQ(recompute("checkpoints: 1 0 checkpoint_initiates: 1 3"), (Errors{refusal("3", "0")}));
    EXPECT_EQ(recompute("checkpoints: 1 1 checkpoint_initiates: 1 0"), (Errors{refusal("0", "1")}));
    EXPECT_EQ(recompute("checkpoints: 2 0 1 checkpoint_initiates: 1 1"),
              (Errors{refusal("1", "0, 1")}));
    EXPECT_EQ(recompute("checkpoints: 1 0 checkpoint_initiates: 2 2 1"),
              (Errors{refusal("2", "0")}));
}

TEST(TextWorkloadReaderTest, SimAiTakesACombinedCollectiveForAllReduce)
{
    Diagnostics diagnostics;
    const auto workload =
        TextWorkloadReader("MICRO 2 a -1 1 NONE 0 1 NONE 0 1 ALLREDUCEALLTOALL 8 1 "
                           "b -1 1 NONE 0 1 NONE 0 1 ALLREDUCEALLTOALL_EP 8 1",
                           "w.txt",
                           TextDialect::SimAi,
                           diagnostics)
            .Read();
    EXPECT_EQ(diagnostics.GetErrors(), Errors{});
    EXPECT_EQ(workload.layers[1].weightGradient.type, Type::AllReduce);
}

TEST(TextWorkloadReaderTest, WhatIsNoTextIsRefused)
{
    const std::string refusal =
        " has a control character or a word above 1000 characters; allowed is "
        "a text of words between blanks";
    EXPECT_EQ(GetTextErrors(std::string("DATA\n1\0", 7)), (Errors{"w.txt: line 2" + refusal}));
    EXPECT_EQ(GetTextErrors("DATA " + std::string(1001, 'x')), (Errors{"w.txt: line 1" + refusal}));
}

TEST_F(TextWorkloadTest, ReadsFiles)
{
    Diagnostics diagnostics;
    const auto path = Write("w.txt", "MICRO 1 a -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1");
    EXPECT_EQ(ReadTextWorkload(path, std::nullopt, diagnostics).layers.size(), 1u);
    EXPECT_FALSE(diagnostics.HasErrors());
    ReadTextWorkload(Path("missing.txt"), std::nullopt, diagnostics);
    EXPECT_TRUE(diagnostics.HasErrors());
}

TEST_F(TextWorkloadTest, ReadsCommunicatorsOfLibra)
{
    Diagnostics diagnostics;
    const auto read = [&](const std::string& text) {
        return ReadLibraCommunicators(Write("c.yml", text), diagnostics);
    };
    const auto communicators = read("# GPT-3\nForward: [ 4, 4, -1 ]\nInputGrad: [ 4, 2, -1 ]\n"
                                    "WeightGrad: [ -1, 2, 32 ]\n");
    EXPECT_EQ(diagnostics.GetErrors(), Errors{});
    EXPECT_EQ(communicators.forward, (std::vector<uint32_t>{4, 4, 1}));
    EXPECT_EQ(communicators.inputGradient, (std::vector<uint32_t>{4, 2, 1}));
    EXPECT_EQ(communicators.weightGradient, (std::vector<uint32_t>{1, 2, 32}));
    read("Forward: [ 0 ]\nInputGrad: [ 1.5 ]\n");
    const std::string needed = "members of a group in each dimension, whole numbers from 1, or -1 "
                               "where it takes no part";
    EXPECT_EQ(diagnostics.GetErrors(),
              (Errors{Path("c.yml") + ":1: Forward: 0 is given; needed are " + needed,
                      Path("c.yml") + ":2: InputGrad: 1.5 is given; needed are " + needed,
                      Path("c.yml") + ": WeightGrad: is missing; needed is a list: " + needed}));
}

TEST(TextWorkloadReaderTest, DamagedFilesEndInErrors)
{
    const std::string text = SIMAI + "a -1 1 ALLREDUCE 2 3 ALLTOALL_EP 4 5 ALLGATHER_DP_EP 6 7\n"
                                     "b -1 1 BROADCAST 2 3 NONE 0 5 REDUCESCATTER 6 7\n";
    std::mt19937 random(3);
    for (int i = 0; i < 3000; ++i)
    {
        std::string damaged = text;
        for (uint32_t n = random() % 4; n > 0; --n)
        {
            const std::size_t at = random() % damaged.size();
            const std::size_t length = random() % 30;
            const std::size_t from = random() % text.size();
            damaged.replace(at, length, text.substr(from, random() % 30));
        }
        Diagnostics diagnostics;
        std::shared_ptr<const ClusterWorkload> graphs;
        diagnostics.Collect({"w.txt", 0, ""}, [&] {
            const auto workload =
                TextWorkloadReader(damaged, "w.txt", std::nullopt, diagnostics).Read();
            graphs = diagnostics.HasErrors()
                         ? nullptr
                         : MakeTextWorkload(workload, MakeTopology("R(2)_SW(8)"), {}, diagnostics);
        });
        EXPECT_EQ(diagnostics.HasErrors(), !graphs) << damaged;
        if (graphs)
        {
            graphs->Check(diagnostics);
            EXPECT_EQ(diagnostics.GetErrors(), Errors{}) << damaged;
        }
    }
}
