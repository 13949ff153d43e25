/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LOCAL_HARDWARE_H
#define ML_CLUSTER_LOCAL_HARDWARE_H

#include "compute-model.h"
#include "memory-occupancy.h"

#include "ns3/local-memory.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What an NPU computes with, as the attributes of NpuApplication tell.
 */
struct LocalHardware
{
    bool roofline{false};         ///< compute nodes take operations and bytes, not durations
    double peakFlops{0};          ///< floating-point operations per second
    double computeEfficiency{1};  ///< share of these that is reached
    uint64_t memoryBitRate{0};    ///< bandwidth of the local memory, bit/s; 0: not known
    double memoryEfficiency{1};   ///< share of it that is reached
    int64_t memoryLatencyPs{0};   ///< of an access to local memory, ps
    bool memorySharing{true};     ///< uses of local memory at once share its bandwidth
    bool reduceInMemory{false};   ///< reductions take that bandwidth
    uint64_t reductionBitRate{0}; ///< otherwise this, bit/s; 0: they take no time

    uint64_t memoryCapacity{0};           ///< of the local memory, bytes; 0: not known
    uint64_t residentBytes{0};            ///< of it that are always held
    std::string memoryOverflow{"ignore"}; ///< what happens above it: ignore, error, spill

    /// @return what local memory may hold @throw InputError if values contradict each other
    MemoryOccupancy::Rules MakeRules() const;
    /// @return time of compute nodes @throw InputError if values contradict each other
    ComputeModel MakeComputeModel() const;
    /// @return the local memory @throw InputError likewise
    LocalMemory MakeMemory() const;
    /// @return bandwidth of reductions, bit/s; 0: they take no time @throw InputError likewise
    uint64_t GetReductionBitRate() const;

    /**
     * @param rank a rank
     * @param graph its work
     * @throw InputError if values contradict each other, or a node or reductions need a local
     * memory whose bandwidth is not known, or computing takes longer than time can be counted
     */
    void Check(uint32_t rank, const ExecutionGraph& graph) const;

  private:
    /// @return bandwidth of the local memory that is reached, bit/s @throw InputError likewise
    uint64_t GetReachedBitRate() const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LOCAL_HARDWARE_H
