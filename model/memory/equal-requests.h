/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EQUAL_REQUESTS_H
#define ML_CLUSTER_EQUAL_REQUESTS_H

#include "memory-pool-access.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Plain accesses to a memory pool that are asked for at one instant. Where all GPUs of a rectangle,
 * some nodes times some GPU indices, ask for the same, that is one access. One of all GPUs costs a
 * MemoryPoolPipeline as much as one of one GPU.
 */
class EqualRequests
{
  public:
    /// An access, and who waits for it.
    struct Batch
    {
        MemoryPoolAccess access;       ///< what to do
        std::vector<uint64_t> cookies; ///< of its requests
    };

    /// @param rank GPU that asks @param isStore whether it writes @param bytes how much
    /// @param cookie of whoever waits for it
    void Add(uint32_t rank, bool isStore, uint64_t bytes, uint64_t cookie);

    /// @return requests that have not been taken
    uint64_t GetCount() const
    {
        return m_count;
    }

    /**
     * @param shape the pool
     * @return the accesses, and forgets them: those of rectangles, where all requests of a kind
     * make up one, and those of single GPUs, in the order of the first request of each kind
     * @throw InputError if the pool cannot do one
     */
    std::vector<Batch> Take(const MemoryPoolShape& shape);

  private:
    /// Equal requests, one of a GPU.
    struct Kind
    {
        bool isStore;                                          ///< whether they write
        uint64_t bytes;                                        ///< of each
        std::vector<std::pair<uint32_t, uint64_t>> requests{}; ///< rank and cookie
        std::vector<bool> hasRank{};                           ///< by rank, as far as known
    };

    /// @param kind equal requests @param rank a GPU @return whether it is among them
    static bool HasRank(const Kind& kind, uint32_t rank)
    {
        return rank < kind.hasRank.size() && kind.hasRank[rank];
    }

    std::vector<Kind> m_kinds; ///< in the order of their first requests
    uint64_t m_count{0};       ///< requests
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EQUAL_REQUESTS_H
