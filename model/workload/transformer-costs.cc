/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-costs.h"

#include "attention-program.h"
#include "expert-program.h"
#include "feed-forward-program.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param builder receives the steps @return the FFN of a dense layer
FeedForwardProgram
MakeDense(ProgramBuilder& builder)
{
    const RankShape& shape = builder.GetShape();
    return {builder,
            {"ffn",
             builder.GetTokenDivision(),
             shape.tokens,
             Amount(shape.model.GetFfnSize()) / shape.tensor}};
}

} // namespace

TransformerCosts::TransformerCosts(const TransformerModel& model, const ParallelPlan& plan)
    : m_shape(model, plan)
{
}

LayerProgram
TransformerCosts::GetForward(uint32_t layer, uint32_t expertPosition) const
{
    ProgramBuilder builder(m_shape);
    const Steps output = AddForward(builder, layer, expertPosition, {});
    return builder.Finish(output);
}

LayerProgram
TransformerCosts::GetBackward(uint32_t layer, uint32_t expertPosition) const
{
    ProgramBuilder builder(m_shape);
    Steps x;
    if (m_shape.plan.recompute == "full")
    {
        builder.SetPrefix("recompute ");
        x = AddForward(builder, layer, expertPosition, x);
        builder.SetPrefix("");
    }
    x = AddResidualBackward(builder, "residual 2 backward", x);
    x = m_shape.model.HasExperts(layer) ? ExpertProgram(builder, expertPosition).AddBackward(x)
                                        : MakeDense(builder).AddBackward(x);
    x = AddNormBackward(builder, "norm 2 backward", x);
    x = AddResidualBackward(builder, "residual 1 backward", x);
    x = AttentionProgram(builder).AddBackward(x);
    x = AddNormBackward(builder, "norm 1 backward", x);
    return builder.Finish(x);
}

LayerProgram
TransformerCosts::GetEmbeddingForward() const
{
    ProgramBuilder builder(m_shape);
    Steps x = builder.Compute("embedding", 0, 2 * m_shape.GetActivationBytes(m_shape.tokens), {});
    x = builder.Sum("embedding", builder.GetTokenDivision(), x);
    if (m_shape.model.HasLearnedPositions())
    {
        x = builder.Compute("positions",
                            2 * m_shape.ownTokens * m_shape.hidden,
                            3 * m_shape.GetActivationBytes(m_shape.ownTokens),
                            x);
    }
    return builder.Finish(x);
}

LayerProgram
TransformerCosts::GetEmbeddingBackward() const
{
    ProgramBuilder builder(m_shape);
    Steps x;
    if (m_shape.model.HasLearnedPositions())
    {
        x = AddResidualBackward(builder, "positions backward", x);
    }
    x = builder.Gather("embedding dY all-gather", builder.GetTokenDivision(), x);
    const Amount elements = m_shape.tokens * m_shape.hidden;
    return builder.Finish(builder.ComputeWeightGradient("embedding dW",
                                                        elements,
                                                        2 * m_shape.gradient * elements,
                                                        x));
}

LayerProgram
TransformerCosts::GetHeadForward() const
{
    const auto reduce = [&](ProgramBuilder& builder, const std::string& what, const Steps& after) {
        return builder.Communicate(what + " all-reduce",
                                   CollectiveType::AllReduce,
                                   "tensor",
                                   4 * m_shape.tokens,
                                   after);
    };
    const Amount elements = m_shape.tokens * m_shape.vocabulary;
    ProgramBuilder builder(m_shape);
    Steps x = AddNorm(builder, "final norm", {});
    x = builder.Gather("logits all-gather", builder.GetTokenDivision(), x);
    x = builder.Multiply(GetLogits(), x);
    x = reduce(builder, "maximum", x);
    x = builder.Compute("cross-entropy", 5 * elements, 4 * elements, x);
    x = reduce(builder, "target logit", x);
    x = reduce(builder, "sum of exponentials", x);
    return builder.Finish(x);
}

LayerProgram
TransformerCosts::GetHeadBackward() const
{
    const Amount elements = m_shape.tokens * m_shape.vocabulary;
    ProgramBuilder builder(m_shape);
    Steps x =
        builder.Compute("cross-entropy backward", elements, (4 + m_shape.element) * elements, {});
    x = builder.MultiplyColumnsBackward(GetLogits(), builder.GetTokenDivision(), x);
    return builder.Finish(AddNormBackward(builder, "final norm backward", x));
}

LayerProgram
TransformerCosts::GetOptimizer(const ParameterCounts& parameters) const
{
    const bool isSharded = m_shape.plan.zeroStage > 0;
    const Amount held =
        parameters.GetDense() / (isSharded ? m_shape.layout.GetGroupSize("data") : 1) +
        parameters.experts / (isSharded ? m_shape.layout.GetGroupSize("expert-data") : 1);
    const Amount weight = m_shape.plan.elementBytes < 4 ? m_shape.element : 0;
    const Amount given = m_shape.plan.optimizerBytes;
    ProgramBuilder builder(m_shape);
    Steps norm = builder.Compute("gradient norm", 2 * held, m_shape.gradient * held, {});
    norm = builder.Communicate("gradient norm all-reduce",
                               CollectiveType::AllReduce,
                               isSharded || m_shape.plan.expert > 1 ? "" : "model",
                               8,
                               norm);
    return builder.Finish(
        builder.Compute("adam",
                        12 * held,
                        (m_shape.plan.optimizerBytes > 0 ? given : 28 + weight) * held,
                        norm));
}

const RankShape&
TransformerCosts::GetShape() const
{
    return m_shape;
}

uint64_t
TransformerCosts::GetBoundaryBytes() const
{
    return m_shape.GetActivationBytes(m_shape.ownTokens).Get("bytes between stages");
}

TransformerCosts::Steps
TransformerCosts::AddForward(ProgramBuilder& builder,
                             uint32_t layer,
                             uint32_t expertPosition,
                             const Steps& after) const
{
    Steps x = AddNorm(builder, "norm 1", after);
    x = AttentionProgram(builder).AddForward(x);
    x = AddResidual(builder, "residual 1", x);
    x = AddNorm(builder, "norm 2", x);
    x = m_shape.model.HasExperts(layer) ? ExpertProgram(builder, expertPosition).AddForward(x)
                                        : MakeDense(builder).AddForward(x);
    return AddResidual(builder, "residual 2", x);
}

TransformerCosts::Steps
TransformerCosts::AddNorm(ProgramBuilder& builder,
                          const std::string& name,
                          const Steps& after) const
{
    return builder.Compute(name,
                           5 * m_shape.ownTokens * m_shape.hidden,
                           2 * m_shape.GetActivationBytes(m_shape.ownTokens) +
                               m_shape.element * m_shape.model.GetNormSize(),
                           after);
}

TransformerCosts::Steps
TransformerCosts::AddNormBackward(ProgramBuilder& builder,
                                  const std::string& name,
                                  const Steps& after) const
{
    return builder.Compute(name,
                           8 * m_shape.ownTokens * m_shape.hidden,
                           3 * m_shape.GetActivationBytes(m_shape.ownTokens) +
                               2 * m_shape.gradient * m_shape.model.GetNormSize(),
                           after);
}

TransformerCosts::Steps
TransformerCosts::AddResidual(ProgramBuilder& builder,
                              const std::string& name,
                              const Steps& after) const
{
    const Amount elements = m_shape.ownTokens * m_shape.hidden;
    const bool hasMask = m_shape.model.HasDropout();
    const bool hasBias = m_shape.model.HasBiases();
    return builder.Compute(name,
                           (1 + (hasBias ? 1 : 0) + (hasMask ? 1 : 0)) * elements,
                           (3 * m_shape.element + (hasMask ? 1 : 0)) * elements,
                           after);
}

TransformerCosts::Steps
TransformerCosts::AddResidualBackward(ProgramBuilder& builder,
                                      const std::string& name,
                                      const Steps& after) const
{
    const Amount elements = m_shape.ownTokens * m_shape.hidden;
    return builder.Compute(name,
                           (m_shape.model.HasDropout() ? 2 : 1) * elements,
                           2 * m_shape.element * elements,
                           after);
}

ProgramBuilder::Product
TransformerCosts::GetLogits() const
{
    return {"logits", m_shape.tokens, m_shape.hidden, m_shape.vocabulary};
}

} // namespace mlcluster
} // namespace ns3
