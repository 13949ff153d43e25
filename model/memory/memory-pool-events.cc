/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-events.h"

#include "memory-pool-rounds.h"
#include "memory-pool-stages.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Of an access beside those of its rounds: its start, its turn, and one that is put forward.
constexpr uint64_t EVENTS_PER_ACCESS = 3;

/// Plain accesses that are equal: whether they write, bytes.
using Kind = std::pair<bool, uint64_t>;

/// Counts events of accesses.
class EventCounter
{
  public:
    /// @param shape the pool
    explicit EventCounter(const MemoryPoolShape& shape)
        : m_shape(shape),
          m_servers(shape, PoolDetail::EveryGpu)
    {
    }

    /// @param access an access @return its events, if it is one
    CountRange Count(const MemoryPoolAccess& access) const
    {
        const LargeCount rounds(
            MemoryPoolRounds(access.uniqueBytes, access.GetRoundBytes(m_shape), m_shape.rounds)
                .GetCount());
        const auto stages = MakeMemoryPoolStages(m_shape, m_servers, access);
        uint64_t units = stages.front().units.size();
        for (const auto& stage : stages)
        {
            units += stage.units.size();
        }
        const bool isFair = m_shape.sharing == PoolSharing::Fair;
        uint64_t expected = isFair ? 0 : 1;
        for (const auto& stage : stages)
        {
            expected += isFair && stage.hop.latencyPs > 0 ? 2 : 1;
        }
        return {LargeCount(2),
                rounds * expected + LargeCount(EVENTS_PER_ACCESS),
                rounds * (isFair ? 3 * units : units) + LargeCount(EVENTS_PER_ACCESS)};
    }

    /// @param kind of plain accesses @param nOfAll how often all GPUs have one @param nAlone how
    /// many there are beside these @return the events of all
    CountRange Count(const Kind& kind, uint64_t nOfAll, uint64_t nAlone) const
    {
        const uint64_t gpus = uint64_t{m_shape.nodes} * m_shape.gpusPerNode;
        const CountRange alone =
            Count(MemoryPoolAccess::OfRank(m_shape, kind.first, kind.second, 0));
        const CountRange all =
            nOfAll == 0 ? CountRange()
                        : Count(MemoryPoolAccess::OfAll(m_shape, kind.first, kind.second));
        CountRange together = all * LargeCount(nOfAll);
        together.most = alone.most * (nOfAll * gpus);
        return together + alone * LargeCount(nAlone);
    }

  private:
    const MemoryPoolShape& m_shape; ///< the pool
    MemoryPoolServers m_servers;    ///< of every GPU
};

/// @param node a node @return whether it accesses the pool
bool
IsAccess(const ExecutionNode& node)
{
    return (node.kind == NodeKind::MemoryLoad || node.kind == NodeKind::MemoryStore) &&
           node.location != MemoryLocation::LOCAL;
}

/// @param workload what is to be done @param fusion what is done together @param rank a rank
/// @return its plain accesses
std::map<Kind, uint64_t>
FindPlain(const ClusterWorkload& workload, const MemoryFusion& fusion, uint32_t rank)
{
    std::map<Kind, uint64_t> plain;
    const ExecutionGraph& graph = workload.GetGraph(rank);
    for (uint32_t index = 0; index < graph.GetNNodes(); ++index)
    {
        const NodeHandle node = graph.GetNode(index);
        if (IsAccess(*node) && fusion.GetPart(rank, index).role == MemoryRole::Alone)
        {
            ++plain[{node->kind == NodeKind::MemoryStore, node->tensorBytes}];
        }
    }
    return plain;
}

/// @param workload what is to be done @param fusion what is done together @param shape the pool
/// @param counter counts @return events of what is done together
CountRange
CountTogether(const ClusterWorkload& workload,
              const MemoryFusion& fusion,
              const MemoryPoolShape& shape,
              const EventCounter& counter)
{
    CountRange events;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        for (uint32_t index = 0; index < workload.GetGraph(rank).GetNNodes(); ++index)
        {
            const MemoryRole role = fusion.GetPart(rank, index).role;
            if (role != MemoryRole::First && role != MemoryRole::Whole)
            {
                continue;
            }
            const MemoryPoolAccess access = fusion.GetAccess(rank, index);
            if (access.firstNode * shape.gpusPerNode + access.firstGpu == rank)
            {
                events += counter.Count(access);
            }
        }
    }
    return events;
}

} // namespace

CountRange
CountMemoryPoolEvents(const ClusterWorkload& workload,
                      const MemoryPoolShape& shape,
                      const MemoryFusion& fusion)
{
    const EventCounter counter(shape);
    std::map<Kind, std::pair<uint64_t, uint64_t>> plain; // of all ranks, of the one with fewest
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const auto own = FindPlain(workload, fusion, rank);
        for (const auto& [kind, count] : own)
        {
            auto& [sum, fewest] = plain.try_emplace(kind, 0, rank == 0 ? count : 0).first->second;
            sum += count;
            fewest = std::min(fewest, count);
        }
        for (auto& [kind, counts] : plain)
        {
            counts.second = own.count(kind) == 0 ? 0 : counts.second;
        }
    }
    CountRange events = CountTogether(workload, fusion, shape, counter);
    for (const auto& [kind, counts] : plain)
    {
        const uint64_t gpus = workload.GetNRanks();
        events += counter.Count(kind, counts.second, counts.first - counts.second * gpus);
    }
    const bool isSome = events.most.Get() > 0;
    return {LargeCount(isSome ? 1 : 0), events.expected, events.most};
}

} // namespace mlcluster
} // namespace ns3
