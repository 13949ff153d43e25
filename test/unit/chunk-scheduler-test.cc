/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"

#include "ns3/chunk-scheduler.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3::mlcluster;

namespace
{

using Orders = std::vector<std::vector<uint32_t>>;

/// Two dimensions of four, the first of twice the bandwidth.
std::vector<ChunkScheduler::Level>
MakeLevels(int64_t latencyPs = 0)
{
    return {{4, 16'000'000'000, latencyPs, true, 0, 1}, {4, 8'000'000'000, 0, true, 0, 1}};
}

Orders
GetOrders(const ChunkScheduler& scheduler, uint64_t bytes, uint32_t nChunks)
{
    Orders orders;
    uint64_t sum = 0;
    for (const auto& chunk : scheduler.Schedule(bytes, nChunks))
    {
        orders.push_back(chunk.order);
        sum += chunk.bytes;
    }
    EXPECT_EQ(sum, bytes);
    return orders;
}

} // namespace

TEST(ChunkScheduler, OrdersThePapersExampleAsThePaper)
{
    // Themis, figures 5 and 7: 256 MB in four chunks; a unit is the reduce-scatter of 64 MB on the
    // first dimension, and loads go (1, 0.5), (1.25, 2.5), (2.25, 3), ...
    const ChunkScheduler themis("themis", AR, MakeLevels());
    EXPECT_EQ(GetOrders(themis, 256'000'000, 4), (Orders{{0, 1}, {1, 0}, {0, 1}, {0, 1}}));
    const ChunkScheduler gather("themis", AG, MakeLevels());
    EXPECT_EQ(GetOrders(gather, 64'000'000, 2).front(), (std::vector<uint32_t>{1, 0}));
}

TEST(ChunkScheduler, LatencyIsTheFirstLoad)
{
    const ChunkScheduler themis("themis", RS, MakeLevels(1'000'000'000'000));
    EXPECT_EQ(GetOrders(themis, 256'000'000, 1), (Orders{{1, 0}}));
}

TEST(ChunkScheduler, SmallDifferencesKeepTheBaseline)
{
    // a sixteenth of 1600 bytes takes 75 B / 2 GB/s = 37.5 ns on the first dimension
    const auto first = [](int64_t latencyPs) {
        return GetOrders(ChunkScheduler("themis", RS, MakeLevels(latencyPs)), 1600, 1).front();
    };
    EXPECT_EQ(first(74'000),
              (std::vector<uint32_t>{0, 1})); // the least loaded is the second: 75 ns
    EXPECT_EQ(first(76'000), (std::vector<uint32_t>{1, 0}));
}

TEST(ChunkScheduler, OthersHaveNoChoice)
{
    for (const auto type : {A2A, CollectiveType::Reduce, CollectiveType::Gather})
    {
        for (const auto& name : ChunkScheduler::GetNames())
        {
            EXPECT_EQ(GetOrders(ChunkScheduler(name, type, MakeLevels(1'000'000'000)), 900, 3),
                      (Orders(3, {0, 1})));
        }
    }
    const ChunkScheduler down("themis", CollectiveType::Scatter, MakeLevels());
    EXPECT_EQ(GetOrders(down, 900, 1), (Orders{{1, 0}}));
    EXPECT_EQ(GetOrders(ChunkScheduler("round-robin", RS, MakeLevels()), 900, 3),
              (Orders{{0, 1}, {1, 0}, {0, 1}}));
    const std::string error = ErrorOf([] { ChunkScheduler("temis", AR, {}); });
    EXPECT_NE(error.find("did you mean themis?"), std::string::npos) << error;
}

TEST(CollectivePlan, UnequalAllToAllIsCutEntryByEntry)
{
    const auto topology = MakeTopology("R(2)_SW(2)");
    CollectiveCall call{A2A, 23};
    call.matrix = std::make_shared<const std::vector<uint64_t>>(
        std::vector<uint64_t>{0, 7, 16, 0, 1, 0, 1, 1, 9, 9, 0, 5, 0, 0, 0, 0});
    const CollectivePlan plan(topology, WithChunks(3), AllRanks(topology), call);
    ASSERT_EQ(plan.GetNPhases(), 1);
    EXPECT_EQ(plan.GetPhase(0, 0).algorithm->GetName(), "direct");
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent;
    for (uint32_t chunk = 0; chunk < plan.GetNChunks(); ++chunk)
    {
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            const auto schedule = plan.GetSchedule(rank, chunk, 0);
            for (const auto& send : schedule.GetSends())
            {
                sent[{rank, plan.GetPeers(rank, chunk, 0)[send.peer]}] += send.bytes;
            }
        }
    }
    for (uint32_t i = 0; i < 16; ++i)
    {
        const bool isOwn = i / 4 == i % 4;
        EXPECT_EQ((sent[{i / 4, i % 4}]), isOwn ? 0 : (*call.matrix)[i]) << i;
    }
    CollectiveOptions ring;
    ring.algorithms[A2A] = {"one-relay"};
    EXPECT_NE(ErrorOf([&] { CollectivePlan(topology, ring, AllRanks(topology), call); }), "");
}
