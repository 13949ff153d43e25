/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_TABLE_H
#define ML_CLUSTER_COLLECTIVE_TABLE_H

#include "ns3/cluster-workload.h"
#include "ns3/collective-planner.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class MessageTally;

/**
 * @ingroup ml-cluster
 * The plan of every collective node of a workload, made before time starts: what cannot be done is
 * found then, and ranks that share a graph share its plans.
 */
class CollectiveTable
{
  public:
    /// What a collective node runs.
    struct Entry
    {
        std::shared_ptr<const CollectivePlan> plan; ///< null for other kinds of node
        uint64_t context{0}; ///< MessageTag context: group and ordinal, equal on all members
    };

    /**
     * @param workload the workload, checked
     * @param planner makes the plans
     * @param diagnostics receives collectives that cannot be done, with file, node and reason;
     *        and the plans' remarks as warnings, one for each cause
     */
    CollectiveTable(const ClusterWorkload& workload,
                    CollectivePlanner& planner,
                    Diagnostics& diagnostics);

    /// @param graph a graph of the workload @param index node position @return its entry
    const Entry& Get(const ExecutionGraph& graph, uint32_t index) const;

  private:
    /// @param groups the groups defined; numbers them
    void NumberGroups(const CommunicatorGroups& groups);
    /// @param tally receives the plans' remarks
    void AddRemarks(MessageTally& tally) const;
    /// @param graph a graph @param ordinals of its nodes @param workload its groups @param planner
    /// makes plans @param tally receives problems
    void Add(const ExecutionGraph& graph,
             const std::vector<uint32_t>& ordinals,
             const ClusterWorkload& workload,
             CollectivePlanner& planner,
             MessageTally& tally);

    std::unordered_map<std::string, uint64_t> m_groupNumbers; ///< by name, equal on all ranks
    std::unordered_map<const ExecutionGraph*, std::vector<Entry>> m_entries; ///< by node position
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_TABLE_H
