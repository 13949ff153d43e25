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
#include <map>
#include <string_view>
#include <utility>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Keeps account of where one rank's time goes, ps by ps: each moment belongs to the first
 * activity, in the order compute, communication, remote memory, local memory, host, that is going
 * on.
 * Communication hidden behind compute is thus not exposed, but overlapped (the share of
 * communication that is overlapped is that of Holistic Trace Analysis).
 *
 * Communication is also told by kind and group: how long some of it is pending, and how much of
 * that without compute. Cost: O(1) a change, but for finding the group by name.
 */
class TimeBreakdown
{
  public:
    /// @param node begins now, takes time @param nowPs current time, ps
    void Begin(const ExecutionNode& node, int64_t nowPs);
    /// @param node ends now @param nowPs current time, ps
    void End(const ExecutionNode& node, int64_t nowPs);
    /**
     * Adds what this rank did to a report.
     * @param rank the rank
     * @param finishPs end of the rank's last node, ps
     * @param report has the finish time of the run, which is not before that, nor before the last
     * change; the time between is idle. The rank's parts add up to it
     */
    void AddTo(uint32_t rank, int64_t finishPs, RunReport& report) const;

  private:
    /// What a rank may be doing, most important first.
    enum Activity : uint32_t
    {
        COMPUTE,
        COMMUNICATION,
        REMOTE_MEMORY,
        LOCAL_MEMORY,
        HOST,
        ACTIVITIES ///< number of activities; one more part is idle
    };

    /// Communication of one kind and group.
    struct Account
    {
        SharedText group;     ///< the group
        uint32_t running{0};  ///< how many are going on
        int64_t busyPs{0};    ///< time with some; while there are some, less the time they began
        int64_t exposedPs{0}; ///< likewise, in time without compute
    };

    using Key = std::pair<bool, std::string_view>; ///< whether collectives, group of an account

    /// @param node a node that takes time @return what it counts as
    static Activity GetActivity(const ExecutionNode& node);
    /// @param node a communication node @return its account
    Account& GetAccount(const ExecutionNode& node);
    /// @param nowPs current time, ps; books the time since the last change
    void Book(int64_t nowPs);
    /// @return time without compute, ps, up to the last change
    int64_t GetWithoutComputePs() const;

    std::array<uint32_t, ACTIVITIES> m_running{};    ///< how many of each are going on
    std::array<int64_t, ACTIVITIES + 1> m_partsPs{}; ///< time booked; the last part is idle
    int64_t m_overlappedPs{0};                       ///< communication under compute
    int64_t m_lastPs{0};                             ///< time of the last change
    std::map<Key, Account> m_accounts;               ///< communication
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TIME_BREAKDOWN_H
