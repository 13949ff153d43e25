/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REPETITION_WATCH_H
#define ML_CLUSTER_REPETITION_WATCH_H

#include "ns3/execution-graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Watches a run for parts that repeat exactly: micro-batches or passes (ExecutionNode::repetition)
 * in which every node of every rank starts and ends as long after the part's first start as in the
 * part before.
 *
 * A simulation is deterministic, so what follows depends only on what is going on, and on how many
 * parts remain once the last of them is in sight. A part may be equal not to the next one but to
 * that u parts later. If that is so, with one shift in time, for as many parts in a row as are ever
 * in flight at once, and u more, then what is going on is the same u parts later, and u further
 * parts put in between add that shift, and nothing else.
 *
 * Equality is that of a 64-bit sum over hashes of (rank, what the node is, start or end, time since
 * the part's first start). Left out: state that outlives nodes, such as random numbers or caches.
 * Memory: 32 bytes a part.
 */
class RepetitionWatch
{
  public:
    /// Parts that repeat.
    struct Period
    {
        uint64_t parts; ///< how many
        int64_t ps;     ///< time that they take, ps
    };

    /// @param rank a rank @param node starts there @param nowPs current time, ps
    void Start(uint32_t rank, const ExecutionNode& node, int64_t nowPs);
    /// @param rank a rank @param node ends there @param nowPs current time, ps
    void End(uint32_t rank, const ExecutionNode& node, int64_t nowPs);
    /// @param unit parts that can only be had together @return the shortest period, a multiple of
    /// that, that is proven to go on; nothing if none is
    std::optional<Period> FindPeriod(uint32_t unit = 1) const;

  private:
    /// What is known of one part.
    struct Part
    {
        int64_t firstPs{-1}; ///< first start; -1: none yet
        int64_t lastPs{0};   ///< last end
        uint64_t sum{0};     ///< of hashes of starts and ends
        uint64_t count{0};   ///< starts and ends
    };

    /// @param rank a rank @param node starts or ends @param isEnd which @param nowPs current time
    void Add(uint32_t rank, const ExecutionNode& node, bool isEnd, int64_t nowPs);
    /// @param k a part @param parts how many later @return by how much that one is later, ps, if
    /// both are equal
    std::optional<int64_t> GetShift(std::size_t k, std::size_t parts) const;
    /// @param parts a period @return the time it takes, ps, if that is proven to go on
    std::optional<int64_t> GetPeriodPs(std::size_t parts) const;

    std::vector<Part> m_parts; ///< by number
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REPETITION_WATCH_H
