/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PIPELINE_SCHEDULE_H
#define ML_CLUSTER_PIPELINE_SCHEDULE_H

#include "parallel-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a pass over a chunk of the model does with a micro-batch.
 */
enum class PassKind
{
    Forward,       ///< the forward pass
    Backward,      ///< the backward pass, gradients of inputs and of weights
    InputGradient, ///< the part of it that the stage before waits for
    WeightGradient ///< the other part
};

/**
 * @ingroup ml-cluster
 * One pass of a stage.
 */
struct PipelinePass
{
    PassKind kind;       ///< what it does
    uint32_t microBatch; ///< from 0
    uint32_t chunk;      ///< which of the stage's parts of the model, from 0
};

/**
 * @ingroup ml-cluster
 * The order in which the stages of a pipeline work. With p stages, m micro-batches, stage i from 0:
 *
 * - gpipe (Huang et al., NeurIPS 2019): all forward passes, then all backward ones, last
 *   micro-batch first;
 * - 1f1b (PipeDream-Flush; Narayanan et al., SC 2021): w = min(p - 1 - i, m) forward passes, then
 *   a forward and a backward pass in turn, then the backward passes left;
 * - interleaved (the same paper; Megatron-LM): v chunks a stage, w = min(2 (p - 1 - i) + (v - 1) p,
 *   m v); the k-th forward pass is of chunk (k mod p v) div p and micro-batch p (k div p v) +
 *   k mod p, backward passes likewise with the last chunk first; m is a multiple of p; with one
 * chunk it is 1f1b;
 * - zero-bubble (ZB-H1; Qi et al., ICLR 2024): as 1f1b, but backward passes are cut in two: that of
 *   inputs takes the place of the whole, that of weights follows i micro-batches later, so that all
 *   stages hold activations of about p micro-batches.
 *
 * Times of a step, with t_f and t_b those of a stage, equal stages and free communication:
 * (m + p - 1) (t_f + t_b) for gpipe and 1f1b; (m + (p - 1) / v) (t_f + t_b) for interleaved; m (t_f
 * + t_dX + t_dW) + (p - 1) (t_f + t_dX - t_dW) for zero-bubble if the three are equal and m is at
 * least p.
 */
class PipelineSchedule
{
  public:
    /**
     * @param plan schedule, pipeline, microBatches and chunks
     * @throw InputError if the schedule is unknown, a number is 0, or chunks or micro-batches do
     * not suit it
     */
    explicit PipelineSchedule(const ParallelPlan& plan);

    /// @param stage a stage @return its passes in order
    std::vector<PipelinePass> GetPasses(uint32_t stage) const;

  private:
    /// @param k number of a forward pass on a stage @return the pass
    PipelinePass GetForward(uint32_t k) const;
    /// @param k number of a backward pass on a stage @param kind which part of it @return the pass
    PipelinePass GetBackward(uint32_t k, PassKind kind) const;
    /// @param stage a stage @return forward passes before the first backward one
    uint32_t GetWarmUp(uint32_t stage) const;

    std::string m_schedule;   ///< name
    uint32_t m_nStages;       ///< p
    uint32_t m_nMicroBatches; ///< m
    uint32_t m_nChunks;       ///< v
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PIPELINE_SCHEDULE_H
