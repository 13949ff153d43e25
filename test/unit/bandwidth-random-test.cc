/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ellipsoid-search.h"
#include "error-of.h"

#include "ns3/bandwidth-solver.h"

#include <cmath>
#include <ctime>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::mlcluster;

namespace
{

using Objective = BandwidthProblem::Objective;
using Relation = LinearConstraint::Relation;
using Numbers = std::vector<double>;

/// Makes random problems, equal for equal seeds, that bandwidths known to it can meet.
class RandomProblems
{
  public:
    /// @param seed of the random numbers
    explicit RandomProblems(uint32_t seed)
        : m_random(seed)
    {
    }

    /// @param n a number @return a random one below it
    std::size_t Draw(std::size_t n)
    {
        return m_random() % n;
    }

    /// @return a random number from 0 to 1
    double DrawPart()
    {
        return m_random() / 4294967296.0;
    }

    /// @param size dimensions @param nCollectives how many @param
    /// overlaps whether some of them do @return a problem without constraints
    BandwidthProblem MakeFree(std::size_t size, std::size_t nCollectives, bool overlaps = true)
    {
        BandwidthProblem problem(size);
        auto& time = problem.time;
        time.Add(TimeExpression::MakeConstant(100 * DrawPart()));
        std::vector<TimeExpression::Sum> parts;
        for (std::size_t k = 0; k < nCollectives; ++k)
        {
            Numbers bytes(size);
            for (double& number : bytes)
            {
                number = Draw(3) > 0 ? 10000 * std::pow(DrawPart(), 2) : 0;
            }
            bytes[Draw(size)] += 1000;
            parts.push_back(time.MakeCollective(bytes));
            parts.back().constant = 50 * DrawPart();
        }
        while (!parts.empty())
        {
            auto part = parts.back();
            parts.pop_back();
            if (overlaps && Draw(4) == 0 && parts.size() > 1)
            {
                auto other = parts.back();
                parts.pop_back();
                const auto inner = time.MakeMaximum({other, parts.back()});
                parts.pop_back();
                time.Add(time.MakeMaximum(
                    {part, Draw(2) == 0 ? inner : TimeExpression::Sum(inner).Add(part, .5)}));
            }
            else
            {
                time.Add(part, 1 + Draw(3));
            }
        }
        for (double& price : problem.prices)
        {
            price = .005 + DrawPart() * (Draw(2) == 0 ? .02 : .2);
        }
        return problem;
    }

    /// @param problem gets constraints that it can meet @return bandwidths that meet them
    Numbers Constrain(BandwidthProblem& problem)
    {
        const std::size_t size = problem.prices.size();
        Numbers inside;
        for (std::size_t d = 0; d < size; ++d)
        {
            inside.push_back(20 + 200 * DrawPart());
        }
        const bool isEqual = Draw(2) == 0;
        Add(problem,
            Numbers(size, 1),
            isEqual ? Relation::Equal : Relation::AtMost,
            inside,
            "total");
        for (std::size_t d = 0; d < size; ++d)
        {
            if (!isEqual || Draw(3) == 0)
            {
                Numbers unit(size);
                unit[d] = 1;
                Add(problem, unit, Relation::AtLeast, inside, "floor");
            }
        }
        for (std::size_t i = Draw(4); i > 0; --i)
        {
            Numbers row(size);
            row[Draw(size)] += 1;
            row[Draw(size)] -= .3 + DrawPart();
            row[Draw(size)] += Draw(2) == 0 ? DrawPart() : 0;
            const auto relation = Draw(size > 3 ? 4 : 9) == 0 ? Relation::Equal
                                  : Draw(2) == 0              ? Relation::AtMost
                                                              : Relation::AtLeast;
            Add(problem, row, relation, inside, "row");
        }
        return inside;
    }

  private:
    /// Adds a constraint that the bandwidths inside meet, an inequality with some room.
    void Add(BandwidthProblem& problem,
             const Numbers& row,
             Relation relation,
             const Numbers& inside,
             const std::string& text)
    {
        double sum = 0;
        double length = 0;
        for (std::size_t d = 0; d < row.size(); ++d)
        {
            sum += row[d] * inside[d];
            length += std::abs(row[d]) * inside[d];
        }
        const double room = relation == Relation::Equal ? 0 : (.02 + DrawPart()) * length / 2;
        const double least = text == "floor" ? std::max(sum - room, .01) : sum - room;
        const double value = relation == Relation::AtMost ? sum + room : least;
        if (length > 0)
        {
            problem.constraints.push_back(
                {row, relation, relation == Relation::Equal ? sum : value, text, {}});
        }
    }

    std::mt19937 m_random; ///< random numbers
};

/// @param problem a problem @param b bandwidths @return whether they meet its constraints
bool
Meets(const BandwidthProblem& problem, const Numbers& b)
{
    return std::all_of(problem.constraints.begin(),
                       problem.constraints.end(),
                       [&](const auto& constraint) {
                           return constraint.GetExcess(b) <=
                                  1e-8 * std::max(1.0, std::abs(constraint.value));
                       });
}

} // namespace

TEST(BandwidthRandomTest, FastestIsAsFastAsEllipsoidsFind)
{
    RandomProblems random(1);
    double worstGap = 0;
    for (int i = 0; i < 300; ++i)
    {
        auto problem = random.MakeFree(2 + random.Draw(5), 1 + random.Draw(8));
        random.Constrain(problem);
        const auto solution = BandwidthSolver::Solve(problem);
        ASSERT_TRUE(Meets(problem, solution.bandwidths)) << "problem " << i;
        worstGap = std::max(worstGap, solution.GetGap());
        const auto other = EllipsoidSearch(problem, 3000).Minimise(0, 6000);
        ASSERT_TRUE(other) << "problem " << i;
        const double value = problem.GetValue(*other);
        EXPECT_LE(solution.value, value * (1 + 1e-6)) << "problem " << i;
        EXPECT_LE(solution.bound, value * (1 + 1e-9)) << "problem " << i;
        EXPECT_GE(solution.value, value * (1 - 1e-4)) << "problem " << i;
    }
    EXPECT_LT(worstGap, 1e-6);
}

TEST(BandwidthRandomTest, ProductIsAsSmallAsScansFind)
{
    RandomProblems random(2);
    double worstGap = 0;
    for (int i = 0; i < 200; ++i)
    {
        auto problem = random.MakeFree(2 + random.Draw(4), 1 + random.Draw(5));
        const auto inside = random.Constrain(problem);
        problem.objective = Objective::TimeTimesCost;
        const auto solution = BandwidthSolver::Solve(problem);
        ASSERT_TRUE(Meets(problem, solution.bandwidths)) << "problem " << i;
        worstGap = std::max(worstGap, solution.GetGap());
        const EllipsoidSearch search(problem, 3000);
        double least = problem.GetValue(inside);
        const double own = solution.time / solution.cost;
        for (double slope = own / 64; slope < own * 65; slope *= 4)
        {
            double s = slope;
            for (int step = 0; step < 3; ++step)
            {
                const auto b = search.Minimise(s, 1200);
                ASSERT_TRUE(b) << "problem " << i;
                least = std::min(least, problem.GetValue(*b));
                s = problem.time.Evaluate(*b).total / problem.GetCost(*b);
            }
        }
        EXPECT_LE(solution.value, least * (1 + 1e-6)) << "problem " << i;
        EXPECT_LE(solution.bound, least * (1 + 1e-9)) << "problem " << i;
    }
    EXPECT_LT(worstGap, 1e-6);
}

TEST(BandwidthRandomTest, CheapestMeetsTargetsAndCannotBeCheaper)
{
    RandomProblems random(3);
    double worstGap = 0;
    for (int i = 0; i < 100; ++i)
    {
        auto problem = random.MakeFree(2 + random.Draw(5), 1 + random.Draw(8));
        const auto inside = random.Constrain(problem);
        problem.objective = Objective::Cost;
        problem.target = problem.time.Evaluate(inside).total * (1 + random.DrawPart());
        const auto solution = BandwidthSolver::Solve(problem);
        ASSERT_TRUE(Meets(problem, solution.bandwidths)) << "problem " << i;
        EXPECT_LE(solution.time, *problem.target * (1 + 1e-9)) << "problem " << i;
        EXPECT_LE(solution.bound, problem.GetCost(inside)) << "problem " << i;
        worstGap = std::max(worstGap, solution.GetGap());
        LinearConstraint budget{problem.prices,
                                Relation::AtMost,
                                solution.cost * .999,
                                "budget",
                                {}};
        problem.constraints.push_back(budget);
        const double target = *problem.target;
        problem.objective = Objective::Time;
        problem.target.reset();
        const std::string error = ErrorOf(
            [&] { EXPECT_GT(BandwidthSolver::Solve(problem).bound, target) << "problem " << i; });
        EXPECT_TRUE(error.empty() || error.find("budget") != std::string::npos) << error;
    }
    EXPECT_LT(worstGap, 1e-6);
}

TEST(BandwidthRandomTest, ContradictionsAreNamed)
{
    RandomProblems random(4);
    for (int i = 0; i < 200; ++i)
    {
        auto problem = random.MakeFree(2 + random.Draw(5), 1 + random.Draw(3));
        random.Constrain(problem);
        const auto first = problem.constraints[random.Draw(problem.constraints.size())];
        LinearConstraint against = first;
        against.text = "against";
        const double gap = .001 + std::abs(first.value) * random.DrawPart();
        against.relation =
            first.relation == Relation::AtLeast ? Relation::AtMost : Relation::AtLeast;
        against.value += first.relation == Relation::AtLeast ? -gap : gap;
        problem.constraints.insert(problem.constraints.begin() +
                                       random.Draw(problem.constraints.size()),
                                   against);
        const std::string error = ErrorOf([&] { BandwidthSolver::Solve(problem); });
        EXPECT_NE(error.find("no bandwidths meet"), std::string::npos) << "problem " << i;
        EXPECT_NE(error.find("against"), std::string::npos) << error;
    }
}

TEST(BandwidthRandomTest, SixtyCollectivesTakeMilliseconds)
{
    RandomProblems random(5);
    for (const auto objective : {Objective::Time, Objective::TimeTimesCost})
    {
        Numbers milliseconds;
        for (int i = 0; i < 15; ++i)
        {
            auto problem = random.MakeFree(4, 60, false);
            problem.Constrain("total = 500");
            problem.objective = objective;
            const std::clock_t start = std::clock();
            EXPECT_LE(BandwidthSolver::Solve(problem).GetGap(), 1e-6);
            milliseconds.push_back(1e3 * (std::clock() - start) / CLOCKS_PER_SEC);
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        const std::string name = objective == Objective::Time ? "time" : "product";
        std::cout << name << ": median " << milliseconds[7] << " ms of processor time\n";
    }
}
