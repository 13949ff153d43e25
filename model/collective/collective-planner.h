/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_PLANNER_H
#define ML_CLUSTER_COLLECTIVE_PLANNER_H

#include "collective-plan.h"
#include "custom-collectives.h"

#include "ns3/diagnostics.h"
#include "ns3/object.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The parameters of collectives as ns-3 attributes, and a cache of plans. Every NPU of a cluster
 * holds the same planner; plans are pure functions, so on several processes each may hold its own.
 *
 * The attributes AllReduce, ReduceScatter, ... Barrier name the algorithm of each dimension,
 * innermost first, separated by commas ("ring,direct,auto"), or are "auto": the default of each
 * block; or one name after "one-" ("one-ring"): that algorithm once over all members, whatever the
 * dimensions. Attributes are read once, by SetTopology.
 */
class CollectivePlanner : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    CollectivePlanner();
    ~CollectivePlanner() override;

    /**
     * Reads the attributes; forgets all plans.
     * @param topology the shape collectives run on
     * @throw InputError with one line per attribute that does not fit the topology
     */
    void SetTopology(const ClusterTopology& topology);

    /**
     * @param group members' ranks in group order
     * @param call what
     * @return the plan; equal arguments give the same one. A look-up hashes the group once, no
     * copies
     * @throw InputError with the reason if it cannot be done
     */
    std::shared_ptr<const CollectivePlan> GetPlan(const std::vector<uint32_t>& group,
                                                  const CollectiveCall& call);

    /**
     * @param group members' ranks in group order
     * @param call a collective
     * @param name of its group, "" for all ranks
     * @param node id of the node that calls it
     * @return the algorithm that CustomSchedules has for it, proven; null if there is none
     * @throw InputError with the reason if what it matches cannot do it
     */
    std::shared_ptr<const CollectiveAlgorithm> FindCustom(const std::vector<uint32_t>& group,
                                                          const CollectiveCall& call,
                                                          const std::string& name,
                                                          uint64_t node);

    bool HasCustomSchedules() const; ///< @return whether CustomSchedules has any

    /**
     * @return options from the attributes
     * @throw InputError with one line per attribute that names an unknown algorithm or, once the
     * topology is set, does not have one entry per dimension
     */
    CollectiveOptions GetOptions() const;

  private:
    /**
     * @param name of the attribute, for messages
     * @param list its value
     * @param diagnostics receives what is wrong with it
     * @return algorithm per dimension; empty for "auto"
     */
    std::vector<std::string> ParseAlgorithms(const std::string& name,
                                             const std::string& list,
                                             Diagnostics& diagnostics) const;
    /// @param name of the attribute @param algorithms its value @param diagnostics receives an
    /// error if their number does not fit the topology
    void CheckNumber(const std::string& name,
                     const std::vector<std::string>& algorithms,
                     Diagnostics& diagnostics) const;

    uint32_t m_chunks;                           ///< Chunks
    uint32_t m_chunksInFlight;                   ///< ChunksInFlight
    std::string m_composition;                   ///< Composition
    std::string m_scheduler;                     ///< Scheduler
    std::string m_queuePolicy;                   ///< QueuePolicy
    std::string m_allReduce;                     ///< AllReduce
    std::string m_reduceScatter;                 ///< ReduceScatter
    std::string m_allGather;                     ///< AllGather
    std::string m_allToAll;                      ///< AllToAll
    std::string m_broadcast;                     ///< Broadcast
    std::string m_reduce;                        ///< Reduce
    std::string m_gather;                        ///< Gather
    std::string m_scatter;                       ///< Scatter
    std::string m_barrier;                       ///< Barrier
    std::string m_customSchedules;               ///< CustomSchedules
    CustomCollectives m_custom;                  ///< what they are, as SetTopology read them
    std::unique_ptr<ClusterTopology> m_topology; ///< shape; null before SetTopology
    CollectiveOptions m_options;                 ///< attributes as SetTopology read them
    std::unordered_multimap<uint64_t, std::shared_ptr<const CollectivePlan>>
        m_plans;                                ///< made so far, by hash of what was asked for
    std::shared_ptr<ScheduleCache> m_schedules; ///< of the plans
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_PLANNER_H
