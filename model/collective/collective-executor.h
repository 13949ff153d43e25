/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_EXECUTOR_H
#define ML_CLUSTER_COLLECTIVE_EXECUTOR_H

#include "collective-plan.h"
#include "running-phase.h"

#include "ns3/message-mailbox.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class CollectiveExecutor;

/**
 * @ingroup ml-cluster
 * What a collective needs from the rank that runs it.
 */
class CollectiveHost
{
  public:
    virtual ~CollectiveHost() = default;
    /// @param message sent now @return when it leaves the rank, absolute, ps, if that is known; if
    /// not, the executor's MessageLeft follows
    virtual std::optional<int64_t> SendMessage(const NetworkMessage& message) = 0;
    virtual MessageMailbox& GetMailbox() = 0; ///< @return where messages that came early are
    /// @return time before a phase's first messages and between the arrival of a message and its
    /// use, ps
    virtual int64_t GetEndpointDelayPs() const = 0;
    /**
     * Books the rank's reduction unit, one reduction after the other.
     * @param bytes size of the message to combine with local data
     * @param readyPs earliest start, absolute, ps
     * @return absolute end, ps
     */
    virtual int64_t BookReduction(uint64_t bytes, int64_t readyPs) = 0;
    /// @param executor the collective that has finished on this rank; may be destroyed after the
    /// current event
    virtual void CollectiveFinished(CollectiveExecutor& executor) = 0;
};

/**
 * @ingroup ml-cluster
 * Runs one collective on one rank, over any backend: starts chunk phases in the plan's order with
 * at most the plan's number in flight per dimension, runs the steps of each phase, and is finished
 * when every chunk has gone through every phase.
 *
 * A phase's first steps start one endpoint delay after the phase; a received message counts one
 * endpoint delay after its arrival, plus the time of its reduction if it has one. A phase ends when
 * its steps are complete and its sends have left the rank.
 *
 * Tag of a message: chunk (24 bits), phase (8) and the transfer's tag (32) make its index, the
 * sender's position its order. By these the receiver finds the transfer in its schedule.
 */
class CollectiveExecutor
{
  public:
    /**
     * @param plan what to do, equal on all members
     * @param rank this member
     * @param context MessageTag context, equal on all members and unique among the collectives of a
     * run
     * @param nodeId id of the graph node, for messages to the user
     * @param cookie for the host: which node this is
     * @param priority of the messages
     * @param host the rank; outlives the executor
     */
    CollectiveExecutor(std::shared_ptr<const CollectivePlan> plan,
                       uint32_t rank,
                       uint64_t context,
                       uint64_t nodeId,
                       uint32_t cookie,
                       int32_t priority,
                       CollectiveHost& host);
    ~CollectiveExecutor();

    void Start(); ///< Starts; CollectiveFinished may come before this returns
    /// @param message a message of this collective that has left the rank
    void MessageLeft(const NetworkMessage& message);
    /**
     * @param message a message of this collective that has arrived
     * @return whether a step that has started took it; if none did, it is early and belongs in the
     * mailbox
     * @throw InputError naming both nodes if it has another size than the step expects
     */
    bool MessageArrived(const NetworkMessage& message);

    uint32_t GetCookie() const;                    ///< @return what the host gave
    uint64_t GetContext() const;                   ///< @return tag context
    uint64_t GetNodeId() const;                    ///< @return id of the graph node
    const CollectivePlan& GetPlan() const;         ///< @return the plan
    double GetShareDone() const;                   ///< @return chunk phases done, over all; 0 to 1
    std::vector<uint32_t> GetAwaitedRanks() const; ///< @return ranks whose messages it waits for,
                                                   ///< ascending

  private:
    /// @param tag a message's @return the phase it belongs to, if that is running; or null
    RunningPhase* FindActive(const MessageTag& tag) const;
    /// @param dimension index into the plan's dimensions; starts what may start there
    void StartPhases(uint32_t dimension);
    /// @param chunk chunk index @param phase phase index
    void StartPhase(uint32_t chunk, uint32_t phase);
    /// @return a phase object that is not in use
    RunningPhase& TakeFree();
    /// @param active a running phase; starts the steps that wait for nothing
    void BeginSteps(RunningPhase* active);
    /// @param active a running phase @param step step index
    void StartStep(RunningPhase& active, uint32_t step);
    /// @param active a running phase @param transfer what to send
    void Send(RunningPhase& active, const Transfer& transfer);
    /// @param active a running phase @param receive index of a receive whose step has started
    void Await(RunningPhase& active, uint32_t receive);
    /// @param active a running phase @param receive index of a receive whose data are there
    /// @param readyPs from when on they count, ps
    void Received(RunningPhase& active, uint32_t receive, int64_t readyPs);
    /// @return an endpoint delay from now, ps
    int64_t GetDelayedPs() const;
    /// @param active a running phase @param step step index; one receive is done
    void Processed(RunningPhase* active, uint32_t step);
    /// @param active a running phase @param step step index; all of it is done
    void EndStep(RunningPhase* active, uint32_t step);
    /// Starts steps and finishes phases until nothing is left to do now.
    void Drain();
    /// @param active a phase; ends it if it is complete, or when its last send has left
    void EndPhaseIfComplete(RunningPhase& active);
    /// @param active a complete phase
    void EndPhase(RunningPhase* active);

    std::shared_ptr<const CollectivePlan> m_plan; ///< what to do
    uint32_t m_rank;                              ///< this member
    uint64_t m_context;                           ///< tag context
    uint64_t m_nodeId;                            ///< graph node
    uint32_t m_cookie;                            ///< the host's
    int32_t m_priority;                           ///< of messages
    CollectiveHost& m_host;                       ///< the rank
    std::vector<uint32_t> m_nextInOrder;  ///< per dimension: entry of the order to start next
    std::vector<uint32_t> m_inFlight;     ///< per dimension: phases running
    std::vector<uint32_t> m_phasesDone;   ///< per chunk
    uint32_t m_chunksDone{0};             ///< chunks through every phase
    std::vector<RunningPhase*> m_running; ///< per chunk: the phase it is in; null: it waits
    std::vector<std::unique_ptr<RunningPhase>> m_active;     ///< all phase objects
    std::vector<RunningPhase*> m_free;                       ///< those not in use
    std::vector<std::pair<RunningPhase*, uint32_t>> m_ready; ///< steps to start
    bool m_draining{false};                                  ///< Drain is on the stack
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_EXECUTOR_H
