/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-fusion.h"

#include "ns3/amount.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param node a node @return whether it is an all-gather
bool
IsGather(const ExecutionNode& node)
{
    return node.kind == NodeKind::Collective && node.collective == CollectiveType::AllGather;
}

/// @param node a node @return whether it is a reduce-scatter
bool
IsReduction(const ExecutionNode& node)
{
    return node.kind == NodeKind::Collective &&
           (node.collective == CollectiveType::ReduceScatter ||
            node.collective == CollectiveType::ReduceScatterBlock);
}

/// @param first a node @param second one that waits for it @return whether a pool could do both
bool
IsPair(const ExecutionNode& first, const ExecutionNode& second)
{
    return (first.kind == NodeKind::MemoryLoad && IsGather(second)) ||
           (IsReduction(first) && second.kind == NodeKind::MemoryStore);
}

} // namespace

std::string
ToString(FusionObstacle obstacle)
{
    switch (obstacle)
    {
    case FusionObstacle::None:
        return "fused";
    case FusionObstacle::Dependencies:
        return "the second waits for other nodes too";
    case FusionObstacle::Children:
        return "other nodes wait for the first too";
    case FusionObstacle::Stream:
        return "one runs on a stream, and the other is not its neighbour there";
    case FusionObstacle::Dimensions:
        return "the collective leaves out dimensions of the network";
    case FusionObstacle::OneRank:
        return "the group has one member";
    case FusionObstacle::Parts:
        return "the bytes accessed are none, or not a member's part of the collective";
    case FusionObstacle::Block:
        return "the group is no block of consecutive nodes times consecutive GPUs of the pool";
    case FusionObstacle::Members:
        return "some members have not the same two nodes there";
    case FusionObstacle::Disabled:
        break;
    }
    return "fusion is switched off";
}

MemoryFusion::MemoryFusion(const ClusterWorkload& workload,
                           const MemoryPoolShape& shape,
                           bool isEnabled)
    : m_workload(workload),
      m_shape(shape)
{
    Agreements agreements;
    std::vector<Obstacles> obstaclesOf(workload.GetNRanks());
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        if (m_pairs.count(&graph) == 0)
        {
            m_pairs[&graph] = FindPairs(graph);
        }
        for (const Pair& pair : m_pairs[&graph])
        {
            obstaclesOf[rank].push_back(FindObstacle(rank, pair));
            if (obstaclesOf[rank].back() == FusionObstacle::None)
            {
                Agree(rank, pair, agreements);
            }
        }
    }
    std::map<std::pair<const ExecutionGraph*, Obstacles>, std::shared_ptr<const std::vector<Part>>>
        parts;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        const std::vector<Pair>& pairs = m_pairs[&graph];
        Obstacles& obstacles = obstaclesOf[rank];
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            if (obstacles[i] == FusionObstacle::None)
            {
                obstacles[i] = !IsAgreed(rank, pairs[i], agreements) ? FusionObstacle::Members
                               : isEnabled                           ? FusionObstacle::None
                                                                     : FusionObstacle::Disabled;
            }
            Count(rank, pairs[i], obstacles[i]);
        }
        auto& shared = parts[{&graph, obstacles}];
        if (!shared)
        {
            shared = std::make_shared<const std::vector<Part>>(
                MakeParts(graph.GetNNodes(), pairs, obstacles));
        }
        m_parts.push_back(shared);
    }
}

MemoryFusion::Part
MemoryFusion::GetPart(uint32_t rank, uint32_t index) const
{
    return m_parts.at(rank)->at(index);
}

MemoryPoolAccess
MemoryFusion::GetAccess(uint32_t rank, uint32_t index) const
{
    const ExecutionGraph& graph = m_workload.GetGraph(rank);
    const NodeHandle own = graph.GetNode(index);
    const NodeHandle other = graph.GetNode(GetPart(rank, index).partner);
    const bool isCollective = own->kind == NodeKind::Collective;
    const NodeHandle& collective = isCollective ? own : other;
    const NodeHandle& memory = isCollective ? other : own;
    MemoryPoolAccess access = *m_blocks.at(m_workload.ResolveGroup(rank, collective->group));
    access.isStore = memory->kind == NodeKind::MemoryStore;
    access.uniqueBytes = (Amount(memory->tensorBytes) * access.nNodes * access.nGpus)
                             .Get("bytes of the memory access of " + Describe(*memory));
    return access;
}

const std::map<FusionObstacle, MemoryFusion::Finding>&
MemoryFusion::GetFindings() const
{
    return m_findings;
}

void
MemoryFusion::Print(std::ostream& os) const
{
    for (const auto& [obstacle, finding] : m_findings)
    {
        os << finding.loads << " loads with an all-gather and " << finding.stores
           << " reduce-scatters with a store: " << ToString(obstacle) << " (" << finding.example
           << ")\n";
    }
}

std::vector<MemoryFusion::Pair>
MemoryFusion::FindPairs(const ExecutionGraph& graph)
{
    std::vector<Pair> pairs;
    for (uint32_t first = 0; first < graph.GetNNodes(); ++first)
    {
        const NodeHandle node = graph.GetNode(first);
        if (node->kind != NodeKind::MemoryLoad && !IsReduction(*node))
        {
            continue;
        }
        for (const uint32_t child : graph.GetChildren(first))
        {
            if (IsPair(*node, *graph.GetNode(child)))
            {
                pairs.push_back({first, child, FindObstacle(graph, first, child)});
            }
        }
    }
    return pairs;
}

FusionObstacle
MemoryFusion::FindObstacle(const ExecutionGraph& graph, uint32_t first, uint32_t second)
{
    if (graph.GetNDependencies(second) != 1)
    {
        return FusionObstacle::Dependencies;
    }
    const auto children = graph.GetChildren(first);
    if (children.end() - children.begin() != 1)
    {
        return FusionObstacle::Children;
    }
    const bool isOnStream = RunsOnStream(*graph.GetNode(first));
    if (isOnStream != RunsOnStream(*graph.GetNode(second)) ||
        (isOnStream && graph.GetNextOnStream(first) != second))
    {
        return FusionObstacle::Stream;
    }
    for (const uint32_t index : {first, second})
    {
        const NodeHandle node = graph.GetNode(index);
        const auto& involved = node->involvedDimensions;
        if (std::find(involved.begin(), involved.end(), false) != involved.end())
        {
            return FusionObstacle::Dimensions;
        }
    }
    return FusionObstacle::None;
}

FusionObstacle
MemoryFusion::FindObstacle(uint32_t rank, const Pair& pair)
{
    if (pair.obstacle != FusionObstacle::None)
    {
        return pair.obstacle;
    }
    const ExecutionGraph& graph = m_workload.GetGraph(rank);
    const uint32_t index = GetCollective(rank, pair);
    const NodeHandle collective = graph.GetNode(index);
    const uint64_t accessed =
        graph.GetNode(index == pair.first ? pair.second : pair.first)->tensorBytes;
    const std::string& group = m_workload.ResolveGroup(rank, collective->group);
    const uint64_t nMembers = m_workload.GetGroup(group).size();
    if (nMembers <= 1)
    {
        return FusionObstacle::OneRank;
    }
    const uint64_t parts = index == pair.first ? nMembers : 1;
    if (accessed == 0 || collective->bytes % parts != 0 || collective->bytes / parts != accessed)
    {
        return FusionObstacle::Parts;
    }
    if (m_blocks.count(group) == 0)
    {
        m_blocks[group] = FindBlock(m_workload.GetGroup(group));
    }
    return m_blocks[group] ? FusionObstacle::None : FusionObstacle::Block;
}

std::optional<MemoryPoolAccess>
MemoryFusion::FindBlock(std::vector<uint32_t> members) const
{
    std::sort(members.begin(), members.end());
    const uint32_t first = members.front();
    const uint32_t last = members.back();
    const uint32_t width = m_shape.gpusPerNode;
    MemoryPoolAccess access;
    access.firstNode = first / width;
    access.firstGpu = first % width;
    access.nNodes = last / width - access.firstNode + 1;
    access.nGpus = last % width - access.firstGpu + 1;
    access.nodeCopies = access.nNodes;
    access.gpuCopies = access.nGpus;
    if (last / width >= m_shape.nodes || last % width < access.firstGpu ||
        members.size() != uint64_t{access.nNodes} * access.nGpus)
    {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        if (members[i] != first + i / access.nGpus * width + i % access.nGpus)
        {
            return std::nullopt;
        }
    }
    return access;
}

void
MemoryFusion::Agree(uint32_t rank, const Pair& pair, Agreements& agreements) const
{
    const bool isStore = GetCollective(rank, pair) == pair.first;
    const uint64_t bytes =
        m_workload.GetGraph(rank).GetNode(isStore ? pair.second : pair.first)->tensorBytes;
    Agreement& agreement = agreements[GetKey(rank, pair)];
    if (agreement.nMembers++ == 0)
    {
        agreement.isStore = isStore;
        agreement.bytes = bytes;
    }
    agreement.differs =
        agreement.differs || agreement.isStore != isStore || agreement.bytes != bytes;
}

bool
MemoryFusion::IsAgreed(uint32_t rank, const Pair& pair, const Agreements& agreements) const
{
    const auto key = GetKey(rank, pair);
    const Agreement& agreement = agreements.at(key);
    return !agreement.differs && agreement.nMembers == m_workload.GetGroup(key.first).size();
}

void
MemoryFusion::Count(uint32_t rank, const Pair& pair, FusionObstacle obstacle)
{
    Finding& finding = m_findings[obstacle];
    const bool isStore = GetCollective(rank, pair) == pair.first;
    ++(isStore ? finding.stores : finding.loads);
    if (finding.example.empty())
    {
        const ExecutionGraph& graph = m_workload.GetGraph(rank);
        finding.example = "rank " + std::to_string(rank) + ": " +
                          Describe(*graph.GetNode(pair.first)) + " and " +
                          Describe(*graph.GetNode(pair.second));
    }
}

uint32_t
MemoryFusion::GetCollective(uint32_t rank, const Pair& pair) const
{
    const bool isFirst =
        m_workload.GetGraph(rank).GetNode(pair.first)->kind == NodeKind::Collective;
    return isFirst ? pair.first : pair.second;
}

std::pair<std::string, uint32_t>
MemoryFusion::GetKey(uint32_t rank, const Pair& pair) const
{
    const uint32_t index = GetCollective(rank, pair);
    const ExecutionGraph& graph = m_workload.GetGraph(rank);
    const NodeHandle collective = graph.GetNode(index);
    return {m_workload.ResolveGroup(rank, collective->group), graph.GetOrdinal(index)};
}

std::vector<MemoryFusion::Part>
MemoryFusion::MakeParts(uint32_t nNodes, const std::vector<Pair>& pairs, const Obstacles& obstacles)
{
    std::vector<Part> parts(nNodes);
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        if (obstacles[i] == FusionObstacle::None)
        {
            parts[pairs[i].first] = {Role::First, pairs[i].second};
            parts[pairs[i].second] = {Role::Second, pairs[i].first};
        }
    }
    return parts;
}

} // namespace mlcluster
} // namespace ns3
