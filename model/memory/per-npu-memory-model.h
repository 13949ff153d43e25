/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PER_NPU_MEMORY_MODEL_H
#define ML_CLUSTER_PER_NPU_MEMORY_MODEL_H

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
 * Every NPU has a remote memory of its own. An access takes
 *
 *     T = Latency + bytes / Bandwidth, rounded up to 1 ps,
 *
 * and the accesses of one NPU come one after the other, in the order asked; those of different
 * NPUs never meet. Loads and stores cost the same. This is the per-NPU memory expansion of
 * ASTRA-sim 2.0. Left out: sharing of the way to memory, capacity, and any difference between
 * access patterns. What the first access finds as attributes holds for all.
 */
class PerNpuMemoryModel : public MemoryModel
{
  public:
    static TypeId GetTypeId(); ///< @return the TypeId

    PerNpuMemoryModel();
    ~PerNpuMemoryModel() override;

    /**
     * @copydoc MemoryModel::Access
     * @throw InputError if there is no remote memory (Bandwidth 0), or the access takes longer than
     * time can be counted
     */
    void Access(uint32_t rank, uint64_t bytes, bool isStore, std::function<void()> done) override;

  private:
    Time m_latency;                       ///< Latency
    DataRate m_bandwidth;                 ///< Bandwidth
    std::optional<MemoryQueues> m_queues; ///< made by the first access
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PER_NPU_MEMORY_MODEL_H
