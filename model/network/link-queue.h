/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINK_QUEUE_H
#define ML_CLUSTER_LINK_QUEUE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A link that sends one message after the other and never rests while one waits: the arithmetic
 * that messages and the recurrence of a collective's phases (see PhaseRecurrence) share.
 */
struct LinkQueue
{
    int64_t freeAt{0};     ///< when it is through with all it has to send, ps
    int64_t maxBacklog{0}; ///< longest time it ever had to send, ps

    /// @param headPs when a message comes, not before those that came earlier, ps @param durationPs
    /// time it holds the link, ps @return when it starts if those before it go first, ps
    int64_t Serve(int64_t headPs, int64_t durationPs)
    {
        const int64_t start = std::max(headPs, freeAt);
        freeAt = start + durationPs;
        maxBacklog = std::max(maxBacklog, freeAt - headPs);
        return start;
    }
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINK_QUEUE_H
