/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_PLAN_H
#define ML_CLUSTER_COLLECTIVE_PLAN_H

#include "collective-algorithm.h"

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
    uint32_t chunks{4};         ///< chunks a collective is cut into, at least 1
    uint32_t chunksInFlight{1}; ///< chunk phases of one collective at once in one dimension, at least 1
    /**
     * Algorithm per type and dimension: entry [type][k], type one of "all-reduce",
     * "reduce-scatter", "all-gather", "all-to-all"; "auto" or a missing entry means the default of the block: Ring "ring" (all-to-all
     * "relay"), FullyConnected "direct", Switch "halving-doubling" (power of two ranks; else, and for all-to-all, "direct").
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
 * The group must be a sub-box of the topology (in each dimension all digits or one), then its
 * dimensions are those in which digits vary; otherwise it is one flat logical dimension over the members in group
 * order.
 *
 * Order: a deterministic pre-run of an ideal rank (phase time = steps latency + bytes / member rate) with
 * chunksInFlight slots per dimension and first come, first served queues (ties: lower chunk first) gives each
 * dimension's order of chunk phases; a rank starts phases of a dimension in that order only.
 */
class CollectivePlan
{
  public:
    /// One stage every chunk goes through.
    struct Phase
    {
        CollectiveType type;                                  ///< operation within the dimension
        uint32_t dimension;                                   ///< index into the plan's own dimensions
        std::shared_ptr<const CollectiveAlgorithm> algorithm; ///< how
    };

    /// A chunk's phase.
    struct ChunkPhase
    {
        uint32_t chunk; ///< chunk index
        uint32_t phase; ///< phase index
    };

    /**
     * @param topology the shape
     * @param options how to compose
     * @param group the members' ranks in group order, distinct
     * @param involved per topology dimension, whether it takes part; empty: all
     * @param type operation
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

    CollectiveType GetType() const;                 ///< @return operation
    uint64_t GetBytes() const;                      ///< @return size
    const std::vector<uint32_t>& GetGroup() const;  ///< @return members
    uint32_t GetNChunks() const;                    ///< @return chunks (fewer than asked if there are fewer bytes; 0 if there is nothing to do)
    uint32_t GetNPhases() const;                    ///< @return phases of each chunk
    uint32_t GetNDimensions() const;                ///< @return dimensions used
    uint32_t GetChunksInFlight() const;             ///< @return limit per dimension
    /// @param dimension index into the plan's dimensions @return the topology dimension, or GetNDimensions of the topology for a flat one
    uint32_t GetTopologyDimension(uint32_t dimension) const;
    /// @param phase index @return the phase
    const Phase& GetPhase(uint32_t phase) const;
    /// @param dimension index into the plan's dimensions @return chunk phases in the order every rank starts them
    const std::vector<ChunkPhase>& GetOrder(uint32_t dimension) const;
    /// @param rank a member @param phase index @return the ranks this member's phase runs over, by position
    std::vector<uint32_t> GetPeers(uint32_t rank, uint32_t phase) const;
    /// @param rank a member @param phase index @return the member's position among GetPeers
    uint32_t GetPosition(uint32_t rank, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return the request of this member's phase
    CollectiveRequest GetRequest(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return the member's steps
    RankSchedule GetSchedule(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @return remarks for the user, such as the algorithm a group fell back to and why
    const std::vector<std::string>& GetRemarks() const;

  private:
    // filled in by the implementation
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_PLAN_H
