/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_ROLE_H
#define ML_CLUSTER_MEMORY_ROLE_H

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/// What a node is for a memory that several NPUs can access together. @ingroup ml-cluster
enum class MemoryRole : uint8_t
{
    Alone,  ///< nothing: it is done by itself
    First,  ///< load or reduce-scatter: the access begins when all members have reached it
    Second, ///< all-gather or store behind it: ends with the access
    Whole   ///< collective that the memory carries: begins when all members have reached it
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_ROLE_H
