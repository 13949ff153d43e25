/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COMPUTE_MODEL_H
#define ML_CLUSTER_COMPUTE_MODEL_H

#include "ns3/execution-graph.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How long a compute node takes: its measured duration, or, with a roofline and on the
 * accelerator, max(operations / peak, tensor bytes / memory bandwidth), rounded up to 1 ps
 * (Williams, Waterman, Patterson, 2009; ASTRA-sim 2.0, section IV). Left out: efficiency below
 * the roof, launch overhead.
 */
class ComputeModel
{
  public:
    ComputeModel() = default; ///< Measured durations

    /**
     * Roofline.
     * @param peakFlops floating-point operations per second, at least 1
     * @param memoryBitRate local memory bandwidth, bit/s, above 0
     * @throw InputError otherwise
     */
    ComputeModel(double peakFlops, uint64_t memoryBitRate);

    /// @param node a compute node @return its time, ps; the largest int64_t if it does not fit
    int64_t GetPicoseconds(const ExecutionNode& node) const;

    /**
     * Checks what can be known before time starts: that the compute nodes of the accelerator, and
     * those of the host, one after the other, end before time can no longer be counted.
     * @param graph the work of a rank
     * @throw InputError naming the node that ends too late
     */
    void Check(const ExecutionGraph& graph) const;

  private:
    bool m_roofline{false};      ///< whether there is a roofline
    double m_peakFlops{0};       ///< operations per second
    uint64_t m_memoryBitRate{0}; ///< bit/s
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMPUTE_MODEL_H
