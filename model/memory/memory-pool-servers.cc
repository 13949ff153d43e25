/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-servers.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param kind a hop @return whether one server carries both directions
bool
IsShared(PoolHopKind kind)
{
    return kind == PoolHopKind::Memory || kind == PoolHopKind::OutBackplane ||
           kind == PoolHopKind::InBackplane;
}

} // namespace

MemoryPoolServers::MemoryPoolServers(const MemoryPoolShape& shape, PoolDetail detail)
    : m_detail(detail)
{
    const bool hasGroups = detail == PoolDetail::EveryLink;
    const bool hasGpus = detail != PoolDetail::OneGpu;
    const uint32_t groups = hasGroups ? shape.groups : 1;
    const uint32_t switches = hasGroups ? shape.outSwitches : 1;
    const uint32_t nodes = hasGpus ? shape.nodes : 1;
    const uint32_t gpus = hasGpus ? shape.gpusPerNode : 1;
    const Grid sizes[N_POOL_HOP_KINDS] = {{groups, 1},
                                          {groups, switches},
                                          {switches, 1},
                                          {switches, 1},
                                          {switches, nodes},
                                          {nodes, 1},
                                          {nodes, 1},
                                          {nodes, gpus}};
    for (uint32_t kind = 0; kind < N_POOL_HOP_KINDS; ++kind)
    {
        for (bool isStore : {false, true})
        {
            Grid& grid = m_grids[isStore][kind];
            grid = sizes[kind];
            grid.first = m_nServers;
            if (!isStore && IsShared(static_cast<PoolHopKind>(kind)))
            {
                continue;
            }
            m_nServers += grid.rows * grid.columns;
        }
    }
}

} // namespace mlcluster
} // namespace ns3
