/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_EVENTS_H
#define ML_CLUSTER_MEMORY_POOL_EVENTS_H

#include "memory-fusion.h"

#include "ns3/count-range.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Counts the events of a memory pool that is simulated by a MemoryPoolPipeline, before time starts.
 * A round is one event for each hop and one more, or two for each hop with a latency if accesses
 * share fairly; at most one for each server, or three, if every GPU is simulated and no two are at
 * one moment. Expected is that ranks ask for equal plain accesses
 * together as far as they have as many.
 *
 * @param workload what is to be done
 * @param shape the pool
 * @param fusion what is done together
 * @return the events
 * @throw InputError if the bytes of an access cannot be counted
 */
CountRange CountMemoryPoolEvents(const ClusterWorkload& workload,
                                 const MemoryPoolShape& shape,
                                 const MemoryFusion& fusion);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_EVENTS_H
