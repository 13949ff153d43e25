/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_QUEUES_H
#define ML_CLUSTER_MEMORY_QUEUES_H

#include <cstdint>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

/// How the time of an access to memory is rounded. @ingroup ml-cluster
enum class MemoryRounding
{
    UpPicosecond,  ///< up to 1 ps
    DownNanosecond ///< bytes / bandwidth down to 1 ns, as ASTRA-sim does
};

/**
 * @ingroup ml-cluster
 * Remote memories that serve one access at a time, in the order asked. Each access takes
 *
 *     T = latency + bytes / bandwidth
 *
 * from its start. One memory serves one NPU, the NPUs of a node, or all: ASTRA-sim 2.0's memory
 * expansions per NPU, per node, and its memory pool.
 */
class MemoryQueues
{
  public:
    /// For npusPerMemory: one memory for all.
    static constexpr uint32_t ALL = UINT32_MAX;

    /// @param bitRate of each memory, bit/s, not 0 @param latencyPs of an access, ps
    /// @param npusPerMemory consecutive ranks of one memory, not 0 @param rounding of each access
    MemoryQueues(uint64_t bitRate,
                 int64_t latencyPs,
                 uint32_t npusPerMemory = 1,
                 MemoryRounding rounding = MemoryRounding::UpPicosecond);

    /**
     * Starts an access, behind those of the same memory that were asked for before.
     * @param rank who accesses
     * @param bytes how much
     * @param nowPs now, ps
     * @return when it ends, ps
     * @throw InputError if that is later than time can be counted
     */
    int64_t Book(uint32_t rank, uint64_t bytes, int64_t nowPs);

  private:
    /// @param bytes of an access @return bytes / bandwidth, ps
    int64_t GetTransfer(uint64_t bytes) const;

    uint64_t m_bitRate;                             ///< of each memory, bit/s
    int64_t m_latencyPs;                            ///< of an access, ps
    uint32_t m_npusPerMemory;                       ///< ranks of one memory
    MemoryRounding m_rounding;                      ///< of each access
    std::unordered_map<uint32_t, int64_t> m_freePs; ///< by memory: end of its last access, ps
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_QUEUES_H
