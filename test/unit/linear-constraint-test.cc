/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/bandwidth-region.h"
#include "ns3/linear-constraint.h"
#include "ns3/linear-program.h"
#include "ns3/pareto-tangents.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::mlcluster;

namespace
{

using Numbers = std::vector<double>;
using Relation = LinearConstraint::Relation;

/// @param text constraints on three dimensions @return them
std::vector<LinearConstraint>
Parse(const std::string& text)
{
    return ParseLinearConstraints(text, {2, 3, 4}, 10);
}

/// @param texts constraints on three dimensions @return them
std::vector<LinearConstraint>
ParseAll(const std::vector<std::string>& texts)
{
    std::vector<LinearConstraint> all;
    for (const auto& text : texts)
    {
        const auto some = Parse(text);
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

} // namespace

TEST(LinearConstraintTest, Reads)
{
    const struct
    {
        std::string text;
        Numbers coefficients;
        Relation relation;
        double value;
    } cases[] = {
        {"b1 + b2 = 50", {1, 1, 0}, Relation::Equal, 50},
        {"B <= 5", {}, Relation::AtMost, 0},
        {"b1>=2 b2", {1, -2, 0}, Relation::AtLeast, 0},
        {"2.5*b1 - 3e1*b3 + 4 <= -b2 + 1", {2.5, 1, -30}, Relation::AtMost, -3},
        {"total <= 1e3", {1, 1, 1}, Relation::AtMost, 1000},
        {"cost = 2e+7", {2, 3, 4}, Relation::Equal, 2e7 - 10},
        {"-b3 >= 1e-3 - total", {1, 1, 0}, Relation::AtLeast, 1e-3},
        {"b2 + b2 = 8", {0, 2, 0}, Relation::Equal, 8},
        {"500 = total", {1, 1, 1}, Relation::Equal, 500},
        {"10 - 2>=b1 + 3 ", {1, 0, 0}, Relation::AtMost, 5},
        {"b1 - b1 + 7 <= 2 b3", {0, 0, 2}, Relation::AtLeast, 7},
    };

    for (const auto& entry : cases)
    {
        if (entry.coefficients.empty())
        {
            EXPECT_NE(ErrorOf([&] { Parse(entry.text); }).find("\"B\" stands in"),
                      std::string::npos);
            continue;
        }
        const auto constraints = Parse(entry.text);
        ASSERT_EQ(constraints.size(), 1);
        EXPECT_EQ(constraints[0].coefficients, entry.coefficients) << entry.text;
        EXPECT_EQ(constraints[0].relation, entry.relation) << entry.text;
        EXPECT_EQ(constraints[0].value, entry.value) << entry.text;
        EXPECT_EQ(constraints[0].text, entry.text.substr(0, entry.text.find_last_not_of(' ') + 1));
    }
    const auto chain = Parse("10 <= b1<= b2  = 30");
    ASSERT_EQ(chain.size(), 3);
    EXPECT_EQ(chain[0].coefficients, (Numbers{1, 0, 0}));
    EXPECT_EQ(chain[0].relation, Relation::AtLeast);
    EXPECT_EQ(chain[0].value, 10);
    EXPECT_EQ(chain[0].text, "10 <= b1");
    EXPECT_EQ(chain[1].coefficients, (Numbers{1, -1, 0}));
    EXPECT_EQ(chain[1].text, "b1<= b2");
    EXPECT_EQ(chain[2].text, "b2  = 30");
}

TEST(LinearConstraintTest, Refusals)
{
    for (const std::string text : {"",
                                   "b1",
                                   "b1 = ",
                                   "b1 == 3",
                                   "b1 < 3",
                                   "b4 = 1",
                                   "b0 = 1",
                                   "b01 = 1",
                                   "b = 1",
                                   "3 = 4",
                                   "b1 = b1",
                                   "b1 + = 3",
                                   "b1 b2 = 3",
                                   "b1 = 3 3",
                                   "b1 * 2 = 3",
                                   "b1 = 1e",
                                   "b1 = 1..2",
                                   "b1 = inf",
                                   "b1 = 1e999",
                                   "b1 = 3;",
                                   "(b1) = 3",
                                   "total1 = 3",
                                   "b99999999999999999999 = 1"})
    {
        EXPECT_NE(ErrorOf([&] { Parse(text); }), "") << text;
    }
    EXPECT_EQ(ErrorOf([] { Parse("b1 + b4 = 3"); }),
              "\"b4\" stands in \"b1 + b4 = 3\" where b1 to b3, total or cost is needed");
    EXPECT_EQ(ErrorOf([] { Parse("b1 < 3"); }),
              "\"<\" stands in \"b1 < 3\" where <=, >= or = is needed");
    EXPECT_EQ(ErrorOf([] { Parse("b1 - b1 <= 3"); }),
              "\"b1 - b1 <= 3\" compares nothing that depends on bandwidths");
    EXPECT_EQ(ErrorOf([] { Parse("b1 \u2265 3"); }),
              "\"\u2265\" stands in \"b1 \u2265 3\" where <=, >= or = is needed");
}

TEST(LinearConstraintTest, RefusesNumbersBeyondBandwidths)
{
    EXPECT_EQ(ErrorOf([] { Parse("total = 1e300"); }),
              "\"total = 1e300\" is about bandwidths of 1e+300 GB/s; allowed are 1e-9 to 1e9");
    EXPECT_EQ(ErrorOf([] { Parse("2 b1 <= 1e-9"); }),
              "\"2 b1 <= 1e-9\" is about bandwidths of 5e-10 GB/s; allowed are 1e-9 to 1e9");
    EXPECT_EQ(ErrorOf([] { Parse("cost <= 1e10"); }),
              "\"cost <= 1e10\" is about bandwidths of 2499999997.5 GB/s; allowed are 1e-9 to 1e9");
    EXPECT_EQ(ErrorOf([] { Parse("b1 <= 2e9 b2"); }),
              "\"b1 <= 2e9 b2\" has factors that differ by more than 1e9, which is the most");
    EXPECT_EQ(Parse("1e20 b1 <= 1e29")[0].value, 1e29);
    EXPECT_EQ(Parse("b1 >= 0")[0].value, 0);
}

TEST(LinearProgramTest, AgreesWithCorners)
{
    std::mt19937 random(9);
    const auto draw = [&] { return static_cast<double>(random() % 19) - 9; };
    int nFeasible = 0;
    for (int i = 0; i < 1000; ++i)
    {
        std::vector<LinearConstraint> rows;
        for (int r = 0; r < 3; ++r)
        {
            rows.push_back({{draw(), draw()}, static_cast<Relation>(random() % 3), draw(), "", {}});
        }
        rows.push_back({{1, 1}, Relation::AtMost, 40, "", {}});
        std::vector<LinearConstraint> all = rows;
        all.push_back({{1, 0}, Relation::AtLeast, 0, "", {}});
        all.push_back({{0, 1}, Relation::AtLeast, 0, "", {}});
        bool isZero = false;
        for (const auto& row : rows)
        {
            isZero = isZero || (row.coefficients[0] == 0 && row.coefficients[1] == 0);
        }
        if (isZero)
        {
            continue;
        }
        const Numbers objective{draw(), draw()};
        double least = INFINITY;
        for (const auto& a : all)
        {
            for (const auto& b : all)
            {
                const double det =
                    a.coefficients[0] * b.coefficients[1] - a.coefficients[1] * b.coefficients[0];
                const Numbers corner{
                    (a.value * b.coefficients[1] - a.coefficients[1] * b.value) / det,
                    (a.coefficients[0] * b.value - a.value * b.coefficients[0]) / det};
                const bool isIn =
                    det != 0 && std::all_of(all.begin(), all.end(), [&](const auto& row) {
                        return row.GetExcess(corner) < 1e-9;
                    });
                least = isIn ? std::min(least, objective[0] * corner[0] + objective[1] * corner[1])
                             : least;
            }
        }
        const LinearProgram program(2, rows);
        ASSERT_EQ(program.IsFeasible(), std::isfinite(least)) << "program " << i;
        if (program.IsFeasible())
        {
            ++nFeasible;
            const auto point = program.Minimise(objective);
            ASSERT_TRUE(point);
            EXPECT_NEAR(objective[0] * (*point)[0] + objective[1] * (*point)[1], least, 1e-8);
        }
    }
    EXPECT_GT(nFeasible, 100);
    EXPECT_LT(nFeasible, 900);
}

TEST(LinearProgramTest, TellsWhatHasNoLeastValue)
{
    const LinearProgram program(3, ParseAll({"b1 - b2 = 3", "b3 <= 4"}));
    EXPECT_FALSE(program.Minimise({-1, 0, 0}));
    EXPECT_EQ(*program.Minimise({1, 0, -1}), (Numbers{3, 0, 4}));
    EXPECT_FALSE(LinearProgram(3, ParseAll({"b1 <= -1"})).IsFeasible());
}

TEST(LinearProgramTest, SeesContradictionsBesideLargeNumbers)
{
    EXPECT_FALSE(LinearProgram(3, ParseAll({"b1 <= 1e9", "b2 = 40", "b2 = 40.5"})).IsFeasible());
    EXPECT_TRUE(LinearProgram(3, ParseAll({"b1 <= 1e9", "b2 = 40", "2 b2 = 80"})).IsFeasible());
}

TEST(BandwidthRegionTest, FindsLimitsAndRoom)
{
    const BandwidthRegion region(
        3,
        ParseAll({"total = 10", "b1 <= 4", "b2 <= 4", "b3 <= 2", "b1 >= 1"}));
    EXPECT_EQ(region.GetFreeDirections(region.GetInterior()).size(), 0) << "only 4, 4, 2 is left";
    EXPECT_NEAR(region.GetInterior()[0], 4, 1e-9);
    EXPECT_NEAR(region.GetInterior()[2], 2, 1e-9);
    const BandwidthRegion open(3, ParseAll({"b1 + b2 = 10", "b3 >= b1", "b2 <= 7"}));
    EXPECT_EQ(open.GetEquations().size(), 1);
    EXPECT_EQ(open.GetInequalities().size(), 2);
    EXPECT_NEAR(open.GetLeast()[0], 3, 1e-9);
    EXPECT_NEAR(open.GetMost()[0], 10, 1e-9);
    EXPECT_EQ(open.GetMost()[2], INFINITY);
    EXPECT_EQ(open.GetOpen(), (std::vector<bool>{true, true, true}));
    const auto& inside = open.GetInterior();
    EXPECT_NEAR(inside[0] + inside[1], 10, 1e-9);
    EXPECT_GT(inside[2], inside[0] + .1);
    EXPECT_LT(inside[1], 6.9);
    EXPECT_EQ(BandwidthRegion(3, ParseAll({"b2 + b3 <= 0"})).GetOpen(),
              (std::vector<bool>{true, false, false}));
    EXPECT_EQ(BandwidthRegion(3, {}).GetFreeDirections({1, 2, 3}).size(), 3);
}

TEST(BandwidthRegionTest, NamesPlacesOfContradictions)
{
    auto constraints = ParseAll({"b1 <= 4", "b2 >= 1", "b1 >= 5"});
    constraints[0].place = {"net.yaml", 3, "constraints[0]"};
    EXPECT_EQ(ErrorOf([&] { BandwidthRegion(3, constraints); }),
              "no bandwidths meet all of these constraints, though they would meet all but one: "
              "b1 <= 4 (net.yaml:3); b1 >= 5");
    EXPECT_EQ(
        ErrorOf([&] { BandwidthRegion(3, ParseAll({"b1 <= 1e9", "total = 90", "total = 89.9"})); }),
        "no bandwidths meet all of these constraints, though they would meet all but one: "
        "total = 90; total = 89.9");
}

TEST(BandwidthRegionTest, LooseLimitsDoNotSpoilOthers)
{
    for (const std::string loose : {"b1 <= 1e9", "1e9 >= b1", "b1 <= 1e9 + b2", "cost <= 1e9"})
    {
        const BandwidthRegion region(3, ParseAll({"total = 1e-3", loose}));
        EXPECT_EQ(region.GetOpen(), (std::vector<bool>{true, true, true})) << loose;
        EXPECT_NEAR(region.GetMost()[0], 1e-3, 1e-12) << loose;
        EXPECT_EQ(region.GetInequalities().size(), 1) << loose;
    }
}

TEST(BandwidthRegionTest, NamesWhatLeavesNoBandwidth)
{
    const auto refuse = [](const std::vector<std::string>& texts) {
        const auto constraints = ParseAll(texts);
        return ErrorOf(
            [&] { BandwidthRegion(3, constraints).CheckOpen({false, true, true}, constraints); });
    };
    EXPECT_EQ(refuse({"total = 9", "b1 <= 5", "b2 >= 9"}),
              "b3, where collectives send, is left no bandwidth, or next to none, by total = 9; "
              "b2 >= 9");
    EXPECT_EQ(refuse({"total = 9", "b2 <= 1e-8", "b3 >= 1"}),
              "b2, where collectives send, is left no bandwidth, or next to none, by b2 <= 1e-8");
    EXPECT_EQ(refuse({"total = 9", "b1 = 0"}), "") << "nothing is sent in b1";
}

TEST(ParetoTangentsTest, CutsCorners)
{
    ParetoTangents tangents(1, 1);
    EXPECT_EQ(tangents.GetLowest().time, 1);
    EXPECT_FALSE(tangents.Add(1, 2));
    EXPECT_TRUE(tangents.Add(1, 4));
    EXPECT_EQ(tangents.GetLowest().time * tangents.GetLowest().cost, 3);
    EXPECT_TRUE(tangents.Add(2, 6));
    EXPECT_TRUE(tangents.Add(.5, 3));
    EXPECT_EQ(tangents.GetLowest().time * tangents.GetLowest().cost, 4) << "2, 2 or 4, 1 or 1, 4";
    EXPECT_FALSE(tangents.Add(1, 4));
    for (double s = .01; s < 100; s *= 1.05)
    {
        tangents.Add(s, 2 * std::sqrt(9 * s));
    }
    const auto corner = tangents.GetLowest();
    EXPECT_LE(corner.time * corner.cost, 9);
    EXPECT_GE(corner.time * corner.cost, 9 * (1 - std::pow(std::log(1.05), 2) / 4)) << "T C >= 9";
}
