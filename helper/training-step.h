/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TRAINING_STEP_H
#define ML_CLUSTER_TRAINING_STEP_H

#include "ns3/cluster-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One training step of a decoder-only transformer with tensor and data parallelism, as execution
 * graphs.
 *
 * Ranks 0 ... t-1 are the first tensor-parallel group, t ... 2t-1 the second, and so on; ranks of
 * equal position in these are a data-parallel group. Each layer is an attention and an MLP block;
 * both end with an all-reduce of the activations over the tensor-parallel group, forward and
 * backward (Shoeybi et al., Megatron-LM, 2019, section 3). When the backward pass has left a
 * layer, its gradients are all-reduced over the data-parallel group while the pass goes on. The
 * optimizer starts when all gradients have arrived.
 *
 * Sizes, with sequence length s (all samples of a rank together), hidden size h, two bytes a
 * number: activations 2 s h bytes; gradients of a layer 24 h^2 / t bytes. Operations, forward:
 * attention (8 s h^2 + 4 s^2 h) / t, MLP 16 s h^2 / t; backward twice as many (Narayanan et al.,
 * 2021, appendix). Durations follow from the rate, rounded up to the whole microseconds that a
 * Chakra trace holds. Left out: embeddings, loss, layer norms, recomputation.
 */
struct TrainingStep
{
    uint32_t layers{4};            ///< transformer layers
    uint32_t hiddenSize{1024};     ///< h
    uint32_t sequenceLength{2048}; ///< s
    uint32_t tensorParallel{4};    ///< t, ranks of a tensor-parallel group
    uint32_t dataParallel{2};      ///< d, ranks of a data-parallel group
    double operationRate{120e12};  ///< floating-point operations per second that compute reaches
    double memoryRate{1.2e12};     ///< bytes per second that the optimizer reaches

    /// @throw InputError with every size that is not possible
    void Check() const;

    uint32_t GetNRanks() const; ///< @return tensorParallel times dataParallel

    /// @return the groups "tensor.0", "tensor.1", ... and "data.0", "data.1", ...
    CommunicatorGroups GetGroups() const;

    /// @param rank a rank @return its nodes, ids in the order of execution
    std::vector<ExecutionNode> GetNodes(uint32_t rank) const;

    /**
     * Writes Chakra traces PREFIX.RANK.et and the groups, PREFIX.groups.json.
     * @param prefix path up to the rank
     * @throw InputError if a file cannot be written
     */
    void Write(const std::string& prefix) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TRAINING_STEP_H
