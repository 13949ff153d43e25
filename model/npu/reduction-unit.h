/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REDUCTION_UNIT_H
#define ML_CLUSTER_REDUCTION_UNIT_H

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What combines received data with local data on one NPU: one reduction after the other. One of m
 * bytes takes 3 m / bandwidth of the local memory (two reads and a write).
 */
class ReductionUnit
{
  public:
    /// @param bitRate bandwidth of the local memory, bit/s; 0: reductions take no time
    explicit ReductionUnit(uint64_t bitRate = 0);

    /**
     * @param bytes size
     * @param readyPs earliest start, absolute, ps
     * @return absolute end, ps
     * @throw InputError if that is later than time can be counted
     */
    int64_t Book(uint64_t bytes, int64_t readyPs);

  private:
    uint64_t m_bitRate;  ///< bandwidth, bit/s
    int64_t m_freePs{0}; ///< end of the last reduction
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REDUCTION_UNIT_H
