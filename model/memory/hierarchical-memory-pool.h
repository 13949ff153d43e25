/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_HIERARCHICAL_MEMORY_POOL_H
#define ML_CLUSTER_HIERARCHICAL_MEMORY_POOL_H

#include "access-turns.h"
#include "equal-requests.h"
#include "memory-fusion.h"
#include "memory-pool-model.h"
#include "memory-pool-pipeline.h"

#include "ns3/event-id.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A memory pool of groups, out-node switches, in-node switches and GPUs, event by event: a
 * MemoryPoolPipeline. Links of the pool are its own: other traffic of the network never meets its
 * accesses.
 *
 * A load with the all-gather behind it, and a reduce-scatter with the store behind it, are one
 * access in the switches where MemoryFusion finds that they can be (Fuse). It begins when all
 * members have reached it and, of each of them, the fused accesses complete before it have ended;
 * with MemoryStreams 1 the plain ones too. The pool's links can carry collectives (Collectives), as
 * a direct exchange of all members, beside all accesses.
 *
 * Accesses share memories, links and switches fairly, or round by round (Sharing).
 *
 * Equal plain accesses that all NPUs of a rectangle ask for at one instant are one access. As long
 * as there are no others than of all NPUs, one GPU stands for all of them.
 */
class HierarchicalMemoryPool : public MemoryPoolModel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    HierarchicalMemoryPool();
    ~HierarchicalMemoryPool() override;

    /// @copydoc MemoryPoolModel::Prepare
    void Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                 Diagnostics& diagnostics) override;
    /// @copydoc MemoryModel::GetUsage
    std::vector<MemoryUsage> GetUsage() const override;
    /// @copydoc MemoryModel::GetRole
    MemoryRole GetRole(uint32_t rank, uint32_t index) const override;
    /// @copydoc MemoryModel::HasRoles
    bool HasRoles() const override;
    /// @copydoc MemoryModel::AccessTogether
    void AccessTogether(uint32_t rank, uint32_t index, std::function<void()> done) override;
    /// @copydoc MemoryModel::GetAwaitedRanks
    std::vector<uint32_t> GetAwaitedRanks(uint32_t rank, uint32_t index) const override;
    /// @copydoc MemoryModel::CountCosts
    AccessCosts CountCosts(const ClusterWorkload& workload,
                           const MessageCosts& messages) const override;
    /// @copydoc MemoryModel::GetRemarks
    std::vector<std::string> GetRemarks() const override;
    /**
     * @copydoc MemoryModel::Access
     * @throw InputError if Prepare was not called or has found problems
     */
    void Access(const MemoryRequest& request, std::function<void()> done) override;

  protected:
    void DoDispose() override;

  private:
    /// To be called when an access has ended.
    using Callbacks = std::vector<std::function<void()>>;
    /// What the members of a common access have in common, see MemoryFusion::GetMeeting.
    using Key = std::pair<std::string, uint32_t>;

    /// Ranks that have reached a common access.
    struct Meeting
    {
        std::vector<uint32_t> ranks; ///< which
        Callbacks callbacks;         ///< of these
    };

    /// A common access that all have reached, before it begins.
    struct Common
    {
        MemoryPoolAccess access;     ///< what to do
        std::vector<uint32_t> ranks; ///< that do it
        Callbacks callbacks;         ///< for its end
    };

    /// @return the collectives that Collectives names @throw InputError if it names none
    PoolCollectives GetCarried() const;
    /// @param diagnostics receives what is wrong with the attributes of this class
    void CheckAttributes(Diagnostics& diagnostics) const;
    /// @param number of a plain request, of m_plain, that has its turn
    void StartPlain(uint64_t number);
    /// @param number of a common access, of m_common, that is complete, behind the plain ones of
    /// this instant
    void QueueCommon(uint64_t number);
    /// @param number of a common access, of m_common, that has its turn
    void StartCommon(uint64_t number);
    /// @param nKnown requests known when this was scheduled; starts all if no other has come
    void StartEqual(uint64_t nKnown);
    /// @param access starts @param startPs then, ps @param callbacks for its end
    void Start(const MemoryPoolAccess& access, int64_t startPs, Callbacks callbacks);
    /// @param access starts
    void Count(const MemoryPoolAccess& access);
    /// @param number of a request whose turn is over; those behind it begin
    void EndTurn(uint64_t number);
    void ScheduleNext(); ///< Schedules Advance for when something happens.
    void Advance();      ///< What happens now.

    bool m_fuse;               ///< Fuse
    std::string m_sharing;     ///< Sharing
    std::string m_collectives; ///< Collectives
    Time m_collectiveLatency;  ///< CollectiveLatency
    uint32_t m_memoryStreams;  ///< MemoryStreams

    MemoryPoolShape m_shape; ///< the pool, with its sharing, after Prepare
    std::shared_ptr<const ClusterWorkload> m_workload; ///< what is to be done, after Prepare
    std::unique_ptr<MemoryFusion> m_fusion;            ///< what is done together, after Prepare
    std::unique_ptr<MemoryPoolPipeline>
        m_pipeline; ///< the pool at work, after Prepare; a new one whenever nothing is under way
    std::unique_ptr<AccessTurns> m_turns;                ///< of the NPUs, after Prepare
    std::map<Key, Meeting> m_meetings;                   ///< that not all have reached
    std::map<uint64_t, Common> m_common;                 ///< that wait for their turn, by number
    std::map<uint64_t, MemoryRequest> m_plain;           ///< likewise
    EqualRequests m_equal;                               ///< requests of this instant
    std::map<uint64_t, std::function<void()>> m_waiting; ///< for plain requests, by number
    uint64_t m_nRequests{0};                             ///< so far: the next number
    EventId m_startEqual;                                ///< of StartEqual
    EventId m_next;                                      ///< of Advance
    std::map<uint64_t, Callbacks> m_running;             ///< by number of the access
    std::vector<MemoryUsage> m_usage;                    ///< so far: memories, then links by layer
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_HIERARCHICAL_MEMORY_POOL_H
