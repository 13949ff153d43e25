/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "graph-step-cases.h"

#include "ns3/formula-step-time.h"
#include "ns3/workload-design.h"

#include <cmath>

using namespace ns3::mlcluster;

namespace
{

using Objective = BandwidthProblem::Objective;   ///< what is to be least
using Combination = WorkloadDesign::Combination; ///< what becomes of several times

/// A time that is never known whole, twice as long as what is.
class HiddenTime : public StepTime
{
  public:
    TimeExpression::Sum Make(TimeExpression& time) const override
    {
        return time.MakeCollective({1000, 2000});
    }

    double Evaluate(const std::vector<double>& bandwidths) override
    {
        return 2 * std::max(1000 / bandwidths[0], 2000 / bandwidths[1]);
    }
};

/// @param constant ns @param bytes per dimension @return the time of both, one after the other
std::shared_ptr<StepTime>
MakeStep(double constant, const Numbers& bytes)
{
    return std::make_shared<FormulaStepTime>(2, [=](TimeExpression& time) {
        return TimeExpression::MakeConstant(constant).Add(time.MakeCollective(bytes));
    });
}

/// @param objective an objective @return a problem of two dimensions of 10 GB/s in all
BandwidthProblem
MakeProblem(Objective objective)
{
    BandwidthProblem problem(2);
    problem.objective = objective;
    problem.prices = {2, 9};
    problem.Constrain("total = 10");
    return problem;
}

/// @param step a step, which is then shared @return steps of it alone
std::vector<WorkloadDesign::Step>
Alone(GraphStepTime step)
{
    return {{std::make_shared<GraphStepTime>(std::move(step))}};
}

} // namespace

TEST(WorkloadDesignTest, SumAndWorstOfTimes)
{
    const std::vector<WorkloadDesign::Step> steps{{MakeStep(5, {90, 0}), 2},
                                                  {MakeStep(7, {0, 80}), 0.25}};
    const WorkloadDesign sum(steps);
    EXPECT_DOUBLE_EQ(sum.Evaluate({3, 4}), 2 * (5 + 30) + 0.25 * (7 + 20));
    const double root = std::sqrt(2 * 90) + std::sqrt(0.25 * 80);
    const auto solution = sum.Solve(MakeProblem(Objective::Time));
    EXPECT_NEAR(solution.time, 2 * 5 + 0.25 * 7 + root * root / 10, 1e-5);
    EXPECT_NEAR(solution.bandwidths[0], 10 * std::sqrt(2 * 90) / root, 1e-2);
    const WorkloadDesign worst({{MakeStep(5, {90, 0}), 1}, {MakeStep(5, {0, 60}), 1}},
                               Combination::Worst);
    EXPECT_DOUBLE_EQ(worst.Evaluate({3, 4}), 5 + 30);
    const auto robust = worst.Solve(MakeProblem(Objective::Time));
    EXPECT_NEAR(robust.time, 5 + 15, 1e-5) << "both take as long";
    EXPECT_NEAR(robust.bandwidths[0], 6, 1e-4);
    EXPECT_LE(robust.GetGap(), 1e-6);
}

TEST(WorkloadDesignTest, SeveralGraphs)
{
    for (uint32_t seed = 0; seed < 20; ++seed)
    {
        RandomStep first(seed, 12);
        RandomStep second(1000 + seed, 12);
        for (const Combination combination : {Combination::Sum, Combination::Worst})
        {
            const WorkloadDesign design(
                {{std::make_shared<GraphStepTime>(MakeStepTime(first.MakeWorkload(), "R(2)_SW(2)")),
                  1.5},
                 {std::make_shared<GraphStepTime>(
                      MakeStepTime(second.MakeWorkload(), "R(2)_SW(2)")),
                  0.5}},
                combination);
            BandwidthProblem problem = MakeProblem(Objective::Time);
            problem.Constrain("b1 >= 0.1");
            problem.Constrain("b2 >= 0.1");
            auto& time = problem.time;
            const auto a = TimeExpression::Sum().Add(first.MakeExpression(time), 1.5);
            const auto b = TimeExpression::Sum().Add(second.MakeExpression(time), 0.5);
            time.Add(combination == Combination::Worst ? time.MakeMaximum({a, b})
                                                       : TimeExpression::Sum(a).Add(b));
            BandwidthSolution expected;
            if (!ErrorOf([&] { expected = BandwidthSolver::Solve(problem); }).empty())
            {
                continue;
            }
            const auto solution = design.Solve(problem);
            EXPECT_NEAR(solution.time, expected.time, 1e-6 * expected.time) << seed;
            EXPECT_DOUBLE_EQ(design.Evaluate(solution.bandwidths), solution.time) << seed;
            EXPECT_DOUBLE_EQ(design.GetKnown(2).Evaluate(solution.bandwidths).total, solution.time)
                << seed;
        }
    }
}

TEST(WorkloadDesignTest, CertainSpeeds)
{
    const Nodes nodes{Collective(0, "", 64), Compute(1, 3, {0})};
    const ClusterWorkload workload(MakeGraphs(std::vector<Nodes>(4, nodes)), {});
    BandwidthProblem problem = MakeProblem(Objective::TimeTimesCost);
    problem.constraints.clear();
    problem.speeds = {{4, 8, 16}, {2, 8}};
    const auto solution =
        WorkloadDesign(Alone(MakeStepTime(workload, "SW(2)_SW(2)"))).Solve(problem);
    double least = INFINITY;
    for (const double b1 : problem.speeds[0])
    {
        for (const double b2 : problem.speeds[1])
        {
            least = std::min(least, (3 + std::max(64 / b1, 32 / b2)) * (2 * b1 + 9 * b2));
        }
    }
    EXPECT_NEAR(solution.value, least, 1e-6 * least);
}

TEST(WorkloadDesignTest, DimensionsThatNoKnownPathUses)
{
    ExecutionNode inner = Collective(0, "", 100);
    inner.involvedDimensions = {true, false};
    ExecutionNode outer = Collective(1, "", 1, CollectiveType::Broadcast);
    outer.involvedDimensions = {false, true};
    const Nodes nodes{inner, outer};
    const ClusterWorkload workload(MakeGraphs(std::vector<Nodes>(4, nodes)), {});
    const auto solution = WorkloadDesign(Alone(MakeStepTime(workload, "SW(2)_SW(2)")))
                              .Solve(MakeProblem(Objective::Time));
    EXPECT_NEAR(solution.time, 101 / 10., 1e-5) << "100 / b1 = 1 / b2";
    EXPECT_NEAR(solution.bandwidths[1], 10 / 101., 1e-5);
}

TEST(WorkloadDesignTest, Targets)
{
    const Nodes nodes{Collective(0, "", 64), Compute(1, 3, {0})};
    const ClusterWorkload workload(MakeGraphs(std::vector<Nodes>(4, nodes)), {});
    const WorkloadDesign design(Alone(MakeStepTime(workload, "SW(2)_SW(2)")));
    BandwidthProblem problem = MakeProblem(Objective::Cost);
    problem.constraints.clear();
    problem.Constrain("total <= 10");
    problem.target = 3 + 16;
    const auto solution = design.Solve(problem);
    EXPECT_NEAR(solution.cost, 2 * 4 + 9 * 2, 1e-5);
    EXPECT_LE(solution.time, 19 * (1 + 2e-7));
    problem.target = 3 + 9.5;
    EXPECT_NE(ErrorOf([&] { design.Solve(problem); }).find("the time cannot fall below"),
              std::string::npos)
        << "9.6 ns is what 10 GB/s reach";
}

TEST(WorkloadDesignTest, TimesThatStayHidden)
{
    const WorkloadDesign design({{std::make_shared<HiddenTime>()}});
    const auto solution = design.Solve(MakeProblem(Objective::Time));
    EXPECT_NEAR(solution.time, 600, 1e-3);
    EXPECT_NEAR(solution.bound, 300, 1e-3) << "what is known proves no more";
    BandwidthProblem problem = MakeProblem(Objective::Cost);
    problem.target = 400;
    EXPECT_EQ(ErrorOf([&] { design.Solve(problem); }),
              "after 200 rounds no bandwidths are found that reach the time target of 400 ns; a "
              "later target may be reached");
}
