/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_RANK_H
#define ML_CLUSTER_PARITY_RANK_H

#include "parity-chunk-orders.h"
#include "parity-chunk-queues.h"
#include "parity-event-queue.h"
#include "parity-messenger.h"
#include "parity-options.h"
#include "parity-planner.h"
#include "parity-recorder.h"
#include "parity-schedule-run.h"

#include "ns3/cluster-workload.h"
#include "ns3/memory-queues.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One rank in ASTRA-sim's way: whenever a node ends, ready nodes are looked at by ascending id and
 * issued if their resource is free. Resources, one node at a time each: the host; the accelerator's
 * compute; and one for all of collectives, sends, memory accesses and empty nodes. Receives need
 * none.
 *
 * Compute nodes take their measured time (1 ns if 0) or the roofline's,
 * floor(operations / min(memory bandwidth x intensity, peak)) ns; broadcasts their measured time,
 * without traffic; memory accesses latency + floor(size / rate) ns from when the memory is
 * free; empty nodes no time.
 */
class ParityRank
{
  public:
    /// What all ranks share; outlives them.
    struct Shared
    {
        const ClusterWorkload& workload; ///< graphs and groups
        const ParityOptions& options;    ///< parameters
        ParityPlanner& planner;          ///< plans of collectives
        ParityChunkOrders& orders;       ///< orders of their chunks
        ParityMessenger& messenger;      ///< sends and receives
        ParityRecorder& recorder;        ///< accounts
        MemoryQueues& remoteMemory;      ///< serves loads and stores
        uint32_t nDimensions;            ///< dimensions of the network
    };

    /**
     * @param rank the rank
     * @param shared what all ranks share
     * @param finished called once, when the last node has ended
     */
    ParityRank(uint32_t rank, const Shared& shared, std::function<void()> finished);
    ParityRank(const ParityRank&) = delete;
    ParityRank& operator=(const ParityRank&) = delete;

    void Issue(); ///< Issues what can be issued now

    uint64_t GetAcceleratorNs()
        const; ///< @return sum of the durations of accelerator compute nodes so far, ns
    double GetShareDone() const; ///< @return share of the nodes that have ended, 0 to 1
    /// @return one line per node that has been issued and has not ended
    std::vector<std::string> DescribeBlocked() const;

  private:
    /// What a node needs to be issued.
    enum Resource
    {
        HOST,
        COMPUTE,
        COMMUNICATION,
        NONE,
        N_RESOURCES
    };

    /// Ready nodes by ascending position.
    using ReadyQueue = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>>;

    /// @param node a node @return what it needs
    static Resource GetResource(const ExecutionNode& node);
    /// @return the resource whose first ready node comes next, or N_RESOURCES if no node can be
    /// issued
    Resource ChooseResource() const;
    /// @param index node position
    void Begin(uint32_t index);
    /// @param index node position; ends now, and others may be issued
    void End(uint32_t index);
    /// @param index node position; frees its resource and its children
    void Release(uint32_t index);
    /// @param index node position; a compute node
    void BeginCompute(uint32_t index);
    /// @param index node position; a memory load or store
    void BeginAccess(uint32_t index);
    /// @param index node position; a collective
    void BeginCollective(uint32_t index);
    /// @param index node position; a collective @param schedules of its members @param tag of its
    /// messages
    void BeginCustom(uint32_t index,
                     const std::vector<RankSchedule>& schedules,
                     const MessageTag& tag);
    /// @param index node position @param delayNs when it ends, ns from now
    void EndAfter(uint32_t index, uint64_t delayNs);
    /// @param node a send or receive under way @return what it waits for
    std::string DescribeMessage(const ExecutionNode& node) const;
    /// @param node a collective under way @return what it waits for, and which members have not
    /// begun it
    std::string DescribeCollective(const ExecutionNode& node) const;
    /// @param node a compute node @return its duration by the roofline, ns
    uint64_t GetRooflineNs(const ExecutionNode& node) const;
    /// @param node a node @return its measured duration, ns, at least 1
    static uint64_t GetMeasuredNs(const ExecutionNode& node);

    uint32_t m_rank;                             ///< the rank
    const Shared m_shared;                       ///< what all ranks share
    const ExecutionGraph& m_graph;               ///< the work
    std::function<void()> m_finished;            ///< told of the end
    ParityEventQueue m_events;                   ///< timers
    ParityPhaseRun::Endpoint m_endpoint;         ///< what collectives need of this
    ParityChunkQueues m_chunks;                  ///< collectives under way
    std::unique_ptr<ParityScheduleRun> m_custom; ///< collective from files under way; null: none
    std::vector<uint32_t> m_unmet;               ///< dependencies not yet met, by node
    std::array<ReadyQueue, N_RESOURCES> m_ready; ///< ready nodes by what they need
    std::array<bool, N_RESOURCES> m_busy{};      ///< resources taken
    std::map<uint32_t, uint32_t> m_collectives;  ///< collectives started, by group number
    std::set<uint32_t> m_running;                ///< nodes under way
    uint32_t m_nodesLeft;                        ///< not ended
    uint64_t m_acceleratorNs{0};                 ///< accelerator compute, ns
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_RANK_H
