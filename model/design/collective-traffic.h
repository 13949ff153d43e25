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
 * Bytes that one member of a hierarchical collective sends in each dimension, as LIBRA counts them
 * (ISPASS 2024, released code): with m bytes and g members
 *
 * | collective | goes | sends | is left with |
 * |---|---|---|---|
 * | all-reduce | up | 2 m (g - 1) / g | m / g |
 * | reduce-scatter | up | m (g - 1) / g | m / g |
 * | all-gather | down | m (g - 1) | m g |
 * | all-to-all | up | m (g - 1) / g | m |
 *
 * and, which LIBRA does not have, of the others the busiest member, which is the root and receives
 * instead of sending where data go to it:
 *
 * | collective | goes | sends | is left with |
 * |---|---|---|---|
 * | gather | up | m (g - 1) | m g |
 * | scatter | down | m (g - 1) / g | m / g |
 * | broadcast, reduce | down, up | m if g > 1 | m |
 * | barrier | up | 0 | m |
 *
 * @param type a type
 * @param bytes the buffer of a rank, of the root of a scatter or broadcast; for an all-gather or
 * gather the shard that each contributes
 * @param members of the group in each dimension, innermost first; 1: the dimension takes no part
 * @return bytes, not rounded, per dimension
 * @throw InputError for a size that is not finite or negative, or 0 members
 */
std::vector<double> GetCollectiveTraffic(CollectiveType type,
                                         double bytes,
                                         const std::vector<uint32_t>& members);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_TRAFFIC_H
