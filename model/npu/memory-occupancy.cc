/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-occupancy.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

MemoryOccupancy::MemoryOccupancy(uint32_t rank,
                                 const ExecutionGraph& graph,
                                 const Rules& rules,
                                 Members members)
    : m_rank(rank),
      m_graph(graph),
      m_rules(rules),
      m_members(std::move(members)),
      m_used(rules.capacity > 0 ? rules.resident : 0),
      m_peak(m_used)
{
}

uint64_t
MemoryOccupancy::GetNeed(const ExecutionNode& node) const
{
    constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
    uint64_t loaded = 0;
    bool followsLoad = false;
    for (const uint64_t id : node.dependencies)
    {
        const auto held = m_held.find(id);
        if (held != m_held.end() && held->second.isLoad)
        {
            const uint64_t bytes = held->second.bytes + held->second.spilled;
            loaded += std::min(bytes, most - loaded);
            followsLoad = true;
        }
    }
    if (IsMemoryAccess(node))
    {
        const uint64_t inPlace = node.kind == NodeKind::MemoryStore ? loaded : 0;
        return IsLocalAccess(node) ? 0 : node.tensorBytes - std::min(node.tensorBytes, inPlace);
    }
    if (!followsLoad || node.kind != NodeKind::Collective ||
        node.collective != CollectiveType::AllGather)
    {
        return 0;
    }
    const uint64_t members = m_members(node);
    return node.bytes > most / members ? most : node.bytes * members;
}

void
MemoryOccupancy::Start(uint32_t index, bool maySpill)
{
    if (m_rules.capacity == 0)
    {
        return;
    }
    const NodeHandle node = m_graph.GetNode(index);
    const uint64_t need = GetNeed(*node);
    if (need == 0)
    {
        return;
    }
    Held held;
    held.isLoad = node->kind == NodeKind::MemoryLoad;
    const uint64_t free = m_rules.capacity - std::min(m_used, m_rules.capacity);
    constexpr uint64_t most = std::numeric_limits<uint64_t>::max();
    const bool spills = maySpill && held.isLoad && m_rules.overflow == MemoryOverflow::Spill;
    held.spilled = spills && need > free ? need - free : 0;
    held.bytes = need - held.spilled;
    if (held.bytes > most - m_used || held.spilled > (most - need) / 2 ||
        (held.bytes > free && m_rules.overflow != MemoryOverflow::Ignore))
    {
        Refuse(*node, need);
    }
    if (node->kind != NodeKind::MemoryStore)
    {
        for ([[maybe_unused]] const uint32_t user : m_graph.GetChildren(index))
        {
            ++held.nUsers;
        }
    }
    m_used += held.bytes;
    m_peak = std::max(m_peak, m_used);
    m_spilled += held.spilled;
    m_held[node->id] = held;
}

void
MemoryOccupancy::End(uint32_t index)
{
    if (m_held.empty())
    {
        return;
    }
    const NodeHandle node = m_graph.GetNode(index);
    const auto own = m_held.find(node->id);
    if (own != m_held.end() && own->second.nUsers == 0)
    {
        Free(node->id);
    }
    for (const uint64_t id : node->dependencies)
    {
        const auto held = m_held.find(id);
        if (held != m_held.end() && --held->second.nUsers == 0)
        {
            Free(id);
        }
    }
}

uint64_t
MemoryOccupancy::GetExtraBytes(uint32_t index) const
{
    const auto held = m_held.empty() ? m_held.end() : m_held.find(m_graph.GetNode(index)->id);
    return held == m_held.end() ? 0 : 2 * held->second.spilled;
}

void
MemoryOccupancy::Free(uint64_t id)
{
    m_used -= m_held.at(id).bytes;
    m_held.erase(id);
}

void
MemoryOccupancy::Refuse(const ExecutionNode& node, uint64_t need) const
{
    std::vector<std::pair<uint64_t, uint64_t>> holders;
    for (const auto& [id, held] : m_held)
    {
        holders.emplace_back(held.bytes, id);
    }
    std::sort(holders.begin(), holders.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    constexpr std::size_t SHOWN = 3;
    holders.resize(std::min(holders.size(), SHOWN));
    std::string most = FormatBytes(m_rules.resident) + " are resident";
    for (const auto& [bytes, id] : holders)
    {
        most +=
            ", " + FormatBytes(bytes) + " of " + Describe(*m_graph.GetNode(m_graph.FindNode(id)));
    }
    throw InputError("rank " + std::to_string(m_rank) + " " + Describe(node) + ": needs " +
                     FormatBytes(need) + " of local memory, which holds " + FormatBytes(m_used) +
                     " and has " + FormatBytes(m_rules.capacity) +
                     " (MemoryCapacity, cluster.npu.memory-capacity); most of it: " + most);
}

} // namespace mlcluster
} // namespace ns3
