/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAYER_ACTIVATIONS_H
#define ML_CLUSTER_LAYER_ACTIVATIONS_H

#include "rank-shape.h"

#include "ns3/amount.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a layer keeps of one micro-batch for its backward pass, bytes on one rank (Korthikanti et
 * al. 2022, section 4, for any FFN and number of key-value heads; mask bytes with dropout only).
 *
 * Tokens T, or S where the tensor group divides the width; u = g d; n matrices as wide as the FFN:
 * input and output of a GeLU, or gate, up and product of a SwiGLU.
 *
 * - Not divided by the tensor group but by sequence parallelism: two norm inputs, QKV input, FFN
 *   input, two masks: T h (4 beta + 2).
 * - Divided: queries, keys, values, projection input, n FFN matrices: beta S (2 h + 2 u + n f) / t.
 * - Attention core, unless recomputed: softmax, with dropout also mask and what is left:
 *   (2 beta + 1) a S s / t; fused: logarithms of sums, 4 a S / t.
 *
 * For a GPT with f = 4 h this is s b h (10 + 24 / t + 5 a s / (h t)); with full recomputation only
 * the input is kept, beta T h. With experts of width f_e the FFN's part counts for the N tokens
 * that those on the rank get, besides a copy of these and of the X tokens that the rank sends; the
 * shared expert's FFN has width f_s. With sequence parallelism experts divided over t_e ranks keep
 * the t_e N tokens that they gathered as the FFN's input, since they do not gather them again (see
 * ExpertProgram).
 */
class LayerActivations
{
  public:
    /// @param shape sizes on the rank, must outlive this @param expertPosition of the rank in its
    /// expert group
    explicit LayerActivations(const RankShape& shape, uint32_t expertPosition = 0);

    /// @param layer index of a layer @return bytes kept, as the plan recomputes
    Amount GetKept(uint32_t layer) const;
    /// @param layer index of a layer @return bytes kept without recomputation: what a layer that
    /// is recomputed needs while it is worked on
    Amount GetWhole(uint32_t layer) const;
    /// @param hasExperts of layers with, or of those without experts @return formula of GetKept
    std::string GetFormula(bool hasExperts) const;
    /// @param hasExperts of layers with, or of those without experts @return formula of GetWhole
    std::string GetWholeFormula(bool hasExperts) const;

  private:
    /// @param hasExperts whether the layer has experts @return bytes without the attention core
    Amount GetOutsideCore(bool hasExperts) const;
    /// @return bytes of the attention core
    Amount GetCore() const;
    /// @param hasExperts whether the layer has experts @return formula of GetOutsideCore
    std::string GetFormulaOutsideCore(bool hasExperts) const;
    /// @return formula of GetCore
    std::string GetFormulaOfCore() const;

    const RankShape& m_shape; ///< sizes on the rank
    Amount m_sent;            ///< tokens sent to experts
    Amount m_received;        ///< tokens that experts on the rank get
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAYER_ACTIVATIONS_H
