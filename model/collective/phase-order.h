/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PHASE_ORDER_H
#define ML_CLUSTER_PHASE_ORDER_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The order in which the chunk phases of one collective use each dimension, from a deterministic
 * pre-run.
 *
 * All chunks are ready at time 0 and go through their phases in sequence. Each dimension has a
 * limit of chunk phases in flight and a queue in front, served by urgency and then first come,
 * first served (at equal times the lower chunk first); a chunk phase takes its ideal time. The
 * order is that in which the pre-run starts them, an idea of Themis (ISCA 2022, section 4).
 *
 * Ranks that keep to it cannot deadlock: of all chunk phases not yet complete on all ranks, the one
 * the pre-run starts first has its chunk's earlier phases and everything before it in its dimension
 * behind it, so no rank is kept from running it. Choosing by what happens to be ready has no such
 * order.
 */
class PhaseOrder
{
  public:
    /// A chunk's phase.
    struct ChunkPhase
    {
        uint32_t chunk; ///< chunk index
        uint32_t phase; ///< phase index
    };

    /// What a chunk's phase is to the pre-run.
    struct Visit
    {
        uint32_t dimension; ///< which it uses
        int64_t idealPs;    ///< how long, ps, not negative; the sum over all must fit an int64_t
        uint64_t urgency;   ///< the lower goes first; equal for all: first come, first served
    };

    /// @param chunk index @param phase index @return the visit
    using Visits = std::function<Visit(uint32_t chunk, uint32_t phase)>;

    /**
     * @param nChunks chunks
     * @param nPhases phases of each chunk
     * @param limits chunk phases in flight, by dimension; at least 1
     * @param visits what each is
     */
    PhaseOrder(uint32_t nChunks,
               uint32_t nPhases,
               const std::vector<uint32_t>& limits,
               const Visits& visits);

    /// @return per dimension, the chunk phases in the order every rank starts them
    const std::vector<std::vector<ChunkPhase>>& GetOrders() const;

  private:
    std::vector<std::vector<ChunkPhase>> m_orders; ///< per dimension
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PHASE_ORDER_H
