/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PART_BANDWIDTH_H
#define ML_CLUSTER_PART_BANDWIDTH_H

#include "ns3/cluster-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a group that is a part of a block has of a dimension's bandwidth.
 */
enum class PartBandwidth
{
    All,  ///< all of it, as LIBRA has it
    Links ///< what lies between its members, see CollectiveGroup
};

/**
 * @ingroup ml-cluster
 * Which part of the dimensions' bandwidths lies between members that differ in one dimension.
 * @param topology the shape
 * @param members per dimension, as LibraCommunicators has them
 * @param isOuter whether they are as far apart as possible, as those of the weights' pass are; else
 * next to each other
 * @return per dimension a number above 0, at most 1
 * @throw InputError if the members do not divide the dimensions
 */
std::vector<double> GetLinkShares(const ClusterTopology& topology,
                                  const std::vector<uint32_t>& members,
                                  bool isOuter);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PART_BANDWIDTH_H
