/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANK_SHAPE_H
#define ML_CLUSTER_RANK_SHAPE_H

#include "parallel-plan.h"
#include "rank-layout.h"
#include "transformer-model.h"

#include "ns3/amount.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What one rank holds of a micro-batch and of a layer's matrices. The sequence is cut in c parts;
 * the tensor group divides heads and columns, with sequence parallelism also the tokens of norms
 * and dropout.
 */
struct RankShape
{
    /// @param model the model @param plan how it is trained; both checked
    RankShape(const TransformerModel& model, const ParallelPlan& plan);

    TransformerModel model; ///< the model
    ParallelPlan plan;      ///< how it is trained
    RankLayout layout;      ///< groups of ranks
    Amount element;         ///< beta, bytes of an activation or weight
    Amount gradient;        ///< gamma, bytes of a gradient of a weight
    Amount hidden;          ///< h
    Amount tensor;          ///< t
    Amount tokens;          ///< S = b s / c
    Amount ownTokens;       ///< T, where norms and routers work: S, with sequence parallelism S / t
    Amount queryWidth;      ///< h / t
    Amount keyWidth;        ///< g d / t
    Amount vocabulary;      ///< V / t

    /// @param rows a number of tokens @return bytes of their activations: beta rows h
    Amount GetActivationBytes(Amount rows) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANK_SHAPE_H
