/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TIME_BREAKDOWN_H
#define ML_CLUSTER_TIME_BREAKDOWN_H

#include "ns3/execution-graph.h"
#include "ns3/run-report.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Keeps account of where one rank's time goes, ps by ps: each moment belongs to the first
 * activity, in the order below, that is going on. Communication hidden behind compute is thus not
 * exposed.
 */
class TimeBreakdown
{
  public:
    /// What a rank may be doing, most important first.
    enum Activity : uint32_t
    {
        Compute,       ///< accelerator compute
        Communication, ///< a send, receive or collective is pending
        Memory,        ///< remote memory access
        Host           ///< host stream
    };

    /// @param node a node that takes time @return what it counts as
    static Activity GetActivity(const ExecutionNode& node);

    /// @param activity what begins (may be going on several times) @param nowPs current time, ps
    void Begin(Activity activity, int64_t nowPs);
    /// @param activity what ends @param nowPs current time, ps
    void End(Activity activity, int64_t nowPs);
    /**
     * @param rank the rank
     * @param finishPs end of the rank's last node, ps
     * @param runPs end of the run, ps, not before finishPs; the time between is idle
     * @return the parts; they add up to runPs
     */
    RankReport GetReport(uint32_t rank, int64_t finishPs, int64_t runPs) const;

  private:
    static constexpr uint32_t ACTIVITIES = 4; ///< number of activities; one more part is idle

    /// @param nowPs current time, ps; books the time since the last change
    void Book(int64_t nowPs);

    std::array<uint32_t, ACTIVITIES> m_running{};    ///< how many of each are going on
    std::array<int64_t, ACTIVITIES + 1> m_partsPs{}; ///< time booked; the last part is idle
    int64_t m_lastPs{0};                             ///< time of the last change
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TIME_BREAKDOWN_H
