/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/cluster-topology.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

ClusterTopology
MakeTopology(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.linkBitRate = 1'000'000'000;
    }
    return ClusterTopology(dimensions);
}

} // namespace

TEST(ClusterTopology, ReadsLongAndShortNotation)
{
    EXPECT_EQ(MakeTopology("Ring(4)_FullyConnected(2)_Switch(8)").GetNotation(),
              "Ring(4)_FullyConnected(2)_Switch(8)");
    EXPECT_EQ(MakeTopology("R(4)_FC(2)_SW(8)").GetNotation(),
              "Ring(4)_FullyConnected(2)_Switch(8)");
    EXPECT_EQ(MakeTopology("SW(1)").GetNotation(), "Switch(1)");
    EXPECT_EQ(MakeTopology("R(4)_SW(8)").GetNRanks(), 32);
    EXPECT_EQ(ClusterTopology::ParseNotation("SW(2147483648)")[0].size, 1U << 31);
}

TEST(ClusterTopology, RefusesBadNotationNamingThePart)
{
    for (const std::string part : {"",         "Ring",        "Ring()",
                                   "Ring(0)",  "Ring(-1)",    "Ring(+2)",
                                   "(4)",      "Ring(4",      "Ring4)",
                                   "Ring(4))", "Ring((4)",    "Ring(4.0)",
                                   "RI(4)",    "ring(4)",     "Ring (4)",
                                   "Ring(4) ", " Ring(4)",    "Ring( 4)",
                                   "4",        "Ring(0x4)",   "Ring(04)",
                                   "Mesh(4)",  "Ring(4)x",    "Ring(2147483649)",
                                   "()",       ")",           "(",
                                   "Ring)4(",  "Ring(4)R(2)", "Ring(99999999999999999999)"})
    {
        const std::string text =
            ErrorOf([&] { ClusterTopology::ParseNotation("SW(2)_" + part + "_FC(3)"); });
        EXPECT_NE(text.find("part \"" + part + "\""), std::string::npos) << part << ": " << text;
        EXPECT_NE(text.find("allowed is Ring(n)"), std::string::npos) << text;
    }
    EXPECT_NE(ErrorOf([] { ClusterTopology::ParseNotation(""); }), "");
    EXPECT_NE(ErrorOf([] { ClusterTopology::ParseNotation("R(2)_"); }), "");
    EXPECT_NE(ErrorOf([] { ClusterTopology::ParseNotation("_R(2)"); }), "");
}

TEST(ClusterTopology, SuggestsTheNearestBlock)
{
    EXPECT_NE(ErrorOf([] {
                  ClusterTopology::ParseNotation("Swich(4)");
              }).find("did you mean \"Switch\"?"),
              std::string::npos);
    EXPECT_NE(
        ErrorOf([] { ClusterTopology::ParseNotation("ring (4)"); }).find("did you mean \"Ring\"?"),
        std::string::npos);
}

TEST(ClusterTopology, RefusesImpossibleDimensionsAllAtOnce)
{
    const std::string text = ErrorOf([] {
        ClusterTopology({{BuildingBlock::Ring, 0, 1, 0},
                         {BuildingBlock::Switch, 2, 0, 0},
                         {BuildingBlock::Switch, 2, 1, -1}});
    });
    EXPECT_NE(text.find("dimension 0: the size is 0"), std::string::npos) << text;
    EXPECT_NE(text.find("dimension 1: the rate of a link is 0"), std::string::npos) << text;
    EXPECT_NE(text.find("dimension 2: the latency is -1 ps"), std::string::npos) << text;
    EXPECT_NE(ErrorOf([] { ClusterTopology({}); }), "");
}

TEST(ClusterTopology, LimitsTheNumberOfRanks)
{
    EXPECT_EQ(MakeTopology("SW(65536)_SW(32768)").GetNRanks(), 1U << 31);
    EXPECT_NE(ErrorOf([] { MakeTopology("SW(65536)_SW(32769)"); }).find("more ranks"),
              std::string::npos);
    EXPECT_NE(
        ErrorOf([] { MakeTopology("SW(2147483648)_SW(2147483648)_SW(4)"); }).find("more ranks"),
        std::string::npos);
}

TEST(ClusterTopology, RateOfAMemberIsThatOfAllItsLinks)
{
    const struct
    {
        BuildingBlock block;
        uint32_t size;
        uint32_t links;
    } cases[] = {{BuildingBlock::Ring, 1, 0},
                 {BuildingBlock::Ring, 2, 1},
                 {BuildingBlock::Ring, 3, 2},
                 {BuildingBlock::Ring, 64, 2},
                 {BuildingBlock::FullyConnected, 1, 0},
                 {BuildingBlock::FullyConnected, 2, 1},
                 {BuildingBlock::FullyConnected, 8, 7},
                 {BuildingBlock::Switch, 1, 0},
                 {BuildingBlock::Switch, 2, 1},
                 {BuildingBlock::Switch, 8, 1}};

    for (const auto& c : cases)
    {
        TopologyDimension dimension{c.block, c.size, 0, 0};
        EXPECT_EQ(dimension.GetLinksPerMember(), c.links);
        dimension.SetMemberBitRate(700'000'000'003);
        const uint64_t links = std::max(1U, c.links);
        EXPECT_EQ(dimension.linkBitRate, 700'000'000'003 / links);
        EXPECT_EQ(dimension.GetMemberBitRate(), 700'000'000'003 / links * links);
    }
}

TEST(ClusterTopology, DigitsAreTheRankInMixedRadix)
{
    const auto topology = MakeTopology("R(3)_FC(4)_SW(1)_SW(5)");
    std::set<std::vector<uint32_t>> seen;
    for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
    {
        uint32_t sum = 0;
        std::vector<uint32_t> digits;
        for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
        {
            digits.push_back(topology.GetDigit(rank, k));
            sum += digits[k] * topology.GetStride(k);
            for (uint32_t d = 0; d < topology.GetDimension(k).size; ++d)
            {
                const uint32_t other = topology.WithDigit(rank, k, d);
                EXPECT_EQ(other,
                          rank - digits[k] * topology.GetStride(k) + d * topology.GetStride(k));
                EXPECT_EQ(topology.GetDigit(other, k), d);
            }
        }
        EXPECT_EQ(sum, rank);
        EXPECT_TRUE(seen.insert(digits).second);
    }
    EXPECT_EQ(topology.GetStride(1), 3);
    EXPECT_EQ(topology.GetDigit(1, 0), 1);
}
