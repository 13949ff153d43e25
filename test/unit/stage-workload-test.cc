/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "list-scheduler.h"

#include "ns3/stage-workload.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3::mlcluster;

namespace
{

/// @param name name @param operations operations @param after steps it waits for @return a step
ProgramStep
Compute(const std::string& name, uint64_t operations, std::vector<uint32_t> after = {})
{
    ProgramStep step;
    step.name = name;
    step.operations = operations;
    step.dependencies = std::move(after);
    return step;
}

/// Operations of a unit: forward, gradients of inputs, gradients of weights.
struct Times
{
    uint64_t forward; ///< forward
    uint64_t input;   ///< gradients of inputs
    uint64_t weight;  ///< gradients of weights
};

/// @param name name @param times its operations @param parameters its parameters @return a unit
ModelUnit
MakeUnit(const std::string& name, const Times& times, uint64_t parameters = 0)
{
    ModelUnit unit;
    unit.name = name;
    unit.forward.steps = {Compute("F", times.forward)};
    unit.backward.steps = {Compute("dX", times.input), Compute("dW", times.weight)};
    unit.backward.steps[1].isWeightGradient = true;
    unit.parameters = parameters;
    return unit;
}

/// @param plan a plan @param times of a unit @param parameters of a unit @param nUnits per chunk
/// @return the workload of equal units, which fits together
ClusterWorkload
MakeEqual(const ParallelPlan& plan,
          const Times& times,
          uint64_t parameters = 0,
          uint32_t nUnits = 1)
{
    const auto programOf = [&](uint32_t stage, uint32_t) {
        StageProgram program;
        for (uint32_t chunk = 0; chunk < plan.chunks; ++chunk)
        {
            program.chunks.emplace_back();
            for (uint32_t i = 0; i < nUnits; ++i)
            {
                const uint32_t part = chunk * plan.pipeline + stage;
                program.chunks.back().push_back(
                    MakeUnit("u" + std::to_string(part * nUnits + i), times, parameters));
            }
        }
        program.boundaryBytes = 1000;
        program.optimizer.steps = {Compute("optimizer", 0)};
        return program;
    };
    auto workload = MakeStageWorkload(plan, programOf, false);
    Diagnostics diagnostics;
    workload.Check(diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), std::vector<std::string>{});
    return workload;
}

/// @param schedule name @param p stages @param m micro-batches @param v chunks @return such a plan
ParallelPlan
MakePlan(const std::string& schedule, uint32_t p, uint32_t m, uint32_t v = 1)
{
    ParallelPlan plan;
    plan.schedule = schedule;
    plan.pipeline = p;
    plan.microBatches = m;
    plan.chunks = v;
    return plan;
}

/// @param workload a workload @return its time where communication is free
uint64_t
GetTime(const ClusterWorkload& workload)
{
    return ListScheduler(workload, [](const ExecutionNode& node) { return node.operations; }).Run();
}

/// @param workload a workload @param rank a rank @param text part of a name @return the nodes that
/// have it, each as its name and, of a collective, type and bytes
std::vector<std::string>
Find(const ClusterWorkload& workload, uint32_t rank, const std::string& text)
{
    std::vector<std::string> found;
    const auto& graph = workload.GetGraph(rank);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const auto& node = *graph.GetNode(i);
        if (node.name.find(text) != std::string::npos)
        {
            found.push_back(node.name + (node.kind == NodeKind::Compute
                                             ? ""
                                             : " " + std::to_string(node.bytes)));
        }
    }
    return found;
}

using Names = std::vector<std::string>; ///< expected names

} // namespace

TEST(StageWorkloadTest, EqualStagesTakeTheTimeOfTheFormula)
{
    for (uint32_t p = 1; p <= 5; ++p)
    {
        for (uint32_t m = 1; m <= 11; ++m)
        {
            for (const char* name : {"gpipe", "1f1b"})
            {
                EXPECT_EQ(GetTime(MakeEqual(MakePlan(name, p, m), {100, 120, 97})),
                          (m + p - 1) * 317)
                    << name << " " << p << " " << m;
            }
            if (m >= p)
            {
                EXPECT_EQ(GetTime(MakeEqual(MakePlan("zero-bubble", p, m), {100, 100, 100})),
                          m * 300 + (p - 1) * 100)
                    << p << " " << m;
            }
        }
    }
    EXPECT_EQ(GetTime(MakeEqual(MakePlan("1f1b", 4, 8), {1, 1, 1})), 33u);
}

TEST(StageWorkloadTest, ChunksDivideTheBubble)
{
    for (uint32_t p = 2; p <= 4; ++p)
    {
        for (uint32_t m = p; m <= 3 * p; m += p)
        {
            for (uint32_t v = 2; v <= 3; ++v)
            {
                EXPECT_EQ(GetTime(MakeEqual(MakePlan("interleaved", p, m, v), {100, 120, 97})),
                          (m * v + p - 1) * 317)
                    << p << " " << m << " " << v;
            }
        }
    }
}

TEST(StageWorkloadTest, RanksOfAStageShareOneGraph)
{
    auto plan = MakePlan("1f1b", 8, 8);
    plan.tensor = 4;
    plan.context = 2;
    plan.data = 16;
    for (const char* order : {"tensor-context-data-pipeline", "pipeline-data-tensor-context"})
    {
        plan.rankOrder = order;
        const auto workload = MakeEqual(plan, {1, 1, 1}, 64);
        std::set<const ExecutionGraph*> graphs;
        for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
        {
            graphs.insert(&workload.GetGraph(rank));
        }
        EXPECT_EQ(workload.GetNRanks(), 1024u);
        EXPECT_EQ(graphs.size(), 8u);
    }
}

TEST(StageWorkloadTest, ZeroBubbleSplitsBackwardPasses)
{
    const auto workload = MakeEqual(MakePlan("zero-bubble", 2, 2), {1, 1, 1});
    EXPECT_EQ(Find(workload, 1, "mb"),
              (Names{"mb0 activation receive from stage 0 1000",
                     "mb0 u1 F",
                     "mb0 u1 dX",
                     "mb0 gradient send to stage 0 1000",
                     "mb1 activation receive from stage 0 1000",
                     "mb1 u1 F",
                     "mb1 u1 dX",
                     "mb1 gradient send to stage 0 1000",
                     "mb0 u1 dW",
                     "mb1 u1 dW"}));
}

TEST(StageWorkloadTest, BucketsStartWhenTheirGradientsAreReady)
{
    auto plan = MakePlan("1f1b", 1, 2);
    plan.data = 2;
    plan.bucketBytes = 600;
    plan.gradientBytes = 4;
    const auto workload = MakeEqual(plan, {10, 10, 10}, 100, 4);
    EXPECT_EQ(Find(workload, 0, "gradients"),
              (Names{"mb1 u2 data gradients 0 all-reduce 600",
                     "mb1 u1 data gradients 1 all-reduce 600",
                     "data gradients 2 all-reduce 400"}));
    ListScheduler scheduler(workload, [](const ExecutionNode& n) { return n.operations; });
    EXPECT_EQ(scheduler.Run(), 240u);
    std::vector<uint64_t> ends;
    for (uint32_t i = 0; i < workload.GetGraph(0).GetNNodes(); ++i)
    {
        if (workload.GetGraph(0).GetNode(i)->name.find("gradients") != std::string::npos)
        {
            ends.push_back(scheduler.GetEnd(0, i));
        }
    }
    EXPECT_EQ(ends, (std::vector<uint64_t>{200, 220, 240}));
    plan.overlapGradients = false;
    EXPECT_EQ(Find(MakeEqual(plan, {10, 10, 10}, 100, 4), 0, "gradients"),
              (Names{"data gradients 0 all-reduce 600",
                     "data gradients 1 all-reduce 600",
                     "data gradients 2 all-reduce 400"}));
    plan.bucketBytes = 0;
    EXPECT_EQ(Find(MakeEqual(plan, {10, 10, 10}, 100, 4), 0, "gradients"),
              (Names{"data gradients 0 all-reduce 1600"}));
}

TEST(StageWorkloadTest, ZeroStagesShardWhatTheySay)
{
    auto plan = MakePlan("1f1b", 1, 2);
    plan.data = 3;
    plan.bucketBytes = 600;
    plan.zeroStage = 1;
    EXPECT_EQ(Find(MakeEqual(plan, {1, 1, 1}, 100, 2), 0, "data "),
              (Names{"mb1 u0 data gradients 0 reduce-scatter 600",
                     "data gradients 1 reduce-scatter 200",
                     "data parameters 0 all-gather 100",
                     "data parameters 1 all-gather 34"}));
    plan.zeroStage = 2;
    EXPECT_EQ(Find(MakeEqual(plan, {1, 1, 1}, 100, 2), 0, "data "),
              (Names{"mb0 u0 data gradients 0 reduce-scatter 600",
                     "mb0 data gradients 1 reduce-scatter 200",
                     "mb1 u0 data gradients 2 reduce-scatter 600",
                     "mb1 data gradients 3 reduce-scatter 200",
                     "data parameters 0 all-gather 100",
                     "data parameters 1 all-gather 34"}));
    plan.zeroStage = 3;
    plan.microBatches = 1;
    EXPECT_EQ(Find(MakeEqual(plan, {1, 1, 1}, 100, 2), 0, "data "),
              (Names{"mb0 u0 data parameters all-gather 68",
                     "mb0 u1 data parameters all-gather 68",
                     "mb0 u1 data parameters all-gather 68",
                     "mb0 u1 data gradients 0 reduce-scatter 400",
                     "mb0 u0 data parameters all-gather 68",
                     "mb0 u0 data gradients 1 reduce-scatter 400"}));
    plan.reshardAfterForward = false;
    EXPECT_EQ(Find(MakeEqual(plan, {1, 1, 1}, 100, 2), 0, "data parameters").size(), 2u);
    plan.overlapGradients = false;
    EXPECT_EQ(Find(MakeEqual(plan, {1, 1, 1}, 100, 2), 0, "gradients"),
              (Names{"mb0 data gradients 0 reduce-scatter 800"}));
}

TEST(StageWorkloadTest, PrefetchedUnitsAreGatheredDuringTheOnesBefore)
{
    for (uint32_t prefetch = 0; prefetch <= 3; ++prefetch)
    {
        auto plan = MakePlan("1f1b", 1, 2);
        plan.data = 2;
        plan.zeroStage = 3;
        plan.prefetch = prefetch;
        const auto workload = MakeEqual(plan, {10, 10, 10}, 100, 3);
        ListScheduler scheduler(workload, [](const ExecutionNode& n) { return n.operations; });
        EXPECT_EQ(scheduler.Run(), 2u * 3 * 30);
        const std::vector<uint64_t> useEnds{10, 20, 30, 50, 70, 90, 100, 110, 120, 140, 160, 180};
        std::vector<uint64_t> ends;
        for (uint32_t i = 0; i < workload.GetGraph(0).GetNNodes(); ++i)
        {
            if (workload.GetGraph(0).GetNode(i)->name.find("parameters") != std::string::npos)
            {
                ends.push_back(scheduler.GetEnd(0, i));
            }
        }
        ASSERT_EQ(ends.size(), useEnds.size());
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            EXPECT_EQ(ends[i], i > prefetch ? useEnds[i - 1 - prefetch] : 0) << i << prefetch;
        }
    }
}
