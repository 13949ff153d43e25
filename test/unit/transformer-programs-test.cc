/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-source.h"
#include "transformer-cases.h"

#include "ns3/transformer-costs.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3::mlcluster;

namespace
{

/// @param program a program @param plan of it @return bytes that a rank of the tensor group sends
/// if collectives take what they must: 2 (n - 1)/n, (n - 1)/n or n - 1 times their size
uint64_t
CountBusBytes(const LayerProgram& program, const ParallelPlan& plan)
{
    const uint64_t n = plan.tensor;
    uint64_t bytes = 0;
    for (const auto& step : program.steps)
    {
        if (step.family == "tensor")
        {
            const uint64_t factor = step.collective == CollectiveType::AllReduce ? 2 * (n - 1)
                                    : step.collective == CollectiveType::ReduceScatter
                                        ? n - 1
                                        : n * (n - 1);
            bytes += factor * step.bytes / n;
        }
    }
    return bytes;
}

/// Checks that the steps of a program fit together. @param program a program
void
CheckSteps(const LayerProgram& program)
{
    static const std::set<std::string> FAMILIES{"tensor", "context", "expert", "expert-tensor"};
    ASSERT_LT(program.output, program.steps.size());
    for (uint32_t i = 0; i < program.steps.size(); ++i)
    {
        const ProgramStep& step = program.steps[i];
        const bool isCompute = step.kind == NodeKind::Compute;
        EXPECT_FALSE(step.name.empty());
        EXPECT_EQ(FAMILIES.count(step.family), isCompute ? 0U : 1U) << step.name;
        EXPECT_GT(isCompute ? step.tensorBytes : step.bytes, 0U) << step.name;
        for (const uint32_t before : step.dependencies)
        {
            ASSERT_LT(before, i) << step.name;
            EXPECT_TRUE(!program.steps[before].isWeightGradient || step.isWeightGradient)
                << step.name;
        }
    }
}

/// @param program a program @return whether its output waits for every step but those of gradients
/// of weights and sends
bool
IsOutputLast(const LayerProgram& program)
{
    std::vector<bool> isNeeded(program.steps.size(), false);
    isNeeded[program.output] = true;
    for (uint32_t i = program.steps.size(); i-- > 0;)
    {
        const ProgramStep& step = program.steps[i];
        for (const uint32_t before : step.dependencies)
        {
            isNeeded[before] = isNeeded[before] || isNeeded[i] || step.isWeightGradient;
        }
        if (!isNeeded[i] && !step.isWeightGradient && step.kind != NodeKind::Send)
        {
            return false;
        }
    }
    return true;
}

} // namespace

TEST(TransformerPrograms, MoveAsMuchWithSequenceParallelismInTheForwardPass)
{
    for (const auto& model : {MakeSmall(), MakeSmallLlama()})
    {
        for (const uint32_t tensor : {1U, 2U, 4U})
        {
            ParallelPlan plan;
            plan.tensor = tensor;
            const TransformerCosts summed(model, plan);
            plan.sequenceParallel = true;
            const TransformerCosts scattered(model, plan);
            const auto count = [&plan](const LayerProgram& program) {
                return CountBusBytes(program, plan);
            };
            EXPECT_EQ(count(scattered.GetForward(0)), count(summed.GetForward(0)));
            EXPECT_EQ(count(summed.GetBackward(0)), count(summed.GetForward(0)));
            const uint64_t gathered = 2 * 128 * 256 / tensor * (tensor - 1);
            EXPECT_EQ(count(scattered.GetBackward(0)), count(summed.GetBackward(0)) + 2 * gathered);
        }
    }
}

TEST(TransformerPrograms, FitTogetherForAnyPlan)
{
    PlanSource source;
    for (uint32_t i = 0; i < 200; ++i)
    {
        const auto [model, plan] = source.Draw();
        const TransformerCosts costs(model, plan);
        for (uint32_t layer = 0; layer < 2; ++layer)
        {
            for (const auto& program : {costs.GetForward(layer, plan.expert - 1),
                                        costs.GetBackward(layer, plan.expert - 1)})
            {
                CheckSteps(program);
                EXPECT_TRUE(IsOutputLast(program));
                EXPECT_FALSE(program.steps[program.output].isWeightGradient);
            }
        }
        for (const auto& program : {costs.GetEmbeddingForward(),
                                    costs.GetEmbeddingBackward(),
                                    costs.GetHeadForward(),
                                    costs.GetHeadBackward()})
        {
            CheckSteps(program);
            EXPECT_TRUE(IsOutputLast(program));
        }
    }
}

TEST(TransformerPrograms, HaveTheSameCollectivesAtAllExpertPositions)
{
    PlanSource source;
    for (uint32_t i = 0; i < 200; ++i)
    {
        const auto [model, plan] = source.Draw();
        const TransformerCosts costs(model, plan);
        const auto names = GetNames(costs.GetBackward(0, 0));
        for (uint32_t position = 1; position < plan.expert; ++position)
        {
            EXPECT_EQ(GetNames(costs.GetBackward(0, position)), names);
        }
    }
}
