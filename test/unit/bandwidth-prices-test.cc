/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-cases.h"

#include "ns3/bandwidth-solver.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3::mlcluster;

namespace
{

TEST(BandwidthPricesTest, TimeThatWaitsUnderATarget)
{
    using Objective = BandwidthProblem::Objective;
    for (const auto objective : {Objective::Cost, Objective::TimeTimesCost, Objective::Time})
    {
        BandwidthProblem problem = MakeSmall('A');
        problem.objective = objective;
        problem.target = 140;
        const auto solution = BandwidthSolver::Solve(problem);
        double waiting = 0;
        for (const double share : solution.timeShares)
        {
            waiting += share;
        }
        EXPECT_NEAR(waiting, solution.time - 50, 1e-4 * solution.time); // 50 ms of compute
        EXPECT_LE(solution.time, 140 * (1 + 1e-9));
    }
}

TEST(BandwidthPricesTest, PricesWhereNothingIsLeftOpen)
{
    BandwidthProblem problem(3);
    problem.time.Add(problem.time.MakeCollective({42, 0, 7}));
    problem.time.Add(problem.time.MakeCollective({0, 14, 0}), 2);
    problem.Constrain("b1 = 7");
    problem.Constrain("b2 = 2");
    problem.Constrain("b3 = 4");
    const auto solution = BandwidthSolver::Solve(problem);
    EXPECT_DOUBLE_EQ(solution.time, 6 + 14);
    const std::vector<double> prices{-6.0 / 7, -7, 0};
    for (std::size_t i = 0; i < prices.size(); ++i)
    {
        EXPECT_NEAR(solution.shadowPrices[i], prices[i], 1e-6) << i;
    }
}

/// @param random source @param objective what is least @return a problem of three dimensions with a
/// total and two inequalities
BandwidthProblem
DrawProblem(std::mt19937& random, BandwidthProblem::Objective objective)
{
    const auto draw = [&](double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(random);
    };
    BandwidthProblem problem(3);
    problem.objective = objective;
    problem.prices = {draw(1, 2), draw(1, 5), draw(5, 20)};
    problem.time.Add(TimeExpression::MakeConstant(draw(1, 100)));
    problem.time.Add(problem.time.MakeCollective({draw(100, 900), draw(10, 90), 0}));
    problem.time.Add(problem.time.MakeCollective({0, draw(10, 90), draw(10, 90)}));
    problem.Constrain("total = 100");
    problem.Constrain("b1 <= " + std::to_string(draw(20, 90)));
    problem.Constrain("b3 >= " + std::to_string(draw(1, 30)));
    return problem;
}

TEST(BandwidthPricesTest, AreDerivatives)
{
    constexpr double LITTLE = 1e-3;
    std::mt19937 random(12);
    for (int i = 0; i < 60; ++i)
    {
        const auto objective = i % 2 == 0 ? BandwidthProblem::Objective::Time
                                          : BandwidthProblem::Objective::TimeTimesCost;
        const BandwidthProblem problem = DrawProblem(random, objective);
        const auto solution = BandwidthSolver::Solve(problem);
        for (std::size_t k = 0; k < problem.constraints.size(); ++k)
        {
            const auto solve = [&](double change) {
                BandwidthProblem other = problem;
                other.constraints[k].value += change;
                return BandwidthSolver::Solve(other).value;
            };
            const double before = (solution.value - solve(-LITTLE)) / LITTLE;
            const double after = (solve(LITTLE) - solution.value) / LITTLE;
            const double tolerance = 1e-3 * (1 + std::abs(before)) + std::abs(before - after);
            EXPECT_NEAR(solution.shadowPrices[k], (before + after) / 2, tolerance)
                << i << ": " << problem.constraints[k].text;
        }
    }
}

} // namespace
