/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUNNING_COLLECTIVES_H
#define ML_CLUSTER_RUNNING_COLLECTIVES_H

#include "collective-priority.h"
#include "collective-table.h"
#include "phase-rendezvous.h"

#include "ns3/collective-executor.h"
#include "ns3/execution-graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The collectives that run on one rank: by messages, each with a CollectiveExecutor, or computed by
 * a PhaseRendezvous, if there is one.
 */
class RunningCollectives : public PhaseMember
{
  public:
    using EndCallback = std::function<void(uint32_t)>; ///< told the position of a node that ended

    /**
     * @param rank the rank
     * @param graph its graph
     * @param collectives the plans
     * @param priority of the messages
     * @param host the rank's side of executors; outlives this
     * @param ended called when a collective ends on this rank
     */
    RunningCollectives(uint32_t rank,
                       const ExecutionGraph& graph,
                       std::shared_ptr<const CollectiveTable> collectives,
                       const CollectivePriority& priority,
                       CollectiveHost& host,
                       EndCallback ended);

    /// @param rendezvous of all ranks, which computes collectives where that can be done
    void MeetAt(std::shared_ptr<PhaseRendezvous> rendezvous);

    /// @param index position of a collective node, which starts now
    void Start(uint32_t index);
    /// @param index position of a collective node @return its tag context
    uint64_t GetContext(uint32_t index) const;
    /// @param executor has finished; it lives until the next ForgetEnded; tells the end
    void Finish(const CollectiveExecutor& executor);
    /// Destroys what has ended; not while an executor is on the stack.
    void ForgetEnded();

    /// @param message is sent by this rank now
    void MessageSent(const NetworkMessage& message);
    /// @param message has left the rank; of a collective that runs
    void MessageLeft(const NetworkMessage& message);
    /// @param message has arrived @return whether a collective took it
    bool MessageArrived(const NetworkMessage& message);
    void PhasesEnded(uint32_t cookie) override;
    void RunByMessages(uint32_t cookie) override;

    /// @return sum of the shares of collectives that are done; of computed ones 0 until their end
    double GetShareDone() const;
    /// @param index position of a collective node that has started @return ranks it waits for,
    /// ascending
    std::vector<uint32_t> GetAwaitedRanks(uint32_t index) const;

  private:
    /// @param context of a collective @return it, if it runs by messages; or null
    CollectiveExecutor* Find(uint64_t context);
    /// @param plan of a collective @return whether the ranks meet for it
    bool IsMet(const CollectivePlan& plan) const;

    uint32_t m_rank;                                      ///< the rank
    const ExecutionGraph& m_graph;                        ///< its graph
    std::shared_ptr<const CollectiveTable> m_collectives; ///< plans
    CollectivePriority m_priority;                        ///< of messages
    std::map<uint32_t, int32_t> m_priorities; ///< of collectives that do not run by messages yet,
                                              ///< by position of their node
    CollectiveHost& m_host;                   ///< side of executors
    EndCallback m_hasEnded;                   ///< to be told
    std::shared_ptr<PhaseRendezvous> m_rendezvous; ///< null if nothing is computed
    std::unordered_map<uint64_t, std::unique_ptr<CollectiveExecutor>> m_running; ///< by context
    CollectiveExecutor* m_latest{nullptr}; ///< the one found last; null if it does not run
    std::vector<std::unique_ptr<CollectiveExecutor>> m_ended; ///< to be destroyed
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUNNING_COLLECTIVES_H
