/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHUNK_ORDER_SCHEDULER_H
#define ML_CLUSTER_CHUNK_ORDER_SCHEDULER_H

#include "collective-type.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How the dimension order of a chunk is chosen (ASTRA-sim's inter-dimension policies).
 */
enum class ChunkOrderPolicy
{
    Ascending,        ///< dimensions ascending, all-gather descending
    RoundRobin,       ///< that order, begun one dimension further with each chunk
    OnlineGreedy,     ///< as Ascending; only the composition of an all-reduce differs there
    OfflineGreedy,    ///< least loaded dimension first
    OfflineGreedyFlex ///< likewise, with chunks of the size that would level the loads
};

/**
 * @ingroup ml-cluster
 * Chooses the dimension order, and the size, of one chunk after the other: what ASTRA-sim 2.0's
 * code makes of Themis (ISCA 2022), beside simpler policies. Chunks of an all-reduce are ordered as
 * those of a reduce-scatter, which its all-gather mirrors; those of an all-to-all ascend in any
 * case, but with RoundRobin.
 *
 * The greedy policies keep a load L per dimension: time sent so far, in MiB at the bandwidth B of
 * dimension 0. A chunk of C bytes adds, dimension by dimension in its order,
 *
 * - reduce-scatter: (C / MiB) (n-1)/n / (B_k / B_0), then C becomes floor(C / n);
 * - all-gather: (C / MiB) (n-1) / (B_k / B_0), then C becomes C n,
 *
 * n being the dimension's size. The order is that of ascending loads (all-gather: of descending
 * ones; ties as they were before). X is the size of the chunk that would take the time between the
 * loads of the first dimension that takes part and of the last in the list (all-gather: last that
 * takes part). If X is less than a 16th of the chunk, the order is 0, 1, 2, ... With flexible
 * sizes X is the chunk's size, unless it is less than the size asked for, which then is taken in
 * the order 0, 1, 2, ...
 *
 * Differences to the paper are those of that code: loads begin at 0, without the fixed delay of a
 * dimension; the gap is compared as a size; an all-gather that falls back takes the order 0, 1, 2,
 * ... and adds dimension k's time to the load of dimension K-1-k; the load is that of a full chunk
 * even if less remains. Left out: latency.
 */
class ChunkOrderScheduler
{
  public:
    /// What is decided for a chunk.
    struct Choice
    {
        std::vector<uint32_t> order; ///< dimensions that take part
        uint64_t bytes;              ///< size, at most what remains
    };

    /**
     * @param policy how to choose
     * @param sizes ranks of each dimension, innermost first; at least one dimension, none of size 0
     * @param bandwidths of each dimension, above 0; only their ratios count
     */
    ChunkOrderScheduler(ChunkOrderPolicy policy,
                        const std::vector<uint32_t>& sizes,
                        const std::vector<double>& bandwidths);

    /**
     * Chooses for the next chunk, and accounts for it.
     * @param type all-reduce, reduce-scatter, all-gather or all-to-all
     * @param involved per dimension whether it takes part; missing ones do, those of size 1 do not
     * @param chunkBytes size of a chunk, at least 1
     * @param remainingBytes bytes of the collective not yet in a chunk, at least 1
     * @return order and size
     */
    Choice Next(CollectiveType type,
                const std::vector<bool>& involved,
                uint64_t chunkBytes,
                uint64_t remainingBytes);

    void Reset(); ///< Makes all loads 0; RoundRobin goes on where it is

    /// @param dimension a dimension @return its load, MiB at the bandwidth of dimension 0
    double GetLoad(uint32_t dimension) const;

  private:
    /// A dimension's account.
    struct Account
    {
        uint32_t dimension; ///< which
        double load;        ///< time, in MiB at the bandwidth of dimension 0
    };

    /// What Next was asked.
    struct Request
    {
        bool gathers;                   ///< all-gather, else reduce-scatter
        std::vector<bool> participates; ///< per dimension, at least one does
        uint64_t chunkBytes;            ///< size of a full chunk
        uint64_t bytes;                 ///< that, or what remains if it is less
        uint64_t remainingBytes;        ///< not yet in a chunk
    };

    /// @param request what is asked @return order and size by a greedy policy
    Choice NextByLoad(const Request& request);
    /// @param request what is asked; the accounts are sorted for it @return X
    uint64_t GetLevellingBytes(const Request& request) const;
    /**
     * Adds a chunk's time to the accounts.
     * @param request what is asked
     * @param bytes size of the chunk
     * @param order dimensions as the chunk visits them; the time of the i-th goes to the i-th
     * account
     */
    void AddLoads(const Request& request, uint64_t bytes, const std::vector<uint32_t>& order);
    /// @param dimension a dimension @param gathers all-gather, else reduce-scatter @return MiB it
    /// sends per MiB of chunk, at the bandwidth of dimension 0
    double GetShare(uint32_t dimension, bool gathers) const;

    ChunkOrderPolicy m_policy;       ///< how to choose
    std::vector<uint32_t> m_sizes;   ///< ranks of each dimension
    std::vector<double> m_speeds;    ///< bandwidth of each dimension / that of dimension 0
    std::vector<Account> m_accounts; ///< as sorted for the latest chunk
    uint32_t m_turn{0};              ///< RoundRobin: where the next chunk begins
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHUNK_ORDER_SCHEDULER_H
