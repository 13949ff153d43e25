/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-fusion-cases.h"

#include <set>
#include <sstream>

using namespace ns3::mlcluster;

namespace
{

using Obstacle = FusionObstacle;
using Role = MemoryFusion::Role;

/// @param bytes a member's part @return a load and its all-gather over all ranks, ids 0 and 1
Nodes
LoadAndGather(uint64_t bytes = 100)
{
    return {Memory(0, NodeKind::MemoryLoad, bytes),
            After(Collective(1, "", bytes, CollectiveType::AllGather), {0})};
}

/// @param nMembers members @param bytes a member's part @return a reduce-scatter over all ranks and
/// its store, ids 0 and 1
Nodes
ReduceAndStore(uint64_t nMembers, uint64_t bytes = 100)
{
    return {Collective(0, "", nMembers * bytes, CollectiveType::ReduceScatter),
            After(Memory(1, NodeKind::MemoryStore, bytes), {0})};
}

/// Four GPUs, two nodes of two.
class MemoryFusionTest : public testing::Test
{
  protected:
    /// @param nodes of every rank @param groups groups @param isEnabled whether to fuse
    /// @return the obstacle of all pairs, of which there is at least one
    Obstacle Find(const Nodes& nodes, const CommunicatorGroups& groups = {}, bool isEnabled = true)
    {
        const ClusterWorkload workload(MakeGraphs(std::vector<Nodes>(4, nodes)), groups);
        const MemoryFusion fusion(workload, MakePool(2, 2), isEnabled);
        EXPECT_EQ(fusion.GetFindings().size(), 1);
        const bool isFused = fusion.GetFindings().begin()->first == Obstacle::None;
        EXPECT_EQ(fusion.GetPart(0, 0).role, isFused ? Role::First : Role::Alone);
        EXPECT_EQ(fusion.GetPart(0, 1).role, isFused ? Role::Second : Role::Alone);
        return fusion.GetFindings().begin()->first;
    }
};

} // namespace

TEST_F(MemoryFusionTest, LoadAndGatherAreOneAccess)
{
    const ClusterWorkload workload(MakeGraphs(std::vector<Nodes>(4, LoadAndGather(100))), {});
    const MemoryFusion fusion(workload, MakePool(2, 2), true);
    const auto& finding = fusion.GetFindings().at(Obstacle::None);
    EXPECT_EQ(finding.loads, 4);
    EXPECT_EQ(finding.stores, 0);
    EXPECT_EQ(finding.example, "rank 0: node 0 \"m0\" and node 1 \"c1\"");
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        EXPECT_EQ(fusion.GetPart(rank, 0).role, Role::First);
        EXPECT_EQ(fusion.GetPart(rank, 0).partner, 1);
        EXPECT_EQ(fusion.GetPart(rank, 1).role, Role::Second);
        EXPECT_EQ(fusion.GetPart(rank, 1).partner, 0);
        for (const uint32_t index : {0, 1})
        {
            const auto access = fusion.GetAccess(rank, index);
            EXPECT_FALSE(access.isStore);
            EXPECT_EQ(access.uniqueBytes, 400);
            EXPECT_EQ(access.firstNode, 0);
            EXPECT_EQ(access.nNodes, 2);
            EXPECT_EQ(access.nodeCopies, 2);
            EXPECT_EQ(access.firstGpu, 0);
            EXPECT_EQ(access.nGpus, 2);
            EXPECT_EQ(access.gpuCopies, 2);
        }
    }
}

TEST_F(MemoryFusionTest, ReduceScatterAndStoreAreOneAccess)
{
    const ClusterWorkload workload(MakeGraphs(std::vector<Nodes>(4, ReduceAndStore(4))), {});
    const MemoryFusion fusion(workload, MakePool(2, 2), true);
    EXPECT_EQ(fusion.GetFindings().at(Obstacle::None).stores, 4);
    const auto access = fusion.GetAccess(3, 1);
    EXPECT_TRUE(access.isStore);
    EXPECT_EQ(access.uniqueBytes, 400);
    EXPECT_EQ(access.nodeCopies * access.gpuCopies, 4);
    std::ostringstream text;
    fusion.Print(text);
    EXPECT_EQ(text.str(),
              "0 loads with an all-gather and 4 reduce-scatters with a store: fused (rank 0: node "
              "0 \"c0\" and node 1 \"m1\")\n");
}

TEST_F(MemoryFusionTest, BothReduceScattersCount)
{
    Nodes nodes = ReduceAndStore(4);
    EXPECT_EQ(Find(nodes), Obstacle::None);
    nodes[0].collective = CollectiveType::ReduceScatterBlock;
    EXPECT_EQ(Find(nodes), Obstacle::None);
}

TEST_F(MemoryFusionTest, FamiliesGiveEachRankItsBlock)
{
    Nodes nodes = LoadAndGather(10);
    nodes[1].group = "f";
    const auto graph = MakeGraphs({nodes}).front();
    const ClusterWorkload workload(std::vector<std::shared_ptr<const ExecutionGraph>>(4, graph),
                                   {{"f.0", {2, 0}}, {"f.1", {1, 3}}},
                                   {{"f", {0, 1, 0, 1}}});
    const MemoryFusion fusion(workload, MakePool(2, 2), true);
    EXPECT_EQ(fusion.GetFindings().at(Obstacle::None).loads, 4);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        const auto access = fusion.GetAccess(rank, 0);
        EXPECT_EQ(access.uniqueBytes, 20);
        EXPECT_EQ(access.firstGpu, rank % 2);
        EXPECT_EQ(access.nGpus, 1);
        EXPECT_EQ(access.nNodes, 2);
    }
}

TEST_F(MemoryFusionTest, NothingElseMayNeedEitherNode)
{
    Nodes nodes = LoadAndGather();
    nodes.push_back(After(Memory(2, NodeKind::MemoryStore, 7), {1}));
    EXPECT_EQ(Find(nodes), Obstacle::None);
    nodes[2].dependencies = {0, 1};
    EXPECT_EQ(Find(nodes), Obstacle::Children);
    nodes[2].dependencies = {};
    nodes[1].dependencies = {0, 2};
    EXPECT_EQ(Find(nodes), Obstacle::Dependencies);
    nodes = ReduceAndStore(4);
    nodes.push_back(After(Memory(2, NodeKind::MemoryLoad, 7), {0}));
    EXPECT_EQ(Find(nodes), Obstacle::Children);
    nodes[2].dependencies = {};
    nodes[1].dependencies = {0, 2};
    EXPECT_EQ(Find(nodes), Obstacle::Dependencies);
}

TEST_F(MemoryFusionTest, StreamsMustAgree)
{
    Nodes nodes = LoadAndGather();
    nodes[0].stream = 3;
    EXPECT_EQ(Find(nodes), Obstacle::Stream);
    nodes[1].stream = 4;
    EXPECT_EQ(Find(nodes), Obstacle::Stream);
    nodes[0].stream = -1;
    EXPECT_EQ(Find(nodes), Obstacle::Stream);
    nodes[0].stream = 4;
    EXPECT_EQ(Find(nodes), Obstacle::None);
    nodes[1].id = 2;
    nodes.push_back(Memory(1, NodeKind::MemoryStore, 7));
    nodes.back().stream = 4;
    const ClusterWorkload workload(MakeGraphs(std::vector<Nodes>(4, nodes)), {});
    EXPECT_EQ(MemoryFusion(workload, MakePool(2, 2), true).GetFindings().count(Obstacle::Stream),
              1);
}

TEST_F(MemoryFusionTest, AllDimensionsMustTakePart)
{
    Nodes nodes = LoadAndGather();
    nodes[1].involvedDimensions = std::vector<bool>{true, true};
    EXPECT_EQ(Find(nodes), Obstacle::None);
    nodes[1].involvedDimensions = std::vector<bool>{true, false};
    EXPECT_EQ(Find(nodes), Obstacle::Dimensions);
}

TEST_F(MemoryFusionTest, BytesMustBeThoseOfAMember)
{
    for (const uint64_t bytes : {0, 99, 101, 400})
    {
        Nodes nodes = LoadAndGather();
        nodes[0].tensorBytes = bytes;
        EXPECT_EQ(Find(nodes), Obstacle::Parts) << bytes;
        nodes = ReduceAndStore(4);
        nodes[1].tensorBytes = bytes;
        EXPECT_EQ(Find(nodes), Obstacle::Parts) << bytes;
    }
    EXPECT_EQ(Find(LoadAndGather(0)), Obstacle::Parts);
    EXPECT_EQ(Find(ReduceAndStore(4, 0)), Obstacle::Parts);
    Nodes nodes = ReduceAndStore(4);
    nodes[0].bytes = 401;
    EXPECT_EQ(Find(nodes), Obstacle::Parts);
}

TEST_F(MemoryFusionTest, GroupsMustBeBlocks)
{
    const auto find = [](uint32_t nodes, uint32_t gpus, const std::vector<uint32_t>& members) {
        std::vector<Nodes> ranks(uint64_t{nodes} * gpus);
        for (const uint32_t rank : members)
        {
            ranks[rank] = LoadAndGather();
            ranks[rank][1].group = "g";
        }
        const ClusterWorkload workload(MakeGraphs(ranks), {{"g", members}});
        const MemoryFusion fusion(workload, MakePool(nodes, gpus), true);
        EXPECT_EQ(fusion.GetFindings().size(), 1);
        EXPECT_EQ(fusion.GetFindings().begin()->second.loads, members.size());
        return fusion.GetFindings().begin()->first;
    };
    EXPECT_EQ(find(3, 4, {5, 6, 9, 10}), Obstacle::None);
    EXPECT_EQ(find(3, 4, {10, 5, 9, 6}), Obstacle::None) << "order does not matter";
    EXPECT_EQ(find(3, 4, {4, 5, 6, 7}), Obstacle::None);
    EXPECT_EQ(find(3, 4, {3, 7, 11}), Obstacle::None);
    EXPECT_EQ(find(3, 4, {5}), Obstacle::OneRank);
    EXPECT_EQ(find(3, 4, {0, 2}), Obstacle::Block) << "a GPU is left out";
    EXPECT_EQ(find(3, 4, {0, 8}), Obstacle::Block) << "a node is left out";
    EXPECT_EQ(find(3, 4, {0, 1, 4}), Obstacle::Block) << "an L";
    EXPECT_EQ(find(3, 4, {3, 4}), Obstacle::Block) << "across the edge of nodes";
    EXPECT_EQ(find(3, 4, {0, 5}), Obstacle::Block) << "a diagonal";
    EXPECT_EQ(find(3, 4, {0, 5, 6, 9}), Obstacle::Block) << "as many as between the corners";
    EXPECT_EQ(find(3, 4, {1, 4, 6, 9}), Obstacle::Block) << "a rhombus";
}

TEST_F(MemoryFusionTest, AllMembersMustHaveThePair)
{
    const auto find = [](const Nodes& other) {
        std::vector<Nodes> ranks(4, LoadAndGather());
        ranks[2] = other;
        const ClusterWorkload workload(MakeGraphs(ranks), {});
        return MemoryFusion(workload, MakePool(2, 2), true).GetFindings();
    };
    auto findings = find({Collective(1, "", 100, CollectiveType::AllGather)});
    ASSERT_EQ(findings.size(), 1);
    EXPECT_EQ(findings.at(Obstacle::Members).loads, 3);

    Nodes other = LoadAndGather();
    other.push_back(After(Memory(2, NodeKind::MemoryLoad, 1), {0}));
    findings = find(other);
    ASSERT_EQ(findings.size(), 2);
    EXPECT_EQ(findings.at(Obstacle::Members).loads, 3);
    EXPECT_EQ(findings.at(Obstacle::Children).loads, 1);
    EXPECT_EQ(findings.at(Obstacle::Children).example, "rank 2: node 0 \"m0\" and node 1 \"c1\"");

    EXPECT_EQ(find(LoadAndGather(50)).at(Obstacle::Members).loads, 4);
    findings = find(ReduceAndStore(4));
    EXPECT_EQ(findings.at(Obstacle::Members).loads, 3);
    EXPECT_EQ(findings.at(Obstacle::Members).stores, 1);

    other = {Collective(0, "", 100, CollectiveType::AllGather),
             Memory(1, NodeKind::MemoryLoad, 100),
             After(Collective(2, "", 100, CollectiveType::AllGather), {0, 1})};
    other[2].dependencies = {1};
    EXPECT_EQ(find(other).at(Obstacle::Members).loads, 4) << "it is the second gather there";
}

TEST_F(MemoryFusionTest, CanBeSwitchedOff)
{
    EXPECT_EQ(Find(LoadAndGather(), {}, false), Obstacle::Disabled);
    EXPECT_EQ(Find(ReduceAndStore(4), {}, false), Obstacle::Disabled);
    EXPECT_EQ(Find(LoadAndGather(0), {}, false), Obstacle::Parts) << "other reasons stay";
}

TEST_F(MemoryFusionTest, EveryObstacleHasWords)
{
    std::set<std::string> words;
    for (int i = 0; i <= static_cast<int>(Obstacle::Disabled); ++i)
    {
        words.insert(ToString(static_cast<Obstacle>(i)));
    }
    EXPECT_EQ(words.size(), 11);
}
