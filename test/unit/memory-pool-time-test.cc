/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "memory-pool-cases.h"

#include "ns3/memory-pool-rounds.h"
#include "ns3/memory-pool-time.h"

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <string>

using namespace ns3::mlcluster;

namespace
{

using Big = boost::multiprecision::cpp_int;

/**
 * The time of an access by dynamic programming over the grid of rounds and hops, from the table of
 * bytes per link alone.
 */
int64_t
ComputeByGrid(const MemoryPoolShape& shape, const MemoryPoolAccess& access)
{
    const uint64_t groups = shape.groups;
    const uint64_t switches = shape.outSwitches;
    const uint64_t nodes = access.nNodes;
    const uint64_t gpus = access.nGpus;
    const uint64_t copies = access.nodeCopies;

    struct Hop
    {
        uint64_t copies;
        uint64_t links;
        uint64_t bitRate;
    };

    std::array<Hop, 4> hops = {{
        {1, groups, shape.memoryBitRate},
        {1, groups * switches, shape.groupLinkBitRate},
        {copies, switches * nodes, shape.nodeLinkBitRate},
        {copies * access.gpuCopies, nodes * gpus, shape.gpuLinkBitRate},
    }};
    if (access.isStore)
    {
        std::reverse(hops.begin(), hops.end());
    }
    Big parts = 1;
    for (const Hop& hop : hops)
    {
        parts *= Big(hop.links) * hop.bitRate;
    }
    const uint64_t full = access.GetRoundBytes(shape);
    std::array<Big, 4> ends{};
    uint64_t left = access.uniqueBytes;
    for (uint64_t rounds = (left + full - 1) / full; rounds > 0; --rounds)
    {
        const uint64_t bytes = shape.rounds == PoolRoundPolicy::ShortLast
                                   ? std::min(left, full)
                                   : (left + rounds - 1) / rounds;
        left -= bytes;
        Big before = 0;
        for (std::size_t i = 0; i < hops.size(); ++i)
        {
            const Big bits = Big(bytes) * hops[i].copies * 8'000'000'000'000;
            before =
                std::max(before, ends[i]) + bits * (parts / (Big(hops[i].links) * hops[i].bitRate));
            ends[i] = before;
        }
    }
    const int64_t latency = shape.memoryLatencyPs + shape.groupLinkLatencyPs +
                            shape.nodeLinkLatencyPs + shape.gpuLinkLatencyPs;
    return access.uniqueBytes == 0 ? 0
                                   : latency + static_cast<int64_t>((ends[3] + parts - 1) / parts);
}

/// A published-by-hand value.
struct Vector
{
    uint32_t nodeCopies; ///< mN
    uint32_t gpuCopies;  ///< mG
    uint64_t bytes;      ///< U
    uint64_t rounds;     ///< K
    /// ps: load and store with a short last round, load and store balanced
    std::array<int64_t, 4> times;
};

TEST(MemoryPoolTimeTest, SmallPool)
{
    const Vector vectors[] = {
        {1, 1, 16'000, 8, {1'412'500, 1'412'500, 1'412'500, 1'412'500}},
        {1, 1, 15'000, 8, {1'337'500, 1'337'500, 1'333'594, 1'333'594}},
        {1, 1, 1'500, 1, {440'625, 440'625, 440'625, 440'625}},
        {1, 1, 2'001, 2, {537'550, 537'550, 406'363, 406'394}},
        {2, 2, 16'000, 8, {3'700'000, 3'700'000, 3'700'000, 3'700'000}},
        {2, 2, 15'000, 8, {3'500'000, 3'350'000, 3'478'125, 3'478'125}},
        {2, 2, 1'500, 1, {712'500, 712'500, 712'500, 712'500}},
        {1, 2, 16'000, 8, {2'037'500, 2'037'500, 2'037'500, 2'037'500}},
        {2, 1, 16'000, 8, {2'100'000, 2'100'000, 2'100'000, 2'100'000}},
        {1, 1, 0, 0, {0, 0, 0, 0}},
    };
    MemoryPoolShape shape = MakeSmallPool();
    for (const Vector& vector : vectors)
    {
        for (uint32_t i = 0; i < 4; ++i)
        {
            shape.rounds = i < 2 ? PoolRoundPolicy::ShortLast : PoolRoundPolicy::Balanced;
            const auto access =
                MakeAccess(shape, i % 2 == 1, vector.bytes, vector.nodeCopies, vector.gpuCopies);
            const auto time = ComputeMemoryPoolTime(shape, access);
            EXPECT_EQ(time.totalPs, vector.times[i]) << vector.bytes << " bytes, column " << i;
            EXPECT_EQ(time.rounds, vector.rounds);
            EXPECT_EQ(time.totalPs, ComputeByGrid(shape, access));
        }
    }
}

TEST(MemoryPoolTimeTest, LockStepAndOneOfEach)
{
    EXPECT_EQ(ComputeMemoryPoolTime(MakeSmallPool(), {false, 16'000, 0, 2, 0, 2, 1, 1}).lockStepPs,
              1'525'000);
    MemoryPoolShape shape;
    shape.memoryBitRate = shape.groupLinkBitRate = 10 * GBYTES_PER_S;
    shape.nodeLinkBitRate = shape.gpuLinkBitRate = 10 * GBYTES_PER_S;
    shape.chunkBytes = 1000;
    EXPECT_EQ(ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfRank(shape, false, 1000, 0)).totalPs,
              400'000);
    shape.chunkBytes = 100;
    EXPECT_EQ(ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfRank(shape, true, 1000, 0)).totalPs,
              130'000);
}

TEST(MemoryPoolTimeTest, LargePool)
{
    const auto load =
        [](uint64_t memory, uint64_t fabric, uint64_t chunk, uint64_t bytes, bool all) {
            const auto shape = MakeLargePool(memory, fabric, chunk);
            return ComputeMemoryPoolTime(
                       shape,
                       MemoryPoolAccess::OfAll(shape, false, bytes, all ? 16 : 1, all ? 16 : 1))
                .totalPs;
        };
    EXPECT_EQ(load(100, 256, 256 * KIB, 256 * MIB, false), 2'688'566'400);
    EXPECT_EQ(load(500, 512, 256 * KIB, 256 * MIB, false), 539'927'680);
    EXPECT_EQ(load(100, 256, 4 * KIB, GIB, true), 4'196'603'520);
    EXPECT_EQ(load(500, 512, 4 * KIB, GIB, true), 2'099'288'704);
}

TEST(MemoryPoolTimeTest, PartsAddUp)
{
    const auto shape = MakeSmallPool();
    const auto time = ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, false, 4'000));
    EXPECT_EQ(time.latencyPs, 150'000);
    EXPECT_EQ(time.bandwidthPs, 1'000'000);
    EXPECT_EQ(time.fillPs, 262'500) << "the sum of the other hops of a round: 100, 62.5, 100 ns";
    EXPECT_EQ(time.totalPs, time.latencyPs + time.bandwidthPs + time.fillPs);
    EXPECT_EQ(GetPoolHopName(time.hops[time.bottleneck].kind), "group link");
    const auto gather =
        ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, true, 16'000, 2, 2));
    EXPECT_EQ(GetPoolHopName(gather.hops[gather.bottleneck].kind), "GPU link");
    EXPECT_EQ(gather.bottleneck, 0) << "a store begins at the GPUs";
    const std::array<uint64_t, 4> bytes = {64'000, 32'000, 16'000, 16'000};
    const std::array<uint64_t, 4> linkBytes = {16'000, 8'000, 4'000, 8'000};
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        EXPECT_EQ(gather.hops[i].bytes, bytes[i]);
        EXPECT_EQ(gather.hops[i].linkBytes, linkBytes[i]);
    }
}

TEST(MemoryPoolTimeTest, GroupsOfNodesAndGpus)
{
    auto shape = MakeLargePool(100, 256, 256 * KIB);
    const auto access = MemoryPoolAccess::OfAll(shape, false, 64 * MIB, 4, 8);
    EXPECT_EQ(access.uniqueBytes, 64 * MIB * 256 / 32);
    EXPECT_EQ(ComputeMemoryPoolTime(shape, access).totalPs, ComputeByGrid(shape, access));
    EXPECT_EQ(MemoryPoolAccess::OfAll(shape, false, 64, 16, 16).uniqueBytes, 64);
    EXPECT_EQ(MemoryPoolAccess::OfAll(shape, false, 64, 1, 16).uniqueBytes, 64 * 16);
    EXPECT_EQ(MemoryPoolAccess::OfAll(shape, false, 64, 16, 1).uniqueBytes, 64 * 16);
    EXPECT_EQ(MemoryPoolAccess::OfAll(shape, false, 64).uniqueBytes, 64 * 256);
}

TEST(MemoryPoolTimeTest, OneRankHasItsPartOfTheRounds)
{
    const auto shape = MakeLargePool(100, 256, 256 * KIB);
    const auto one = ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfRank(shape, false, MIB, 37));
    EXPECT_EQ(one.rounds, 4);
    EXPECT_EQ(GetPoolHopName(one.hops[one.bottleneck].kind), "GPU link");
    EXPECT_EQ(one.bandwidthPs, 4'096'000);
}

TEST(MemoryPoolTimeTest, AdderAndBackplaneAreHops)
{
    auto shape = MakeSmallPool();
    const auto total = [&shape](bool isStore) {
        return ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, isStore, 16'000, 2, 2))
            .totalPs;
    };
    const int64_t plain = total(true);
    shape.inAdderBitRate = 10 * GBYTES_PER_S;
    EXPECT_EQ(total(true), plain + 400'000)
        << "mN mG / (N r) of 2000 bytes: as slow as the GPU link";
    EXPECT_EQ(total(false), plain) << "nothing to add";
    shape.outAdderBitRate = 10 * GBYTES_PER_S;
    EXPECT_EQ(total(true), plain + 600'000) << "and mN / (X r)";
    shape.inAdderBitRate = shape.outAdderBitRate = 0;
    shape.outBackplaneBitRate = shape.inBackplaneBitRate = 10 * GBYTES_PER_S;
    EXPECT_EQ(total(false), plain + 100'000 + 200'000);
    EXPECT_EQ(total(true), plain + 200'000 + 400'000);
}

TEST(MemoryPoolTimeTest, RandomPoolsAgreeWithGrid)
{
    PoolDice dice(5);
    for (uint32_t i = 0; i < 400; ++i)
    {
        auto shape = dice.DrawShape(false);
        for (uint32_t variant = 0; variant < 4; ++variant)
        {
            shape.rounds = variant < 2 ? PoolRoundPolicy::Balanced : PoolRoundPolicy::ShortLast;
            const auto access = dice.DrawAccess(shape, variant % 2 == 1, i % 4, false);
            const auto time = ComputeMemoryPoolTime(shape, access);
            ASSERT_EQ(time.totalPs, ComputeByGrid(shape, access)) << "pool " << i;
            ASSERT_LE(time.totalPs, time.wholeBytesPs);
            ASSERT_LE(time.totalPs, time.lockStepPs);
            ASSERT_GE(time.fillPs, 0);
        }
    }
}

TEST(MemoryPoolTimeTest, AwkwardRatesStayExact)
{
    auto shape = MakeSmallPool();
    shape.memoryBitRate = 79'999'999'999;
    shape.groupLinkBitRate = 31'999'999'981;
    shape.nodeLinkBitRate = 63'999'999'989;
    shape.gpuLinkBitRate = 39'999'999'979;
    const auto access = MakeAccess(shape, false, 987'654'321'987, 2, 1);
    EXPECT_EQ(ComputeMemoryPoolTime(shape, access).rounds, 493'827'161);
    const auto few = MakeAccess(shape, false, 2'000'001, 2, 1);
    EXPECT_EQ(ComputeMemoryPoolTime(shape, few).totalPs, ComputeByGrid(shape, few));
}

TEST(MemoryPoolTimeTest, Refusals)
{
    auto shape = MakeSmallPool();
    EXPECT_NE(ErrorOf([&] {
                  MemoryPoolAccess::OfAll(shape, false, UINT64_MAX);
              }).find("bytes of a memory access of all GPUs"),
              std::string::npos);
    EXPECT_NE(ErrorOf([&] {
                  MemoryPoolAccess::OfAll(shape, false, 1, 3, 1);
              }).find("2 nodes does not fall into blocks of 3"),
              std::string::npos);
    EXPECT_NE(ErrorOf([&] {
                  MemoryPoolAccess::OfRank(shape, false, 1, 4);
              }).find("1 nodes from 2 on; the pool has 2"),
              std::string::npos);
    shape.memoryBitRate = shape.groupLinkBitRate = 100'000'000'000'000'000;
    shape.nodeLinkBitRate = shape.gpuLinkBitRate = 100'000'000'000'000'000;
    const auto most = MakeAccess(shape, false, UINT64_MAX, 2, 2);
    EXPECT_NE(ErrorOf([&] {
                  ComputeMemoryPoolTime(shape, most);
              }).find("bytes of an access to the memory pool in hop node link"),
              std::string::npos);
    shape.memoryBitRate = 1;
    EXPECT_NE(ErrorOf([&] {
                  ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, false, GIB));
              }).find("an access to the memory pool ends later than time can be counted"),
              std::string::npos);
    shape = MakeSmallPool();
    shape.memoryLatencyPs = std::numeric_limits<int64_t>::max();
    EXPECT_NE(ErrorOf([&] {
                  ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, false, 1));
              }).find("the latency of the memory pool"),
              std::string::npos);
}

TEST(MemoryPoolRoundsTest, SizesAddUp)
{
    for (const auto policy : {PoolRoundPolicy::Balanced, PoolRoundPolicy::ShortLast})
    {
        for (uint64_t bytes = 0; bytes <= 100; ++bytes)
        {
            const MemoryPoolRounds rounds(bytes, 7, policy);
            ASSERT_EQ(rounds.GetCount(), (bytes + 6) / 7);
            uint64_t sum = 0;
            for (uint64_t k = 0; k < rounds.GetCount(); ++k)
            {
                ASSERT_EQ(rounds.GetOffset(k), sum);
                ASSERT_LE(rounds.GetBytes(k), 7);
                sum += rounds.GetBytes(k);
            }
            ASSERT_EQ(sum, bytes);
        }
    }
}

} // namespace
