/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_HIERARCHICAL_MEMORY_POOL_H
#define ML_CLUSTER_HIERARCHICAL_MEMORY_POOL_H

#include "equal-requests.h"
#include "memory-pool-model.h"
#include "memory-pool-pipeline.h"

#include "ns3/event-id.h"

#include <map>
#include <memory>
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
 * Equal plain accesses that all NPUs ask for at one instant are one access of all. As long as there
 * are no others, one GPU stands for all of them.
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

    /// @param nKnown requests known when this was scheduled; starts all if no other has come
    void StartEqual(uint64_t nKnown);
    /// @param access starts now @param callbacks for its end
    void Start(const MemoryPoolAccess& access, Callbacks callbacks);
    void ScheduleNext(); ///< Schedules Advance for when something happens.
    void Advance();      ///< What happens now.

    std::unique_ptr<MemoryPoolPipeline> m_pipeline;      ///< the pool at work, after Prepare
    EqualRequests m_equal;                               ///< requests of this instant
    std::map<uint64_t, std::function<void()>> m_waiting; ///< for requests of m_equal, by cookie
    uint64_t m_nRequests{0};                             ///< so far: the next cookie
    EventId m_startEqual;                                ///< of StartEqual
    EventId m_next;                                      ///< of Advance
    std::map<uint64_t, Callbacks> m_running;             ///< by number of the access
    std::vector<MemoryUsage> m_usage;                    ///< so far: memories, then links by layer
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_HIERARCHICAL_MEMORY_POOL_H
