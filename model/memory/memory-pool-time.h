/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_TIME_H
#define ML_CLUSTER_MEMORY_POOL_TIME_H

#include "memory-pool-hop.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How long one access to an idle memory pool takes, in closed form, and where the time goes.
 *
 * Round k occupies each link of hop i for t(i, k). A link begins a round when it is through with
 * the one before and all it needs of the round has arrived, so that the access takes the latencies
 * and the longest monotone path through the grid of the t(i, k). The manual, chapter "Memory", has
 * the formula and its proof. Times are computed exactly and rounded up to 1 ps once.
 */
struct MemoryPoolTime
{
    /// What one hop has to do.
    struct Hop
    {
        PoolHopKind kind;    ///< which
        uint64_t bytes;      ///< of all its links together
        uint64_t linkBytes;  ///< of the links with most, shares of a round in whole bytes
        int64_t bandwidthPs; ///< time of its share of all bytes, ps
    };

    int64_t totalPs{0};      ///< the access takes this long, ps; shares may be parts of bytes
    int64_t wholeBytesPs{0}; ///< at most this long with shares of whole bytes, ps
    int64_t lockStepPs{
        0}; ///< if all hops of all rounds took as long as the longest: an upper bound, ps
    int64_t latencyPs{0};      ///< part of totalPs: latencies of all hops, ps
    int64_t bandwidthPs{0};    ///< part of totalPs: all bytes over the slowest hop, ps
    int64_t fillPs{0};         ///< part of totalPs: filling and draining the pipeline, ps
    uint64_t rounds{0};        ///< K
    std::size_t bottleneck{0}; ///< index of the slowest hop, the first one travelled if several are
    std::vector<Hop> hops;     ///< in the order of travel; none for an access of 0 bytes
};

/**
 * @ingroup ml-cluster
 * @param shape a pool without faults
 * @param access an access
 * @return its time; all zero for 0 bytes
 * @throw InputError if the pool cannot do it, or it takes longer, or moves more bytes, than can be
 * counted
 */
MemoryPoolTime ComputeMemoryPoolTime(const MemoryPoolShape& shape, const MemoryPoolAccess& access);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_TIME_H
