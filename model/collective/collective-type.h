/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_TYPE_H
#define ML_CLUSTER_COLLECTIVE_TYPE_H

#include <optional>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Collective operations, numbered as Chakra's CollectiveCommType.
 */
enum class CollectiveType
{
    AllReduce = 0,
    Reduce = 1,
    AllGather = 2,
    Gather = 3,
    Scatter = 4,
    Broadcast = 5,
    AllToAll = 6,
    ReduceScatter = 7,
    ReduceScatterBlock = 8,
    Barrier = 9
};

/**
 * @ingroup ml-cluster
 * @param type a type
 * @return "all-reduce", "all-gather", ...
 */
std::string ToString(CollectiveType type);

/**
 * @ingroup ml-cluster
 * @param type a type
 * @return whether one member, the root, plays a part of its own
 */
bool IsRooted(CollectiveType type);

/**
 * @ingroup ml-cluster
 * @param type a rooted type
 * @return whether data go from the root to the others, not from them to it
 */
bool IsFromRoot(CollectiveType type);

/**
 * @ingroup ml-cluster
 * @param name "all-reduce", "all-gather", "reduce-scatter", "all-to-all", ...
 * @return the type, if the name is one
 */
std::optional<CollectiveType> ParseCollectiveType(const std::string& name);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_TYPE_H
