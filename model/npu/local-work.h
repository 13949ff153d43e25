/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LOCAL_WORK_H
#define ML_CLUSTER_LOCAL_WORK_H

#include "local-hardware.h"

#include "ns3/cluster-workload.h"
#include "ns3/event-id.h"
#include "ns3/run-report.h"

#include <cstdint>
#include <functional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What runs on one NPU alone: compute nodes, whose time is that of ComputeModel, and memory nodes
 * whose tensor lies in the accelerator's own memory, which take that of LocalMemory. With a
 * roofline, compute nodes of the accelerator move their bytes through that memory too: each ends
 * when its operations and its bytes are through. What nodes of all kinds hold in that memory is
 * counted by MemoryOccupancy.
 */
class LocalWork
{
  public:
    using EndCallback = std::function<void(uint32_t)>; ///< told the position of a node that ended

    /**
     * @param workload has the rank's graph and the groups of its collectives; outlives this
     * @param rank the rank
     * @param hardware what it computes with
     * @param ended called when a node ends, never from within Start
     */
    LocalWork(const ClusterWorkload& workload,
              uint32_t rank,
              const LocalHardware& hardware,
              EndCallback ended);

    /// @param index position of a node, of any kind, that starts now; takes local memory for it
    /// @param maySpill whether it can @throw InputError naming it if it does not fit
    void Hold(uint32_t index, bool maySpill = true);
    /// @param index position of a node, of any kind, that ends now; gives memory back
    void Release(uint32_t index);
    /// @param index position of a load that holds memory @return bytes that it moves because of
    /// what does not fit
    uint64_t GetExtraBytes(uint32_t index) const;

    /**
     * @param index position of a node that starts now
     * @param node the node: compute, or an access to local memory
     * @throw InputError naming it if it takes longer than time can be counted
     */
    void Start(uint32_t index, const ExecutionNode& node);

    /// @param report of which the last rank is this; receives what its local memory moved and held
    void AddTo(RunReport& report) const;

  private:
    void Await();   ///< Schedules the next Advance.
    void Advance(); ///< Ends nodes that end now.

    uint32_t m_rank;                      ///< the rank
    ComputeModel m_compute;               ///< time of compute nodes
    LocalMemory m_memory;                 ///< the accelerator's own memory
    MemoryOccupancy m_occupancy;          ///< what it holds
    EndCallback m_ended;                  ///< to be told
    MemoryReport m_usage{"local memory"}; ///< what has been moved
    EventId m_next;                       ///< the next Advance
    int64_t m_nextPs{-1};                 ///< when that is, ps; -1: none is scheduled
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LOCAL_WORK_H
