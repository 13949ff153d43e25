/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "algorithm-cases.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

constexpr auto RING = BuildingBlock::Ring;
constexpr auto FULL = BuildingBlock::FullyConnected;
constexpr auto SWITCH = BuildingBlock::Switch;
constexpr int64_t HUB = 2 * LATENCY; ///< latency from member to member at a Switch

/// @return floor(log2(n))
uint32_t
FloorLog(uint32_t n)
{
    uint32_t log = 0;
    for (; n > 1; n /= 2)
    {
        ++log;
    }
    return log;
}

/// @return ceil(log2(n))
uint32_t
CeilLog(uint32_t n)
{
    return n > 1 ? FloorLog(n - 1) + 1 : 0;
}

} // namespace

TEST(RootedAlgorithm, RingPipelinesABroadcast)
{
    for (const uint32_t n : {2U, 3U, 4U, 5U, 8U, 12U, 17U, 64U})
    {
        const uint64_t bytes = n * (uint64_t{1} << 21);
        const int64_t both = n == 2 ? Busy(bytes / 16) : Busy(bytes / 32);
        const int64_t oneWay = Busy(bytes / 16);
        for (const auto type : {BROADCAST, REDUCE})
        {
            for (const uint32_t root : {0U, 1U, n / 2})
            {
                EXPECT_EQ(TimeOf("ring", type, RING, n, bytes, root),
                          (n - 1) * LATENCY + (n + 14) * both);
                EXPECT_EQ(TimeOf("ring-one-way", type, SWITCH, n, bytes, root),
                          (n - 1) * HUB + (n + 14) * oneWay);
            }
        }
    }
}

TEST(RootedAlgorithm, SegmentsFollowTheSize)
{
    for (const uint32_t n : {2U, 3U, 4U, 6U, 8U, 16U})
    {
        for (const auto& [bytes, nSegments] :
             std::vector<std::pair<uint64_t, uint32_t>>{{48, 1},
                                                        {96 * 1024, 1},
                                                        {192 * 1024, 3},
                                                        {960 * 1024, 15},
                                                        {1536 * 1024, 16},
                                                        {uint64_t{3} << 30, 16}})
        {
            EXPECT_EQ(TimeOf("ring-one-way", BROADCAST, SWITCH, n, bytes),
                      (n - 1) * HUB + (n + nSegments - 2) * Busy(bytes / nSegments))
                << n << " " << bytes;
        }
    }
}

TEST(RootedAlgorithm, RingMovesPiecesTheShorterWay)
{
    for (const uint32_t n : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 16U, 17U, 64U})
    {
        for (const uint64_t piece : {uint64_t{2}, uint64_t{20'000}, uint64_t{20'000'000}})
        {
            const uint64_t bytes = n * piece;
            const int64_t h = (n - 1) / 2;
            const int64_t opposite = Busy(piece / 2);
            const int64_t odd = h * (LATENCY + Busy(piece));
            const int64_t even = std::max((h + 1) * (LATENCY + opposite), opposite + odd);
            const int64_t both = n == 2 ? LATENCY + Busy(piece) : n % 2 == 0 ? even : odd;
            for (const auto type : {SCATTER, GATHER})
            {
                for (const uint32_t root : {0U, n - 1})
                {
                    EXPECT_EQ(TimeOf("ring", type, RING, n, bytes, root), both) << n;
                    EXPECT_EQ(TimeOf("ring-one-way", type, SWITCH, n, bytes, root),
                              (n - 1) * (HUB + Busy(piece)));
                }
            }
        }
    }
}

TEST(RootedAlgorithm, DirectServesEachMember)
{
    for (const uint32_t n : {2U, 3U, 7U, 16U, 64U})
    {
        const uint64_t bytes = n * 1'000'003ULL;
        for (const auto type : {BROADCAST, REDUCE, SCATTER, GATHER})
        {
            const bool isWhole = type == BROADCAST || type == REDUCE;
            const int64_t busy = Busy(isWhole ? bytes : bytes / n);
            EXPECT_EQ(TimeOf("direct", type, FULL, n, bytes, n / 2), LATENCY + busy);
            EXPECT_EQ(TimeOf("direct", type, SWITCH, n, bytes, n / 2), HUB + (n - 1) * busy);
        }
    }
}

TEST(RootedAlgorithm, BinomialTreeTakesItsClosedFormOnASwitch)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        const uint64_t bytes = n * 1'000'003ULL;
        const bool isPowerOfTwo = FloorLog(n) == CeilLog(n);
        int64_t pieces = CeilLog(n) * HUB;
        for (uint32_t left = n; left > 1; left -= left / 2)
        {
            pieces += Busy(left / 2 * 1'000'003ULL);
        }
        for (const uint32_t root : {0U, n / 3})
        {
            for (const auto type : {BROADCAST, REDUCE})
            {
                const int64_t time = TimeOf("binomial-tree", type, SWITCH, n, bytes, root);
                const int64_t most = CeilLog(n) * (HUB + Busy(bytes));
                EXPECT_LE(time, most);
                EXPECT_TRUE(time == most || !isPowerOfTwo) << n;
            }
            for (const auto type : {SCATTER, GATHER})
            {
                const int64_t time = TimeOf("binomial-tree", type, SWITCH, n, bytes, root);
                EXPECT_TRUE(time == pieces || !isPowerOfTwo) << n;
            }
        }
    }
}

TEST(RootedAlgorithm, DoubleBinaryTreeTakesItsClosedFormWherePairsHaveLinks)
{
    for (uint32_t n = 3; n <= 64; ++n)
    {
        const int64_t busy = Busy(uint64_t{n} << 16);
        const uint32_t depth = FloorLog(n - 1) + 1;
        const int64_t time = depth * LATENCY + (depth + 15) * busy;
        EXPECT_EQ(TimeOf("double-binary-tree", BROADCAST, FULL, n, uint64_t{n} << 21, n / 3), time);
        EXPECT_EQ(TimeOf("double-binary-tree", REDUCE, FULL, n, uint64_t{n} << 21, n / 3), time);
        EXPECT_LE(TimeOf("double-binary-tree", AR, FULL, n, uint64_t{n} << 21),
                  2 * FloorLog(n) * LATENCY + 2 * (FloorLog(n) + 15) * busy);
        EXPECT_EQ(TimeOf("double-binary-tree", AR, FULL, n, 0), 2 * FloorLog(n) * LATENCY);
    }
}

TEST(RootedAlgorithm, DoubleBinaryTreeIsNearItsFormulaOnASwitch)
{
    for (uint32_t n = 3; n <= 64; n += n / 8 + 1)
    {
        const uint64_t bytes = uint64_t{n} << 21;
        const int64_t busy = Busy(bytes / 32);
        for (const int64_t latency : {int64_t{0}, LATENCY, 100 * LATENCY})
        {
            const auto excess = [&](CollectiveType type, uint32_t depth, int64_t ways) {
                const CollectiveRequest request{type, n, SplitEvenly(bytes, n), 0};
                return TimeOf("double-binary-tree", SWITCH, request, latency) -
                       ways * (depth * 2 * latency + 2 * (depth + 15) * busy);
            };
            const uint32_t depth = FloorLog(n - 1) + 1;
            EXPECT_LE(std::abs(excess(BROADCAST, depth, 1)), 4 * busy) << n << " " << latency;
            EXPECT_LE(excess(REDUCE, depth, 1), 20 * busy) << n << " " << latency;
            EXPECT_LE(excess(AR, FloorLog(n), 2), 12 * busy) << n << " " << latency;
        }
    }
}

TEST(RootedAlgorithm, DoubleBinaryTreeSharesTheTraffic)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        const uint64_t bytes = uint64_t{n} << 21;
        for (const auto& [type, most] :
             std::vector<std::pair<CollectiveType, uint64_t>>{{BROADCAST, bytes},
                                                              {REDUCE, bytes},
                                                              {AR, 2 * bytes}})
        {
            uint64_t sum = 0;
            for (const auto& schedule : BuildAll(*CollectiveAlgorithm::Create("double-binary-tree"),
                                                 {type, n, SplitEvenly(bytes, n), n - 1}))
            {
                EXPECT_LE(SumBytes(schedule.GetSends()), most) << n;
                EXPECT_LE(SumBytes(schedule.GetReceives()), most) << n;
                EXPECT_LE(schedule.GetSends().size(), type == AR ? 2 * 32 * 2 : 32 * 2);
                sum += SumBytes(schedule.GetSends());
            }
            EXPECT_EQ(sum, most * (n - 1));
        }
    }
}

TEST(RootedAlgorithm, RecursiveDoublingTakesFewestSteps)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        const uint64_t bytes = 10'000'019;
        const bool isPowerOfTwo = FloorLog(n) == CeilLog(n);
        const int64_t most = (FloorLog(n) + (isPowerOfTwo ? 0 : 2)) * (HUB + Busy(bytes));
        const int64_t time = TimeOf("recursive-doubling", AR, SWITCH, n, bytes);
        EXPECT_LE(time, most) << n;
        EXPECT_TRUE(time == most || !isPowerOfTwo) << n;
    }
}

TEST(RootedAlgorithm, BarriersAreLatency)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        EXPECT_EQ(TimeOf("recursive-doubling", BARRIER, SWITCH, n, 0), CeilLog(n) * HUB);
        EXPECT_EQ(TimeOf("direct", BARRIER, SWITCH, n, 0), HUB);
        EXPECT_EQ(TimeOf("ring", BARRIER, RING, n, 0), n / 2 * LATENCY);
        EXPECT_EQ(TimeOf("ring-one-way", BARRIER, SWITCH, n, 0), (n - 1) * HUB);
    }
}

TEST(RootedAlgorithm, HalvingDoublingBringsEachByteOnce)
{
    const auto algorithm = CollectiveAlgorithm::Create("halving-doubling");
    for (uint32_t n = 2; n <= 64; ++n)
    {
        const uint64_t bytes = n * 1'000'003ULL;
        const uint32_t root = n / 3;
        const auto down = BuildAll(*algorithm, {BROADCAST, n, SplitEvenly(bytes, n), root});
        const auto up = BuildAll(*algorithm, {REDUCE, n, SplitEvenly(bytes, n), root});
        for (uint32_t member = 0; member < n; ++member)
        {
            EXPECT_EQ(SumBytes(down[member].GetReceives()), member == root ? 0 : bytes);
            EXPECT_LE(SumBytes(down[member].GetSends()), 2 * (bytes - bytes / n));
        }
        EXPECT_EQ(SumBytes(up[root].GetReceives()), 2 * (bytes - bytes / n));
        if (FloorLog(n) == CeilLog(n))
        {
            const int64_t once = TimeOf("halving-doubling", AG, SWITCH, n, bytes);
            EXPECT_LE(TimeOf("halving-doubling", BROADCAST, SWITCH, n, bytes, root), 2 * once);
            EXPECT_LE(TimeOf("halving-doubling", REDUCE, SWITCH, n, bytes, root), 2 * once);
        }
    }
}
