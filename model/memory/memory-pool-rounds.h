/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_ROUNDS_H
#define ML_CLUSTER_MEMORY_POOL_ROUNDS_H

#include "memory-pool-shape.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How an access is cut into rounds: one or two runs of rounds of equal size, in order.
 */
class MemoryPoolRounds
{
  public:
    /// Consecutive rounds of equal size.
    struct Run
    {
        uint64_t count; ///< rounds
        uint64_t bytes; ///< unique bytes of each
    };

    /// @param bytes unique bytes of the access @param fullBytes those of a full round, not 0
    /// @param policy of sizes that do not divide
    MemoryPoolRounds(uint64_t bytes, uint64_t fullBytes, PoolRoundPolicy policy);

    /// @return the runs, none for an access of 0 bytes
    const std::vector<Run>& GetRuns() const
    {
        return m_runs;
    }

    uint64_t GetCount() const; ///< @return all rounds, K
    /// @param round counted from 0 @return its unique bytes
    uint64_t GetBytes(uint64_t round) const;
    /// @param round counted from 0 @return unique bytes of the rounds before it
    uint64_t GetOffset(uint64_t round) const;

  private:
    std::vector<Run> m_runs; ///< one or two
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_ROUNDS_H
