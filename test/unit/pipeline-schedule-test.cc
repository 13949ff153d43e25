/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/pipeline-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

using namespace ns3::mlcluster;

namespace
{

/// @param name schedule @param p stages @param m micro-batches @param v chunks @return such a plan
ParallelPlan
MakePlan(const std::string& name, uint32_t p, uint32_t m, uint32_t v = 1)
{
    ParallelPlan plan;
    plan.schedule = name;
    plan.pipeline = p;
    plan.microBatches = m;
    plan.chunks = v;
    return plan;
}

/// @param plan a plan @param stage a stage @return its passes, such as "F0 F1 B0 B1"; chunks, if
/// there are several, behind a point
std::string
Write(const ParallelPlan& plan, uint32_t stage)
{
    std::string text;
    for (const auto& pass : PipelineSchedule(plan).GetPasses(stage))
    {
        text += (text.empty() ? "" : " ") + std::string(1, "FBXW"[static_cast<int>(pass.kind)]) +
                std::to_string(pass.microBatch);
        text += plan.chunks > 1 ? "." + std::to_string(pass.chunk) : "";
    }
    return text;
}

/// Duration of a pass over one chunk by kind: forward, backward, input gradient, weight gradient.
using Durations = std::array<uint64_t, 4>;

/**
 * When a pipeline ends in which each stage does its passes in order, one at a time, and each pass
 * waits for the one next to it in the model.
 * @param plan a plan
 * @param durations of passes
 * @return the end of the last pass; 0 if stages wait for each other for ever
 */
uint64_t
GetEnd(const ParallelPlan& plan, const Durations& durations)
{
    const PipelineSchedule schedule(plan);
    const uint32_t p = plan.pipeline;
    const uint32_t nParts = p * plan.chunks;
    std::map<std::tuple<bool, uint32_t, uint32_t>, uint64_t> ends;
    std::vector<std::vector<PipelinePass>> passes;
    for (uint32_t stage = 0; stage < p; ++stage)
    {
        passes.push_back(schedule.GetPasses(stage));
    }
    std::vector<std::size_t> done(p, 0);
    std::vector<uint64_t> freeAt(p, 0);
    const auto advance = [&](uint32_t stage) {
        const PipelinePass& pass = passes[stage][done[stage]];
        const uint32_t part = pass.chunk * p + stage;
        uint64_t ready = freeAt[stage];
        const bool isForward = pass.kind == PassKind::Forward;
        const bool isFirst = isForward ? part == 0 : pass.kind == PassKind::WeightGradient;
        if (!isFirst)
        {
            const bool isTurn = !isForward && part + 1 == nParts;
            const auto before = ends.find({isForward || isTurn,
                                           isTurn      ? part
                                           : isForward ? part - 1
                                                       : part + 1,
                                           pass.microBatch});
            if (before == ends.end())
            {
                return false;
            }
            ready = std::max(ready, before->second);
        }
        freeAt[stage] = ready + durations[static_cast<std::size_t>(pass.kind)];
        if (pass.kind != PassKind::WeightGradient)
        {
            ends[{isForward, part, pass.microBatch}] = freeAt[stage];
        }
        ++done[stage];
        return true;
    };
    bool hasAdvanced = true;
    while (hasAdvanced)
    {
        hasAdvanced = false;
        for (uint32_t stage = 0; stage < p; ++stage)
        {
            while (done[stage] < passes[stage].size() && advance(stage))
            {
                hasAdvanced = true;
            }
        }
    }
    for (uint32_t stage = 0; stage < p; ++stage)
    {
        if (done[stage] < passes[stage].size())
        {
            return 0;
        }
    }
    return *std::max_element(freeAt.begin(), freeAt.end());
}

} // namespace

TEST(PipelineScheduleTest, OrdersAreThoseOfThePapers)
{
    EXPECT_EQ(Write(MakePlan("gpipe", 2, 3), 0), "F0 F1 F2 B2 B1 B0");
    EXPECT_EQ(Write(MakePlan("1f1b", 4, 5), 0), "F0 F1 F2 F3 B0 F4 B1 B2 B3 B4");
    EXPECT_EQ(Write(MakePlan("1f1b", 4, 5), 2), "F0 F1 B0 F2 B1 F3 B2 F4 B3 B4");
    EXPECT_EQ(Write(MakePlan("1f1b", 4, 5), 3), "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4");
    EXPECT_EQ(Write(MakePlan("1f1b", 4, 2), 0), "F0 F1 B0 B1");
    EXPECT_EQ(Write(MakePlan("interleaved", 2, 4, 2), 0),
              "F0.0 F1.0 F0.1 F1.1 F2.0 B0.1 F3.0 B1.1 F2.1 B0.0 F3.1 B1.0 B2.1 B3.1 B2.0 B3.0");
    EXPECT_EQ(Write(MakePlan("interleaved", 2, 4, 2), 1),
              "F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0");
    EXPECT_EQ(Write(MakePlan("interleaved", 3, 4, 1), 1), Write(MakePlan("1f1b", 3, 4), 1));
    EXPECT_EQ(Write(MakePlan("zero-bubble", 3, 3), 0), "F0 F1 F2 X0 W0 X1 W1 X2 W2");
    EXPECT_EQ(Write(MakePlan("zero-bubble", 3, 4), 2), "F0 X0 F1 X1 F2 X2 W0 F3 X3 W1 W2 W3");
    EXPECT_EQ(Write(MakePlan("zero-bubble", 4, 1), 3), "F0 X0 W0");
}

TEST(PipelineScheduleTest, EqualStagesTakeTheTimeOfTheFormula)
{
    for (uint32_t p = 1; p <= 8; ++p)
    {
        for (uint32_t m = 1; m <= 24; ++m)
        {
            for (const char* name : {"gpipe", "1f1b", "interleaved"})
            {
                EXPECT_EQ(GetEnd(MakePlan(name, p, m), {100, 217, 0, 0}), (m + p - 1) * 317)
                    << name << " " << p << " " << m;
            }
        }
    }
    EXPECT_EQ(GetEnd(MakePlan("1f1b", 4, 8), {1, 2, 0, 0}), 33u);
}

TEST(PipelineScheduleTest, ChunksDivideTheBubble)
{
    for (uint32_t p = 2; p <= 8; ++p)
    {
        for (uint32_t m = p; m <= 4 * p; m += p)
        {
            for (uint32_t v = 2; v <= 4; ++v)
            {
                EXPECT_EQ(GetEnd(MakePlan("interleaved", p, m, v), {100, 200, 0, 0}),
                          (m * v + p - 1) * 300)
                    << p << " " << m << " " << v;
            }
        }
    }
}

TEST(PipelineScheduleTest, WeightGradientsFillTheBubble)
{
    for (uint32_t p = 1; p <= 8; ++p)
    {
        for (uint32_t m = p; m <= 24; ++m)
        {
            EXPECT_EQ(GetEnd(MakePlan("zero-bubble", p, m), {100, 0, 100, 100}),
                      m * 300 + (p - 1) * 100)
                << p << " " << m;
        }
    }
}

TEST(PipelineScheduleTest, EveryPassComesOnceAfterItsForwardPass)
{
    for (const char* name : {"gpipe", "1f1b", "interleaved", "zero-bubble"})
    {
        const bool isSplit = std::string(name) == "zero-bubble";
        const auto plan = MakePlan(name, 3, 6, std::string(name) == "interleaved" ? 3 : 1);
        for (uint32_t stage = 0; stage < plan.pipeline; ++stage)
        {
            std::map<std::pair<uint32_t, uint32_t>, std::string> seen;
            for (const auto& pass : PipelineSchedule(plan).GetPasses(stage))
            {
                seen[{pass.microBatch, pass.chunk}] += "FBXW"[static_cast<int>(pass.kind)];
            }
            EXPECT_EQ(seen.size(), plan.microBatches * plan.chunks);
            for (const auto& [key, text] : seen)
            {
                EXPECT_EQ(text, isSplit ? "FXW" : "FB");
            }
        }
    }
}

TEST(PipelineScheduleTest, RefusesWhatDoesNotFit)
{
    const auto error = [](const ParallelPlan& plan) {
        return ErrorOf([&] { const PipelineSchedule schedule(plan); });
    };
    EXPECT_EQ(error(MakePlan("1f1", 2, 2)),
              "\"1f1\" is no pipeline schedule, did you mean 1f1b?; allowed are gpipe, 1f1b, "
              "interleaved, zero-bubble");
    EXPECT_EQ(error(MakePlan("1f1b", 0, 2)),
              "a pipeline of 0 stages, 2 micro-batches and 1 chunks a stage: each must be at least "
              "1, and micro-batches x chunks at most 1048576");
    EXPECT_NE(error(MakePlan("1f1b", 1, 0)), "");
    EXPECT_NE(error(MakePlan("1f1b", 1, 2, 0)), "");
    EXPECT_NE(error(MakePlan("1f1b", 1, 1 << 21)), "");
    EXPECT_EQ(error(MakePlan("gpipe", 2, 4, 2)),
              "2 chunks a stage with the schedule gpipe and 2 stages; only interleaved, with at "
              "least 2 stages, has more than one");
    EXPECT_NE(error(MakePlan("interleaved", 1, 4, 2)), "");
    EXPECT_EQ(error(MakePlan("interleaved", 4, 6, 2)),
              "6 micro-batches; interleaved needs a multiple of the 4 stages");
}
