/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_PRIORITY_H
#define ML_CLUSTER_COLLECTIVE_PRIORITY_H

#include "ns3/execution-graph.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which priority the messages of a rank's collectives have:
 *
 * - "fifo": all 0, so that collectives share the links first come, first served;
 * - "lifo": the number of collectives that the rank started before, so that a later one goes first;
 * - "explicit": the node's own (comm_priority in a Chakra trace), larger first.
 *
 * Priority decides which message that waits at its source goes next, and nothing else. Each rank
 * may decide it for itself: to hold back whole phases by priority would deadlock when ranks start
 * their collectives in different orders, each waiting for a phase that another holds back.
 */
class CollectivePriority
{
  public:
    /// @param policy see above @throw InputError if it is none of these
    explicit CollectivePriority(const std::string& policy = "fifo");

    /// @param node the collective that the rank starts now @return its priority
    int32_t GetNext(const ExecutionNode& node);

  private:
    bool m_isExplicit;    ///< whether nodes say
    int32_t m_increase;   ///< from one collective to the next
    int32_t m_current{0}; ///< of the next one, unless nodes say
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_PRIORITY_H
