/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-cases.h"
#include "error-of.h"

#include "ns3/bandwidth-refiner.h"
#include "ns3/bandwidth-solver.h"

#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace ns3::mlcluster;

namespace
{

using Objective = BandwidthProblem::Objective;
using Numbers = std::vector<double>;
using Result = BandwidthRefiner::Result;

/// @param bytes per dimension of a time that is the sum of what each dimension takes
/// @return a time without kinks, 1e6 ns of it constant
BandwidthRefiner::Time
MakeSum(const Numbers& bytes)
{
    return [bytes](const Numbers& b) {
        double time = 1e6;
        for (std::size_t d = 0; d < b.size(); ++d)
        {
            time += bytes[d] / b[d];
        }
        return time;
    };
}

/// @param problem a problem @param result of refining it; expects that all trials meet its
/// constraints, that their number is right and the best is the best
void
ExpectSound(const BandwidthProblem& problem,
            const Result& result,
            uint32_t mostTrials = BandwidthRefiner::Options().mostTrials)
{
    EXPECT_LE(result.trials.size(), mostTrials);
    for (const auto& trial : result.trials)
    {
        for (const auto& constraint : problem.constraints)
        {
            EXPECT_LE(constraint.GetExcess(trial.bandwidths),
                      1e-6 * std::max(1.0, std::abs(constraint.value)))
                << constraint.text;
        }
        for (const double bandwidth : trial.bandwidths)
        {
            EXPECT_GE(bandwidth, 0);
        }
        EXPECT_TRUE(trial.delay > result.best.delay || trial.value >= result.best.value);
    }
}

/// @param problem a problem @param time what to minimise @param start where to begin
/// @param mostTrials budget @return what comes out, expected to be sound
Result
Refine(const BandwidthProblem& problem,
       const BandwidthRefiner::Time& time,
       const Numbers& start,
       uint32_t mostTrials = 400)
{
    BandwidthRefiner::Options options;
    options.mostTrials = mostTrials;
    options.shortestStep = 1e-5;
    const auto result = BandwidthRefiner(problem, time, options).Refine(start);
    ExpectSound(problem, result, mostTrials);
    return result;
}

} // namespace

TEST(BandwidthRefinerTest, StaysWhereTheModelIsRight)
{
    for (int i = 0; i < 24; ++i)
    {
        auto problem = MakePublished(static_cast<PublishedModel>(i % 4), i % 8 < 4);
        problem.objective = static_cast<Objective>(i / 8);
        problem.Constrain(problem.objective == Objective::Cost ? "total <= 1000" : "total = 500");
        if (problem.objective == Objective::Cost)
        {
            problem.target = problem.time.Evaluate(Numbers(problem.prices.size(), 100)).total;
        }
        const auto solution = BandwidthSolver::Solve(problem);
        const auto evaluate = [&](const Numbers& b) { return problem.time.Evaluate(b).total; };
        const auto result = Refine(problem, evaluate, solution.bandwidths, 300);
        EXPECT_LE(result.best.value, solution.value * (1 + 1e-12));
        EXPECT_GE(result.best.value, solution.bound * (1 - 1e-6));
        EXPECT_LE(result.best.delay, 1e-7);
    }
}

TEST(BandwidthRefinerTest, FindsShiftedOptimum)
{
    BandwidthProblem problem(4);
    problem.Constrain("total = 500");
    const Numbers bytes{4e8, 1e8, 2.5e7, 1e6};
    const auto result = Refine(problem, MakeSum(bytes), {200, 150, 100, 50});
    const double roots = 2e4 + 1e4 + 5e3 + 1e3;
    EXPECT_NEAR(result.best.time, 1e6 + roots * roots / 500, 1e-4 * roots * roots / 500);
    for (std::size_t d = 0; d < 4; ++d)
    {
        const double best = 500 * std::sqrt(bytes[d]) / roots;
        EXPECT_NEAR(result.best.bandwidths[d], best, 0.03 * best) << d;
    }
}

TEST(BandwidthRefinerTest, FindsOptimaOfOtherModels)
{
    // from the optimum of one model to that of another: kinks, orderings that hold back, equations
    const std::vector<std::string> constraints[] = {
        {"total = 500"},
        {"total = 500", "b1 >= b2", "b2 >= b3", "b3 >= 2 b4"},
        {"total <= 500", "b1 + b2 = 300", "b1 = 2 b2"},
        {"total <= 500", "cost <= 2e7"},
    };
    double distances = 0;
    int nFar = 0;
    for (int i = 0; i < 48; ++i)
    {
        auto problem = MakePublished(static_cast<PublishedModel>(i % 4), true);
        auto other = MakePublished(static_cast<PublishedModel>((i + 1 + i / 16) % 4), true);
        for (const auto& constraint : constraints[i / 4 % 4])
        {
            problem.Constrain(constraint);
            other.Constrain(constraint);
        }
        const auto start = BandwidthSolver::Solve(other);
        const auto optimum = BandwidthSolver::Solve(problem);
        const auto evaluate = [&](const Numbers& b) { return problem.time.Evaluate(b).total; };
        const auto result = Refine(problem, evaluate, start.bandwidths);
        EXPECT_LE(result.best.value, optimum.value * 1.05) << i;
        nFar += result.best.value > optimum.value * 1.02 ? 1 : 0;
        distances += result.best.value / optimum.value - 1;
        EXPECT_GE(result.best.value, optimum.bound * (1 - 1e-9)) << i;
    }
    EXPECT_LT(distances / 48, 5e-3);
    EXPECT_LE(nFar, 1) << "its way along creases varies with rounding";
}

TEST(BandwidthRefinerTest, LeavesCorners)
{
    // equal bandwidths are the corner of the orderings, all of which hold there
    BandwidthProblem problem(4);
    for (const char* text : {"total = 500", "b1 >= b2", "b2 >= b3", "b3 >= b4"})
    {
        problem.Constrain(text);
    }
    const auto result = Refine(problem, MakeSum({4e8, 1e8, 2.5e7, 1e6}), {125, 125, 125, 125});
    const double roots = 3.6e4;
    EXPECT_NEAR(result.best.time, 1e6 + roots * roots / 500, 1e-3 * roots * roots / 500);
    // and where the others would have to be as they are now, they stay
    const auto stays = Refine(problem, MakeSum({1, 1, 1, 1e9}), {125, 125, 125, 125});
    EXPECT_NEAR(stays.best.time, 1e6 + 1e9 / 125, 1);
}

TEST(BandwidthRefinerTest, RefinesProductAndCost)
{
    // T C = (1e6 + 4e8 / b) (1e4 b + 1e6) is least at b = sqrt(4e8 1e6 / 1e4 / 1e6) = 200
    BandwidthProblem problem(1);
    problem.prices = {1e4};
    problem.fixedCost = 1e6;
    problem.Constrain("b1 <= 1000");
    problem.objective = Objective::TimeTimesCost;
    const auto product = Refine(problem, MakeSum({4e8}), {900});
    EXPECT_NEAR(product.best.bandwidths[0], 200, 1);
    EXPECT_NEAR(product.best.value, 3e6 * 3e6, 1e-4 * 9e12);
    // T <= 1.5e6 from b = 800 on
    problem.objective = Objective::Cost;
    problem.target = 1.5e6;
    const auto cost = Refine(problem, MakeSum({4e8}), {950});
    EXPECT_NEAR(cost.best.bandwidths[0], 800, 0.8);
    EXPECT_EQ(cost.best.delay, 0);
    // also from where the target is missed
    const auto late = Refine(problem, MakeSum({4e8}), {400});
    EXPECT_NEAR(late.trials.front().delay, 1. / 3, 1e-9);
    EXPECT_NEAR(late.best.bandwidths[0], 800, 0.8);
    EXPECT_EQ(late.best.delay, 0);
}

TEST(BandwidthRefinerTest, TakesStairs)
{
    // times of a simulation change in steps: here of a microsecond
    BandwidthProblem problem(2);
    problem.Constrain("total = 100");
    const auto evaluate = [](const Numbers& b) {
        return std::round(*MakeSum({4e8, 1e8})(b) / 1000) * 1000;
    };
    const auto result = Refine(problem, evaluate, {50, 50});
    EXPECT_NEAR(result.best.time, 1e6 + 9e6, 2000);
}

TEST(BandwidthRefinerTest, KeepsToTheBudget)
{
    BandwidthProblem problem(3);
    problem.Constrain("total = 100");
    const auto time = MakeSum({4e8, 1e8, 1e6});
    for (const uint32_t mostTrials : {1, 2, 4, 7, 30})
    {
        int nAsked = 0;
        const auto count = [&](const Numbers& b) {
            ++nAsked;
            return time(b);
        };
        const auto result = Refine(problem, count, {40, 30, 30}, mostTrials);
        EXPECT_EQ(nAsked, static_cast<int>(mostTrials));
        EXPECT_EQ(result.trials.size(), mostTrials);
        EXPECT_EQ(result.trials.front().bandwidths, Numbers({40, 30, 30}));
    }
}

TEST(BandwidthRefinerTest, StopsWhereThereIsNoTime)
{
    BandwidthProblem problem(2);
    problem.Constrain("total = 100");
    for (const std::size_t nTimes : {0, 1, 5})
    {
        std::size_t nAsked = 0;
        const auto stop = [&](const Numbers& b) {
            return ++nAsked > nTimes ? std::nullopt : MakeSum({4e8, 1e8})(b);
        };
        const auto result = Refine(problem, stop, {50, 50});
        EXPECT_EQ(nAsked, nTimes + 1);
        EXPECT_EQ(result.trials.size(), nTimes);
    }
}

TEST(BandwidthRefinerTest, HasNothingToTryWhereAllIsFixed)
{
    BandwidthProblem problem(2);
    problem.Constrain("b1 = 60");
    problem.Constrain("total = 100");
    const auto result = Refine(problem, MakeSum({4e8, 1e8}), {60, 40});
    EXPECT_EQ(result.trials.size(), 1U);
}

TEST(BandwidthRefinerTest, HandsOnWhatTheTimeThrows)
{
    BandwidthProblem problem(2);
    problem.Constrain("total = 100");
    int nAsked = 0;
    const auto fail = [&](const Numbers& b) {
        if (++nAsked == 3)
        {
            throw std::runtime_error("no more");
        }
        return MakeSum({4e8, 1e8})(b);
    };
    BandwidthRefiner refiner(problem, fail, {});
    EXPECT_THROW(refiner.Refine({50, 50}), std::runtime_error);
    EXPECT_EQ(nAsked, 3);
    EXPECT_NO_THROW(refiner.Refine({50, 50}));
}

TEST(BandwidthRefinerTest, RefusesWhatItCannotDo)
{
    BandwidthProblem problem(2);
    problem.Constrain("total = 100");
    const auto time = MakeSum({4e8, 1e8});
    const auto refuse = [&](const BandwidthProblem& p,
                            const BandwidthRefiner::Options& options = {}) {
        return ErrorOf([&] { BandwidthRefiner(p, time, options).Refine({50, 40}); });
    };
    EXPECT_EQ(refuse(problem), "the bandwidths to begin with do not meet total = 100");
    auto other = problem;
    other.speeds = {{}, {25, 50}};
    EXPECT_EQ(refuse(other),
              "dimensions that have only certain speeds cannot be refined, which varies bandwidths "
              "step by step");
    other = problem;
    other.objective = Objective::Cost;
    EXPECT_EQ(refuse(other), "the least cost cannot be refined without a time target");
    const std::string options = "refinement needs at least 1 trial, a first step above 0 and below "
                                "1, and a shortest step above 0";
    EXPECT_EQ(refuse(problem, {0, 0.1, 1e-4}), options);
    EXPECT_EQ(refuse(problem, {9, 1.0, 1e-4}), options);
    EXPECT_EQ(refuse(problem, {9, 0.1, 0}), options);
    EXPECT_EQ(refuse(problem, {9, std::nan(""), 1e-4}), options);
    other = problem;
    other.Constrain("b1 >= 101");
    EXPECT_NE(refuse(other).find("no bandwidths meet all of these constraints"), std::string::npos);
}
