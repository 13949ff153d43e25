/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "layer-activations.h"

#include "expert-load.h"

namespace ns3
{
namespace mlcluster
{

LayerActivations::LayerActivations(const RankShape& shape, uint32_t expertPosition)
    : m_shape(shape)
{
    if (shape.model.experts > 0)
    {
        const ExpertLoad load(shape);
        m_sent = load.GetSent();
        m_received = load.GetReceived(expertPosition);
    }
}

Amount
LayerActivations::GetKept(uint32_t layer) const
{
    return m_shape.plan.recompute == "full"        ? m_shape.GetActivationBytes(m_shape.ownTokens)
           : m_shape.plan.recompute == "selective" ? GetOutsideCore(m_shape.model.HasExperts(layer))
                                                   : GetWhole(layer);
}

Amount
LayerActivations::GetWhole(uint32_t layer) const
{
    return GetOutsideCore(m_shape.model.HasExperts(layer)) + GetCore();
}

std::string
LayerActivations::GetFormula(bool hasExperts) const
{
    return m_shape.plan.recompute == "full"        ? "beta T h"
           : m_shape.plan.recompute == "selective" ? GetFormulaOutsideCore(hasExperts)
                                                   : GetWholeFormula(hasExperts);
}

std::string
LayerActivations::GetWholeFormula(bool hasExperts) const
{
    return GetFormulaOutsideCore(hasExperts) + " + " + GetFormulaOfCore();
}

Amount
LayerActivations::GetOutsideCore(bool hasExperts) const
{
    const TransformerModel& model = m_shape.model;
    const Amount mask = model.HasDropout() ? 1 : 0;
    const Amount inputs = m_shape.ownTokens * m_shape.hidden * (3 * m_shape.element + mask);
    const Amount divided =
        2 * m_shape.element * m_shape.tokens * (m_shape.queryWidth + m_shape.keyWidth);
    const Amount matrices = m_shape.element * (model.GetUpMatrices() + 1);
    if (!hasExperts)
    {
        return inputs + divided + m_shape.ownTokens * (m_shape.element + mask) * m_shape.hidden +
               m_shape.tokens * matrices * model.GetFfnSize() / m_shape.tensor;
    }
    const bool isGathered = m_shape.plan.sequenceParallel;
    const Amount spread = isGathered ? 1 : m_shape.tensor;
    const Amount copies = isGathered ? m_shape.plan.GetExpertTensor() : 1;
    const Amount shared = model.sharedFfnSize > 0
                              ? m_shape.GetActivationBytes(m_shape.ownTokens) +
                                    m_shape.tokens * matrices * model.sharedFfnSize / m_shape.tensor
                              : 0;
    return inputs + divided + m_received * m_shape.hidden * (copies * m_shape.element + mask) +
           m_received * matrices * model.GetExpertFfnSize() / spread +
           m_shape.GetActivationBytes(m_sent + m_received) + shared;
}

Amount
LayerActivations::GetCore() const
{
    const Amount queries = Amount(m_shape.model.heads) / m_shape.tensor * m_shape.tokens;
    const Amount bytes = m_shape.model.HasDropout() ? 2 * m_shape.element + 1 : m_shape.element;
    return m_shape.model.flashAttention ? 4 * queries
                                        : bytes * queries * m_shape.model.sequenceLength;
}

std::string
LayerActivations::GetFormulaOutsideCore(bool hasExperts) const
{
    const TransformerModel& model = m_shape.model;
    const bool hasMask = model.HasDropout();
    const std::string n = std::to_string(model.GetUpMatrices() + 1);
    const std::string dense = hasMask ? "(4 beta + 2) T h" : "4 beta T h";
    if (!hasExperts)
    {
        return dense + " + beta S (2 h + 2 u + " + n + " f)/t";
    }
    const std::string outside = hasMask ? "(3 beta + 1) T h" : "3 beta T h";
    const bool isGathered = m_shape.plan.sequenceParallel;
    const std::string divisor = isGathered ? "" : "/t";
    const std::string whole =
        isGathered && m_shape.plan.GetExpertTensor() > 1 ? "t_e beta" : "beta";
    const std::string input = hasMask ? "(" + whole + " + 1)" : whole;
    const std::string shared = model.sharedFfnSize > 0 ? " + beta (T h + " + n + " S f_s/t)" : "";
    return outside + " + beta S (2 h + 2 u)/t + N (" + input + " h + " + n + " beta f_e" + divisor +
           ") + beta (X + N) h" + shared;
}

std::string
LayerActivations::GetFormulaOfCore() const
{
    return m_shape.model.flashAttention ? "4 a S/t"
           : m_shape.model.HasDropout() ? "(2 beta + 1) a S s/t"
                                        : "beta a S s/t";
}

} // namespace mlcluster
} // namespace ns3
