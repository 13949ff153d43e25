/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CLUSTER_HELPER_H
#define ML_CLUSTER_CLUSTER_HELPER_H

#include "ns3/application-container.h"
#include "ns3/cluster-topology.h"
#include "ns3/cluster-workload.h"
#include "ns3/memory-model.h"
#include "ns3/network-backend.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/run-estimate.h"
#include "ns3/run-report.h"
#include "ns3/switch-reducer.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class CollectivePlan;
class CollectiveTable;
class PhaseRendezvous;
class RepetitionWatch;

/**
 * @ingroup ml-cluster
 * Builds a cluster and runs a workload on it: nodes, network, one NpuApplication each.
 *
 * @code
 * ClusterHelper cluster(topology);
 * cluster.SetBackend("ns3::mlcluster::PacketBackend");
 * cluster.Install(workload);
 * RunReport report = cluster.Run();
 * @endcode
 *
 * One helper builds one cluster; Run ends with Simulator::Destroy, so that a process can run
 * several one after the other.
 */
class ClusterHelper
{
  public:
    /// @param topology the shape
    explicit ClusterHelper(const ClusterTopology& topology);

    /// @param type "analytical", "packet", or the TypeId name of a NetworkBackend @throw InputError
    /// naming the known ones
    void SetBackend(const std::string& type);
    /// @param name attribute of the backend @param value its value
    void SetBackendAttribute(const std::string& name, const AttributeValue& value);
    /// @param name attribute of NpuApplication @param value its value
    void SetNpuAttribute(const std::string& name, const AttributeValue& value);
    /// @param name attribute of CollectivePlanner @param value its value
    void SetCollectiveAttribute(const std::string& name, const AttributeValue& value);
    /// @param type "queued", "pool", "network-pool", "tiered", or the TypeId name of a MemoryModel
    /// @throw InputError naming the known ones
    void SetMemoryModel(const std::string& type);
    /// @param name attribute of the memory model @param value its value
    void SetMemoryAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Checks the workload, creates nodes, network and applications.
     * @param workload what to do, one graph per rank of the topology
     * @return the applications, by rank
     * @throw InputError if the workload does not fit together or the topology
     */
    ApplicationContainer Install(std::shared_ptr<const ClusterWorkload> workload);

    /**
     * As the other Install, which prints warnings on the error stream.
     * @param workload what to do, one graph per rank of the topology
     * @param diagnostics receives warnings
     * @return the applications, by rank
     * @throw InputError if the workload does not fit together or the topology
     */
    ApplicationContainer Install(std::shared_ptr<const ClusterWorkload> workload,
                                 Diagnostics& diagnostics);

    /**
     * Tells what Install and Run would take, without them. Collectives whose number of events
     * depends on how messages meet are simulated once, alone. The helper cannot be used for a run
     * after it.
     * @param workload as Install
     * @param diagnostics receives warnings
     * @return the estimate, without the process' own memory and the rate of events
     * @throw InputError as Install, or if the backend cannot tell
     */
    RunEstimate Estimate(const std::shared_ptr<const ClusterWorkload>& workload,
                         Diagnostics& diagnostics);

    NodeContainer GetNpus() const;          ///< @return the NPUs' nodes, by rank
    Ptr<NetworkBackend> GetBackend() const; ///< @return the network, after Install

    /// @param enable whether Run prints a progress line on the error stream now and then
    void EnableProgress(bool enable);
    /// @param watch is told of every node that starts and ends; outlives Run; null: none
    void SetRepetitionWatch(RepetitionWatch* watch);
    /// Makes Run a trial, which warns of nothing. @param title what its progress lines begin with,
    /// such as "trial: "
    void SetTrial(const std::string& title);

    /**
     * Runs the simulation to its end and destroys it.
     * @return what happened
     * @throw InputError with the wait-for chain if some rank cannot finish, or with the violations
     * if accounting does not close
     */
    RunReport Run();

  private:
    /// @param workload as Install; checks it, makes plans of its collectives, memory and the graph
    /// @param diagnostics receives warnings
    void Prepare(const std::shared_ptr<const ClusterWorkload>& workload, Diagnostics& diagnostics);
    /// @param plan a collective @return events of a run of it alone
    uint64_t Rehearse(const CollectivePlan& plan) const;
    void WatchRepetitions(); ///< Tells the watch of nodes.
    /// @param rank a rank @param node starts there
    void NodeStarted(uint32_t rank, const ExecutionNode& node);
    /// @param rank a rank @param node ends there
    void NodeEnded(uint32_t rank, const ExecutionNode& node);
    void AddReducers();       ///< Lets switches reduce where the topology says so.
    RunReport RunInstalled(); ///< @return Run without the clean-up
    void Destroy();           ///< Destroys the simulation and forgets its objects

    ClusterTopology m_topology;                           ///< shape
    std::string m_backendName;                            ///< short name for the report
    ObjectFactory m_backendFactory;                       ///< backend
    ObjectFactory m_npuFactory;                           ///< NpuApplication
    ObjectFactory m_plannerFactory;                       ///< CollectivePlanner
    ObjectFactory m_memoryFactory;                        ///< memory model
    NodeContainer m_npus;                                 ///< by rank
    ApplicationContainer m_applications;                  ///< by rank
    std::shared_ptr<const CollectiveTable> m_collectives; ///< plans of the workload
    std::shared_ptr<const LinkGraph> m_graph;             ///< what exists
    Ptr<NetworkBackend> m_backend;                        ///< network
    Ptr<MemoryModel> m_memory;                            ///< memory that is not an NPU's own
    std::shared_ptr<PhaseRendezvous> m_rendezvous; ///< null if the network computes no phases
    std::vector<std::unique_ptr<SwitchReducer>> m_reducers; ///< switches that reduce
    bool m_progress{false};                                 ///< EnableProgress
    std::string m_trial;                                    ///< SetTrial; "" if it is none
    RepetitionWatch* m_watch{nullptr};                      ///< SetRepetitionWatch
};

/**
 * @ingroup ml-cluster
 * Warns of collectives that were to be computed by phases and were not, or not exactly.
 * @param report of a run
 * @param os receives a line, if there are such
 */
void WarnOfPhases(const RunReport& report, std::ostream& os);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CLUSTER_HELPER_H
