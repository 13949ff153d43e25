/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TIERED_BANDWIDTH_H
#define ML_CLUSTER_TIERED_BANDWIDTH_H

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
 * Tiers of memory, each with a bandwidth of its own, behind one link that all of them share, such
 * as CPU memory and NVMe behind a PCIe. A transfer needs both its tier and the link; at any time
 * all transfers under way get max-min fair rates: no transfer could get more without one taken from
 * a transfer that has no more than it.
 *
 * Of a tier of bandwidth c with n transfers each gets min(c / n, w). The water level w is the same
 * for all tiers: the one at which they need just the link's bandwidth, or without limit if the
 * tiers together cannot fill it. So the transfers of a tier share it equally, and as in
 * SharedBandwidth one clock per tier serves all of them: v grows at the rate of a transfer over c,
 * and a transfer ends when v has grown by bytes / c. With one tier and no link this is
 * SharedBandwidth.
 *
 * At every event clocks are rounded up to units of 2^-64 ps (of service at c), and ends down. So no
 * end is late: fair rates do not fall when a transfer is through earlier. And rounding adds up, but
 * is never magnified: two states of the same transfers never get further apart, in the sum over all
 * of them of the differences in bytes left, since without one transfer the others gain at most what
 * it had. After m events with at most n transfers under way an end is early by less than 3 m n
 * units, times the bandwidth of the fastest tier over the lowest rate of the transfer.
 *
 * The simulated time never goes back: each call has a time that is not before that of the last one.
 */
class TieredBandwidth
{
  public:
    /**
     * @param tierBitRates bandwidth of each tier, bit/s, at least one, not 0
     * @param linkBitRate bandwidth of the link, bit/s, not 0; nothing: no limit
     */
    TieredBandwidth(const std::vector<uint64_t>& tierBitRates, std::optional<uint64_t> linkBitRate);

    /**
     * Starts a transfer; those that have ended must have been taken by Advance before.
     * @param tier which, from 0
     * @param bytes how much
     * @param nowPs now, ps
     * @return its number, counted from 0 over all tiers
     * @throw InputError if there is no such tier, or it takes longer than can be counted
     */
    uint64_t Start(uint32_t tier, uint64_t bytes, int64_t nowPs);

    /// @return when the next transfer ends if none starts before, ps, rounded up; nothing if there
    /// is none @throw InputError if that cannot be counted
    std::optional<int64_t> GetNextEnd() const;

    /// @param nowPs now, ps @return numbers of the transfers that have ended since the last call,
    /// in the order of their ends in ps, equal ones by number
    std::vector<uint64_t> Advance(int64_t nowPs);

    std::size_t GetNTransfers() const; ///< @return transfers under way

    /// @param tier which, from 0 @return rate of each transfer of it, bit/s; 0 if it has none
    double GetRate(uint32_t tier) const;

  private:
    /// A tier.
    struct Tier
    {
        uint64_t bitRate;                                    ///< c, bit/s
        FineTime served{};                                   ///< v
        FineTime::Wide up{1};                                ///< dv/dt, numerator
        FineTime::Wide down{1};                              ///< dv/dt, denominator
        std::set<std::pair<FineTime, uint64_t>> transfers{}; ///< v at their ends, and numbers
    };

    /// The next end.
    struct End
    {
        FineTime time;   ///< when
        uint64_t number; ///< of the transfer
        uint32_t tier;   ///< its tier
    };

    /// @return the next end, if there is any
    std::optional<End> FindEnd() const;
    /// @param time not before the state's; moves the clocks of all tiers to it
    void MoveTo(FineTime time);
    void SetRates(); ///< Gives all tiers with transfers their fair rates.

    std::vector<Tier> m_tiers;             ///< the tiers
    std::optional<uint64_t> m_linkBitRate; ///< of the link, bit/s
    uint64_t m_nStarted{0};                ///< transfers so far
    FineTime m_now;                        ///< time of the state
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TIERED_BANDWIDTH_H
