/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_CHUNK_QUEUES_H
#define ML_CLUSTER_PARITY_CHUNK_QUEUES_H

#include "parity-exchange.h"
#include "parity-options.h"
#include "parity-plan.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The chunks under way on one rank, and the queues in which they wait for a place in a dimension:
 * ASTRA-sim's dynamic order. Each dimension has Q logical queues; each runs up to ceil(active
 * chunks / Q) chunk phases and starts the others first come, first served. A chunk's queues are
 * chosen in turn when it is created; the turn goes on from collective to collective.
 */
class ParityChunkQueues
{
  public:
    /**
     * @param endpoint the rank
     * @param nDimensions dimensions of the network
     * @param options parameters; must outlive this
     */
    ParityChunkQueues(const ParityExchange::Endpoint& endpoint,
                      uint32_t nDimensions,
                      const ParityOptions& options);

    /**
     * Starts a collective on this rank.
     * @param plan how; it has phases and outlives the collective
     * @param tag of its messages; `order` is set to the chunk's index
     * @param nodeId graph node, for error messages
     * @param finished called when the last chunk has finished here
     */
    void Start(const ParityPlan& plan,
               MessageTag tag,
               uint64_t nodeId,
               std::function<void()> finished);

  private:
    /// A collective under way.
    struct Collective
    {
        const ParityPlan* plan;         ///< how
        MessageTag tag;                 ///< of its messages
        uint64_t nodeId;                ///< graph node
        uint64_t chunksLeft;            ///< not finished
        std::function<void()> finished; ///< told of the end
    };

    /// A chunk's place in a dimension.
    struct Place
    {
        uint32_t queue; ///< index into m_queues
        bool clockwise; ///< direction of rings
    };

    /// A chunk under way.
    struct Chunk
    {
        std::shared_ptr<Collective> collective;   ///< what it belongs to
        uint64_t index;                           ///< which chunk
        std::vector<Place> places;                ///< per phase
        uint32_t phase{0};                        ///< current
        uint64_t bytes;                           ///< data entering it
        std::unique_ptr<ParityExchange> exchange; ///< running phase
        std::list<Chunk>::iterator self;          ///< place in m_chunks
    };

    /// A logical queue.
    struct Queue
    {
        uint64_t running{0};        ///< chunk phases at work
        std::deque<Chunk*> waiting; ///< others, in order
    };

    /// Whose turn it is in a dimension.
    struct Turns
    {
        uint64_t any{0};   ///< next queue of ParityQueueRule::Any
        uint64_t first{0}; ///< likewise FirstHalf
        uint64_t last{0};  ///< likewise LastHalf, counted from the middle
    };

    /// @param phase what is to be placed @return its queue, taken in turn
    Place Choose(const ParityPhase& phase);
    /// @param queue a queue that may have room now
    void StartWaiting(Queue& queue);
    /// @param chunk a chunk whose turn has come
    void StartPhase(Chunk& chunk);
    /// @param chunk a chunk whose running phase has ended
    void EndPhase(Chunk& chunk);

    ParityExchange::Endpoint m_endpoint; ///< the rank
    const ParityOptions& m_options;      ///< parameters
    uint64_t m_queuesPerDimension;       ///< Q
    uint64_t m_limit;                    ///< chunk phases at once in a queue
    std::vector<Queue> m_queues;         ///< by dimension, then queue
    std::vector<Turns> m_turns;          ///< by dimension
    std::list<Chunk> m_chunks;           ///< under way
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_CHUNK_QUEUES_H
