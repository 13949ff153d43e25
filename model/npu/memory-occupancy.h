/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_OCCUPANCY_H
#define ML_CLUSTER_MEMORY_OCCUPANCY_H

#include "ns3/execution-graph.h"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

/// What happens when local memory holds more than it can.
enum class MemoryOverflow
{
    Ignore, ///< nothing: only the peak is told
    Error,  ///< the run stops
    Spill   ///< loads bring less, and move the rest twice more
};

/**
 * @ingroup ml-cluster
 * What one rank's local memory holds while its graph runs, bytes:
 *
 * - what is resident, always;
 * - what a load from other memory brings, from its start until the last node that depends on it has
 *   ended (or itself, if none does);
 * - what an all-gather makes of it, the parts of all members, likewise; it depends on the load;
 * - what a store to other memory moves, from its start until it has ended; less the bytes of loads
 *   that it depends on, which it stores in place.
 *
 * Where a load would make it more than the capacity, Spill takes the x bytes above it out: they
 * are written back to where they came from and loaded once more, so that the access moves 2 x bytes
 * more. Stores, all-gathers and loads that are done together with others cannot do that. Left out:
 * what computing makes, which memory nodes do not tell of, and fragmentation.
 */
class MemoryOccupancy
{
  public:
    /// What is allowed.
    struct Rules
    {
        uint64_t capacity{0}; ///< bytes; 0: not known, and nothing is counted
        uint64_t resident{0}; ///< bytes that are always there
        MemoryOverflow overflow{MemoryOverflow::Ignore}; ///< above the capacity
    };

    /// @return number of members of a collective
    using Members = std::function<uint64_t(const ExecutionNode&)>;

    /// @param rank the rank @param graph its work, outlives this @param rules what is allowed
    /// @param members of its collectives
    MemoryOccupancy(uint32_t rank,
                    const ExecutionGraph& graph,
                    const Rules& rules,
                    Members members);

    /// @param index position of a node that starts now @param maySpill whether it can, if it is a
    /// load and the rules say so @throw InputError that names it if it does not fit
    void Start(uint32_t index, bool maySpill = true);
    /// @param index position of a node that ends now
    void End(uint32_t index);

    /// @param index position of a load that has started @return bytes that it moves because of
    /// what does not fit
    uint64_t GetExtraBytes(uint32_t index) const;

    /// @return bytes held now
    uint64_t GetUsed() const
    {
        return m_used;
    }

    /// @return most bytes ever held; 0 if nothing is counted
    uint64_t GetPeak() const
    {
        return m_peak;
    }

    /// @return bytes that did not fit, of all loads
    uint64_t GetSpilled() const
    {
        return m_spilled;
    }

  private:
    /// What a node holds.
    struct Held
    {
        uint64_t bytes{0};   ///< how much
        uint64_t spilled{0}; ///< did not fit
        uint64_t nUsers{0};  ///< nodes that depend on it and have not ended
        bool isLoad{false};  ///< of a load
    };

    /// @param node starts @return bytes that it needs
    uint64_t GetNeed(const ExecutionNode& node) const;
    /// @param node does not fit @param need its bytes @throw InputError always
    [[noreturn]] void Refuse(const ExecutionNode& node, uint64_t need) const;
    /// @param id of a node that holds bytes no longer
    void Free(uint64_t id);

    uint32_t m_rank;                           ///< the rank
    const ExecutionGraph& m_graph;             ///< its work
    Rules m_rules;                             ///< what is allowed
    Members m_members;                         ///< of collectives
    uint64_t m_used;                           ///< bytes held
    uint64_t m_peak;                           ///< most so far
    uint64_t m_spilled{0};                     ///< bytes that did not fit
    std::unordered_map<uint64_t, Held> m_held; ///< by id of the node
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_OCCUPANCY_H
