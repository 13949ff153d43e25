/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MODEL_FLOPS_H
#define ML_CLUSTER_MODEL_FLOPS_H

#include "rank-shape.h"

#include "ns3/amount.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Floating-point operations of a training step on all ranks together, from the model alone: those
 * of products of matrices, as is the custom.
 *
 * Forward, per sequence of s tokens: L layers of s (2 h (h + 2 u) + 2 h^2 + 4 h f) + 4 s^2 h (gated
 * 6 h f; u = g d; a causal fused attention core half), and s 2 h V for logits. The model's
 * operations are three times that (Narayanan et al. 2021, for a GPT 72 B s L h^2 (1 + s/(6 h) +
 * V/(12 L h)) in a step of B sequences). Those of the hardware also have what is computed
 * again: with full recomputation the layers' forward pass (96 B s L h^2 (1 + s/(6 h) + V/(16 L
 * h))), with selective that of the attention core, and half of that in a fused attention's backward
 * pass.
 *
 * Korthikanti et al. (2022, appendix A) have the attention core twice in their hardware's
 * operations with selective recomputation, 72 B s L h^2 (1 + s/(3 h) + ...), where four thirds are
 * computed.
 *
 * Experts count for the tokens that go to them, without those that a capacity factor drops, on
 * hardware for all the room that it gives; the router counts once.
 */
class ModelFlops
{
  public:
    /// @param model the model @param plan how it is trained; both checked (see TrainingChecker)
    ModelFlops(const TransformerModel& model, const ParallelPlan& plan);

    double GetModel() const;         ///< @return operations of a step without recomputation
    double GetHardware() const;      ///< @return operations of a step as they are done
    double GetTokens() const;        ///< @return tokens of a step: b m D s
    double GetModelPerToken() const; ///< @return operations of a token without recomputation

    /**
     * @param stepSeconds time of a step, above 0
     * @param peak operations per second of an NPU, above 0
     * @return MFU, the part of the NPUs' peak that the model's operations are (Chowdhery et al.
     *         2022)
     */
    double GetModelUtilization(double stepSeconds, double peak) const;
    /// @param stepSeconds time of a step, above 0 @param peak operations per second of an NPU,
    /// above 0 @return HFU, the same of the hardware's operations
    double GetHardwareUtilization(double stepSeconds, double peak) const;

  private:
    /// @return times that tokens of a micro-batch, and room that is left, are computed by experts
    Amount GetExpertTokens() const;
    /// @return attention core of a micro-batch, all layers, forward
    Amount GetCore() const;
    /// @param expertTokens times that the tokens of a micro-batch go to experts @return products of
    /// all layers of a micro-batch, forward
    Amount GetProducts(Amount expertTokens) const;
    /// @return logits of a micro-batch, forward
    Amount GetLogits() const;

    RankShape m_shape;     ///< model and plan
    Amount m_tokens;       ///< b s
    Amount m_microBatches; ///< of a step, m D
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MODEL_FLOPS_H
