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

/// @param node a node @param carries which collectives are to be carried @return whether it is one
bool
IsCarried(const ExecutionNode& node, PoolCollectives carries)
{
    if (node.kind != NodeKind::Collective || carries == PoolCollectives::None)
    {
        return false;
    }
    return node.collective == CollectiveType::AllToAll ||
           (carries == PoolCollectives::All &&
            (node.collective == CollectiveType::AllReduce || IsGather(node) || IsReduction(node)));
}

/// @param node a collective that can be carried @param nMembers of its group @return bytes that
/// each member sends, those of the one that sends most
Amount
GetSentBytes(const ExecutionNode& node, uint64_t nMembers)
{
    if (IsGather(node))
    {
        return Amount(node.bytes) * (nMembers - 1);
    }
    const uint64_t times = node.collective == CollectiveType::AllReduce ? 2 : 1;
    return Amount(node.bytes - node.bytes / nMembers) * times;
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
    case FusionObstacle::Unequal:
        return "it has no bytes, or not equal ones for all";
    case FusionObstacle::Disabled:
        break;
    }
    return "fusion is switched off";
}

MemoryFusion::MemoryFusion(const ClusterWorkload& workload,
                           const MemoryPoolShape& shape,
                           bool isEnabled,
                           PoolCollectives carried)
    : m_workload(workload),
      m_shape(shape),
      m_carries(carried)
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
            if (pair.first != pair.second && obstaclesOf[rank].back() == FusionObstacle::None)
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
            if (pairs[i].first != pairs[i].second && obstacles[i] == FusionObstacle::None)
            {
                obstacles[i] = !IsAgreed(rank, pairs[i], agreements) ? FusionObstacle::Members
                               : isEnabled                           ? FusionObstacle::None
                                                                     : FusionObstacle::Disabled;
            }
        }
        auto& shared = parts[{&graph, obstacles}];
        if (!shared)
        {
            shared = std::make_shared<const std::vector<Part>>(
                MakeParts(graph.GetNNodes(), pairs, obstacles));
        }
        m_parts.push_back(shared);
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            Count(rank, pairs[i], obstacles[i]);
        }
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
    const Part part = GetPart(rank, index);
    const NodeHandle own = graph.GetNode(index);
    const NodeHandle other = graph.GetNode(part.partner);
    const bool isCollective = own->kind == NodeKind::Collective;
    const NodeHandle& collective = isCollective ? own : other;
    const NodeHandle& memory = isCollective ? other : own;
    MemoryPoolAccess access = *m_blocks.at(m_workload.ResolveGroup(rank, collective->group));
    const uint64_t nMembers = uint64_t{access.nNodes} * access.nGpus;
    access.isExchange = part.role == Role::Whole;
    access.isStore = memory->kind == NodeKind::MemoryStore;
    const Amount bytes =
        access.isExchange ? GetSentBytes(*own, nMembers) : Amount(memory->tensorBytes);
    access.uniqueBytes =
        (bytes * nMembers).Get("bytes of the memory pool for " + Describe(*memory));
    return access;
}

std::pair<std::string, uint32_t>
MemoryFusion::GetMeeting(uint32_t rank, uint32_t index) const
{
    const uint32_t partner = GetPart(rank, index).partner;
    return GetKey(rank, {index, partner, FusionObstacle::None});
}

const std::map<FusionObstacle, MemoryFusion::Finding>&
MemoryFusion::GetFindings() const
{
    return m_findings;
}

const std::map<FusionObstacle, MemoryFusion::Finding>&
MemoryFusion::GetCarried() const
{
    return m_carried;
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
    for (const auto& [obstacle, finding] : m_carried)
    {
        os << finding.collectives << " collectives: "
           << (obstacle == FusionObstacle::None ? "carried by the pool" : ToString(obstacle))
           << " (" << finding.example << ")\n";
    }
}

std::vector<MemoryFusion::Pair>
MemoryFusion::FindPairs(const ExecutionGraph& graph) const
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
    for (uint32_t index = 0; index < graph.GetNNodes(); ++index)
    {
        if (IsCarried(*graph.GetNode(index), m_carries))
        {
            pairs.push_back({index, index, FindDimensions(graph, index)});
        }
    }
    return pairs;
}

FusionObstacle
MemoryFusion::FindDimensions(const ExecutionGraph& graph, uint32_t index)
{
    const NodeHandle node = graph.GetNode(index);
    const auto& involved = node->involvedDimensions;
    const bool isWhole = std::find(involved.begin(), involved.end(), false) == involved.end();
    return isWhole ? FusionObstacle::None : FusionObstacle::Dimensions;
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
    const FusionObstacle obstacle = FindDimensions(graph, first);
    return obstacle == FusionObstacle::None ? FindDimensions(graph, second) : obstacle;
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
    const uint64_t nMembers =
        m_workload.GetGroup(m_workload.ResolveGroup(rank, collective->group)).size();
    if (nMembers <= 1)
    {
        return FusionObstacle::OneRank;
    }
    if (pair.first == pair.second)
    {
        const bool isEqual = collective->bytes > 0 && collective->peerBytes.empty();
        return isEqual ? FindGroup(rank, index) : FusionObstacle::Unequal;
    }
    const uint64_t accessed =
        graph.GetNode(index == pair.first ? pair.second : pair.first)->tensorBytes;
    const uint64_t parts = index == pair.first ? nMembers : 1;
    if (accessed == 0 || collective->bytes % parts != 0 || collective->bytes / parts != accessed)
    {
        return FusionObstacle::Parts;
    }
    return FindGroup(rank, index);
}

FusionObstacle
MemoryFusion::FindGroup(uint32_t rank, uint32_t index)
{
    const NodeHandle collective = m_workload.GetGraph(rank).GetNode(index);
    const std::string group = m_workload.ResolveGroup(rank, collective->group);
    if (m_blocks.count(group) == 0)
    {
        m_blocks[group] = MemoryPoolAccess::OfBlock(m_shape, m_workload.GetGroup(group));
    }
    return m_blocks[group] ? FusionObstacle::None : FusionObstacle::Block;
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
    const bool isWhole = pair.first == pair.second;
    if (isWhole && GetPart(rank, pair.first).role != Role::Whole &&
        obstacle == FusionObstacle::None)
    {
        return;
    }
    Finding& finding = (isWhole ? m_carried : m_findings)[obstacle];
    const bool isStore = GetCollective(rank, pair) == pair.first;
    ++(isWhole ? finding.collectives : isStore ? finding.stores : finding.loads);
    if (finding.example.empty())
    {
        const ExecutionGraph& graph = m_workload.GetGraph(rank);
        finding.example = "rank " + std::to_string(rank) + ": " +
                          Describe(*graph.GetNode(pair.first)) +
                          (isWhole ? "" : " and " + Describe(*graph.GetNode(pair.second)));
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
        const Pair& pair = pairs[i];
        if (obstacles[i] != FusionObstacle::None)
        {
            continue;
        }
        if (pair.first != pair.second)
        {
            parts[pair.first] = {Role::First, pair.second};
            parts[pair.second] = {Role::Second, pair.first};
        }
        else if (parts[pair.first].role == Role::Alone)
        {
            parts[pair.first] = {Role::Whole, pair.first};
        }
    }
    return parts;
}

} // namespace mlcluster
} // namespace ns3
