/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LIBRA_COMMUNICATORS_H
#define ML_CLUSTER_LIBRA_COMMUNICATORS_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Who takes part in the collectives of a LIBRA workload: for each pass and dimension of the network
 * the number of members, 1 where the dimension does not take part. A number may be a divisor of
 * the dimension's size: then the passes forward and backward take members next to each other, and
 * those of weights as many that are as far apart as possible, so that a dimension of 8 holds 4-fold
 * tensor and 2-fold data parallelism.
 */
struct LibraCommunicators
{
    std::vector<uint32_t> forward;        ///< per dimension
    std::vector<uint32_t> inputGradient;  ///< per dimension
    std::vector<uint32_t> weightGradient; ///< per dimension
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LIBRA_COMMUNICATORS_H
