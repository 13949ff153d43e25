/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-cases.h"

#include "ns3/transformer-costs.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

using Names = std::vector<std::string>;

/// @param scheme of context parallelism @return a plan of four parts of the sequence
ParallelPlan
MakePlan(const std::string& scheme)
{
    ParallelPlan plan;
    plan.context = 4;
    plan.contextScheme = scheme;
    return plan;
}

/// @param program a program @param kind of steps @return names of its steps of that kind
Names
GetNamesOf(const LayerProgram& program, NodeKind kind)
{
    Names names;
    for (const auto& step : program.steps)
    {
        if (step.kind == kind)
        {
            names.push_back(step.name);
        }
    }
    return names;
}

constexpr uint64_t TOKENS = 32;                      // of a rank
constexpr uint64_t KEY_BYTES = 2 * 2 * TOKENS * 128; // keys and values of a rank

} // namespace

TEST(AttentionProgram, SendsKeysRoundARing)
{
    const auto forward = TransformerCosts(MakeSmallLlama(), MakePlan("ring")).GetForward(0);
    EXPECT_EQ(GetNamesOf(forward, NodeKind::Send), Names(3, "key-value send"));
    EXPECT_EQ(GetNamesOf(forward, NodeKind::Receive), Names(3, "key-value receive"));
    for (const auto& step : FindSteps(forward, "key-value send"))
    {
        EXPECT_EQ(step.bytes, KEY_BYTES);
        EXPECT_EQ(step.family, "context");
    }
    uint64_t operations = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const std::string name = "flash attention of block " + std::to_string(i);
        EXPECT_EQ(GetOperations(forward, name), 4 * TOKENS * 32 * 256 / 2);
        operations += GetOperations(forward, name);
        bytes += GetBytes(forward, name);
    }
    EXPECT_EQ(operations, 4 * TOKENS * 128 * 256 / 2);
    EXPECT_EQ(bytes, 4 * (2 * 2 * TOKENS * 256 + 4 * TOKENS * 8) + 2 * 2 * 128 * 128);
    EXPECT_EQ(GetDependencies(forward, "flash attention of block 0"), Names{"rotary"});
    EXPECT_EQ(GetDependencies(forward, "flash attention of block 2"),
              (Names{"key-value receive", "flash attention of block 1"}));
    EXPECT_EQ(GetDependencies(forward, "key-value send"),
              (Names{"rotary", "key-value receive", "key-value receive"}));
}

TEST(AttentionProgram, SendsGradientsHomeRoundTheRing)
{
    const auto backward = TransformerCosts(MakeSmallLlama(), MakePlan("ring")).GetBackward(0);
    EXPECT_EQ(FindSteps(backward, "key-value send").size(), 3U);
    EXPECT_EQ(FindSteps(backward, "key-value-gradient send").size(), 4U);
    EXPECT_EQ(FindSteps(backward, "key-value-gradient receive").size(), 4U);
    EXPECT_EQ(GetDependencies(backward, "rotary backward"),
              (Names{"flash attention backward of block 3", "key-value-gradient receive"}));
    for (const auto& step : FindSteps(backward, "key-value-gradient send"))
    {
        EXPECT_EQ(step.bytes, KEY_BYTES);
    }
    std::vector<ProgramStep> sends;
    std::vector<ProgramStep> receives;
    for (const auto& step : backward.steps)
    {
        if (step.kind == NodeKind::Send)
        {
            sends.push_back(step);
        }
        if (step.kind == NodeKind::Receive)
        {
            receives.push_back(step);
        }
    }
    ASSERT_EQ(sends.size(), receives.size());
    for (std::size_t i = 0; i < sends.size(); ++i)
    {
        EXPECT_EQ(sends[i].bytes, receives[i].bytes);
        EXPECT_EQ(sends[i].name.substr(0, sends[i].name.find(" send")),
                  receives[i].name.substr(0, receives[i].name.find(" receive")));
    }
}

TEST(AttentionProgram, RecomputesEachBlockOfARing)
{
    ParallelPlan plan = MakePlan("ring");
    plan.recompute = "selective";
    const auto backward = TransformerCosts(MakeSmall(), plan).GetBackward(0);
    EXPECT_EQ(GetDependencies(backward, "recompute scores of block 1"),
              (Names{"key-value receive", "scores backward of block 0"}));
    EXPECT_EQ(FindSteps(backward, "key-value send").size(), 3U);
}

TEST(AttentionProgram, GathersKeys)
{
    const TransformerCosts costs(MakeSmallLlama(), MakePlan("all-gather"));
    const auto forward = costs.GetForward(0);
    EXPECT_EQ(GetBytes(forward, "key-value all-gather"), KEY_BYTES);
    EXPECT_EQ(GetOperations(forward, "flash attention"), 4 * TOKENS * 128 * 256 / 2);
    EXPECT_EQ(GetDependencies(forward, "flash attention"), Names{"key-value all-gather"});
    const auto backward = costs.GetBackward(0);
    EXPECT_EQ(GetBytes(backward, "key-value-gradient reduce-scatter"), 4 * KEY_BYTES);
    EXPECT_EQ(GetNamesOf(backward, NodeKind::Collective),
              Names{"key-value-gradient reduce-scatter"});
}

TEST(AttentionProgram, TradesTokensForHeads)
{
    const TransformerCosts costs(MakeSmallLlama(), MakePlan("ulysses"));
    const auto forward = costs.GetForward(0);
    EXPECT_EQ(
        GetNamesOf(forward, NodeKind::Collective),
        (Names{"query all-to-all", "key all-to-all", "value all-to-all", "context all-to-all"}));
    EXPECT_EQ(GetBytes(forward, "query all-to-all"), 2 * TOKENS * 256);
    EXPECT_EQ(GetBytes(forward, "key all-to-all"), 2 * TOKENS * 128);
    EXPECT_EQ(GetBytes(forward, "context all-to-all"), 2 * TOKENS * 256);
    EXPECT_EQ(GetOperations(forward, "flash attention"), 4 * TOKENS * 128 * 256 / 2);
    EXPECT_EQ(GetBytes(forward, "flash attention"),
              2 * (2 * 128 * 64 + 2 * 128 * 32) + 4 * 128 * 8 / 4U);
    const auto backward = costs.GetBackward(0);
    EXPECT_EQ(GetNamesOf(backward, NodeKind::Collective),
              (Names{"context-gradient all-to-all",
                     "query-gradient all-to-all",
                     "key-gradient all-to-all",
                     "value-gradient all-to-all"}));
}
