/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layered-generator.h"

#include "rank-digits.h"
#include "step-graph.h"

namespace ns3
{
namespace mlcluster
{

ClusterWorkload
MakeLayeredWorkload(const LayeredModel& model, const LayeredPlan& plan)
{
    const auto& setting = plan.setting;
    const LayeredSteps layers(model.layers, plan.parallelism, setting);
    StepList list;
    GradientBuckets buckets(list, plan.bucketBytes);
    const Amount outputs =
        model.layers.back().GetOutputElements() * (setting.batch / setting.ranks);
    const auto loss = list.Compute("loss",
                                   outputs * 5,
                                   outputs * 2 * setting.elementBytes,
                                   layers.AddForward(list, {}));
    const auto last = layers.AddBackward(list, buckets, false, loss);
    const auto reduced = buckets.Flush();
    list.Compute("optimizer",
                 layers.GetParameters() * 4,
                 layers.GetParameters() * 5 * setting.gradientBytes,
                 last + reduced);
    const auto graph = MakeStepGraph(list.Take(), plan.steps, setting.ranks);
    CommunicatorGroups groups;
    GroupFamilies families;
    if (layers.HasTensorGroups())
    {
        const uint64_t nGroups = setting.ranks / setting.tensor;
        RankDigits({{1, setting.tensor}}, setting.ranks).AddFamily("tensor", groups, families);
        RankDigits({{setting.tensor, nGroups}}, setting.ranks).AddFamily("data", groups, families);
    }
    return ClusterWorkload(std::vector<std::shared_ptr<const ExecutionGraph>>(setting.ranks, graph),
                           groups,
                           families);
}

} // namespace mlcluster
} // namespace ns3
