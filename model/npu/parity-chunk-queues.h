/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_CHUNK_QUEUES_H
#define ML_CLUSTER_PARITY_CHUNK_QUEUES_H

#include "parity-chunk-orders.h"
#include "parity-options.h"
#include "parity-phase-run.h"
#include "parity-plan.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The chunks under way on one rank, and the queues in which they wait for a place in a dimension:
 * ASTRA-sim's dynamic order. Each dimension has Q logical queues; each runs up to ceil(active
 * chunks / Q) chunk phases and starts the others in the order in which ParityQueuePolicy has put
 * them. A chunk's queues, and its trees, are chosen in turn when it is created; the turn goes on
 * from collective to collective.
 */
class ParityChunkQueues
{
  public:
    /**
     * @param endpoint the rank
     * @param nDimensions dimensions of the network
     * @param options parameters; must outlive this
     * @param orders orders of chunks, shared by all ranks; must outlive this
     */
    ParityChunkQueues(const ParityPhaseRun::Endpoint& endpoint,
                      uint32_t nDimensions,
                      const ParityOptions& options,
                      ParityChunkOrders& orders);

    /**
     * Starts a collective on this rank.
     * @param plan how; it has dimensions to visit and outlives the collective
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

    /// A chunk's phase.
    struct Step
    {
        ParityPhase phase; ///< what it does
        uint32_t queue;    ///< index into m_queues
        bool clockwise;    ///< direction of rings
        bool isSecondTree; ///< which of the two trees
    };

    /// A chunk under way.
    struct Chunk
    {
        std::shared_ptr<Collective> collective; ///< what it belongs to
        uint64_t index;                         ///< which chunk
        std::vector<Step> steps;                ///< its phases
        uint32_t step{0};                       ///< current
        bool isRunning{false};                  ///< not only waiting
        uint64_t bytes;                         ///< data entering the phase
        std::unique_ptr<ParityPhaseRun> run;    ///< running phase
        std::list<Chunk>::iterator self;        ///< place in m_chunks
    };

    using Chunks = std::deque<Chunk*>; ///< chunks in the order they start

    /// A logical queue.
    struct Queue
    {
        Chunks chunks;       ///< those that run, then those that wait
        uint64_t running{0}; ///< how many of them run
    };

    /// Whose turn it is in a dimension.
    struct Turns
    {
        uint64_t any{0};   ///< next queue of ParityQueueRule::Any
        uint64_t first{0}; ///< likewise FirstHalf
        uint64_t last{0};  ///< likewise LastHalf, counted from the middle
    };

    /// @param phase what is to be placed @param type of the collective @return it with its queue
    /// and tree, taken in turn
    Step MakeStep(const ParityPhase& phase, CollectiveType type);
    /// @param chunk a chunk @return queue of its current phase
    Queue& GetQueue(const Chunk& chunk);
    /// @param chunk a chunk under way @return phases that follow its current one
    static uint64_t CountPhasesLeft(const Chunk& chunk);
    /// @param chunk a chunk under way @return what enters its phase or what leaves it, if more
    static uint64_t GetLargestBytes(const Chunk& chunk);
    /// @param chunks a queue's chunks @param chunk a newcomer @return before which it is put
    Chunks::iterator FindPlace(Chunks& chunks, const Chunk& chunk) const;
    /**
     * ASTRA-sim's policy RG: behind those that run and the first that waits, then behind those that
     * alternate with their predecessor. Kept as it is there, the newcomer's own operation does not
     * matter.
     * @param chunks a queue's chunks
     * @return before which a newcomer is put
     */
    static Chunks::iterator FindAlternatingPlace(Chunks& chunks);
    /// @param queue a queue that may have room now
    void StartWaiting(Queue& queue);
    /// @param chunk a chunk whose turn has come
    void StartPhase(Chunk& chunk);
    /// @param chunk a chunk whose running phase has ended
    void EndPhase(Chunk& chunk);

    /// Operation of a collective and dimension.
    using TreeKey = std::pair<CollectiveType, uint32_t>;

    ParityPhaseRun::Endpoint m_endpoint;    ///< the rank
    const ParityOptions& m_options;         ///< parameters
    ParityChunkOrders& m_orders;            ///< orders of chunks
    uint64_t m_queuesPerDimension;          ///< Q
    uint64_t m_limit;                       ///< chunk phases at once in a queue
    std::vector<Queue> m_queues;            ///< by dimension, then queue
    std::vector<Turns> m_turns;             ///< by dimension
    std::map<TreeKey, bool> m_isSecondTree; ///< whether the next chunk takes the second tree
    std::list<Chunk> m_chunks;              ///< under way
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_CHUNK_QUEUES_H
