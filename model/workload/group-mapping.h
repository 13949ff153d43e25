/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GROUP_MAPPING_H
#define ML_CLUSTER_GROUP_MAPPING_H

#include "ns3/cluster-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Tells where communicator groups of one kind lie in a network.
 * @param groups per group its members
 * @param topology the network
 * @return the dimensions in which members of a group differ, and whether a group takes all of one
 *         or how many of how many, and how far apart: "dimension 0 (whole) and dimension 1 (4 of 8,
 *         2 apart)"; ", 6 of 8 ranks there" if it lacks some of that box; "one rank". If groups lie
 *         differently, each way with the number of groups, separated by "; "
 * @throw InputError if the network lacks a rank
 */
std::string DescribeMapping(const std::vector<std::vector<uint32_t>>& groups,
                            const ClusterTopology& topology);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GROUP_MAPPING_H
