/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-cases.h"

#include "ns3/fair-server.h"
#include "ns3/memory-pool-pipeline.h"
#include "ns3/memory-pool-time.h"

#include <gtest/gtest.h>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Ends = std::vector<std::pair<int, int64_t>>; ///< items and their ends, ps

/// @param server with items @return all of them as they end
Ends
TakeAll(FairServer<int>& server)
{
    Ends ends;
    while (const auto end = server.GetNextEnd())
    {
        const int item = server.TakeNext();
        ends.emplace_back(item, end->GetPicoseconds());
    }
    return ends;
}

/// @param shape a pool @param seed of the numbers @return some accesses of all, of one GPU and of
/// blocks
std::vector<MemoryPoolAccess>
DrawAccesses(const MemoryPoolShape& shape, PoolDice& dice)
{
    std::vector<MemoryPoolAccess> accesses;
    for (uint32_t j = 0; j < 8; ++j)
    {
        const bool isStore = dice.Draw(0, 1) == 1;
        const uint32_t rank = dice.Draw(0, shape.nodes * shape.gpusPerNode - 1);
        auto access = j % 2 == 0 ? MemoryPoolAccess::OfRank(shape, isStore, 0, rank)
                                 : dice.DrawAccess(shape, isStore, j / 2, true);
        access.uniqueBytes = dice.Draw(0, 5) * access.GetRoundBytes(shape);
        accesses.push_back(access);
    }
    return accesses;
}

} // namespace

TEST(FairServerTest, FlowsShareByWeight)
{
    FairServer<int> server;
    EXPECT_TRUE(server.Add(7, 1, 1, FineTime(100), FineTime(0)));
    EXPECT_FALSE(server.Add(7, 1, 2, FineTime(10), FineTime(0))) << "behind the first";
    EXPECT_TRUE(server.Add(8, 3, 3, FineTime(300), FineTime(0)));
    EXPECT_EQ(TakeAll(server), (Ends{{1, 400}, {3, 400}, {2, 410}}));
    EXPECT_FALSE(server.GetNextEnd());
}

TEST(FairServerTest, LaterOnesTakeTheirPartFromThenOn)
{
    FairServer<int> server;
    server.Add(0, 2, 1, FineTime(100), FineTime(1000));
    server.Add(1, 2, 2, FineTime(20), FineTime(1050));
    EXPECT_EQ(TakeAll(server), (Ends{{2, 1090}, {1, 1120}}));
    server.Add(0, 2, 3, FineTime(5), FineTime(2000));
    EXPECT_EQ(TakeAll(server), (Ends{{3, 2005}})) << "idle between";
}

TEST(FairServerTest, NeverRestsAndNeverLosesWork)
{
    PoolDice dice(41);
    for (uint32_t i = 0; i < 300; ++i)
    {
        FairServer<int> server;
        int64_t work = 0;
        int64_t now = dice.Draw(0, 1000);
        const int64_t begin = now;
        for (int item = 0; item < 30; ++item)
        {
            const int64_t time = dice.Draw(1, 1000);
            const uint64_t flow = dice.Draw(0, 4);
            server.Add(flow, flow * flow + 1, item, FineTime(time), FineTime(now));
            work += time;
            now = std::min<int64_t>(begin + work - 1, now + dice.Draw(0, 100));
            while (server.GetNextEnd() && !(FineTime(now) < *server.GetNextEnd()))
            {
                server.TakeNext();
            }
        }
        ASSERT_EQ(TakeAll(server).back().second, begin + work) << "case " << i;
    }
}

TEST(MemoryPoolFairTest, AloneItIsTheClosedForm)
{
    PoolDice dice(42);
    for (uint32_t i = 0; i < 400; ++i)
    {
        auto shape = dice.DrawShape(i % 2 == 0);
        shape.sharing = PoolSharing::Fair;
        const auto access = dice.DrawAccess(shape, i % 4 < 2, i / 4 % 4, i % 2 == 0);
        const auto time = ComputeMemoryPoolTime(shape, access);
        MemoryPoolPipeline pipeline(shape, PoolDetail::OneGpu);
        pipeline.Start(access, 0);
        ASSERT_EQ(pipeline.Finish().at(0).endPs, time.wholeBytesPs) << "pool " << i;
        ASSERT_FALSE(pipeline.GetNextEvent());
    }
}

TEST(MemoryPoolFairTest, RepresentativesChangeNothing)
{
    PoolDice dice(43);
    for (uint32_t i = 0; i < 100; ++i)
    {
        auto shape = dice.DrawShape(true);
        shape.sharing = PoolSharing::Fair;
        shape.chunkBytes *= shape.nodes * shape.gpusPerNode;
        MemoryPoolPipeline all(shape, PoolDetail::EveryLink);
        MemoryPoolPipeline folded(shape, PoolDetail::OneGpu);
        const auto first = dice.DrawAccess(shape, false, i % 4, true);
        all.Start(first, 0);
        folded.Start(first, 0);
        const int64_t now = dice.Draw(0, 500 * NS);
        auto ended = folded.Advance(now);
        for (const auto& access : DrawAccesses(shape, dice))
        {
            const int64_t start = now + dice.Draw(0, 1000 * NS);
            all.Start(access, start);
            folded.Start(access, start);
        }
        const auto later = folded.Finish();
        ended.insert(ended.end(), later.begin(), later.end());
        const auto expected = all.Finish();
        ASSERT_EQ(ended.size(), 9);
        ASSERT_EQ(expected.size(), 9);
        std::vector<int64_t> ends(9);
        for (const auto& completion : expected)
        {
            ends[completion.access] = completion.endPs;
        }
        for (const auto& completion : ended)
        {
            ASSERT_EQ(completion.endPs, ends[completion.access]) << "pool " << i;
        }
    }
}

// A gather's share of a round on a GPU link is that of 256 plain loads. In turn, what comes later
// waits until all of it is through; fairly, it gets half of the link.
TEST(MemoryPoolFairTest, AGatherLeavesHalfOfTheLinkToOthers)
{
    auto shape = MakeLargePool(500, 512, 256 * KIB);
    const auto gather = MakeAccess(shape, false, 512'000'000, 16, 16);
    MemoryPoolAccess exchange = MakeAccess(shape, false, 256 * 25'600'000ULL, 16, 16);
    exchange.isExchange = true;
    const int64_t alonePs = ComputeMemoryPoolTime(shape, exchange).totalPs;
    EXPECT_NEAR(alonePs, 50'000 * NS, 4'000 * NS);
    for (const auto sharing : {PoolSharing::FirstCome, PoolSharing::Fair})
    {
        shape.sharing = sharing;
        MemoryPoolPipeline pipeline(shape, PoolDetail::OneGpu);
        pipeline.Start(gather, 0);
        pipeline.Start(exchange, 300'000 * NS);
        std::vector<int64_t> ends(2);
        for (const auto& completion : pipeline.Finish())
        {
            ends[completion.access] = completion.endPs;
        }
        if (sharing == PoolSharing::Fair)
        {
            EXPECT_NEAR(ends[1], 300'000 * NS + alonePs + 50'000 * NS, 1'000 * NS);
            EXPECT_GT(ends[0], 1'050'000 * NS) << "it gives way";
        }
        else
        {
            EXPECT_GT(ends[1], 1'000'000 * NS) << "it waits for the gather";
        }
    }
}
