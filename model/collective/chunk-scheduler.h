/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CHUNK_SCHEDULER_H
#define ML_CLUSTER_CHUNK_SCHEDULER_H

#include "collective-type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Chooses the order in which each chunk of one collective uses the dimensions. A pure function of
 * what all ranks know, so that they choose alike without talking.
 *
 * For an all-reduce the order is that of its reduce-scatters; its all-gathers go backwards. Only
 * all-reduce, reduce-scatter and all-gather have a choice; all others keep the baseline.
 *
 * - baseline: up the dimensions; an all-gather down.
 * - themis (Themis, ISCA 2022, section 4): every dimension has a load, the time it is predicted to
 *   be busy, which begins with the latency of its steps. A chunk takes the least loaded dimension
 *   first (all-gather: the most loaded), and adds to each the time in which one NPU sends its part:
 *   of c bytes held, c (P - 1) / P for a reduce-scatter over P members (in-network c), which leaves
 * c / P, and c (P - 1) for an all-gather, which leaves c P. If the loads differ by less than the
 * time of a chunk of a sixteenth on the least loaded dimension, the chunk keeps the baseline.
 * - round-robin, offline-greedy, offline-greedy-flex: see ChunkOrderScheduler; the last chooses the
 *   sizes of the chunks too.
 *
 * Equal loads keep the baseline's order. Left out: contention of other collectives.
 */
class ChunkScheduler
{
  public:
    /// A dimension as one NPU sees it.
    struct Level
    {
        uint32_t size;           ///< members that meet
        uint64_t bitRate;        ///< what one member can send, bit/s
        int64_t latencyPs;       ///< of all steps of its phase, ps
        bool isCut;              ///< whether an all-reduce is cut there by a reduce-scatter
        uint64_t sent;           ///< if not: bytes one member sends ...
        uint64_t sentOf;         ///< ... for so many that it holds
        bool isInNetwork{false}; ///< whether members send all they hold to be reduced in a switch
    };

    /// A chunk and the way it goes.
    struct Chunk
    {
        uint64_t bytes;              ///< size
        std::vector<uint32_t> order; ///< all levels, the first used first
    };

    /**
     * @param name "baseline", "themis", ...
     * @param type operation
     * @param levels dimensions, innermost first
     * @throw InputError naming the allowed ones
     */
    ChunkScheduler(const std::string& name, CollectiveType type, std::vector<Level> levels);

    /**
     * @param bytes size of the collective
     * @param nChunks chunks to cut it into, at least 1
     * @return the chunks
     */
    std::vector<Chunk> Schedule(uint64_t bytes, uint32_t nChunks) const;

    static const std::vector<std::string>& GetNames(); ///< @return all names

  private:
    /// @return the order that is used if there is nothing to choose
    std::vector<uint32_t> GetBaseline() const;
    /// @param bytes size @param nChunks chunks @return the chunks, as ChunkOrderScheduler has it
    std::vector<Chunk> ScheduleByPolicy(uint64_t bytes, uint32_t nChunks) const;
    /// @param bytes size @param nChunks chunks @return the chunks, as Themis has it
    std::vector<Chunk> ScheduleThemis(uint64_t bytes, uint32_t nChunks) const;
    /// @param bytes held before @param level index @return time in which one member sends its part
    /// of a phase, ps
    int64_t GetTime(uint64_t bytes, uint32_t level) const;
    /// @param bytes held before @param level index @return bytes held after
    uint64_t GetHeldAfter(uint64_t bytes, uint32_t level) const;

    std::string m_name;          ///< which
    CollectiveType m_type;       ///< operation
    std::vector<Level> m_levels; ///< dimensions
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CHUNK_SCHEDULER_H
