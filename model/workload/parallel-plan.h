/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARALLEL_PLAN_H
#define ML_CLUSTER_PARALLEL_PLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How a model is trained on many NPUs: degrees of parallelism, batch, pipeline schedule, sharding,
 * recomputation, precision. The number of ranks is tensor x context x pipeline x data.
 */
struct ParallelPlan
{
    uint32_t tensor{1};           ///< t
    uint32_t context{1};          ///< c
    uint32_t pipeline{1};         ///< p
    uint32_t data{1};             ///< D
    uint32_t expert{1};           ///< e, divides data x context (x tensor if expertTensor is 1)
    uint32_t expertTensor{0};     ///< t_e, tensor parallelism of experts, t or 1; 0: t
    bool sequenceParallel{false}; ///< norms and dropout divided over the tensor group too
    std::string contextScheme{"ring"};                     ///< ring, all-gather or ulysses
    std::string rankOrder{"tensor-context-data-pipeline"}; ///< fastest first; expert groups lie
                                                           ///< inside data x context

    uint32_t microBatch{1};   ///< b, sequences of a micro-batch
    uint32_t microBatches{1}; ///< m, of a step; the global batch is b x m x D sequences

    std::string schedule{"1f1b"};      ///< gpipe, 1f1b, interleaved or zero-bubble
    uint32_t chunks{1};                ///< v, model chunks of a stage (interleaved)
    std::vector<uint32_t> stageLayers; ///< layers of each of the p v parts of the model in order;
                                       ///< empty: even, the remainder to the first ones

    uint32_t zeroStage{0};          ///< 0: plain data parallelism; 1, 2, 3 (FSDP): ZeRO
    uint64_t bucketBytes{25 << 20}; ///< gradients reduced at once; 0: all of a rank
    uint32_t prefetch{1};           ///< ZeRO-3: layers gathered beyond the current one
    bool reshardAfterForward{true}; ///< ZeRO-3: gather again in the backward pass
    bool overlapGradients{true};    ///< reduce buckets during the last backward pass
    std::string recompute{"none"};  ///< none, selective (attention core) or full
    uint32_t elementBytes{2};       ///< beta, of activations and weights
    uint32_t gradientBytes{4};      ///< gamma, of gradients where they are summed up and reduced
    double capacityFactor{0};       ///< of experts; 0: no token is dropped
    double expertSkew{0};           ///< Zipf exponent of the load of experts; 0: balanced
    bool optimizer{true};           ///< end with the optimizer's step
    uint32_t optimizerBytes{0};     ///< read and written per parameter in it; 0: as Adam in mixed
                                    ///< precision (see TransformerCosts)

    /// Layers that follow each other.
    struct LayerRange
    {
        uint32_t first; ///< the first one
        uint32_t end;   ///< the one after the last one
    };

    /// @return t_e
    uint32_t GetExpertTensor() const;
    /**
     * @param layers L
     * @param stage a stage
     * @return the layers of each of its chunks: chunk k is part k p + stage of the p v parts of the
     *         model. The embedding belongs to the first part, the head to the last one.
     */
    std::vector<LayerRange> GetLayersOfStage(uint32_t layers, uint32_t stage) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARALLEL_PLAN_H
