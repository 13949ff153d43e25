/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-simulator.h"
#include "schedule-oracle.h"

#include "ns3/collective-plan.h"
#include "ns3/diagnostics.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

constexpr auto AR = CollectiveType::AllReduce;
constexpr auto RS = CollectiveType::ReduceScatter;
constexpr auto AG = CollectiveType::AllGather;
constexpr auto A2A = CollectiveType::AllToAll;
constexpr CollectiveType TYPES[] = {AR, RS, AG, A2A};

constexpr int64_t LATENCY = 300'007;
constexpr uint64_t RATE = 123'456'789'012;

ClusterTopology
MakeTopology(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.linkBitRate = RATE;
        dimension.latencyPs = LATENCY;
    }
    return ClusterTopology(dimensions);
}

std::vector<uint32_t>
AllRanks(const ClusterTopology& topology)
{
    std::vector<uint32_t> ranks(topology.GetNRanks());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

CollectiveOptions
WithChunks(uint32_t chunks, uint32_t inFlight = 1)
{
    CollectiveOptions options;
    options.chunks = chunks;
    options.chunksInFlight = inFlight;
    return options;
}

std::string
ErrorOf(const std::function<void()>& body)
{
    try
    {
        body();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

void
ExpectIn(const std::string& part, const std::string& text)
{
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::vector<std::string>
AlgorithmsOf(const CollectivePlan& plan)
{
    std::vector<std::string> names;
    for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
    {
        names.push_back(plan.GetPhase(phase).algorithm->GetName());
    }
    return names;
}

/// What one rank's phases send, by level of the plan.
std::vector<uint64_t>
BytesSent(const CollectivePlan& plan, uint32_t rank)
{
    std::vector<uint64_t> bytes(plan.GetNDimensions());
    for (uint32_t chunk = 0; chunk < plan.GetNChunks(); ++chunk)
    {
        for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
        {
            const auto schedule = plan.GetSchedule(rank, chunk, phase);
            for (const auto& send : schedule.GetSends())
            {
                bytes[plan.GetPhase(phase).dimension] += send.bytes;
            }
        }
    }
    return bytes;
}

/// All members of a phase must mean the same; each phase is proven by the oracle.
void
ProvePhases(const CollectivePlan& plan)
{
    std::set<std::tuple<std::vector<uint32_t>, uint32_t, uint32_t>> done;
    for (const uint32_t rank : plan.GetGroup())
    {
        for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
        {
            const auto peers = plan.GetPeers(rank, phase);
            ASSERT_EQ(peers.at(plan.GetPosition(rank, phase)), rank);
            for (uint32_t chunk = 0; chunk < plan.GetNChunks(); ++chunk)
            {
                if (!done.emplace(peers, chunk, phase).second)
                {
                    continue;
                }
                const auto request = plan.GetRequest(rank, chunk, phase);
                std::vector<RankSchedule> schedules;
                for (const uint32_t peer : peers)
                {
                    ASSERT_EQ(plan.GetPeers(peer, phase), peers);
                    ASSERT_EQ(plan.GetRequest(peer, chunk, phase).pieces, request.pieces);
                    schedules.push_back(plan.GetSchedule(peer, chunk, phase));
                }
                ASSERT_EQ(request.pieces.size(), peers.size());
                ASSERT_EQ(request.type, plan.GetPhase(phase).type);
                ASSERT_EQ(ScheduleOracle(request, schedules, rank).Run(), "");
            }
        }
    }
}

/// A range of a chunk and whose data it holds.
struct Region
{
    uint64_t begin;
    uint64_t end;
    std::set<uint32_t> contributors;
};

/// Moves regions of the vector through the phases of an all-reduce or reduce-scatter.
std::map<uint32_t, Region>
MoveRegions(const CollectivePlan& plan, uint32_t chunk, uint64_t chunkBytes)
{
    std::map<uint32_t, Region> regions;
    for (const uint32_t rank : plan.GetGroup())
    {
        regions[rank] = {0, chunkBytes, {rank}};
    }
    for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
    {
        std::map<uint32_t, Region> next;
        for (const uint32_t rank : plan.GetGroup())
        {
            const auto peers = plan.GetPeers(rank, phase);
            const auto pieces = plan.GetRequest(rank, chunk, phase).pieces;
            const uint32_t position = plan.GetPosition(rank, phase);
            const auto sum = [&](uint32_t count) {
                return std::accumulate(pieces.begin(), pieces.begin() + count, uint64_t{0});
            };
            Region region = regions[rank];
            if (plan.GetPhase(phase).type == RS)
            {
                EXPECT_EQ(region.end - region.begin, sum(peers.size()));
                region.end = region.begin + sum(position + 1);
                region.begin += sum(position);
                for (const uint32_t peer : peers)
                {
                    EXPECT_EQ(regions[peer].begin, regions[peers[0]].begin);
                    region.contributors.insert(regions[peer].contributors.begin(),
                                               regions[peer].contributors.end());
                }
            }
            else
            {
                region.begin = regions[peers.front()].begin;
                region.end = regions[peers.back()].end;
                for (uint32_t i = 0; i < peers.size(); ++i)
                {
                    EXPECT_EQ(regions[peers[i]].end - regions[peers[i]].begin, pieces[i]);
                    EXPECT_EQ(regions[peers[i]].begin, region.begin + sum(i));
                    EXPECT_EQ(regions[peers[i]].contributors, region.contributors);
                }
            }
            next[rank] = region;
        }
        regions = next;
    }
    return regions;
}

} // namespace

TEST(CollectivePlan, ComposesOverTheDimensions)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(1)_SW(8)");
    const auto group = AllRanks(topology);
    using Steps = std::vector<std::pair<CollectiveType, uint32_t>>;
    const std::map<CollectiveType, Steps> expected{
        {RS, {{RS, 0}, {RS, 1}, {RS, 3}}},
        {AG, {{AG, 3}, {AG, 1}, {AG, 0}}},
        {AR, {{RS, 0}, {RS, 1}, {RS, 3}, {AG, 3}, {AG, 1}, {AG, 0}}},
        {A2A, {{A2A, 0}, {A2A, 1}, {A2A, 3}}}};
    for (const auto& [type, steps] : expected)
    {
        const CollectivePlan plan(topology, {}, group, {}, type, 1'000'000);
        Steps actual;
        for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
        {
            actual.emplace_back(plan.GetPhase(phase).type,
                                plan.GetTopologyDimension(plan.GetPhase(phase).dimension));
        }
        EXPECT_EQ(actual, steps) << ToString(type);
        EXPECT_EQ(plan.GetNChunks(), 4);
        EXPECT_EQ(plan.GetBytes(), 1'000'000);
        EXPECT_EQ(plan.GetType(), type);
        EXPECT_EQ(plan.GetGroup(), group);
        EXPECT_TRUE(plan.GetRemarks().empty());
    }
}

TEST(CollectivePlan, ChoosesTheDefaultOfTheBlock)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(8)");
    const auto group = AllRanks(topology);
    using Names = std::vector<std::string>;
    EXPECT_EQ(AlgorithmsOf({topology, {}, group, {}, RS, 100}),
              (Names{"ring", "direct", "halving-doubling"}));
    EXPECT_EQ(AlgorithmsOf({topology, {}, group, {}, AG, 100}),
              (Names{"halving-doubling", "direct", "ring"}));
    EXPECT_EQ(AlgorithmsOf({topology, {}, group, {}, A2A, 100}),
              (Names{"relay", "direct", "direct"}));
    const auto six = MakeTopology("SW(6)");
    const CollectivePlan plan(six, {}, AllRanks(six), {}, RS, 100);
    EXPECT_EQ(AlgorithmsOf(plan), Names{"direct"});
    ASSERT_EQ(plan.GetRemarks().size(), 1);
    ExpectIn("power of two members, 6 is none", plan.GetRemarks()[0]);
}

TEST(CollectivePlan, TakesTheAlgorithmAskedFor)
{
    const auto topology = MakeTopology("R(4)_FC(4)_SW(8)");
    const auto group = AllRanks(topology);
    using Names = std::vector<std::string>;
    CollectiveOptions options;
    options.reduceScatter = {"direct", "auto"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {}, RS, 100}),
              (Names{"direct", "direct", "halving-doubling"}));
    options.reduceScatter = {"ring", "ring", "ring"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {}, RS, 100}),
              (Names{"ring", "ring-one-way", "ring-one-way"}));
    options.allToAll = {"ring", "ring", "ring"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {}, A2A, 100}),
              (Names{"ring", "ring", "ring"}));
    options.allReduce = {"halving-doubling", "halving-doubling"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {}, AR, 100}), Names(6, "halving-doubling"));
}

TEST(CollectivePlan, RefusesWhatAnAlgorithmCannotDo)
{
    const auto topology = MakeTopology("R(6)_SW(4)");
    const auto group = AllRanks(topology);
    CollectiveOptions options;
    options.allReduce = {"halving-doubling"};
    const std::string text =
        ErrorOf([&] { CollectivePlan(topology, options, group, {}, AR, 100); });
    ExpectIn("all-reduce over 6 members in dimension 0, Ring(6)", text);
    ExpectIn("6 is none", text);
    ExpectIn("possible are ring, ring-one-way, direct", text);
    EXPECT_NO_THROW(CollectivePlan(topology, options, group, {}, AG, 100));
    options.allToAll = {"auto", "halving-doubling"};
    ExpectIn("dimension 1, Switch(4)",
             ErrorOf([&] { CollectivePlan(topology, options, group, {}, A2A, 100); }));
    options.allGather = {"ringg"};
    ExpectIn("did you mean \"ring\"",
             ErrorOf([&] { CollectivePlan(topology, options, group, {}, AG, 100); }));
    options.reduceScatter = {"ring", "ring", "ring"};
    ExpectIn("algorithms for 3 dimensions, the topology has 2",
             ErrorOf([&] { CollectivePlan(topology, options, group, {}, RS, 100); }));
}

TEST(CollectivePlan, RefusesBadArguments)
{
    const auto topology = MakeTopology("R(4)_SW(2)");
    const auto error = [&](const CollectiveOptions& options,
                           const std::vector<uint32_t>& group,
                           const std::vector<bool>& involved,
                           CollectiveType type,
                           uint64_t bytes) {
        return ErrorOf([&] { CollectivePlan(topology, options, group, involved, type, bytes); });
    };
    ExpectIn("it has none", error({}, {}, {}, AR, 1));
    ExpectIn("it has rank 8", error({}, {0, 8}, {}, AR, 1));
    ExpectIn("has rank 3 twice", error({}, {3, 0, 3}, {}, AR, 1));
    ExpectIn("3 entries", error({}, {0, 1}, {true, true, false}, AR, 1));
    ExpectIn("3 entries", error({}, {0, 1}, {false, true, true}, AR, 1));
    ExpectIn("at least 1 chunk", error(WithChunks(0), {0, 1}, {}, AR, 1));
    ExpectIn("1 chunk in flight", error(WithChunks(1, 0), {0, 1}, {}, AR, 1));
    ExpectIn("broadcast cannot be simulated", error({}, {0, 1}, {}, CollectiveType::Broadcast, 1));
    ExpectIn("can hold at most", error({}, {0, 1, 2, 3}, {}, AG, uint64_t{1} << 61));
    ExpectIn("can hold at most", error({}, {0, 1, 2, 3}, {}, AR, uint64_t{1} << 63));
    EXPECT_EQ(error({}, {0, 1, 2, 3}, {}, AR, (uint64_t{1} << 63) - 1), "");
    EXPECT_EQ(error({}, {0, 1}, {true, true, true, true}, AR, 1), "");
}

TEST(CollectivePlan, MaskLeavesDimensionsOut)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(2)");
    const auto group = AllRanks(topology);
    const auto levels = [&](const std::vector<bool>& involved) {
        const CollectivePlan plan(topology, {}, group, involved, RS, 100);
        std::vector<uint32_t> dimensions;
        for (uint32_t k = 0; k < plan.GetNDimensions(); ++k)
        {
            dimensions.push_back(plan.GetTopologyDimension(k));
        }
        return dimensions;
    };
    using List = std::vector<uint32_t>;
    EXPECT_EQ(levels({}), (List{0, 1, 2}));
    EXPECT_EQ(levels({false}), (List{1, 2}));
    EXPECT_EQ(levels({true, false, true}), (List{0, 2}));
    EXPECT_EQ(levels({false, false, false}), List{});
    const CollectivePlan plan(topology, {}, group, {false, true, false}, AG, 100);
    EXPECT_EQ(plan.GetPeers(17, 0), (List{13, 17, 21}));
}

TEST(CollectivePlan, NothingToDoHasNoChunks)
{
    const auto topology = MakeTopology("R(4)_SW(2)");
    for (const auto type : TYPES)
    {
        EXPECT_EQ(CollectivePlan(topology, {}, {3}, {}, type, 100).GetNChunks(), 0);
        EXPECT_EQ(CollectivePlan(topology, {}, AllRanks(topology), {}, type, 0).GetNChunks(), 0);
        EXPECT_EQ(CollectivePlan(topology, {}, {0, 4}, {true, false}, type, 9).GetNChunks(), 0);
        EXPECT_EQ(CollectivePlan(topology, WithChunks(9), {0, 1}, {}, type, 3).GetNChunks(), 3);
    }
}

TEST(CollectivePlan, FindsSubBoxesInAnyOrder)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(2)");
    const CollectivePlan box(topology, {}, {22, 2, 6, 14, 10, 18}, {}, RS, 100);
    ASSERT_EQ(box.GetNDimensions(), 2);
    EXPECT_EQ(box.GetTopologyDimension(0), 1);
    EXPECT_EQ(box.GetTopologyDimension(1), 2);
    EXPECT_EQ(box.GetPeers(14, 0), (std::vector<uint32_t>{14, 18, 22}));
    EXPECT_EQ(box.GetPeers(14, 1), (std::vector<uint32_t>{2, 14}));
    EXPECT_EQ(box.GetPosition(22, 0), 2);
    EXPECT_TRUE(box.GetRemarks().empty());
}

TEST(CollectivePlan, PartOfABlockRunsAsThatBlock)
{
    const auto topology = MakeTopology("R(8)_FC(8)_SW(8)");
    const auto check = [&](const std::vector<uint32_t>& group, const std::string& name) {
        const CollectivePlan plan(topology, {}, group, {}, RS, 100);
        EXPECT_EQ(AlgorithmsOf(plan), std::vector<std::string>{name});
        ExpectIn("is a part of dimension", JoinWords(plan.GetRemarks()));
        EXPECT_EQ(plan.GetPeers(group[0], 0), group);
        EXPECT_EQ(plan.GetPosition(group[2], 0), 2);
        return plan.GetTopologyDimension(0);
    };
    EXPECT_EQ(check({5, 1, 3}, "ring"), 0);
    EXPECT_EQ(check({40, 8, 24}, "direct"), 1);
    EXPECT_EQ(check({0, 64, 192, 128}, "halving-doubling"), 2);
    EXPECT_EQ(check({0, 64, 128}, "direct"), 2);
    EXPECT_EQ(AlgorithmsOf({topology, {}, {5, 1, 3}, {}, A2A, 100}),
              std::vector<std::string>{"relay"});
}

TEST(CollectivePlan, GroupAcrossBlocksIsALogicalRing)
{
    const auto topology = MakeTopology("R(4)_SW(4)");
    const CollectivePlan plan(topology, {}, {0, 5, 10}, {true, false}, AR, 100);
    EXPECT_EQ(AlgorithmsOf(plan), std::vector<std::string>(2, "ring"));
    EXPECT_EQ(plan.GetTopologyDimension(0), topology.GetNDimensions());
    ASSERT_EQ(plan.GetRemarks().size(), 2);
    ExpectIn("ranks 0, 5, 10 is no sub-box of Ring(4)_Switch(4)", plan.GetRemarks()[0]);
    ExpectIn("mask of involved dimensions is not applied", plan.GetRemarks()[1]);
    EXPECT_EQ(AlgorithmsOf({topology, {}, {0, 5, 10}, {}, A2A, 100}),
              std::vector<std::string>{"direct"});
}

TEST(CollectivePlan, PhasesFitTogetherForAnySize)
{
    const std::pair<const char*, std::vector<uint32_t>> cases[] = {
        {"R(4)_FC(3)_SW(2)", {}},
        {"SW(4)_SW(4)", {}},
        {"R(2)_R(2)_R(2)", {}},
        {"R(5)_SW(3)", {}},
        {"R(4)_FC(3)_SW(2)", {13, 1, 5, 17, 9, 21}},
        {"R(8)_SW(2)", {3, 1, 6}},
        {"R(4)_SW(4)", {0, 5, 10, 3, 2}}};
    for (const auto& [notation, members] : cases)
    {
        const auto topology = MakeTopology(notation);
        const auto group = members.empty() ? AllRanks(topology) : members;
        for (const auto type : TYPES)
        {
            for (const uint64_t bytes : {1, 2, 5, 23, 24, 25, 997})
            {
                const CollectivePlan plan(topology, WithChunks(3), group, {}, type, bytes);
                ProvePhases(plan);
            }
        }
    }
}

TEST(CollectivePlan, RegionsComposeToWhatIsPromised)
{
    for (const std::string notation : {"R(4)_FC(3)_SW(2)", "R(5)_SW(3)", "SW(2)_SW(2)_R(3)_FC(2)"})
    {
        const auto topology = MakeTopology(notation);
        const auto group = AllRanks(topology);
        const std::set<uint32_t> everyone(group.begin(), group.end());
        for (const uint64_t bytes : {1, 7, 24, 1001})
        {
            const CollectivePlan reduce(topology, WithChunks(1), group, {}, AR, bytes);
            for (const auto& [rank, region] : MoveRegions(reduce, 0, bytes))
            {
                EXPECT_EQ(region.begin, 0);
                EXPECT_EQ(region.end, bytes);
                EXPECT_EQ(region.contributors, everyone);
            }
            const CollectivePlan scatter(topology, WithChunks(1), group, {}, RS, bytes);
            std::set<std::pair<uint64_t, uint64_t>> parts;
            uint64_t sum = 0;
            for (const auto& [rank, region] : MoveRegions(scatter, 0, bytes))
            {
                EXPECT_EQ(region.contributors, everyone);
                sum += region.end - region.begin;
                parts.emplace(region.begin, region.end);
            }
            EXPECT_EQ(sum, bytes);
            uint64_t end = 0;
            for (const auto& part : parts)
            {
                EXPECT_LE(part.first, end);
                end = std::max(end, part.second);
            }
            EXPECT_EQ(end, bytes);
        }
    }
}

TEST(CollectivePlan, AllToAllMovesEveryPieceToItsDestination)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(2)");
    const auto group = AllRanks(topology);
    const uint64_t unit = 10;
    const CollectivePlan plan(topology, WithChunks(1), group, {}, A2A, unit * group.size());
    using Items = std::set<std::pair<uint32_t, uint32_t>>;
    std::map<uint32_t, Items> holdings;
    for (const uint32_t rank : group)
    {
        for (const uint32_t destination : group)
        {
            holdings[rank].emplace(rank, destination);
        }
    }
    for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
    {
        std::map<uint32_t, Items> next;
        for (const uint32_t rank : group)
        {
            const auto peers = plan.GetPeers(rank, phase);
            std::vector<uint64_t> pieces(peers.size());
            for (const auto& item : holdings[rank])
            {
                const uint32_t position = plan.GetPosition(item.second, phase);
                next[peers[position]].insert(item);
                pieces[position] += unit;
            }
            EXPECT_EQ(plan.GetRequest(rank, 0, phase).pieces, pieces);
        }
        holdings = next;
    }
    for (const uint32_t rank : group)
    {
        EXPECT_EQ(holdings[rank].size(), group.size());
        for (const auto& item : holdings[rank])
        {
            EXPECT_EQ(item.second, rank);
        }
    }
}

TEST(CollectivePlan, BytesSentFollowTheClosedForm)
{
    const auto topology = MakeTopology("R(4)_FC(2)_SW(8)");
    const auto group = AllRanks(topology);
    const uint64_t bytes = 64 * 4 * 1000;
    const uint64_t sizes[] = {4, 2, 8};
    const uint64_t below[] = {1, 4, 8};
    std::vector<uint64_t> scatter;
    std::vector<uint64_t> reduce;
    std::vector<uint64_t> gather;
    for (uint32_t k = 0; k < 3; ++k)
    {
        scatter.push_back(bytes / below[k] / sizes[k] * (sizes[k] - 1));
        reduce.push_back(2 * scatter[k]);
        gather.push_back(bytes * (64 / below[k] / sizes[k]) * (sizes[k] - 1));
    }
    const std::vector<uint64_t> exchange{bytes * 4 / 4, bytes / 2, bytes / 8 * 7};
    for (const uint32_t rank : group)
    {
        EXPECT_EQ(BytesSent({topology, {}, group, {}, RS, bytes}, rank), scatter);
        EXPECT_EQ(BytesSent({topology, {}, group, {}, AR, bytes}, rank), reduce);
        EXPECT_EQ(BytesSent({topology, {}, group, {}, AG, bytes}, rank), gather);
        EXPECT_EQ(BytesSent({topology, {}, group, {}, A2A, bytes}, rank), exchange);
    }
}

TEST(CollectivePlan, OneChunkTakesTheSumOfItsPhases)
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
        const CollectivePlan plan(topology, WithChunks(1), AllRanks(topology), {}, type, bytes);
        LinkSimulator links(graph);
        PlanRunner runner(links, plan);
        runner.Run(std::vector<int64_t>(24));
        EXPECT_EQ(runner.GetNFinished(), 24);
        EXPECT_TRUE(runner.IsMatched());
        EXPECT_EQ(links.Now(), time) << ToString(type);
    }
}

TEST(CollectivePlan, ChunksOnOneDimensionFollowEachOther)
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
                                          {},
                                          type,
                                          chunks * 800'000);
                LinkSimulator links(graph);
                PlanRunner runner(links, plan);
                runner.Run(std::vector<int64_t>(8));
                times.push_back(links.Now());
            }
            EXPECT_EQ(times[1], 5 * times[0]) << notation << " " << ToString(type);
        }
    }
}

TEST(CollectivePlan, RanksThatStartApartDoNotDeadlock)
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
                                      {},
                                      TYPES[round % 4],
                                      random() % 1'000'000 + 1);
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

TEST(CollectivePlan, OrdersHoldEveryChunkPhaseOnceAndHaveNoCycle)
{
    std::mt19937 random(3);
    for (uint32_t round = 0; round < 200; ++round)
    {
        std::vector<TopologyDimension> dimensions;
        const uint32_t nDimensions = random() % 4 + 1;
        for (uint32_t k = 0; k < nDimensions; ++k)
        {
            dimensions.push_back({static_cast<BuildingBlock>(random() % 3),
                                  static_cast<uint32_t>(random() % 4 + 1),
                                  random() % 1'000'000'000'000 + 1,
                                  static_cast<int64_t>(random() % 1'000'000)});
        }
        const ClusterTopology topology(dimensions);
        const CollectivePlan plan(topology,
                                  WithChunks(random() % 20 + 1, random() % 4 + 1),
                                  AllRanks(topology),
                                  {},
                                  TYPES[round % 4],
                                  random() % 100'000);
        std::map<std::pair<uint32_t, uint32_t>, std::set<std::pair<uint32_t, uint32_t>>> after;
        for (uint32_t k = 0; k < plan.GetNDimensions(); ++k)
        {
            const auto& order = plan.GetOrder(k);
            for (std::size_t i = 0; i < order.size(); ++i)
            {
                EXPECT_EQ(plan.GetPhase(order[i].phase).dimension, k);
                auto [entry, isNew] = after.insert({{order[i].chunk, order[i].phase}, {}});
                EXPECT_TRUE(isNew);
                if (i > 0)
                {
                    entry->second.emplace(order[i - 1].chunk, order[i - 1].phase);
                }
                if (order[i].phase > 0)
                {
                    entry->second.emplace(order[i].chunk, order[i].phase - 1);
                }
            }
        }
        EXPECT_EQ(after.size(), plan.GetNChunks() * plan.GetNPhases());
        for (bool progress = true; progress;)
        {
            progress = false;
            for (auto entry = after.begin(); entry != after.end();)
            {
                const bool isFree = std::none_of(entry->second.begin(),
                                                 entry->second.end(),
                                                 [&](const auto& o) { return after.count(o) > 0; });
                progress |= isFree;
                entry = isFree ? after.erase(entry) : std::next(entry);
            }
        }
        EXPECT_TRUE(after.empty()) << topology.GetNotation();
    }
}

TEST(CollectivePlan, PreRunGivesThePipelineOfThemis)
{
    const PhaseOrder order(4, {0, 1, 1, 0}, 2, 1, [](uint32_t, uint32_t phase) {
        return phase == 0 || phase == 3 ? 2 : 1;
    });
    const auto list = [&](uint32_t dimension) {
        std::vector<std::pair<uint32_t, uint32_t>> pairs;
        for (const auto& entry : order.GetOrders()[dimension])
        {
            pairs.emplace_back(entry.chunk, entry.phase);
        }
        return pairs;
    };
    using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
    EXPECT_EQ(list(0), (Pairs{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}, {1, 3}, {2, 3}, {3, 3}}));
    EXPECT_EQ(list(1), (Pairs{{0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}, {3, 2}}));
}

TEST(CollectivePlan, HugeTimesDoNotOverflow)
{
    const ClusterTopology topology(
        {{BuildingBlock::Ring, 64, 1, 1'000'000'000'000'000}, {BuildingBlock::Switch, 2, 1, 0}});
    const CollectivePlan plan(topology,
                              WithChunks(1000),
                              AllRanks(topology),
                              {},
                              AR,
                              (uint64_t{1} << 63) - 1);
    EXPECT_EQ(plan.GetOrder(0).size(), 2000);
}

TEST(CollectivePlan, LargeGroupsAreCheap)
{
    const auto topology = MakeTopology("FC(16)_SW(16)_SW(16)");
    auto group = AllRanks(topology);
    std::shuffle(group.begin(), group.end(), std::mt19937(5));
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 20; ++i)
    {
        const CollectivePlan plan(topology, {}, group, {}, AR, 1'000'000 + i);
        bytes += BytesSent(plan, group[i])[0];
    }
    EXPECT_GT(bytes, 20 * 2 * 15 * uint64_t{1'000'000 / 16});
    group.pop_back();
    const CollectivePlan flat(topology, {}, group, {}, AR, 1'000'000);
    EXPECT_EQ(flat.GetSchedule(group[7], 0, 0).GetSends().size(), 2 * 4094);
}
