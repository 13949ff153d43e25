/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NPU_APPLICATION_H
#define ML_CLUSTER_NPU_APPLICATION_H

#include "collective-priority.h"
#include "collective-table.h"
#include "graph-progress.h"
#include "local-hardware.h"
#include "local-work.h"
#include "message-mailbox.h"
#include "node-resources.h"
#include "reduction-unit.h"
#include "running-collectives.h"
#include "time-breakdown.h"

#include "ns3/application.h"
#include "ns3/data-rate.h"
#include "ns3/memory-model.h"
#include "ns3/network-backend.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * An accelerator: runs one rank's execution graph.
 *
 * A node is ready when all it depends on has finished, and the node before it on its stream if it
 * has one (see ExecutionGraph). Sends, receives and collectives start when they are ready, and run
 * beside all else; compute and memory nodes wait for what they run on (see NodeResources), by
 * ascending id. With SerialiseCollectives a communicator is a queue: a collective is ready when the
 * one before it of the same group, in issue order, has finished on this rank. What a node does:
 *
 * - compute, and loads and stores in the accelerator's own memory: what LocalWork says;
 * - other loads and stores: what the MemoryModel says; it can do such nodes, and collectives,
 *   together with other ranks (see MemoryRole): they start when they are ready, and an access
 *   counts as remote memory until it has ended;
 * - send: a message, finished when it has left this rank; receive: finished when the matching
 *   message has arrived;
 * - collective: see CollectiveExecutor, and PhaseRendezvous if that computes it; metadata and
 * invalid nodes take no time.
 *
 * EndpointDelay belongs to collectives, see CollectiveExecutor, as do ReductionBandwidth, see
 * ReductionUnit, and CollectivePriority, see the class of that name.
 * Left out: contention of reductions and communication with others for the local memory.
 */
class NpuApplication : public Application,
                       public MessageEndpoint,
                       public CollectiveHost,
                       public MessageReceiver
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId
    NpuApplication();
    ~NpuApplication() override;

    /**
     * Gives the NPU its work. Called once, before the application starts.
     * @param workload the workload
     * @param rank this NPU's rank
     * @param collectives plans of the workload's collectives
     * @param backend the network
     * @param memory remote memory
     * @throw InputError if attributes contradict each other or are none of the words allowed, a
     * node or reductions need a local memory whose bandwidth is not known, or computing takes
     * longer than time can be counted
     */
    void Setup(std::shared_ptr<const ClusterWorkload> workload,
               uint32_t rank,
               std::shared_ptr<const CollectiveTable> collectives,
               Ptr<NetworkBackend> backend,
               Ptr<MemoryModel> memory);

    /**
     * Checks the attributes, as Setup does.
     * @param rank a rank
     * @param graph its work
     * @throw InputError as Setup
     */
    void Check(uint32_t rank, const ExecutionGraph& graph) const;

    /// @return whether compute nodes of the accelerator take operations and bytes, not durations
    bool HasRoofline() const
    {
        return m_roofline;
    }

    /// @return whether reductions take time
    bool HasReductions() const
    {
        return m_reduceInMemory || m_reductionBandwidth.GetBitRate() > 0;
    }

    /**
     * Lets collectives be computed where that can be done. Called once, after Setup.
     * @param rendezvous where all ranks meet; learns this one's attributes as they are now
     */
    void MeetAt(const std::shared_ptr<PhaseRendezvous>& rendezvous);

    /// @return the rank
    uint32_t GetRank() const
    {
        return m_rank;
    }

    bool IsFinished() const;         ///< @return whether every node has finished
    int64_t GetFinishTimePs() const; ///< @return end of the last node so far, ps
    /// @param report has the finish time of the run; receives where this rank's time went
    void AddTo(RunReport& report) const;

    /// What a rank that cannot go on waits for.
    struct WaitState
    {
        std::optional<ExecutionNode> node{}; ///< the unfinished node of lowest id that has started,
                                             ///< or of lowest id at all, resolved for the rank;
                                             ///< nothing if finished
        bool started{false};                 ///< whether it has started
        std::vector<uint64_t> unmet;         ///< ids of its dependencies that have not finished
        std::vector<uint32_t> peers;         ///< ranks whose messages it waits for
        std::optional<ExecutionNode> behind{}; ///< what waits for it and for no dependency, on its
                                               ///< stream or for its communicator
    };

    WaitState GetWaitState() const; ///< @return the oldest thing that blocks this rank
    /// @return nodes done, running collectives by chunk phase (computed ones when they end), over
    /// all nodes; 0 to 1
    double GetShareDone() const;

    /// @param index position of a node @return whether the memory model does it, with other ranks
    bool IsDoneByMemory(uint32_t index) const
    {
        return m_memory->GetRole(m_rank, index) != MemoryRole::Alone;
    }

    /// @return the workload
    const ClusterWorkload& GetWorkload() const
    {
        return *m_workload;
    }

    void MessageLeft(const NetworkMessage& message) override;
    void MessageArrived(const NetworkMessage& message) override;
    std::optional<int64_t> SendMessage(const NetworkMessage& message) override;
    MessageMailbox& GetMailbox() override;
    int64_t GetEndpointDelayPs() const override;
    int64_t BookReduction(uint64_t bytes, int64_t readyPs) override;
    void CollectiveFinished(CollectiveExecutor& executor) override;
    void Received(uint64_t cookie, const NetworkMessage& message) override;

    /**
     * TracedCallback signature of NodeStart and NodeEnd.
     * @param rank the rank
     * @param node the node
     */
    typedef void (*NodeTracedCallback)(uint32_t rank, const ExecutionNode& node);

    /**
     * TracedCallback signature of MessageSent and MessageReceived.
     * @param rank the rank
     * @param message the message
     */
    typedef void (*MessageTracedCallback)(uint32_t rank, const NetworkMessage& message);

    /**
     * TracedCallback signature of CollectiveStart and CollectiveEnd.
     * @param rank the rank
     * @param node the node
     * @param context equal on all members, unique among the collectives of the run
     */
    typedef void (*CollectiveTracedCallback)(uint32_t rank,
                                             const ExecutionNode& node,
                                             uint64_t context);
    LocalHardware GetHardware() const; ///< @return what attributes say of it

  protected:
    /// @throw InputError if Setup was not called
    void DoInitialize() override;
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;
    void Dispatch();            ///< starts every ready node whose resource is free
    void Issue(uint32_t index); ///< @param index a ready node; starts it or lets it wait
    void Begin(uint32_t index); ///< @param index a node that takes time and starts now
    void IssueCommunication(uint32_t index); ///< @param index a ready communication node
    /// @param index a ready node that the memory model does with other ranks
    void IssueTogether(uint32_t index);
    void StartLocal(uint32_t index); ///< @param index a compute or memory node that starts now
    void EndLocal(uint32_t index);   ///< @param index a compute or memory node that has ended
    void Finish(uint32_t index);     ///< @param index a node that has ended
    void EndCommunication(uint32_t index); ///< @param index a communication node that has ended
    /// @param index position of a collective node that has ended
    void EndCollective(uint32_t index);
    /// @param index position of a send node; sends its message
    void IssueSend(uint32_t index);
    /// @param index position of a send or receive node @return its tag
    MessageTag GetTag(uint32_t index) const;

    bool m_roofline;                  ///< Roofline
    double m_peakFlops;               ///< PeakFlops, FLOP/s
    uint64_t m_memoryCapacity;        ///< MemoryCapacity, bytes
    DataRate m_memoryBandwidth;       ///< MemoryBandwidth
    uint64_t m_residentMemory;        ///< ResidentMemory, bytes
    std::string m_memoryOverflow;     ///< MemoryOverflow
    Time m_memoryLatency;             ///< MemoryLatency
    bool m_memorySharing;             ///< MemorySharing
    bool m_reduceInMemory;            ///< ReduceInMemory
    double m_computeEfficiency;       ///< ComputeEfficiency
    double m_memoryEfficiency;        ///< MemoryEfficiency
    Time m_endpointDelay;             ///< EndpointDelay
    DataRate m_reductionBandwidth;    ///< ReductionBandwidth
    std::string m_collectivePriority; ///< CollectivePriority
    bool m_serialiseCollectives;      ///< SerialiseCollectives
    bool m_concurrentStreams;         ///< ConcurrentStreams
    uint32_t m_hostThreads;           ///< HostThreads

    std::shared_ptr<const ClusterWorkload> m_workload; ///< what to do
    const ExecutionGraph* m_graph{nullptr};            ///< this rank's graph
    uint32_t m_rank{0};                                ///< this rank
    Ptr<NetworkBackend> m_backend;                     ///< network
    Ptr<MemoryModel> m_memory;                         ///< remote memory
    std::unique_ptr<MessageMailbox> m_mailbox;         ///< matches receives

    std::unique_ptr<GraphProgress> m_progress; ///< how far the graph is
    bool m_dispatching{false};                 ///< Dispatch is on the stack
    bool m_stopped{false}; ///< StopApplication was called: nothing starts any more
    std::optional<NodeResources> m_resources;      ///< what compute and memory nodes run on
    std::unique_ptr<RunningCollectives> m_running; ///< collectives
    ReductionUnit m_reductions;                    ///< time of reductions
    int64_t m_finishPs{0};                         ///< end of the last node
    std::unique_ptr<LocalWork> m_local;            ///< compute nodes and local memory
    TimeBreakdown m_breakdown;                     ///< where time went

    TracedCallback<uint32_t, const ExecutionNode&> m_nodeStartTrace; ///< NodeStart
    TracedCallback<uint32_t, const ExecutionNode&> m_nodeEndTrace;   ///< NodeEnd
    TracedCallback<uint32_t, const ExecutionNode&, uint64_t>
        m_collectiveStartTrace; ///< CollectiveStart
    TracedCallback<uint32_t, const ExecutionNode&, uint64_t>
        m_collectiveEndTrace;                                               ///< CollectiveEnd
    TracedCallback<uint32_t, const NetworkMessage&> m_messageSentTrace;     ///< MessageSent
    TracedCallback<uint32_t, const NetworkMessage&> m_messageReceivedTrace; ///< MessageReceived
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NPU_APPLICATION_H
