/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-traffic.h"

#include "expert-load.h"
#include "parameter-counts.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param factor a number @return it before a symbol: "3 ", nothing if it is 1
std::string
Times(uint32_t factor)
{
    return factor == 1 ? "" : std::to_string(factor) + " ";
}

} // namespace

PlanTraffic::PlanTraffic(const RankShape& shape, uint32_t stage, uint32_t expertPosition)
    : m_shape(shape),
      m_isFirst(stage == 0),
      m_isLast(stage + 1 == shape.plan.pipeline),
      m_stage(stage),
      m_microBatches(shape.plan.microBatches),
      m_nForward(shape.plan.recompute == "full" ? 2 : 1)
{
    for (const auto& [first, end] : shape.plan.GetLayersOfStage(shape.model.layers, stage))
    {
        m_nLayers += end - first;
        m_nExpertLayers += shape.model.CountExpertLayers(first, end);
    }
    AddTensor();
    AddTensorOfEnds();
    AddContext();
    AddExperts(expertPosition);
    AddPipeline();
    AddGradients();
    AddOnce();
}

const std::vector<PlanTraffic::Term>&
PlanTraffic::GetTerms() const
{
    return m_terms;
}

void
PlanTraffic::AddTensor()
{
    const bool hasShared = m_shape.model.sharedFfnSize > 0;
    const uint32_t blocks = 2 * m_nLayers - (hasShared ? 0 : m_nExpertLayers);
    const Amount times = m_microBatches * blocks;
    const Amount bytes = times * m_shape.GetActivationBytes(m_shape.tokens);
    const std::string formula = "m B beta S h";
    const uint32_t sums = m_nForward + 1;
    if (!m_shape.plan.sequenceParallel)
    {
        Add("tensor", "all-reduce", Times(sums) + formula, sums * bytes);
        return;
    }
    const uint32_t gathers = m_nForward + 2;
    Add("tensor",
        "all-gather",
        Times(gathers) + "m B beta T h",
        gathers * times * m_shape.GetActivationBytes(m_shape.ownTokens));
    Add("tensor", "reduce-scatter", Times(sums) + formula, sums * bytes);
}

void
PlanTraffic::AddTensorOfEnds()
{
    const Amount bytes = m_microBatches * m_shape.GetActivationBytes(m_shape.tokens);
    const std::string formula = "m beta S h";
    const bool isDivided = m_shape.plan.sequenceParallel;
    const Amount shard =
        isDivided ? m_microBatches * m_shape.GetActivationBytes(m_shape.ownTokens) : 0;
    const std::string sum = isDivided ? "reduce-scatter" : "all-reduce";
    if (m_isFirst)
    {
        Add("tensor", sum, formula + " (embedding)", bytes);
        Add("tensor", "all-gather", "m beta T h (embedding)", shard);
    }
    if (m_isLast)
    {
        Add("tensor", sum, formula + " (head)", bytes);
        Add("tensor", "all-gather", "2 m beta T h (head)", 2 * shard);
        Add("tensor", "all-reduce", "12 m S (head)", 12 * m_microBatches * m_shape.tokens);
    }
}

void
PlanTraffic::AddContext()
{
    const uint32_t c = m_shape.plan.context;
    const Amount layers = m_microBatches * m_nLayers;
    const Amount keys = 2 * m_shape.element * m_shape.tokens * m_shape.keyWidth;
    const uint32_t passes = m_nForward + 1;
    if (m_shape.plan.contextScheme == "ring")
    {
        Add("context",
            "send",
            "(" + std::to_string(passes + 1) + " c - " + std::to_string(passes) +
                ") 2 m l beta S u/t",
            ((uint64_t{passes} + 1) * c - passes) * layers * keys);
    }
    else if (m_shape.plan.contextScheme == "all-gather")
    {
        Add("context", "reduce-scatter", "2 m l c beta S u/t", layers * c * keys);
        Add("context",
            "all-gather",
            Times(m_nForward) + "2 m l beta S u/t",
            m_nForward * layers * keys);
    }
    else
    {
        const Amount queries = 2 * m_shape.element * m_shape.tokens * m_shape.queryWidth;
        Add("context",
            "all-to-all",
            Times(passes) + "2 m l beta S (h + u)/t",
            passes * layers * (queries + keys));
    }
}

void
PlanTraffic::AddExperts(uint32_t position)
{
    if (m_nExpertLayers == 0)
    {
        return;
    }
    const ExpertLoad load(m_shape);
    const auto& tokens = load.GetTokensOfMembers();
    const uint32_t passes = m_nForward + 1;
    const Amount layers = m_microBatches * m_nExpertLayers;
    const Amount sent = load.GetSent();
    if (tokens.empty())
    {
        Add("expert",
            "all-to-all",
            std::to_string(2 * passes) + " m l_x beta X h",
            2 * passes * layers * m_shape.GetActivationBytes(sent));
    }
    else
    {
        Add("expert",
            "all-to-all",
            Times(passes) + "m l_x beta (X + e I) h",
            passes * layers *
                m_shape.GetActivationBytes(sent + Amount(tokens.size()) * tokens[position]));
    }
    const Amount counts = m_shape.plan.capacityFactor > 0 ? 0 : 4 * Amount(m_shape.model.experts);
    Add("expert",
        "all-to-all",
        std::to_string(4 * m_nForward) + " m l_x E",
        m_nForward * layers * counts);
    const Amount bytes = layers * m_shape.GetActivationBytes(load.GetReceived(position));
    const std::string formula = Times(passes) + "m l_x beta N h";
    if (m_shape.plan.sequenceParallel)
    {
        Add("expert-tensor", "all-gather", formula, passes * bytes);
        Add("expert-tensor",
            "reduce-scatter",
            Times(passes) + "m l_x t_e beta N h",
            passes * m_shape.plan.GetExpertTensor() * bytes);
    }
    else
    {
        Add("expert-tensor", "all-reduce", formula, passes * bytes);
    }
}

void
PlanTraffic::AddPipeline()
{
    const uint32_t chunks = m_shape.plan.chunks;
    const uint32_t messages = 2 * chunks - (m_isFirst ? 1 : 0) - (m_isLast ? 1 : 0);
    Add("pipeline",
        "send",
        Times(messages) + "m beta T h",
        messages * m_microBatches * m_shape.GetActivationBytes(m_shape.ownTokens));
}

void
PlanTraffic::AddGradients()
{
    const auto counts = ParameterCounts::OfStage(m_shape, m_stage);
    const bool isOneKind = m_shape.layout.AreExpertsLikeDense();
    const bool hasExperts = 0 < counts.experts;
    AddGradients("data",
                 isOneKind && hasExperts ? "(P + P_x)" : "P",
                 isOneKind ? counts.GetTotal() : counts.GetDense());
    AddGradients("expert-data", "P_x", isOneKind ? 0 : counts.experts);
    if (m_isLast)
    {
        Add("data", "all-reduce", "4 (loss)", 4);
    }
}

void
PlanTraffic::AddGradients(const std::string& family, const std::string& symbol, Amount count)
{
    const auto& plan = m_shape.plan;
    const bool isEach = plan.zeroStage >= 2;
    Add(family,
        plan.zeroStage == 0 ? "all-reduce" : "reduce-scatter",
        (isEach ? "m gamma " : "gamma ") + symbol,
        (isEach ? m_microBatches : 1) * m_shape.gradient * count);
    const Amount shard = m_shape.element * (count / m_shape.layout.GetGroupSize(family));
    const std::string formula = "beta " + symbol + (family == "data" ? "/n" : "/n_e");
    if (plan.zeroStage == 3)
    {
        const uint32_t gathers = plan.reshardAfterForward ? 2 : 1;
        Add(family,
            "all-gather",
            Times(gathers) + "m " + formula,
            gathers * m_microBatches * shard);
    }
    else if (plan.zeroStage > 0 && plan.optimizer)
    {
        Add(family, "all-gather", formula, shard);
    }
}

void
PlanTraffic::AddOnce()
{
    const auto& plan = m_shape.plan;
    const bool isShard = plan.zeroStage >= 2;
    const uint32_t n = isShard ? m_shape.layout.GetGroupSize("data") : 1;
    const std::string divided = isShard ? "/n" : "";
    if (plan.sequenceParallel)
    {
        Add("tensor",
            "all-reduce",
            "gamma R" + divided,
            m_shape.gradient * (ParameterCounts::OfStage(m_shape, m_stage).replicated / n));
    }
    if (m_shape.model.IsTied() && m_isFirst != m_isLast)
    {
        Add("embedding",
            "all-reduce",
            "gamma V h/t" + divided,
            m_shape.gradient * (m_shape.vocabulary * m_shape.hidden / n));
    }
    if (plan.optimizer)
    {
        const bool isModel = plan.zeroStage == 0 && plan.expert == 1;
        Add(isModel ? "model" : "", "all-reduce", "8 (gradient norm)", 8);
    }
}

void
PlanTraffic::Add(const std::string& family,
                 const std::string& operation,
                 const std::string& formula,
                 Amount bytes)
{
    if (0 < bytes && m_shape.layout.GetGroupSize(family) > 1)
    {
        m_terms.push_back({family, operation, formula, bytes.Get("bytes of " + formula)});
    }
}

} // namespace mlcluster
} // namespace ns3
