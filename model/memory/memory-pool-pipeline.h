/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_PIPELINE_H
#define ML_CLUSTER_MEMORY_POOL_PIPELINE_H

#include "fair-server.h"
#include "fine-time.h"
#include "memory-pool-stages.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A memory pool at work, event by event: any number of accesses, of any GPUs, at any times.
 *
 * Each memory, link and switch serves shares of rounds one at a time, in the order in which they
 * arrive. A share begins when all that its vertex needs of the round has arrived (store and forward
 * per round); latencies delay arrivals and occupy nothing. An access has one round at a time at
 * each server of its first hop and asks for the next when that one is through, so that accesses
 * that share a first hop take turns. Switches have room for whatever waits in them.
 *
 * With PoolSharing::Fair a server serves the first share of every access that has some there at
 * once, each at a part of its rate in proportion to the GPUs that it serves for the access.
 *
 * The simulated time never goes back: each call has a time that is not before that of the last one.
 */
class MemoryPoolPipeline
{
  public:
    /// An access that has ended.
    struct Completion
    {
        uint64_t access; ///< its number
        int64_t endPs;   ///< when it ended, ps, rounded up
    };

    /// What a server has carried.
    struct ServerUsage
    {
        PoolHopKind kind; ///< hop
        bool isStore;     ///< direction; false for memories and backplanes, which serve both
        uint32_t row;     ///< group, out-node switch or node
        uint32_t column;  ///< out-node switch, node or GPU of the node that its links go to
        uint64_t bytes;   ///< all it has begun to carry
    };

    /// @param shape a pool without faults @param detail how much of it is simulated; from the first
    /// access of some GPUs on, EveryGpu at least
    MemoryPoolPipeline(const MemoryPoolShape& shape, PoolDetail detail);
    ~MemoryPoolPipeline();

    /**
     * Starts an access.
     * @param access what to do
     * @param startPs when, ps
     * @return its number, counted from 0
     * @throw InputError if the pool cannot do it
     */
    uint64_t Start(const MemoryPoolAccess& access, int64_t startPs);

    /// @return when something happens next, ps, rounded up; nothing if no access is under way
    std::optional<int64_t> GetNextEvent() const;

    /// @param nowPs until when to go on, ps @return the accesses that have ended since the last
    /// call, in the order of their ends
    /// @throw InputError if one ends later than time can be counted
    std::vector<Completion> Advance(int64_t nowPs);

    /// @return what Advance returns when it goes on until nothing is under way
    std::vector<Completion> Finish();

    /// @return what every server has carried
    std::vector<ServerUsage> GetUsage() const;

  private:
    struct Flow; ///< an access under way

    /// What happens.
    enum class EventKind : uint8_t
    {
        Start,  ///< an access starts
        Leave,  ///< a share is through a server of its first hop
        Served, ///< the next share of a server that accesses share fairly is through
        Arrive  ///< a share is where its server leads
    };

    /// When something happens to an access, or to a share of one of its rounds.
    struct Event
    {
        FineTime at;     ///< when
        uint64_t number; ///< events of the same time happen in this order
        uint64_t flow;   ///< access
        uint64_t round;  ///< round; of Served, the version of the server
        uint32_t stage;  ///< stage of the access
        uint32_t unit;   ///< server of the stage; of Served, index of the server
        EventKind kind;  ///< what

        /// @param other an event @return whether this one is later
        bool operator<(const Event& other) const
        {
            return other.at < at || (other.at == at && other.number < number);
        }
    };

    /// A memory, link or switch.
    struct Server
    {
        FineTime freeAt;          ///< end of what it has to serve; FirstCome
        uint64_t bytes{0};        ///< all of it so far
        FairServer<Event> fair{}; ///< what it has to serve; Fair
        uint64_t version{0};      ///< of fair: changes of its next end
    };

    /// @param event happens now
    void Process(const Event& event);
    /// Goes on with every node and GPU, each of which is where the one that stood for it was.
    void Unfold();
    /// @param flow an access @param event a share that has arrived
    void Arrive(Flow& flow, const Event& event);
    /// @param flow an access @param share its number, and a share's round, stage and server; now is
    /// when it has come to the server
    void Serve(Flow& flow, Event share);
    /// @param flow an access @param share that is through its server then
    void Leave(const Flow& flow, Event share);
    /// @param server index of one whose next end has changed
    void ScheduleServed(uint32_t server);
    /// @param event an event @return whether another has taken its place
    bool IsStale(const Event& event) const;
    /// Lets every server go on with the shares of the one that stood for it.
    void UnfoldShares();

    MemoryPoolShape m_shape;                    ///< the pool
    MemoryPoolServers m_grid;                   ///< its servers
    std::vector<Server> m_servers;              ///< by index
    std::vector<std::unique_ptr<Flow>> m_flows; ///< by number; null if ended
    std::priority_queue<Event> m_events;        ///< the first on top
    uint64_t m_nEvents{0};                      ///< so far
    std::vector<Completion> m_ended;            ///< not told yet
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_PIPELINE_H
