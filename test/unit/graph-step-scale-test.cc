/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-step-cases.h"
#include "list-scheduler.h"
#include "plan-cases.h"
#include "transformer-cases.h"

#include "ns3/transformer-generator.h"
#include "ns3/workload-design.h"

#include <chrono>
#include <iostream>

using namespace ns3::mlcluster;

namespace
{

using Clock = std::chrono::steady_clock; ///< of measurements

/// @param begin a moment @return seconds since
double
GetSeconds(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// @param rank a rank @param node a node of it @return its time at 100 TFLOPS and 2 TB/s, ns
double
GetRoofline(uint32_t /* rank */, const ExecutionNode& node)
{
    return std::max(static_cast<double>(node.operations) / 1e5,
                    static_cast<double>(node.tensorBytes) / 2e3);
}

/// @return the step of GPT-3 with 8-fold tensor, 8-fold pipeline and 16-fold data parallelism
ClusterWorkload
MakeGpt3Step()
{
    ParallelPlan plan;
    plan.tensor = 8;
    plan.pipeline = 8;
    plan.data = 16;
    plan.microBatches = 16;
    return TransformerGenerator(MakeGpt3(), plan).Generate();
}

} // namespace

TEST(GraphStepScaleTest, Gpt3On1024Ranks)
{
    const ClusterWorkload workload = MakeGpt3Step();
    const ClusterTopology topology = MakeTopology("R(8)_FC(8)_SW(16)");
    const auto build = [&](const GraphStepTime::NodeTime& nodeTime) {
        const auto begin = Clock::now();
        auto step =
            std::make_shared<GraphStepTime>(workload, topology, nodeTime, GraphStepTime::Options());
        std::cout << step->GetNClasses() << " classes of ranks: " << GetSeconds(begin)
                  << " s to build";
        return step;
    };
    const auto evaluate = [&](GraphStepTime& step) {
        const auto begin = Clock::now();
        const double time = step.Evaluate({100, 50, 20});
        std::cout << ", " << GetSeconds(begin) << " s to evaluate" << std::endl;
        return time;
    };
    const auto step = build(GetRoofline);
    EXPECT_EQ(step->GetNClasses(), 8) << "one for each stage";
    const double time = evaluate(*step);
    const auto unequal = build([](uint32_t rank, const ExecutionNode& node) {
        return GetRoofline(rank, node) * (1 + rank * 1e-12);
    });
    EXPECT_EQ(unequal->GetNClasses(), 1024) << "each rank has times of its own";
    EXPECT_NEAR(evaluate(*unequal), time, 2e-9 * time);
    BandwidthProblem problem(3);
    problem.Constrain("total = 300");
    const auto begin = Clock::now();
    const auto solution = WorkloadDesign({{step}}).Solve(problem);
    std::cout << step->GetNPaths() << " paths, " << GetSeconds(begin) << " s to solve" << std::endl;
    EXPECT_LE(solution.GetGap(), 1e-7);
    EXPECT_LT(solution.time, step->Evaluate({100, 100, 100}));
}

TEST(GraphStepScaleTest, StepsOfRandomPlans)
{
    std::mt19937 random(4);
    for (int i = 0; i < 300; ++i)
    {
        const PlanCase drawn = DrawPlanCase(random);
        const auto workload = TransformerGenerator(drawn.model, drawn.plan).Generate();
        const auto getTime = [](const ExecutionNode& node) { return node.operations; };
        const double expected = ListScheduler(workload, getTime).Run();
        GraphStepTime step(workload,
                           MakeTopology("SW(" + std::to_string(workload.GetNRanks()) + ")"),
                           [&](uint32_t, const ExecutionNode& node) { return getTime(node); },
                           {});
        EXPECT_NEAR(step.Evaluate({1e18}), expected, 1e-9 * expected) << drawn.Describe();
    }
}
