/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_ESTIMATOR_H
#define ML_CLUSTER_MEMORY_ESTIMATOR_H

#include "ns3/cluster-workload.h"
#include "ns3/collective-costs.h"
#include "ns3/collective-table.h"
#include "ns3/link-graph.h"
#include "ns3/message-costs.h"
#include "ns3/run-estimate.h"

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Tells what memory a run needs, from the sizes of what it is made of: objects, and what the
 * containers of the C++ library take for their elements. Everything is there at once: graphs,
 * plans, NPUs and network from the beginning, results at the end. Left out: holes in the heap,
 * callbacks, and code that is loaded when it is used first, together some megabytes.
 */
class MemoryEstimator
{
  public:
    /**
     * @param workload what to do
     * @param collectives its plans
     * @param graph network
     * @param messages costs of messages
     * @param costs of the collectives, all counted; all of them outlive this
     */
    MemoryEstimator(const ClusterWorkload& workload,
                    const CollectiveTable& collectives,
                    const LinkGraph& graph,
                    const MessageCosts& messages,
                    const CollectiveCosts& costs);

    EstimatedMemory Estimate() const; ///< @return the parts, without the process itself

  private:
    uint64_t GetNpuBytes() const;     ///< @return of nodes and applications
    uint64_t GetNetworkBytes() const; ///< @return of links and accounts
    uint64_t GetLiveBytes() const;    ///< @return of what goes on at once
    uint64_t GetPhaseBytes() const;   ///< @return of collectives that are computed
    /// @param plan a collective that is computed @return what is kept of it for the next of its
    /// kind, programs left out
    uint64_t GetRecurrenceBytes(const CollectivePlan& plan) const;
    uint64_t GetPeers() const; ///< @return NPUs that one sends to

    const ClusterWorkload& m_workload;    ///< what to do
    const CollectiveTable& m_collectives; ///< its plans
    const LinkGraph& m_graph;             ///< network
    const MessageCosts& m_messages;       ///< costs of messages
    const CollectiveCosts& m_costs;       ///< of collectives
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_ESTIMATOR_H
