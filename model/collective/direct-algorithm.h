/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DIRECT_ALGORITHM_H
#define ML_CLUSTER_DIRECT_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Every member sends to every other at once: one step of n - 1 sends to the members at distance
 * 1, 2, ... n - 1, so that no two members begin with the same destination. An all-reduce is two
 * such steps, the second after all reductions of the first.
 *
 * FullyConnected (rate b of one link): a + ceil(S / n) / b a step; Switch (rate B): a + (n - 1)
 * ceil(S / n) / B.
 */
class DirectAlgorithm : public CollectiveAlgorithm
{
  public:
    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DIRECT_ALGORITHM_H
