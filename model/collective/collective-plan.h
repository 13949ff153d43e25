/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_PLAN_H
#define ML_CLUSTER_COLLECTIVE_PLAN_H

#include "collective-algorithm.h"
#include "collective-group.h"
#include "phase-order.h"
#include "shared-schedule.h"

#include "ns3/cluster-topology.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How collectives are composed; equal on all ranks. Filled from CollectiveConfig's attributes.
 */
struct CollectiveOptions
{
    /// Most chunks: their numbers have 24 bits in the tag of a message (see CollectiveExecutor).
    static constexpr uint32_t MAX_CHUNKS = 1U << 24;

    uint32_t chunks{4}; ///< chunks a collective is cut into, 1 to MAX_CHUNKS
    uint32_t chunksInFlight{
        1}; ///< chunk phases of one collective at once in one dimension, at least 1
    /**
     * Algorithm of all-reduce per topology dimension, a name CollectiveAlgorithm::Create takes.
     * "ring" is both ways on a Ring, one way on other blocks. "auto" or a missing entry means the
     * default of the block: Ring "ring" (all-to-all "relay"), FullyConnected "direct", Switch
     * "halving-doubling" (power of two members; else, and for all-to-all, "direct").
     */
    std::vector<std::string> allReduce;
    std::vector<std::string> reduceScatter; ///< likewise
    std::vector<std::string> allGather;     ///< likewise
    std::vector<std::string> allToAll;      ///< likewise
};

/**
 * @ingroup ml-cluster
 * The common part of one collective, a pure function of topology, options, group, type and size:
 * chunks, the phases of each chunk, and the order in which chunk phases use a dimension. All
 * members hold the same plan, so that they decide alike without talking.
 *
 * Composition (ASTRA-sim 2.0, section IV; Themis, section 2): reduce-scatter goes up the
 * dimensions, all-gather down, all-reduce is reduce-scatter up then all-gather down, all-to-all up.
 * The plan's dimensions are the levels of CollectiveGroup: those in which a sub-box varies, or one
 * logical one for any other group; then the default is that of its block, or across blocks a ring
 * (all-to-all: direct).
 *
 * Sizes: a rank that holds D bytes before a reduce-scatter or all-to-all phase over n members cuts
 * them by SplitEvenly; with d the rank's digit it then holds piece d, or n times piece d. An
 * all-gather phase multiplies D by n; as part of an all-reduce it mirrors the reduce-scatter of its
 * dimension exactly.
 *
 * Order: see PhaseOrder. An ideal rank (digit 0 everywhere) takes for a phase as many latencies as
 * its steps need one after the other, plus the bytes it sends at the rate of a member. A rank
 * starts the phases of a dimension in that order only.
 */
class CollectivePlan
{
  public:
    /// One stage every chunk goes through.
    struct Phase
    {
        CollectiveType type; ///< operation within the dimension
        uint32_t dimension;  ///< index into the plan's own dimensions
        std::shared_ptr<const CollectiveAlgorithm> algorithm; ///< how
    };

    using ChunkPhase = PhaseOrder::ChunkPhase; ///< a chunk's phase

    /**
     * @param topology the shape
     * @param options how to compose
     * @param group the members' ranks in group order, distinct
     * @param involved per topology dimension, whether it takes part; a missing entry means
     *        yes, entries beyond the topology must be yes like all others; only for a sub-box
     * @param type all-reduce, reduce-scatter, all-gather or all-to-all; any for a group of one,
     *        which has nothing to do
     * @param bytes size (all-reduce, all-to-all: buffer per rank; reduce-scatter: input per
     *        rank; all-gather: shard of one rank)
     * @throw InputError with the reason if an algorithm cannot do its part
     */
    CollectivePlan(const ClusterTopology& topology,
                   const CollectiveOptions& options,
                   std::vector<uint32_t> group,
                   const std::vector<bool>& involved,
                   CollectiveType type,
                   uint64_t bytes);

    CollectiveType GetType() const;                ///< @return operation
    uint64_t GetBytes() const;                     ///< @return size
    const std::vector<uint32_t>& GetGroup() const; ///< @return members
    uint32_t GetNChunks() const; ///< @return chunks (fewer than asked if there are fewer bytes; 0
                                 ///< if there is nothing to do)
    uint32_t GetNPhases() const; ///< @return phases of each chunk
    uint32_t GetNDimensions() const;    ///< @return dimensions used
    uint32_t GetChunksInFlight() const; ///< @return limit per dimension
    /// @param dimension index into the plan's dimensions @return the topology dimension, or
    /// GetNDimensions of the topology for a flat one
    uint32_t GetTopologyDimension(uint32_t dimension) const;
    /// @param phase index @return the phase
    const Phase& GetPhase(uint32_t phase) const;
    /// @param dimension index into the plan's dimensions @return chunk phases in the order every
    /// rank starts them
    const std::vector<ChunkPhase>& GetOrder(uint32_t dimension) const;
    /// @param rank a member @param phase index @return the ranks this member's phase runs over, by
    /// position
    std::vector<uint32_t> GetPeers(uint32_t rank, uint32_t phase) const;
    /// @param rank a member @param phase index @return the member's position among GetPeers
    uint32_t GetPosition(uint32_t rank, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return the request of this
    /// member's phase
    CollectiveRequest GetRequest(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return the member's steps
    RankSchedule GetSchedule(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return GetSchedule, shared with
    /// the members that run it at the same time
    std::shared_ptr<const SharedSchedule> GetSharedSchedule(uint32_t rank,
                                                            uint32_t chunk,
                                                            uint32_t phase) const;
    /// @return remarks for the user, such as the algorithm a group fell back to and why
    const std::vector<CollectiveRemark>& GetRemarks() const;

  private:
    /// @param options to check, beside the type and size
    void Check(const CollectiveOptions& options) const;
    /// @param options the algorithms; fills in the phases
    void AddPhases(const CollectiveOptions& options);
    /// @param type operation of the phase @param level index @param name algorithm; appends a phase
    void AddPhase(CollectiveType type, uint32_t level, const std::string& name);
    /// @param level index @return name of the default algorithm
    std::string GetDefault(uint32_t level);
    /// @param chunk index @param phase index @return how long it takes an ideal rank, ps
    int64_t GetIdealTime(uint32_t chunk, uint32_t phase) const;
    /// @param phase index @return members that meet
    uint32_t GetSize(uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return bytes the phase cuts into
    /// pieces (of an all-gather's phase: bytes of a piece)
    uint64_t GetHolding(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// Fills in the orders.
    void FindOrder();

    CollectiveGroup m_group;                       ///< members
    uint32_t m_nTopologyDimensions;                ///< dimensions of the topology
    CollectiveType m_type;                         ///< operation
    uint64_t m_bytes;                              ///< size
    uint32_t m_nChunks{0};                         ///< chunks
    uint32_t m_chunksInFlight;                     ///< limit per dimension
    std::vector<Phase> m_phases;                   ///< phases of each chunk
    std::vector<std::vector<ChunkPhase>> m_orders; ///< per dimension
    std::vector<CollectiveRemark> m_remarks;       ///< for the user
    mutable ScheduleCache m_schedules;             ///< schedules that are being run
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_PLAN_H
