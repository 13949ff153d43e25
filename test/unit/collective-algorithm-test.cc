/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "algorithm-cases.h"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

uint64_t
Ceil(uint64_t a, uint64_t b)
{
    return a / b + (a % b > 0);
}

const uint64_t SIZES[] = {1,
                          63,
                          64,
                          65,
                          1000,
                          uint64_t{1} << 20,
                          (uint64_t{1} << 31) - 1,
                          uint64_t{1} << 31,
                          uint64_t{1} << 32,
                          10'000'000'000};

} // namespace

TEST(CollectiveAlgorithm, OneMemberHasNothingToDo)
{
    for (const auto& name : AllAlgorithms())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        for (const auto type : ALL_TYPES)
        {
            if (algorithm->WhyNot(type, 1).empty())
            {
                EXPECT_TRUE(algorithm->Build({type, 1, {100}}, 0).GetSteps().empty()) << name;
            }
        }
    }
}

TEST(CollectiveAlgorithm, SaysWhatItCannotDo)
{
    const auto whyNot = [](const char* name, CollectiveType type) {
        return CollectiveAlgorithm::Create(name)->WhyNot(type, 6);
    };
    EXPECT_EQ(whyNot("relay", AG), "it can do all-to-all only");
    EXPECT_EQ(whyNot("halving-doubling", A2A),
              "it can do all-reduce, reduce-scatter, all-gather, broadcast, reduce only");
    EXPECT_EQ(whyNot("ring-one-way", A2A),
              "it can do all-reduce, reduce-scatter, all-gather, broadcast, reduce, gather, "
              "scatter, barrier only");
    EXPECT_EQ(whyNot("direct-4", BARRIER),
              "it can do all-reduce, reduce-scatter, all-gather, all-to-all only");
    EXPECT_EQ(whyNot("recursive-doubling", RS), "it can do all-reduce, barrier only");
    EXPECT_EQ(whyNot("binomial-tree", AR), "it can do broadcast, reduce, gather, scatter only");
    EXPECT_EQ(whyNot("double-binary-tree", GATHER), "it can do all-reduce, broadcast, reduce only");
    EXPECT_EQ(whyNot("in-network", A2A),
              "it can do all-reduce, reduce-scatter, all-gather, broadcast, reduce, barrier only");
    EXPECT_EQ(whyNot("direct", CollectiveType::ReduceScatterBlock).substr(0, 9), "it can do");
    EXPECT_EQ(whyNot("halving-doubling", AR), "");
    EXPECT_EQ(whyNot("ring", A2A), "");
}

TEST(CollectiveAlgorithm, OnlyDirectTakesAMatrix)
{
    for (const auto& name : AllAlgorithms())
    {
        EXPECT_EQ(CollectiveAlgorithm::Create(name)->WhyNotMatrix(),
                  name.substr(0, 6) == "direct"
                      ? ""
                      : "it cannot do an all-to-all of unequal sizes, direct can");
    }
}

TEST(CollectiveAlgorithm, RefusesUnknownNames)
{
    const std::string text = ErrorOf([] { CollectiveAlgorithm::Create("rings"); });
    EXPECT_EQ(text,
              "\"rings\" is not a collective algorithm, did you mean \"ring\"?; allowed are "
              "ring, ring-one-way, relay, direct, halving-doubling, recursive-doubling, "
              "binomial-tree, double-binary-tree, in-network, direct-W (W sends at once)");
    for (const char* name : {"",
                             "direct-",
                             "direct-0",
                             "direct-x",
                             "direct-4x",
                             "direct--1",
                             "direct-4294967296",
                             "direct 4"})
    {
        EXPECT_NE(ErrorOf([&] { CollectiveAlgorithm::Create(name); }), "") << name;
    }
    EXPECT_EQ(CollectiveAlgorithm::Create("direct-4294967295")->GetName(), "direct-4294967295");
}

TEST(CollectiveAlgorithm, SplitsEvenly)
{
    for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{99}, ~uint64_t{0}})
    {
        for (const uint32_t parts : {1U, 2U, 7U, 64U})
        {
            const auto sizes = SplitEvenly(bytes, parts);
            uint64_t sum = 0;
            for (uint32_t i = 0; i < parts; ++i)
            {
                EXPECT_EQ(sizes[i], GetEvenPart(bytes, parts, i));
                EXPECT_LE(sizes[i], sizes[0]);
                EXPECT_LE(sizes[0] - sizes[i], 1);
                EXPECT_TRUE(i == 0 || sizes[i] <= sizes[i - 1]);
                sum += sizes[i];
            }
            EXPECT_EQ(sum, bytes);
        }
    }
}

TEST(CollectiveAlgorithm, RingTakesItsClosedFormOnARing)
{
    for (const uint32_t n : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 16U, 64U})
    {
        for (const uint64_t bytes : SIZES)
        {
            const uint64_t message = n == 2 ? Ceil(bytes, 2) : Ceil(Ceil(bytes, n), 2);
            const int64_t time = (n - 1) * (LATENCY + Busy(message));
            EXPECT_EQ(TimeOf("ring", AR, BuildingBlock::Ring, n, bytes), 2 * time) << n;
            EXPECT_EQ(TimeOf("ring", RS, BuildingBlock::Ring, n, bytes), time) << n;
            EXPECT_EQ(TimeOf("ring", AG, BuildingBlock::Ring, n, bytes), time) << n;
        }
    }
}

TEST(CollectiveAlgorithm, RingOneWayTakesItsClosedForm)
{
    for (const uint32_t n : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 16U, 64U})
    {
        for (const uint64_t bytes : SIZES)
        {
            const int64_t busy = Busy(Ceil(bytes, n));
            const int64_t direct = (n - 1) * (LATENCY + busy);
            const int64_t hub = (n - 1) * (2 * LATENCY + busy);
            EXPECT_EQ(TimeOf("ring-one-way", AR, BuildingBlock::FullyConnected, n, bytes),
                      2 * direct);
            EXPECT_EQ(TimeOf("ring-one-way", RS, BuildingBlock::FullyConnected, n, bytes), direct);
            EXPECT_EQ(TimeOf("ring-one-way", AR, BuildingBlock::Switch, n, bytes), 2 * hub);
            EXPECT_EQ(TimeOf("ring-one-way", AG, BuildingBlock::Switch, n, bytes), hub);
        }
    }
}

TEST(CollectiveAlgorithm, DirectTakesItsClosedForm)
{
    for (const uint32_t n : {2U, 3U, 4U, 5U, 6U, 7U, 8U, 16U, 64U})
    {
        for (const uint64_t bytes : SIZES)
        {
            const int64_t busy = Busy(Ceil(bytes, n));
            const int64_t links = LATENCY + busy;
            const int64_t hub = 2 * LATENCY + (n - 1) * busy;
            for (const auto type : {RS, AG, A2A})
            {
                EXPECT_EQ(TimeOf("direct", type, BuildingBlock::FullyConnected, n, bytes), links);
                EXPECT_EQ(TimeOf("direct", type, BuildingBlock::Switch, n, bytes), hub)
                    << ToString(type) << " " << n << " " << bytes;
            }
            EXPECT_EQ(TimeOf("direct", AR, BuildingBlock::FullyConnected, n, bytes), 2 * links);
            EXPECT_EQ(TimeOf("direct", AR, BuildingBlock::Switch, n, bytes), 2 * hub)
                << n << " " << bytes;
        }
    }
}

/// Bytes of the largest messages of a halving-doubling reduce-scatter, one after the other.
std::vector<uint64_t>
LargestMessages(const std::vector<uint64_t>& pieces)
{
    std::vector<uint64_t> largest;
    for (std::size_t left = pieces.size(); left > 1;)
    {
        const std::size_t count = left / 2;
        left -= count;
        largest.push_back(std::accumulate(pieces.begin(), pieces.begin() + count, uint64_t{0}));
    }
    return largest;
}

TEST(CollectiveAlgorithm, HalvingDoublingTakesItsClosedFormOnASwitch)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        std::vector<uint64_t> sizes(std::begin(SIZES), std::end(SIZES));
        sizes.push_back(n * 1'000'003ULL);
        for (const uint64_t bytes : sizes)
        {
            int64_t time = 0;
            for (const uint64_t largest : LargestMessages(SplitEvenly(bytes, n)))
            {
                time += 2 * LATENCY + Busy(largest);
            }
            const bool isDivisible = bytes % n == 0;
            const auto expect = [&](CollectiveType type, int64_t expected) {
                const int64_t is =
                    TimeOf("halving-doubling", type, BuildingBlock::Switch, n, bytes);
                EXPECT_LE(is, expected) << n << " " << bytes;
                EXPECT_TRUE(is == expected || !(isDivisible || (n & (n - 1)) == 0))
                    << n << " " << bytes;
            };
            expect(RS, time);
            expect(AG, time);
            expect(AR, 2 * time);
        }
    }
}

TEST(CollectiveAlgorithm, RelayFillsARing)
{
    for (uint32_t n = 4; n <= 64; n += 6)
    {
        const uint64_t piece = 2'000'000;
        int64_t time = 0;
        uint64_t bytes = 0;
        for (uint32_t step = 1; step <= n / 2; ++step)
        {
            const uint64_t message = (n / 2 - step) * piece + piece / 2;
            time += LATENCY + Busy(message);
            bytes += message;
        }
        EXPECT_EQ(TimeOf("relay", A2A, BuildingBlock::Ring, n, n * piece), time);
        EXPECT_EQ(bytes, n * (n * piece) / 8);
    }
    EXPECT_EQ(TimeOf("relay", A2A, BuildingBlock::Ring, 2, 1000), LATENCY + Busy(500));
    EXPECT_EQ(TimeOf("relay", A2A, BuildingBlock::Ring, 5, 5000),
              2 * LATENCY + Busy(2000) + Busy(1000));
}

TEST(CollectiveAlgorithm, DirectKeepsToItsWindow)
{
    for (const uint32_t n : {2U, 3U, 8U, 17U})
    {
        const uint64_t bytes = n * 1'000'003ULL;
        const int64_t busy = Busy(bytes / n);
        for (const uint32_t window : {1U, 2U, 3U, 7U, 16U, 99U})
        {
            const std::string name = "direct-" + std::to_string(window);
            const auto rounds = static_cast<int64_t>(Ceil(n - 1, window));
            for (const auto type : {RS, AG, A2A})
            {
                EXPECT_EQ(TimeOf(name, type, BuildingBlock::FullyConnected, n, bytes),
                          rounds * (LATENCY + busy));
            }
            EXPECT_EQ(TimeOf(name, AR, BuildingBlock::FullyConnected, n, bytes),
                      2 * rounds * (LATENCY + busy));
        }
        EXPECT_EQ(TimeOf("direct-1", AG, BuildingBlock::Switch, n, bytes),
                  (n - 1) * (2 * LATENCY + busy));
        EXPECT_EQ(TimeOf("direct-99", AG, BuildingBlock::Switch, n, bytes),
                  TimeOf("direct", AG, BuildingBlock::Switch, n, bytes));
    }
}

TEST(CollectiveAlgorithm, HalvingDoublingHasFewStepsAndFewBytes)
{
    const auto algorithm = CollectiveAlgorithm::Create("halving-doubling");
    for (uint32_t n = 2; n <= 64; ++n)
    {
        uint32_t log = 0;
        for (; n > uint32_t{1} << log; ++log)
        {
        }
        for (const auto& [type, ways] :
             std::vector<std::pair<CollectiveType, uint32_t>>{{RS, 1}, {AG, 1}, {AR, 2}})
        {
            const CollectiveRequest request{type, n, std::vector<uint64_t>(n, 1000)};
            for (const auto& schedule : BuildAll(*algorithm, request))
            {
                EXPECT_EQ(schedule.GetSteps().size(), ways * log);
                EXPECT_EQ(schedule.GetSends().size(), ways * log);
                EXPECT_EQ(SumBytes(schedule.GetSends()), ways * (n - 1) * 1000);
            }
        }
    }
}
