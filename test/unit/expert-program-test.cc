/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-cases.h"

#include "ns3/expert-load.h"
#include "ns3/transformer-costs.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace ns3::mlcluster;

namespace
{

using Names = std::vector<std::string>;

constexpr uint64_t TOKENS = 128;
constexpr uint64_t H = 256;
constexpr uint64_t SENT = 2 * TOKENS * 2 * H; // beta T K h

/// @return a plan of four data-parallel ranks that share experts
ParallelPlan
MakePlan()
{
    ParallelPlan plan;
    plan.data = 4;
    plan.expert = 4;
    return plan;
}

/// @param plan how the small model with experts is trained @return tokens of members
std::vector<uint64_t>
GetTokens(const ParallelPlan& plan)
{
    const RankShape shape(MakeSmallExperts(), plan);
    return ExpertLoad(shape).GetTokensOfMembers();
}

} // namespace

TEST(ExpertLoad, FollowsAZipfLaw)
{
    ParallelPlan plan = MakePlan();
    plan.expertSkew = 1;
    double sum = 0;
    for (int k = 1; k <= 8; ++k)
    {
        sum += 1.0 / k;
    }
    const auto tokens = GetTokens(plan);
    ASSERT_EQ(tokens.size(), 4U);
    EXPECT_EQ(std::accumulate(tokens.begin(), tokens.end(), uint64_t{0}), 2 * TOKENS);
    for (uint32_t j = 0; j < 4; ++j)
    {
        const double share = (1.0 / (2 * j + 1) + 1.0 / (2 * j + 2)) / sum;
        EXPECT_NEAR(static_cast<double>(tokens[j]), share * 2 * TOKENS, 1);
    }
}

TEST(ExpertLoad, RoundsToTheNearestTokens)
{
    // shares of two experts 1 : 2^-0.94 are 21.03 and 10.97 of 32 tokens
    TransformerModel model = MakeSmallExperts();
    model.sequenceLength = 32;
    model.experts = 2;
    model.topExperts = 1;
    ParallelPlan plan = MakePlan();
    plan.data = 2;
    plan.expert = 2;
    plan.expertSkew = 0.94;
    EXPECT_EQ(ExpertLoad({model, plan}).GetTokensOfMembers(), (std::vector<uint64_t>{21, 11}));
    // 1/1, 1/2, 1/3, 1/4 of 13 tokens: 6.24, 3.12, 2.08, 1.56
    model.sequenceLength = 13;
    model.experts = 4;
    plan.data = 4;
    plan.expert = 4;
    plan.expertSkew = 1;
    EXPECT_EQ(ExpertLoad({model, plan}).GetTokensOfMembers(), (std::vector<uint64_t>{6, 3, 2, 2}));
}

TEST(ExpertLoad, IsWithinATokenOfItsShareAndAddsUp)
{
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i)
    {
        TransformerModel model = MakeSmallExperts();
        ParallelPlan plan;
        plan.expert = 1U << random() % 5;
        plan.data = plan.expert;
        model.experts = plan.expert * (1 + random() % 4);
        model.topExperts = 1 + random() % model.experts;
        model.sequenceLength = 1 + random() % 5000;
        plan.expertSkew = 0.01 * (1 + random() % 300);
        const uint64_t largest = model.sequenceLength;
        std::vector<double> shares(model.experts);
        // fill experts up one after the other, and divide what is left anew
        for (uint32_t nFull = 0; nFull <= model.experts; ++nFull)
        {
            double sum = 0;
            for (uint32_t k = nFull; k < model.experts; ++k)
            {
                sum += std::pow(k + 1.0, -plan.expertSkew);
            }
            const double left =
                1.0 * largest * (model.topExperts - std::min(nFull, model.topExperts));
            for (uint32_t k = 0; k < model.experts; ++k)
            {
                shares[k] = k < nFull ? largest : left * std::pow(k + 1.0, -plan.expertSkew) / sum;
            }
            if (nFull == model.experts || shares[nFull] <= largest)
            {
                break;
            }
        }
        const auto tokens = ExpertLoad({model, plan}).GetTokensOfMembers();
        const uint32_t nOwn = model.experts / plan.expert;
        for (uint32_t j = 0; j < plan.expert; ++j)
        {
            const auto first = shares.begin() + j * nOwn;
            const double share = std::accumulate(first, first + nOwn, 0.0);
            EXPECT_NEAR(static_cast<double>(tokens[j]), share, 1);
            EXPECT_LE(tokens[j], nOwn * largest);
            EXPECT_TRUE(j == 0 || tokens[j] <= tokens[j - 1]);
        }
        EXPECT_EQ(std::accumulate(tokens.begin(), tokens.end(), uint64_t{0}),
                  largest * model.topExperts);
    }
}

TEST(ExpertLoad, GivesNoExpertMoreThanAllTokens)
{
    ParallelPlan plan = MakePlan();
    plan.expert = 8;
    plan.data = 8;
    plan.expertSkew = 50;
    const auto tokens = GetTokens(plan);
    EXPECT_EQ(tokens, (std::vector<uint64_t>{TOKENS, TOKENS, 0, 0, 0, 0, 0, 0}));
    plan.expertSkew = 1e6;
    EXPECT_EQ(GetTokens(plan), tokens);
    plan.expertSkew = 1e-9;
    for (const uint64_t count : GetTokens(plan))
    {
        EXPECT_NEAR(static_cast<double>(count), 2 * TOKENS / 8.0, 1);
    }
}

TEST(ExpertLoad, RoundsTheRoomOfExpertsUp)
{
    ParallelPlan plan = MakePlan();
    plan.capacityFactor = 1.1;
    TransformerModel model = MakeSmallExperts();
    model.sequenceLength = 40;
    EXPECT_EQ(ExpertLoad({model, plan}).GetSent().Get("tokens"), 8 * 11U);
    model.sequenceLength = 41;
    EXPECT_EQ(ExpertLoad({model, plan}).GetSent().Get("tokens"), 8 * 12U);
    EXPECT_EQ(ExpertLoad({model, plan}).GetReceived(3).Get("tokens"), 8 * 12U);
}

TEST(ExpertProgram, DispatchesAndCombinesTokens)
{
    TransformerModel model = MakeSmallExperts();
    model.sharedFfnSize = 0;
    const TransformerCosts costs(model, MakePlan());
    const auto forward = costs.GetForward(0);
    EXPECT_EQ(GetNames(forward),
              (Names{"norm 1",
                     "qkv",
                     "rotary",
                     "flash attention",
                     "projection",
                     "residual 1",
                     "norm 2",
                     "router",
                     "top-k",
                     "count all-to-all",
                     "permute",
                     "dispatch all-to-all",
                     "expert-up",
                     "expert-activation",
                     "expert-down",
                     "combine all-to-all",
                     "weighted sum",
                     "residual 2"}));
    EXPECT_EQ(GetOperations(forward, "router"), 2 * TOKENS * H * 8);
    EXPECT_EQ(GetOperations(forward, "top-k"), 5 * TOKENS * 8);
    EXPECT_EQ(GetBytes(forward, "count all-to-all"), 4 * 8U);
    EXPECT_EQ(GetBytes(forward, "permute"), 2 * SENT);
    EXPECT_EQ(GetBytes(forward, "dispatch all-to-all"), SENT);
    EXPECT_EQ(GetBytes(forward, "combine all-to-all"), SENT);
    EXPECT_EQ(GetOperations(forward, "expert-up") + GetOperations(forward, "expert-down"),
              6 * TOKENS * 2 * H * 320);
    EXPECT_EQ(GetBytes(forward, "expert-up"),
              2 * (2 * TOKENS * H + 2 * H * 640 + 2 * TOKENS * 640));
    EXPECT_EQ(GetOperations(forward, "weighted sum"), 2 * TOKENS * 2 * H);
    EXPECT_EQ(GetNames(costs.GetForward(1)),
              GetNames(TransformerCosts(MakeSmallLlama(), {}).GetForward(1)));
    const auto backward = costs.GetBackward(0);
    EXPECT_EQ(GetBytes(backward, "combine backward all-to-all"), SENT);
    EXPECT_EQ(GetBytes(backward, "dispatch backward all-to-all"), SENT);
    EXPECT_EQ(GetBytes(backward, "expert-down dW"),
              2 * 2 * TOKENS * (H + 320) + 2 * 4 * 2 * 320 * H);
    EXPECT_EQ(GetDependencies(backward, "norm 2 backward"),
              (Names{"permute backward", "router dX"}));
    EXPECT_EQ(GetDependencies(backward, "top-k backward"), Names{"weighted sum backward"});
}

TEST(ExpertProgram, GathersTokensOfDividedExperts)
{
    ParallelPlan plan = MakePlan();
    plan.tensor = 2;
    plan.sequenceParallel = true;
    const auto divided = TransformerCosts(MakeSmallExperts(), plan).GetForward(0);
    EXPECT_EQ(GetBytes(divided, "dispatch all-to-all"), SENT / 2);
    EXPECT_EQ(GetBytes(divided, "expert-up all-gather"), SENT / 2);
    EXPECT_EQ(GetBytes(divided, "expert-down reduce-scatter"), SENT);
    EXPECT_EQ(FindSteps(divided, "expert-up all-gather").front().family, "expert-tensor");
    EXPECT_EQ(GetOperations(divided, "expert-down"), 2 * 2 * TOKENS * H * 160);
    const auto backward = TransformerCosts(MakeSmallExperts(), plan).GetBackward(0);
    EXPECT_EQ(GetBytes(backward, "expert-down dY all-gather"), SENT / 2);
    EXPECT_EQ(GetBytes(backward, "expert-up dX reduce-scatter"), SENT);
    EXPECT_TRUE(FindSteps(backward, "expert-up input all-gather").empty());
    plan.expertTensor = 1;
    const auto whole = TransformerCosts(MakeSmallExperts(), plan).GetForward(0);
    EXPECT_TRUE(FindSteps(whole, "expert-up all-gather").empty());
    EXPECT_EQ(GetOperations(whole, "expert-down"), GetOperations(divided, "expert-down"));
    plan.expertTensor = 0;
    plan.sequenceParallel = false;
    const auto summed = TransformerCosts(MakeSmallExperts(), plan).GetForward(0);
    EXPECT_EQ(GetBytes(summed, "dispatch all-to-all"), SENT);
    EXPECT_EQ(GetBytes(summed, "expert-down all-reduce"), SENT);
    EXPECT_EQ(GetOperations(summed, "expert-down"), GetOperations(divided, "expert-down"));
}

TEST(ExpertProgram, ComputesTheSharedExpertBesideTheOthers)
{
    ParallelPlan plan = MakePlan();
    plan.tensor = 2;
    plan.sequenceParallel = true;
    const TransformerCosts costs(MakeSmallExperts(), plan);
    const auto forward = costs.GetForward(0);
    EXPECT_EQ(GetDependencies(forward, "shared expert-up all-gather"), Names{"norm 2"});
    EXPECT_EQ(GetOperations(forward, "shared expert-up"), 2 * TOKENS * H * 64);
    EXPECT_EQ(GetDependencies(forward, "residual 2"),
              (Names{"shared expert-down reduce-scatter", "weighted sum"}));
    const auto backward = costs.GetBackward(0);
    EXPECT_EQ(GetDependencies(backward, "shared expert-down dY all-gather"),
              Names{"residual 2 backward"});
    EXPECT_EQ(FindSteps(backward, "shared expert-up input all-gather").size(), 1U);
}

TEST(ExpertProgram, PadsTheRoomOfExperts)
{
    ParallelPlan plan = MakePlan();
    plan.capacityFactor = 1.5;
    const auto forward = TransformerCosts(MakeSmallExperts(), plan).GetForward(0);
    EXPECT_EQ(GetBytes(forward, "dispatch all-to-all"), SENT * 3 / 2);
    EXPECT_TRUE(FindSteps(forward, "count all-to-all").empty());
    EXPECT_EQ(GetOperations(forward, "expert-down"), 2 * 3 * TOKENS * H * 320);
}

TEST(ExpertProgram, ExchangesUnequalPartsThatFit)
{
    ParallelPlan plan = MakePlan();
    plan.expertSkew = 1.2;
    const TransformerCosts costs(MakeSmallExperts(), plan);
    std::vector<std::vector<uint64_t>> dispatch;
    std::vector<std::vector<uint64_t>> combine;
    uint64_t operations = 0;
    for (uint32_t i = 0; i < 4; ++i)
    {
        const auto forward = costs.GetForward(0, i);
        dispatch.push_back(FindSteps(forward, "dispatch all-to-all").front().peerBytes);
        combine.push_back(FindSteps(forward, "combine all-to-all").front().peerBytes);
        operations += GetOperations(forward, "expert-down");
        const auto backward = costs.GetBackward(0, i);
        EXPECT_EQ(FindSteps(backward, "combine backward all-to-all").front().peerBytes,
                  dispatch[i]);
        EXPECT_EQ(FindSteps(backward, "dispatch backward all-to-all").front().peerBytes,
                  combine[i]);
    }
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(std::accumulate(dispatch[i].begin(), dispatch[i].end(), uint64_t{0}), SENT);
        for (uint32_t j = 0; j < 4; ++j)
        {
            EXPECT_EQ(combine[j][i], dispatch[i][j]);
        }
    }
    EXPECT_GT(dispatch[0][0], 2 * dispatch[0][1]);
    EXPECT_EQ(operations, 4 * 2 * TOKENS * 2 * H * 320);
}
