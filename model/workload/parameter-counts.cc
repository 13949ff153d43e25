/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parameter-counts.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param model a model @param width of an FFN @return its weights
Amount
CountFeedForward(const TransformerModel& model, uint64_t width)
{
    return (model.GetUpMatrices() + 1) * Amount(model.hiddenSize) * width;
}

} // namespace

ParameterCounts
ParameterCounts::OfLayer(const RankShape& shape, uint32_t layer)
{
    const TransformerModel& model = shape.model;
    const bool hasExperts = model.HasExperts(layer);
    const Amount attentionBiases = model.HasBiases() ? shape.hidden + 2 * model.GetKvSize() : 0;
    const Amount bias = model.HasBiases() ? shape.hidden : 0;
    ParameterCounts counts;
    counts.divided = 2 * shape.hidden * (shape.hidden + model.GetKvSize()) + attentionBiases;
    counts.replicated = 2 * model.GetNormSize() + bias;
    if (hasExperts)
    {
        counts.divided += CountFeedForward(model, model.sharedFfnSize);
        counts.replicated += shape.hidden * model.experts;
        counts.experts = Amount(model.experts) * CountFeedForward(model, model.GetExpertFfnSize()) /
                         shape.plan.expert / shape.layout.GetGroupSize("expert-tensor");
    }
    else
    {
        counts.divided += CountFeedForward(model, model.GetFfnSize()) +
                          (model.HasBiases() ? model.GetFfnSize() : 0);
        counts.replicated += bias;
    }
    counts.divided = counts.divided / shape.tensor;
    return counts;
}

ParameterCounts
ParameterCounts::OfEmbedding(const RankShape& shape)
{
    ParameterCounts counts;
    counts.divided = shape.vocabulary * shape.hidden;
    counts.positions =
        shape.model.HasLearnedPositions() ? shape.hidden * shape.model.sequenceLength : 0;
    return counts;
}

ParameterCounts
ParameterCounts::OfHead(const RankShape& shape)
{
    ParameterCounts counts;
    counts.divided =
        shape.model.IsTied() && shape.plan.pipeline == 1 ? 0 : shape.vocabulary * shape.hidden;
    counts.replicated = shape.model.GetNormSize();
    return counts;
}

std::vector<std::vector<ParameterCounts>>
ParameterCounts::OfUnits(const RankShape& shape, uint32_t stage)
{
    std::vector<std::vector<ParameterCounts>> chunks;
    for (const auto& [first, end] : shape.plan.GetLayersOfStage(shape.model.layers, stage))
    {
        auto& units = chunks.emplace_back();
        if (stage == 0 && chunks.size() == 1)
        {
            units.push_back(OfEmbedding(shape));
        }
        for (uint32_t layer = first; layer < end; ++layer)
        {
            units.push_back(OfLayer(shape, layer));
        }
    }
    if (stage + 1 == shape.plan.pipeline)
    {
        chunks.back().push_back(OfHead(shape));
    }
    return chunks;
}

ParameterCounts
ParameterCounts::OfStage(const RankShape& shape, uint32_t stage)
{
    ParameterCounts counts;
    for (const auto& units : OfUnits(shape, stage))
    {
        for (const auto& unit : units)
        {
            counts += unit;
        }
    }
    return counts;
}

uint64_t
ParameterCounts::OfModel(const TransformerModel& model)
{
    return OfStage(RankShape(model, {}), 0).GetTotal().Get("parameters of the model");
}

uint64_t
ParameterCounts::OfToken(const TransformerModel& model)
{
    const auto whole = OfStage(RankShape(model, {}), 0);
    const Amount experts = model.experts > 0 ? whole.experts * model.topExperts / model.experts : 0;
    return (whole.GetDense() + experts).Get("parameters that a token uses");
}

Amount
ParameterCounts::GetDense() const
{
    return divided + replicated + positions;
}

Amount
ParameterCounts::GetTotal() const
{
    return GetDense() + experts;
}

ParameterCounts&
ParameterCounts::operator+=(const ParameterCounts& other)
{
    divided += other.divided;
    replicated += other.replicated;
    positions += other.positions;
    experts += other.experts;
    return *this;
}

} // namespace mlcluster
} // namespace ns3
