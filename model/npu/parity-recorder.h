/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_RECORDER_H
#define ML_CLUSTER_PARITY_RECORDER_H

#include "time-breakdown.h"

#include "ns3/execution-graph.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Keeps account of a parity run as RunReport has it: where the time of each rank goes, and when
 * each collective ran. Relies on one collective at a time per rank.
 */
class ParityRecorder
{
  public:
    /// @param nRanks number of ranks
    explicit ParityRecorder(uint32_t nRanks);

    /// @param rank the rank @param node what begins now @param group number of its group
    void Begin(uint32_t rank, const ExecutionNode& node, uint32_t group);
    /// @param rank the rank @param node what ends now
    void End(uint32_t rank, const ExecutionNode& node);
    /// @param rank a rank whose last node has ended now
    void Finish(uint32_t rank);

    /**
     * @param rank a rank with a collective under way
     * @param members of the collective's group
     * @return those that have not begun it
     */
    std::vector<uint32_t> GetMissing(uint32_t rank, const std::vector<uint32_t>& members) const;

    /**
     * Fills in ranks, collectives and finish time.
     * @param nRanksOf members of a group, by group number
     * @param report receives them; if it is partial the finish time is the current one
     */
    void FillReport(const std::vector<uint32_t>& nRanksOf, RunReport& report) const;

  private:
    /// Group number and how many collectives of the group came before.
    using CollectiveKey = std::pair<uint32_t, uint32_t>;

    /// What is known of a rank.
    struct RankState
    {
        TimeBreakdown breakdown;                  ///< where its time goes
        int64_t finishPs{0};                      ///< end of its last node
        CollectiveKey current;                    ///< collective under way
        std::map<uint32_t, uint32_t> collectives; ///< begun, by group number
    };

    std::vector<RankState> m_ranks;                          ///< by rank
    std::map<CollectiveKey, CollectiveReport> m_collectives; ///< begun
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_RECORDER_H
