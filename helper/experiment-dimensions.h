/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_DIMENSIONS_H
#define ML_CLUSTER_EXPERIMENT_DIMENSIONS_H

#include "experiment-input.h"

#include "ns3/cluster-topology.h"
#include "ns3/diagnostics.h"

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The network dimensions of an experiment file, in either form: notation and lists of one value
 * per dimension, or cluster.topology as a list of maps with block, size, bandwidth or
 * link-bandwidth, latency, and in-network, processing-time and slots.
 * @param input the file
 * @param diagnostics receives missing or surplus keys, list lengths that do not fit, and what
 *        ClusterTopology refuses
 * @return the dimensions, innermost first; unusable if diagnostics gained errors
 */
std::vector<TopologyDimension> ReadExperimentDimensions(const ExperimentInput& input,
                                                        Diagnostics& diagnostics);

/**
 * @ingroup ml-cluster
 * Sets one value of a dimension.
 * @param dimension to change; block and size are set
 * @param name of the key below "cluster.": bandwidth, link-bandwidth, latency, in-network,
 *        processing-time or slots
 * @param text as a user writes it
 * @throw InputError if it cannot be read
 */
void SetDimensionValue(TopologyDimension& dimension,
                       const std::string& name,
                       const std::string& text);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_DIMENSIONS_H
