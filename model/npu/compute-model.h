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
 * accelerator, max(operations / (e peak), tensor bytes / (f memory bandwidth)), rounded up to 1 ps
 * (Williams, Waterman, Patterson, 2009; ASTRA-sim 2.0, section IV). The efficiencies e and f are
 * the shares of the two roofs that nodes reach, 1 in those papers. Left out: efficiency that
 * depends on the shape of the work, launch overhead.
 */
class ComputeModel
{
  public:
    ComputeModel() = default; ///< Measured durations

    /**
     * Roofline.
     * @param peakFlops floating-point operations per second, at least 1
     * @param memoryBitRate local memory bandwidth, bit/s, above 0
     * @param computeEfficiency share of the peak that is reached, above 0, at most 1; the product
     *        is at least 1 FLOP/s
     * @param memoryEfficiency likewise, of the memory bandwidth; the product, rounded to whole
     *        bit/s, is above 0
     * @throw InputError otherwise
     */
    ComputeModel(double peakFlops,
                 uint64_t memoryBitRate,
                 double computeEfficiency = 1,
                 double memoryEfficiency = 1);

    /// @param bitRate local memory bandwidth, bit/s @param efficiency share of it that is reached,
    /// above 0, at most 1 @return what is reached, rounded to whole bit/s
    /// @throw InputError if it is no such share
    static uint64_t GetReachedBitRate(uint64_t bitRate, double efficiency);

    /// @param node a compute node @return its time, ps; the largest int64_t if it does not fit
    int64_t GetPicoseconds(const ExecutionNode& node) const;
    /// @param node a compute node @return whether its bytes pass the accelerator's memory: with a
    /// roofline, unless it is on the host
    bool MovesBytes(const ExecutionNode& node) const;
    /// @param node one that moves bytes @return time of its operations, ps; the largest int64_t if
    /// it does not fit
    int64_t GetOperationPicoseconds(const ExecutionNode& node) const;

    /**
     * Checks what can be known before time starts: that the compute nodes of the accelerator, and
     * those of the host, one after the other, end before time can no longer be counted.
     * @param graph the work of a rank
     * @throw InputError naming the node that ends too late
     */
    void Check(const ExecutionGraph& graph) const;

  private:
    bool m_roofline{false};      ///< whether there is a roofline
    double m_peakFlops{0};       ///< operations per second that are reached
    uint64_t m_memoryBitRate{0}; ///< bit/s that are reached
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMPUTE_MODEL_H
