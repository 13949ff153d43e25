/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUN_ESTIMATOR_H
#define ML_CLUSTER_RUN_ESTIMATOR_H

#include "ns3/access-costs.h"
#include "ns3/cluster-workload.h"
#include "ns3/collective-costs.h"
#include "ns3/collective-table.h"
#include "ns3/link-graph.h"
#include "ns3/message-costs.h"
#include "ns3/run-estimate.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Counts what a run would simulate, without simulating it. Events are those of
 *
 * - each NPU: three, for its node, its application and the application's start; and of the
 *   network, MessageCosts::GetSetupEvents;
 * - compute nodes, and accesses to an NPU's own memory: one; if several may use that memory at once
 *   up to three, or one for several that end together;
 * - other memory: what it says (MemoryModel::CountCosts), with the collectives that it does;
 * - sends: MessageCosts::GetCost, and one for their end if the sender knows when they leave;
 *   receives, metadata and invalid nodes: none;
 * - collectives: CollectiveCosts.
 *
 * Where the number of events depends on whether messages meet (CountRange of a collective), each
 * collective is rehearsed once, alone, all members starting together: that is what is expected.
 */
class RunEstimator
{
  public:
    /// Simulates a collective alone, @return the events of that run.
    using Rehearsal = std::function<uint64_t(const CollectivePlan& plan)>;

    /// What a run is made of; outlives the estimator.
    struct Parts
    {
        const ClusterWorkload& workload;        ///< what to do
        const CollectiveTable& collectives;     ///< its plans
        std::shared_ptr<const LinkGraph> graph; ///< network
        const MessageCosts& messages;           ///< costs of messages
        CollectiveCosts::Ranks ranks;           ///< what ranks do in collectives
        bool roofline{false};                   ///< compute nodes use local memory
        AccessCosts memoryCosts;                ///< of all that memory does
        std::function<bool(uint32_t rank, uint32_t index)>
            isDoneByMemory{}; ///< whether a node is, together with other ranks
    };

    /// @param parts of the run @param rehearse simulates a collective
    RunEstimator(const Parts& parts, Rehearsal rehearse);

    RunEstimate Estimate(); ///< @return events, messages, packets, memory, remarks

  private:
    /// Collectives that are alike: call, position of the root, levels with their digits; members
    /// if they do not keep to dimensions.
    using Shape = std::tuple<CollectiveType,
                             uint64_t,
                             std::vector<uint32_t>,
                             std::vector<std::vector<uint32_t>>,
                             std::vector<uint32_t>>;

    uint64_t GetSetupEvents() const; ///< @return events before anything is done
    /// @param estimate receives the events of nodes and sends
    void AddNodes(RunEstimate& estimate) const;
    /// @param graph a graph @param estimate receives events of its compute and memory nodes, so
    /// many times @param times @return positions of its sends
    std::vector<uint32_t> AddLocal(const ExecutionGraph& graph,
                                   uint64_t times,
                                   RunEstimate& estimate) const;
    /// @param rank a rank @param index position of a send @param estimate receives what it costs
    void AddSend(uint32_t rank, uint32_t index, RunEstimate& estimate) const;
    /// @param costs of collectives @param estimate receives them
    void AddCollectives(CollectiveCosts& costs, RunEstimate& estimate);
    /// @return collectives that memory does, by plan
    std::map<const CollectivePlan*, uint64_t> CountByMemory() const;
    /// @param plan a collective @param cost what it costs @return its events when it is alone, if
    /// it is rehearsed
    std::optional<uint64_t> Rehearse(const CollectivePlan& plan, const CollectiveCost& cost);
    /// @param plan a collective @return what collectives that are alike have in common
    Shape GetShape(const CollectivePlan& plan) const;

    Parts m_parts;                         ///< of the run
    Rehearsal m_rehearse;                  ///< simulates a collective
    std::map<Shape, uint64_t> m_rehearsed; ///< events of those rehearsed
    uint64_t m_rehearsedWork{0};           ///< of these together, in messages
    uint64_t m_nNotRehearsed{0};           ///< collectives that were too large
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUN_ESTIMATOR_H
