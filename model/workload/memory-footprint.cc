/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-footprint.h"

#include "pipeline-schedule.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param count a number @return it as a text
std::string
ToText(Amount count)
{
    return std::to_string(count.Get("parameters"));
}

} // namespace

MemoryFootprint::MemoryFootprint(const TransformerModel& model,
                                 const ParallelPlan& plan,
                                 uint32_t stage,
                                 uint32_t expertPosition)
    : m_shape(model, plan),
      m_stage(stage),
      m_activations(m_shape, expertPosition),
      m_parameters(ParameterCounts::OfStage(m_shape, stage)),
      m_chunks(plan.GetLayersOfStage(model.layers, stage))
{
    AddState();
    AddGatheredUnits();
    AddActivations();
    AddWorkingSet();
    GetTotal();
}

const std::vector<MemoryFootprint::Part>&
MemoryFootprint::GetParts() const
{
    return m_parts;
}

uint64_t
MemoryFootprint::GetBytes(const std::string& name) const
{
    const auto part =
        std::find_if(m_parts.begin(), m_parts.end(), [&](const Part& p) { return p.name == name; });
    return part == m_parts.end() ? 0 : part->bytes;
}

uint64_t
MemoryFootprint::GetTotal() const
{
    Amount total;
    for (const auto& part : m_parts)
    {
        total += part.bytes;
    }
    return total.Get("memory of a rank");
}

const std::vector<uint32_t>&
MemoryFootprint::GetInFlight() const
{
    return m_inFlight;
}

Amount
MemoryFootprint::Kept::GetTotal() const
{
    return dense + experts + embedding + head;
}

void
MemoryFootprint::AddState()
{
    const uint32_t zero = m_shape.plan.zeroStage;
    const auto add =
        [this](const std::string& name, Amount factor, const std::string& symbol, bool isDivided) {
            const auto [bytes, formula] = GetState(factor, symbol, isDivided);
            Add(name, bytes, formula);
        };
    const bool isMaster = m_shape.plan.elementBytes == 4;
    add("weights", m_shape.element, "beta", zero >= 3);
    add("gradients", m_shape.gradient, "gamma", zero >= 2);
    add("optimizer", isMaster ? 8 : 12, isMaster ? "8" : "12", zero >= 1);
}

std::pair<Amount, std::string>
MemoryFootprint::GetState(Amount factor, const std::string& symbol, bool isDivided) const
{
    const Amount dense = m_parameters.GetDense();
    const bool hasExperts = 0 < m_parameters.experts;
    const uint32_t n = isDivided ? m_shape.layout.GetGroupSize("data") : 1;
    const uint32_t nExpert = isDivided ? m_shape.layout.GetGroupSize("expert-data") : 1;
    std::string formula = symbol + (isDivided ? " P/n" : " P") +
                          (hasExperts ? " + " + symbol + (isDivided ? " P_e/n_e" : " P_e") : "") +
                          ", P = " + ToText(dense) + (isDivided ? ", n = " + ToText(n) : "");
    if (hasExperts)
    {
        formula += ", P_e = " + ToText(m_parameters.experts) +
                   (isDivided ? ", n_e = " + ToText(nExpert) : "");
    }
    return {factor * (dense / n + m_parameters.experts / nExpert), formula};
}

void
MemoryFootprint::AddGatheredUnits()
{
    const ParallelPlan& plan = m_shape.plan;
    if (plan.zeroStage < 3)
    {
        return;
    }
    const uint32_t dense = m_shape.layout.GetGroupSize("data") > 1 ? 1 : 0;
    const uint32_t experts = m_shape.layout.GetGroupSize("expert-data") > 1 ? 1 : 0;
    const uint64_t most = uint64_t{1} + plan.prefetch;
    Amount unit;
    Amount row;
    Amount all;
    for (const auto& units : ParameterCounts::OfUnits(m_shape, m_stage))
    {
        std::vector<uint64_t> sums{0};
        for (const auto& counts : units)
        {
            const Amount parameters = dense * counts.GetDense() + experts * counts.experts;
            unit = std::max(unit, parameters);
            sums.push_back((parameters + sums.back()).Get("parameters gathered"));
            const std::size_t n = sums.size() - 1;
            row = std::max<Amount>(row, sums[n] - sums[n - std::min<uint64_t>(n, most)]);
        }
        all += sums.back();
    }
    const Amount gathered = plan.reshardAfterForward ? row : all;
    Add("gathered weights",
        m_shape.element * gathered,
        "beta P_g, P_g = " + ToText(gathered) +
            (plan.reshardAfterForward ? " of up to " + std::to_string(most) + " units in a row"
                                      : " of all units, kept until their backward pass"));
    Add("gathered gradients",
        m_shape.gradient * unit,
        "gamma P_u, largest unit P_u = " + ToText(unit));
}

void
MemoryFootprint::AddActivations()
{
    std::vector<Kept> kept;
    for (uint32_t i = 0; i < m_chunks.size(); ++i)
    {
        kept.push_back(GetKept(m_chunks[i], i));
    }
    m_inFlight = FindPeak(kept);
    Kept sum;
    Amount layers;
    Amount expertLayers;
    for (uint32_t i = 0; i < m_chunks.size(); ++i)
    {
        const auto& [first, end] = m_chunks[i];
        const uint32_t withExperts = m_shape.model.CountExpertLayers(first, end);
        layers += Amount(m_inFlight[i]) * (end - first - withExperts);
        expertLayers += Amount(m_inFlight[i]) * withExperts;
        sum.dense += m_inFlight[i] * kept[i].dense;
        sum.experts += m_inFlight[i] * kept[i].experts;
        sum.embedding += m_inFlight[i] * kept[i].embedding;
        sum.head += m_inFlight[i] * kept[i].head;
    }
    const std::string times = " layers x micro-batches in flight, each ";
    Add("activations", sum.dense, ToText(layers) + times + m_activations.GetFormula(false));
    Add("expert activations",
        sum.experts,
        ToText(expertLayers) + times + m_activations.GetFormula(true));
    Add("embedding mask", sum.embedding, ToText(m_inFlight.front()) + " in flight, each T h");
    Add("head", sum.head, ToText(m_inFlight.back()) + " in flight, each 2 beta T h + 4 S V/t");
}

void
MemoryFootprint::AddWorkingSet()
{
    if (m_shape.plan.recompute != "full")
    {
        return;
    }
    Amount largest;
    bool hasExperts = false;
    for (const auto& [first, end] : m_chunks)
    {
        for (uint32_t layer = first; layer < end; ++layer)
        {
            const Amount whole = m_activations.GetWhole(layer);
            if (largest < whole)
            {
                largest = whole;
                hasExperts = m_shape.model.HasExperts(layer);
            }
        }
    }
    Add("recomputed layer", largest, m_activations.GetWholeFormula(hasExperts));
}

MemoryFootprint::Kept
MemoryFootprint::GetKept(const ParallelPlan::LayerRange& chunk, uint32_t index) const
{
    const uint32_t nStages = m_shape.plan.pipeline;
    Kept kept;
    for (uint32_t layer = chunk.first; layer < chunk.end; ++layer)
    {
        Amount& sum = m_shape.model.HasExperts(layer) ? kept.experts : kept.dense;
        sum += m_activations.GetKept(layer);
    }
    if (m_stage == 0 && index == 0 && m_shape.model.HasDropout())
    {
        kept.embedding = m_shape.ownTokens * m_shape.hidden;
    }
    if (m_stage + 1 == nStages && index + 1 == m_chunks.size())
    {
        kept.head = 2 * m_shape.GetActivationBytes(m_shape.ownTokens) +
                    4 * m_shape.tokens * m_shape.vocabulary;
    }
    return kept;
}

std::vector<uint32_t>
MemoryFootprint::FindPeak(const std::vector<Kept>& kept) const
{
    const bool isSplit = m_shape.plan.schedule == "zero-bubble";
    const PassKind end = isSplit ? PassKind::WeightGradient : PassKind::Backward;
    std::vector<uint32_t> inFlight(kept.size(), 0);
    std::vector<uint32_t> peak = inFlight;
    double now = 0;
    double most = 0;
    for (const auto& pass : PipelineSchedule(m_shape.plan).GetPasses(m_stage))
    {
        const int change = pass.kind == PassKind::Forward ? 1 : pass.kind == end ? -1 : 0;
        inFlight[pass.chunk] += change;
        now += change * kept[pass.chunk].GetTotal().GetReal();
        if (now > most)
        {
            most = now;
            peak = inFlight;
        }
    }
    return peak;
}

void
MemoryFootprint::Add(const std::string& name, Amount bytes, const std::string& formula)
{
    if (0 < bytes)
    {
        m_parts.push_back({name, bytes.Get("bytes of " + name), formula});
    }
}

} // namespace mlcluster
} // namespace ns3
