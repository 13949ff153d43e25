/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_QUEUED_MEMORY_MODEL_H
#define ML_CLUSTER_QUEUED_MEMORY_MODEL_H

#include "memory-model.h"
#include "memory-queues.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <optional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Remote memories that serve one access at a time, in the order asked. An access takes
 *
 *     T = Latency + bytes / Bandwidth, rounded up to 1 ps,
 *
 * from when its memory is free. A memory is of one NPU, of the NPUs of a node, or of all: the
 * memory expansions per NPU and per node of ASTRA-sim 2.0, and its memory pool. Accesses to
 * different memories never meet. Loads and stores cost the same. Left out: sharing of the way to
 * memory, capacity, and any difference between access patterns.
 */
class QueuedMemoryModel : public MemoryModel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    QueuedMemoryModel();
    ~QueuedMemoryModel() override;

    /// @copydoc MemoryModel::Build
    void Build(uint32_t nRanks) override;
    /// @copydoc MemoryModel::GetObstacle
    std::string GetObstacle(uint32_t location) const override;
    /// @copydoc MemoryModel::GetUsage
    std::vector<MemoryUsage> GetUsage() const override;
    /**
     * @copydoc MemoryModel::Access
     * @throw InputError if the access takes longer than time can be counted
     */
    void Access(const MemoryRequest& request, std::function<void()> done) override;

  private:
    Time m_latency;                       ///< Latency
    DataRate m_bandwidth;                 ///< Bandwidth
    uint32_t m_npusPerMemory;             ///< NpusPerMemory
    MemoryUsage m_usage{"remote memory"}; ///< so far
    std::optional<MemoryQueues> m_queues; ///< the memories, after Build; none if Bandwidth is 0
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_QUEUED_MEMORY_MODEL_H
