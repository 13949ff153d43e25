/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RUNNING_COLLECTIVES_H
#define ML_CLUSTER_RUNNING_COLLECTIVES_H

#include "ns3/collective-executor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The collectives that run on one rank. They are few: messages find theirs by looking at each.
 */
class RunningCollectives
{
  public:
    /// @param executor takes part from now on @return it
    CollectiveExecutor& Add(std::unique_ptr<CollectiveExecutor> executor);
    /// @param executor one of them that has finished; it lives until the next ForgetEnded
    void End(const CollectiveExecutor& executor);
    /// Destroys what has ended; not while an executor is on the stack.
    void ForgetEnded();
    /// @param message has left the rank; of a collective that runs
    void MessageLeft(const NetworkMessage& message);
    /// @param message has arrived @return whether a collective took it
    bool MessageArrived(const NetworkMessage& message);

    double GetShareDone() const; ///< @return sum of the executors' shares
    /// @param nodeId a graph node @return ranks whose messages its collective waits for, ascending
    std::vector<uint32_t> GetAwaitedRanks(uint64_t nodeId) const;

  private:
    using List = std::vector<std::unique_ptr<CollectiveExecutor>>; ///< executors

    /// @param context of a collective @return its place, or the end if it does not run
    List::iterator Find(uint64_t context);

    List m_running; ///< in the order of their start
    List m_ended;   ///< to be destroyed
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RUNNING_COLLECTIVES_H
