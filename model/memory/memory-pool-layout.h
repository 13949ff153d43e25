/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_LAYOUT_H
#define ML_CLUSTER_MEMORY_POOL_LAYOUT_H

#include "memory-pool-access.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which bytes of an access go over which link, in whole bytes.
 *
 * The unique bytes of an access are dealt to its blocks one by one, nodes first. Within a round
 * those of each node are dealt to the out-node switches, each node going on where the one before
 * stopped, and those of each switch likewise to the groups. So every block gets its tensor, every
 * switch and node passes on what it receives, times the copies it makes, and the shares of all
 * links of a layer differ by at most one byte in every round.
 *
 * Nodes and GPUs are counted from the first of the access.
 */
class MemoryPoolLayout
{
  public:
    /// Unique bytes of an access that travel together.
    struct Round
    {
        uint64_t offset; ///< unique bytes before it
        uint64_t bytes;  ///< unique bytes of it
    };

    /// @param shape the pool @param access an access that it can do
    MemoryPoolLayout(const MemoryPoolShape& shape, const MemoryPoolAccess& access);

    /// @param round the round @param group a group @return bytes its memory gives or takes
    uint64_t GetMemoryBytes(const Round& round, uint32_t group) const;
    /// @param round the round @param group a group @param outSwitch an out-node switch @return
    /// bytes between them
    uint64_t GetGroupLinkBytes(const Round& round, uint32_t group, uint32_t outSwitch) const;
    /// @param round the round @param outSwitch an out-node switch @return unique bytes through it
    uint64_t GetOutSwitchBytes(const Round& round, uint32_t outSwitch) const;
    /// @param round the round @param outSwitch an out-node switch @param node a node @return bytes
    /// between them
    uint64_t GetNodeLinkBytes(const Round& round, uint32_t outSwitch, uint32_t node) const;
    /// @param round the round @param node a node @return different bytes through its switch
    uint64_t GetNodeBytes(const Round& round, uint32_t node) const;
    /// @param round the round @param node a node @param gpu a GPU of it @return bytes between its
    /// switch and it
    uint64_t GetGpuLinkBytes(const Round& round, uint32_t node, uint32_t gpu) const;

  private:
    uint32_t m_groups;      ///< R
    uint32_t m_outSwitches; ///< X
    uint32_t m_nodeCopies;  ///< nodes of a block
    uint32_t m_gpuCopies;   ///< GPUs of a block in each node
    uint64_t m_nodeBlocks;  ///< blocks side by side over nodes
    uint64_t m_gpuBlocks;   ///< blocks side by side within a node
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_LAYOUT_H
