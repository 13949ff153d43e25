/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "schedule-oracle.h"

#include "ns3/collective-plan.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// All members of a phase must mean the same; each phase is proven by the oracle.
void
ProvePhases(const CollectivePlan& plan)
{
    std::set<std::tuple<std::vector<uint32_t>, uint32_t, uint32_t>> done;
    for (const uint32_t rank : plan.GetGroup())
    {
        for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
        {
            const auto peers = plan.GetPeers(rank, 0, phase);
            ASSERT_EQ(peers.at(plan.GetPosition(rank, 0, phase)), rank);
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
                    ASSERT_EQ(plan.GetPeers(peer, 0, phase), peers);
                    ASSERT_EQ(plan.GetRequest(peer, chunk, phase).pieces, request.pieces);
                    schedules.push_back(plan.GetSchedule(peer, chunk, phase));
                }
                ASSERT_EQ(request.pieces.size(), peers.size());
                ASSERT_EQ(request.type, plan.GetPhase(0, phase).type);
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
            const auto peers = plan.GetPeers(rank, 0, phase);
            const auto pieces = plan.GetRequest(rank, chunk, phase).pieces;
            const uint32_t position = plan.GetPosition(rank, 0, phase);
            const auto sum = [&](uint32_t count) {
                return std::accumulate(pieces.begin(), pieces.begin() + count, uint64_t{0});
            };
            Region region = regions[rank];
            if (plan.GetPhase(0, phase).type == RS)
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

TEST(CollectivePlanProof, PhasesFitTogetherForAnySize)
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
                const CollectivePlan plan(topology, WithChunks(3), group, {type, bytes});
                ProvePhases(plan);
            }
        }
    }
}

TEST(CollectivePlanProof, RegionsComposeToWhatIsPromised)
{
    for (const std::string notation : {"R(4)_FC(3)_SW(2)", "R(5)_SW(3)", "SW(2)_SW(2)_R(3)_FC(2)"})
    {
        const auto topology = MakeTopology(notation);
        const auto group = AllRanks(topology);
        const std::set<uint32_t> everyone(group.begin(), group.end());
        for (const uint64_t bytes : {1, 7, 24, 1001})
        {
            const CollectivePlan reduce(topology, WithChunks(1), group, {AR, bytes});
            for (const auto& [rank, region] : MoveRegions(reduce, 0, bytes))
            {
                EXPECT_EQ(region.begin, 0);
                EXPECT_EQ(region.end, bytes);
                EXPECT_EQ(region.contributors, everyone);
            }
            const CollectivePlan scatter(topology, WithChunks(1), group, {RS, bytes});
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

TEST(CollectivePlanProof, AllToAllMovesEveryPieceToItsDestination)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(2)");
    const auto group = AllRanks(topology);
    const uint64_t unit = 10;
    const CollectivePlan plan(topology, WithChunks(1), group, {A2A, unit * group.size()});
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
            const auto peers = plan.GetPeers(rank, 0, phase);
            std::vector<uint64_t> pieces(peers.size());
            for (const auto& item : holdings[rank])
            {
                const uint32_t position = plan.GetPosition(item.second, 0, phase);
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
