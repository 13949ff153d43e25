/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/chunk-order-scheduler.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Order = std::vector<uint32_t>;

const uint64_t MIB = 1 << 20;

/// @return orders of some chunks of 1 MiB over all dimensions
std::vector<Order>
OrdersOf(ChunkOrderScheduler scheduler, CollectiveType type, uint32_t nChunks)
{
    std::vector<Order> orders;
    for (uint32_t left = nChunks; left > 0; --left)
    {
        orders.push_back(scheduler.Next(type, {}, MIB, left * MIB).order);
    }
    return orders;
}

/// A ring of 4 with twice the bandwidth of the switch of 2 above it.
ChunkOrderScheduler
MakeRingSwitch(ChunkOrderPolicy policy)
{
    return ChunkOrderScheduler(policy, {4, 2}, {100, 50});
}

} // namespace

TEST(ChunkOrderScheduler, AscendsAndGathersDescending)
{
    for (const auto policy : {ChunkOrderPolicy::Ascending, ChunkOrderPolicy::OnlineGreedy})
    {
        const ChunkOrderScheduler scheduler(policy, {4, 2, 8}, {1, 1, 1});
        EXPECT_EQ(OrdersOf(scheduler, CollectiveType::AllReduce, 2),
                  (std::vector<Order>{{0, 1, 2}, {0, 1, 2}}));
        EXPECT_EQ(OrdersOf(scheduler, CollectiveType::AllGather, 2),
                  (std::vector<Order>{{2, 1, 0}, {2, 1, 0}}));
    }
}

TEST(ChunkOrderScheduler, RoundRobinBeginsOneFurther)
{
    const ChunkOrderScheduler scheduler(ChunkOrderPolicy::RoundRobin, {4, 2, 8}, {1, 1, 1});
    EXPECT_EQ(OrdersOf(scheduler, CollectiveType::AllReduce, 4),
              (std::vector<Order>{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 1, 2}}));
    EXPECT_EQ(OrdersOf(scheduler, CollectiveType::AllGather, 2),
              (std::vector<Order>{{2, 1, 0}, {1, 0, 2}}));
}

TEST(ChunkOrderScheduler, RoundRobinGoesOnAfterReset)
{
    ChunkOrderScheduler scheduler = MakeRingSwitch(ChunkOrderPolicy::RoundRobin);
    scheduler.Next(CollectiveType::AllToAll, {}, MIB, MIB);
    scheduler.Reset();
    EXPECT_EQ(scheduler.Next(CollectiveType::AllToAll, {}, MIB, MIB).order, (Order{1, 0}));
}

/// Observed in ASTRA-sim: 8 MiB in 8 chunks on this network.
TEST(ChunkOrderScheduler, LevelsTheLoadsObserved)
{
    ChunkOrderScheduler scheduler = MakeRingSwitch(ChunkOrderPolicy::OfflineGreedy);
    const std::vector<std::pair<double, double>> loads{{0.75, 0.25}, {1.125, 1.25}, {1.875, 1.5}};
    for (uint32_t chunk = 0; chunk < 8; ++chunk)
    {
        const auto choice = scheduler.Next(CollectiveType::AllReduce, {}, MIB, (8 - chunk) * MIB);
        EXPECT_EQ(choice.order, chunk % 2 == 0 ? (Order{0, 1}) : (Order{1, 0})) << chunk;
        EXPECT_EQ(choice.bytes, MIB);
        if (chunk < loads.size())
        {
            EXPECT_EQ(scheduler.GetLoad(0), loads[chunk].first) << chunk;
            EXPECT_EQ(scheduler.GetLoad(1), loads[chunk].second) << chunk;
        }
    }
}

/// The example of the Themis paper (Fig. 7): 4x4, the first dimension twice as fast.
TEST(ChunkOrderScheduler, TakesTheOrdersOfThePaper)
{
    const ChunkOrderScheduler scheduler(ChunkOrderPolicy::OfflineGreedy, {4, 4}, {2, 1});
    EXPECT_EQ(OrdersOf(scheduler, CollectiveType::AllReduce, 4),
              (std::vector<Order>{{0, 1}, {1, 0}, {0, 1}, {0, 1}}));
}

/// Worked by hand: the first chunk falls back, with each dimension's time added to the other one.
TEST(ChunkOrderScheduler, GathersMostLoadedFirst)
{
    ChunkOrderScheduler scheduler = MakeRingSwitch(ChunkOrderPolicy::OfflineGreedy);
    EXPECT_EQ(scheduler.Next(CollectiveType::AllGather, {}, MIB, 2 * MIB).order, (Order{0, 1}));
    EXPECT_EQ(scheduler.GetLoad(0), 8);
    EXPECT_EQ(scheduler.GetLoad(1), 3);
    EXPECT_EQ(scheduler.Next(CollectiveType::AllGather, {}, MIB, MIB).order, (Order{0, 1}));
    EXPECT_EQ(scheduler.GetLoad(0), 11);
    EXPECT_EQ(scheduler.GetLoad(1), 11);
}

/// Worked by hand.
TEST(ChunkOrderScheduler, FlexibleChunksLevelTheLoads)
{
    ChunkOrderScheduler scheduler = MakeRingSwitch(ChunkOrderPolicy::OfflineGreedyFlex);
    const std::vector<double> sizes{1, 1, 1, 1, 1, 1.375, 1, 0.625};
    const std::vector<bool> sorted{false, false, true, false, false, true, false, true};
    uint64_t remaining = 8 * MIB;
    for (uint32_t chunk = 0; chunk < sizes.size(); ++chunk)
    {
        const auto choice = scheduler.Next(CollectiveType::ReduceScatter, {}, MIB, remaining);
        EXPECT_EQ(choice.bytes, static_cast<uint64_t>(sizes[chunk] * MIB)) << chunk;
        EXPECT_EQ(choice.order, sorted[chunk] ? (Order{1, 0}) : (Order{0, 1})) << chunk;
        remaining -= choice.bytes;
    }
    EXPECT_EQ(remaining, 0);
    EXPECT_EQ(scheduler.GetLoad(0), 5.021484375);
    EXPECT_EQ(scheduler.GetLoad(1), 4.640625);
}

TEST(ChunkOrderScheduler, LeavesOutWhatTakesNoPart)
{
    for (const auto policy : {ChunkOrderPolicy::Ascending,
                              ChunkOrderPolicy::RoundRobin,
                              ChunkOrderPolicy::OfflineGreedy,
                              ChunkOrderPolicy::OfflineGreedyFlex})
    {
        ChunkOrderScheduler scheduler(policy, {4, 1, 2, 8}, {1, 1, 1, 1});
        const std::vector<bool> involved{false, true, true};
        for (const auto type : {CollectiveType::AllGather, CollectiveType::ReduceScatter})
        {
            Order order = scheduler.Next(type, involved, MIB, MIB).order;
            std::sort(order.begin(), order.end());
            EXPECT_EQ(order, (Order{2, 3}));
        }
        EXPECT_EQ(
            scheduler.Next(CollectiveType::AllReduce, {false, true, false, false}, 9, 5).order,
            Order{});
    }
}

TEST(ChunkOrderScheduler, AllToAllAscendsWithoutLoad)
{
    ChunkOrderScheduler scheduler = MakeRingSwitch(ChunkOrderPolicy::OfflineGreedy);
    for (uint32_t chunk = 0; chunk < 3; ++chunk)
    {
        EXPECT_EQ(scheduler.Next(CollectiveType::AllToAll, {}, MIB, MIB).order, (Order{0, 1}));
    }
    EXPECT_EQ(scheduler.GetLoad(0), 0);
}

TEST(ChunkOrderScheduler, ResetForgetsLoads)
{
    ChunkOrderScheduler scheduler = MakeRingSwitch(ChunkOrderPolicy::OfflineGreedy);
    scheduler.Next(CollectiveType::AllReduce, {}, MIB, MIB);
    scheduler.Reset();
    EXPECT_EQ(scheduler.GetLoad(0), 0);
    EXPECT_EQ(scheduler.Next(CollectiveType::AllReduce, {}, MIB, MIB).order, (Order{0, 1}));
}

/// Chunks add up to the collective, each order is a permutation, and only ratios of bandwidths
/// count.
TEST(ChunkOrderScheduler, ConservesBytes)
{
    std::mt19937 random(1);
    const auto draw = [&random](uint32_t least, uint32_t most) {
        return least + static_cast<uint32_t>(random() % (most - least + 1));
    };
    for (uint32_t round = 0; round < 200; ++round)
    {
        std::vector<uint32_t> sizes;
        std::vector<double> bandwidths;
        std::vector<double> doubled;
        for (uint32_t k = draw(1, 4); k > 0; --k)
        {
            sizes.push_back(draw(2, 9));
            bandwidths.push_back(draw(1, 400));
            doubled.push_back(2 * bandwidths.back());
        }
        const auto policy = static_cast<ChunkOrderPolicy>(draw(0, 4));
        const auto type = draw(0, 1) ? CollectiveType::AllGather : CollectiveType::AllReduce;
        ChunkOrderScheduler scheduler(policy, sizes, bandwidths);
        ChunkOrderScheduler twin(policy, sizes, doubled);
        const uint64_t chunkBytes = draw(1000, 1 << 24);
        for (uint64_t left = draw(1, 20) * chunkBytes + draw(1, 999); left > 0;)
        {
            const auto choice = scheduler.Next(type, {}, chunkBytes, left);
            const auto same = twin.Next(type, {}, chunkBytes, left);
            EXPECT_EQ(choice.order, same.order);
            EXPECT_EQ(choice.bytes, same.bytes);
            ASSERT_GT(choice.bytes, 0);
            ASSERT_LE(choice.bytes, left);
            EXPECT_TRUE(std::is_permutation(
                choice.order.begin(),
                choice.order.end(),
                OrdersOf({ChunkOrderPolicy::Ascending, sizes, doubled}, type, 1)[0].begin()));
            left -= choice.bytes;
        }
    }
}
