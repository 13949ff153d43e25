/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_EXECUTOR_H
#define ML_CLUSTER_PARITY_EXECUTOR_H

#include "parity-messenger.h"
#include "parity-options.h"
#include "parity-planner.h"
#include "parity-rank.h"

#include "ns3/cluster-workload.h"
#include "ns3/network-backend.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// @ingroup ml-cluster What ASTRA-sim prints when a rank has finished.
struct ParityFinish
{
    uint32_t rank{0};                   ///< the rank
    uint64_t finishNs{0};               ///< end of its last node
    uint64_t exposedCommunicationNs{0}; ///< finish less the durations of accelerator compute nodes
};

/**
 * @ingroup ml-cluster
 * Runs a workload as ASTRA-sim's analytical front end does, to the nanosecond: its own state
 * machine beside the module's engine, over any NetworkBackend (equality needs whole nanoseconds,
 * see the doc chapter "Parity").
 */
class ParityExecutor
{
  public:
    /**
     * Checks the workload and plans its collectives.
     * @param network what carries messages, built
     * @param topology its shape
     * @param options parameters
     * @param workload one graph per rank of the topology
     * @throw InputError naming every node that cannot run, with the reason
     */
    ParityExecutor(Ptr<NetworkBackend> network,
                   const ClusterTopology& topology,
                   const ParityOptions& options,
                   std::shared_ptr<const ClusterWorkload> workload);

    /**
     * Runs the simulator to its end. The caller destroys it.
     * @return the ranks in the order they finished
     * @throw InputError with what each unfinished rank waits for, if there is one
     */
    std::vector<ParityFinish> Run();

  private:
    /// @param rank a rank that has finished
    void RankFinished(uint32_t rank);

    ParityOptions m_options;                           ///< parameters
    std::shared_ptr<const ClusterWorkload> m_workload; ///< what to do
    ParityMessenger m_messenger;                       ///< sends and receives
    std::unique_ptr<ParityPlanner> m_planner;          ///< plans
    std::vector<std::unique_ptr<ParityRank>> m_ranks;  ///< by rank
    std::vector<ParityFinish> m_finishes;              ///< so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_EXECUTOR_H
