/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_PLANNER_H
#define ML_CLUSTER_COLLECTIVE_PLANNER_H

#include "collective-plan.h"

#include "ns3/object.h"

#include <map>
#include <memory>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The parameters of collectives as ns-3 attributes, and a cache of plans. Every NPU of a cluster holds the
 * same planner; plans are pure functions, so on several processes each may hold its own.
 */
class CollectivePlanner : public Object
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    /// @param topology the shape collectives run on
    void SetTopology(const ClusterTopology& topology);

    /**
     * @param group members' ranks in group order
     * @param involved per topology dimension whether it takes part; empty: all
     * @param type operation
     * @param bytes size
     * @return the plan; equal arguments give the same one
     * @throw InputError with the reason if it cannot be done
     */
    std::shared_ptr<const CollectivePlan> GetPlan(const std::vector<uint32_t>& group,
                                                  const std::vector<bool>& involved,
                                                  CollectiveType type,
                                                  uint64_t bytes);

    /// @return options from the attributes Chunks, ChunksInFlight, AllReduce, ReduceScatter, AllGather, AllToAll
    CollectiveOptions GetOptions() const;

  private:
    using Key = std::tuple<std::vector<uint32_t>, std::vector<bool>, CollectiveType, uint64_t>; ///< what a plan depends on

    uint32_t m_chunks;           ///< Chunks
    uint32_t m_chunksInFlight;   ///< ChunksInFlight
    std::string m_allReduce;     ///< AllReduce
    std::string m_reduceScatter; ///< ReduceScatter
    std::string m_allGather;     ///< AllGather
    std::string m_allToAll;      ///< AllToAll
    std::unique_ptr<ClusterTopology> m_topology; ///< shape
    std::map<Key, std::shared_ptr<const CollectivePlan>> m_plans; ///< made so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_PLANNER_H
