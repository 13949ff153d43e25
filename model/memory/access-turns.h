/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ACCESS_TURNS_H
#define ML_CLUSTER_ACCESS_TURNS_H

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Lets accesses of one or several NPUs take turns: each NPU is in one at a time, in the order in
 * which they were added, and an access has its turn when that of all its NPUs has come. All NPUs
 * have their accesses in one order, so none waits for another in a circle.
 */
class AccessTurns
{
  public:
    /// @param nRanks NPUs
    explicit AccessTurns(uint32_t nRanks);

    /// @param access its number, not that of one under way @param ranks its NPUs @return whether it
    /// has its turn at once
    bool Add(uint64_t access, const std::vector<uint32_t>& ranks);
    /// @param access has had its turn @return those that have theirs now, ascending
    std::vector<uint64_t> End(uint64_t access);

  private:
    /// An access that has not ended.
    struct Waiting
    {
        std::vector<uint32_t> ranks; ///< NPUs
        std::size_t nBusy;           ///< NPUs with accesses before it
    };

    std::vector<std::deque<uint64_t>> m_queues;       ///< by rank: accesses, first the one at work
    std::unordered_map<uint64_t, Waiting> m_accesses; ///< by number
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ACCESS_TURNS_H
