/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-outline.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param node a collective @return its mask, empty if it leaves out no dimension
std::vector<bool>
GetMask(const ExecutionNode& node)
{
    const std::vector<bool>& mask = node.involvedDimensions;
    const bool isAll = std::find(mask.begin(), mask.end(), false) == mask.end();
    return isAll || !node.peerBytes.empty() ? std::vector<bool>() : mask;
}

} // namespace

GraphOutline::GraphOutline(const ExecutionGraph& graph, const Resources& resources)
{
    AddNodes(graph, resources);
    AddLinks(graph, resources.serialisesCollectives);
}

GraphOutline::Kind
GraphOutline::FindKind(const ExecutionNode& node, const Resources& resources)
{
    switch (node.kind)
    {
    case NodeKind::Compute:
        if (node.onHost)
        {
            return resources.nHostThreads > 1 ? Kind::Free : Kind::Host;
        }
        return resources.hasConcurrentStreams && RunsOnStream(node) ? Kind::Free
                                                                    : Kind::Accelerator;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        return IsLocalAccess(node) ? Kind::Free : Kind::RemoteMemory;
    case NodeKind::Send:
        return Kind::Send;
    case NodeKind::Receive:
        return Kind::Receive;
    case NodeKind::Collective:
        return Kind::Collective;
    case NodeKind::Invalid:
    case NodeKind::Metadata:
        break;
    }
    return Kind::Free;
}

void
GraphOutline::AddNodes(const ExecutionGraph& graph, const Resources& resources)
{
    std::map<std::pair<CommunicationKey, std::vector<bool>>, std::size_t> known;
    m_kinds.resize(graph.GetNNodes());
    for (const uint32_t index : graph.GetIssueOrder())
    {
        const NodeHandle node = graph.GetNode(index);
        const Kind kind = FindKind(*node, resources);
        m_kinds[index] = kind;
        if (static_cast<uint32_t>(kind) < N_LANES)
        {
            m_lanes[static_cast<uint32_t>(kind)].push_back(index);
        }
        if (kind >= Kind::Send)
        {
            const auto mask = kind == Kind::Collective ? GetMask(*node) : std::vector<bool>();
            const auto [entry, isNew] =
                known.try_emplace({CommunicationKey(*node), mask}, m_channels.size());
            if (isNew)
            {
                m_channels.push_back({entry->first.first, mask, {}});
            }
            m_channels[entry->second].nodes.push_back(index);
        }
    }
}

void
GraphOutline::AddLinks(const ExecutionGraph& graph, bool serialises)
{
    const uint32_t nNodes = graph.GetNNodes();
    const auto visit = [&](const auto& add) {
        for (uint32_t index = 0; index < nNodes; ++index)
        {
            for (const uint32_t child : graph.GetChildren(index))
            {
                add(index, child);
            }
            const uint32_t next = graph.GetNextOnStream(index);
            if (next < nNodes)
            {
                add(index, next);
            }
        }
        for (const Channel& channel : m_channels)
        {
            const bool isChain = serialises && channel.key.kind == NodeKind::Collective;
            for (std::size_t k = 1; isChain && k < channel.nodes.size(); ++k)
            {
                add(channel.nodes[k - 1], channel.nodes[k]);
            }
        }
    };
    m_first.assign(nNodes + 1, 0);
    visit([&](uint32_t, uint32_t to) { ++m_first[to + 1]; });
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    m_before.resize(m_first.back());
    std::vector<uint32_t> filled(m_first.begin(), m_first.end() - 1);
    visit([&](uint32_t from, uint32_t to) { m_before[filled[to]++] = from; });
}

uint32_t
GraphOutline::GetNNodes() const
{
    return m_kinds.size();
}

GraphOutline::Kind
GraphOutline::GetKind(uint32_t index) const
{
    return m_kinds[index];
}

GraphOutline::Range
GraphOutline::GetBefore(uint32_t index) const
{
    return {m_before.data() + m_first[index], m_before.data() + m_first[index + 1]};
}

const std::vector<GraphOutline::Channel>&
GraphOutline::GetChannels() const
{
    return m_channels;
}

const std::vector<uint32_t>&
GraphOutline::GetLane(Kind kind) const
{
    return m_lanes[static_cast<uint32_t>(kind)];
}

std::pair<std::vector<uint32_t>, std::vector<uint32_t>>
GraphOutline::MakeAfter() const
{
    std::vector<uint32_t> first(GetNNodes() + 1, 0);
    for (const uint32_t index : m_before)
    {
        ++first[index + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<uint32_t> after(m_before.size());
    std::vector<uint32_t> filled(first.begin(), first.end() - 1);
    for (uint32_t index = 0; index < GetNNodes(); ++index)
    {
        for (const uint32_t before : GetBefore(index))
        {
            after[filled[before]++] = index;
        }
    }
    return {std::move(first), std::move(after)};
}

} // namespace mlcluster
} // namespace ns3
