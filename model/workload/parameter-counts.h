/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARAMETER_COUNTS_H
#define ML_CLUSTER_PARAMETER_COUNTS_H

#include "rank-shape.h"

#include "ns3/amount.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Parameters on one rank, before data parallelism shards them, by how copies are kept equal.
 *
 * A layer of t ranks, width of all keys u = g d: attention h (h + 2u) + h^2, FFN 2 h f (gated 3 h
 * f), each divided by t; two norms. With biases these have h + 2u + f more divided by t, and 2 h
 * more on each rank; GPT with f = 4 h and g = a: (12 h^2 + 7 h) / t + 6 h. With experts, instead of
 * the FFN, E/e experts of 2 (3) h f / t_e without biases, a router of h E, and the shared expert
 * as an FFN of its width. Embedding and head V h / t each, positions s h, the final norm.
 */
struct ParameterCounts
{
    Amount divided;    ///< divided over the tensor group: products of matrices, embedding, head
    Amount replicated; ///< whole on all ranks of a tensor group: norms, biases of what is summed
                       ///< up, router; with sequence parallelism each rank has a part of the
                       ///< gradients, to be summed up over the group
    Amount positions;  ///< whole on all ranks of a tensor group, with whole gradients: positions
    Amount experts;    ///< of experts

    /// @param shape sizes on the rank @param layer index of a layer @return its parameters
    static ParameterCounts OfLayer(const RankShape& shape, uint32_t layer);
    /// @param shape sizes on the rank @return parameters of token and position embedding
    static ParameterCounts OfEmbedding(const RankShape& shape);
    /// @param shape sizes on the rank @return parameters of final norm and head; with embedding and
    /// head tied, the head is a copy of the embedding if it is on another stage, else nothing
    static ParameterCounts OfHead(const RankShape& shape);
    /// @param shape sizes on the rank @param stage a stage @return per chunk of the stage the
    /// parameters of its units in order of use: embedding, layers, head
    static std::vector<std::vector<ParameterCounts>> OfUnits(const RankShape& shape,
                                                             uint32_t stage);
    /// @param shape sizes on the rank @param stage a stage @return all parameters on a rank of it
    static ParameterCounts OfStage(const RankShape& shape, uint32_t stage);
    /// @param model a model, checked @return its parameters
    static uint64_t OfModel(const TransformerModel& model);
    /// @param model a model, checked @return those of them that a token uses: K of E experts
    static uint64_t OfToken(const TransformerModel& model);

    Amount GetDense() const; ///< @return all but those of experts
    Amount GetTotal() const; ///< @return all

    /// @param other more parameters @return this with them
    ParameterCounts& operator+=(const ParameterCounts& other);
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARAMETER_COUNTS_H
