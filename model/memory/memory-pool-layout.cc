/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-layout.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param end items dealt from item 0 on @param players who get one after the other
/// @param player one of them @return items of the players before it
uint64_t
CountBefore(uint64_t end, uint64_t players, uint64_t player)
{
    return end / players * player + std::min(end % players, player);
}

/// @param begin first item @param count items @param players who get one after the other, item 0
/// to player 0 @param player one of them @return its items
uint64_t
CountDealt(uint64_t begin, uint64_t count, uint64_t players, uint64_t player)
{
    const auto countUpTo = [=](uint64_t end) {
        return end / players + (end % players > player ? 1 : 0);
    };
    return countUpTo(begin + count) - countUpTo(begin);
}

} // namespace

MemoryPoolLayout::MemoryPoolLayout(const MemoryPoolShape& shape, const MemoryPoolAccess& access)
    : m_groups(shape.groups),
      m_outSwitches(shape.outSwitches),
      m_nodeCopies(access.nodeCopies),
      m_gpuCopies(access.gpuCopies),
      m_nodeBlocks(access.GetNodeBlocks()),
      m_gpuBlocks(access.GetGpuBlocks())
{
}

uint64_t
MemoryPoolLayout::GetMemoryBytes(const Round& round, uint32_t group) const
{
    return CountDealt(0, round.bytes, m_groups, group);
}

uint64_t
MemoryPoolLayout::GetGroupLinkBytes(const Round& round, uint32_t group, uint32_t outSwitch) const
{
    return CountDealt(CountBefore(round.bytes, m_outSwitches, outSwitch),
                      GetOutSwitchBytes(round, outSwitch),
                      m_groups,
                      group);
}

uint64_t
MemoryPoolLayout::GetOutSwitchBytes(const Round& round, uint32_t outSwitch) const
{
    return CountDealt(0, round.bytes, m_outSwitches, outSwitch);
}

uint64_t
MemoryPoolLayout::GetNodeLinkBytes(const Round& round, uint32_t outSwitch, uint32_t node) const
{
    const uint32_t block = node / m_nodeCopies;
    const uint64_t before = CountBefore(round.offset + round.bytes, m_nodeBlocks, block) -
                            CountBefore(round.offset, m_nodeBlocks, block);
    return CountDealt(before, GetNodeBytes(round, node), m_outSwitches, outSwitch);
}

uint64_t
MemoryPoolLayout::GetNodeBytes(const Round& round, uint32_t node) const
{
    return CountDealt(round.offset, round.bytes, m_nodeBlocks, node / m_nodeCopies);
}

uint64_t
MemoryPoolLayout::GetGpuLinkBytes(const Round& round, uint32_t node, uint32_t gpu) const
{
    return CountDealt(round.offset,
                      round.bytes,
                      m_nodeBlocks * m_gpuBlocks,
                      node / m_nodeCopies + m_nodeBlocks * (gpu / m_gpuCopies));
}

} // namespace mlcluster
} // namespace ns3
