/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RELAY_ALGORITHM_H
#define ML_CLUSTER_RELAY_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * All-to-all on a ring, passed on by neighbours, the shorter way round. In step k = 1 ... n / 2
 * a member sends each neighbour one message: what came from k - 1 members back and has k or more
 * hops to go, counted from there. The piece for the member opposite (n even) goes half one way,
 * half the other.
 *
 * With S bytes a member, n even and rate B of both links together it takes n S / (4 B) + (n / 2) a,
 * which is the lower bound of a ring: every link is busy all the time. Two members: one message.
 */
class RelayAlgorithm : public CollectiveAlgorithm
{
  public:
    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RELAY_ALGORITHM_H
