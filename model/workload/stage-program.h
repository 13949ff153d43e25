/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_STAGE_PROGRAM_H
#define ML_CLUSTER_STAGE_PROGRAM_H

#include "layer-program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A part of the model that is computed, gathered and reduced as one: a layer, the embedding, the
 * head.
 */
struct ModelUnit
{
    std::string name;       ///< put before the names of its steps, such as "layer 12"; may be empty
    LayerProgram forward;   ///< what a rank does forward
    LayerProgram backward;  ///< what a rank does backward
    uint64_t parameters{0}; ///< on the rank, those of experts left out
    uint64_t expertParameters{0}; ///< of experts, on the rank
};

/**
 * @ingroup ml-cluster
 * What a rank of one pipeline stage has of the model.
 */
struct StageProgram
{
    std::vector<std::vector<ModelUnit>> chunks; ///< per chunk its units in order
    LayerProgram optimizer;                     ///< what a rank does when gradients are reduced
    uint64_t boundaryBytes{0};                  ///< activations between two stages, or gradients
    uint64_t replicatedParameters{0}; ///< whose gradients are to be summed up over the tensor group
    uint64_t tiedParameters{0}; ///< whose gradients are to be summed up over the first and the
                                ///< last stage
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_STAGE_PROGRAM_H
