/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_CASES_H
#define ML_CLUSTER_MEMORY_POOL_CASES_H

#include "ns3/memory-pool-access.h"

#include <algorithm>
#include <random>

namespace ns3
{
namespace mlcluster
{

constexpr uint64_t GBYTES_PER_S = 8'000'000'000; ///< bit/s
constexpr int64_t NS = 1'000;                    ///< ps
constexpr uint64_t KIB = 1 << 10;                ///< bytes
constexpr uint64_t MIB = 1 << 20;                ///< bytes
constexpr uint64_t GIB = 1 << 30;                ///< bytes

/// @return two of everything; each hop has a different rate
inline MemoryPoolShape
MakeSmallPool()
{
    MemoryPoolShape shape;
    shape.groups = shape.outSwitches = shape.nodes = shape.gpusPerNode = 2;
    shape.memoryBitRate = 10 * GBYTES_PER_S;
    shape.groupLinkBitRate = 4 * GBYTES_PER_S;
    shape.nodeLinkBitRate = 8 * GBYTES_PER_S;
    shape.gpuLinkBitRate = 5 * GBYTES_PER_S;
    shape.memoryLatencyPs = 100 * NS;
    shape.groupLinkLatencyPs = 20 * NS;
    shape.nodeLinkLatencyPs = 20 * NS;
    shape.gpuLinkLatencyPs = 10 * NS;
    shape.chunkBytes = 1000;
    return shape;
}

/// @param memory GB/s of a group and its links @param fabric GB/s of all other links
/// @param chunk bytes @return 256 groups, 16 switches, 16 nodes of 16 GPUs
inline MemoryPoolShape
MakeLargePool(uint64_t memory, uint64_t fabric, uint64_t chunk)
{
    MemoryPoolShape shape;
    shape.groups = 256;
    shape.outSwitches = shape.nodes = shape.gpusPerNode = 16;
    shape.memoryBitRate = shape.groupLinkBitRate = memory * GBYTES_PER_S;
    shape.nodeLinkBitRate = shape.gpuLinkBitRate = fabric * GBYTES_PER_S;
    shape.memoryLatencyPs = shape.groupLinkLatencyPs = 500 * NS;
    shape.nodeLinkLatencyPs = shape.gpuLinkLatencyPs = 500 * NS;
    shape.chunkBytes = chunk;
    return shape;
}

/// @param shape a pool @param isStore direction @param bytes unique ones @param nodeCopies nodes of
/// a block @param gpuCopies GPUs of it in each @return an access of all GPUs
inline MemoryPoolAccess
MakeAccess(const MemoryPoolShape& shape,
           bool isStore,
           uint64_t bytes,
           uint32_t nodeCopies,
           uint32_t gpuCopies)
{
    return {isStore, bytes, 0, shape.nodes, 0, shape.gpusPerNode, nodeCopies, gpuCopies};
}

/// Draws pools.
class PoolDice
{
  public:
    /// @param seed of the numbers
    explicit PoolDice(uint32_t seed)
        : m_random(seed)
    {
    }

    /// @param least smallest @param most largest @return a number between them
    uint64_t Draw(uint64_t least, uint64_t most)
    {
        return least + m_random() % (most - least + 1);
    }

    /// @param isEven whether all links of a layer carry equal shares of full rounds
    /// @return a pool of 1 to 5 of everything
    MemoryPoolShape DrawShape(bool isEven)
    {
        MemoryPoolShape shape;
        shape.groups = Draw(1, 5);
        shape.outSwitches = Draw(1, 5);
        shape.nodes = Draw(1, 5);
        shape.gpusPerNode = Draw(1, 5);
        for (uint64_t* rate : {&shape.memoryBitRate,
                               &shape.groupLinkBitRate,
                               &shape.nodeLinkBitRate,
                               &shape.gpuLinkBitRate})
        {
            *rate = Draw(GBYTES_PER_S, 100 * GBYTES_PER_S);
        }
        for (int64_t* latency : {&shape.memoryLatencyPs,
                                 &shape.groupLinkLatencyPs,
                                 &shape.nodeLinkLatencyPs,
                                 &shape.gpuLinkLatencyPs})
        {
            *latency = Draw(0, 500 * NS);
        }
        const uint64_t unit = shape.outSwitches * shape.nodes * shape.gpusPerNode;
        const uint64_t chunk = Draw(1, 100);
        shape.chunkBytes = isEven ? unit * chunk : std::max<uint64_t>(25, chunk * 7);
        return shape;
    }

    /// @param shape a pool @param isStore direction @param pattern 0 to 3: plain, a node, an index,
    /// all @param isEven whether there are full rounds only @return an access of all GPUs
    MemoryPoolAccess DrawAccess(const MemoryPoolShape& shape,
                                bool isStore,
                                uint32_t pattern,
                                bool isEven)
    {
        const uint64_t rounds = Draw(1, 20);
        const uint64_t rest = Draw(1, shape.GetRoundBytes());
        const uint64_t bytes =
            (rounds - 1) * shape.GetRoundBytes() + (isEven ? shape.GetRoundBytes() : rest);
        return MakeAccess(shape,
                          isStore,
                          bytes,
                          pattern & 2 ? shape.nodes : 1,
                          pattern & 1 ? shape.gpusPerNode : 1);
    }

  private:
    std::mt19937 m_random; ///< numbers
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_CASES_H
