/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RING_ALGORITHM_H
#define ML_CLUSTER_RING_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Pieces travel round a ring of neighbours, n - 1 steps for a reduce-scatter or an all-gather, 2(n
 * - 1) for an all-reduce, one piece a step (Thakur, Rabenseifner and Gropp, 2005).
 *
 * In both directions each piece is cut in half and the halves travel opposite ways, which fills
 * both links of a Ring dimension: 2(n - 1)(a + ceil(ceil(S / n) / 2) / b) for an all-reduce of S
 * bytes with latency a and rate b of one link. Two members have one link each way, so that one
 * direction is all there is. One way is for blocks in which a member has one link for all it sends:
 * 2(n - 1)(a + ceil(S / n) / B).
 *
 * A broadcast or reduce is a pipelined chain between the root and its last member: in k segments
 * (see ScheduleSegments) it takes (n - 1) a + (n + k - 2) S / (k B) one way. In both directions
 * half of the data goes each way round all members, (n - 1) a + (n + k - 2) S / (2 k b); each way
 * halfway round with all of the data would halve the latencies, but keep each link busy twice as
 * long. Pieces of a scatter or gather go the shorter way, that of the member opposite half one way,
 * half the other; those that go farthest leave first: h (a + p / b) with h = (n - 1) / 2 for odd n
 * and pieces of p bytes, one way (n - 1) (a + p / B). A barrier is an all-gather of 0 bytes, in
 * both directions n / 2 a, one way (n - 1) a.
 *
 * All-to-all in both directions is RelayAlgorithm.
 */
class RingAlgorithm : public CollectiveAlgorithm
{
  public:
    /// @param bothDirections whether both ways round the ring are used
    explicit RingAlgorithm(bool bothDirections);

    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;

  private:
    bool m_bothDirections; ///< whether both ways round the ring are used
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RING_ALGORITHM_H
