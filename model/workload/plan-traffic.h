/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PLAN_TRAFFIC_H
#define ML_CLUSTER_PLAN_TRAFFIC_H

#include "plan-figures.h"
#include "rank-shape.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What one rank communicates in a training step, as formulas of model and plan: nothing is read
 * from the graphs, which have to agree (see PlanReport).
 *
 * Sizes are those of Chakra traces: all-reduce and all-to-all the buffer of a rank, reduce-scatter
 * the input of a rank, all-gather the shard that a rank gives; messages what is sent. Shards of
 * parameters are rounded up once, in graphs for each all-gather. Symbols: those of TransformerModel
 * and ParallelPlan; S = b s / c tokens of a rank, T of them where norms work (S, with sequence
 * parallelism S / t), u = g h / a; of the stage l layers, l_x of them with experts, B attention and
 * FFN blocks, P parameters outside of experts over n ranks, P_x of experts over n_e, R held by all
 * ranks of a tensor group; X tokens sent to experts, once for each expert, N tokens that a rank's
 * experts get, I tokens that a rank sends to itself.
 */
class PlanTraffic
{
  public:
    using Term = TrafficTerm; ///< a part of what is communicated

    /**
     * @param shape model and plan, checked (see TrainingChecker)
     * @param stage pipeline stage of the rank
     * @param expertPosition of the rank in its expert group
     * @throw InputError if a number is above 2^64 - 1
     */
    PlanTraffic(const RankShape& shape, uint32_t stage, uint32_t expertPosition = 0);

    const std::vector<Term>& GetTerms() const; ///< @return all terms, none of them 0

  private:
    void AddTensor();       ///< Adds tensor parallelism of layers.
    void AddTensorOfEnds(); ///< Adds tensor parallelism of embedding and head.
    void AddContext();      ///< Adds context parallelism.
    /// @param position of the rank in its expert group; adds expert parallelism
    void AddExperts(uint32_t position);
    void AddPipeline();  ///< Adds messages between stages.
    void AddGradients(); ///< Adds data parallelism.
    /// @param family of groups @param symbol of the parameters @param count of them; adds data
    /// parallelism of a kind of parameters
    void AddGradients(const std::string& family, const std::string& symbol, Amount count);
    void AddOnce(); ///< Adds what follows the reduction of gradients.
    /// @param family of groups @param operation what @param formula of its size @param bytes size,
    /// left out if 0 or the groups have one member
    void Add(const std::string& family,
             const std::string& operation,
             const std::string& formula,
             Amount bytes);

    const RankShape& m_shape;    ///< model and plan
    bool m_isFirst;              ///< whether it is the first stage
    bool m_isLast;               ///< whether it is the last stage
    uint32_t m_stage;            ///< the stage
    Amount m_microBatches;       ///< m
    uint32_t m_nForward;         ///< times that layers are computed forward
    uint32_t m_nLayers{0};       ///< l
    uint32_t m_nExpertLayers{0}; ///< l_x
    std::vector<Term> m_terms;   ///< found
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PLAN_TRAFFIC_H
