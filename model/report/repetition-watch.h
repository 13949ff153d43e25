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
 * parts remain once the last of them is in sight. If as many parts in a row as are ever in flight
 * at once, and one more, are equal but for one shift in time, then what is going on is the same one
 * part later, and further parts put in between add that shift each, and nothing else.
 *
 * Equality is that of a 64-bit sum over hashes of (rank, what the node is, start or end, time since
 * the part's first start). Left out: state that outlives nodes, such as random numbers or caches.
 * Memory: 32 bytes a part.
 */
class RepetitionWatch
{
  public:
    /// @param unit parts that make up one period, such as the stages of an interleaved pipeline
    explicit RepetitionWatch(uint32_t unit = 1);

    /// @param rank a rank @param node starts there @param nowPs current time, ps
    void Start(uint32_t rank, const ExecutionNode& node, int64_t nowPs);
    /// @param rank a rank @param node ends there @param nowPs current time, ps
    void End(uint32_t rank, const ExecutionNode& node, int64_t nowPs);
    /// @return by how much a unit is later than the one before it, ps, once that is proven to go
    /// on; nothing if it is not
    std::optional<int64_t> FindPeriodPs() const;

  private:
    /// What is known of one unit.
    struct Part
    {
        int64_t firstPs{-1}; ///< first start; -1: none yet
        int64_t lastPs{0};   ///< last end
        uint64_t sum{0};     ///< of hashes of starts and ends
        uint64_t count{0};   ///< starts and ends
    };

    /// @param rank a rank @param node starts or ends @param isEnd which @param nowPs current time
    void Add(uint32_t rank, const ExecutionNode& node, bool isEnd, int64_t nowPs);
    /// @param k a unit that has one after it @return how much later that is, ps, if both are equal
    std::optional<int64_t> GetShift(std::size_t k) const;

    uint32_t m_unit;           ///< parts of a unit
    std::vector<Part> m_parts; ///< by number of the unit
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REPETITION_WATCH_H
