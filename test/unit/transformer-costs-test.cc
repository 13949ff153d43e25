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
                     "attention dropout",
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
                     "attention dropout backward",
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
                     "attention dropout backward",
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

TEST(TransformerCosts, CountOperationsAndBytesOfEachStep)
{
    ParallelPlan plan;
    plan.tensor = 4;
    const uint64_t s = 128;
    const uint64_t h = 256;
    const TransformerCosts costs(MakeSmall(), plan);
    const auto forward = costs.GetForward(0);
    EXPECT_EQ(GetOperations(forward, "norm 1"), 5 * s * h);
    EXPECT_EQ(GetBytes(forward, "norm 1"), 4 * s * h + 2 * 2 * h);
    EXPECT_EQ(GetBytes(forward, "qkv"), 2 * (s * h + 3 * h * h / 4 + 3 * s * h / 4));
    EXPECT_EQ(GetBytes(forward, "scores"), 2 * (2 * s * h / 4 + 8 * s * s / 4));
    EXPECT_EQ(GetOperations(forward, "softmax"), 5 * 2 * s * s);
    EXPECT_EQ(GetBytes(forward, "softmax"), 4 * 2 * s * s);
    EXPECT_EQ(GetOperations(forward, "attention dropout"), 2 * 2 * s * s);
    EXPECT_EQ(GetBytes(forward, "attention dropout"), 5 * 2 * s * s);
    EXPECT_EQ(GetBytes(forward, "context"), GetBytes(forward, "scores"));
    EXPECT_EQ(GetBytes(forward, "projection"), 2 * (s * h / 4 + h * h / 4 + s * h));
    EXPECT_EQ(GetOperations(forward, "residual 1"), 3 * s * h);
    EXPECT_EQ(GetBytes(forward, "residual 1"), 7 * s * h);
    EXPECT_EQ(GetBytes(forward, "ffn-up"), 2 * (s * h + h * h + s * h));
    EXPECT_EQ(GetOperations(forward, "ffn-activation"), 8 * s * h);
    EXPECT_EQ(GetBytes(forward, "ffn-activation"), 4 * s * h);
    const auto backward = costs.GetBackward(0);
    EXPECT_EQ(GetOperations(backward, "residual 2 backward"), 2 * s * h);
    EXPECT_EQ(GetBytes(backward, "residual 2 backward"), 4 * s * h);
    EXPECT_EQ(GetBytes(backward, "ffn-down dX"), 2 * (s * h + h * h + s * h));
    EXPECT_EQ(GetBytes(backward, "ffn-down dW"), 2 * (s * h + s * h) + 8 * h * h);
    EXPECT_EQ(GetOperations(backward, "ffn-activation backward"), 12 * s * h);
    EXPECT_EQ(GetBytes(backward, "ffn-activation backward"), 6 * s * h);
    EXPECT_EQ(GetOperations(backward, "norm 2 backward"), 8 * s * h);
    EXPECT_EQ(GetBytes(backward, "norm 2 backward"), 6 * s * h + 8 * 2 * h);
    EXPECT_EQ(GetOperations(backward, "softmax backward"), 4 * 2 * s * s);
    EXPECT_EQ(GetBytes(backward, "softmax backward"), 6 * 2 * s * s);
    EXPECT_EQ(GetOperations(backward, "attention dropout backward"), 2 * s * s);
    EXPECT_EQ(GetBytes(backward, "attention dropout backward"), 5 * 2 * s * s);
    EXPECT_EQ(GetBytes(backward, "scores backward"), 2 * GetBytes(forward, "scores"));
}

TEST(TransformerCosts, FuseAttentionAndGateTheFfnOfALlama)
{
    ParallelPlan plan;
    plan.tensor = 2;
    plan.sequenceParallel = true;
    TransformerModel model = MakeSmallLlama();
    const uint64_t s = 128;
    const uint64_t h = 256;
    const uint64_t u = 128;
    const auto forward = TransformerCosts(model, plan).GetForward(0);
    EXPECT_EQ(GetOperations(forward, "qkv"), 2 * s * h * (h + 2 * u) / 2);
    EXPECT_EQ(GetOperations(forward, "rotary"), 6 * s * (h + u) / 2);
    EXPECT_EQ(GetBytes(forward, "rotary"), 4 * s * (h + u) / 2);
    EXPECT_EQ(GetOperations(forward, "flash attention"), 4 * s * s * h / 2 / 2);
    EXPECT_EQ(GetBytes(forward, "flash attention"), 2 * (2 * s * h + 2 * s * u) / 2 + 16 * s);
    EXPECT_EQ(GetOperations(forward, "residual 1"), s * h / 2);
    EXPECT_EQ(GetBytes(forward, "residual 1"), 6 * s * h / 2);
    EXPECT_EQ(GetBytes(forward, "norm 1"), 4 * s * h / 2 + 2 * h);
    EXPECT_EQ(GetOperations(forward, "ffn-up"), 2 * s * h * 640);
    EXPECT_EQ(GetOperations(forward, "ffn-activation"), 6 * s * 320);
    EXPECT_EQ(GetBytes(forward, "ffn-activation"), 6 * s * 320);
    const auto backward = TransformerCosts(model, plan).GetBackward(0);
    EXPECT_EQ(GetOperations(backward, "flash attention backward"), 10 * s * s * h / 2 / 2);
    EXPECT_EQ(GetBytes(backward, "flash attention backward"), 2 * (4 * s * h + 4 * s * u) / 2);
    EXPECT_EQ(GetOperations(backward, "ffn-activation backward"), 10 * s * 320);
    EXPECT_EQ(GetBytes(backward, "ffn-activation backward"), 10 * s * 320);
    model.causal = false;
    EXPECT_EQ(GetOperations(TransformerCosts(model, plan).GetForward(0), "flash attention"),
              4 * s * s * h / 2);
}

TEST(TransformerCosts, AddTheEmbedding)
{
    ParallelPlan plan;
    plan.tensor = 4;
    const uint64_t whole = 128 * 256;
    const TransformerCosts summed(MakeSmall(), plan);
    EXPECT_EQ(GetNames(summed.GetEmbeddingForward()),
              (Names{"embedding", "embedding all-reduce", "positions"}));
    EXPECT_EQ(GetBytes(summed.GetEmbeddingForward(), "embedding all-reduce"), 2 * whole);
    EXPECT_EQ(GetBytes(summed.GetEmbeddingForward(), "embedding"), 4 * whole);
    EXPECT_EQ(GetOperations(summed.GetEmbeddingForward(), "positions"), 2 * whole);
    EXPECT_EQ(GetBytes(summed.GetEmbeddingForward(), "positions"), 6 * whole);
    EXPECT_EQ(GetNames(summed.GetEmbeddingBackward()),
              (Names{"positions backward", "embedding dW"}));
    plan.sequenceParallel = true;
    const TransformerCosts scattered(MakeSmall(), plan);
    EXPECT_EQ(GetBytes(scattered.GetEmbeddingForward(), "embedding reduce-scatter"), 2 * whole);
    EXPECT_EQ(GetBytes(scattered.GetEmbeddingForward(), "positions"), 6 * whole / 4);
    const auto backward = scattered.GetEmbeddingBackward();
    EXPECT_EQ(GetBytes(backward, "embedding dY all-gather"), 2 * whole / 4);
    EXPECT_EQ(GetOperations(backward, "embedding dW"), whole);
    EXPECT_EQ(GetBytes(backward, "embedding dW"), 8 * whole);
    EXPECT_TRUE(backward.steps[backward.output].isWeightGradient);
    EXPECT_EQ(GetNames(TransformerCosts(MakeSmallLlama(), {}).GetEmbeddingForward()),
              Names{"embedding"});
}

TEST(TransformerCosts, AddTheHead)
{
    ParallelPlan plan;
    plan.tensor = 4;
    plan.sequenceParallel = true;
    const TransformerCosts costs(MakeSmall(), plan);
    const auto forward = costs.GetHeadForward();
    EXPECT_EQ(GetNames(forward),
              (Names{"final norm",
                     "logits all-gather",
                     "logits",
                     "maximum all-reduce",
                     "cross-entropy",
                     "target logit all-reduce",
                     "sum of exponentials all-reduce"}));
    EXPECT_EQ(GetBytes(forward, "maximum all-reduce"), 4 * 128U);
    EXPECT_EQ(GetBytes(forward, "target logit all-reduce"), 4 * 128U);
    EXPECT_EQ(GetBytes(forward, "sum of exponentials all-reduce"), 4 * 128U);
    EXPECT_EQ(GetOperations(forward, "cross-entropy"), 5 * 128 * 256U);
    EXPECT_EQ(GetBytes(forward, "cross-entropy"), 4 * 128 * 256U);
    EXPECT_EQ(forward.output, 6U);
    const auto backward = costs.GetHeadBackward();
    EXPECT_EQ(GetNames(backward),
              (Names{"cross-entropy backward",
                     "logits input all-gather",
                     "logits dX",
                     "logits dX reduce-scatter",
                     "logits dW",
                     "final norm backward"}));
    EXPECT_EQ(backward.output, 5U);
    plan.sequenceParallel = false;
    const auto summed = TransformerCosts(MakeSmall(), plan).GetHeadBackward();
    EXPECT_EQ(GetBytes(summed, "logits dX all-reduce"), 2 * 128 * 256U);
    EXPECT_EQ(GetNames(TransformerCosts(MakeSmall(), {}).GetHeadForward()),
              (Names{"final norm", "logits", "cross-entropy"}));
}

TEST(TransformerCosts, RecomputeTheCoreWhenItsGradientComes)
{
    ParallelPlan plan;
    plan.recompute = "selective";
    const auto backward = TransformerCosts(MakeSmall(), plan).GetBackward(0);
    EXPECT_EQ(GetDependencies(backward, "recompute scores"), Names{"projection dX"});
    EXPECT_EQ(GetDependencies(backward, "recompute context"), Names{"recompute attention dropout"});
    EXPECT_EQ(GetDependencies(backward, "context backward"), Names{"recompute context"});
    EXPECT_EQ(CountProducts(backward) -
                  CountProducts(TransformerCosts(MakeSmall(), {}).GetBackward(0)),
              4 * 128 * 128 * 256U);
}

TEST(TransformerCosts, RecomputeTheWholeForwardPass)
{
    ParallelPlan plan;
    plan.recompute = "full";
    plan.tensor = 2;
    plan.sequenceParallel = true;
    const TransformerCosts costs(MakeSmall(), plan);
    const auto forward = GetNames(costs.GetForward(0));
    const auto backward = costs.GetBackward(0);
    for (std::size_t i = 0; i < forward.size(); ++i)
    {
        EXPECT_EQ(backward.steps[i].name, "recompute " + forward[i]);
    }
    EXPECT_EQ(GetDependencies(backward, "residual 2 backward"), Names{"recompute residual 2"});
}

TEST(TransformerCosts, StepTheOptimizerOnTheShard)
{
    ParallelPlan plan;
    plan.data = 4;
    ParameterCounts parameters;
    parameters.divided = 1000;
    const auto whole = TransformerCosts(MakeSmall(), plan).GetOptimizer(parameters);
    EXPECT_EQ(GetNames(whole), (Names{"gradient norm", "adam"}));
    EXPECT_EQ(GetOperations(whole, "gradient norm"), 2000U);
    EXPECT_EQ(GetBytes(whole, "gradient norm"), 4000U);
    EXPECT_EQ(GetOperations(whole, "adam"), 12000U);
    EXPECT_EQ(GetBytes(whole, "adam"), 30000U);
    plan.optimizerBytes = 54;
    EXPECT_EQ(GetBytes(TransformerCosts(MakeSmall(), plan).GetOptimizer(parameters), "adam"),
              54000U);
    plan.optimizerBytes = 0;
    plan.zeroStage = 1;
    plan.elementBytes = 4;
    const auto shard = TransformerCosts(MakeSmall(), plan).GetOptimizer(parameters);
    EXPECT_EQ(GetOperations(shard, "adam"), 3000U);
    EXPECT_EQ(GetBytes(shard, "adam"), 28 * 250U);
}
