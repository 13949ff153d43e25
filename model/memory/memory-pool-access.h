/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_ACCESS_H
#define ML_CLUSTER_MEMORY_POOL_ACCESS_H

#include "memory-pool-shape.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A load from a memory pool, or a store to it, by a rectangle of GPUs: some consecutive nodes, and
 * in each of them the same consecutive GPUs. All of them access in step.
 *
 * A load may be gathered in the switches: the rectangle falls into blocks of nodeCopies x gpuCopies
 * GPUs, and all GPUs of a block get the same tensor (load and all-gather in one). A store
 * may likewise be reduced in the switches: what the GPUs of a block store is added up on the way
 * (reduce-scatter and store in one). Blocks of one GPU are plain accesses.
 *
 * The links of the pool can also carry a collective of all GPUs of a rectangle, past memory: a
 * direct exchange, in which each sends equal parts to all others.
 */
struct MemoryPoolAccess
{
    bool isStore{false};     ///< whether it writes
    uint64_t uniqueBytes{0}; ///< U: what memory gives or takes, all blocks together
    uint32_t firstNode{0};   ///< first node of the rectangle
    uint32_t nNodes{1};      ///< nodes of it
    uint32_t firstGpu{0};    ///< first GPU of it in each node
    uint32_t nGpus{1};       ///< GPUs of it in each node
    uint32_t nodeCopies{1};  ///< mN: nodes of a block
    uint32_t gpuCopies{1};   ///< mG: GPUs of a block in each of its nodes
    bool isExchange{false};  ///< whether it is an exchange: uniqueBytes is what all GPUs send, and
                             ///< direction and blocks have no meaning

    /**
     * @param shape the pool
     * @param isStore whether it writes
     * @param bytes the tensor of each block
     * @param nodeCopies nodes of a block, a divisor of nodes
     * @param gpuCopies GPUs of a block in each of its nodes, a divisor of gpusPerNode
     * @return the access of all GPUs
     * @throw InputError if there are no such blocks, or the bytes cannot be counted
     */
    static MemoryPoolAccess OfAll(const MemoryPoolShape& shape,
                                  bool isStore,
                                  uint64_t bytes,
                                  uint32_t nodeCopies = 1,
                                  uint32_t gpuCopies = 1);

    /**
     * @param shape the pool
     * @param isStore whether it writes
     * @param bytes how much
     * @param rank which GPU
     * @return the plain access of one GPU
     * @throw InputError if the pool has no such GPU
     */
    static MemoryPoolAccess OfRank(const MemoryPoolShape& shape,
                                   bool isStore,
                                   uint64_t bytes,
                                   uint32_t rank);

    /// @param shape the pool @param members GPUs, one at least, in any order @return the access of
    /// them as one block, without bytes; nothing if they are no rectangle
    static std::optional<MemoryPoolAccess> OfBlock(const MemoryPoolShape& shape,
                                                   std::vector<uint32_t> members);

    /// @param shape the pool @throw InputError if the rectangle is not in it, or does not fall into
    /// blocks
    void Check(const MemoryPoolShape& shape) const;

    /// @param shape the pool @return unique bytes of a full round: the part of Q that is for the
    /// GPUs of the rectangle, rounded down
    uint64_t GetRoundBytes(const MemoryPoolShape& shape) const;

    /// @return blocks side by side over nodes
    uint32_t GetNodeBlocks() const
    {
        return nNodes / nodeCopies;
    }

    /// @return blocks side by side within a node
    uint32_t GetGpuBlocks() const
    {
        return nGpus / gpuCopies;
    }
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_ACCESS_H
