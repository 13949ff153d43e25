/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "transformer-cases.h"

#include "ns3/amount.h"
#include "ns3/training-checker.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

using namespace ns3::mlcluster;

namespace
{

using Change = std::function<void(TransformerModel&, ParallelPlan&)>; ///< of what can be trained

/// @param model a model @param change of it and of a plain plan @return what is found
Diagnostics
Check(TransformerModel model, const Change& change)
{
    ParallelPlan plan;
    change(model, plan);
    Diagnostics diagnostics;
    TrainingChecker(model, plan, TrainingChecker::AtMember, diagnostics).Check();
    return diagnostics;
}

/// @param model a model @param change of it and of a plain plan @return the only error
std::string
GetError(const TransformerModel& model, const Change& change)
{
    const Diagnostics diagnostics = Check(model, change);
    EXPECT_EQ(diagnostics.GetErrors().size(), 1U) << JoinWords(diagnostics.GetErrors());
    return diagnostics.HasErrors() ? diagnostics.GetErrors().front() : "";
}

} // namespace

TEST(Amount, CountsBeyond64BitsAndSaysSoAtTheEnd)
{
    const uint64_t largest = std::numeric_limits<uint64_t>::max();
    EXPECT_EQ((Amount(largest) * 6 / 6).Get("bytes"), largest);
    EXPECT_EQ((Amount(7) / 2).Get("bytes"), 4U);
    EXPECT_TRUE(Amount(3) < Amount(largest) + 1);
    EXPECT_EQ(ErrorOf([&] { (Amount(largest) + 1).Get("bytes of it"); }),
              "bytes of it: more than 2^64 - 1, which cannot be counted");
    const Amount tooMuch = Amount(largest) * largest * largest / largest / largest;
    EXPECT_NE(ErrorOf([&] { tooMuch.Get("bytes"); }), "");
    EXPECT_NE(ErrorOf([&] { (tooMuch + 1).GetReal(); }), "");
    EXPECT_EQ((Amount(1U << 31) * (1U << 31) * (1U << 31)).GetReal(), std::pow(2.0, 93));
}

TEST(TrainingChecker, AcceptsWhatFits)
{
    EXPECT_FALSE(Check(MakeGpt3(), [](auto&, ParallelPlan& plan) {
                     plan.tensor = 8;
                     plan.pipeline = 8;
                     plan.data = 6;
                     plan.microBatches = 64;
                 }).HasErrors());
}

TEST(TrainingChecker, RefusesMissingSizesAllAtOnce)
{
    Diagnostics diagnostics = Check({}, [](auto&, ParallelPlan& plan) {
        plan.tensor = 0;
        plan.microBatch = 0;
    });
    const std::string text = JoinWords(diagnostics.GetErrors());
    for (const std::string key :
         {"layers", "hiddenSize", "heads", "vocabulary", "sequenceLength", "tensor", "microBatch"})
    {
        EXPECT_NE(text.find(key + ": 0: allowed is 1 to "), std::string::npos)
            << key << " in " << text;
    }
}

TEST(TrainingChecker, RefusesWhatDoesNotDivide)
{
    const TransformerModel small = MakeSmall();
    EXPECT_EQ(GetError(small, [](TransformerModel& model, auto&) { model.heads = 7; }),
              "heads: 7: it must divide hidden-size, 256");
    EXPECT_EQ(GetError(small, [](TransformerModel& model, auto&) { model.kvHeads = 3; }),
              "kvHeads: 3: it must divide heads, 8");
    EXPECT_EQ(GetError(MakeSmallLlama(), [](auto&, ParallelPlan& plan) { plan.tensor = 8; }),
              "tensor: 8: it must divide kv-heads, 4");
    EXPECT_EQ(GetError(small,
                       [](TransformerModel& model, ParallelPlan& plan) {
                           plan.tensor = 4;
                           model.ffnSize = 1026;
                           model.vocabulary = 1024;
                       }),
              "tensor: 4: it must divide ffn-size, 1026");
    EXPECT_EQ(GetError(small,
                       [](TransformerModel& model, ParallelPlan& plan) {
                           plan.tensor = 4;
                           model.vocabulary = 1023;
                       }),
              "tensor: 4: it must divide vocabulary, 1023");
    EXPECT_EQ(GetError(small, [](auto&, ParallelPlan& plan) { plan.context = 3; }),
              "context: 3: it must divide sequence-length, 128");
    EXPECT_EQ(GetError(small,
                       [](TransformerModel& model, ParallelPlan& plan) {
                           model.sequenceLength = 12;
                           plan.context = 4;
                           plan.tensor = 2;
                           plan.sequenceParallel = true;
                       }),
              "context: tensor x context = 8: it must divide sequence-length, with "
              "sequence parallelism, 12");
}

TEST(TrainingChecker, RefusesWhatContextParallelismCannotDivide)
{
    EXPECT_EQ(GetError(MakeSmallLlama(),
                       [](TransformerModel& model, ParallelPlan& plan) {
                           model.sequenceLength = 12;
                           plan.context = 4;
                       }),
              "context: 2 x context = 8: it must divide sequence-length, 12");
    EXPECT_EQ(GetError(MakeSmallLlama(),
                       [](auto&, ParallelPlan& plan) {
                           plan.context = 8;
                           plan.contextScheme = "ulysses";
                       }),
              "context: tensor x context = 8: it must divide kv-heads, which ulysses "
              "trades, 4");
    EXPECT_EQ(GetError(MakeSmallLlama(),
                       [](TransformerModel& model, auto&) {
                           model.hiddenSize = 24;
                           model.kvHeads = 0;
                       }),
              "heads: 8: hidden-size / heads is 3; rotary positions need an even "
              "number");
}

TEST(TrainingChecker, RefusesUnknownChoices)
{
    const TransformerModel small = MakeSmall();
    EXPECT_NE(GetError(small, [](auto&, ParallelPlan& plan) { plan.contextScheme = "rings"; })
                  .find("did you mean ring?"),
              std::string::npos);
    EXPECT_NE(GetError(small, [](auto&, ParallelPlan& plan) { plan.recompute = "some"; })
                  .find("allowed are none, selective, full"),
              std::string::npos);
    EXPECT_EQ(GetError(small, [](auto&, ParallelPlan& plan) { plan.elementBytes = 3; }),
              "elementBytes: 3: allowed are 1, 2 and 4");
    EXPECT_EQ(GetError(small, [](auto&, ParallelPlan& plan) { plan.gradientBytes = 8; }),
              "gradientBytes: 8: allowed are 1, 2 and 4");
    EXPECT_EQ(GetError(small, [](auto&, ParallelPlan& plan) { plan.zeroStage = 4; }),
              "zeroStage: 4: allowed is 0 to 3");
    EXPECT_NE(GetError(small, [](auto&, ParallelPlan& plan) { plan.schedule = "2f2b"; })
                  .find("pipeline schedule"),
              std::string::npos);
    EXPECT_NE(GetError(small, [](auto&, ParallelPlan& plan) { plan.rankOrder = "data"; })
                  .find("no rank order"),
              std::string::npos);
}

TEST(TrainingChecker, RefusesSplitsThatDoNotFit)
{
    const TransformerModel small = MakeSmall();
    EXPECT_EQ(GetError(small, [](auto&, ParallelPlan& plan) { plan.pipeline = 9; }),
              "pipeline: pipeline x chunks = 9: each part needs a layer, and there are 8");
    const auto split = [&small](const std::vector<uint32_t>& layers) {
        return GetError(small, [&](auto&, ParallelPlan& plan) {
            plan.pipeline = 2;
            plan.stageLayers = layers;
        });
    };
    const std::string allowed =
        ": allowed are 2 numbers (pipeline x chunks), none 0, that add up to layers, 8";
    EXPECT_EQ(split({4, 3}), "stageLayers: 4, 3" + allowed);
    EXPECT_EQ(split({8, 0}), "stageLayers: 8, 0" + allowed);
    EXPECT_EQ(split({4, 2, 2}), "stageLayers: 4, 2, 2" + allowed);
    EXPECT_FALSE(Check(small, [](auto&, ParallelPlan& plan) {
                     plan.pipeline = 2;
                     plan.stageLayers = {3, 5};
                 }).HasErrors());
}

TEST(TrainingChecker, RefusesExpertsThatDoNotFit)
{
    const TransformerModel small = MakeSmall();
    const TransformerModel experts = MakeSmallExperts();
    EXPECT_EQ(GetError(small, [](TransformerModel& model, auto&) { model.topExperts = 2; }),
              "topExperts: 2: the model has no experts; experts is their "
              "number");
    EXPECT_NE(GetError(small,
                       [](auto&, ParallelPlan& plan) {
                           plan.expert = 2;
                           plan.data = 2;
                       })
                  .find("expert: 2: the model has no experts"),
              std::string::npos);
    EXPECT_EQ(GetError(experts, [](TransformerModel& model, auto&) { model.topExperts = 9; }),
              "topExperts: 9: allowed is 1 to the number of experts, 8");
    EXPECT_NE(GetError(experts, [](TransformerModel& model, auto&) { model.experts = 200000; })
                  .find("experts: 200000: allowed is 0 to 100000"),
              std::string::npos);
    EXPECT_EQ(GetError(experts, [](TransformerModel& model, auto&) { model.expertInterval = 0; }),
              "expertInterval: 0: allowed is 1 to 2147483648");
    EXPECT_EQ(GetError(experts,
                       [](auto&, ParallelPlan& plan) {
                           plan.data = 3;
                           plan.expert = 3;
                       }),
              "expert: 3: it must divide experts, 8");
    EXPECT_NE(GetError(experts,
                       [](auto&, ParallelPlan& plan) {
                           plan.data = 3;
                           plan.expert = 2;
                       })
                  .find("the expert degree is 2"),
              std::string::npos);
    EXPECT_EQ(GetError(experts,
                       [](TransformerModel& model, ParallelPlan& plan) {
                           model.expertFfnSize = 321;
                           plan.tensor = 2;
                       }),
              "expertTensor: 2: it must divide expert-ffn-size, 321");
    EXPECT_EQ(GetError(experts,
                       [](TransformerModel& model, ParallelPlan& plan) {
                           model.sharedFfnSize = 65;
                           plan.tensor = 2;
                       }),
              "tensor: 2: it must divide shared-ffn-size, 65");
    EXPECT_NE(GetError(experts,
                       [](auto&, ParallelPlan& plan) {
                           plan.tensor = 2;
                           plan.expertTensor = 1;
                       })
                  .find("expertTensor: 1: less than tensor, 2, needs sequence-parallel"),
              std::string::npos);
}

TEST(TrainingChecker, RefusesLoadsThatAreNone)
{
    const TransformerModel experts = MakeSmallExperts();
    for (const double factor : {-1.0, 4.1, std::nan(""), HUGE_VAL})
    {
        EXPECT_NE(
            GetError(experts, [&](auto&, ParallelPlan& plan) { plan.capacityFactor = factor; })
                .find("allowed is 0 to experts / top-experts, 4"),
            std::string::npos);
    }
    for (const double skew : {-1.0, std::nan(""), HUGE_VAL})
    {
        EXPECT_NE(GetError(experts, [&](auto&, ParallelPlan& plan) { plan.expertSkew = skew; })
                      .find("expertSkew"),
                  std::string::npos);
    }
    EXPECT_NE(GetError(MakeSmall(), [&](auto&, ParallelPlan& plan) { plan.expertSkew = 1; })
                  .find("0 without experts"),
              std::string::npos);
    EXPECT_NE(GetError(MakeSmall(), [&](auto&, ParallelPlan& plan) { plan.capacityFactor = 1; })
                  .find("capacityFactor"),
              std::string::npos);
}

TEST(TrainingChecker, RefusesSizesThatCannotBeCounted)
{
    EXPECT_NE(GetError(MakeSmall(),
                       [](TransformerModel& model, auto&) {
                           model.sequenceLength = 1U << 31;
                           model.hiddenSize = 1U << 31;
                       })
                  .find("more than 2^64 - 1, which cannot be counted"),
              std::string::npos);
    EXPECT_NE(GetError(MakeSmall(),
                       [](auto&, ParallelPlan& plan) {
                           plan.microBatch = 1U << 31;
                           plan.schedule = "gpipe";
                           plan.microBatches = 1U << 20;
                       })
                  .find("more than 2^64 - 1, which cannot be counted"),
              std::string::npos);
}

TEST(TrainingChecker, WarnsOfWhatHasNoEffect)
{
    const auto warn = [](const TransformerModel& model, const Change& change) {
        const auto diagnostics = Check(model, change);
        EXPECT_FALSE(diagnostics.HasErrors());
        EXPECT_EQ(diagnostics.GetWarnings().size(), 1U);
        return JoinWords(diagnostics.GetWarnings());
    };
    EXPECT_NE(warn(MakeSmall(), [](TransformerModel& model, auto&) { model.causal = true; })
                  .find("causal: has no effect without flash-attention"),
              std::string::npos);
    EXPECT_NE(
        warn(MakeSmallLlama(), [](auto&, ParallelPlan& plan) { plan.recompute = "selective"; })
            .find("recompute: selective recomputation saves next to nothing"),
        std::string::npos);
    EXPECT_NE(warn(MakeSmallExperts(),
                   [](auto&, ParallelPlan& plan) {
                       plan.capacityFactor = 1.5;
                       plan.expertSkew = 1;
                   })
                  .find("expertSkew: has no effect with a capacity-factor"),
              std::string::npos);
}

TEST(TrainingChecker, WarnsOfSettingsOfWhatThereIsNone)
{
    const TransformerModel small = MakeSmall();
    const TransformerModel experts = MakeSmallExperts();
    const auto warn = [](const TransformerModel& model, uint32_t data, const Change& change) {
        const auto diagnostics = Check(model, [&](TransformerModel& changed, ParallelPlan& plan) {
            plan.data = data;
            change(changed, plan);
        });
        EXPECT_FALSE(diagnostics.HasErrors()) << JoinWords(diagnostics.GetErrors());
        return JoinWords(diagnostics.GetWarnings());
    };
    EXPECT_EQ(warn(small, 1, [](auto&, auto&) {}), "");
    EXPECT_EQ(warn(small, 1, [](TransformerModel& model, auto&) { model.expertInterval = 2; }),
              "expertInterval: has no effect without experts");
    EXPECT_EQ(warn(small, 1, [](auto&, ParallelPlan& plan) { plan.expertTensor = 1; }),
              "expertTensor: has no effect without experts");
    EXPECT_EQ(warn(experts, 2, [](auto&, ParallelPlan& plan) { plan.expertSkew = 1; }),
              "expertSkew: has no effect with an expert degree of 1: each rank has all experts");
    EXPECT_EQ(warn(experts,
                   2,
                   [](auto&, ParallelPlan& plan) {
                       plan.expertSkew = 1;
                       plan.expert = 2;
                   }),
              "");
    EXPECT_EQ(warn(small, 1, [](auto&, ParallelPlan& plan) { plan.sequenceParallel = true; }),
              "sequenceParallel: has no effect with a tensor degree of 1");
    EXPECT_EQ(warn(small, 1, [](auto&, ParallelPlan& plan) { plan.contextScheme = "ulysses"; }),
              "contextScheme: has no effect with a context degree of 1");
    const Change changeOrder = [](auto&, ParallelPlan& plan) {
        plan.rankOrder = "pipeline-context-tensor-data";
    };
    EXPECT_EQ(warn(small, 4, changeOrder),
              "rankOrder: has no effect unless two of tensor, context, data and pipeline are above "
              "1");
    EXPECT_EQ(warn(small,
                   4,
                   [&](TransformerModel& model, ParallelPlan& plan) {
                       changeOrder(model, plan);
                       plan.tensor = 2;
                   }),
              "");
}

TEST(TrainingChecker, WarnsOfShardingWithoutEffect)
{
    const auto warn = [](uint32_t data, uint32_t zeroStage, const Change& change) {
        return JoinWords(Check(MakeSmall(), [&](TransformerModel& model, ParallelPlan& plan) {
                             plan.data = data;
                             plan.zeroStage = zeroStage;
                             change(model, plan);
                         }).GetWarnings());
    };
    const Change none = [](auto&, auto&) {};
    const Change changeBucket = [](auto&, ParallelPlan& plan) { plan.bucketBytes = 1 << 20; };
    const Change changeOverlap = [](auto&, ParallelPlan& plan) { plan.overlapGradients = false; };
    const Change changePrefetch = [](auto&, ParallelPlan& plan) { plan.prefetch = 2; };
    const Change changeReshard = [](auto&, ParallelPlan& plan) {
        plan.reshardAfterForward = false;
    };
    const std::string alone = ": has no effect as no two ranks have the same parameters";
    const std::string below = ": has no effect with a zero-stage below 3, which gathers no layers";
    EXPECT_EQ(warn(1, 1, none), "zeroStage" + alone);
    EXPECT_EQ(warn(1, 0, changeBucket), "bucketBytes" + alone);
    EXPECT_EQ(warn(1, 0, changeOverlap), "overlapGradients" + alone);
    EXPECT_EQ(warn(2, 3, changeBucket),
              "bucketBytes: has no effect with a zero-stage of 3, which reduces gradients layer by "
              "layer");
    for (const uint32_t stage : {0U, 1U, 2U})
    {
        EXPECT_EQ(warn(2, stage, none), "");
        EXPECT_EQ(warn(2, stage, changeBucket), "");
        EXPECT_EQ(warn(2, stage, changeOverlap), "");
        EXPECT_EQ(warn(2, stage, changePrefetch), "prefetch" + below);
        EXPECT_EQ(warn(2, stage, changeReshard), "reshardAfterForward" + below);
    }
    for (const auto& change : {none, changeOverlap, changePrefetch, changeReshard})
    {
        EXPECT_EQ(warn(2, 3, change), "");
    }
}
