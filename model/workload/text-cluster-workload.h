/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_CLUSTER_WORKLOAD_H
#define ML_CLUSTER_TEXT_CLUSTER_WORKLOAD_H

#include "cluster-workload.h"
#include "text-graph-options.h"
#include "text-workload.h"

#include "ns3/cluster-topology.h"

#include <memory>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Makes the execution graphs of a text workload for a topology. All ranks share one graph, those of
 * a pipeline one per kind of stage: first, last and others.
 * @param workload the workload
 * @param topology the shape; its dimensions decide who takes part in which collective
 * @param options how to do it
 * @param diagnostics receives problems: a workload or options that are not allowed, groups that do
 *        not divide the ranks, times or sizes that cannot be counted; a warning for what the
 *        graphs leave out
 * @return the workload (not yet checked, see ClusterWorkload::Check), or null after errors
 */
std::shared_ptr<const ClusterWorkload> MakeTextWorkload(const TextWorkload& workload,
                                                        const ClusterTopology& topology,
                                                        const TextGraphOptions& options,
                                                        Diagnostics& diagnostics);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_CLUSTER_WORKLOAD_H
