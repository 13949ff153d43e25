/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PLAN_SOURCE_H
#define ML_CLUSTER_PLAN_SOURCE_H

#include "transformer-cases.h"

#include "ns3/training-checker.h"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// Draws plans that divide what they must.
class PlanSource
{
  public:
    /// @return a model and a plan by which it can be trained
    std::pair<TransformerModel, ParallelPlan> Draw()
    {
        while (true)
        {
            const TransformerModel model = DrawModel();
            const ParallelPlan plan = DrawPlan(model);
            Diagnostics diagnostics;
            TrainingChecker(model, plan, TrainingChecker::AtMember, diagnostics).Check();
            if (!diagnostics.HasErrors())
            {
                return {model, plan};
            }
        }
    }

  private:
    /// @return a model
    TransformerModel DrawModel()
    {
        const uint32_t kind = DrawBelow(3);
        TransformerModel model = kind == 0   ? MakeSmall()
                                 : kind == 1 ? MakeSmallLlama()
                                             : MakeSmallExperts();
        model.layers = 4;
        const bool isFused = DrawBelow(2) == 1;
        model.flashAttention = isFused;
        const bool isCausal = DrawBelow(2) == 1;
        model.causal = isCausal;
        return model;
    }

    /// @param model a model @return a plan for it
    ParallelPlan DrawPlan(const TransformerModel& model)
    {
        ParallelPlan plan;
        plan.tensor = 1U << DrawBelow(3);
        plan.context = 1U << DrawBelow(3);
        plan.data = 1U << DrawBelow(3);
        plan.pipeline = 1U << DrawBelow(3);
        plan.microBatch = 1U << DrawBelow(3);
        plan.microBatches = 1 + DrawBelow(5);
        plan.sequenceParallel = DrawBelow(2) == 1 || model.experts > 0;
        const std::vector<std::string> schemes{"ring", "all-gather", "ulysses"};
        plan.contextScheme = schemes[DrawBelow(3)];
        const std::vector<std::string> recomputations{"none", "selective", "full"};
        plan.recompute = recomputations[DrawBelow(3)];
        if (model.experts > 0)
        {
            DrawExperts(plan);
        }
        return plan;
    }

    /// @param end one more than the largest @return a number from 0
    uint32_t DrawBelow(uint32_t end)
    {
        return m_random() % end;
    }

    /// @param plan receives what concerns experts
    void DrawExperts(ParallelPlan& plan)
    {
        plan.expert = 1U << DrawBelow(4);
        plan.expertTensor = DrawBelow(2);
        const uint32_t load = DrawBelow(3);
        plan.capacityFactor = load == 1 ? 1.25 : 0;
        plan.expertSkew = load == 2 ? 0.8 : 0;
    }

    std::mt19937 m_random{20260101}; ///< fixed seed
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PLAN_SOURCE_H
