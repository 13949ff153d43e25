/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "list-scheduler.h"
#include "plan-cases.h"

#include "ns3/idle-settings.h"
#include "ns3/memory-footprint.h"
#include "ns3/model-flops.h"
#include "ns3/plan-traffic.h"
#include "ns3/transformer-generator.h"

#include <functional>
#include <gtest/gtest.h>
#include <set>

using namespace ns3::mlcluster;

namespace
{

/// @param name of a node @param end a text @return whether it ends so
bool
EndsWith(const std::string& name, const std::string& end)
{
    return name.size() >= end.size() &&
           name.compare(name.size() - end.size(), end.size(), end) == 0;
}

/// @param name of a compute node @return whether it is a product of matrices
bool
IsProduct(std::string name)
{
    for (const char* suffix : {" dX", " dW", " backward"})
    {
        const auto at = name.find(suffix);
        name = at == std::string::npos ? name : name.substr(0, at);
    }
    name = name.substr(0, name.find(" of block"));
    for (const char* product : {"qkv",
                                "projection",
                                "ffn-up",
                                "ffn-down",
                                "logits",
                                " scores",
                                " context",
                                "flash attention",
                                "router",
                                "expert-up",
                                "expert-down"})
    {
        if (EndsWith(name, product))
        {
            return true;
        }
    }
    return false;
}

/// @param workload a workload @return its distinct graphs with the number of their ranks
std::map<const ExecutionGraph*, uint32_t>
CountGraphs(const ClusterWorkload& workload)
{
    std::map<const ExecutionGraph*, uint32_t> graphs;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        ++graphs[&workload.GetGraph(rank)];
    }
    return graphs;
}

/// @return a GPT whose layers divide in many ways
TransformerModel
MakeModel()
{
    TransformerModel model;
    model.layers = 8;
    model.hiddenSize = 64;
    model.heads = 8;
    model.vocabulary = 512;
    model.sequenceLength = 64;
    return model;
}

/// @param workload a workload @param rank a rank @param text part of a name @return the node
ExecutionNode
FindNode(const ClusterWorkload& workload, uint32_t rank, const std::string& text)
{
    const auto& graph = workload.GetGraph(rank);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        if (graph.GetNode(i)->name.find(text) != std::string::npos)
        {
            return *graph.GetNode(i);
        }
    }
    throw InputError("no node " + text);
}

/// What is communicated, by family and operation.
using Traffic = std::map<std::pair<std::string, std::string>, uint64_t>;

/// @param workload a workload @param rank a rank @param isCount whether to count nodes instead of
/// bytes @return what its graph communicates
Traffic
CountTraffic(const ClusterWorkload& workload, uint32_t rank, bool isCount)
{
    Traffic traffic;
    const auto& graph = workload.GetGraph(rank);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const auto& node = *graph.GetNode(i);
        if (node.kind == NodeKind::Collective || node.kind == NodeKind::Send)
        {
            const std::string operation =
                node.kind == NodeKind::Send ? "send" : ToString(node.collective);
            traffic[{node.group, operation}] += isCount ? 1 : node.bytes;
        }
    }
    return traffic;
}

} // namespace

TEST(TransformerGeneratorTest, RandomPlansFitTogetherAndDoTheModelsOperations)
{
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i)
    {
        const PlanCase drawn = DrawPlanCase(random);
        SCOPED_TRACE(drawn.Describe());
        const auto workload = TransformerGenerator(drawn.model, drawn.plan).Generate();
        Diagnostics diagnostics;
        workload.Check(diagnostics);
        EXPECT_EQ(diagnostics.GetErrors(), std::vector<std::string>{});
        const auto graphs = CountGraphs(workload);
        EXPECT_EQ(graphs.size(),
                  drawn.plan.pipeline * (drawn.plan.expertSkew > 0 ? drawn.plan.expert : 1));
        double operations = 0;
        for (const auto& [graph, nRanks] : graphs)
        {
            for (uint32_t k = 0; k < graph->GetNNodes(); ++k)
            {
                const auto& node = *graph->GetNode(k);
                const bool isShared =
                    !drawn.plan.sequenceParallel && node.name.find("router") != std::string::npos;
                const double copies = isShared ? drawn.plan.tensor : 1;
                operations += IsProduct(node.name) ? node.operations / copies * nRanks : 0;
                EXPECT_EQ(node.stream, -1);
            }
        }
        EXPECT_DOUBLE_EQ(operations, ModelFlops(drawn.model, drawn.plan).GetHardware());
        EXPECT_GT(
            ListScheduler(workload, [](const ExecutionNode& n) { return n.operations; }).Run(),
            0u);
    }
}

TEST(TransformerGeneratorTest, RandomPlansCommunicateWhatTheFormulasSay)
{
    std::mt19937 random(2);
    for (int i = 0; i < 200; ++i)
    {
        const PlanCase drawn = DrawPlanCase(random);
        SCOPED_TRACE(drawn.Describe());
        const RankShape shape(drawn.model, drawn.plan);
        const auto workload = TransformerGenerator(drawn.model, drawn.plan).Generate();
        for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
        {
            const auto at = shape.layout.GetCoordinates(rank);
            Traffic expected;
            const PlanTraffic formulas(shape, at.pipeline, at.expert);
            for (const auto& term : formulas.GetTerms())
            {
                expected[{term.family, term.operation}] += term.bytes;
            }
            Traffic counted = CountTraffic(workload, rank, false);
            for (const auto& [key, number] : CountTraffic(workload, rank, true))
            {
                const bool isPadded = key.second == "all-gather" && key.first != "tensor";
                const uint64_t padding = isPadded ? number * drawn.plan.elementBytes : 0;
                EXPECT_GE(counted[key], expected[key]) << key.first << " " << key.second;
                EXPECT_LE(counted[key] - expected[key], padding) << key.first << " " << key.second;
                counted[key] = expected[key];
            }
            EXPECT_EQ(counted, expected);
        }
    }
}

TEST(TransformerGeneratorTest, EqualStagesTakeTheTimeOfTheFormula)
{
    // only one product of a layer takes time, so that embedding and head do not
    const auto durationOf = [](const ExecutionNode& node) -> uint64_t {
        return EndsWith(node.name, " qkv")      ? 100
               : EndsWith(node.name, " qkv dX") ? 120
               : EndsWith(node.name, " qkv dW") ? 97
                                                : 0;
    };
    ParallelPlan plan;
    plan.tensor = 2;
    plan.sequenceParallel = true;
    plan.pipeline = 4;
    plan.microBatches = 8;
    for (const char* schedule : {"gpipe", "1f1b", "interleaved"})
    {
        plan.schedule = schedule;
        plan.chunks = plan.schedule == "interleaved" ? 2 : 1;
        const auto workload = TransformerGenerator(MakeModel(), plan).Generate();
        // two layers a stage: (m + (p - 1) / v) (t_f + t_b)
        EXPECT_EQ(ListScheduler(workload, durationOf).Run(), (8 * 2 + 3 * 2 / plan.chunks) * 317);
    }
    plan.schedule = "zero-bubble";
    plan.chunks = 1;
    const auto workload = TransformerGenerator(MakeModel(), plan).Generate();
    const auto isProduct = [&](const ExecutionNode& n) { return durationOf(n) > 0 ? 100 : 0; };
    EXPECT_EQ(ListScheduler(workload, isProduct).Run(), 8 * 2 * 300 + 3 * 2 * 100);
}

TEST(TransformerGeneratorTest, ThousandRanksOfEightStagesHoldEightGraphs)
{
    ParallelPlan plan;
    plan.tensor = 4;
    plan.context = 2;
    plan.data = 16;
    plan.pipeline = 8;
    plan.microBatches = 8;
    plan.rankOrder = "context-pipeline-tensor-data";
    const auto workload = TransformerGenerator(MakeModel(), plan).Generate();
    EXPECT_EQ(workload.GetNRanks(), 1024u);
    EXPECT_EQ(CountGraphs(workload).size(), 8u);
}

TEST(TransformerGeneratorTest, TellsOfSettingsWithoutEffect)
{
    ParallelPlan plan;
    EXPECT_EQ(TransformerGenerator(MakeModel(), plan).GetWarnings(), std::vector<std::string>{});
    plan.prefetch = 2;
    EXPECT_EQ(TransformerGenerator(MakeModel(), plan).GetWarnings(),
              std::vector<std::string>{"prefetch: has no effect with a zero-stage below 3, which "
                                       "gathers no layers"});
}

TEST(TransformerGeneratorTest, IdleSettingsChangeNeitherGraphsNorMemory)
{
    // one copy of the model is all ranks
    const auto count = [](const ClusterWorkload& workload, uint32_t rank) {
        Traffic traffic;
        for (const bool isCount : {false, true})
        {
            for (const auto& [key, number] : CountTraffic(workload, rank, isCount))
            {
                const std::string family = key.first == "model" ? "" : key.first;
                traffic[{family + (isCount ? " number" : ""), key.second}] += number;
            }
        }
        return traffic;
    };
    std::mt19937 random(4);
    uint32_t nIdle = 0;
    for (int i = 0; i < 100; ++i)
    {
        const PlanCase drawn = DrawPlanCase(random);
        SCOPED_TRACE(drawn.Describe());
        TransformerModel model = drawn.model;
        ParallelPlan plan = drawn.plan;
        const ParallelPlan defaults;
        for (const auto& setting : FindIdleSettings(model, plan))
        {
            const std::map<std::string, std::function<void()>> resets{
                {"causal", [&] { model.causal = false; }},
                {"expertInterval", [&] { model.expertInterval = 1; }},
                {"expertTensor", [&] { plan.expertTensor = 0; }},
                {"expertSkew", [&] { plan.expertSkew = 0; }},
                {"sequenceParallel", [&] { plan.sequenceParallel = false; }},
                {"contextScheme", [&] { plan.contextScheme = defaults.contextScheme; }},
                {"rankOrder", [&] { plan.rankOrder = defaults.rankOrder; }},
                {"zeroStage", [&] { plan.zeroStage = 0; }},
                {"bucketBytes", [&] { plan.bucketBytes = defaults.bucketBytes; }},
                {"overlapGradients", [&] { plan.overlapGradients = true; }},
                {"prefetch", [&] { plan.prefetch = defaults.prefetch; }},
                {"reshardAfterForward", [&] { plan.reshardAfterForward = true; }}};
            resets.at(setting.member)();
            ++nIdle;
        }
        EXPECT_TRUE(FindIdleSettings(model, plan).empty());
        const auto given = TransformerGenerator(drawn.model, drawn.plan).Generate();
        const auto reset = TransformerGenerator(model, plan).Generate();
        for (uint32_t rank = 0; rank < given.GetNRanks(); ++rank)
        {
            EXPECT_EQ(count(given, rank), count(reset, rank));
            EXPECT_EQ(given.GetGraph(rank).GetNNodes(), reset.GetGraph(rank).GetNNodes());
        }
        EXPECT_EQ(MemoryFootprint(drawn.model, drawn.plan, 0).GetTotal(),
                  MemoryFootprint(model, plan, 0).GetTotal());
        const auto durationOf = [](const ExecutionNode& n) { return n.operations + n.bytes; };
        EXPECT_EQ(ListScheduler(given, durationOf).Run(), ListScheduler(reset, durationOf).Run());
    }
    EXPECT_GT(nIdle, 50U);
}

TEST(TransformerGeneratorTest, NodesTellWhatTheyAre)
{
    ParallelPlan plan;
    plan.tensor = 2;
    plan.data = 2;
    plan.pipeline = 2;
    plan.microBatches = 4;
    plan.sequenceParallel = true;
    plan.recompute = "full";
    plan.stageLayers = {5, 3};
    const auto workload = TransformerGenerator(MakeModel(), plan).Generate();
    const auto& node = FindNode(workload, 7, "mb3 layer 5 recompute qkv");
    EXPECT_EQ(node.name, "mb3 layer 5 recompute qkv all-gather");
    EXPECT_EQ(node.repetition, 3);
    EXPECT_EQ(workload.ResolveGroup(7, node.group), "tensor.3");
    EXPECT_EQ(FindNode(workload, 0, "mb0 layer 4 qkv dW").kind, NodeKind::Compute);
    EXPECT_EQ(FindNode(workload, 0, "mb1 activation send to stage 1").bytes, 2u * 64 * 64 / 2);
    EXPECT_EQ(FindNode(workload, 7, "loss all-reduce").bytes, 4u);
    EXPECT_EQ(ErrorOf([&] { FindNode(workload, 0, "loss"); }), "no node loss");
}

TEST(TransformerGeneratorTest, GradientsMeetOnceAfterAllMicroBatches)
{
    ParallelPlan plan;
    plan.tensor = 2;
    plan.data = 2;
    plan.pipeline = 2;
    plan.sequenceParallel = true;
    plan.bucketBytes = 0;
    for (const uint32_t zero : {0, 1, 2, 3})
    {
        plan.zeroStage = zero;
        const uint32_t n = zero >= 2 ? 2 : 1;
        const auto workload = TransformerGenerator(MakeModel(), plan).Generate();
        EXPECT_EQ(FindNode(workload, 0, "embedding gradients").bytes, 4u * 512 * 64 / 2 / n);
        EXPECT_EQ(FindNode(workload, 0, "replicated gradients").bytes, 4u * 4 * 6 * 64 / n);
        EXPECT_EQ(FindNode(workload, 0, "gradient norm all-reduce").group,
                  zero == 0 ? "model" : "");
    }
}

TEST(TransformerGeneratorTest, RefusesWhatDoesNotFit)
{
    const auto error = [](const ParallelPlan& plan) {
        return ErrorOf([&] { TransformerGenerator(MakeModel(), plan).Generate(); });
    };
    ParallelPlan plan;
    plan.tensor = 3;
    plan.zeroStage = 4;
    EXPECT_NE(error(plan).find("tensor: 3"), std::string::npos) << error(plan);
    EXPECT_NE(error(plan).find("zeroStage: 4"), std::string::npos);
    plan = {};
    plan.data = 2;
    plan.bucketBytes = 1;
    EXPECT_EQ(error(plan),
              "buckets of 1 bytes would cut the gradients of 436864 parameters of a rank in more "
              "than 65536 parts");
    plan.bucketBytes = 0;
    plan.microBatches = 1 << 20;
    EXPECT_EQ(error(plan),
              "the graphs of a step would have more than 33554432 nodes; fewer micro-batches are "
              "allowed, here they are 1048576");
}
