/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-shape.h"

namespace ns3
{
namespace mlcluster
{

RankShape::RankShape(const TransformerModel& model, const ParallelPlan& plan)
    : model(model),
      plan(plan),
      layout(plan),
      element(plan.elementBytes),
      gradient(plan.gradientBytes),
      hidden(model.hiddenSize),
      tensor(plan.tensor),
      tokens(Amount(plan.microBatch) * model.sequenceLength / plan.context),
      ownTokens(plan.sequenceParallel ? tokens / tensor : tokens),
      queryWidth(hidden / tensor),
      keyWidth(model.GetKvSize() / tensor),
      vocabulary(model.vocabulary / tensor)
{
}

Amount
RankShape::GetActivationBytes(Amount rows) const
{
    return element * rows * hidden;
}

} // namespace mlcluster
} // namespace ns3
