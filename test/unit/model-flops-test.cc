/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-source.h"
#include "transformer-cases.h"

#include "ns3/model-flops.h"
#include "ns3/pipeline-schedule.h"
#include "ns3/transformer-costs.h"

#include <gtest/gtest.h>
using namespace ns3::mlcluster;

namespace
{

/// @param model a model @param plan how it is trained @return operations of the products of
/// matrices in the programs of all ranks and micro-batches of a step
double
SumProducts(const TransformerModel& model, const ParallelPlan& plan)
{
    const TransformerCosts costs(model, plan);
    Amount sum;
    for (uint32_t position = 0; position < plan.expert; ++position)
    {
        for (uint32_t layer = 0; layer < model.layers; ++layer)
        {
            sum += CountProducts(costs.GetForward(layer, position));
            sum += CountProducts(costs.GetBackward(layer, position));
        }
        sum += CountProducts(costs.GetHeadForward());
        sum += CountProducts(costs.GetHeadBackward());
    }
    const uint64_t stageRanks = uint64_t{plan.tensor} * plan.context * plan.data;
    return (sum * stageRanks / plan.expert * plan.microBatches).GetReal();
}

} // namespace

TEST(ModelFlops, OfAGptFollowThePublishedFormula)
{
    ParallelPlan plan;
    plan.tensor = 8;
    plan.data = 16;
    plan.microBatches = 96;
    const double model = ModelFlops(MakeGpt3(), plan).GetModel();
    EXPECT_NEAR(model / 1e18, 3.38620, 0.000005);
    const double h = 12288;
    const double s = 2048;
    const double l = 96;
    const double v = 51200;
    const double b = 1536;
    EXPECT_DOUBLE_EQ(model, 72 * b * s * l * h * h * (1 + s / (6 * h) + v / (12 * l * h)));
    EXPECT_DOUBLE_EQ(ModelFlops(MakeGpt3(), plan).GetHardware(), model);
    plan.recompute = "full";
    const double hardware = ModelFlops(MakeGpt3(), plan).GetHardware();
    EXPECT_NEAR(hardware / 1e18, 4.51097, 0.000005);
    EXPECT_DOUBLE_EQ(hardware, 96 * b * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h)));
    EXPECT_DOUBLE_EQ(ModelFlops(MakeGpt3(), plan).GetModel(), model);
    EXPECT_DOUBLE_EQ(ModelFlops(MakeGpt3(), plan).GetTokens(), b * s);
    EXPECT_DOUBLE_EQ(ModelFlops(MakeGpt3(), plan).GetModelPerToken(), model / (b * s));
}

TEST(ModelFlops, GiveThePublishedUtilization)
{
    TransformerModel model = MakeGpt3();
    ParallelPlan plan;
    plan.tensor = 8;
    plan.pipeline = 8;
    plan.microBatches = 64;
    plan.sequenceParallel = true;
    plan.recompute = "selective";
    const ModelFlops flops(model, plan);
    EXPECT_NEAR(flops.GetModelUtilization(13.75, 312e12), 0.514, 0.0005);
    const double core = 2048.0 / (6 * 12288);
    const double logits = 51200.0 / (12.0 * 96 * 12288);
    EXPECT_DOUBLE_EQ(flops.GetHardwareUtilization(13.75, 312e12),
                     flops.GetModelUtilization(13.75, 312e12) * (1 + core * 4 / 3 + logits) /
                         (1 + core + logits));
    model.layers = 128;
    model.hiddenSize = 25600;
    model.heads = 160;
    plan.pipeline = 64;
    plan.microBatches = 512;
    const ModelFlops trillion(model, plan);
    EXPECT_NEAR(trillion.GetModelUtilization(71.49, 312e12), 0.563, 0.0005);
}

TEST(ModelFlops, AreWhatAllRanksDoTogether)
{
    PlanSource source;
    for (uint32_t i = 0; i < 200; ++i)
    {
        const auto [model, plan] = source.Draw();
        const double hardware = ModelFlops(model, plan).GetHardware();
        EXPECT_EQ(SumProducts(model, plan), hardware)
            << "t " << plan.tensor << " c " << plan.context << " " << plan.contextScheme << " D "
            << plan.data << " e " << plan.expert << " t_e " << plan.expertTensor << " "
            << plan.recompute;
        const bool isPlain =
            plan.recompute == "none" && !model.flashAttention && plan.capacityFactor == 0;
        EXPECT_EQ(ModelFlops(model, plan).GetModel() == hardware, isPlain);
    }
}

TEST(ModelFlops, LeaveOutTokensThatExpertsHaveNoRoomFor)
{
    const TransformerModel model = MakeSmallExperts();
    ParallelPlan plan;
    const double all = ModelFlops(model, plan).GetModel();
    TransformerModel half = model;
    half.topExperts = 1;
    const ModelFlops expected(half, plan);
    plan.capacityFactor = 2;
    EXPECT_EQ(ModelFlops(model, plan).GetModel(), all);
    EXPECT_GT(ModelFlops(model, plan).GetHardware(), all);
    plan.capacityFactor = 0.5;
    EXPECT_EQ(ModelFlops(model, plan).GetModel(), expected.GetModel());
    EXPECT_EQ(ModelFlops(model, plan).GetHardware(), expected.GetHardware());
}

TEST(ModelFlops, CountWhatAFusedCausalCoreSkips)
{
    TransformerModel model = MakeSmall();
    const double plain = ModelFlops(model, {}).GetModel();
    model.flashAttention = true;
    EXPECT_EQ(ModelFlops(model, {}).GetModel(), plain);
    model.causal = true;
    const double core = 8.0 * 4 * 128 * 128 * 256;
    EXPECT_EQ(ModelFlops(model, {}).GetModel(), plain - 3 * core / 2);
    EXPECT_EQ(ModelFlops(model, {}).GetHardware(), plain - 3 * core / 2 + core / 4);
}
