/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Problems with a time target that holds the bandwidths back.

#include "error-of.h"

#include "ns3/bandwidth-solver.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

using Objective = BandwidthProblem::Objective;
using Numbers = std::vector<double>;

/// @param problem a problem @param text its constraint @param objective what is to be least
/// @return its answer, which is proved
BandwidthSolution
Solve(BandwidthProblem problem, const std::string& text, Objective objective)
{
    problem.Constrain(text);
    problem.objective = objective;
    const auto solution = BandwidthSolver::Solve(problem);
    EXPECT_LE(solution.GetGap(), 1e-6);
    return solution;
}

/// @param numbers found @param expected wanted @param tolerance allowed difference of each
void
ExpectNear(const Numbers& numbers, const Numbers& expected, double tolerance)
{
    ASSERT_EQ(numbers.size(), expected.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        EXPECT_NEAR(numbers[i], expected[i], tolerance) << "number " << i;
    }
}

} // namespace

TEST(BandwidthTargetTest, CollectivesThatNothingWaitsForAreLeftOut)
{
    BandwidthProblem problem(3);
    problem.prices = {1, 2, 3};
    auto& time = problem.time;
    const auto longest = time.MakeCollective({90, 10, 0});
    time.Add(TimeExpression::MakeConstant(5));
    time.Add(longest);
    time.Add(time.MakeCollective({0, 20, 0}), 4);
    auto crowded = problem;
    auto& more = crowded.time;
    more.MakeCollective({7, 5, 3});
    more.Add(more.MakeCollective({0, 5, 9}), 0);
    more.MakeMaximum({more.MakeCollective({1, 2, 9}), TimeExpression::MakeConstant(3)});
    more.MakeMaximum({more.MakeCollective({80, 9, 0}), longest});
    problem.target = crowded.target = 40;
    for (const auto objective : {Objective::Time, Objective::TimeTimesCost, Objective::Cost})
    {
        const auto alone = Solve(problem, "total = 60", objective);
        const auto among = Solve(crowded, "total = 60", objective);
        ExpectNear(among.bandwidths, alone.bandwidths, 1e-9);
        EXPECT_EQ(among.bound, alone.bound);
    }
    BandwidthProblem silent(1);
    silent.time.MakeCollective({1});
    silent.time.Add(TimeExpression::MakeConstant(1));
    EXPECT_EQ(ErrorOf([&] { Solve(silent, "total = 1", Objective::Time); }),
              "time: no collective sends anything, so that bandwidths change nothing");
}

TEST(BandwidthTargetTest, SharesAndPricesWhereTheTargetBinds)
{
    BandwidthProblem problem(2);
    problem.prices = {1, 4};
    auto& time = problem.time;
    time.Add(TimeExpression::MakeConstant(5));
    time.Add(time.MakeCollective({90, 0}));
    time.Add(time.MakeCollective({0, 160}));
    problem.target = 55;
    const auto check = [&](const BandwidthSolution& best, double price, double targetPrice) {
        ExpectNear(best.bandwidths, {3, 8}, 1e-6);
        ExpectNear(best.timeShares, {30, 20}, 1e-4);
        EXPECT_NEAR(best.shadowPrices[0] / price, 1, 1e-4);
        EXPECT_NEAR(best.targetPrice / targetPrice, 1, 1e-4);
    };
    check(Solve(problem, "b1 <= 3", Objective::Cost), 1 - 4 * 4, -1.6);
    check(Solve(problem, "b1 <= 3", Objective::TimeTimesCost), -15 * 55, 35 - 1.6 * 55);
}
