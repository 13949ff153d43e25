/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LAYER_PROGRAM_H
#define ML_CLUSTER_LAYER_PROGRAM_H

#include "execution-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One step of a layer's pass over one micro-batch on one rank.
 */
struct ProgramStep
{
    std::string name;                 ///< "qkv", "ffn-up dW", "tensor all-reduce"
    NodeKind kind{NodeKind::Compute}; ///< what it does
    uint64_t operations{0};           ///< floating-point operations (compute)
    uint64_t tensorBytes{0};          ///< bytes read and written (compute, memory)
    uint32_t location{0};             ///< MemoryLocation (memory)
    CollectiveType collective{CollectiveType::AllReduce}; ///< operation (collective)
    uint64_t bytes{0};               ///< size as Chakra has it (all-gather: shard of one rank)
    std::vector<uint64_t> peerBytes; ///< all-to-all of unequal parts: bytes for each member
    std::string family;              ///< "tensor", "context", "expert", "expert-tensor": group of a
                        ///< collective; of a send (to the next member, as on a ring) or
                        ///< receive (from the member before)
    bool isWeightGradient{false};       ///< gives gradients of weights; nothing of the layer's pass
                                        ///< but other such steps waits for it
    std::vector<uint32_t> dependencies; ///< earlier steps that it waits for; none: what comes into
                                        ///< the layer
};

/**
 * @ingroup ml-cluster
 * What one rank does for one layer (or for the embedding, or the head) in one pass over one
 * micro-batch: steps in the order of issue, each after what it waits for. The k-th send is received
 * by the k-th receive of the next member, of equal size.
 */
struct LayerProgram
{
    std::vector<ProgramStep> steps; ///< the steps
    uint32_t output{0};             ///< the step whose end is what goes out of the layer
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LAYER_PROGRAM_H
