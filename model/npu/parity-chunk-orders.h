/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_CHUNK_ORDERS_H
#define ML_CLUSTER_PARITY_CHUNK_ORDERS_H

#include "parity-options.h"
#include "parity-plan.h"

#include "ns3/chunk-order-scheduler.h"
#include "ns3/cluster-topology.h"
#include "ns3/network-message.h"

#include <cstdint>
#include <map>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The dimension orders and sizes of all ranks' chunks. The rank that comes to a chunk first decides
 * for all, as in ASTRA-sim, so that they agree without messages; the loads of the greedy policies
 * are forgotten when rank 0 begins a collective at another time than its last one.
 */
class ParityChunkOrders
{
  public:
    /// @param topology the network @param options parameters
    ParityChunkOrders(const ClusterTopology& topology, const ParityOptions& options);

    /// @param rank a rank that begins a collective @param nowNs the time, ns
    void Begin(uint32_t rank, uint64_t nowNs);

    /**
     * @param plan of the collective, with somebody to talk to
     * @param chunk tag of the chunk, the same on all ranks
     * @param remainingBytes what is not yet in a chunk, above 0
     * @return order and size of the chunk; more than remains where ASTRA-sim's chunks are all full
     */
    ChunkOrderScheduler::Choice Choose(const ParityPlan& plan,
                                       const MessageTag& chunk,
                                       uint64_t remainingBytes);

  private:
    /// Tells chunks apart: context, index and order of the tag.
    using Key = std::tuple<uint64_t, uint64_t, uint64_t>;

    /// What was decided for a chunk.
    struct Decision
    {
        ChunkOrderScheduler::Choice choice; ///< order and size
        uint32_t ranksLeft;                 ///< ranks that have not come to it
    };

    ChunkOrderPolicy m_policy;           ///< how to choose
    bool m_isGreedy;                     ///< chunks are sized as well, and the last one is cut
    uint32_t m_nRanks;                   ///< ranks of the network
    ChunkOrderScheduler m_scheduler;     ///< chooses
    std::map<Key, Decision> m_decisions; ///< of chunks that some ranks have not come to
    uint64_t m_lastBeginNs{0};           ///< when rank 0 began its latest collective, ns
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_CHUNK_ORDERS_H
