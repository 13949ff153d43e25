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
 * Every member sends to every other: n - 1 messages to the members at distance 1, 2, ... n - 1, so
 * that no two members begin with the same destination. An all-reduce is a reduce-scatter and an
 * all-gather, the second after all reductions of the first; a barrier an all-gather of 0 bytes. In
 * a rooted collective the root sends to each member or receives from each.
 *
 * Without a window all messages are sent at once. With window W the one to distance k is sent when
 * the one from distance k - W has arrived, so that at most W of them are on their way into a
 * member.
 *
 * FullyConnected (rate b of one link): a + ceil(S / n) / b a round of n - 1 messages; Switch (rate
 * B): a + (n - 1) ceil(S / n) / B. With a window on a Switch the latency counts once every W
 * messages if these are shorter than it.
 */
class DirectAlgorithm : public CollectiveAlgorithm
{
  public:
    /// @param window sends of a member that may be outstanding; 0: all
    explicit DirectAlgorithm(uint32_t window = 0);

    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    std::string WhyNotMatrix() const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;

  private:
    uint32_t m_window; ///< sends that may be outstanding; 0: all
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DIRECT_ALGORITHM_H
