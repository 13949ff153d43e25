/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PLAN_CASES_H
#define ML_CLUSTER_PLAN_CASES_H

#include "ns3/parallel-plan.h"
#include "ns3/transformer-model.h"

#include <random>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// A model with a plan that divides it.
struct PlanCase
{
    TransformerModel model; ///< the model
    ParallelPlan plan;      ///< the plan

    /// @return what it is, for messages
    std::string Describe() const
    {
        return "t " + std::to_string(plan.tensor) + " c " + std::to_string(plan.context) + " p " +
               std::to_string(plan.pipeline) + " D " + std::to_string(plan.data) + " e " +
               std::to_string(plan.expert) + " te " + std::to_string(plan.expertTensor) + " m " +
               std::to_string(plan.microBatches) + " v " + std::to_string(plan.chunks) + " L " +
               std::to_string(model.layers) + " E " + std::to_string(model.experts) + " zero " +
               std::to_string(plan.zeroStage) + " " + plan.schedule + " " + plan.contextScheme +
               " recompute " + plan.recompute + (plan.sequenceParallel ? " sp" : "") +
               (model.family == TransformerModel::Family::Gpt ? " gpt" : " llama");
    }
};

/// @param random source @param n how many @return a number from 0 to n - 1
inline uint32_t
Draw(std::mt19937& random, uint32_t n)
{
    return random() % n;
}

/// @param random source @param words some @return one of them
template <typename T>
T
DrawOne(std::mt19937& random, const std::vector<T>& words)
{
    return words[Draw(random, words.size())];
}

/// @param random source @return a small model with a plan whose degrees divide it
inline PlanCase
DrawPlanCase(std::mt19937& random)
{
    PlanCase drawn;
    TransformerModel& model = drawn.model;
    ParallelPlan& plan = drawn.plan;
    plan.tensor = 1U << Draw(random, 3);
    plan.context = 1U << Draw(random, 2);
    plan.pipeline = 1 + Draw(random, 4);
    plan.data = DrawOne<uint32_t>(random, {1, 2, 3, 4});
    plan.sequenceParallel = plan.tensor > 1 && Draw(random, 2) == 1;
    plan.contextScheme = DrawOne<std::string>(random, {"ring", "all-gather", "ulysses"});
    plan.rankOrder = DrawOne<std::string>(random,
                                          {"tensor-context-data-pipeline",
                                           "data-tensor-pipeline-context",
                                           "pipeline-context-tensor-data"});
    plan.schedule = DrawOne<std::string>(random, {"gpipe", "1f1b", "interleaved", "zero-bubble"});
    const bool isInterleaved = plan.schedule == "interleaved" && plan.pipeline > 1;
    plan.chunks = isInterleaved ? 2 + Draw(random, 2) : 1;
    plan.microBatches = (1 + Draw(random, 3)) * (isInterleaved ? plan.pipeline : 1);
    plan.microBatch = 1 + Draw(random, 2);
    plan.zeroStage = Draw(random, 4);
    plan.bucketBytes = DrawOne<uint64_t>(random, {0, 20000, 1 << 20});
    plan.prefetch = Draw(random, 3);
    plan.reshardAfterForward = Draw(random, 2) == 1;
    plan.overlapGradients = Draw(random, 2) == 1;
    plan.recompute = DrawOne<std::string>(random, {"none", "selective", "full"});
    plan.gradientBytes = DrawOne<uint32_t>(random, {2, 4});
    model.family = DrawOne<TransformerModel::Family>(
        random,
        {TransformerModel::Family::Gpt, TransformerModel::Family::Llama});
    model.layers = plan.pipeline * plan.chunks + Draw(random, 6);
    model.heads = 8;
    model.kvHeads = Draw(random, 2) == 1 ? 8 : 0;
    model.hiddenSize = 64;
    model.ffnSize = 192;
    model.vocabulary = 512;
    model.sequenceLength = 64;
    model.flashAttention = Draw(random, 2) == 1;
    model.causal = model.flashAttention && Draw(random, 2) == 1;
    if (Draw(random, 2) == 1)
    {
        model.experts = 16;
        model.topExperts = 1 + Draw(random, 2);
        model.expertInterval = 1 + Draw(random, 2);
        model.expertFfnSize = 128;
        model.sharedFfnSize = Draw(random, 2) == 1 ? 64 : 0;
        plan.expertTensor = plan.sequenceParallel ? Draw(random, 2) : 0;
        const uint32_t ranks =
            plan.context * plan.data * (plan.expertTensor == 1 ? plan.tensor : 1);
        plan.expert = DrawOne<uint32_t>(random, {1, 2, 4});
        plan.expert = ranks % plan.expert == 0 ? plan.expert : 1;
        plan.expertSkew = Draw(random, 3) == 0 ? 0.7 : 0;
        plan.capacityFactor = plan.expertSkew == 0 && Draw(random, 2) == 1 ? 1.25 : 0;
    }
    return drawn;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PLAN_CASES_H
