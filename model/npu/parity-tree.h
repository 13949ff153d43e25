/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_TREE_H
#define ML_CLUSTER_PARITY_TREE_H

#include "parity-phase-run.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One rank's part of one chunk's all-reduce in ASTRA-sim's double binary tree, of N = 2^q ranks.
 *
 * Either tree is a root with one child, below which a complete binary tree hangs; positions are
 * given out in order. The first tree's root is the last position, its child on the left; the second
 * tree's root is position 0, its child on the right. A rank's chunks take the trees in turn.
 *
 * The whole chunk goes up, reduced by each rank above the leaves, and down again. A leaf's message
 * is ready after the endpoint delay d. Above, each child's message takes d + R(D), both at once;
 * then the rank sends up. On the way down a rank between root and leaves waits d + R(D) once more,
 * as there, a leaf d.
 */
class ParityTree : public ParityPhaseRun
{
  public:
    /**
     * @param endpoint the rank
     * @param task what to do
     * @param finished called once at the end, from within an event of this object; may destroy it
     */
    ParityTree(const Endpoint& endpoint, const Task& task, std::function<void()> finished);

    void Start() override;

  private:
    void Ascend();  ///< Sends up what is reduced, unless this is the root
    void Descend(); ///< Sends down what is complete, and ends
    /// @param place place in order, counted from 1 @return rank there
    uint32_t GetRank(uint32_t place) const;

    bool m_isRoot;                    ///< has no parent
    uint32_t m_parent{0};             ///< rank above, unless root
    std::vector<uint32_t> m_children; ///< ranks below, left one first
    std::size_t m_unreduced;          ///< children's messages not reduced yet
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_TREE_H
