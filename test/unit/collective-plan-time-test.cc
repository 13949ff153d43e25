/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "link-simulator.h"

#include "ns3/collective-plan.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

TEST(CollectivePlanTime, OneChunkTakesTheSumOfItsPhases)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(2)");
    const LinkGraph graph(topology);
    const uint64_t bytes = 24 * 1'000'000;
    const auto busy = [](uint64_t size) { return SerialisationPicoseconds(size, RATE); };
    const int64_t scatter = 3 * (LATENCY + busy(bytes / 8)) + LATENCY + busy(bytes / 12) +
                            2 * LATENCY + busy(bytes / 24);
    const int64_t exchange = 2 * LATENCY + busy(bytes / 8 * 3) + busy(bytes / 8) + LATENCY +
                             busy(bytes / 3) + 2 * LATENCY + busy(bytes / 2);
    const std::map<CollectiveType, int64_t> expected{{RS, scatter},
                                                     {AR, 2 * scatter},
                                                     {A2A, exchange}};
    for (const auto& [type, time] : expected)
    {
        const CollectivePlan plan(topology, WithChunks(1), AllRanks(topology), {type, bytes});
        LinkSimulator links(graph);
        PlanRunner runner(links, plan);
        runner.Run(std::vector<int64_t>(24));
        EXPECT_EQ(runner.GetNFinished(), 24);
        EXPECT_TRUE(runner.IsMatched());
        EXPECT_EQ(links.Now(), time) << ToString(type);
    }
}

TEST(CollectivePlanTime, ChunksOnOneDimensionFollowEachOther)
{
    for (const std::string notation : {"R(8)", "FC(8)", "SW(8)"})
    {
        const auto topology = MakeTopology(notation);
        const LinkGraph graph(topology);
        for (const auto type : TYPES)
        {
            std::vector<int64_t> times;
            for (const uint32_t chunks : {1, 5})
            {
                const CollectivePlan plan(topology,
                                          WithChunks(chunks),
                                          AllRanks(topology),
                                          {type, chunks * 800'000});
                LinkSimulator links(graph);
                PlanRunner runner(links, plan);
                runner.Run(std::vector<int64_t>(8));
                times.push_back(links.Now());
            }
            EXPECT_EQ(times[1], 5 * times[0]) << notation << " " << ToString(type);
        }
    }
}

TEST(CollectivePlanTime, RanksThatStartApartDoNotDeadlock)
{
    std::mt19937 random(7);
    for (const std::string notation : {"R(2)_R(2)_R(2)", "R(3)_SW(2)_FC(3)"})
    {
        const auto topology = MakeTopology(notation);
        const LinkGraph graph(topology);
        const auto group = AllRanks(topology);
        for (uint32_t round = 0; round < 60; ++round)
        {
            const uint32_t inFlight = 1U << (round % 3);
            const CollectivePlan plan(topology,
                                      WithChunks(16, inFlight),
                                      group,
                                      {TYPES[round % 4], random() % 1'000'000 + 1});
            std::vector<int64_t> starts;
            for (std::size_t i = 0; i < group.size(); ++i)
            {
                starts.push_back(random() % 100'000'000);
            }
            LinkSimulator links(graph);
            PlanRunner runner(links, plan);
            runner.Run(starts);
            EXPECT_EQ(runner.GetNFinished(), group.size()) << notation << " round " << round;
            EXPECT_TRUE(runner.IsMatched());
        }
    }
}
