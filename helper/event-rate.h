/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EVENT_RATE_H
#define ML_CLUSTER_EVENT_RATE_H

#include "ns3/cluster-topology.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Measures how fast this machine simulates, in a run of a fraction of a second: NPUs send messages
 * to the next one, in a network of that shape, but of 1,024 NPUs at most.
 * @param topology a shape
 * @param backend as ClusterHelper::SetBackend; attributes are those in force
 * @return events per second of wall time; 0 if nothing could be measured
 */
double MeasureEventRate(const ClusterTopology& topology, const std::string& backend);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EVENT_RATE_H
