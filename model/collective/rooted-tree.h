/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ROOTED_TREE_H
#define ML_CLUSTER_ROOTED_TREE_H

#include "collective-algorithm.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A member's place in a tree over a group, for algorithms of rooted collectives: broadcast and
 * scatter go from the root down, reduce and gather up. A broadcast or reduce moves the whole buffer
 * over every edge; a scatter or gather the pieces of those below it.
 */
struct RootedTree
{
    /// One edge, and the members below it, whose positions are a cyclic range.
    struct Edge
    {
        uint32_t peer;     ///< position of its other end
        uint32_t first;    ///< first position below it
        uint32_t nMembers; ///< members below it
    };

    std::optional<Edge> parent; ///< the edge up; the root has none
    std::vector<Edge> children; ///< the edges down, in the order in which a broadcast uses them

    /**
     * @param size members @param root its position @param position a member
     * @return its place in the tree in which the root is next to everybody
     */
    static RootedTree MakeStar(uint32_t size, uint32_t root, uint32_t position);

    /**
     * The binomial tree: counted from the root, member v = 2^k (odd) has the members v + 1 ... v +
     * 2^k - 1 below it, and its children are v + 2^(k - 1), ... v + 2, v + 1, as far as there are.
     * @param size members @param root its position @param position a member
     * @return its place in it
     */
    static RootedTree MakeBinomial(uint32_t size, uint32_t root, uint32_t position);

    /**
     * Appends this member's steps.
     * @param schedule one part a piece
     * @param request the buffer
     * @param type a rooted one
     * @param after steps to wait for
     * @param tag of all messages
     * @return the last step, or after if there is none
     */
    std::vector<uint32_t> AddSteps(RankSchedule& schedule,
                                   const CollectiveRequest& request,
                                   CollectiveType type,
                                   std::vector<uint32_t> after,
                                   uint32_t tag) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ROOTED_TREE_H
