/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_SERVERS_H
#define ML_CLUSTER_MEMORY_POOL_SERVERS_H

#include "memory-pool-hop.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/// How much of a memory pool is simulated. @ingroup ml-cluster
enum class PoolDetail
{
    EveryLink, ///< all
    EveryGpu,  ///< one group and one out-node switch stand for all of them
    OneGpu     ///< one node and one GPU too, as long as all accesses are of all GPUs
};

/**
 * @ingroup ml-cluster
 * A memory pool as servers: memories, links and switches, each of which serves one share after the
 * other; memory and backplanes serve both directions, a link has a server for each. Those that
 * stand for others carry the largest share of them.
 */
class MemoryPoolServers
{
  public:
    /// @param shape the pool @param detail how much of it
    MemoryPoolServers(const MemoryPoolShape& shape, PoolDetail detail);

    /// The servers of one hop.
    struct Grid
    {
        uint32_t rows{0};    ///< groups, out-node switches or nodes
        uint32_t columns{0}; ///< what each has links to; 1 if the hop is no links
        uint32_t first{0};   ///< index of the first server, row by row
    };

    /// @param kind a hop @param isStore direction @return its servers
    const Grid& GetGrid(PoolHopKind kind, bool isStore) const
    {
        return m_grids[isStore][static_cast<uint32_t>(kind)];
    }

    /// @return servers of all hops and directions
    uint32_t GetNServers() const
    {
        return m_nServers;
    }

    /// @return how much is simulated
    PoolDetail GetDetail() const
    {
        return m_detail;
    }

  private:
    PoolDetail m_detail;                 ///< how much
    Grid m_grids[2][N_POOL_HOP_KINDS]{}; ///< by direction and kind
    uint32_t m_nServers{0};              ///< all
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_SERVERS_H
