/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-cases.h"
#include "error-of.h"

#include "ns3/bandwidth-solver.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::mlcluster;

namespace
{

using Objective = BandwidthProblem::Objective;
using Numbers = std::vector<double>;

/// @param problem a problem with speeds for all dimensions @return the least
/// value of all choices
double
TryAll(const BandwidthProblem& problem)
{
    double least = INFINITY;
    Numbers chosen(problem.speeds.size());
    const std::function<void(std::size_t)> choose = [&](std::size_t d) {
        if (d < chosen.size())
        {
            for (const double speed : problem.speeds[d])
            {
                chosen[d] = speed;
                choose(d + 1);
            }
            return;
        }
        const bool meets =
            std::all_of(problem.constraints.begin(), problem.constraints.end(), [&](const auto& c) {
                return c.GetExcess(chosen) <= 1e-9 * std::abs(c.value);
            });
        const bool isInTime =
            !problem.target || problem.time.Evaluate(chosen).total <= *problem.target;
        least = meets && isInTime ? std::min(least, problem.GetValue(chosen)) : least;
    };
    choose(0);
    return least;
}

} // namespace

TEST(BandwidthSpeedsTest, AgreesWithAllChoices)
{
    std::mt19937 random(6);
    int nFeasible = 0;
    for (int i = 0; i < 60; ++i)
    {
        auto problem = MakePublished(static_cast<PublishedModel>(random() % 4), true);
        problem.objective = static_cast<Objective>(random() % 3);
        for (int d = 0; d < 4; ++d)
        {
            problem.speeds.emplace_back();
            for (int n = 2 + random() % 4; n > 0; --n)
            {
                problem.speeds.back().push_back(10. * (1 + random() % 40) / (d + 1));
            }
        }
        problem.Constrain("total <= " + std::to_string(300 + random() % 400));
        problem.Constrain("b1 >= b2");
        if (problem.objective == Objective::Cost)
        {
            problem.target = problem.time.Evaluate({200, 100, 60, 30}).total;
        }
        const double least = TryAll(problem);
        BandwidthSolution solution;
        const std::string error = ErrorOf([&] { solution = BandwidthSolver::Solve(problem); });
        ASSERT_EQ(error.empty(), std::isfinite(least)) << "problem " << i << ": " << error;
        if (error.empty())
        {
            ++nFeasible;
            EXPECT_NEAR(solution.value / least, 1, 1e-8) << "problem " << i;
            EXPECT_LE(solution.bound, least) << "problem " << i;
            EXPECT_LE(solution.GetGap(), 1e-6) << "problem " << i;
            for (std::size_t d = 0; d < 4; ++d)
            {
                const auto& list = problem.speeds[d];
                EXPECT_EQ(std::count(list.begin(), list.end(), solution.bandwidths[d]) > 0, true);
            }
        }
    }
    EXPECT_GT(nFeasible, 20);
    EXPECT_LT(nFeasible, 60);
}

TEST(BandwidthSpeedsTest, SomeDimensionsMayHaveAnySpeed)
{
    auto problem = MakePublished(PublishedModel::Gpt3, true);
    problem.Constrain("total = 500");
    problem.speeds = {{100, 300, 400}, {}, {}, {25, 50}};
    const auto solution = BandwidthSolver::Solve(problem);
    EXPECT_EQ(solution.bandwidths[0], 300);
    EXPECT_EQ(solution.bandwidths[3], 25);
    EXPECT_NEAR(solution.bandwidths[1] + solution.bandwidths[2], 175, 1e-6);
    EXPECT_TRUE(solution.shadowPrices.empty());
    problem.speeds = {{100}, {100}, {100}, {100}};
    EXPECT_NE(ErrorOf([&] { BandwidthSolver::Solve(problem); }).find("the speeds of b1"),
              std::string::npos);
    problem.speeds = {{100, 300}, {100, 300}, {100, 300}, {110, 310}};
    EXPECT_NE(ErrorOf([&] { BandwidthSolver::Solve(problem); }).find("no choice of the speeds"),
              std::string::npos);
    problem.speeds = {{100}};
    EXPECT_NE(ErrorOf([&] { BandwidthSolver::Solve(problem); }).find("a list for each dimension"),
              std::string::npos);
}
