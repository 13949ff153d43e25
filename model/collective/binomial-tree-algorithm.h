/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_BINOMIAL_TREE_ALGORITHM_H
#define ML_CLUSTER_BINOMIAL_TREE_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Rooted collectives over a binomial tree: every member that has something passes on the half of
 * those who have not that is nearest to it, log2(n) times (Thakur, Rabenseifner and Gropp, 2005).
 * Broadcast and reduce move the whole buffer over each edge, scatter and gather what the subtree
 * below it gets or has.
 *
 * On a Switch (rate B), with n a power of two: broadcast and reduce log2(n) (a + S / B), scatter
 * and gather log2(n) a + (n - 1) / n S / B. Reductions of the messages that a member gets begin
 * when they arrive; it sends when all are done.
 */
class BinomialTreeAlgorithm : public CollectiveAlgorithm
{
  public:
    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_BINOMIAL_TREE_ALGORITHM_H
