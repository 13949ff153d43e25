/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"

#include "ns3/collective-group.h"

#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Ranks = std::vector<uint32_t>;

Ranks
DimensionsOf(const CollectiveGroup& group)
{
    Ranks dimensions;
    for (const auto& level : group.GetLevels())
    {
        dimensions.push_back(level.dimension);
    }
    return dimensions;
}

} // namespace

TEST(CollectiveGroup, MaskLeavesDimensionsOut)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(2)");
    const auto levels = [&](const std::vector<bool>& involved) {
        return DimensionsOf({topology, AllRanks(topology), involved});
    };
    EXPECT_EQ(levels({}), (Ranks{0, 1, 2}));
    EXPECT_EQ(levels({false}), (Ranks{1, 2}));
    EXPECT_EQ(levels({true, false, true}), (Ranks{0, 2}));
    EXPECT_EQ(levels({true, true, true, true}), (Ranks{0, 1, 2}));
    EXPECT_EQ(levels({false, false, false}), Ranks{});
    const CollectiveGroup middle(topology, AllRanks(topology), {false, true, false});
    EXPECT_EQ(middle.GetPeers(17, 0), (Ranks{13, 17, 21}));
    EXPECT_EQ(middle.GetPosition(17, 0), 1);
}

TEST(CollectiveGroup, FindsSubBoxesInAnyOrder)
{
    const auto topology = MakeTopology("R(4)_FC(3)_SW(2)");
    const CollectiveGroup box(topology, {22, 2, 6, 14, 10, 18}, {});
    EXPECT_EQ(DimensionsOf(box), (Ranks{1, 2}));
    EXPECT_EQ(box.GetPeers(14, 0), (Ranks{14, 18, 22}));
    EXPECT_EQ(box.GetPeers(14, 1), (Ranks{2, 14}));
    EXPECT_EQ(box.GetPosition(22, 0), 2);
    EXPECT_EQ(box.GetFirstMember(), 2);
    EXPECT_EQ(box.Describe(0), "dimension 1, FullyConnected(3)");
    EXPECT_EQ(box.GetBlock(1), BuildingBlock::Switch);
    EXPECT_TRUE(box.GetRemarks().empty());
}

TEST(CollectiveGroup, GridsHaveSomeDigitsOfADimension)
{
    const auto topology = MakeTopology("R(2)_FC(5)_SW(4)");
    const Ranks members{36, 2, 6, 32, 7, 37, 3, 33}; // digits 0 and 1, 1 and 3, 0 and 3
    const CollectiveGroup grid(topology, members, {});
    EXPECT_EQ(DimensionsOf(grid), (Ranks{0, 1, 2}));
    EXPECT_EQ(grid.GetLevels()[1].size, 2U);
    EXPECT_EQ(grid.GetPeers(37, 0), (Ranks{36, 37}));
    EXPECT_EQ(grid.GetPeers(37, 1), (Ranks{33, 37}));
    EXPECT_EQ(grid.GetPeers(37, 2), (Ranks{7, 37}));
    EXPECT_EQ(grid.GetPosition(37, 1), 1U);
    EXPECT_EQ(grid.GetPosition(3, 2), 0U);
    EXPECT_EQ(grid.GetFirstMember(), 2U);
    EXPECT_EQ(grid.GetDistance(1).bitRate, topology.GetDimension(1).GetMemberBitRate() / 4);
    EXPECT_EQ(grid.GetDistance(2).bitRate, topology.GetDimension(2).GetMemberBitRate());
    ASSERT_EQ(grid.GetRemarks().size(), 1U);
    EXPECT_EQ(grid.GetRemarks()[0].text,
              "is a part of dimension 1, FullyConnected(5), dimension 2, Switch(4): it runs as a "
              "smaller block of that kind; between its members lies 25 % of that dimension's "
              "bandwidth, so that a model which grants it all (LIBRA) is 4 times as fast");
    const CollectiveGroup masked(topology, members, {true, false, true});
    EXPECT_EQ(DimensionsOf(masked), (Ranks{0, 2}));
    EXPECT_EQ(masked.GetRemarks().size(), 1U);
    EXPECT_EQ(DimensionsOf({topology, members, {}, true}), Ranks{3}) << "flat if asked for";
    EXPECT_EQ(DimensionsOf({topology, {2, 6, 32, 37}, {}}), Ranks{3}) << "combinations are missing";
    const auto ring = MakeTopology("R(4)_SW(4)");
    EXPECT_EQ(DimensionsOf({ring, {0, 1, 4, 5}, {}}), Ranks{2}) << "parts of a Ring pass others";
    EXPECT_EQ(DimensionsOf({ring, {0, 1, 2, 3, 12, 13, 14, 15}, {}}), (Ranks{0, 1}));
}

TEST(CollectiveGroup, EveryGroupIsABoxOrFlat)
{
    const auto topology = MakeTopology("R(2)_FC(3)_SW(2)");
    uint32_t nBoxes = 0;
    for (uint32_t mask = 1; mask < 1U << 12; ++mask)
    {
        Ranks members;
        std::set<uint32_t> digits[3];
        for (uint32_t rank = 0; rank < 12; ++rank)
        {
            for (uint32_t k = 0; k < 3 && (mask >> rank & 1); ++k)
            {
                digits[k].insert(topology.GetDigit(rank, k));
            }
            if (mask >> rank & 1)
            {
                members.push_back(rank);
            }
        }
        bool isBox = members.size() == digits[0].size() * digits[1].size() * digits[2].size();
        for (uint32_t k = 0; k < 3; ++k)
        {
            isBox &= digits[k].size() == 1 || digits[k].size() == topology.GetDimension(k).size;
        }
        nBoxes += isBox;
        EXPECT_EQ(CollectiveGroup(topology, members, {}).GetRemarks().empty(), isBox) << mask;
    }
    EXPECT_EQ(nBoxes, 3 * 4 * 3);
}

TEST(CollectiveGroup, FlatGroupsKeepTheirOrder)
{
    const auto topology = MakeTopology("R(4)_SW(4)");
    const CollectiveGroup block(topology, {12, 0, 8}, {});
    EXPECT_EQ(DimensionsOf(block), Ranks{1});
    EXPECT_EQ(block.GetPeers(8, 0), (Ranks{12, 0, 8}));
    EXPECT_EQ(block.GetPosition(8, 0), 2);
    EXPECT_EQ(block.GetFirstMember(), 12);
    EXPECT_EQ(block.GetBlock(0), BuildingBlock::Switch);
    const CollectiveGroup across(topology, {10, 0, 5}, {});
    EXPECT_EQ(DimensionsOf(across), Ranks{2});
    EXPECT_EQ(across.GetPeers(0, 0), (Ranks{10, 0, 5}));
    EXPECT_EQ(across.GetBlock(0), std::nullopt);
    EXPECT_EQ(across.Describe(0), "a group across dimensions");
}

TEST(CollectiveGroup, FlatDimensionsKeepTheOrderOfTheGroup)
{
    const auto topology = MakeTopology("R(2)_FC(3)");
    const CollectiveGroup box(topology, {4, 0, 2}, {});
    EXPECT_EQ(box.GetPosition(4, 0), 2U);
    const CollectiveGroup flat(topology, {4, 0, 2}, {}, true);
    EXPECT_EQ(flat.GetPeers(0, 0), (Ranks{4, 0, 2}));
    EXPECT_EQ(flat.GetPosition(4, 0), 0U);
    EXPECT_EQ(DimensionsOf(flat), (Ranks{1}));
    EXPECT_EQ(flat.GetDistance(0).bitRate, box.GetDistance(0).bitRate);
    const CollectiveGroup pair(topology, {1, 0}, {}, true);
    EXPECT_EQ(pair.GetPosition(1, 0), 0U);
    EXPECT_EQ(pair.GetDistance(0).bitRate, topology.GetDimension(0).GetMemberBitRate());
}

TEST(CollectiveGroup, DistanceIsThatOfTheSlowestDimension)
{
    const ClusterTopology topology({{BuildingBlock::Ring, 4, 1000, 7},
                                    {BuildingBlock::Switch, 4, 1500, 10},
                                    {BuildingBlock::Switch, 1, 1, 1000}});
    const CollectiveGroup all(topology, AllRanks(topology), {});
    EXPECT_EQ(all.GetDistance(0).latencyPs, 7);
    EXPECT_EQ(all.GetDistance(0).bitRate, 2000);
    EXPECT_EQ(all.GetDistance(1).latencyPs, 20);
    EXPECT_EQ(all.GetDistance(1).bitRate, 1500);
    const CollectiveGroup across(topology, {10, 0, 5}, {});
    EXPECT_EQ(across.GetDistance(0).latencyPs, 27);
    EXPECT_EQ(across.GetDistance(0).bitRate, 1500);
}

TEST(CollectiveGroup, RefusesBadMembersAndMasks)
{
    const auto topology = MakeTopology("R(4)_SW(2)");
    const auto error = [&](const Ranks& ranks, const std::vector<bool>& involved) {
        return ErrorOf([&] { CollectiveGroup(topology, ranks, involved); });
    };
    EXPECT_EQ(error({}, {}), "a group needs ranks from 0 to 7, it has none");
    EXPECT_EQ(error({0, 8}, {}), "a group needs ranks from 0 to 7, it has rank 8");
    EXPECT_EQ(error({3, 0, 3}, {}), "a group has rank 3 twice");
    const std::string mask = "the mask of involved dimensions has 3 entries, topology "
                             "Ring(4)_Switch(2) has 2 dimensions";
    EXPECT_EQ(error({0, 1}, {true, true, false}), mask);
    EXPECT_EQ(error({0, 1}, {false, true, true}), mask);
    EXPECT_EQ(error({0, 1}, {true, true, true, true}), "");
}
