/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-flops.h"

#include "expert-load.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

ModelFlops::ModelFlops(const TransformerModel& model, const ParallelPlan& plan)
    : m_shape(model, plan),
      m_tokens(Amount(plan.microBatch) * model.sequenceLength),
      m_microBatches(Amount(plan.microBatches) * plan.data)
{
}

double
ModelFlops::GetModel() const
{
    const Amount routed = m_tokens * m_shape.model.topExperts;
    const Amount products = GetProducts(std::min(routed, GetExpertTokens()));
    return (3 * m_microBatches * (products + GetCore() + GetLogits())).GetReal();
}

double
ModelFlops::GetHardware() const
{
    const TransformerModel& model = m_shape.model;
    const Amount products = GetProducts(GetExpertTokens());
    const bool isFull = m_shape.plan.recompute == "full";
    const bool isCoreRepeated = m_shape.plan.recompute != "none";
    const Amount halfCore = GetCore() / 2;
    return (m_microBatches *
            ((isFull ? 4 : 3) * products +
             (6 + (isCoreRepeated ? 2 : 0) + (model.flashAttention ? 1 : 0)) * halfCore +
             3 * GetLogits()))
        .GetReal();
}

double
ModelFlops::GetTokens() const
{
    return (m_tokens * m_microBatches).GetReal();
}

double
ModelFlops::GetModelPerToken() const
{
    return GetModel() / GetTokens();
}

double
ModelFlops::GetModelUtilization(double stepSeconds, double peak) const
{
    return GetModel() / (stepSeconds * peak * m_shape.layout.GetNRanks());
}

double
ModelFlops::GetHardwareUtilization(double stepSeconds, double peak) const
{
    return GetHardware() / (stepSeconds * peak * m_shape.layout.GetNRanks());
}

Amount
ModelFlops::GetExpertTokens() const
{
    const Amount routers = m_tokens / m_shape.ownTokens;
    return m_shape.model.experts > 0 ? routers * ExpertLoad(m_shape).GetSent() : 0;
}

Amount
ModelFlops::GetCore() const
{
    const TransformerModel& model = m_shape.model;
    return Amount(model.layers) * (model.flashAttention && model.causal ? 2 : 4) * m_tokens *
           model.sequenceLength * m_shape.hidden;
}

Amount
ModelFlops::GetProducts(Amount expertTokens) const
{
    const TransformerModel& model = m_shape.model;
    const Amount h = m_shape.hidden;
    const Amount matrices = model.GetUpMatrices() + 1;
    const Amount attention = 4 * h * (h + model.GetKvSize());
    const Amount withExperts = model.CountExpertLayers(0, model.layers);
    const Amount without = model.layers - model.CountExpertLayers(0, model.layers);
    const Amount dense = m_tokens * 2 * matrices * h * model.GetFfnSize();
    const Amount shared = m_tokens * 2 * h * (matrices * model.sharedFfnSize + model.experts);
    const Amount experts = expertTokens * 2 * matrices * h * model.GetExpertFfnSize();
    return m_tokens * attention * model.layers + without * dense + withExperts * (shared + experts);
}

Amount
ModelFlops::GetLogits() const
{
    return 2 * m_tokens * m_shape.hidden * m_shape.model.vocabulary;
}

} // namespace mlcluster
} // namespace ns3
