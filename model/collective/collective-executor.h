/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_EXECUTOR_H
#define ML_CLUSTER_COLLECTIVE_EXECUTOR_H

#include "collective-plan.h"

#include "ns3/message-mailbox.h"

#include <cstdint>
#include <memory>
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
    /// @param message sent now; the executor's MessageLeft follows
    virtual void SendMessage(const NetworkMessage& message) = 0;
    virtual MessageMailbox& GetMailbox() = 0; ///< @return where receives are posted
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
 * endpoint delay after its arrival, plus the time of its reduction if it has one.
 */
class CollectiveExecutor : public MessageReceiver
{
  public:
    /**
     * @param plan what to do, equal on all members
     * @param rank this member
     * @param context MessageTag context, equal on all members and unique among the collectives of a
     * run
     * @param nodeId id of the graph node, for messages to the user
     * @param cookie for the host: which node this is
     * @param host the rank; outlives the executor
     */
    CollectiveExecutor(std::shared_ptr<const CollectivePlan> plan,
                       uint32_t rank,
                       uint64_t context,
                       uint64_t nodeId,
                       uint32_t cookie,
                       CollectiveHost& host);
    ~CollectiveExecutor() override;

    void Start(); ///< Starts; CollectiveFinished may come before this returns
    /// @param message a message of this collective that has left the rank
    void MessageLeft(const NetworkMessage& message);
    void Received(uint64_t cookie, const NetworkMessage& message) override;

    uint32_t GetCookie() const;            ///< @return what the host gave
    uint64_t GetContext() const;           ///< @return tag context
    const CollectivePlan& GetPlan() const; ///< @return the plan
    double GetShareDone() const;           ///< @return chunk phases done, over all; 0 to 1

  private:
    struct ActivePhase;

    /// @param dimension index into the plan's dimensions; starts what may start there
    void StartPhases(uint32_t dimension);
    /// @param chunk chunk index @param phase phase index
    void StartPhase(uint32_t chunk, uint32_t phase);
    /// @param slot index of an active phase; starts the steps that wait for nothing
    void BeginSteps(uint32_t slot);
    /// @param slot index of an active phase @param step step index
    void StartStep(uint32_t slot, uint32_t step);
    /// @return an endpoint delay from now, ps
    int64_t GetDelayedPs() const;
    /// @param slot index of an active phase @param step step index; one receive is done
    void Processed(uint32_t slot, uint32_t step);
    /// Starts steps and finishes phases until nothing is left to do now.
    void Drain();
    /// @param slot index of an active phase; ends it if it is complete
    void EndPhaseIfComplete(uint32_t slot);

    std::shared_ptr<const CollectivePlan> m_plan; ///< what to do
    uint32_t m_rank;                              ///< this member
    uint64_t m_context;                           ///< tag context
    uint64_t m_nodeId;                            ///< graph node
    uint32_t m_cookie;                            ///< the host's
    CollectiveHost& m_host;                       ///< the rank
    std::vector<uint32_t> m_nextInOrder; ///< per dimension: entry of the order to start next
    std::vector<uint32_t> m_inFlight;    ///< per dimension: phases running
    std::vector<uint32_t> m_phasesDone;  ///< per chunk
    uint32_t m_chunksDone{0};            ///< chunks through every phase
    std::vector<std::unique_ptr<ActivePhase>> m_active; ///< running phases, by slot; null: free
    std::vector<std::pair<uint32_t, uint32_t>> m_ready; ///< steps to start: slot, step
    bool m_draining{false};                             ///< Drain is on the stack
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_EXECUTOR_H
