/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAYERED_GENERATOR_H
#define ML_CLUSTER_LAYERED_GENERATOR_H

#include "cluster-workload.h"
#include "layered-model.h"
#include "layered-steps.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How a network of layers is trained.
 */
struct LayeredPlan
{
    LayeredSteps::Setting setting;             ///< ranks, batch, bytes
    std::vector<LayerParallelism> parallelism; ///< per layer; empty: all Data
    uint64_t bucketBytes{25 << 20};            ///< gradients reduced at once; 0: all of a rank
    uint32_t steps{1};                         ///< training steps, at least 1
};

/**
 * @ingroup ml-cluster
 * Makes the execution graph of a network's training steps, which all ranks share: forward, loss
 * (5 operations per output of a sample), backward (LayeredSteps), and stochastic gradient descent
 * with momentum when all gradients are reduced: 4 operations and 5 numbers of gamma bytes read and
 * written per parameter. A tensor group is t ranks in a row ("tensor"), ranks with the same weights
 * of a hybrid layer are t apart ("data").
 * @param model the network
 * @param plan how it is trained
 * @return the workload
 * @throw InputError if the plan contradicts itself or a number does not fit
 */
ClusterWorkload MakeLayeredWorkload(const LayeredModel& model, const LayeredPlan& plan);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAYERED_GENERATOR_H
