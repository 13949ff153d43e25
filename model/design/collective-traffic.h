/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_TRAFFIC_H
#define ML_CLUSTER_COLLECTIVE_TRAFFIC_H

#include "ns3/collective-type.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Bytes that one member of a hierarchical collective sends in each dimension, as LIBRA counts them:
 * an all-reduce and a reduce-scatter go up the dimensions with what is left, an all-gather down
 * with what has been gathered, an all-to-all sends all of its buffer in each (LIBRA, ISPASS 2024,
 * released code).
 * @param type all-reduce, reduce-scatter, all-gather or all-to-all
 * @param bytes the buffer of a rank; for an all-gather the shard it contributes
 * @param members of the group in each dimension, innermost first; 1: the dimension takes no part
 * @return bytes, not rounded, per dimension
 * @throw InputError for another type, or 0 members
 */
std::vector<double> GetCollectiveTraffic(CollectiveType type,
                                         double bytes,
                                         const std::vector<uint32_t>& members);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_TRAFFIC_H
