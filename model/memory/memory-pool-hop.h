/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_HOP_H
#define ML_CLUSTER_MEMORY_POOL_HOP_H

#include "memory-pool-access.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// What a byte of a memory pool passes, from memory to GPU. @ingroup ml-cluster
enum class PoolHopKind
{
    Memory,       ///< memory of a group
    GroupLink,    ///< group and out-node switch
    OutBackplane, ///< what an out-node switch takes in
    OutAdder,     ///< adder of an out-node switch
    NodeLink,     ///< out-node switch and node
    InBackplane,  ///< what an in-node switch takes in
    InAdder,      ///< adder of an in-node switch
    GpuLink       ///< in-node switch and GPU
};

/// Number of kinds of hops. @ingroup ml-cluster
constexpr uint32_t N_POOL_HOP_KINDS = 8;

/// @param kind a kind of hop @return its name, such as "group link" @ingroup ml-cluster
std::string GetPoolHopName(PoolHopKind kind);

/**
 * @ingroup ml-cluster
 * One of the serial resources on the way between memory and GPUs: some equal servers. Of the unique
 * bytes of a round part / whole pass it, and each server carries numerator / denominator of those.
 */
struct MemoryPoolHop
{
    PoolHopKind kind;     ///< which
    uint64_t servers;     ///< memories, links or switches of the hop
    uint64_t bitRate;     ///< of each, bit/s
    int64_t latencyPs;    ///< from the end of a share to its arrival, ps
    uint64_t numerator;   ///< share of one server per unique byte
    uint64_t denominator; ///< likewise
    bool isUp{false};     ///< whether it leads from GPUs to memory, or to out-node switches
    uint64_t part{1};     ///< of whole: bytes that pass the hop
    uint64_t whole{1};    ///< likewise

    /// @param bytes unique bytes of a round @return those that pass, rounded up
    uint64_t GetPassing(uint64_t bytes) const
    {
        __extension__ typedef unsigned __int128 Wide;
        return static_cast<uint64_t>((Wide{bytes} * part + whole - 1) / whole);
    }

    /// @param bytes unique bytes of a round @return the largest share of a server in whole bytes
    uint64_t GetLargestShare(uint64_t bytes) const
    {
        const uint64_t passing = GetPassing(bytes);
        return numerator * (passing / denominator + (passing % denominator != 0 ? 1 : 0));
    }

    /// @return bytes of all servers together per byte that passes, a whole number
    uint64_t GetCopies() const
    {
        return servers * numerator / denominator;
    }
};

/**
 * @ingroup ml-cluster
 * @param shape a pool
 * @param access an access that the pool can do
 * @return the hops it passes, in the order of travel: a load from memory, a store from the GPUs.
 * Memory and the three layers of links always, backplanes where their rate is limited, adders
 * likewise where a store is reduced. An exchange passes GPU links and, where it has several nodes,
 * node links, up and down; on the way up also backplanes: that of a node with all that its switch
 * takes in, from GPUs and from out-node switches
 */
std::vector<MemoryPoolHop> GetMemoryPoolHops(const MemoryPoolShape& shape,
                                             const MemoryPoolAccess& access);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_HOP_H
