/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bandwidth-cases.h"
#include "error-of.h"

#include "ns3/bandwidth-solver.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

using Objective = BandwidthProblem::Objective;
using Numbers = std::vector<double>;

/// @param problem a problem @param texts its constraints @param objective what is to be least
/// @return its answer, which meets the constraints
BandwidthSolution
Solve(BandwidthProblem problem, const std::vector<std::string>& texts, Objective objective)
{
    for (const auto& text : texts)
    {
        problem.Constrain(text);
    }
    problem.objective = objective;
    const auto solution = BandwidthSolver::Solve(problem);
    for (const auto& constraint : problem.constraints)
    {
        EXPECT_LE(constraint.GetExcess(solution.bandwidths),
                  1e-9 * std::max(1.0, std::abs(constraint.value)))
            << constraint.text;
    }
    EXPECT_GE(solution.GetGap(), 0);
    EXPECT_LE(solution.GetGap(), objective == Objective::Time ? 1e-9 : 1e-6);
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

const std::vector<std::string> EXAMPLE{"total = 1000",
                                       "b1 = 500",
                                       "b1 >= b2",
                                       "b2 >= b3",
                                       "b3 + b4 = 200"}; ///< LIBRA's multiple_constraints

} // namespace

TEST(BandwidthSolverTest, WorkedExampleOfLibra)
{
    const auto problem = MakePublished(PublishedModel::Gpt3, true);
    const auto fastest = Solve(problem, EXAMPLE, Objective::Time);
    ExpectNear(fastest.bandwidths, {500, 300, 151.181102, 48.818898}, 1e-6);
    EXPECT_NEAR(fastest.time, 708.438743e6, 1);
    EXPECT_NEAR(fastest.cost, 22.966069e6, 1);
    EXPECT_LE(fastest.GetGap(), 1e-11);
    ExpectNear(fastest.shadowPrices, {0, -0.0434865e6, 0, 0, -0.0112361e6}, 0.1);

    const auto best = Solve(problem, EXAMPLE, Objective::TimeTimesCost);
    ExpectNear(best.bandwidths, {500, 300, 197.045750, 2.954250}, 1e-5);
    EXPECT_NEAR(best.value, 9614.3711e12, 0.0001e12);
    const auto& p = problem.prices;
    const double a = 706.191514e6;
    const double b = 109.707264e6;
    const double k = p[0] * 500 + p[1] * 300 + p[2] * 200;
    const double m = p[3] - p[2];
    EXPECT_NEAR(best.value / std::pow(std::sqrt(a * k) + std::sqrt(b * m), 2), 1, 1e-8);
    EXPECT_NEAR(best.bandwidths[3], std::sqrt(b * k / a / m), 1e-6);
}

TEST(BandwidthSolverTest, FractionsOfLibra)
{
    const struct
    {
        PublishedModel model;
        Numbers fractions4D;
        Numbers fractions3D;
    } cases[] = {
        {PublishedModel::Gpt3, {.67690, .16922, .11632, .03756}, {.79511, .17999, .02491}},
        {PublishedModel::Msft1T, {.64350, .18769, .02011, .14870}, {.80438, .04692, .14870}},
        {PublishedModel::TuringNlg, {.75018, .21880, .02344, .00757}, {.93773, .05470, .00757}},
        {PublishedModel::ResNet50, {.75018, .21880, .02344, .00757}, {.93773, .05470, .00757}},
    };

    for (const auto& entry : cases)
    {
        const auto solve = [&](bool is4D) {
            return Solve(MakePublished(entry.model, is4D), {"total = 1"}, Objective::Time);
        };
        ExpectNear(solve(true).bandwidths, entry.fractions4D, 0.6e-5);
        ExpectNear(solve(false).bandwidths, entry.fractions3D, 0.6e-5);
    }
}

TEST(BandwidthSolverTest, TimesOfLibra)
{
    const Numbers totals{100, 200, 300, 500, 700, 1000};

    const struct
    {
        PublishedModel model;
        bool is4D;
        Numbers even; ///< ms
        Numbers best; ///< ms
    } cases[] = {
        {PublishedModel::Gpt3,
         true,
         {1137.433, 910.941, 835.443, 775.045, 749.160, 729.747},
         {874.266, 779.357, 747.721, 722.412, 711.565, 703.430}},
        {PublishedModel::Msft1T,
         true,
         {622.414, 396.204, 320.801, 260.479, 234.626, 215.237},
         {368.451, 269.223, 236.147, 209.686, 198.346, 189.841}},
        {PublishedModel::ResNet50,
         true,
         {4.156, 2.625, 2.115, 1.707, 1.533, 1.401},
         {2.115, 1.605, 1.435, 1.299, 1.241, 1.197}},
        {PublishedModel::Gpt3,
         false,
         {1115.916, 900.182, 828.271, 770.742, 746.087, 727.595},
         {899.407, 791.928, 756.101, 727.440, 715.157, 705.944}},
        {PublishedModel::TuringNlg,
         false,
         {376.055, 351.602, 343.451, 336.930, 334.135, 332.039},
         {344.533, 335.841, 332.944, 330.626, 329.632, 328.887}},
    };

    for (const auto& entry : cases)
    {
        for (std::size_t i = 0; i < totals.size(); ++i)
        {
            const auto problem = MakePublished(entry.model, entry.is4D);
            const auto solution =
                Solve(problem, {"total = " + std::to_string(totals[i])}, Objective::Time);
            EXPECT_NEAR(solution.time / 1e6, entry.best[i], 0.00051);
            const double even = problem.time.Evaluate(SplitEvenly(problem, totals[i])).total;
            EXPECT_NEAR(even / 1e6, entry.even[i], 0.00051);
        }
    }
}

TEST(BandwidthSolverTest, ProductsOfLibra)
{
    const struct
    {
        PublishedModel model;
        bool is4D;
        Numbers bandwidths;
        double product; ///< ms M$
        double gain;    ///< over equal bandwidths
        double fastest; ///< gain of the fastest
    } cases[] = {
        {PublishedModel::Gpt3,
         true,
         {448.8325, 44.5587, 4.9956, 1.6132},
         3959.9073,
         6.7542,
         3.8861},
        {PublishedModel::TuringNlg,
         true,
         {480.8452, 16.7768, 1.7975, .5804},
         1532.1837,
         7.6033,
         5.9247},
        {PublishedModel::ResNet50,
         true,
         {419.8196, 70.2265, 7.5243, 2.4297},
         7.467105,
         7.8906,
         7.6251},
        {PublishedModel::Gpt3, false, {480.51, 17.12, 2.369}, 6611.3707, 5.2048, 4.3334},
        {PublishedModel::TuringNlg, false, {489.90, 8.869, 1.2275}, 2858.5530, 5.2624, 5.0441},
        {PublishedModel::ResNet50, false, {468.86, 27.350, 3.7851}, 11.719476, 6.3587, 6.3587},
    };

    for (const auto& entry : cases)
    {
        auto problem = MakePublished(entry.model, entry.is4D);
        const auto solution = Solve(problem, {"total = 500"}, Objective::TimeTimesCost);
        EXPECT_NEAR(solution.value / 1e12 / entry.product, 1, 1e-7);
        problem.objective = Objective::TimeTimesCost;
        const double even = problem.GetValue(SplitEvenly(problem, 500));
        EXPECT_NEAR(even / solution.value, entry.gain, 0.00006);
        const auto fastest = Solve(problem, {"total = 500"}, Objective::Time);
        EXPECT_NEAR(even / fastest.time / fastest.cost, entry.fastest, 0.00006);
        if (entry.is4D)
        {
            ExpectNear(solution.bandwidths, entry.bandwidths, 0.00011);
        }
    }
    const auto product = [](const std::string& text) {
        return Solve(MakePublished(PublishedModel::Gpt3, true), {text}, Objective::TimeTimesCost)
                   .value /
               1e12;
    };
    EXPECT_NEAR(product("total = 100"), 1133.0017, 0.0001);
    EXPECT_NEAR(product("total = 1000"), 7201.1628, 0.0001);
}

TEST(BandwidthSolverTest, SmallProblems)
{
    const struct
    {
        char which;
        Numbers fastest;
        double time;
        double cost;
        double price; ///< of the total
        Numbers best;
        double product;
    } cases[] = {
        {'A',
         {213.27729, 123.13570, 63.58700},
         129.14313667,
         14.133538,
         -.19785784,
         {248.31703, 124.15852, 27.52445},
         1379.170602},
        {'B',
         {234.86122, 65.13878, 234.86122, 65.13878},
         170.70367517,
         21.660810,
         -.11783946,
         {},
         2485.848368},
        {'C',
         {271.99605, 45.71542, 121.52568, 60.76284},
         187.77485528,
         18.827280,
         -.12165146,
         {65.30341, 20, 10, 5},
         1222.187436},
    };

    for (const auto& entry : cases)
    {
        const auto fastest = Solve(MakeSmall(entry.which), {}, Objective::Time);
        ExpectNear(fastest.bandwidths, entry.fastest, 1e-5);
        EXPECT_NEAR(fastest.time, entry.time, 1e-8);
        EXPECT_NEAR(fastest.cost, entry.cost, 1e-6);
        EXPECT_NEAR(fastest.shadowPrices[0], entry.price, 1e-5);
        const auto best = Solve(MakeSmall(entry.which), {}, Objective::TimeTimesCost);
        EXPECT_NEAR(best.value, entry.product, 2e-6);
        ExpectNear(entry.best.empty() ? Numbers{} : best.bandwidths, entry.best, 1e-4);
    }
    const auto best = Solve(MakeSmall('B'), {}, Objective::TimeTimesCost);
    EXPECT_NEAR(best.bandwidths[0], 279.71492, 1e-4);
    auto free = MakeSmall('A');
    free.constraints.erase(free.constraints.begin() + 1);
    ExpectNear(Solve(free, {}, Objective::TimeTimesCost).bandwidths,
               {2160 / 7., 480 / 7., 160 / 7.},
               1e-4);
    EXPECT_NEAR(Solve(free, {}, Objective::TimeTimesCost).value, 8717 / 7., 2e-6);
}

TEST(BandwidthSolverTest, ClosedForms)
{
    BandwidthProblem problem(3);
    problem.prices = {1, 2, 3};
    auto& time = problem.time;
    time.Add(time.MakeCollective({100, 0, 0}), 4);
    time.Add(time.MakeCollective({0, 90, 10}));
    const auto solution = Solve(problem, {"total = 60"}, Objective::Time);
    const double share = 60 * 20 / (20 + 10.);
    ExpectNear(solution.bandwidths, {share, (60 - share) * .9, (60 - share) * .1}, 1e-7);
    EXPECT_NEAR(solution.time, 30 * 30 / 60., 1e-8);
    EXPECT_NEAR(solution.shadowPrices[0], -30 * 30 / 60. / 60, 1e-6);
    ExpectNear(solution.timeShares, {10, 5 * .9, 5 * .1}, 1e-4);
}

TEST(BandwidthSolverTest, LeastCostUnderTarget)
{
    auto problem = MakePublished(PublishedModel::Gpt3, true);
    const auto fastest = Solve(problem, {"total = 300"}, Objective::Time);
    problem.target = fastest.time * 1.1;
    const auto cheapest = Solve(problem, {}, Objective::Cost);
    EXPECT_NEAR(cheapest.time / *problem.target, 1, 1e-6);
    EXPECT_LE(cheapest.time, *problem.target);
    problem.target.reset();
    const auto dual = Solve(problem, {"cost <= " + std::to_string(cheapest.cost)}, Objective::Time);
    EXPECT_NEAR(dual.time / cheapest.time, 1, 1e-6);
    ExpectNear(dual.bandwidths, cheapest.bandwidths, 1e-2);
    EXPECT_NEAR(dual.shadowPrices[0] * cheapest.targetPrice, 1, 1e-3)
        << "a $ saves as many ns as it is worth";

    problem.target = fastest.time * 1.1;
    const auto held = Solve(problem, {}, Objective::TimeTimesCost);
    EXPECT_NEAR(held.value / cheapest.value / cheapest.time, 1, 1e-6)
        << "the target is the floor that keeps the bandwidths up";
    problem.fixedCost = 1e6;
    EXPECT_NEAR(Solve(problem, {}, Objective::Cost).value, cheapest.value + 1e6, 10);
}

TEST(BandwidthSolverTest, FixedCostIsAFloor)
{
    BandwidthProblem problem(1);
    problem.prices = {2};
    problem.fixedCost = 50;
    problem.time.Add(TimeExpression::MakeConstant(3));
    problem.time.Add(problem.time.MakeCollective({48}));
    const auto solution = Solve(problem, {"b1 <= 1e6"}, Objective::TimeTimesCost);
    EXPECT_NEAR(solution.bandwidths[0], std::sqrt(48 * 50 / 3. / 2), 1e-6);
    EXPECT_NEAR(solution.value, std::pow(std::sqrt(3 * 50.) + std::sqrt(48 * 2.), 2), 1e-5);
}

TEST(BandwidthSolverTest, TradeOffsLikeHyperbolasAreCertified)
{
    for (const double constant : {0.0, 0.1})
    {
        BandwidthProblem problem(4);
        problem.prices = {.008, .016, .016, .23};
        problem.time.Add(TimeExpression::MakeConstant(constant));
        for (int k = 0; k < 8; ++k)
        {
            problem.time.Add(problem.time.MakeCollective(
                {9000. - k * 700, 2000 + 300. * k, 800. + 100 * (k % 3), 300. + 50 * (k % 2)}));
        }
        const auto solution =
            Solve(problem,
                  {"total <= 500", "b1 >= 0.001", "b2 >= 0.001", "b3 >= 0.001", "b4 >= 0.001"},
                  Objective::TimeTimesCost);
        EXPECT_NEAR(solution.value, 1786.85, 0.01);
        EXPECT_LE(solution.nSolves, 100) << "tangents alone need thousands";
    }
}

TEST(BandwidthSolverTest, TiesGoToTheCheapestThenInner)
{
    BandwidthProblem problem(3);
    problem.prices = {2, 1, 1};
    problem.time.Add(problem.time.MakeCollective({100, 10, 10}));
    const auto solution =
        Solve(problem, {"b1 <= 10", "b2 + b3 >= 30", "b2 <= 80", "b3 <= 80"}, Objective::Time);
    ExpectNear(solution.bandwidths, {10, 29, 1}, 1e-6);
    EXPECT_NEAR(solution.time, 10, 1e-8);
    const auto idle = [] {
        BandwidthProblem unused(2);
        unused.prices = {1, 1};
        unused.time.Add(unused.time.MakeCollective({5, 0}));
        return unused;
    }();
    ExpectNear(Solve(idle, {"total <= 10"}, Objective::Time).bandwidths, {10, 0}, 1e-7);
    ExpectNear(Solve(idle, {"total = 10", "b2 >= 3"}, Objective::TimeTimesCost).bandwidths,
               {7, 3},
               1e-7);
}

TEST(BandwidthSolverTest, RegionsWithoutRoom)
{
    BandwidthProblem problem(2);
    problem.prices = {1, 1};
    problem.time.Add(problem.time.MakeCollective({10, 10}));
    ExpectNear(Solve(problem, {"b1 = 5", "b2 = 2"}, Objective::Time).bandwidths, {5, 2}, 1e-9);
    ExpectNear(Solve(problem, {"b1 = 5", "b2 = 2"}, Objective::TimeTimesCost).bandwidths,
               {5, 2},
               1e-9);
    ExpectNear(Solve(problem, {"total = 10", "b1 <= 5", "b2 <= 5"}, Objective::Time).bandwidths,
               {5, 5},
               1e-7);
    ExpectNear(
        Solve(problem, {"total = 10", "b1 <= b2", "b2 <= b1"}, Objective::TimeTimesCost).bandwidths,
        {5, 5},
        1e-7);
    ExpectNear(Solve(problem, {"total = 10", "2 total = 20", "b1 = 4"}, Objective::Time).bandwidths,
               {4, 6},
               1e-7);
}

TEST(BandwidthSolverTest, Refusals)
{
    const auto problem = MakePublished(PublishedModel::Gpt3, true);
    const auto refusal =
        [&](BandwidthProblem wrong, const std::vector<std::string>& texts, Objective objective) {
            return ErrorOf([&] { Solve(wrong, texts, objective); });
        };
    EXPECT_EQ(
        refusal(problem,
                {"total = 1000", "b1 = 500", "b2 <= 700", "b1 <= b2", "b3 + b4 = 200", "b4 >= 1"},
                Objective::Time),
        "no bandwidths meet all of these constraints, though they would meet all but one: "
        "total = 1000; b1 = 500; b1 <= b2; b3 + b4 = 200");
    EXPECT_EQ(refusal(problem, {"b1 <= b2", "total <= -4"}, Objective::Time),
              "no bandwidths meet the constraint total <= -4");
    EXPECT_EQ(refusal(problem, {"total <= 500", "b4 <= 0"}, Objective::Time),
              "b4, where collectives send, is left no bandwidth, or next to none, by b4 <= 0");
    EXPECT_NE(refusal(problem, {"b1 + b2 + b3 <= 500"}, Objective::Time).find("nothing limits b4"),
              std::string::npos);
    EXPECT_NE(refusal(problem, {"total <= 500"}, Objective::TimeTimesCost)
                  .find("Needed is a floor: a total that must be met"),
              std::string::npos);
    EXPECT_NE(refusal(problem, {}, Objective::Cost).find("time target: is missing"),
              std::string::npos);
    auto hurried = problem;
    hurried.target = 700e6;
    EXPECT_NE(
        refusal(hurried, {"total <= 500"}, Objective::Cost).find("cannot fall below 722411780"),
        std::string::npos);
    hurried.target = 684448242;
    EXPECT_NE(refusal(hurried, {}, Objective::Cost).find("cannot fall below 684448242ns"),
              std::string::npos);
    EXPECT_EQ(refusal(BandwidthProblem(2), {"total = 1"}, Objective::Time),
              "time: no collective sends anything, so that bandwidths change nothing");
    BandwidthProblem scaled(1);
    scaled.prices = {1};
    scaled.time.Add(scaled.time.MakeCollective({1}));
    EXPECT_NE(refusal(scaled, {"b1 >= 1"}, Objective::TimeTimesCost).find("neither compute time"),
              std::string::npos);
    auto gift = problem;
    gift.prices[2] = -1;
    EXPECT_NE(refusal(gift, {"total = 500"}, Objective::Time)
                  .find("price of b3: -1 is given; needed is a number that is not negative"),
              std::string::npos);
    gift.prices[2] = 0;
    EXPECT_EQ(refusal(gift, {"total = 500"}, Objective::Time), "");
    EXPECT_NE(refusal(gift, {"total = 500"}, Objective::TimeTimesCost).find("above 0"),
              std::string::npos);
    gift = problem;
    gift.constraints.push_back(
        {{1, 0, 0}, LinearConstraint::Relation::Equal, 3, "short", {"f.yaml", 7, "c"}});
    EXPECT_EQ(refusal(gift, {}, Objective::Time),
              "f.yaml:7: c: short needs a finite number for each dimension, not all of them 0");
}
