/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "text-cases.h"

#include "ns3/rank-digits.h"

using namespace ns3::mlcluster;

namespace
{

using Mask = std::vector<bool>; ///< dimensions

} // namespace

TEST(RankDigitsTest, EveryRankIsInOneGroup)
{
    const std::vector<std::vector<RankDigits::Digit>>
        cases{{}, {{1, 24}}, {{1, 4}}, {{4, 6}}, {{2, 3}}, {{1, 2}, {4, 3}}, {{2, 2}, {12, 2}}};
    for (const auto& digits : cases)
    {
        const RankDigits groups(digits, 24);
        CommunicatorGroups members;
        GroupFamilies families;
        groups.AddFamily("f", members, families);
        EXPECT_EQ(members.size(), 24 / groups.GetSize());
        for (uint32_t rank = 0; rank < 24; ++rank)
        {
            const auto& own = members.at("f." + std::to_string(families.at("f").at(rank)));
            EXPECT_EQ(own.size(), groups.GetSize());
            EXPECT_EQ(std::count(own.begin(), own.end(), rank), 1);
            EXPECT_EQ(own.front(), groups.GetFirst(rank));
            EXPECT_TRUE(std::is_sorted(own.begin(), own.end()));
        }
    }
}

TEST(RankDigitsTest, WholeDimensionsAreFound)
{
    const auto topology = MakeTopology("R(2)_FC(4)_R(1)_SW(3)");
    const auto find = [&](const std::vector<RankDigits::Digit>& digits) {
        return RankDigits(digits, 24).FindDimensions(topology);
    };
    EXPECT_EQ(find({{1, 24}}), Mask{});
    EXPECT_EQ(find({{1, 2}}), (Mask{true, false, false, false}));
    EXPECT_EQ(find({{1, 8}}), (Mask{true, true, false, false}));
    EXPECT_EQ(find({{2, 12}}), (Mask{false, true, false, true}));
    EXPECT_EQ(find({{1, 2}, {8, 3}}), (Mask{true, false, false, true}));
    EXPECT_EQ(find({{1, 4}}), std::nullopt);
    EXPECT_EQ(find({{4, 6}}), std::nullopt);
    EXPECT_EQ(find({{2, 2}}), std::nullopt);
    EXPECT_EQ(find({}), (Mask{false, false, false, false}));
}

TEST(RankDigitsTest, DigitsMustDivideTheRanks)
{
    const auto refuse = [](const std::vector<RankDigits::Digit>& digits) {
        return ErrorOf([&] { RankDigits(digits, 24); });
    };
    EXPECT_EQ(refuse({{1, 5}}), "groups of 5 ranks, 1 apart, do not divide 24 ranks evenly");
    EXPECT_EQ(refuse({{1, 4}, {6, 2}}), "groups of 4 ranks, 1 apart, do not divide 6 ranks evenly");
    EXPECT_EQ(refuse({{0, 2}}), "groups of 2 ranks, 0 apart, do not divide 24 ranks evenly");
    EXPECT_EQ(refuse({{1, 0}}), "groups of 0 ranks, 1 apart, do not divide 24 ranks evenly");
    EXPECT_EQ(refuse({{1, 4}, {4, 4}}),
              "groups of 4 ranks, 4 apart, do not divide 24 ranks evenly");
}
