/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/group-mapping.h"
#include "ns3/rank-layout.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

using namespace ns3::mlcluster;

namespace
{

using Groups = std::vector<std::vector<uint32_t>>; ///< members per group

/// @param t tensor @param c context @param d data @param p pipeline @return such a plan
ParallelPlan
MakePlan(uint32_t t, uint32_t c, uint32_t d, uint32_t p)
{
    ParallelPlan plan;
    plan.tensor = t;
    plan.context = c;
    plan.data = d;
    plan.pipeline = p;
    return plan;
}

} // namespace

TEST(RankLayoutTest, DataGroupsHoldRanksOfOneStage)
{
    // groups as if there were one stage
    const RankLayout layout(MakePlan(2, 1, 2, 2));
    EXPECT_EQ(layout.GetNRanks(), 8u);
    EXPECT_EQ(layout.GetGroups("tensor"), (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
    EXPECT_EQ(layout.GetGroups("data"), (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
    EXPECT_EQ(layout.GetGroups("pipeline"), (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    EXPECT_EQ(layout.GetGroups("model"), (Groups{{0, 1, 4, 5}, {2, 3, 6, 7}}));
    EXPECT_EQ(layout.GetNumbers("data"), (std::vector<uint32_t>{0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST(RankLayoutTest, OnlyFirstAndLastStageShareTheEmbedding)
{
    const RankLayout layout(MakePlan(2, 1, 1, 4));
    EXPECT_EQ(layout.GetGroups("embedding"), (Groups{{0, 6}, {1, 7}}));
    EXPECT_EQ(layout.GetGroupSize("embedding"), 2u);
    EXPECT_EQ(layout.GetNumbers("embedding"), (std::vector<uint32_t>{0, 1, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(RankLayout(MakePlan(2, 1, 1, 1)).GetGroupSize("embedding"), 1u);
}

TEST(RankLayoutTest, ContextRanksShareGradients)
{
    auto plan = MakePlan(2, 2, 2, 1);
    EXPECT_EQ(RankLayout(plan).GetGroups("data"), (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}}));
    EXPECT_EQ(RankLayout(plan).GetGroups("context"), (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
    plan.rankOrder = "data-context-pipeline-tensor";
    EXPECT_EQ(RankLayout(plan).GetGroups("data"), (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
    EXPECT_EQ(RankLayout(plan).GetGroups("context"), (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
    EXPECT_EQ(RankLayout(plan).GetGroups("tensor"), (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
}

TEST(RankLayoutTest, ExpertsLieInsideDataAndContext)
{
    auto plan = MakePlan(2, 1, 4, 1);
    plan.expert = 2;
    const RankLayout whole(plan);
    EXPECT_EQ(whole.GetGroups("expert"), (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
    EXPECT_EQ(whole.GetGroups("expert-data"), (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    EXPECT_EQ(whole.GetGroups("expert-tensor"), whole.GetGroups("tensor"));
    plan.expertTensor = 1;
    plan.expert = 4;
    const RankLayout apart(plan);
    EXPECT_EQ(apart.GetGroups("expert"), (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
    EXPECT_EQ(apart.GetGroups("expert-data"), (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    EXPECT_EQ(apart.GetGroupSize("expert-tensor"), 1u);
}

TEST(RankLayoutTest, FamiliesPartitionTheRanks)
{
    std::mt19937 random(1);
    std::vector<std::string> order{"tensor", "context", "data", "pipeline"};
    for (int i = 0; i < 100; ++i)
    {
        const uint32_t t = 1 + random() % 4;
        const uint32_t c = 1 + random() % 3;
        const uint32_t d = 1 + random() % 4;
        auto plan = MakePlan(t, c, d, 1 + random() % 4);
        plan.expertTensor = random() % 2;
        const uint32_t nExpertRanks = c * d * (plan.expertTensor == 1 ? t : 1);
        plan.expert = std::gcd(nExpertRanks, static_cast<uint32_t>(1 + random() % 12));
        std::shuffle(order.begin(), order.end(), random);
        plan.rankOrder = order[0] + "-" + order[1] + "-" + order[2] + "-" + order[3];
        const RankLayout layout(plan);
        for (const auto& family : RankLayout::GetFamilies())
        {
            const auto groups = layout.GetGroups(family);
            const auto numbers = layout.GetNumbers(family);
            std::set<uint32_t> seen;
            for (std::size_t g = 0; g < groups.size(); ++g)
            {
                EXPECT_EQ(groups[g].size(), layout.GetGroupSize(family)) << family;
                EXPECT_TRUE(std::is_sorted(groups[g].begin(), groups[g].end()));
                for (const uint32_t rank : groups[g])
                {
                    EXPECT_EQ(numbers[rank], g);
                    EXPECT_TRUE(seen.insert(rank).second);
                }
            }
            EXPECT_TRUE(family == "embedding" || seen.size() == layout.GetNRanks()) << family;
        }
    }
}

TEST(RankLayoutTest, RefusesWhatDoesNotFit)
{
    const auto error = [](const ParallelPlan& plan) {
        return ErrorOf([&] { const RankLayout layout(plan); });
    };
    EXPECT_EQ(error(MakePlan(2, 0, 1, 1)),
              "tensor x context x pipeline x data must give 1 to 2^24 ranks; the context degree is "
              "0");
    EXPECT_NE(error(MakePlan(1 << 16, 1, 1 << 16, 1)), "");
    auto plan = MakePlan(4, 1, 6, 1);
    for (const char* order : {"tensor-context-data",
                              "tensor-tensor-data-pipeline",
                              "",
                              "tensor-context-data-pipeline-data"})
    {
        plan.rankOrder = order;
        EXPECT_EQ(error(plan),
                  "\"" + plan.rankOrder +
                      "\" is no rank order; allowed is each of tensor, context, data and pipeline "
                      "once, fastest first, such as tensor-context-data-pipeline");
    }
    plan.rankOrder = "tensor-context-data-pipeline";
    plan.expertTensor = 2;
    EXPECT_EQ(error(plan),
              "the tensor degree of experts is 2; allowed are 1 and that of the plan, 4");
    plan.expertTensor = 1;
    plan.expert = 5;
    EXPECT_EQ(error(plan),
              "the expert degree is 5; it must divide the 24 ranks of a stage that experts are "
              "spread over, data x context x tensor");
    plan.expertTensor = 0;
    EXPECT_NE(
        error(plan).find("the 6 ranks of a stage that experts are spread over, data x context"),
        std::string::npos);
    plan.expert = 0;
    EXPECT_NE(error(plan), "");
}

TEST(GroupMappingTest, TellsDimensionsAndHowManyOfThem)
{
    auto dimensions = ClusterTopology::ParseNotation("R(4)_SW(8)");
    for (auto& dimension : dimensions)
    {
        dimension.linkBitRate = 1;
    }
    const ClusterTopology topology(dimensions);
    const RankLayout layout(MakePlan(4, 1, 4, 2));
    const auto describe = [&](const RankLayout& l, const std::string& family) {
        return DescribeMapping(l.GetGroups(family), topology);
    };
    EXPECT_EQ(describe(layout, "tensor"), "dimension 0 (whole)");
    EXPECT_EQ(describe(layout, "data"), "dimension 1 (4 of 8)");
    EXPECT_EQ(describe(layout, "pipeline"), "dimension 1 (2 of 8, 4 apart)");
    EXPECT_EQ(describe(layout, "context"), "one rank");
    EXPECT_EQ(describe(layout, "model"), "dimension 0 (whole) and dimension 1 (2 of 8, 4 apart)");
    EXPECT_EQ(DescribeMapping({{0, 1, 4}, {2, 3}, {12, 13, 20}}, topology),
              "dimension 0 (2 of 4) and dimension 1 (2 of 8), 3 of 4 ranks there for 1 groups; "
              "dimension 0 (2 of 4) for 1 groups; "
              "dimension 0 (2 of 4) and dimension 1 (2 of 8, 2 apart), 3 of 4 ranks there for 1 "
              "groups");
    EXPECT_EQ(DescribeMapping({{0, 1, 3}}, topology), "dimension 0 (3 of 4)");
    EXPECT_EQ(ErrorOf([&] { DescribeMapping({{31}, {32}}, topology); }),
              "rank 32 of a group is not in Ring(4)_Switch(8), which has 32 ranks");
}
