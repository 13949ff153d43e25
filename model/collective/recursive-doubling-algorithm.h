/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RECURSIVE_DOUBLING_ALGORITHM_H
#define ML_CLUSTER_RECURSIVE_DOUBLING_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The fewest steps: for small buffers.
 *
 * All-reduce (Thakur, Rabenseifner and Gropp, 2005): partners at distance 1, 2, 4, ... exchange the
 * whole buffer, log2(n) (a + S / B). Of n = 2^m + r members the even ones of the first 2 r hand
 * their data to the next member before and get the result from it behind, 2 steps more.
 *
 * Barrier (dissemination; Hensgen, Finkel and Manber, 1988): in round k a member sends 0 bytes to
 * the one 2^k ahead, ceil(log2(n)) a. A message stands for the members that its sender knows to
 * have come; a barrier is an all-gather of pieces of 0 bytes.
 */
class RecursiveDoublingAlgorithm : public CollectiveAlgorithm
{
  public:
    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RECURSIVE_DOUBLING_ALGORITHM_H
