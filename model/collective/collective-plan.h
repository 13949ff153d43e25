/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_PLAN_H
#define ML_CLUSTER_COLLECTIVE_PLAN_H

#include "chunk-scheduler.h"
#include "collective-composition.h"
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
 * The common part of one collective, a pure function of topology, options, group and call: chunks,
 * the phases of each chunk, and the order in which chunk phases use a dimension. All members hold
 * the same plan, so that they decide alike without talking.
 *
 * The plan's dimensions are the levels of CollectiveGroup: those in which a sub-box varies, or one
 * logical one for any other group. CollectiveComposition says which phases there are,
 * ChunkScheduler in which order a chunk goes through the dimensions, PhaseOrder in which order the
 * chunk phases use a dimension; a rank starts them in that order only.
 *
 * Sizes: a rank that holds D bytes before a reduce-scatter, scatter or all-to-all phase over n
 * members cuts them by SplitEvenly; with d the rank's digit it then holds piece d, or n times piece
 * d. An all-gather or gather phase multiplies D by n; as part of an all-reduce it mirrors the
 * reduce-scatter of its dimension exactly. In a phase of a broadcast or scatter those take part who
 * meet a rank that has the root's data, in one of a reduce or gather those who meet one that has
 * still something to give; all others have nothing to do.
 *
 * Ideal times for the pre-run: as many latencies as the steps of a phase need one after the other,
 * plus the bytes a rank sends (the root's if there is one, else that with digit 0 everywhere; the
 * root of a reduce or gather receives them) at the rate of a member; in-network those of both
 * directions, and the processing time.
 */
class CollectivePlan
{
  public:
    using Phase = CollectiveComposition::Phase; ///< one stage a chunk goes through
    using ChunkPhase = PhaseOrder::ChunkPhase;  ///< a chunk's phase

    /**
     * @param topology the shape
     * @param options how to compose
     * @param group the members' ranks in group order, distinct
     * @param call what; any type for a group of one, which has nothing to do
     * @param schedules of other plans too, for those that run equal ones; null: the plan's own
     * @throw InputError with the reason if an algorithm cannot do its part
     */
    CollectivePlan(const ClusterTopology& topology,
                   const CollectiveOptions& options,
                   std::vector<uint32_t> group,
                   CollectiveCall call,
                   std::shared_ptr<ScheduleCache> schedules = nullptr);

    CollectiveType GetType() const;                ///< @return operation
    uint64_t GetBytes() const;                     ///< @return size
    const CollectiveCall& GetCall() const;         ///< @return what was asked for
    const std::vector<uint32_t>& GetGroup() const; ///< @return members
    const CollectiveGroup& GetCollectiveGroup()
        const;                   ///< @return how the members lie in the topology
    uint32_t GetNChunks() const; ///< @return chunks (fewer than asked if there are fewer bytes; 0
                                 ///< if there is nothing to do)
    uint32_t GetNPhases() const; ///< @return phases of each chunk
    uint32_t GetNDimensions() const; ///< @return dimensions used
    /// @param dimension index into the plan's dimensions @return chunk phases in flight there
    uint32_t GetChunksInFlight(uint32_t dimension) const;
    /// @param dimension index into the plan's dimensions @return the topology dimension, or
    /// GetNDimensions of the topology for a flat one
    uint32_t GetTopologyDimension(uint32_t dimension) const;

    /// @param chunk index @return its size, bytes
    uint64_t GetChunkBytes(uint32_t chunk) const
    {
        return m_chunkBytes[chunk];
    }

    /// @param chunk index @param phase index @return the phase
    const Phase& GetPhase(uint32_t chunk, uint32_t phase) const;
    /// @param dimension index into the plan's dimensions @return chunk phases in the order every
    /// rank starts them
    const std::vector<ChunkPhase>& GetOrder(uint32_t dimension) const;
    /// @param rank a member @param chunk index @param phase index @return the ranks this member's
    /// phase runs over, by position; one more is the number of the switch in which they meet
    std::vector<uint32_t> GetPeers(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return the member's position
    /// among GetPeers
    uint32_t GetPosition(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return the request of this
    /// member's phase
    CollectiveRequest GetRequest(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return whether it has something
    /// to do there
    bool TakesPart(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return the member's steps; none
    /// if it does not take part
    RankSchedule GetSchedule(uint32_t rank, uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return GetSchedule, shared with
    /// the members that run it at the same time
    std::shared_ptr<const SharedSchedule> GetSharedSchedule(uint32_t rank,
                                                            uint32_t chunk,
                                                            uint32_t phase) const;
    /// @return remarks for the user, such as the algorithm a group fell back to and why
    const std::vector<CollectiveRemark>& GetRemarks() const;
    /// @return bytes that the rank of the ideal times sends over all dimensions, or receives if it
    /// is the root of a reduce or gather
    uint64_t GetBytesMoved() const;

  private:
    using Route = std::vector<Phase>; ///< the phases of a chunk

    /// @param options to check, beside the call
    void Check(const CollectiveOptions& options) const;
    /// @param options how to compose; fills in chunks and routes
    void AddChunks(const CollectiveOptions& options);
    /// @param composition of the phases @return dimensions as the scheduler sees them
    std::vector<ChunkScheduler::Level> GetLevels(const CollectiveComposition& composition) const;
    /// @param queuePolicy as in CollectiveOptions; fills in the orders
    void FindOrder(const std::string& queuePolicy);

    /// The way of a chunk.
    struct Way
    {
        std::vector<PhaseOrder::Visit> visits; ///< by phase
        uint64_t bytesMoved{0};                ///< over all of them
    };

    /// @param chunk index @param queuePolicy as in CollectiveOptions @return its way
    Way GetWay(uint32_t chunk, const std::string& queuePolicy) const;
    /// @param chunk index @param phase index @return phase whose beginning says what it works on:
    /// for an all-gather of an all-reduce the reduce-scatter that it mirrors
    uint32_t GetOrigin(uint32_t chunk, uint32_t phase) const;
    /// @param rank a member @param chunk index @param phase index @return bytes the phase cuts into
    /// pieces (all-gather or gather of its own: bytes of a piece)
    uint64_t GetHolding(uint32_t rank, uint32_t chunk, uint32_t phase) const;

    CollectiveGroup m_group;                       ///< members
    uint32_t m_nTopologyDimensions;                ///< dimensions of the topology
    CollectiveCall m_call;                         ///< what
    std::vector<uint32_t> m_limits;                ///< chunk phases in flight, per dimension
    std::vector<Route> m_routes;                   ///< distinct ones
    std::vector<uint32_t> m_routeOf;               ///< per chunk, index of its route
    std::vector<uint64_t> m_chunkBytes;            ///< per chunk
    std::vector<std::vector<ChunkPhase>> m_orders; ///< per dimension
    uint64_t m_bytesMoved{0};                      ///< see GetBytesMoved
    std::shared_ptr<ScheduleCache> m_schedules;    ///< schedules that are being run
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_PLAN_H
