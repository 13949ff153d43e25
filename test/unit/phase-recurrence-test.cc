/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "link-simulator.h"

#include "ns3/chunk-scheduler.h"
#include "ns3/phase-claims.h"
#include "ns3/phase-recurrence.h"

#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// What a collective took.
struct Outcome
{
    std::optional<PhaseRecurrence::Result> result; ///< when it ends; none if that is not known
    std::vector<LinkUsage> usage;                  ///< by link
    uint64_t nMessages{0};                         ///< sent
    bool isOrdered{true};                          ///< whether ends are known for any starts
};

Outcome
Compute(const ClusterTopology& topology,
        const CollectiveOptions& options,
        const CollectiveCall& call,
        const std::vector<int64_t>& starts,
        int64_t now = 0)
{
    const auto graph = std::make_shared<const LinkGraph>(topology);
    const auto plan =
        std::make_shared<const CollectivePlan>(topology, options, AllRanks(topology), call);
    EXPECT_EQ(PhaseRecurrence::WhyNot(*plan, *graph), "");
    LineProgramCache cache(graph, 0);
    const PhaseRecurrence recurrence(plan, 0, cache);
    EXPECT_EQ(recurrence.GetMembers(), AllRanks(topology));
    LinkBooks books(graph, true);
    const auto result = recurrence.Evaluate(starts, now, books);
    return {result,
            books.GetUsage(std::numeric_limits<int64_t>::max() / 2),
            recurrence.GetNMessages(),
            recurrence.IsOrdered()};
}

/// Compares with a simulation of every message.
void
ExpectLikeMessages(const Outcome& outcome,
                   const ClusterTopology& topology,
                   const CollectiveOptions& options,
                   const CollectiveCall& call,
                   const std::vector<int64_t>& starts)
{
    const LinkGraph graph(topology);
    const CollectivePlan plan(topology, options, AllRanks(topology), call);
    LinkSimulator links(graph);
    PlanRunner runner(links, plan);
    runner.Run(starts);
    ASSERT_EQ(runner.GetNFinished(), topology.GetNRanks());
    for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
    {
        ASSERT_EQ(outcome.result->ends[rank], runner.GetEnd(rank)) << "rank " << rank;
        for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
        {
            uint64_t bytes = 0;
            for (const uint32_t link : graph.GetLinksFrom(rank))
            {
                bytes += graph.GetLink(link).dimension == k ? outcome.usage[link].payloadBytes : 0;
            }
            ASSERT_EQ(bytes, links.GetBytesSent(rank, k)) << "rank " << rank;
        }
    }
}

} // namespace

TEST(PhaseRecurrence, EqualsMessagesOnRingsAndFullyConnectedForAnyStarts)
{
    std::mt19937_64 random(11);
    const std::vector<std::string> notations{"R(2)",
                                             "R(7)",
                                             "FC(5)",
                                             "R(4)_FC(3)",
                                             "FC(2)_R(3)_R(4)",
                                             "R(5)_R(2)_FC(4)"};
    for (uint32_t round = 0; round < 120; ++round)
    {
        const auto topology = MakeTopology(notations[round % notations.size()]);
        auto options = WithChunks(1 + random() % 8);
        options.scheduler = random() % 2 == 0 ? "baseline" : "themis";
        options.queuePolicy = CollectiveOptions::GetQueuePolicies()[random() % 2];
        options.composition = CollectiveOptions::GetCompositions()[random() % 2];
        const auto type = TYPES[random() % 4];
        const uint64_t limit = 1ULL << random() % 24;
        const uint64_t bytes = 1 + random() % limit;
        std::vector<int64_t> starts(topology.GetNRanks());
        const int64_t spread = round % 3 == 0 ? 1 : 1'000'000LL << random() % 10;
        for (auto& start : starts)
        {
            start = random() % spread;
        }
        SCOPED_TRACE(topology.GetNotation() + " " + ToString(type) + " " + std::to_string(bytes) +
                     " round " + std::to_string(round));
        const CollectiveCall call{type, bytes};
        const Outcome outcome = Compute(topology, options, call, starts);
        EXPECT_TRUE(outcome.isOrdered);
        ASSERT_TRUE(outcome.result);
        ExpectLikeMessages(outcome, topology, options, call, starts);
    }
}

TEST(PhaseRecurrence, EqualsMessagesOnSharedLinksWhereTheirOrderIsKnown)
{
    std::mt19937_64 random(12);
    const std::vector<std::string> notations{"SW(8)", "R(3)_SW(4)", "SW(2)_FC(3)_SW(4)", "SW(5)"};
    uint32_t nKnown = 0;
    for (uint32_t round = 0; round < 120; ++round)
    {
        const auto topology = MakeTopology(notations[round % notations.size()]);
        const auto options = WithChunks(1 + random() % 8);
        const auto type = round % 9 == 0 ? CollectiveType::Barrier : TYPES[random() % 4];
        const uint64_t limit = 1ULL << random() % 24;
        const uint64_t bytes = 1 + random() % limit;
        const CollectiveCall call{type, round % 9 == 0 ? 0 : bytes};
        const std::vector<int64_t> starts(topology.GetNRanks(), 5);
        SCOPED_TRACE(topology.GetNotation() + " " + ToString(type) + " " +
                     std::to_string(call.bytes) + " round " + std::to_string(round));
        const Outcome outcome = Compute(topology, options, call, starts);
        if (outcome.result)
        {
            ++nKnown;
            ExpectLikeMessages(outcome, topology, options, call, starts);
        }
    }
    EXPECT_GT(nKnown, 60);
}

TEST(PhaseRecurrence, CountsEveryMessageOfFourThousandRanks)
{
    const auto topology = MakeTopology("R(16)_R(16)_R(16)");
    std::vector<int64_t> starts(4096);
    for (std::size_t i = 0; i < starts.size(); ++i)
    {
        starts[i] = static_cast<int64_t>(i * i % 1000);
    }
    const Outcome outcome = Compute(topology, WithChunks(4), {AR, 1'000'000}, starts);
    ASSERT_TRUE(outcome.result);
    EXPECT_EQ(outcome.nMessages, 4096ULL * 2 * 15 * 6 * 4);
    EXPECT_EQ(outcome.result->lastHeadPs, std::numeric_limits<int64_t>::max());
}

TEST(PhaseRecurrence, RefusesWhatItCannotKnow)
{
    const std::vector<int64_t> starts(8);
    const auto ring = MakeTopology("R(8)");
    EXPECT_TRUE(Compute(ring, WithChunks(1), {AR, 1000}, starts).result);
    EXPECT_FALSE(Compute(ring, WithChunks(1), {AR, 1000}, starts, 1'000'000'000'000).result);
    EXPECT_FALSE(Compute(ring, WithChunks(1), {AR, 1ULL << 62}, starts).result);
    auto options = WithChunks(1);
    options.algorithms[AR] = {"direct"};
    EXPECT_FALSE(Compute(ring, options, {AR, 80'000}, starts).result);
}

TEST(PhaseRecurrence, TellsWhyACollectiveIsNotComputed)
{
    const auto topology = MakeTopology("R(4)_SW(2)");
    const LinkGraph graph(topology);
    const auto whyNot = [&](std::vector<uint32_t> group, CollectiveType type, uint32_t inFlight) {
        const CollectivePlan plan(topology, WithChunks(2, inFlight), std::move(group), {type, 64});
        return PhaseRecurrence::WhyNot(plan, graph);
    };
    EXPECT_EQ(whyNot({0, 1, 2, 3}, AR, 1), "");
    EXPECT_EQ(whyNot({5, 1}, AR, 1), "");
    const auto parts = MakeTopology("SW(4)_FC(4)");
    for (const std::vector<uint32_t>& group :
         {std::vector<uint32_t>{3, 0, 1}, {0, 12}, {1, 3, 9, 11}, {0, 4, 8, 12, 2, 6, 10, 14}})
    {
        const CollectivePlan plan(parts, WithChunks(2), group, {AR, 64});
        EXPECT_EQ(PhaseRecurrence::WhyNot(plan, LinkGraph(parts)), "");
    }
    EXPECT_EQ(whyNot({0, 1, 2, 3}, AR, 2), "several chunks in flight");
    EXPECT_EQ(whyNot({0, 1, 2}, AR, 1), "a group whose messages pass other members' links");
    EXPECT_EQ(whyNot({0, 5}, AR, 1), "a group whose messages pass other members' links");
    EXPECT_EQ(whyNot({0, 1, 2, 3}, CollectiveType::Broadcast, 1), "a collective with a root");
    const auto matrix = std::make_shared<std::vector<uint64_t>>(std::vector<uint64_t>{0, 9, 0, 0});
    const CollectivePlan unequal(topology,
                                 WithChunks(1),
                                 {1, 5},
                                 {CollectiveType::AllToAll, 9, {}, 0, matrix});
    EXPECT_EQ(PhaseRecurrence::WhyNot(unequal, graph), "an all-to-all of unequal sizes");
}

TEST(PhaseRecurrence, FindsTheMembersThatMeet)
{
    const auto topology = MakeTopology("R(2)_R(3)_R(2)");
    const CollectivePlan plan(topology,
                              WithChunks(1),
                              AllRanks(topology),
                              {AR, 64, {true, false, true}});
    EXPECT_EQ(PhaseRecurrence::FindMembers(plan, 9), (std::vector<uint32_t>{2, 3, 8, 9}));
    EXPECT_EQ(PhaseRecurrence::GetFirstMember(plan, 9), 2);
}

TEST(PhaseClaims, TellHoldersThatOthersCome)
{
    const auto graph = std::make_shared<const LinkGraph>(MakeTopology("R(4)_SW(2)"));
    PhaseClaims claims(graph);
    PhaseClaims::Holder first;
    PhaseClaims::Holder second;
    claims.Claim(first, 1, {0}, 5);
    EXPECT_TRUE(claims.IsFree(1, {1}, 5));
    EXPECT_FALSE(claims.IsFree(1, {0, 1}, 5));
    EXPECT_EQ(claims.GetHolders(1, {0, 1}), std::vector<PhaseClaims::Holder*>{&first});
    claims.OccupyRoute(2, 4, 6);
    EXPECT_FALSE(first.isOverlapped);
    EXPECT_FALSE(claims.IsFree(4, {1}, 6));
    claims.VacateRoute(2, 4);
    EXPECT_TRUE(claims.IsFree(4, {1}, 6));
    claims.OccupyRoute(0, 2, 6);
    EXPECT_TRUE(first.isOverlapped);
    claims.VacateRoute(0, 2);
    claims.Claim(second, 1, {0}, 7);
    EXPECT_TRUE(second.isOverlapped);
    claims.Release(second, 1, {0});
    EXPECT_FALSE(claims.IsFree(1, {0}, 8));
    claims.Release(first, 1, {0});
    EXPECT_TRUE(claims.IsFree(1, {0}, 8));
}

TEST(PhaseClaims, LinksAreFreeOnceTheLastMessageHasCome)
{
    PhaseClaims claims(std::make_shared<const LinkGraph>(MakeTopology("SW(2)")));
    PhaseClaims::Holder holder;
    claims.Claim(holder, 0, {0}, 1);
    holder.lastHeadPs = 10;
    EXPECT_FALSE(claims.IsFree(0, {0}, 10));
    EXPECT_TRUE(claims.IsFree(0, {0}, 11));
    claims.Occupy(0, {0}, 11);
    EXPECT_FALSE(holder.isOverlapped);
    EXPECT_FALSE(claims.IsFree(0, {0}, 11));
    claims.Vacate(0, {0});
    claims.Occupy(0, {0}, 10);
    EXPECT_TRUE(holder.isOverlapped);
}
