/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-cases.h"

#include "ns3/memory-footprint.h"
#include "ns3/model-presets.h"
#include "ns3/pipeline-schedule.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ns3::mlcluster;

namespace
{

/// @param tensor t @param sequenceParallel whether norms are divided too @param recompute what is
/// @return a plan
ParallelPlan
MakePlan(uint32_t tensor, bool sequenceParallel, const std::string& recompute)
{
    ParallelPlan plan;
    plan.tensor = tensor;
    plan.sequenceParallel = sequenceParallel;
    plan.recompute = recompute;
    return plan;
}

/// @param model a model @param plan how it is trained @return activations that its first layer
/// keeps of a micro-batch
uint64_t
GetKept(const TransformerModel& model, const ParallelPlan& plan)
{
    const RankShape shape(model, plan);
    return LayerActivations(shape).GetKept(0).Get("activations");
}

/// @param plan how a model is trained @param stage a stage @return micro-batches kept at the peak
/// by its chunks
std::vector<uint32_t>
GetInFlight(const ParallelPlan& plan, uint32_t stage)
{
    return MemoryFootprint(MakeSmall(), plan, stage).GetInFlight();
}

} // namespace

TEST(LayerActivations, AreThoseOfGpt3)
{
    const TransformerModel model = MakeGpt3();
    EXPECT_EQ(GetKept(model, MakePlan(1, false, "none")), 2868903936U);
    EXPECT_EQ(GetKept(model, MakePlan(8, false, "none")), 578813952U);
    EXPECT_EQ(GetKept(model, MakePlan(8, true, "none")), 358612992U);
    EXPECT_EQ(GetKept(model, MakePlan(8, false, "selective")), 327155712U);
    EXPECT_EQ(GetKept(model, MakePlan(8, true, "selective")), 106954752U);
    EXPECT_EQ(GetKept(model, MakePlan(8, false, "full")), 50331648U);
    EXPECT_EQ(GetKept(model, MakePlan(8, true, "full")), 6291456U);
}

TEST(LayerActivations, AreThoseOfASmallModel)
{
    ParallelPlan plan;
    plan.microBatch = 8;
    EXPECT_EQ(GetKept(MakeSmall(), plan), 14155776U);
    plan.tensor = 4;
    EXPECT_EQ(GetKept(MakeSmall(), plan), 5505024U);
    plan.sequenceParallel = true;
    EXPECT_EQ(GetKept(MakeSmall(), plan), 3538944U);
}

TEST(LayerActivations, OfALlamaFollowItsFormula)
{
    const uint64_t tokens = 128;
    const uint64_t h = 256;
    const uint64_t formula = tokens * (12 * h + 4 * 128 + 6 * 640) / 2 + 4 * 8 * tokens / 2;
    EXPECT_EQ(GetKept(MakeSmallLlama(), MakePlan(2, true, "none")), formula);
    const uint64_t whole = tokens * 8 * h;
    const uint64_t divided = tokens * (4 * h + 4 * 128 + 6 * 640) / 2 + 4 * 8 * tokens / 2;
    EXPECT_EQ(GetKept(MakeSmallLlama(), MakePlan(2, false, "none")), whole + divided);
}

TEST(LayerActivations, DivideTheSequenceButNotTheKeysByContextParallelism)
{
    ParallelPlan plan;
    plan.context = 4;
    const uint64_t tokens = 128 / 4;
    EXPECT_EQ(GetKept(MakeSmall(), plan), tokens * 256 * 34 + 5 * 8 * tokens * 128);
}

TEST(LayerActivations, OfExpertsCountTheTokensTheyGet)
{
    const uint64_t tokens = 128;
    const uint64_t h = 256;
    const uint64_t attention = tokens * (10 * h + 4 * 128) + 4 * 8 * tokens;
    const uint64_t experts = 2 * tokens * (2 * h + 3 * 2 * 320);
    const uint64_t copies = 2 * 2 * tokens * 2 * h;
    const uint64_t shared = tokens * (2 * h + 3 * 2 * 64);
    ParallelPlan plan;
    plan.data = 4;
    plan.expert = 4;
    EXPECT_EQ(GetKept(MakeSmallExperts(), plan), attention + experts + copies + shared);
    plan.tensor = 2;
    plan.sequenceParallel = true;
    const uint64_t part = (attention + experts + copies + shared) / 2;
    EXPECT_EQ(GetKept(MakeSmallExperts(), plan), part + tokens * 2 * h); // N more tokens gathered
    plan.tensor = 4;
    EXPECT_EQ(GetKept(MakeSmallExperts(), plan), part / 2 + 3 * tokens / 2 * 2 * h);
    plan.tensor = 2;
    plan.expertTensor = 1;
    EXPECT_EQ(GetKept(MakeSmallExperts(), plan), part);
    plan.expertSkew = 1;
    EXPECT_GT(GetKept(MakeSmallExperts(), plan), part);
}

TEST(MemoryFootprint, KeepsModelStateAsZeroShardsIt)
{
    ParallelPlan plan;
    plan.tensor = 8;
    plan.data = 16;
    plan.gradientBytes = 2;
    const uint64_t p = (174615846912 - 96 * 6 * 12288 - 2048 * 12288 - 2 * 12288) / 8 +
                       96 * 6 * 12288 + 2048 * 12288 + 2 * 12288;
    const uint64_t largest = 226576896;
    for (const uint32_t stage : {0U, 1U, 2U, 3U})
    {
        plan.zeroStage = stage;
        const MemoryFootprint memory(MakeGpt3(), plan, 0);
        EXPECT_EQ(memory.GetBytes("weights"), stage < 3 ? 2 * p : 2 * p / 16);
        EXPECT_EQ(memory.GetBytes("gradients"), stage < 2 ? 2 * p : 2 * p / 16);
        EXPECT_EQ(memory.GetBytes("optimizer"), stage < 1 ? 12 * p : 12 * p / 16);
        EXPECT_EQ(memory.GetBytes("gathered weights"), stage < 3 ? 0 : 2 * 2 * largest);
        EXPECT_EQ(memory.GetBytes("gathered gradients"), stage < 3 ? 0 : 2 * largest);
    }
    plan.elementBytes = 4;
    plan.zeroStage = 0;
    EXPECT_EQ(MemoryFootprint(MakeGpt3(), plan, 0).GetBytes("optimizer"), 8 * p);
}

TEST(MemoryFootprint, GathersUnitsThatFollowOneAnother)
{
    const uint64_t layer = 2 * 4096 * (4096 + 1024) + 3 * 4096 * 14336 + 2 * 4096;
    const uint64_t embedding = 128256 * 4096;
    const uint64_t head = embedding + 4096;
    const TransformerModel model = FindModel("llama3-8b");
    ParallelPlan plan;
    plan.data = 8;
    plan.zeroStage = 3;
    const auto gather = [&](const std::string& what, uint32_t stage) {
        return MemoryFootprint(model, plan, stage).GetBytes("gathered " + what);
    };
    EXPECT_EQ(gather("weights", 0), 2 * (layer + head));
    EXPECT_EQ(gather("gradients", 0), 4 * head);
    plan.prefetch = 0;
    EXPECT_EQ(gather("weights", 0), 2 * head);
    plan.prefetch = 4;
    EXPECT_EQ(gather("weights", 0), 2 * (4 * layer + head));
    plan.prefetch = std::numeric_limits<uint32_t>::max();
    EXPECT_EQ(gather("weights", 0), 2 * (embedding + 32 * layer + head));
    plan.pipeline = 4;
    plan.microBatches = 4;
    plan.prefetch = 1;
    EXPECT_EQ(gather("weights", 0), 2 * (embedding + layer));
    EXPECT_EQ(gather("gradients", 1), 4 * layer);
    plan.schedule = "interleaved";
    plan.chunks = 4;
    plan.prefetch = 3;
    EXPECT_EQ(gather("weights", 0), 2 * (embedding + 2 * layer));
    EXPECT_EQ(gather("weights", 1), 2 * 2 * layer);
    plan.data = 1;
    EXPECT_EQ(gather("weights", 0), 0U);
    EXPECT_EQ(gather("gradients", 0), 0U);
}

TEST(MemoryFootprint, KeepsAllThatIsGatheredWithoutResharding)
{
    const TransformerModel model = FindModel("llama3-8b");
    ParallelPlan plan;
    plan.data = 8;
    plan.zeroStage = 3;
    plan.reshardAfterForward = false;
    const uint64_t all = 8030261248;
    const MemoryFootprint memory(model, plan, 0);
    EXPECT_EQ(memory.GetBytes("gathered weights"), 2 * all);
    EXPECT_EQ(memory.GetBytes("weights"), 2 * all / 8);
    EXPECT_EQ(memory.GetParts()[3].formula,
              "beta P_g, P_g = 8030261248 of all units, kept until their backward pass");
    plan.pipeline = 2;
    plan.microBatches = 2;
    plan.schedule = "interleaved";
    plan.chunks = 2;
    uint64_t sum = 0;
    for (const uint32_t stage : {0U, 1U})
    {
        sum += MemoryFootprint(model, plan, stage).GetBytes("gathered weights");
    }
    EXPECT_EQ(sum, 2 * all);
}

TEST(MemoryFootprint, GathersOnlyWhatOthersShare)
{
    ParallelPlan plan;
    plan.data = 4;
    plan.expert = 4;
    plan.zeroStage = 3;
    const TransformerModel model = MakeSmallExperts();
    const RankShape shape(model, plan);
    const uint64_t dense = ParameterCounts::OfStage(shape, 0).GetDense().Get("parameters");
    plan.reshardAfterForward = false;
    EXPECT_EQ(MemoryFootprint(model, plan, 0).GetBytes("gathered weights"), 2 * dense);
}

TEST(MemoryFootprint, ShardsExpertsOverTheirOwnRanks)
{
    ParallelPlan plan;
    plan.data = 8;
    plan.expert = 4;
    plan.zeroStage = 1;
    const TransformerModel model = MakeSmallExperts();
    const RankShape shape(model, plan);
    const auto counts = ParameterCounts::OfStage(shape, 0);
    const MemoryFootprint memory(model, plan, 0);
    const uint64_t dense = counts.GetDense().Get("dense");
    const uint64_t experts = counts.experts.Get("experts");
    EXPECT_EQ(memory.GetBytes("optimizer"), 12 * (dense / 8 + experts / 2));
    EXPECT_EQ(memory.GetParts()[2].formula,
              "12 P/n + 12 P_e/n_e, P = " + std::to_string(dense) +
                  ", n = 8, P_e = " + std::to_string(experts) + ", n_e = 2");
}

TEST(MemoryFootprint, KeepsTheMicroBatchesInFlight)
{
    ParallelPlan plan;
    plan.pipeline = 4;
    plan.microBatches = 8;
    using Counts = std::vector<uint32_t>;
    for (uint32_t stage = 0; stage < 4; ++stage)
    {
        plan.schedule = "1f1b";
        EXPECT_EQ(GetInFlight(plan, stage), Counts{4 - stage});
        plan.schedule = "gpipe";
        EXPECT_EQ(GetInFlight(plan, stage), Counts{8});
        plan.schedule = "zero-bubble";
        EXPECT_EQ(GetInFlight(plan, stage), Counts{4});
    }
    plan.schedule = "1f1b";
    plan.microBatches = 2;
    EXPECT_EQ(GetInFlight(plan, 0), Counts{2});
}

TEST(MemoryFootprint, OfAnInterleavedPipelineIsThatPartLarger)
{
    ParallelPlan plan;
    plan.pipeline = 4;
    plan.microBatches = 8;
    const TransformerModel model = MakeSmall();
    const uint64_t plain = MemoryFootprint(model, plan, 0).GetBytes("activations");
    EXPECT_EQ(plain, 8 * GetKept(model, plan));
    plan.schedule = "interleaved";
    plan.chunks = 2;
    const uint64_t interleaved = MemoryFootprint(model, plan, 0).GetBytes("activations");
    EXPECT_EQ(interleaved * 8, plain * (8 + 3));
}

TEST(MemoryFootprint, HasExtrasOnTheFirstAndTheLastStage)
{
    ParallelPlan plan;
    plan.pipeline = 4;
    plan.microBatches = 8;
    plan.tensor = 2;
    plan.sequenceParallel = true;
    const uint64_t tokens = 128;
    const MemoryFootprint first(MakeSmall(), plan, 0);
    EXPECT_EQ(first.GetBytes("embedding mask"), 4 * tokens / 2 * 256);
    EXPECT_EQ(first.GetBytes("head"), 0U);
    const MemoryFootprint last(MakeSmall(), plan, 3);
    EXPECT_EQ(last.GetBytes("embedding mask"), 0U);
    EXPECT_EQ(last.GetBytes("head"), 2 * 2 * tokens / 2 * 256 + 4 * tokens * 1024 / 2);
    EXPECT_EQ(MemoryFootprint(MakeSmallLlama(), plan, 0).GetBytes("embedding mask"), 0U);
}

TEST(MemoryFootprint, HoldsTheLayerThatIsRecomputed)
{
    ParallelPlan plan = MakePlan(2, false, "none");
    const uint64_t whole = GetKept(MakeSmall(), plan);
    plan.recompute = "full";
    const MemoryFootprint memory(MakeSmall(), plan, 0);
    EXPECT_EQ(memory.GetBytes("recomputed layer"), whole);
    EXPECT_EQ(memory.GetBytes("activations"), 8 * 2 * 128 * 256);
}

TEST(MemoryFootprint, TellsTheFormulaOfEachPart)
{
    ParallelPlan plan = MakePlan(2, false, "none");
    plan.pipeline = 2;
    plan.microBatches = 4;
    const auto parts = MemoryFootprint(MakeSmall(), plan, 0).GetParts();
    ASSERT_EQ(parts.size(), 5U);
    EXPECT_EQ(parts[0].formula.substr(0, 11), "beta P, P =");
    EXPECT_EQ(parts[3].formula,
              "8 layers x micro-batches in flight, each (4 beta + 2) T h + beta S (2 h + 2 u + 2 "
              "f)/t + (2 beta + 1) a S s/t");
    uint64_t sum = 0;
    for (const auto& part : parts)
    {
        sum += part.bytes;
    }
    EXPECT_EQ(MemoryFootprint(MakeSmall(), plan, 0).GetTotal(), sum);
    plan.recompute = "full";
    plan.zeroStage = 3;
    const MemoryFootprint experts(MakeSmallExperts(), plan, 0);
    for (const auto& part : experts.GetParts())
    {
        EXPECT_FALSE(part.formula.empty()) << part.name;
    }
}

TEST(MemoryFootprint, FallsWithMoreRanks)
{
    for (const auto& model : {MakeSmall(), MakeSmallLlama(), MakeSmallExperts()})
    {
        for (const std::string recompute : {"none", "selective", "full"})
        {
            for (const bool isSequenceParallel : {false, true})
            {
                ParallelPlan plan = MakePlan(1, isSequenceParallel, recompute);
                const auto measure = [&] { return MemoryFootprint(model, plan, 0).GetTotal(); };
                uint64_t before = measure();
                for (const uint32_t tensor : {2U, 4U})
                {
                    plan.tensor = tensor;
                    EXPECT_LT(measure(), before);
                    before = measure();
                }
                for (const uint32_t stage : {1U, 2U, 3U})
                {
                    plan.zeroStage = stage;
                    plan.data = 1;
                    before = measure();
                    for (const uint32_t data : {2U, 4U, 8U})
                    {
                        plan.data = data;
                        EXPECT_LT(measure(), before);
                        before = measure();
                    }
                }
            }
        }
    }
}
