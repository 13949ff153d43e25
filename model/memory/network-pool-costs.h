/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NETWORK_POOL_COSTS_H
#define ML_CLUSTER_NETWORK_POOL_COSTS_H

#include "access-costs.h"
#include "memory-pool-shape.h"

#include "ns3/cluster-workload.h"
#include "ns3/message-costs.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @param workload what is to be done
 * @param shape the pool
 * @param firstEnd vertex of the first group and out-node switch (see NetworkMemoryPool)
 * @param messages of the network
 * @return what the accesses of a NetworkMemoryPool cost; rounds of one size count as the first of
 * them
 */
AccessCosts CountNetworkPoolCosts(const ClusterWorkload& workload,
                                  const MemoryPoolShape& shape,
                                  uint32_t firstEnd,
                                  const MessageCosts& messages);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NETWORK_POOL_COSTS_H
