/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_DOUBLE_BINARY_TREE_ALGORITHM_H
#define ML_CLUSTER_DOUBLE_BINARY_TREE_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Two binary trees over the members, half of the buffer in each, in segments that follow each
 * other (Sanders, Speck and Traeff, 2009). Every member is inner in at most one tree, so that it
 * sends at most S bytes in a reduce or a broadcast, though it has two children.
 *
 * The first tree is the one in which member i, counted from 1, is above the lowest set bit of i
 * (odd members are leaves); the second is its mirror image for an even count and the first shifted
 * by one for an odd count. An all-reduce reduces each half to the root of its tree and sends it
 * down again, segment by segment. In a broadcast or reduce the trees are over the other members,
 * and the root is above both.
 *
 * With k segments (see ScheduleSegments) of t = S / (2 k B) each, and depth d edges, a broadcast
 * takes about d a + 2 (d + k - 1) t on a Switch, an all-reduce twice that, a reduce up to k t more
 * than a broadcast: leaves send at once all they have and delay what they pass on in the other
 * tree. d is floor(log2(n)) for an all-reduce and floor(log2(n - 1)) + 1 otherwise. On
 * FullyConnected (rate b) a broadcast or reduce takes d a + (d + k - 1) S / (2 k b). The paper's
 * fixed rounds, in which no two messages ever meet, are not modelled.
 */
class DoubleBinaryTreeAlgorithm : public CollectiveAlgorithm
{
  public:
    std::string GetName() const override;
    std::string WhyNot(CollectiveType type, uint32_t size) const override;
    RankSchedule Build(const CollectiveRequest& request, uint32_t position) const override;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_DOUBLE_BINARY_TREE_ALGORITHM_H
