/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_TABLE_H
#define ML_CLUSTER_COLLECTIVE_TABLE_H

#include "context-table.h"

#include "ns3/cluster-workload.h"
#include "ns3/collective-planner.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
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
     * @param workload the workload, checked; must outlive this
     * @param planner makes the plans
     * @param diagnostics receives collectives that cannot be done, with file, node and reason;
     *        and the plans' remarks as warnings, one for each cause
     */
    CollectiveTable(const ClusterWorkload& workload,
                    CollectivePlanner& planner,
                    Diagnostics& diagnostics);

    /// @param rank a rank @param index position of a collective in its graph @return its entry
    Entry Get(uint32_t rank, uint32_t index) const;
    /// @param context of a collective @return its plan; null if there is no such collective
    std::shared_ptr<const CollectivePlan> Find(uint64_t context) const;

    /// A plan and how many collectives of the workload run it.
    struct Use
    {
        const CollectivePlan* plan; ///< the plan
        uint64_t count;             ///< collectives
    };

    std::vector<Use> CountUses() const; ///< @return all plans, by the first context of each
    uint64_t GetMemoryBytes() const;    ///< @return memory that it takes, with the plans
    /// @param bytes of a value @return memory of another table with a value for each collective
    uint64_t GetTableBytes(uint64_t bytes) const;

  private:
    /// Where a rank finds contexts.
    struct RankGroups
    {
        const ExecutionGraph* graph;   ///< its graph
        std::vector<uint64_t> numbers; ///< of its groups, as the graph has them
    };

    /// @param groups the groups defined; numbers them
    void NumberGroups(const CommunicatorGroups& groups);
    void AddRanks(); ///< Finds the groups of all ranks.
    /// @param tally receives the plans' remarks
    void AddRemarks(MessageTally& tally) const;
    void AddMatrices(); ///< Puts together what all members of all-to-alls send.
    /// @param rank a rank @param planner makes plans @param tally receives problems; adds what no
    /// rank before has
    void Add(uint32_t rank, CollectivePlanner& planner, MessageTally& tally);
    /// @param rank a rank @param node a collective of it @param context of that @param planner
    /// makes plans @return its plan; a reduce-scatter of equal blocks is a reduce-scatter, unless a
    /// schedule of the user's is for it
    std::shared_ptr<const CollectivePlan> MakePlan(uint32_t rank,
                                                   const ExecutionNode& node,
                                                   uint64_t context,
                                                   CollectivePlanner& planner) const;
    /// @param rank a rank @return whether it has a group of which no rank with its graph had plans;
    /// it has then
    bool HasNewGroup(uint32_t rank);
    /// @param rank a rank @param index position of a collective @return its context
    uint64_t GetContext(uint32_t rank, uint32_t index) const;

    const ClusterWorkload& m_workload;                        ///< the workload
    std::unordered_map<std::string, uint64_t> m_groupNumbers; ///< by name, equal on all ranks
    std::vector<RankGroups> m_rankGroups;                     ///< by rank
    std::set<std::tuple<const ExecutionGraph*, std::size_t, uint64_t>>
        m_groupsDone; ///< graphs, index of a group there and its number, that have their plans
    ContextTable<std::shared_ptr<const CollectivePlan>> m_plans; ///< by context
    std::unordered_set<uint64_t> m_impossible; ///< contexts of those that cannot be done
    std::unordered_map<uint64_t, std::shared_ptr<std::vector<uint64_t>>>
        m_matrices; ///< of all-to-alls with unequal sizes, by context
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_TABLE_H
