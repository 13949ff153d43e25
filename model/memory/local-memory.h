/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LOCAL_MEMORY_H
#define ML_CLUSTER_LOCAL_MEMORY_H

#include "shared-bandwidth.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The accelerator's own memory, as work that moves bytes sees it. With m bytes that are through t
 * after its start,
 *
 * - an access ends at start + t + latency,
 * - computing ends at max(start + t, end of its operations).
 *
 * If the bandwidth is shared, it is divided equally among the work whose bytes are under way (see
 * SharedBandwidth); otherwise each has all of it. Alone, t = m / bandwidth. Ends are rounded up to
 * 1 ps. The simulated time never goes back: each call has a time that is not before that of the
 * last one.
 */
class LocalMemory
{
  public:
    /// @param bitRate the bandwidth, bit/s; 0: there is none, and nothing moves bytes @param
    /// latencyPs of an access, ps @param isShared whether work under way at once shares the
    /// bandwidth
    LocalMemory(uint64_t bitRate, int64_t latencyPs, bool isShared);

    /// @param bytes how much @return time of an access to them alone, ps; the largest int64_t if
    /// it does not fit
    int64_t GetPicoseconds(uint64_t bytes) const;

    /**
     * Starts an access.
     * @param name of this work
     * @param bytes how much it moves
     * @param nowPs now, ps
     * @throw InputError if it takes longer than can be counted
     */
    void StartAccess(uint32_t name, uint64_t bytes, int64_t nowPs);

    /**
     * Starts computing.
     * @param name of this work
     * @param bytes how much it moves
     * @param nowPs now, ps
     * @param operationsEndPs when its operations are through, ps, not before now
     * @throw InputError if it takes longer than can be counted
     */
    void StartComputing(uint32_t name, uint64_t bytes, int64_t nowPs, int64_t operationsEndPs);

    /// @return when to call Advance if nothing starts before, ps: not after the next end, and just
    /// then if the bytes of only one are under way; nothing if there is no work
    /// @throw InputError if that cannot be counted
    std::optional<int64_t> GetNextMoment() const;

    /// @param nowPs now, ps, not after GetNextMoment @return names of the work that ends now, in
    /// the order of starts
    std::vector<uint32_t> Advance(int64_t nowPs);

  private:
    /// Work under way.
    struct Work
    {
        int64_t endPs;     ///< earliest end; when its bytes are through, the end
        uint64_t place;    ///< in the order of starts
        uint32_t name;     ///< as its starter calls it
        int64_t latencyPs; ///< from when its bytes are through to its end

        /// @param other other work @return whether this ends, or else starts, earlier
        bool operator<(const Work& other) const;
        /// @param movedPs when its bytes are through @return its end
        int64_t GetEndPs(int64_t movedPs) const;
    };

    /// @param work starts @param bytes how much it moves @param nowPs now, ps
    void Start(const Work& work, uint64_t bytes, int64_t nowPs);
    /// @param nowPs now, ps; takes note of work whose bytes are through
    void TakeTransfers(int64_t nowPs);

    uint64_t m_bitRate;                         ///< bit/s
    int64_t m_latencyPs;                        ///< of accesses
    std::optional<SharedBandwidth> m_bandwidth; ///< if it is shared
    uint64_t m_nStarted{0};                     ///< work so far
    std::map<uint64_t, Work> m_transfers;       ///< whose bytes are under way, by transfer
    std::set<Work> m_ends;                      ///< whose bytes are through
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LOCAL_MEMORY_H
