/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_SHAPE_H
#define ML_CLUSTER_MEMORY_POOL_SHAPE_H

#include "ns3/diagnostics.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/// How the bytes of an access to a memory pool are cut into rounds. @ingroup ml-cluster
enum class PoolRoundPolicy
{
    Balanced, ///< rounds differ by at most one byte, the larger ones first
    ShortLast ///< full rounds, and one of what is left
};

/// How accesses share the memories, links and switches of a pool. @ingroup ml-cluster
enum class PoolSharing
{
    FirstCome, ///< shares of rounds one at a time, in the order in which they arrive
    Fair       ///< those of different accesses at once, in proportion to the GPUs they serve
};

/**
 * @ingroup ml-cluster
 * A memory pool that all GPUs share: R remote memory groups, X out-node switches, and N nodes of G
 * GPUs with one in-node switch each. Every group has a link to every out-node switch, every
 * out-node switch one to every node, every in-node switch one to each of its GPUs; GPU g of node n
 * is rank n G + g. Rates of links are those of one link and direction. The manual, chapter
 * "Memory", has the model.
 */
struct MemoryPoolShape
{
    uint32_t groups{1};                                ///< R: remote memory groups
    uint32_t outSwitches{1};                           ///< X: out-node switches
    uint32_t nodes{1};                                 ///< N: nodes, an in-node switch each
    uint32_t gpusPerNode{1};                           ///< G: GPUs of a node
    uint64_t memoryBitRate{0};                         ///< of the memory of one group, bit/s
    uint64_t groupLinkBitRate{0};                      ///< group to out-node switch, bit/s
    uint64_t nodeLinkBitRate{0};                       ///< out-node switch to node, bit/s
    uint64_t gpuLinkBitRate{0};                        ///< in-node switch to GPU, bit/s
    int64_t memoryLatencyPs{0};                        ///< of a memory access, ps
    int64_t groupLinkLatencyPs{0};                     ///< of the link and the out-node switch, ps
    int64_t nodeLinkLatencyPs{0};                      ///< of the link and the in-node switch, ps
    int64_t gpuLinkLatencyPs{0};                       ///< of the link, ps
    uint64_t chunkBytes{0};                            ///< C: what one group gives in a full round
    PoolRoundPolicy rounds{PoolRoundPolicy::Balanced}; ///< of sizes that do not divide
    PoolSharing sharing{PoolSharing::FirstCome};       ///< of all memories, links and switches
    uint64_t outBackplaneBitRate{0}; ///< what an out-node switch takes in, bit/s; 0: any rate
    uint64_t inBackplaneBitRate{0};  ///< what an in-node switch takes in, bit/s; 0: any rate
    uint64_t outAdderBitRate{0}; ///< input of the adder of an out-node switch, bit/s; 0: any rate
    uint64_t inAdderBitRate{0};  ///< input of the adder of an in-node switch, bit/s; 0: any rate

    /// @return Q = R C: unique bytes of a full round of all GPUs
    uint64_t GetRoundBytes() const
    {
        return groups * chunkBytes;
    }

    /**
     * Looks for values that make no pool. The last part of a problem's key is the name of the
     * value, such as "chunk" or "gpu-link-bandwidth".
     * @param nRanks NPUs of the cluster
     * @param place file, line and section of the values
     * @param diagnostics takes a problem for every bad value
     */
    void Check(uint32_t nRanks, const Diagnostics::Place& place, Diagnostics& diagnostics) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_SHAPE_H
