/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_EXECUTOR_H
#define ML_CLUSTER_PARITY_EXECUTOR_H

#include "parity-chunk-orders.h"
#include "parity-messenger.h"
#include "parity-options.h"
#include "parity-planner.h"
#include "parity-rank.h"
#include "parity-recorder.h"

#include "ns3/cluster-workload.h"
#include "ns3/diagnostics.h"
#include "ns3/memory-queues.h"
#include "ns3/network-backend.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What ASTRA-sim prints when a rank has finished.
 */
struct ParityFinish
{
    uint32_t rank{0};                   ///< the rank
    uint64_t finishNs{0};               ///< end of its last node
    uint64_t exposedCommunicationNs{0}; ///< finish less the durations of accelerator compute nodes
};

/**
 * @ingroup ml-cluster
 * Runs a workload as ASTRA-sim's analytical front end does, to the nanosecond: its state machine,
 * beside the module's engine and without a share in it. Any NetworkBackend carries the messages;
 * equality needs AnalyticalChannel with Rounding=DownNanosecond and Congestion=None,
 * FirstDimensionOnly=true (congestion-unaware) or ForwardWhole=true (congestion-aware). The doc
 * chapter "Parity" lists what is followed and what is not.
 */
class ParityExecutor
{
  public:
    /**
     * Plans the workload's collectives.
     * @param network what carries messages, built
     * @param topology its shape
     * @param options parameters
     * @param workload one graph per rank of the topology, checked
     * @param diagnostics receives nodes that cannot run, with the reason (errors: then this is not
     * to be started), and what is taken otherwise than the trace says (warnings)
     */
    ParityExecutor(Ptr<NetworkBackend> network,
                   const ClusterTopology& topology,
                   const ParityOptions& options,
                   std::shared_ptr<const ClusterWorkload> workload,
                   Diagnostics& diagnostics);

    void Start(); ///< Issues the first nodes, by rank; then the simulator is to run

    /// @return the ranks that have finished, in that order
    const std::vector<ParityFinish>& GetFinishes() const;

    /// @return share of the nodes of all ranks that have finished, 0 to 1
    double GetShareDone() const;

    /// @return what each unfinished rank waits for, several lines; "" if all have finished
    std::string DescribeStuckRanks() const;

    /// @param report receives ranks, collectives and finish time
    void FillReport(RunReport& report) const;

  private:
    /// @param rank a rank that has finished
    void RankFinished(uint32_t rank);

    ParityOptions m_options;                           ///< parameters
    std::shared_ptr<const ClusterWorkload> m_workload; ///< what to do
    ParityMessenger m_messenger;                       ///< sends and receives
    ParityRecorder m_recorder;                         ///< accounts
    ParityPlanner m_planner;                           ///< plans
    ParityChunkOrders m_orders;                        ///< orders of chunks
    MemoryQueues m_remoteMemory;                       ///< serves loads and stores
    std::vector<std::unique_ptr<ParityRank>> m_ranks;  ///< by rank
    std::vector<ParityFinish> m_finishes;              ///< so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_EXECUTOR_H
