/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "link-simulator.h"
#include "schedule-oracle.h"

#include "ns3/collective-algorithm.h"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

std::vector<RankSchedule>
BuildAll(const CollectiveAlgorithm& algorithm, const CollectiveRequest& request)
{
    std::vector<RankSchedule> schedules;
    for (uint32_t position = 0; position < request.size; ++position)
    {
        schedules.push_back(algorithm.Build(request, position));
    }
    return schedules;
}

/// Time of an algorithm on one block, ps; RATE is that of a link.
int64_t
TimeOf(const std::string& name,
       CollectiveType type,
       BuildingBlock block,
       uint32_t n,
       uint64_t bytes)
{
    const LinkGraph graph(ClusterTopology({{block, n, RATE, LATENCY}}));
    LinkSimulator links(graph);
    ScheduleRunner runner(links);
    std::vector<uint32_t> peers(n);
    std::iota(peers.begin(), peers.end(), 0);
    const auto schedules =
        BuildAll(*CollectiveAlgorithm::Create(name), {type, n, SplitEvenly(bytes, n)});
    uint32_t nDone = 0;
    for (const uint32_t rank : peers)
    {
        runner.Start(0, rank, peers, schedules[rank], [&] { ++nDone; });
    }
    links.Run();
    EXPECT_EQ(nDone, n);
    EXPECT_EQ(runner.nMismatches, 0);
    EXPECT_EQ(runner.GetNLeftOver(), 0);
    return links.Now();
}

int64_t
Busy(uint64_t bytes)
{
    return SerialisationPicoseconds(bytes, RATE);
}

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

TEST(CollectiveAlgorithm, EveryMemberEndsWithWhatIsPromised)
{
    uint32_t nProven = 0;
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        EXPECT_EQ(algorithm->GetName(), name);
        for (uint32_t size = 1; size <= 64; ++size)
        {
            for (const auto type : TYPES)
            {
                if (!algorithm->WhyNot(type, size).empty())
                {
                    continue;
                }
                const uint64_t bytes[] = {size / 2, size + 1, 100'003, 0};
                const CollectiveRequest request{type, size, SplitEvenly(bytes[size % 4], size)};
                const auto schedules = BuildAll(*algorithm, request);
                EXPECT_EQ(ScheduleOracle(request, schedules, size).Run(), "")
                    << name << " " << ToString(type) << " " << size;
                ++nProven;
            }
        }
    }
    EXPECT_EQ(nProven, 64 * (4 + 3 + 1 + 4) + 7 * 3);
}

TEST(CollectiveAlgorithm, HoldsForAnyOrderOfEventsAndAnyPieces)
{
    std::mt19937 random(1);
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        for (uint32_t round = 0; round < 200; ++round)
        {
            const uint32_t size = random() % 8 + 1;
            const CollectiveType type = TYPES[round % 4];
            if (!algorithm->WhyNot(type, size).empty())
            {
                continue;
            }
            CollectiveRequest request{type, size, {}};
            for (uint32_t i = 0; i < size; ++i)
            {
                request.pieces.push_back(random() % 5);
            }
            const auto schedules = BuildAll(*algorithm, request);
            EXPECT_EQ(ScheduleOracle(request, schedules, round).Run(), "")
                << name << " " << ToString(type) << " " << size;
        }
    }
}

TEST(CollectiveAlgorithm, OracleSeesFaults)
{
    const CollectiveRequest request{RS, 3, SplitEvenly(10, 3)};
    const auto algorithm = CollectiveAlgorithm::Create("ring-one-way");
    auto schedules = BuildAll(*algorithm, request);
    schedules[1] = algorithm->Build(request, 0);
    EXPECT_NE(ScheduleOracle(request, schedules, 1).Run(), "");
    schedules[1] = RankSchedule();
    EXPECT_NE(ScheduleOracle(request, schedules, 1).Run(), "");
    schedules[1] = algorithm->Build({AG, 3, request.pieces}, 1);
    EXPECT_NE(ScheduleOracle(request, schedules, 1).Run(), "");
}

TEST(CollectiveAlgorithm, OneMemberHasNothingToDo)
{
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        for (const auto type : TYPES)
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
    const auto whyNot = [](const char* name, CollectiveType type, uint32_t size) {
        return CollectiveAlgorithm::Create(name)->WhyNot(type, size);
    };
    EXPECT_EQ(whyNot("halving-doubling", AR, 6), "it needs a power of two members, 6 is none");
    EXPECT_EQ(whyNot("halving-doubling", A2A, 8),
              "it can do all-reduce, reduce-scatter, all-gather only");
    EXPECT_EQ(whyNot("ring-one-way", A2A, 8),
              "it can do all-reduce, reduce-scatter, all-gather only");
    EXPECT_EQ(whyNot("relay", AG, 8), "it can do all-to-all only");
    EXPECT_NE(whyNot("direct", CollectiveType::Barrier, 8), "");
    EXPECT_NE(whyNot("ring", CollectiveType::Broadcast, 8), "");
    EXPECT_EQ(whyNot("halving-doubling", AR, 64), "");
    EXPECT_EQ(whyNot("ring", A2A, 7), "");
}

TEST(CollectiveAlgorithm, RefusesUnknownNames)
{
    const std::string text = ErrorOf([] { CollectiveAlgorithm::Create("rings"); });
    EXPECT_NE(text.find("did you mean \"ring\"?"), std::string::npos) << text;
    EXPECT_NE(text.find("ring, ring-one-way, relay, direct, halving-doubling"), std::string::npos);
    EXPECT_NE(ErrorOf([] { CollectiveAlgorithm::Create(""); }), "");
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

TEST(CollectiveAlgorithm, HalvingDoublingTakesItsClosedFormOnASwitch)
{
    for (uint32_t n = 2; n <= 64; n *= 2)
    {
        for (const uint64_t bytes : SIZES)
        {
            const auto pieces = SplitEvenly(bytes, n);
            int64_t time = 0;
            for (uint32_t half = n / 2; half > 0; half /= 2)
            {
                const auto largest =
                    std::accumulate(pieces.begin(), pieces.begin() + half, uint64_t{0});
                time += 2 * LATENCY + Busy(largest);
            }
            EXPECT_EQ(TimeOf("halving-doubling", RS, BuildingBlock::Switch, n, bytes), time);
            EXPECT_EQ(TimeOf("halving-doubling", AG, BuildingBlock::Switch, n, bytes), time);
            EXPECT_EQ(TimeOf("halving-doubling", AR, BuildingBlock::Switch, n, bytes), 2 * time);
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
