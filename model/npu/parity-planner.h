/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_PLANNER_H
#define ML_CLUSTER_PARITY_PLANNER_H

#include "parity-options.h"
#include "parity-plan.h"

#include "ns3/cluster-workload.h"
#include "ns3/diagnostics.h"
#include "ns3/rank-schedule.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class MessageTally;

/**
 * @ingroup ml-cluster
 * The plans of a workload's collectives, each made once, before time starts, so that what cannot be
 * done is known then.
 */
class ParityPlanner
{
  public:
    /**
     * Makes the plans of all collectives.
     * @param topology the network
     * @param options parameters
     * @param workload graphs and groups; must outlive this
     * @param diagnostics receives nodes that cannot run, with the reason
     */
    ParityPlanner(const ClusterTopology& topology,
                  const ParityOptions& options,
                  const ClusterWorkload& workload,
                  Diagnostics& diagnostics);

    /// @param node a collective of the workload that sends messages @return schedules of its
    /// members, by position, if they are from files; else null
    const std::vector<RankSchedule>* GetCustom(const ExecutionNode& node) const;
    /// @param node a collective of the workload that sends messages, not from files @return its
    /// plan
    const ParityPlan& GetPlan(const ExecutionNode& node) const;
    /// @param group a group's name as a node has it @return a number that stands for it, 0 for all
    /// ranks
    uint32_t GetGroupNumber(const std::string& group) const;
    /// @return number of members, by group number
    std::vector<uint32_t> GetGroupSizes() const;

  private:
    /// What a plan depends on: group number, mask, operation, size.
    using Key = std::tuple<uint32_t, std::vector<bool>, CollectiveType, uint64_t>;

    /// Schedules of the members, by position, or why there are none.
    struct Custom
    {
        std::vector<RankSchedule> schedules; ///< none after an error
        std::string error;                   ///< "" if there is none
    };

    /// @param node a collective @return prefix of the files it is from; null if from none
    const std::string* FindPrefix(const ExecutionNode& node) const;
    /**
     * Reads the files of a collective, and checks that messages match and nobody waits for ever. A
     * member alone has nothing to do.
     * @param prefix of the files
     * @param type operation
     * @param size members
     * @return the schedules
     */
    static Custom ReadCustom(const std::string& prefix, CollectiveType type, uint32_t size);
    /// @param diagnostics receives nodes named that are no collectives
    void CheckNodesNamed(Diagnostics& diagnostics) const;
    /// @param node a collective @return its key
    Key MakeKey(const ExecutionNode& node) const;
    /**
     * @param node a node
     * @param file its source, for messages
     * @param tally receives why it cannot run, or what it does otherwise
     */
    void Check(const ExecutionNode& node, const std::string& file, MessageTally& tally);

    ClusterTopology m_topology;                         ///< the network
    const ParityOptions& m_options;                     ///< parameters
    const ClusterWorkload& m_workload;                  ///< groups
    std::map<std::string, uint32_t> m_groupNumbers;     ///< by name
    std::map<Key, std::unique_ptr<ParityPlan>> m_plans; ///< made
    std::map<std::pair<std::string, uint32_t>, Custom>
        m_customs;                   ///< read, by prefix and number of members
    std::set<uint64_t> m_nodesFound; ///< nodes with files of their own
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_PLANNER_H
