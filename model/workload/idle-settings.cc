/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idle-settings.h"

#include "rank-layout.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// A setting, which is idle or not.
struct Candidate
{
    std::string member; ///< see IdleSetting
    bool isIdle;        ///< whether it differs from the default and changes nothing
    std::string reason; ///< see IdleSetting
};

/// @param model a model @param plan its plan @return whether parameters are on several ranks
bool
HasCopies(const TransformerModel& model, const ParallelPlan& plan)
{
    const RankLayout layout(plan);
    return layout.GetGroupSize("data") > 1 ||
           (model.experts > 0 && layout.GetGroupSize("expert-data") > 1);
}

/// @param model a model @param plan its plan @return settings of the model and of its experts
std::vector<Candidate>
GetOfModel(const TransformerModel& model, const ParallelPlan& plan)
{
    const bool hasExperts = model.experts > 0;
    return {{"causal",
             model.causal && !model.flashAttention,
             "without flash-attention: attention that is not fused computes all scores and masks "
             "half of them"},
            {"expertInterval", !hasExperts && model.expertInterval != 1, "without experts"},
            {"expertTensor", !hasExperts && plan.expertTensor != 0, "without experts"},
            {"expertSkew",
             plan.expertSkew > 0 && plan.capacityFactor > 0,
             "with a capacity-factor: all the room is sent and computed on, filled or not"},
            {"expertSkew",
             plan.expertSkew > 0 && plan.capacityFactor == 0 && plan.expert == 1,
             "with an expert degree of 1: each rank has all experts"}};
}

/// @param plan a plan @return settings of how work is divided
std::vector<Candidate>
GetOfDivision(const ParallelPlan& plan)
{
    const ParallelPlan defaults;
    const std::vector<uint32_t> degrees{plan.tensor, plan.context, plan.pipeline, plan.data};
    const auto nDivided =
        std::count_if(degrees.begin(), degrees.end(), [](uint32_t degree) { return degree > 1; });
    return {{"sequenceParallel",
             plan.sequenceParallel && plan.tensor == 1,
             "with a tensor degree of 1"},
            {"contextScheme",
             plan.contextScheme != defaults.contextScheme && plan.context == 1,
             "with a context degree of 1"},
            {"rankOrder",
             plan.rankOrder != defaults.rankOrder && nDivided < 2,
             "unless two of tensor, context, data and pipeline are above 1"}};
}

/// @param plan a plan @param hasCopies whether parameters are on several ranks @return settings of
/// data parallelism
std::vector<Candidate>
GetOfSharding(const ParallelPlan& plan, bool hasCopies)
{
    const ParallelPlan defaults;
    const bool isBucket = plan.bucketBytes != defaults.bucketBytes;
    const bool isUnits = plan.zeroStage == 3;
    const std::string alone = "as no two ranks have the same parameters";
    return {{"zeroStage", plan.zeroStage != 0 && !hasCopies, alone},
            {"bucketBytes", isBucket && !hasCopies, alone},
            {"bucketBytes",
             isBucket && hasCopies && isUnits,
             "with a zero-stage of 3, which reduces gradients layer by layer"},
            {"overlapGradients", !plan.overlapGradients && !hasCopies, alone},
            {"prefetch",
             plan.prefetch != defaults.prefetch && !isUnits,
             "with a zero-stage below 3, which gathers no layers"},
            {"reshardAfterForward",
             !plan.reshardAfterForward && !isUnits,
             "with a zero-stage below 3, which gathers no layers"}};
}

} // namespace

std::vector<IdleSetting>
FindIdleSettings(const TransformerModel& model, const ParallelPlan& plan)
{
    std::vector<IdleSetting> idle;
    for (const auto& candidates : {GetOfModel(model, plan),
                                   GetOfDivision(plan),
                                   GetOfSharding(plan, HasCopies(model, plan))})
    {
        for (const auto& candidate : candidates)
        {
            if (candidate.isIdle)
            {
                idle.push_back({candidate.member, candidate.reason});
            }
        }
    }
    return idle;
}

} // namespace mlcluster
} // namespace ns3
