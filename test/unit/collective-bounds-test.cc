/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "link-simulator.h"

#include "ns3/collective-bounds.h"
#include "ns3/collective-plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

constexpr auto BROADCAST = CollectiveType::Broadcast;
constexpr auto REDUCE = CollectiveType::Reduce;
constexpr auto GATHER = CollectiveType::Gather;
constexpr auto SCATTER = CollectiveType::Scatter;
constexpr auto BARRIER = CollectiveType::Barrier;
constexpr uint64_t MEMBER_RATE = 8'000'000'000; ///< 1 GB/s: a byte takes 1000 ps

/// @param notation shape @param multiples rates of a member per dimension, in MEMBER_RATE @return
/// the topology, with links of 1000 ps
ClusterTopology
WithRates(const std::string& notation, const std::vector<uint64_t>& multiples)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (std::size_t k = 0; k < dimensions.size(); ++k)
    {
        dimensions[k].SetMemberBitRate(multiples[k] * MEMBER_RATE);
        dimensions[k].latencyPs = 1000;
    }
    return ClusterTopology(dimensions);
}

/// @param topology a shape @return the same, reducing in the switches of its last dimension
ClusterTopology
WithReduction(const ClusterTopology& topology)
{
    std::vector<TopologyDimension> dimensions;
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        dimensions.push_back(topology.GetDimension(k));
    }
    dimensions.back().inNetwork.enabled = true;
    return ClusterTopology(dimensions);
}

/// @param topology a shape @return bounds of all its ranks
CollectiveBounds
OfAll(const ClusterTopology& topology)
{
    std::vector<uint32_t> dimensions(topology.GetNDimensions());
    std::iota(dimensions.begin(), dimensions.end(), 0);
    return CollectiveBounds(topology, dimensions);
}

} // namespace

TEST(CollectiveBounds, OneDimensionIsWorkedByHand)
{
    const auto bounds = OfAll(WithRates("SW(4)", {1}));
    EXPECT_EQ(bounds.GetBandwidthPs(AR, 400), 600'000);
    EXPECT_EQ(bounds.GetBandwidthPs(RS, 400), 300'000);
    EXPECT_EQ(bounds.GetBandwidthPs(AG, 400), 300'000);
    EXPECT_EQ(bounds.GetBandwidthPs(A2A, 400), 300'000);
    EXPECT_EQ(bounds.GetBandwidthPs(BROADCAST, 400), 400'000);
    EXPECT_EQ(bounds.GetBandwidthPs(REDUCE, 400), 400'000);
    EXPECT_EQ(bounds.GetBandwidthPs(GATHER, 400), 300'000);
    EXPECT_EQ(bounds.GetBandwidthPs(SCATTER, 401), 300'000);
    EXPECT_EQ(bounds.GetBandwidthPs(BARRIER, 0), 0);
    EXPECT_EQ(OfAll(WithReduction(WithRates("SW(4)", {1}))).GetBandwidthPs(AR, 400), 400'000);
    EXPECT_EQ(OfAll(WithRates("R(8)", {1})).GetBandwidthPs(A2A, 800), 1'600'000);
    EXPECT_EQ(OfAll(WithRates("R(5)", {1})).GetBandwidthPs(A2A, 500), 600'000);
}

TEST(CollectiveBounds, LatencyIsThatOfTheFarthestPair)
{
    const auto bounds = OfAll(WithRates("R(5)_FC(3)_SW(2)", {1, 1, 1}));
    EXPECT_EQ(bounds.GetLatencyPs(AR, 1), 5000);
    EXPECT_EQ(bounds.GetLatencyPs(AR, 0), 0);
    EXPECT_EQ(bounds.GetLatencyPs(BARRIER, 0), 5000);
}

TEST(CollectiveBounds, SlowestCutCounts)
{
    const auto topology = WithRates("FC(4)_SW(4)", {9, 1});
    EXPECT_EQ(OfAll(topology).GetMemberBitRate(), 10 * MEMBER_RATE);
    EXPECT_EQ(OfAll(topology).GetBandwidthPs(AR, 3200), 1'200'000);
    EXPECT_EQ(OfAll(topology).GetBandwidthPs(RS, 3200), 600'000);
    const auto even = WithRates("FC(4)_SW(4)", {4, 1});
    EXPECT_EQ(OfAll(even).GetBandwidthPs(AR, 3200), 1'200'000);
    EXPECT_EQ(OfAll(WithRates("FC(4)_SW(4)", {1, 1})).GetBandwidthPs(AR, 3200), 3'000'000);
    EXPECT_EQ(OfAll(topology).GetBandwidthPs(BROADCAST, 3200), 800'000);
    EXPECT_EQ(OfAll(topology).GetBandwidthPs(A2A, 3200), 2'400'000);
    EXPECT_EQ(OfAll(topology).GetBandwidthPs(GATHER, 3200), 600'000);
    EXPECT_EQ(OfAll(WithReduction(topology)).GetBandwidthPs(AR, 3200), 800'000);
    const CollectiveBounds inner(topology, {0});
    EXPECT_EQ(inner.GetNMembers(), 4U);
    EXPECT_EQ(inner.GetBandwidthPs(AR, 3600), 600'000);
    const CollectiveBounds none(topology, {});
    EXPECT_EQ(none.GetBandwidthPs(AR, 3600), 0);
    EXPECT_EQ(none.GetLatencyPs(AR, 3600), 0);
    EXPECT_EQ(none.GetIdealPs(5), 0);
    EXPECT_EQ(none.GetUtilisation(5, 0), 0);
}

TEST(CollectiveBounds, FullestRowOrColumnOfUnequalSizesCounts)
{
    // 400 Gb/s: 20 ps a byte. Column 0 has 14, row 3 has 9.
    auto dimensions = ClusterTopology::ParseNotation("R(4)");
    dimensions[0].SetMemberBitRate(400'000'000'000);
    dimensions[0].latencyPs = 7;
    const ClusterTopology topology(dimensions);
    const std::vector<uint64_t> matrix{99, 1, 2, 3, 3, 0, 1, 2, 2, 3, 0, 1, 9, 0, 0, 0};
    EXPECT_EQ(CollectiveBounds(topology, {0}).GetBandwidthPs(matrix), 14 * 20);
    EXPECT_EQ(CollectiveBounds::GetLatencyPs(topology, {0, 1, 2, 3}, matrix), 2 * 7);
    const std::vector<uint64_t> pair{5, 0, 0, 5, 0, 0, 0, 0, 0};
    EXPECT_EQ(CollectiveBounds::GetLatencyPs(topology, {3, 2, 0}, pair), 7);
    EXPECT_EQ(CollectiveBounds::GetLatencyPs(topology, {3, 2, 0}, {5, 0, 0, 0, 0, 0, 0, 1, 0}), 14);
    EXPECT_EQ(CollectiveBounds(topology, {}).GetBandwidthPs(std::vector<uint64_t>{5}), 0);
}

TEST(CollectiveBounds, ThemisGoldenCase)
{
    auto dimensions = ClusterTopology::ParseNotation("SW(8)_SW(8)_SW(8)");
    for (auto& dimension : dimensions)
    {
        dimension.SetMemberBitRate(8 * (uint64_t{50} << 30));
    }
    const auto bounds = OfAll(ClusterTopology(dimensions));
    const uint64_t sent = uint64_t{2044} << 20;
    EXPECT_EQ(bounds.GetBandwidthPs(AR, 1 << 30), 13'307'291'666);
    EXPECT_EQ(bounds.GetIdealPs(sent), 13'307'291'666);
    EXPECT_NEAR(bounds.GetUtilisation(sent, 35'008'129'000), 0.3801, 0.00005);
    EXPECT_NEAR(bounds.GetUtilisation(sent, 13'635'871'000), 0.9759, 0.00005);
}

TEST(CollectiveBounds, HugeCasesStayInRange)
{
    std::vector<TopologyDimension> dimensions(30, {BuildingBlock::Switch, 2, MEMBER_RATE, 1});
    const auto bounds = OfAll(ClusterTopology(dimensions));
    EXPECT_EQ(bounds.GetNMembers(), 1U << 30);
    EXPECT_GT(bounds.GetBandwidthPs(A2A, uint64_t{1} << 50), 0);
    EXPECT_EQ(bounds.GetBandwidthPs(AR, ~uint64_t{0}), std::numeric_limits<int64_t>::max());
}

TEST(CollectiveBounds, RingsAndDirectAllToAllAttainThem)
{
    for (uint32_t n = 2; n <= 16; n += 2)
    {
        const auto topology = MakeTopology("R(" + std::to_string(n) + ")");
        const LinkGraph graph(topology);
        const auto bounds = OfAll(topology);
        const uint64_t bytes = n * 1'000'000;
        for (const auto type : TYPES)
        {
            const uint64_t size = type == AG ? bytes / n : bytes;
            const CollectivePlan plan(topology, WithChunks(1), AllRanks(topology), {type, size});
            LinkSimulator links(graph);
            PlanRunner runner(links, plan);
            runner.Run(std::vector<int64_t>(n));
            const uint32_t nSteps = type == A2A ? n / 2 : (type == AR ? 2 : 1) * (n - 1);
            const int64_t bound = bounds.GetBandwidthPs(type, bytes) + nSteps * LATENCY;
            EXPECT_GE(links.Now(), bound) << n << ToString(type);
            EXPECT_LE(links.Now(), bound + nSteps) << n << ToString(type);
        }
    }
}

TEST(CollectiveBounds, NoPlanIsFaster)
{
    std::mt19937 random(3);
    const std::string shapes[] = {"R(5)",
                                  "FC(4)",
                                  "SW(6)",
                                  "SW(8)",
                                  "R(2)_SW(4)",
                                  "FC(3)_R(4)",
                                  "SW(4)_FC(2)_R(3)",
                                  "R(3)_R(2)_R(2)"};
    for (uint32_t round = 0; round < 400; ++round)
    {
        auto dimensions = ClusterTopology::ParseNotation(shapes[random() % std::size(shapes)]);
        for (auto& dimension : dimensions)
        {
            dimension.linkBitRate = RATE / (1 + random() % 8);
            dimension.latencyPs = LATENCY * (random() % 3);
        }
        const ClusterTopology topology(dimensions);
        const LinkGraph graph(topology);
        const uint64_t size = random() % 2 == 0 ? random() % 300 : random() % 10'000'000;
        const auto type = TYPES[round % std::size(TYPES)];
        const uint32_t nChunks = 1 + random() % 8;
        const uint32_t nInFlight = 1 + random() % 2;
        const CollectivePlan plan(topology,
                                  WithChunks(nChunks, nInFlight),
                                  AllRanks(topology),
                                  {type, size});
        LinkSimulator links(graph);
        PlanRunner runner(links, plan);
        runner.Run(std::vector<int64_t>(topology.GetNRanks()));
        const auto bounds = OfAll(topology);
        const uint64_t bytes = type == AG ? size * topology.GetNRanks() : size;
        EXPECT_GE(links.Now(), bounds.GetBandwidthPs(type, bytes))
            << topology.GetNotation() << ToString(type) << size;
        EXPECT_GE(links.Now(), bounds.GetLatencyPs(type, bytes))
            << topology.GetNotation() << ToString(type) << size;
    }
}
