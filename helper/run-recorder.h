/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUN_RECORDER_H
#define ML_CLUSTER_RUN_RECORDER_H

#include "ns3/application-container.h"
#include "ns3/cluster-workload.h"
#include "ns3/collective-table.h"
#include "ns3/context-table.h"
#include "ns3/memory-model.h"
#include "ns3/network-backend.h"
#include "ns3/npu-application.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Makes a RunReport of a run: listens to the NPUs' trace sources while it goes on, and reads
 * breakdowns and link accounts at its end.
 */
class RunRecorder
{
  public:
    /// @param applications the NPUs, by rank, before the run @param collectives their plans;
    /// outlive this
    RunRecorder(const ApplicationContainer& applications, const CollectiveTable& collectives);

    /**
     * Fills in ranks, collectives, links, finish time, operations and the network's description.
     * @param backend the network
     * @param graph what it was built from
     * @param report receives them; if it is partial the finish time is the current one
     */
    void FillReport(const NetworkBackend& backend, const LinkGraph& graph, RunReport& report) const;

    /// @param memory that is not the NPUs' own @param report receives what of it was used
    static void AddMemory(const MemoryModel& memory, RunReport& report);

    /// @param report of a run @return ranks whose parts do not add up to its time
    static std::vector<std::string> CheckBreakdowns(const RunReport& report);

    /**
     * Fills in links.
     * @param backend the network
     * @param graph what it was built from
     * @param report receives them; has its finish time
     */
    static void AddLinks(const NetworkBackend& backend, const LinkGraph& graph, RunReport& report);

    /**
     * @param collectives of a run
     * @param links of its network
     * @param ranks NPUs
     * @return memory of what is recorded and reported
     */
    static uint64_t GetMemoryBytes(const CollectiveTable& collectives,
                                   uint64_t links,
                                   uint64_t ranks);

    double GetShareDone() const; ///< @return share of the work of all ranks that is done, 0 to 1

  private:
    class Bounds;

    static constexpr uint32_t NONE = UINT32_MAX; ///< no rank

    /// A collective while it runs.
    struct Collective
    {
        uint64_t nodeId{0};       ///< id of the node on the lowest member seen
        uint32_t firstRank{NONE}; ///< that member
        uint32_t nEnded{0};       ///< members that have finished
        int64_t startPs{0};       ///< first member starts
        int64_t endPs{0};         ///< last member so far ends
    };

    /**
     * Fills in the collectives that have finished.
     * @param topology the shape
     * @param report receives them
     */
    void AddCollectives(const ClusterTopology& topology, RunReport& report) const;
    /// @param rank a rank @return its NPU
    Ptr<NpuApplication> GetApplication(uint32_t rank) const;
    /// @return floating-point operations of the accelerators in the graphs of all ranks
    double CountOperations() const;
    /**
     * Trace sink.
     * @param rank a rank
     * @param node the collective that it enters
     * @param context equal on all members
     */
    void CollectiveStart(uint32_t rank, const ExecutionNode& node, uint64_t context);
    /**
     * Trace sink.
     * @param rank a rank
     * @param node the collective that it has finished
     * @param context equal on all members
     */
    void CollectiveEnd(uint32_t rank, const ExecutionNode& node, uint64_t context);

    ApplicationContainer m_applications;    ///< the NPUs
    const CollectiveTable& m_plans;         ///< of collectives
    ContextTable<Collective> m_collectives; ///< by context
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUN_RECORDER_H
