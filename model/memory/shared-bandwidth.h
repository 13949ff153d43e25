/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SHARED_BANDWIDTH_H
#define ML_CLUSTER_SHARED_BANDWIDTH_H

#include "fine-time.h"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A bandwidth that is shared equally by all transfers under way (processor sharing): of n transfers
 * each gets 1/n of it, at any time, and all of it is used while there is any.
 *
 * A transfer alone takes s = bytes / bandwidth. Let v(t) be the time a transfer that is always
 * there would have been served alone, dv/dt = 1/n: a transfer ends when v has grown by its s. So
 * one clock serves all of them, and a step costs O(log n). The simulated time never goes back: each
 * call has a time that is not before that of the last one.
 */
class SharedBandwidth
{
  public:
    /// @param bitRate the bandwidth, bit/s, not 0
    explicit SharedBandwidth(uint64_t bitRate);

    /**
     * Starts a transfer; those that have ended must have been taken by Advance before.
     * @param bytes how much
     * @param nowPs now, ps
     * @return its number, counted from 0
     * @throw InputError if it takes longer than can be counted
     */
    uint64_t Start(uint64_t bytes, int64_t nowPs);

    /// @return when the next transfer ends if none starts before, ps, rounded up; nothing if there
    /// is none @throw InputError if that cannot be counted
    std::optional<int64_t> GetNextEnd() const;

    /// @param nowPs now, ps @return numbers of the transfers that have ended since the last call,
    /// in the order of their ends, equal ends by number
    std::vector<uint64_t> Advance(int64_t nowPs);

    /// @return transfers under way
    std::size_t GetNTransfers() const
    {
        return m_transfers.size();
    }

  private:
    FineTime GetExactEnd() const; ///< @return when the next transfer ends; there is one

    uint64_t m_bitRate;                                  ///< bit/s
    uint64_t m_nStarted{0};                              ///< transfers so far
    FineTime m_now;                                      ///< time of the state
    FineTime m_served;                                   ///< v at that time
    std::set<std::pair<FineTime, uint64_t>> m_transfers; ///< v at their ends, and numbers
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SHARED_BANDWIDTH_H
