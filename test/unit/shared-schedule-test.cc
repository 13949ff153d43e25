/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/pair-accounts.h"
#include "ns3/shared-schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

using namespace ns3::mlcluster;

namespace
{

/// @param type operation @param size members @return a request of 100 bytes for each piece
CollectiveRequest
MakeRequest(CollectiveType type, uint32_t size)
{
    return {type, size, std::vector<uint64_t>(size, 100)};
}

} // namespace

TEST(SharedSchedule, FindsEveryReceiveAndEveryWaitingStep)
{
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        const auto algorithm = CollectiveAlgorithm::Create(name);
        for (uint32_t size = 1; size <= 16; ++size)
        {
            const bool reduces = algorithm->WhyNot(CollectiveType::AllReduce, size).empty();
            const auto request =
                MakeRequest(reduces ? CollectiveType::AllReduce : CollectiveType::AllToAll, size);
            if (!algorithm->WhyNot(request.type, size).empty())
            {
                continue;
            }
            const RankSchedule expected = algorithm->Build(request, size - 1);
            const SharedSchedule schedule(expected, size - 1);
            EXPECT_EQ(schedule.GetNMessages(), expected.GetSends().size());
            std::multimap<uint32_t, uint32_t> waiting;
            for (uint32_t step = 0; step < expected.GetSteps().size(); ++step)
            {
                const auto& bounds = expected.GetSteps()[step];
                for (uint32_t i = 0; i < bounds.nAfter; ++i)
                {
                    waiting.emplace(expected.GetAfter()[bounds.firstAfter + i], step);
                }
                for (uint32_t i = 0; i < bounds.nReceives; ++i)
                {
                    const uint32_t receive = bounds.firstReceive + i;
                    const Transfer& transfer = expected.GetReceives()[receive];
                    EXPECT_EQ(schedule.FindReceive(transfer.peer, transfer.tag), receive);
                    EXPECT_EQ(schedule.GetStepOfReceive(receive), step);
                }
            }
            for (uint32_t step = 0; step < expected.GetSteps().size(); ++step)
            {
                const auto [first, last] = waiting.equal_range(step);
                std::vector<uint32_t> steps;
                std::for_each(first, last, [&](const auto& entry) {
                    steps.push_back(entry.second);
                });
                const auto [begin, end] = schedule.GetChildren(step);
                EXPECT_EQ(std::vector<uint32_t>(begin, end), steps) << name << " " << size;
            }
            EXPECT_EQ(schedule.FindReceive(size - 1, 0), SharedSchedule::NONE);
            EXPECT_EQ(schedule.FindReceive(0, 1U << 31), SharedSchedule::NONE);
        }
    }
}

TEST(SharedSchedule, DoesNotCountMovesWithinTheRank)
{
    RankSchedule schedule;
    schedule.AddStep({}, {{0, 0, 8, false}, {1, 0, 8, false}}, {{1, 0, 8, true}, {0, 0, 8, true}});
    EXPECT_EQ(SharedSchedule(schedule, 1).GetNMessages(), 1u);
}

TEST(ScheduleCache, SharesWhatIsInUseAndEqual)
{
    const auto ring = CollectiveAlgorithm::Create("ring");
    const auto direct = CollectiveAlgorithm::Create("direct");
    const auto request = MakeRequest(CollectiveType::AllReduce, 4);
    ScheduleCache cache;
    std::shared_ptr<const SharedSchedule> first = cache.Get(*ring, request, 1);
    EXPECT_EQ(cache.Get(*ring, request, 1), first);
    EXPECT_NE(cache.Get(*ring, request, 2), first);
    EXPECT_NE(cache.Get(*direct, request, 1), first);
    auto other = request;
    other.pieces[3] = 99;
    EXPECT_NE(cache.Get(*ring, other, 1), first);
    other = request;
    other.type = CollectiveType::AllGather;
    EXPECT_NE(cache.Get(*ring, other, 1), first);
    other = request;
    other.root = 1;
    EXPECT_NE(cache.Get(*ring, other, 1), first);

    const std::weak_ptr<const SharedSchedule> watch = first;
    first = nullptr;
    EXPECT_EQ(cache.Get(*ring, request, 1), watch.lock());
}

TEST(ScheduleCache, KeepsTheNewestOfWhatIsNotInUse)
{
    const auto direct = CollectiveAlgorithm::Create("direct");
    constexpr uint32_t SIZE = 129;
    const auto request = MakeRequest(CollectiveType::AllToAll, SIZE);
    ScheduleCache cache;
    auto inUse = cache.Get(*direct, request, 0);
    const std::weak_ptr<const SharedSchedule> first = inUse;
    const std::size_t nKept = ScheduleCache::MOST_KEPT / (2 * inUse->GetNMessages());
    std::vector<std::weak_ptr<const SharedSchedule>> others;
    for (uint32_t i = 0; i < 2 * nKept; ++i)
    {
        auto other = request;
        other.pieces[0] += i / SIZE + 1;
        others.emplace_back(cache.Get(*direct, other, i % SIZE));
    }
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        EXPECT_EQ(others[i].expired(), i < nKept) << i;
    }
    EXPECT_EQ(cache.Get(*direct, request, 0), inUse);
    inUse = nullptr;
    EXPECT_TRUE(first.expired());
}

TEST(PairAccounts, AgreeWithAMapOfRandomTraffic)
{
    std::mt19937 random(1);
    constexpr uint32_t RANKS = 100;
    PairAccounts accounts(RANKS);
    std::map<std::pair<uint32_t, uint32_t>, std::pair<int64_t, int64_t>> open;
    for (uint32_t i = 0; i < 40000; ++i)
    {
        NetworkMessage message;
        message.source = random() % RANKS;
        message.destination = random() % (i % 2 ? RANKS : 7);
        message.bytes = random() % 3;
        const int64_t sign = random() % 2 ? 1 : -1;
        sign > 0 ? accounts.Sent(message) : accounts.Arrived(message);
        auto& [messages, bytes] = open[{message.source, message.destination}];
        messages += sign;
        bytes += sign * static_cast<int64_t>(message.bytes);
    }
    const auto all = accounts.GetOpenPairs();
    auto found = all.begin();
    for (const auto& [pair, counts] : open)
    {
        if (counts.first == 0 && counts.second == 0)
        {
            continue;
        }
        ASSERT_NE(found, all.end());
        EXPECT_EQ(std::make_pair(found->source, found->destination), pair);
        EXPECT_EQ(std::make_pair(found->messages, found->bytes), counts);
        ++found;
    }
    EXPECT_EQ(found, all.end());
}
