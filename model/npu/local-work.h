/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LOCAL_WORK_H
#define ML_CLUSTER_LOCAL_WORK_H

#include "compute-model.h"

#include "ns3/event-id.h"
#include "ns3/local-memory.h"
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
 * when its operations and its bytes are through.
 */
class LocalWork
{
  public:
    using EndCallback = std::function<void(uint32_t)>; ///< told the position of a node that ended

    /**
     * @param rank the rank
     * @param compute time of compute nodes
     * @param memory the accelerator's own memory, with the bandwidth that ComputeModel reaches
     * @param ended called when a node ends, never from within Start
     */
    LocalWork(uint32_t rank,
              const ComputeModel& compute,
              const LocalMemory& memory,
              EndCallback ended);

    /**
     * @param index position of a node that starts now
     * @param node the node: compute, or an access to local memory
     * @throw InputError naming it if it takes longer than time can be counted
     */
    void Start(uint32_t index, const ExecutionNode& node);

    /// @return what nodes that have started move through local memory
    const MemoryReport& GetUsage() const
    {
        return m_usage;
    }

  private:
    void Await();   ///< Schedules the next Advance.
    void Advance(); ///< Ends nodes that end now.

    uint32_t m_rank;                      ///< the rank
    ComputeModel m_compute;               ///< time of compute nodes
    LocalMemory m_memory;                 ///< the accelerator's own memory
    EndCallback m_ended;                  ///< to be told
    MemoryReport m_usage{"local memory"}; ///< what has been moved
    EventId m_next;                       ///< the next Advance
    int64_t m_nextPs{-1};                 ///< when that is, ps; -1: none is scheduled
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LOCAL_WORK_H
