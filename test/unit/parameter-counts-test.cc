/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-cases.h"

#include "ns3/model-presets.h"
#include "ns3/parameter-counts.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

/// @param amount a number @return it
uint64_t
Get(Amount amount)
{
    return amount.Get("number");
}

} // namespace

TEST(ParameterCounts, AreThoseOfGpt3)
{
    ParallelPlan plan;
    plan.tensor = 8;
    const RankShape whole(MakeGpt3(), {});
    const RankShape part(MakeGpt3(), plan);
    EXPECT_EQ(Get(ParameterCounts::OfLayer(whole, 0).GetTotal()), 1812099072U);
    EXPECT_EQ(Get(ParameterCounts::OfLayer(part, 0).GetTotal()), 226576896U);
    EXPECT_EQ(Get(ParameterCounts::OfLayer(part, 0).replicated), 6U * 12288);
    EXPECT_EQ(ParameterCounts::OfModel(MakeGpt3()), 174615846912U);
}

TEST(ParameterCounts, AreThoseOfASmallModel)
{
    ParallelPlan plan;
    plan.tensor = 4;
    EXPECT_EQ(Get(ParameterCounts::OfLayer({MakeSmall(), {}}, 0).GetTotal()), 789760U);
    EXPECT_EQ(Get(ParameterCounts::OfLayer({MakeSmall(), plan}, 0).GetTotal()), 198592U);
}

TEST(ParameterCounts, OfALlamaHaveNoBiases)
{
    const TransformerModel model = MakeSmallLlama();
    const uint64_t h = 256;
    const uint64_t u = 128;
    const uint64_t layer = 2 * h * h + 2 * h * u + 3 * h * 640 + 2 * h;
    EXPECT_EQ(Get(ParameterCounts::OfLayer({model, {}}, 0).GetTotal()), layer);
    EXPECT_EQ(ParameterCounts::OfModel(model), 8 * layer + 2 * 1024 * h + h);
}

TEST(ParameterCounts, OfExpertsAreDividedByTheirGroups)
{
    const TransformerModel model = MakeSmallExperts();
    const uint64_t h = 256;
    const uint64_t attention = 2 * h * h + 2 * h * 128;
    ParallelPlan plan;
    plan.tensor = 2;
    plan.data = 4;
    plan.expert = 4;
    const auto counts = ParameterCounts::OfLayer({model, plan}, 2);
    EXPECT_EQ(Get(counts.experts), 8U / 4 * 3 * h * 320 / 2);
    EXPECT_EQ(Get(counts.divided), (attention + 3 * h * 64) / 2);
    EXPECT_EQ(Get(counts.replicated), 2 * h + h * 8);
    const auto dense = ParameterCounts::OfLayer({model, plan}, 1);
    EXPECT_EQ(Get(dense.experts), 0U);
    EXPECT_EQ(Get(dense.divided), (attention + 3 * h * 640) / 2);
    plan.expertTensor = 1;
    plan.sequenceParallel = true;
    EXPECT_EQ(Get(ParameterCounts::OfLayer({model, plan}, 2).experts), 8U / 4 * 3 * h * 320);
    const uint64_t unused = 4 * (8 - 2) * 3 * h * 320;
    EXPECT_EQ(ParameterCounts::OfModel(model) - ParameterCounts::OfToken(model), unused);
    EXPECT_EQ(ParameterCounts::OfModel(MakeGpt3()), ParameterCounts::OfToken(MakeGpt3()));
}

TEST(ParameterCounts, OfStagesAddUpToTheModel)
{
    for (const auto& model : {MakeSmall(), MakeSmallLlama(), MakeSmallExperts()})
    {
        ParallelPlan plan;
        plan.pipeline = 3;
        plan.chunks = 2;
        plan.microBatches = 3;
        plan.schedule = "interleaved";
        const RankShape shape(model, plan);
        Amount sum;
        for (uint32_t stage = 0; stage < 3; ++stage)
        {
            sum += ParameterCounts::OfStage(shape, stage).GetTotal();
        }
        const uint64_t copy = model.IsTied() ? 1024 * 256 : 0;
        EXPECT_EQ(Get(sum), ParameterCounts::OfModel(model) + copy);
    }
}

TEST(ParameterCounts, FollowTheLayersOfStages)
{
    ParallelPlan plan;
    plan.pipeline = 3;
    const auto even = plan.GetLayersOfStage(8, 2);
    ASSERT_EQ(even.size(), 1U);
    EXPECT_EQ(even[0].first, 6U);
    EXPECT_EQ(even[0].end, 8U);
    plan.chunks = 2;
    plan.stageLayers = {1, 2, 1, 1, 1, 2};
    const auto chunks = plan.GetLayersOfStage(8, 1);
    ASSERT_EQ(chunks.size(), 2U);
    EXPECT_EQ(chunks[0].first, 1U);
    EXPECT_EQ(chunks[0].end, 3U);
    EXPECT_EQ(chunks[1].first, 5U);
    EXPECT_EQ(chunks[1].end, 6U);
}
