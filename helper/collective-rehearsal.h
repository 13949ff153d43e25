/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_REHEARSAL_H
#define ML_CLUSTER_COLLECTIVE_REHEARSAL_H

#include "ns3/cluster-workload.h"
#include "ns3/collective-plan.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * @param plan a collective whose algorithms come from the dimensions
 * @param nRanks ranks of the topology
 * @return that collective alone: its members call it, other ranks do nothing
 */
std::shared_ptr<const ClusterWorkload> MakeRehearsal(const CollectivePlan& plan, uint32_t nRanks);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_REHEARSAL_H
