/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-fusion-cases.h"

#include <sstream>

using namespace ns3::mlcluster;

namespace
{

using Obstacle = FusionObstacle;
using Role = MemoryFusion::Role;

/// @param nodes of each of four ranks @param carried collectives to carry @param groups groups
/// @return what is found on two nodes of two GPUs; the workload must outlive it
std::pair<std::unique_ptr<ClusterWorkload>, std::unique_ptr<MemoryFusion>>
Find(const Nodes& nodes, PoolCollectives carried, const CommunicatorGroups& groups = {})
{
    auto workload =
        std::make_unique<ClusterWorkload>(MakeGraphs(std::vector<Nodes>(4, nodes)), groups);
    auto fusion = std::make_unique<MemoryFusion>(*workload, MakePool(2, 2), true, carried);
    return {std::move(workload), std::move(fusion)};
}

TEST(MemoryCarriedTest, BytesThatEachMemberSends)
{
    const std::pair<CollectiveType, uint64_t> cases[] = {
        {CollectiveType::AllToAll, 751},
        {CollectiveType::ReduceScatter, 751},
        {CollectiveType::ReduceScatterBlock, 751},
        {CollectiveType::AllReduce, 1502},
        {CollectiveType::AllGather, 3003},
    };
    for (const auto& [type, sent] : cases)
    {
        const auto [workload, fusion] = Find({Collective(0, "", 1001, type)}, PoolCollectives::All);
        EXPECT_EQ(fusion->GetPart(2, 0).role, Role::Whole);
        const auto access = fusion->GetAccess(2, 0);
        EXPECT_TRUE(access.isExchange);
        EXPECT_EQ(access.uniqueBytes, 4 * sent) << ToString(type);
        EXPECT_EQ(access.nNodes * access.nGpus, 4);
        EXPECT_EQ(fusion->GetCarried().at(Obstacle::None).collectives, 4);
        EXPECT_TRUE(fusion->GetFindings().empty());
    }
}

TEST(MemoryCarriedTest, OnlyThoseThatAreWanted)
{
    const Nodes nodes = {Collective(0, "", 8, CollectiveType::AllToAll),
                         Collective(1, "", 8, CollectiveType::AllReduce),
                         Collective(2, "", 8, CollectiveType::Broadcast)};
    const std::pair<PoolCollectives, std::vector<Role>> cases[] = {
        {PoolCollectives::None, {Role::Alone, Role::Alone, Role::Alone}},
        {PoolCollectives::AllToAll, {Role::Whole, Role::Alone, Role::Alone}},
        {PoolCollectives::All, {Role::Whole, Role::Whole, Role::Alone}},
    };
    for (const auto& [carried, roles] : cases)
    {
        const auto [workload, fusion] = Find(nodes, carried);
        for (uint32_t i = 0; i < 3; ++i)
        {
            EXPECT_EQ(fusion->GetPart(1, i).role, roles[i]) << i;
        }
    }
}

TEST(MemoryCarriedTest, PairsComeFirst)
{
    const Nodes nodes = {Memory(0, NodeKind::MemoryLoad, 8),
                         After(Collective(1, "", 8, CollectiveType::AllGather), {0}),
                         Collective(2, "", 8, CollectiveType::AllGather)};
    const auto [workload, fusion] = Find(nodes, PoolCollectives::All);
    EXPECT_EQ(fusion->GetPart(0, 0).role, Role::First);
    EXPECT_EQ(fusion->GetPart(0, 1).role, Role::Second);
    EXPECT_EQ(fusion->GetPart(0, 2).role, Role::Whole);
    EXPECT_FALSE(fusion->GetAccess(0, 1).isExchange);
    EXPECT_EQ(fusion->GetMeeting(0, 0), fusion->GetMeeting(3, 1));
    EXPECT_NE(fusion->GetMeeting(0, 0), fusion->GetMeeting(0, 2));
    std::ostringstream text;
    fusion->Print(text);
    EXPECT_EQ(text.str(),
              "4 loads with an all-gather and 0 reduce-scatters with a store: fused (rank 0: node "
              "0 \"m0\" and node 1 \"c1\")\n"
              "4 collectives: carried by the pool (rank 0: node 2 \"c2\")\n");
}

TEST(MemoryCarriedTest, EveryObstacle)
{
    ExecutionNode node = Collective(0, "", 8, CollectiveType::AllToAll);
    const auto expect = [&](Obstacle obstacle, const CommunicatorGroups& groups = {}) {
        const auto [workload, fusion] = Find({node}, PoolCollectives::AllToAll, groups);
        ASSERT_EQ(fusion->GetCarried().size(), 1);
        EXPECT_EQ(fusion->GetCarried().begin()->first, obstacle);
        EXPECT_EQ(fusion->GetPart(0, 0).role, Role::Alone);
    };
    node.peerBytes = {2, 2, 2, 2};
    expect(Obstacle::Unequal);
    node = Collective(0, "", 0, CollectiveType::AllToAll);
    expect(Obstacle::Unequal);
    node.bytes = 8;
    node.involvedDimensions = {true, false};
    expect(Obstacle::Dimensions);
    node = Collective(0, "", 8, CollectiveType::AllToAll);
    node.group = "g";
    const auto graphs = MakeGraphs({{node}, {}, {}, {node}});
    const ClusterWorkload workload(graphs, {{"g", {0, 3}}});
    const MemoryFusion fusion(workload, MakePool(2, 2), true, PoolCollectives::AllToAll);
    EXPECT_EQ(fusion.GetCarried().at(Obstacle::Block).collectives, 2);
    EXPECT_EQ(ToString(Obstacle::Unequal), "it has no bytes, or not equal ones for all");
}

} // namespace
