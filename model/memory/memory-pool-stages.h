/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_STAGES_H
#define ML_CLUSTER_MEMORY_POOL_STAGES_H

#include "memory-pool-layout.h"
#include "memory-pool-servers.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One hop of one access: servers, and the vertices between which they carry. A server begins its
 * share of a round when the hop before has delivered all of the round to the vertex it starts at.
 */
struct MemoryPoolStage
{
    /// A server of the stage.
    struct Unit
    {
        uint32_t server; ///< index in MemoryPoolServers
        uint32_t to;     ///< vertex it ends at
        uint32_t row;    ///< row of the grid, of nodes counted from the first of the access
        uint32_t column; ///< column, of GPUs or nodes likewise
    };

    MemoryPoolHop hop;               ///< which
    bool isLargest;                  ///< shares are the largest ones: servers stand for others
    std::vector<Unit> units;         ///< by the vertices they start at
    std::vector<uint32_t> firstUnit; ///< by vertex they start at, and one more
    std::vector<uint32_t> needed;    ///< by vertex they end at: number of them

    /// @param layout of the access @param round a round @param unit a server @return its bytes
    uint64_t GetShare(const MemoryPoolLayout& layout,
                      const MemoryPoolLayout::Round& round,
                      const Unit& unit) const;
};

/**
 * @ingroup ml-cluster
 * @param shape the pool @param servers its servers
 * @param access an access that it can do, of all GPUs if servers stand for them
 * @return the hops of the access in the order of travel
 */
std::vector<MemoryPoolStage> MakeMemoryPoolStages(const MemoryPoolShape& shape,
                                                  const MemoryPoolServers& servers,
                                                  const MemoryPoolAccess& access);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_STAGES_H
