/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-cases.h"

#include "ns3/transformer-costs.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

/// @param program a program @param name of its only step of that name @return its operations
uint64_t
GetOperations(const LayerProgram& program, const std::string& name)
{
    const auto steps = FindSteps(program, name);
    EXPECT_EQ(steps.size(), 1U) << name;
    return steps.empty() ? 0 : steps.front().operations;
}

/// @param program a program @param name of its only step of that name @return bytes it moves or
/// sends
uint64_t
GetBytes(const LayerProgram& program, const std::string& name)
{
    const auto steps = FindSteps(program, name);
    EXPECT_EQ(steps.size(), 1U) << name;
    return steps.empty() ? 0 : steps.front().bytes + steps.front().tensorBytes;
}

/// @param program a program @param name of its only step of that name @return names of those it
/// waits for
std::vector<std::string>
GetDependencies(const LayerProgram& program, const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& step : FindSteps(program, name))
    {
        for (const uint32_t i : step.dependencies)
        {
            names.push_back(program.steps[i].name);
        }
    }
    return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST(TransformerCosts, CountsGpt3AsPublished)
{
    ParallelPlan plan;
    plan.tensor = 8;
    const TransformerCosts costs(MakeGpt3(), plan);
    const auto forward = costs.GetForward(0);
    EXPECT_EQ(GetOperations(forward, "qkv"), 231928233984U);
    EXPECT_EQ(GetOperations(forward, "scores"), 12884901888U);
    EXPECT_EQ(GetOperations(forward, "context"), 12884901888U);
    EXPECT_EQ(GetOperations(forward, "projection"), 77309411328U);
    EXPECT_EQ(GetOperations(forward, "ffn-up"), 309237645312U);
    EXPECT_EQ(GetOperations(forward, "ffn-down"), 309237645312U);
    EXPECT_EQ(CountProducts(forward), 953482739712U);
    EXPECT_EQ(CountProducts(costs.GetBackward(0)), 2 * 953482739712U);
    EXPECT_EQ(GetOperations(costs.GetHeadForward(), "logits"), 322122547200U);
    EXPECT_EQ(GetBytes(forward, "projection all-reduce"), 50331648U);
    EXPECT_EQ(costs.GetBoundaryBytes(), 50331648U);
}

TEST(TransformerCosts, CountsASmallModel)
{
    ParallelPlan plan;
    plan.microBatch = 8;
    plan.tensor = 4;
    const TransformerCosts costs(MakeSmall(), plan);
    const auto forward = costs.GetForward(3);
    EXPECT_EQ(GetOperations(forward, "qkv"), 100663296U);
    EXPECT_EQ(GetOperations(forward, "scores"), 16777216U);
    EXPECT_EQ(GetOperations(forward, "projection"), 33554432U);
    EXPECT_EQ(GetOperations(forward, "ffn-up"), 134217728U);
    EXPECT_EQ(CountProducts(forward), 436207616U);
    EXPECT_EQ(GetOperations(costs.GetHeadForward(), "logits"), 134217728U);
    EXPECT_EQ(GetBytes(forward, "ffn-down all-reduce"), 524288U);
}

TEST(TransformerCosts, SumsUpPartsWithTensorParallelism)
{
    ParallelPlan plan;
    plan.tensor = 4;
    const TransformerCosts costs(MakeSmall(), plan);
    const auto forward = costs.GetForward(0);
    EXPECT_EQ(GetNames(forward),
              (Names{"norm 1",
                     "qkv",
                     "scores",
                     "softmax",
                     "context",
                     "projection",
                     "projection all-reduce",
                     "residual 1",
                     "norm 2",
                     "ffn-up",
                     "ffn-activation",
                     "ffn-down",
                     "ffn-down all-reduce",
                     "residual 2"}));
    EXPECT_EQ(forward.steps[forward.output].name, "residual 2");
    const auto backward = costs.GetBackward(0);
    EXPECT_EQ(GetNames(backward),
              (Names{"residual 2 backward",
                     "ffn-down dX",
                     "ffn-down dW",
                     "ffn-activation backward",
                     "ffn-up dX",
                     "ffn-up dX all-reduce",
                     "ffn-up dW",
                     "norm 2 backward",
                     "residual 1 backward",
                     "projection dX",
                     "projection dW",
                     "context backward",
                     "softmax backward",
                     "scores backward",
                     "qkv dX",
                     "qkv dX all-reduce",
                     "qkv dW",
                     "norm 1 backward"}));
    EXPECT_EQ(GetDependencies(backward, "ffn-up dX all-reduce"), Names{"ffn-up dX"});
    EXPECT_EQ(GetDependencies(backward, "ffn-up dW"), Names{"ffn-activation backward"});
    EXPECT_EQ(GetDependencies(backward, "norm 2 backward"), Names{"ffn-up dX all-reduce"});
    EXPECT_EQ(backward.steps[backward.output].name, "norm 1 backward");
}

TEST(TransformerCosts, GathersTokensWithSequenceParallelism)
{
    ParallelPlan plan;
    plan.tensor = 4;
    plan.sequenceParallel = true;
    const TransformerCosts costs(MakeSmall(), plan);
    const auto forward = costs.GetForward(0);
    const uint64_t whole = 2 * 128 * 256;
    EXPECT_EQ(GetBytes(forward, "qkv all-gather"), whole / 4);
    EXPECT_EQ(GetBytes(forward, "projection reduce-scatter"), whole);
    EXPECT_EQ(GetBytes(forward, "ffn-up all-gather"), whole / 4);
    EXPECT_EQ(GetBytes(forward, "ffn-down reduce-scatter"), whole);
    EXPECT_EQ(costs.GetBoundaryBytes(), whole / 4);
    const auto backward = costs.GetBackward(0);
    EXPECT_EQ(GetNames(backward),
              (Names{"residual 2 backward",
                     "ffn-down dY all-gather",
                     "ffn-down dX",
                     "ffn-down dW",
                     "ffn-activation backward",
                     "ffn-up input all-gather",
                     "ffn-up dX",
                     "ffn-up dX reduce-scatter",
                     "ffn-up dW",
                     "norm 2 backward",
                     "residual 1 backward",
                     "projection dY all-gather",
                     "projection dX",
                     "projection dW",
                     "context backward",
                     "softmax backward",
                     "scores backward",
                     "qkv input all-gather",
                     "qkv dX",
                     "qkv dX reduce-scatter",
                     "qkv dW",
                     "norm 1 backward"}));
    EXPECT_EQ(GetDependencies(backward, "ffn-up input all-gather"),
              Names{"ffn-activation backward"});
    EXPECT_EQ(GetDependencies(backward, "ffn-up dX"), Names{"ffn-activation backward"});
    EXPECT_EQ(GetDependencies(backward, "ffn-up dW"),
              (Names{"ffn-activation backward", "ffn-up input all-gather"}));
    EXPECT_EQ(GetDependencies(backward, "ffn-up dX reduce-scatter"), Names{"ffn-up dX"});
}
