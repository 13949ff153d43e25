/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "memory-pool-cases.h"

#include "ns3/memory-pool-pipeline.h"
#include "ns3/memory-pool-rounds.h"
#include "ns3/memory-pool-time.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// @param shape a pool @param access an access to it @param detail how much is simulated
/// @return when the access ends if it starts at 0, ps
int64_t
Simulate(const MemoryPoolShape& shape, const MemoryPoolAccess& access, PoolDetail detail)
{
    MemoryPoolPipeline pipeline(shape, detail);
    pipeline.Start(access, 0);
    const auto ended = pipeline.Finish();
    EXPECT_EQ(ended.size(), 1);
    return ended[0].endPs;
}

/// @param shape a pool @param time closed form @return what parts of bytes can amount to: one byte
/// over the slowest link for each step of a path, and the rounding, ps
int64_t
GetByteTolerance(const MemoryPoolShape& shape, const MemoryPoolTime& time)
{
    const uint64_t slowest = std::min(
        {shape.memoryBitRate, shape.groupLinkBitRate, shape.nodeLinkBitRate, shape.gpuLinkBitRate});
    return (time.rounds + 3) * 8'000'000'000'000 / slowest + 1;
}

/// What the servers of each kind carried, by row and column.
using Carried = std::map<PoolHopKind, std::map<std::pair<uint32_t, uint32_t>, uint64_t>>;

/// @param pipeline has run @param isStore direction of links @return what they carried
Carried
GetCarried(const MemoryPoolPipeline& pipeline, bool isStore)
{
    Carried carried;
    for (const auto& usage : pipeline.GetUsage())
    {
        if (usage.isStore == isStore || usage.kind == PoolHopKind::Memory)
        {
            carried[usage.kind][{usage.row, usage.column}] = usage.bytes;
        }
    }
    return carried;
}

/// @param links of a layer @param byRow whether to add up rows; else columns @param index of the
/// row or column @return their bytes
uint64_t
Sum(const std::map<std::pair<uint32_t, uint32_t>, uint64_t>& links, bool byRow, uint32_t index)
{
    uint64_t sum = 0;
    for (const auto& [place, bytes] : links)
    {
        sum += (byRow ? place.first : place.second) == index ? bytes : 0;
    }
    return sum;
}

/// @param shape a pool @param access of all its GPUs @param carried by it; every vertex must have
/// passed on what came in, times its copies
void
ExpectConservation(const MemoryPoolShape& shape,
                   const MemoryPoolAccess& access,
                   const Carried& carried)
{
    const auto& groupLinks = carried.at(PoolHopKind::GroupLink);
    const auto& nodeLinks = carried.at(PoolHopKind::NodeLink);
    const auto& gpuLinks = carried.at(PoolHopKind::GpuLink);
    uint64_t total = 0;
    for (uint32_t group = 0; group < shape.groups; ++group)
    {
        const uint64_t bytes = carried.at(PoolHopKind::Memory).at({group, 0});
        ASSERT_EQ(bytes, Sum(groupLinks, true, group));
        total += bytes;
    }
    ASSERT_EQ(total, access.uniqueBytes);
    for (uint32_t outSwitch = 0; outSwitch < shape.outSwitches; ++outSwitch)
    {
        ASSERT_EQ(access.nodeCopies * Sum(groupLinks, false, outSwitch),
                  Sum(nodeLinks, true, outSwitch));
    }
    const uint64_t blocks = access.GetNodeBlocks() * access.GetGpuBlocks();
    for (uint32_t node = 0; node < shape.nodes; ++node)
    {
        ASSERT_EQ(access.gpuCopies * Sum(nodeLinks, false, node), Sum(gpuLinks, true, node));
        for (uint32_t gpu = 0; gpu < shape.gpusPerNode; ++gpu)
        {
            const uint64_t bytes = gpuLinks.at({node, gpu});
            ASSERT_GE(bytes, access.uniqueBytes / blocks);
            ASSERT_LE(bytes, (access.uniqueBytes + blocks - 1) / blocks);
        }
    }
}

TEST(MemoryPoolPipelineTest, EvenAccessesTakeTheTimeOfTheClosedForm)
{
    PoolDice dice(11);
    for (uint32_t i = 0; i < 400; ++i)
    {
        auto shape = dice.DrawShape(true);
        shape.rounds = i % 2 == 0 ? PoolRoundPolicy::Balanced : PoolRoundPolicy::ShortLast;
        for (const bool isStore : {false, true})
        {
            for (uint32_t pattern = 0; pattern < 4; ++pattern)
            {
                const auto access = dice.DrawAccess(shape, isStore, pattern, true);
                const auto time = ComputeMemoryPoolTime(shape, access);
                ASSERT_EQ(time.totalPs, time.wholeBytesPs);
                for (const auto detail :
                     {PoolDetail::EveryLink, PoolDetail::EveryGpu, PoolDetail::OneGpu})
                {
                    ASSERT_EQ(Simulate(shape, access, detail), time.totalPs) << "pool " << i;
                }
            }
        }
    }
}

TEST(MemoryPoolPipelineTest, UnevenAccessesStayWithinOneByteOfEachStep)
{
    PoolDice dice(12);
    for (uint32_t i = 0; i < 400; ++i)
    {
        auto shape = dice.DrawShape(false);
        for (uint32_t variant = 0; variant < 16; ++variant)
        {
            shape.rounds = variant & 1 ? PoolRoundPolicy::ShortLast : PoolRoundPolicy::Balanced;
            const auto access = dice.DrawAccess(shape, variant & 2, variant / 4, false);
            const auto time = ComputeMemoryPoolTime(shape, access);
            MemoryPoolPipeline pipeline(shape, PoolDetail::EveryLink);
            pipeline.Start(access, 0);
            const int64_t end = pipeline.Finish().at(0).endPs;
            ASSERT_LE(end, time.wholeBytesPs) << "pool " << i;
            ASSERT_NEAR(end, time.totalPs, GetByteTolerance(shape, time)) << "pool " << i;
            ASSERT_LE(time.wholeBytesPs - time.totalPs, GetByteTolerance(shape, time));
            ASSERT_EQ(Simulate(shape, access, PoolDetail::OneGpu), time.wholeBytesPs);
            const int64_t everyGpu = Simulate(shape, access, PoolDetail::EveryGpu);
            ASSERT_GE(everyGpu, end);
            ASSERT_LE(everyGpu, time.wholeBytesPs);
            ASSERT_NO_FATAL_FAILURE(
                ExpectConservation(shape, access, GetCarried(pipeline, access.isStore)));
        }
    }
}

TEST(MemoryPoolPipelineTest, SharesOfEachRoundDifferByOneByteAtMost)
{
    PoolDice dice(13);
    for (uint32_t i = 0; i < 400; ++i)
    {
        auto shape = dice.DrawShape(false);
        const auto access = dice.DrawAccess(shape, false, i % 4, false);
        const MemoryPoolRounds rounds(access.uniqueBytes, shape.GetRoundBytes(), shape.rounds);
        const MemoryPoolLayout layout(shape, access);
        const MemoryPoolServers servers(shape, PoolDetail::EveryLink);
        for (const auto& stage : MakeMemoryPoolStages(shape, servers, access))
        {
            for (uint64_t k = 0; k < rounds.GetCount(); ++k)
            {
                const uint64_t bytes = rounds.GetBytes(k);
                uint64_t sum = 0;
                for (const auto& unit : stage.units)
                {
                    const uint64_t share =
                        stage.GetShare(layout, {rounds.GetOffset(k), bytes}, unit);
                    ASSERT_GE(share, bytes / stage.hop.denominator);
                    ASSERT_LE(share, stage.hop.GetLargestShare(bytes));
                    sum += share;
                }
                ASSERT_EQ(sum, bytes * stage.hop.GetCopies());
            }
        }
    }
}

TEST(MemoryPoolPipelineTest, PartsOfAPoolTakeTheTimeOfTheClosedForm)
{
    PoolDice dice(14);
    for (uint32_t i = 0; i < 400; ++i)
    {
        auto shape = dice.DrawShape(true);
        shape.chunkBytes *= shape.nodes * shape.gpusPerNode;
        auto access = dice.DrawAccess(shape, i % 2 == 1, i % 4, true);
        access.firstNode = dice.Draw(0, shape.nodes - 1);
        access.firstGpu = dice.Draw(0, shape.gpusPerNode - 1);
        access.nNodes = dice.Draw(1, shape.nodes - access.firstNode);
        access.nGpus = dice.Draw(1, shape.gpusPerNode - access.firstGpu);
        access.nodeCopies = access.nodeCopies > 1 ? access.nNodes : 1;
        access.gpuCopies = access.gpuCopies > 1 ? access.nGpus : 1;
        access.uniqueBytes = dice.Draw(1, 9) * access.GetRoundBytes(shape);
        const int64_t expected = ComputeMemoryPoolTime(shape, access).totalPs;
        ASSERT_EQ(Simulate(shape, access, PoolDetail::EveryLink), expected) << "pool " << i;
        ASSERT_EQ(Simulate(shape, access, PoolDetail::EveryGpu), expected) << "pool " << i;
    }
}

TEST(MemoryPoolPipelineTest, AddersAndBackplanesAreStages)
{
    PoolDice dice(15);
    for (uint32_t i = 0; i < 200; ++i)
    {
        auto shape = dice.DrawShape(true);
        for (uint64_t* rate : {&shape.outAdderBitRate,
                               &shape.inAdderBitRate,
                               &shape.outBackplaneBitRate,
                               &shape.inBackplaneBitRate})
        {
            *rate = dice.Draw(0, 1) * dice.Draw(GBYTES_PER_S, 100 * GBYTES_PER_S);
        }
        const auto access = dice.DrawAccess(shape, i % 2 == 1, i / 2 % 4, true);
        const int64_t expected = ComputeMemoryPoolTime(shape, access).totalPs;
        ASSERT_EQ(Simulate(shape, access, PoolDetail::EveryLink), expected) << "pool " << i;
        ASSERT_EQ(Simulate(shape, access, PoolDetail::OneGpu), expected) << "pool " << i;
    }
}

TEST(MemoryPoolPipelineTest, RepresentativesChangeNothingForAccessesThatMeet)
{
    PoolDice dice(16);
    for (uint32_t i = 0; i < 100; ++i)
    {
        auto shape = dice.DrawShape(true);
        shape.chunkBytes *= shape.nodes * shape.gpusPerNode;
        MemoryPoolPipeline all(shape, PoolDetail::EveryLink);
        MemoryPoolPipeline folded(shape, PoolDetail::EveryGpu);
        for (uint32_t j = 0; j < 8; ++j)
        {
            const bool isStore = dice.Draw(0, 1) == 1;
            const uint32_t rank = dice.Draw(0, shape.nodes * shape.gpusPerNode - 1);
            auto access = j % 2 == 0 ? MemoryPoolAccess::OfRank(shape, isStore, 0, rank)
                                     : dice.DrawAccess(shape, isStore, j / 2, true);
            access.uniqueBytes = dice.Draw(0, 5) * access.GetRoundBytes(shape);
            const int64_t start = dice.Draw(0, 1000 * NS);
            all.Start(access, start);
            folded.Start(access, start);
        }
        const auto expected = all.Finish();
        const auto ended = folded.Finish();
        ASSERT_EQ(expected.size(), 8);
        ASSERT_EQ(ended.size(), 8);
        for (uint32_t j = 0; j < 8; ++j)
        {
            ASSERT_EQ(ended[j].access, expected[j].access) << "pool " << i;
            ASSERT_EQ(ended[j].endPs, expected[j].endPs) << "pool " << i;
        }
    }
}

TEST(MemoryPoolPipelineTest, AccessesOfSomeGpusMayMeetThoseOfAll)
{
    PoolDice dice(18);
    for (uint32_t i = 0; i < 100; ++i)
    {
        auto shape = dice.DrawShape(true);
        shape.chunkBytes *= shape.nodes * shape.gpusPerNode;
        MemoryPoolPipeline expected(shape, PoolDetail::EveryLink);
        MemoryPoolPipeline unfolding(shape, PoolDetail::OneGpu);
        const auto start = [&](const MemoryPoolAccess& access, int64_t startPs) {
            expected.Start(access, startPs);
            unfolding.Start(access, startPs);
        };
        for (uint32_t j = 0; j < 4; ++j)
        {
            const auto access = dice.DrawAccess(shape, j % 2 == 1, j, true);
            start(access, dice.Draw(0, 1000 * NS));
        }
        const int64_t now = dice.Draw(0, 2000 * NS);
        auto ended = unfolding.Advance(now);
        for (uint32_t j = 0; j < 3; ++j)
        {
            const uint32_t rank = dice.Draw(0, shape.nodes * shape.gpusPerNode - 1);
            auto access = MemoryPoolAccess::OfRank(shape, j == 1, 0, rank);
            access.uniqueBytes = dice.Draw(0, 5) * access.GetRoundBytes(shape);
            start(access, now + j);
        }
        const auto later = unfolding.Finish();
        ended.insert(ended.end(), later.begin(), later.end());
        const auto all = expected.Finish();
        ASSERT_EQ(all.size(), 7);
        ASSERT_EQ(ended.size(), 7);
        for (uint32_t j = 0; j < 7; ++j)
        {
            ASSERT_EQ(ended[j].access, all[j].access) << "pool " << i;
            ASSERT_EQ(ended[j].endPs, all[j].endPs) << "pool " << i;
        }
    }
}

TEST(MemoryPoolPipelineTest, AccessesOfAllRanksTakeNoLongerThanOneOfAll)
{
    PoolDice dice(17);
    for (uint32_t i = 0; i < 100; ++i)
    {
        auto shape = dice.DrawShape(true);
        shape.chunkBytes *= shape.nodes * shape.gpusPerNode;
        const uint32_t ranks = shape.nodes * shape.gpusPerNode;
        const auto access = dice.DrawAccess(shape, i % 2 == 1, 0, true);
        const auto time = ComputeMemoryPoolTime(shape, access);
        MemoryPoolPipeline pipeline(shape, PoolDetail::EveryGpu);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            pipeline.Start(
                MemoryPoolAccess::OfRank(shape, access.isStore, access.uniqueBytes / ranks, rank),
                0);
        }
        const int64_t end = pipeline.Finish().back().endPs;
        ASSERT_GE(end, time.latencyPs + time.bandwidthPs) << "no server above its rate";
        ASSERT_LE(end, time.totalPs) << "pool " << i;
    }
}

/// @return a pool of one group, one switch and one node of two GPUs; 1 B takes 1 ns in memory and
/// nothing elsewhere
MemoryPoolShape
MakeMemoryBoundPool()
{
    MemoryPoolShape shape;
    shape.gpusPerNode = 2;
    shape.memoryBitRate = GBYTES_PER_S;
    shape.groupLinkBitRate = shape.nodeLinkBitRate = shape.gpuLinkBitRate = UINT64_MAX;
    shape.chunkBytes = 200;
    return shape;
}

TEST(MemoryPoolPipelineTest, AccessesTakeTurnsAtMemory)
{
    const auto shape = MakeMemoryBoundPool();
    MemoryPoolPipeline pipeline(shape, PoolDetail::EveryLink);
    pipeline.Start(MemoryPoolAccess::OfRank(shape, false, 500, 0), 0);
    pipeline.Start(MemoryPoolAccess::OfRank(shape, false, 200, 1), 150 * NS);
    // rounds of 100 B: 0, 0 (to 200 ns), 1, 0, 1, 0, 0
    const auto ended = pipeline.Finish();
    ASSERT_EQ(ended.size(), 2);
    EXPECT_EQ(ended[0].access, 1);
    EXPECT_EQ(ended[0].endPs, 500 * NS + 1) << "and the links";
    EXPECT_EQ(ended[1].access, 0);
    EXPECT_EQ(ended[1].endPs, 700 * NS + 1);
}

TEST(MemoryPoolPipelineTest, DirectionsShareMemoryAndNoLink)
{
    auto shape = MakeMemoryBoundPool();
    const auto simulate = [&shape](bool isStore) {
        MemoryPoolPipeline pipeline(shape, PoolDetail::EveryGpu);
        pipeline.Start(MemoryPoolAccess::OfRank(shape, false, 400, 0), 0);
        pipeline.Start(MemoryPoolAccess::OfRank(shape, isStore, 400, 0), 0);
        return pipeline.Finish().back().endPs;
    };
    EXPECT_EQ(simulate(false), 800 * NS + 1);
    EXPECT_EQ(simulate(true), 800 * NS + 1);
    std::swap(shape.memoryBitRate, shape.gpuLinkBitRate);
    EXPECT_EQ(simulate(false), 800 * NS + 1);
    EXPECT_EQ(simulate(true), 400 * NS + 1);
}

TEST(MemoryPoolPipelineTest, EndsAreToldWhenTheyCome)
{
    const auto shape = MakeSmallPool();
    MemoryPoolPipeline pipeline(shape, PoolDetail::OneGpu);
    EXPECT_FALSE(pipeline.GetNextEvent());
    pipeline.Start(MemoryPoolAccess::OfAll(shape, false, 4'000), 7);
    EXPECT_EQ(*pipeline.GetNextEvent(), 7);
    pipeline.Start(MemoryPoolAccess::OfAll(shape, true, 0), 9);
    std::vector<MemoryPoolPipeline::Completion> ended;
    while (const auto next = pipeline.GetNextEvent())
    {
        for (const auto& completion : pipeline.Advance(*next))
        {
            EXPECT_EQ(completion.endPs, *next);
            ended.push_back(completion);
        }
    }
    ASSERT_EQ(ended.size(), 2);
    EXPECT_EQ(ended[0].access, 1);
    EXPECT_EQ(ended[0].endPs, 9) << "nothing to do";
    EXPECT_EQ(ended[1].access, 0);
    EXPECT_EQ(ended[1].endPs, 1'412'500 + 7);
}

TEST(MemoryPoolPipelineTest, LargePoolWithRepresentatives)
{
    const auto shape = MakeLargePool(100, 256, 256 * KIB);
    const auto all = MemoryPoolAccess::OfAll(shape, false, 256 * MIB);
    EXPECT_EQ(Simulate(shape, all, PoolDetail::OneGpu), 2'688'566'400);
    EXPECT_EQ(Simulate(shape, all, PoolDetail::EveryGpu), 2'688'566'400);
    MemoryPoolPipeline pipeline(shape, PoolDetail::EveryGpu);
    for (uint32_t rank = 0; rank < 256; ++rank)
    {
        pipeline.Start(MemoryPoolAccess::OfRank(shape, false, 256 * MIB, rank), rank * NS);
    }
    const int64_t end = pipeline.Finish().back().endPs;
    EXPECT_GE(end, 2'000 * NS + 2'684'354'560);
    EXPECT_LE(end, 2'688'566'400 + 256 * NS);
}

TEST(MemoryPoolPipelineTest, Refusals)
{
    auto shape = MakeSmallPool();
    MemoryPoolPipeline folded(shape, PoolDetail::OneGpu);
    EXPECT_NE(ErrorOf([&] {
                  folded.Start({false, 1, 0, 3, 0, 1, 1, 1}, 0);
              }).find("3 nodes from 0 on; the pool has 2"),
              std::string::npos);
    EXPECT_FALSE(folded.GetNextEvent()) << "nothing refused has started";
    shape.gpuLinkBitRate = 1;
    shape.chunkBytes = 1'000'000'000;
    EXPECT_NE(ErrorOf([&] {
                  Simulate(shape,
                           MemoryPoolAccess::OfAll(shape, false, 1'000'000'000),
                           PoolDetail::EveryGpu);
              }).find("ends later than time can be counted"),
              std::string::npos);
}

} // namespace
