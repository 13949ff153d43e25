/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_IN_NETWORK_ALGORITHM_H
#define ML_CLUSTER_IN_NETWORK_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Reduction and multicast in a switch to which all members are linked, as SHARP (Graham et al.,
 * COMHPC 2016) and NVLS do: every member sends the switch one message, and when all have come gets
 * one back, whatever the collective. With D the buffer of a member, or in an all-gather the buffer
 * behind it:
 *
 *     collective       up                     down
 *     all-reduce       D                      D
 *     reduce-scatter   D                      own piece
 *     all-gather       own piece              D less own piece
 *     broadcast        root D, others 0       others D, root 0
 *     reduce           D                      root D, others 0
 *     barrier          0                      0
 *
 * A message of 0 bytes tells that a member has come, or that all is done. The switch is a further
 * position with steps of its own: it takes the first contribution, reduces the others into it, and
 * sends the results. The time it works is a property of the dimension (InNetworkCapability).
 *
 * Time of k chunks of c bytes (all-reduce, broadcast, reduce), all in flight, with L the latency of
 * a link, B its rate and p the processing time: 2 L + p + 2 c / B + (k - 1) max(p, c / B).
 */
class InNetworkAlgorithm : public CollectiveAlgorithm
{
  public:
    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    bool NeedsSwitch() const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
    CollectiveLayout GetLayout(const CollectiveRequest& request,
                               uint32_t partsPerPiece) const override;

  private:
    /// @param request what to do @param member position @return what it sends to the switch
    Transfer GetUp(const CollectiveRequest& request, uint32_t member) const;
    /// @param request what to do @param member position @return what the switch sends to it
    Transfer GetDown(const CollectiveRequest& request, uint32_t member) const;
    /// @param request what to do @return the steps of the switch
    RankSchedule BuildSwitch(const CollectiveRequest& request) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_IN_NETWORK_ALGORITHM_H
