/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "error-of.h"

#include "ns3/astra-parity-options.h"
#include "ns3/astra-system.h"
#include "ns3/parity-chunk-orders.h"
#include "ns3/parity-plan.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Order = std::vector<uint32_t>;

const uint64_t MIB = 1 << 20;

/// Makes plans on Ring(4)_Switch(2).
class ParityPlanTest : public ::testing::Test
{
  protected:
    ParityPlanTest()
    {
        m_options.localBandwidthAware = true;
        SetAlgorithms({"ring", "ring"});
    }

    /// Sets the algorithms of all operations.
    void SetAlgorithms(const std::vector<std::string>& names)
    {
        for (const auto type : TYPES)
        {
            m_options.algorithms[type].clear();
            for (const std::string& name : names)
            {
                m_options.algorithms[type].push_back(
                    MakeParityAlgorithm(ParseAstraAlgorithm(name)));
            }
        }
    }

    /// @return a plan over a group; none: all ranks
    ParityPlan Make(CollectiveType type, Order group = {0, 1, 2, 3, 4, 5, 6, 7}) const
    {
        return ParityPlan(m_topology, m_options, group, {}, type, MIB);
    }

    /// @return operation and dimension of each phase of an ordinary chunk
    static std::vector<std::pair<CollectiveType, uint32_t>> PhasesOf(const ParityPlan& plan,
                                                                     const Order& order)
    {
        std::vector<std::pair<CollectiveType, uint32_t>> phases;
        for (const ParityPhase& phase : plan.Compose(order))
        {
            phases.emplace_back(phase.type, phase.dimension);
        }
        return phases;
    }

    ClusterTopology m_topology{MakeTopology("Ring(4)_Switch(2)")};
    ParityOptions m_options;
};

using Phases = std::vector<std::pair<CollectiveType, uint32_t>>;

} // namespace

TEST_F(ParityPlanTest, ComposesAnAllReduceAlongTheOrder)
{
    EXPECT_EQ(PhasesOf(Make(AR), {0, 1}), (Phases{{RS, 0}, {AR, 1}, {AG, 0}}));
    EXPECT_EQ(PhasesOf(Make(AR), {1, 0}), (Phases{{RS, 1}, {AR, 0}, {AG, 1}}));
    EXPECT_EQ(PhasesOf(Make(AR), {1}), (Phases{{AR, 1}}));
    m_options.chunkOrder = ChunkOrderPolicy::OnlineGreedy;
    EXPECT_EQ(PhasesOf(Make(AR), {1, 0}), (Phases{{RS, 1}, {RS, 0}, {AG, 0}, {AG, 1}}));
    m_options.localBandwidthAware = false;
    EXPECT_EQ(PhasesOf(Make(AR), {1, 0}), (Phases{{AR, 1}, {AR, 0}}));
}

TEST_F(ParityPlanTest, OrdinaryOrders)
{
    EXPECT_EQ(Make(AR).GetOrder(), (Order{0, 1}));
    EXPECT_EQ(Make(AG).GetOrder(), (Order{1, 0}));
    EXPECT_EQ(Make(A2A).GetOrder(), (Order{0, 1}));
    EXPECT_EQ(Make(AG, {6, 2, 1}).GetOrder(), (Order{0}));
    EXPECT_EQ(Make(AG, {6}).GetOrder(), Order{});
    const ParityPlan masked(m_topology, m_options, Make(AR).GetOrder(), {}, AR, MIB);
    EXPECT_TRUE(masked.IsFlat());
}

TEST_F(ParityPlanTest, OneAlgorithmRunsOverAllRanks)
{
    SetAlgorithms({"oneDirect3"});
    const ParityPlan plan = Make(AR);
    EXPECT_FALSE(plan.IsFlat());
    EXPECT_FALSE(plan.HasDimensions());
    EXPECT_EQ(PhasesOf(plan, plan.GetOrder()), (Phases{{AR, 0}}));
    const ParityPhase phase = plan.Compose({0})[0];
    EXPECT_EQ(phase.algorithm.window, 3U);
    const ParityRing ring = plan.GetRing(5, phase);
    EXPECT_EQ(ring.size, 8U);
    EXPECT_EQ(ring.position, 5U);
    EXPECT_EQ(ring.GetRank(6), 6U);
    EXPECT_EQ(plan.GetOutputBytes({RS, {}, 0, {}}, 64), 8U);
}

TEST_F(ParityPlanTest, OneAlgorithmInAGroupRunsOverTheGroup)
{
    SetAlgorithms({"oneRing"});
    const ParityPlan plan = Make(AR, {6, 2, 1});
    const ParityRing ring = plan.GetRing(2, plan.Compose({0})[0]);
    EXPECT_EQ(ring.size, 3U);
    EXPECT_EQ(ring.position, 1U);
    EXPECT_EQ(ring.GetRank(0), 6U);
}

TEST_F(ParityPlanTest, TreesReduceWhateverIsAskedFor)
{
    SetAlgorithms({"doubleBinaryTree", "ring"});
    EXPECT_EQ(PhasesOf(Make(RS), {0, 1}), (Phases{{AR, 0}, {RS, 1}}));
    EXPECT_EQ(Make(RS).GetOutputBytes(Make(RS).Compose({0})[0], 64), 64U);
}

TEST_F(ParityPlanTest, RefusesWhatAstraSimCannotDo)
{
    m_topology = MakeTopology("Ring(6)_Switch(2)");
    const std::vector<uint32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    for (const std::string name : {"doubleBinaryTree", "halvingDoubling"})
    {
        SetAlgorithms({name, "ring"});
        EXPECT_NE(ErrorOf([&] { Make(AR, all); }).find(name + " needs a power of two ranks, not 6"),
                  std::string::npos);
    }
    SetAlgorithms({"oneHalvingDoubling"});
    EXPECT_NE(ErrorOf([&] { Make(AR, all); }).find("not 12"), std::string::npos);
    SetAlgorithms({"ring", "halvingDoubling"});
    EXPECT_NE(ErrorOf([&] { Make(A2A, all); }).find("no all-to-all"), std::string::npos);
    SetAlgorithms({"doubleBinaryTree"});
    EXPECT_NE(ErrorOf([&] { Make(AR, {0, 1, 2, 3}); }).find("a group smaller than the network"),
              std::string::npos);
    m_options.algorithms.clear();
    EXPECT_NE(ErrorOf([&] { Make(AR, all); }).find("no algorithm is configured for all-reduce"),
              std::string::npos);
}

TEST_F(ParityPlanTest, ChunksAreAtLeastAByteARank)
{
    m_options.splits = 3;
    EXPECT_EQ(Make(AR).GetChunkBytes(), MIB / 3);
    EXPECT_EQ(Make(AR).GetBytes(), MIB);
    m_options.splits = MIB;
    EXPECT_EQ(Make(AR).GetChunkBytes(), 8U);
    EXPECT_EQ(Make(AR).GetBytes(), 8 * MIB);
    m_options.splits = 2 * MIB;
    EXPECT_EQ(Make(AG).GetChunkBytes(), 1U);
    EXPECT_EQ(Make(AG).GetBytes(), 2 * MIB);
}

/// Decides like the first rank for all of them; a chunk of all ranks is then forgotten.
TEST_F(ParityPlanTest, RanksShareADecision)
{
    m_options.chunkOrder = ChunkOrderPolicy::RoundRobin;
    ParityChunkOrders orders(m_topology, m_options);
    const ParityPlan plan = Make(AR);
    for (const Order& expected : {Order{0, 1}, Order{1, 0}, Order{0, 1}})
    {
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const auto choice = orders.Choose(plan, {1, 0, 0}, MIB);
            EXPECT_EQ(choice.order, expected);
            EXPECT_EQ(choice.bytes, MIB);
        }
    }
}

TEST_F(ParityPlanTest, OnlyGreedyOrdersCutTheLastChunk)
{
    for (const auto policy : {ChunkOrderPolicy::Ascending,
                              ChunkOrderPolicy::RoundRobin,
                              ChunkOrderPolicy::OnlineGreedy,
                              ChunkOrderPolicy::OfflineGreedy,
                              ChunkOrderPolicy::OfflineGreedyFlex})
    {
        m_options.chunkOrder = policy;
        ParityChunkOrders orders(m_topology, m_options);
        const bool isGreedy = policy == ChunkOrderPolicy::OfflineGreedy ||
                              policy == ChunkOrderPolicy::OfflineGreedyFlex;
        const uint64_t cut = isGreedy ? 1000 : MIB;
        EXPECT_EQ(orders.Choose(Make(AR), {1, 0, 0}, 1000).bytes, cut);
        EXPECT_EQ(orders.Choose(Make(RS, {1, 2}), {2, 0, 0}, 1000).bytes, cut);
        EXPECT_EQ(orders.Choose(Make(A2A), {1, 1, 0}, 1000).bytes, MIB);
    }
}

/// Only when rank 0 begins at another time are the loads forgotten.
TEST_F(ParityPlanTest, RankZeroForgetsTheLoads)
{
    m_options.chunkOrder = ChunkOrderPolicy::OfflineGreedy;
    m_options.bandwidths = {100, 50};
    ParityChunkOrders orders(m_topology, m_options);
    const ParityPlan plan = Make(AR);
    uint64_t chunk = 0;
    const auto next = [&] { return orders.Choose(plan, {1, 0, chunk++}, MIB).order; };
    orders.Begin(0, 0);
    EXPECT_EQ(next(), (Order{0, 1}));
    orders.Begin(0, 0);
    EXPECT_EQ(next(), (Order{1, 0}));
    EXPECT_EQ(next(), (Order{0, 1}));
    orders.Begin(3, 50);
    EXPECT_EQ(next(), (Order{1, 0}));
    EXPECT_EQ(next(), (Order{0, 1}));
    orders.Begin(0, 60);
    EXPECT_EQ(next(), (Order{0, 1}));
}
