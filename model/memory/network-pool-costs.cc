/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-pool-costs.h"

#include "memory-pool-layout.h"
#include "memory-pool-rounds.h"

#include <map>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Counts what accesses of one GPU cost; that of GPU 0 stands for all.
class CostCounter
{
  public:
    /// @param shape the pool @param firstEnd as CountNetworkPoolCosts @param messages likewise
    CostCounter(const MemoryPoolShape& shape, uint32_t firstEnd, const MessageCosts& messages)
        : m_shape(shape),
          m_firstEnd(firstEnd),
          m_messages(messages)
    {
    }

    /// @param isStore whether it writes @param bytes how much @param times how often
    void Add(bool isStore, uint64_t bytes, uint64_t times)
    {
        const auto access = MemoryPoolAccess::OfRank(m_shape, isStore, bytes, 0);
        const MemoryPoolLayout layout(m_shape, access);
        const MemoryPoolRounds rounds(bytes, access.GetRoundBytes(m_shape), m_shape.rounds);
        m_costs.events += LargeCount(bytes == 0 ? times : 0);
        uint64_t offset = 0;
        for (const auto& run : rounds.GetRuns())
        {
            for (uint32_t group = 0; group < m_shape.groups; ++group)
            {
                AddGroup(isStore,
                         layout,
                         {offset, run.bytes},
                         group,
                         LargeCount(times) * run.count);
            }
            offset += run.bytes * run.count;
        }
    }

    /// @return costs of all
    const AccessCosts& GetCosts() const
    {
        return m_costs;
    }

  private:
    /// @param isStore whether it writes @param layout of the access @param round of it @param group
    /// a memory @param times how often
    void AddGroup(bool isStore,
                  const MemoryPoolLayout& layout,
                  const MemoryPoolLayout::Round& round,
                  uint32_t group,
                  LargeCount times)
    {
        const bool isRead = !isStore && layout.GetMemoryBytes(round, group) > 0;
        m_costs.events += times * (isRead ? EVENTS_PER_READ : 0);
        for (uint32_t x = 0; x < m_shape.outSwitches; ++x)
        {
            const uint64_t bytes = layout.GetGroupLinkBytes(round, group, x);
            if (bytes == 0)
            {
                continue;
            }
            const uint32_t end = m_firstEnd + group * m_shape.outSwitches + x;
            const MessageCost cost =
                isStore ? m_messages.GetCost(0, end, bytes) : m_messages.GetCost(end, 0, bytes);
            const bool isTold = m_messages.GetLeaving() == MessageCosts::Leaving::Told;
            const uint64_t ofStore = isTold ? 1 : 2;
            m_costs.events += (cost.events + LargeCount(isStore ? ofStore : 0)) * times;
            m_costs.messages += times;
            m_costs.packets += cost.packets * times;
            m_costs.packetHops += cost.packetHops * times;
        }
    }

    static constexpr uint64_t EVENTS_PER_READ = 2; ///< through, and its latency has passed

    const MemoryPoolShape& m_shape; ///< the pool
    uint32_t m_firstEnd;            ///< vertex of the first group and out-node switch
    const MessageCosts& m_messages; ///< of the network
    AccessCosts m_costs;            ///< so far
};

} // namespace

AccessCosts
CountNetworkPoolCosts(const ClusterWorkload& workload,
                      const MemoryPoolShape& shape,
                      uint32_t firstEnd,
                      const MessageCosts& messages)
{
    std::map<std::pair<bool, uint64_t>, uint64_t> accesses;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
        {
            const NodeHandle node = graph.GetNode(i);
            const bool isStore = node->kind == NodeKind::MemoryStore;
            if ((isStore || node->kind == NodeKind::MemoryLoad) &&
                node->location != MemoryLocation::LOCAL)
            {
                ++accesses[{isStore, node->tensorBytes}];
            }
        }
    }
    CostCounter counter(shape, firstEnd, messages);
    for (const auto& [access, times] : accesses)
    {
        counter.Add(access.first, access.second, times);
    }
    return counter.GetCosts();
}

} // namespace mlcluster
} // namespace ns3
