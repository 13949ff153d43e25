/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"

#include "ns3/collective-plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

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
        names.push_back(plan.GetPhase(0, phase).algorithm->GetName());
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
                bytes[plan.GetPhase(0, phase).dimension] += send.bytes;
            }
        }
    }
    return bytes;
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
        const CollectivePlan plan(topology, {}, group, {type, 1'000'000});
        Steps actual;
        for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
        {
            actual.emplace_back(plan.GetPhase(0, phase).type,
                                plan.GetTopologyDimension(plan.GetPhase(0, phase).dimension));
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
    EXPECT_EQ(AlgorithmsOf({topology, {}, group, {RS, 100}}),
              (Names{"ring", "direct", "halving-doubling"}));
    EXPECT_EQ(AlgorithmsOf({topology, {}, group, {AG, 100}}),
              (Names{"halving-doubling", "direct", "ring"}));
    EXPECT_EQ(AlgorithmsOf({topology, {}, group, {A2A, 100}}),
              (Names{"relay", "direct", "direct"}));
}

TEST(CollectivePlan, TakesTheAlgorithmAskedFor)
{
    const auto topology = MakeTopology("R(4)_FC(4)_SW(8)");
    const auto group = AllRanks(topology);
    using Names = std::vector<std::string>;
    CollectiveOptions options;
    options.algorithms[RS] = {"direct", "auto"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {RS, 100}}),
              (Names{"direct", "direct", "halving-doubling"}));
    options.algorithms[RS] = {"ring", "ring", "ring"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {RS, 100}}),
              (Names{"ring", "ring-one-way", "ring-one-way"}));
    options.algorithms[A2A] = {"ring", "ring", "ring"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {A2A, 100}}),
              (Names{"ring", "ring", "ring"}));
    options.algorithms[AR] = {"halving-doubling", "halving-doubling"};
    EXPECT_EQ(AlgorithmsOf({topology, options, group, {AR, 100}}), Names(6, "halving-doubling"));
}

TEST(CollectivePlan, RefusesWhatAnAlgorithmCannotDo)
{
    const auto topology = MakeTopology("R(6)_SW(4)");
    const auto group = AllRanks(topology);
    CollectiveOptions options;
    options.algorithms[AR] = {"relay"};
    const std::string text = ErrorOf([&] { CollectivePlan(topology, options, group, {AR, 100}); });
    ExpectIn("all-reduce over 6 members in dimension 0, Ring(6)", text);
    ExpectIn("it can do all-to-all only", text);
    ExpectIn("possible are ring, ring-one-way, direct", text);
    EXPECT_NO_THROW(CollectivePlan(topology, options, group, {AG, 100}));
    options.algorithms[A2A] = {"auto", "halving-doubling"};
    ExpectIn("dimension 1, Switch(4)",
             ErrorOf([&] { CollectivePlan(topology, options, group, {A2A, 100}); }));
    options.algorithms[AG] = {"ringg"};
    ExpectIn("did you mean \"ring\"",
             ErrorOf([&] { CollectivePlan(topology, options, group, {AG, 100}); }));
    options.algorithms[RS] = {"ring", "ring", "ring"};
    ExpectIn("algorithms for 3 dimensions, the topology has 2",
             ErrorOf([&] { CollectivePlan(topology, options, group, {RS, 100}); }));
}

TEST(CollectivePlan, RefusesBadArguments)
{
    const auto topology = MakeTopology("R(4)_SW(2)");
    const auto error = [&](const CollectiveOptions& options,
                           const std::vector<uint32_t>& group,
                           const std::vector<bool>& involved,
                           CollectiveType type,
                           uint64_t bytes) {
        return ErrorOf([&] { CollectivePlan(topology, options, group, {type, bytes, involved}); });
    };
    ExpectIn("has rank 3 twice", error({}, {3, 0, 3}, {}, AR, 1));
    ExpectIn("3 entries", error({}, {0, 1}, {true, true, false}, AR, 1));
    ExpectIn("needs 1 to 16777216 chunks", error(WithChunks(0), {0, 1}, {}, AR, 1));
    ExpectIn("given are 16777217 and 1", error(WithChunks(16777217), {0, 1}, {}, AR, 1));
    EXPECT_EQ(error(WithChunks(16777216), {0, 1}, {}, AR, 1), "");
    ExpectIn("1 chunk in flight", error(WithChunks(1, 0), {0, 1}, {}, AR, 1));
    ExpectIn("the root of a broadcast is rank 0, which is no member",
             error({}, {1, 2}, {}, CollectiveType::Broadcast, 1));
    ExpectIn("can hold at most", error({}, {0, 1, 2, 3}, {}, AG, uint64_t{1} << 61));
    ExpectIn("can hold at most", error({}, {0, 1, 2, 3}, {}, AR, uint64_t{1} << 63));
    EXPECT_EQ(error({}, {0, 1, 2, 3}, {}, AR, (uint64_t{1} << 63) - 1), "");
    EXPECT_EQ(error({}, {0, 1}, {true, true, true, true}, AR, 1), "");
}

TEST(CollectivePlan, NothingToDoHasNoChunks)
{
    const auto topology = MakeTopology("R(4)_SW(2)");
    EXPECT_EQ(CollectivePlan(topology, {}, {3}, {CollectiveType::Broadcast, 100}).GetNChunks(), 0);
    for (const auto type : TYPES)
    {
        EXPECT_EQ(CollectivePlan(topology, {}, {3}, {type, 100}).GetNChunks(), 0);
        EXPECT_EQ(CollectivePlan(topology, {}, AllRanks(topology), {type, 0}).GetNChunks(), 0);
        EXPECT_EQ(CollectivePlan(topology, {}, {0, 4}, {type, 9, {true, false}}).GetNChunks(), 0);
        const bool hasPieces = type == RS || type == A2A;
        EXPECT_EQ(CollectivePlan(topology, WithChunks(9), {0, 1}, {type, 3}).GetNChunks(),
                  hasPieces ? 1 : 3)
            << "a chunk has a byte for each member's piece";
    }
}

TEST(CollectivePlan, PartOfABlockRunsAsThatBlock)
{
    const auto topology = MakeTopology("R(8)_FC(8)_SW(8)");
    const auto check = [&](const std::vector<uint32_t>& group, const std::string& name) {
        const CollectivePlan plan(topology, {}, group, {RS, 100});
        EXPECT_EQ(AlgorithmsOf(plan), std::vector<std::string>{name});
        ExpectIn("is a part of dimension", plan.GetRemarks().at(0).text);
        EXPECT_EQ(plan.GetPeers(group[0], 0, 0), group);
        EXPECT_EQ(plan.GetPosition(group[2], 0, 0), 2);
        return plan.GetTopologyDimension(0);
    };
    EXPECT_EQ(check({5, 1, 3}, "ring"), 0);
    EXPECT_EQ(check({40, 8, 24}, "direct"), 1);
    EXPECT_EQ(check({0, 64, 192, 128}, "halving-doubling"), 2);
    EXPECT_EQ(check({0, 64, 128}, "halving-doubling"), 2);
    EXPECT_EQ(AlgorithmsOf({topology, {}, {5, 1, 3}, {A2A, 100}}),
              std::vector<std::string>{"relay"});
}

TEST(CollectivePlan, GroupAcrossBlocksIsALogicalRing)
{
    const auto topology = MakeTopology("R(4)_SW(4)");
    const CollectivePlan plan(topology, {}, {0, 5, 10}, {AR, 100, {true, false}});
    EXPECT_EQ(AlgorithmsOf(plan), std::vector<std::string>(2, "ring"));
    EXPECT_EQ(plan.GetTopologyDimension(0), topology.GetNDimensions());
    ASSERT_EQ(plan.GetRemarks().size(), 2);
    EXPECT_EQ(plan.GetRemarks()[0].subject, "the group of ranks 0, 5, 10");
    ExpectIn("is no sub-box of Ring(4)_Switch(4)", plan.GetRemarks()[0].text);
    ExpectIn("mask of involved dimensions is not applied", plan.GetRemarks()[1].text);
    EXPECT_EQ(AlgorithmsOf({topology, {}, {0, 5, 10}, {A2A, 100}}),
              std::vector<std::string>{"direct"});
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
        EXPECT_EQ(BytesSent({topology, {}, group, {RS, bytes}}, rank), scatter);
        EXPECT_EQ(BytesSent({topology, {}, group, {AR, bytes}}, rank), reduce);
        EXPECT_EQ(BytesSent({topology, {}, group, {AG, bytes}}, rank), gather);
        EXPECT_EQ(BytesSent({topology, {}, group, {A2A, bytes}}, rank), exchange);
    }
}

TEST(CollectivePlan, RootMovesWhatItSendsOrReceives)
{
    const auto topology = MakeTopology("SW(4)_FC(2)");
    const auto group = AllRanks(topology);
    const auto moved = [&](CollectiveType type, const std::string& algorithm, uint64_t bytes) {
        CollectiveOptions options;
        options.algorithms[type] = {algorithm, algorithm};
        return CollectivePlan(topology, options, group, {type, bytes, {}, 5}).GetBytesMoved();
    };
    for (const auto type : {CollectiveType::Broadcast, CollectiveType::Reduce})
    {
        EXPECT_EQ(moved(type, "direct", 800), 4 * 800U) << ToString(type);
        EXPECT_EQ(moved(type, "ring-one-way", 800), 2 * 800U) << ToString(type);
    }
    EXPECT_EQ(moved(CollectiveType::Scatter, "direct", 800), 7 * 100U);
    EXPECT_EQ(moved(CollectiveType::Gather, "direct", 100), 7 * 100U);
}

TEST(CollectivePlan, UnequalSizesAreCountedToTheByte)
{
    const auto matrix =
        std::make_shared<std::vector<uint64_t>>(std::vector<uint64_t>{7, 1, 3, 2, 0, 5, 0, 9, 4});
    CollectiveOptions options;
    options.chunks = 4;
    const CollectivePlan plan(MakeTopology("SW(3)"), options, {0, 1, 2}, {A2A, 13, {}, 0, matrix});
    EXPECT_EQ(plan.GetNChunks(), 4U);
    EXPECT_EQ(plan.GetBytesMoved(), 4U);
}

TEST(CollectivePlan, HugeTimesDoNotOverflow)
{
    const ClusterTopology topology(
        {{BuildingBlock::Ring, 64, 1, 1'000'000'000'000'000}, {BuildingBlock::Switch, 2, 1, 0}});
    const CollectivePlan plan(topology,
                              WithChunks(1000),
                              AllRanks(topology),
                              {AR, (uint64_t{1} << 63) - 1});
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
        const CollectivePlan plan(topology, {}, group, {AR, 1'000'000 + i});
        bytes += BytesSent(plan, group[i])[0];
    }
    EXPECT_GT(bytes, 20 * 2 * 15 * uint64_t{1'000'000 / 16});
    group.pop_back();
    const CollectivePlan flat(topology, {}, group, {AR, 1'000'000});
    EXPECT_EQ(flat.GetSchedule(group[7], 0, 0).GetSends().size(), 2 * 4094);
}
