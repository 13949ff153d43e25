/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_PLAN_H
#define ML_CLUSTER_PARITY_PLAN_H

#include "parity-options.h"

#include "ns3/cluster-topology.h"
#include "ns3/collective-type.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Which of a dimension's logical queues a phase may use, in turn.
 */
enum class ParityQueueRule
{
    Any,       ///< all; the upper half runs rings the other way round
    FirstHalf, ///< the lower half, at least one
    LastHalf   ///< the upper half; rings run the other way round
};

/**
 * @ingroup ml-cluster
 * What a chunk of a collective does in one dimension.
 */
struct ParityPhase
{
    CollectiveType type;       ///< operation within the dimension
    ParityAlgorithm algorithm; ///< how
    uint32_t dimension;        ///< network dimension whose queues it uses
    ParityQueueRule rule;      ///< which of them
};

/**
 * @ingroup ml-cluster
 * The ranks a phase runs over, in ring order, seen from one of them.
 */
struct ParityRing
{
    const std::vector<uint32_t>* members{nullptr}; ///< ranks of a sub-group; null: one dimension
    uint32_t base{0};                              ///< rank at position 0 (one dimension)
    uint32_t stride{1};   ///< from one position's rank to the next's (one dimension)
    uint32_t size{1};     ///< number of ranks
    uint32_t position{0}; ///< own position

    /// @param at a position, below size @return the rank there
    uint32_t GetRank(uint32_t at) const
    {
        return members ? (*members)[at] : base + at * stride;
    }
};

/**
 * @ingroup ml-cluster
 * How ASTRA-sim cuts one collective into chunks and composes it over the dimensions. A pure
 * function, equal on all ranks.
 *
 * Chunks: c = floor(size / splits), at least the number of ranks of the whole network but for an
 * all-gather (there at least 1); chunks of c bytes until the size is reached, so one more if it
 * does not divide. ParityChunkOrders may choose other sizes.
 *
 * Composition: reduce-scatter ascends the dimensions, all-gather descends, all-to-all ascends with
 * the whole chunk. All-reduce: one per dimension, ascending; or (local bandwidth aware)
 * reduce-scatters ascending, an all-reduce in the last dimension, all-gathers descending; with the
 * greedy orders reduce-scatters in all dimensions, all-gathers the other way round. Where the
 * algorithm is a double binary tree an all-reduce is run, whatever is asked for.
 *
 * A "one..." algorithm runs over all ranks as if they were one dimension, on the queues of
 * dimension 0.
 *
 * A group smaller than the network is one flat ring in group order on the queues of dimension 0,
 * with the configured algorithm if the system file lists exactly one, else ring. Its endpoint delay
 * is 10 ns.
 */
class ParityPlan
{
  public:
    /**
     * @param topology the network
     * @param options parameters
     * @param group members in ring order; all ranks of the network means its dimensions are used
     * @param involved per dimension whether it takes part (missing ones do); ignored for smaller
     * groups
     * @param type all-reduce, reduce-scatter, all-gather or all-to-all
     * @param bytes size as in the trace
     * @throw InputError if no algorithm is configured or it cannot do its part
     */
    ParityPlan(const ClusterTopology& topology,
               const ParityOptions& options,
               const std::vector<uint32_t>& group,
               const std::vector<bool>& involved,
               CollectiveType type,
               uint64_t bytes);

    CollectiveType GetType() const; ///< @return operation
    uint64_t GetBytes() const;      ///< @return bytes that the chunks must reach
    uint64_t GetChunkBytes() const; ///< @return size of a chunk, bytes
    bool IsFlat() const;            ///< @return whether it is a group smaller than the network
    bool HasDimensions() const;     ///< @return whether it runs dimension by dimension
    /// @return per network dimension whether it takes part (if HasDimensions)
    const std::vector<bool>& GetInvolved() const;
    /// @return dimensions in the ordinary order; empty if there is nobody to talk to
    const std::vector<uint32_t>& GetOrder() const;
    /// @param order dimensions that take part, at least one, as a chunk is to visit them @return
    /// its phases
    std::vector<ParityPhase> Compose(const std::vector<uint32_t>& order) const;
    /// @param rank a member @param phase a phase @return whom the member's phase runs over
    ParityRing GetRing(uint32_t rank, const ParityPhase& phase) const;
    /// @param phase a phase @param bytes data entering it @return data leaving it
    uint64_t GetOutputBytes(const ParityPhase& phase, uint64_t bytes) const;

  private:
    /// @param options parameters @param bytes size
    void CutChunks(const ParityOptions& options, uint64_t bytes);
    /// @param algorithms configured for the operation @param involved dimension mask
    void ChooseDimensions(const std::vector<ParityAlgorithm>& algorithms,
                          const std::vector<bool>& involved);
    /// Checks that the algorithms can do their parts.
    void CheckAlgorithms() const;
    /// @param dimension a dimension of the order @return number of ranks it has
    uint32_t GetSize(uint32_t dimension) const;

    ClusterTopology m_topology;                ///< the network
    CollectiveType m_type;                     ///< operation
    std::vector<uint32_t> m_group;             ///< members in ring order; empty unless flat
    bool m_isOne{false};                       ///< one ring over all ranks
    bool m_isScattered;                        ///< all-reduce as reduce-scatters and all-gathers
    bool m_isMirrored;                         ///< without an all-reduce between them
    uint64_t m_bytes{0};                       ///< size
    uint64_t m_chunkBytes{0};                  ///< size of a chunk
    std::vector<ParityAlgorithm> m_algorithms; ///< by dimension
    std::vector<bool> m_involved;              ///< by dimension
    std::vector<uint32_t> m_order;             ///< dimensions that take part
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_PLAN_H
