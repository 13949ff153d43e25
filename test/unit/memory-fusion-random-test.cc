/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-fusion-cases.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>

using namespace ns3::mlcluster;

namespace
{

using Obstacle = FusionObstacle;
using Role = MemoryFusion::Role;

/// The definition, word by word, for every two nodes of every rank.
class FusionOracle
{
  public:
    /// @param workload what is to be done @param nodes N @param gpus G
    FusionOracle(const ClusterWorkload& workload, uint32_t nodes, uint32_t gpus)
        : m_workload(workload)
    {
        for (uint32_t a = 0; a < nodes; ++a)
        {
            for (uint32_t b = a; b < nodes; ++b)
            {
                for (uint32_t c = 0; c < gpus; ++c)
                {
                    for (uint32_t d = c; d < gpus; ++d)
                    {
                        AddBlock(gpus, {a, b, c, d});
                    }
                }
            }
        }
    }

    /// @param rank a rank @param first a node @param second a node @return whether they are one
    bool IsFused(uint32_t rank, uint32_t first, uint32_t second) const
    {
        if (!Fits(rank, first, second))
        {
            return false;
        }
        const uint64_t bytes = GetBytes(rank, first, second);
        const bool isStore = IsStore(rank, first);
        const auto [group, ordinal] = Locate(rank, isStore ? first : second);
        for (const uint32_t member : m_workload.GetGroup(group))
        {
            bool isFound = false;
            const uint32_t nNodes = m_workload.GetGraph(member).GetNNodes();
            for (uint32_t i = 0; i < nNodes; ++i)
            {
                for (uint32_t j = 0; j < nNodes; ++j)
                {
                    isFound =
                        isFound || (Fits(member, i, j) && IsStore(member, i) == isStore &&
                                    GetBytes(member, i, j) == bytes &&
                                    Locate(member, isStore ? i : j) == std::pair(group, ordinal));
                }
            }
            if (!isFound)
            {
                return false;
            }
        }
        return true;
    }

  private:
    /// Adds a block. @param gpus G @param corner first and last node, first and last GPU
    void AddBlock(uint32_t gpus, const std::array<uint32_t, 4>& corner)
    {
        std::set<uint32_t> members;
        for (uint32_t node = corner[0]; node <= corner[1]; ++node)
        {
            for (uint32_t gpu = corner[2]; gpu <= corner[3]; ++gpu)
            {
                members.insert(node * gpus + gpu);
            }
        }
        m_blocks.insert(members);
    }

    /// @return whether the pair is one that reduces
    bool IsStore(uint32_t rank, uint32_t first) const
    {
        return m_workload.GetGraph(rank).GetNode(first)->kind == NodeKind::Collective;
    }

    /// @return bytes that a pair accesses
    uint64_t GetBytes(uint32_t rank, uint32_t first, uint32_t second) const
    {
        const auto& graph = m_workload.GetGraph(rank);
        return graph.GetNode(IsStore(rank, first) ? second : first)->tensorBytes;
    }

    /// @return group and ordinal of a collective
    std::pair<std::string, int> Locate(uint32_t rank, uint32_t index) const
    {
        const auto& graph = m_workload.GetGraph(rank);
        const std::string group = m_workload.ResolveGroup(rank, graph.GetNode(index)->group);
        int ordinal = 0;
        for (const uint32_t i : graph.GetIssueOrder())
        {
            if (i == index)
            {
                break;
            }
            ordinal += graph.GetNode(i)->kind == NodeKind::Collective &&
                       m_workload.ResolveGroup(rank, graph.GetNode(i)->group) == group;
        }
        return {group, ordinal};
    }

    /// @return whether the two nodes of a rank could be one if all members agree
    bool Fits(uint32_t rank, uint32_t i, uint32_t j) const
    {
        const auto& graph = m_workload.GetGraph(rank);
        const ExecutionNode& first = *graph.GetNode(i);
        const ExecutionNode& second = *graph.GetNode(j);
        const bool isLoad = first.kind == NodeKind::MemoryLoad &&
                            second.kind == NodeKind::Collective &&
                            second.collective == CollectiveType::AllGather;
        const bool isStore = first.kind == NodeKind::Collective &&
                             first.collective == CollectiveType::ReduceScatter &&
                             second.kind == NodeKind::MemoryStore;
        if ((!isLoad && !isStore) || second.dependencies != std::vector<uint64_t>{first.id} ||
            first.stream != second.stream)
        {
            return false;
        }
        for (uint32_t k = 0; k < graph.GetNNodes(); ++k)
        {
            const ExecutionNode& other = *graph.GetNode(k);
            const bool isBetween =
                other.stream == first.stream && first.stream >= 0 && i < k && k < j;
            if (isBetween ||
                (k != j &&
                 std::count(other.dependencies.begin(), other.dependencies.end(), first.id) > 0))
            {
                return false;
            }
        }
        const auto& group =
            m_workload.GetGroup(m_workload.ResolveGroup(rank, (isLoad ? second : first).group));
        const uint64_t whole = isLoad ? second.bytes * group.size() : first.bytes;
        const uint64_t memory = isLoad ? first.tensorBytes : second.tensorBytes;
        return group.size() > 1 && memory > 0 && memory * group.size() == whole &&
               m_blocks.count(std::set<uint32_t>(group.begin(), group.end())) > 0;
    }

    const ClusterWorkload& m_workload;     ///< what is to be done
    std::set<std::set<uint32_t>> m_blocks; ///< all of the pool
};

/// Random workloads.
class FusionCases
{
  public:
    /// @param limit above 0 @return a number below it
    uint32_t Draw(uint32_t limit)
    {
        return m_random() % limit;
    }

    /// @param nRanks ranks @return a family that divides them into up to three groups, in rows or
    /// at random
    std::pair<CommunicatorGroups, GroupFamilies> MakeGroups(uint32_t nRanks)
    {
        CommunicatorGroups groups;
        GroupFamilies families;
        const uint32_t nGroups = 1 + Draw(3);
        const uint32_t kind = Draw(3);
        for (uint32_t rank = 0; rank < nRanks; ++rank)
        {
            const uint32_t number = kind == 0   ? rank % nGroups
                                    : kind == 1 ? rank * nGroups / nRanks
                                                : Draw(nGroups);
            groups["f." + std::to_string(number)].push_back(rank);
            families["f"].push_back(number);
        }
        return {groups, families};
    }

    /// @param sizes likely sizes of groups @return nodes that often make pairs
    Nodes MakeNodes(const std::vector<uint64_t>& sizes)
    {
        Nodes nodes;
        const uint32_t nPairs = 1 + Draw(4);
        for (uint32_t i = 0; i < nPairs; ++i)
        {
            const uint64_t id = 2 * i;
            const uint64_t bytes = 1 + Draw(3);
            const uint32_t whichGroup = Draw(sizes.size());
            const std::string group = whichGroup == 0 ? "" : "f";
            if (Draw(2) == 0)
            {
                nodes.push_back(Memory(id, NodeKind::MemoryLoad, bytes));
                nodes.push_back(
                    After(Collective(id + 1, group, bytes, CollectiveType::AllGather), {id}));
            }
            else
            {
                nodes.push_back(Collective(id,
                                           group,
                                           bytes * sizes[whichGroup],
                                           CollectiveType::ReduceScatter));
                nodes.push_back(After(Memory(id + 1, NodeKind::MemoryStore, bytes), {id}));
            }
        }
        return nodes;
    }

    /// @param nodes some nodes @return them, one thing changed
    Nodes Change(Nodes nodes)
    {
        const uint32_t index = Draw(nodes.size());
        ExecutionNode& node = nodes[index];
        switch (Draw(5))
        {
        case 0:
            node.bytes += 1;
            node.tensorBytes += 1;
            break;
        case 1:
            if (index > 0)
            {
                node.dependencies.push_back(nodes[Draw(index)].id);
            }
            break;
        case 2:
            node.stream = Draw(2);
            break;
        case 3:
            node.kind = NodeKind::MemoryLoad;
            break;
        default:
            node.stream = nodes[index ^ 1].stream = 0;
        }
        return nodes;
    }

  private:
    std::mt19937 m_random{20261130}; ///< source
};

} // namespace

TEST(MemoryFusionRandomTest, EqualsTheDefinition)
{
    FusionCases cases;
    uint64_t nFused = 0;
    std::set<Obstacle> seen;
    for (int i = 0; i < 1500; ++i)
    {
        const uint32_t nNodes = 1 + cases.Draw(3);
        const uint32_t nGpus = 1 + cases.Draw(3);
        const uint32_t nRanks = nNodes * nGpus;
        const auto [groups, families] = cases.MakeGroups(nRanks);
        const Nodes common = cases.MakeNodes({nRanks, groups.begin()->second.size()});
        std::vector<Nodes> ranks(nRanks, common);
        for (uint32_t changes = cases.Draw(4); changes > 0; --changes)
        {
            const uint32_t rank = cases.Draw(nRanks);
            ranks[rank] = cases.Change(ranks[rank]);
        }
        const ClusterWorkload workload(MakeGraphs(ranks), groups, families);
        const MemoryFusion fusion(workload, MakePool(nNodes, nGpus), true);
        const FusionOracle oracle(workload, nNodes, nGpus);
        uint64_t fused = 0;
        for (uint32_t rank = 0; rank < nRanks; ++rank)
        {
            for (uint32_t j = 0; j < common.size(); ++j)
            {
                for (uint32_t k = 0; k < common.size(); ++k)
                {
                    const auto first = fusion.GetPart(rank, j);
                    const auto second = fusion.GetPart(rank, k);
                    const bool isFused = first.role == Role::First && first.partner == k;
                    const bool isBack = second.role == Role::Second && second.partner == j;
                    ASSERT_EQ(isFused, oracle.IsFused(rank, j, k)) << i << " " << rank;
                    ASSERT_EQ(isBack, isFused) << i << " " << rank;
                    fused += isFused ? 1 : 0;
                    if (isFused)
                    {
                        fusion.GetAccess(rank, j).Check(MakePool(nNodes, nGpus));
                    }
                }
            }
        }
        for (const auto& [obstacle, finding] : fusion.GetFindings())
        {
            seen.insert(obstacle);
            if (obstacle == Obstacle::None)
            {
                ASSERT_EQ(finding.loads + finding.stores, fused);
            }
        }
        nFused += fused;
    }
    EXPECT_GT(nFused, 3000);
    EXPECT_GE(seen.size(), 8);
}
