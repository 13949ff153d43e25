/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/collective-traffic.h"
#include "ns3/time-expression.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

using Numbers = std::vector<double>;

} // namespace

TEST(CollectiveTrafficTest, BytesOfEachDimension)
{
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::AllReduce, 805306368, {4, 4, 1, 1}),
              (Numbers{1207959552, 301989888, 0, 0}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::AllGather, 50331648, {4, 4, 1, 1}),
              (Numbers{603979776, 150994944, 0, 0}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::AllReduce, 452984832, {1, 2, 4, 32}),
              (Numbers{0, 452984832, 339738624, 109707264}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::ReduceScatter, 64, {2, 4}), (Numbers{32, 24}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::AllToAll, 64, {2, 4}), (Numbers{32, 48}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::AllGather, 8, {2, 4}), (Numbers{32, 24}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::Gather, 8, {2, 4}), (Numbers{8, 48}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::Scatter, 64, {2, 4}), (Numbers{8, 48}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::Broadcast, 64, {2, 1}), (Numbers{64, 0}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::Reduce, 64, {2, 4}), (Numbers{64, 64}));
    EXPECT_EQ(GetCollectiveTraffic(CollectiveType::Barrier, 64, {2, 4}), (Numbers{0, 0}));
}

TEST(CollectiveTrafficTest, Refusals)
{
    EXPECT_NE(ErrorOf([] { GetCollectiveTraffic(CollectiveType::AllReduce, 1, {2, 0}); }), "");
    EXPECT_NE(ErrorOf([] { GetCollectiveTraffic(CollectiveType::AllReduce, -1, {2}); }), "");
    EXPECT_NE(ErrorOf([] { GetCollectiveTraffic(CollectiveType::AllReduce, NAN, {2}); }), "");
}

TEST(TimeExpressionTest, SumsAndMaxima)
{
    TimeExpression time(2);
    time.Add(TimeExpression::MakeConstant(7));
    time.Add(time.MakeCollective({100, 40}), 2);
    auto first = time.MakeCollective({0, 60});
    auto second = time.MakeCollective({90, 0});
    first.constant = 5;
    const auto inner = time.MakeMaximum({first, second});
    time.Add(time.MakeMaximum({TimeExpression::Sum(inner).Add(second), time.MakeConstant(30)}));
    const auto values = time.Evaluate({10, 5});
    EXPECT_EQ(values.total, 7 + 2 * 10 + 30);
    EXPECT_EQ(values.maxima, (Numbers{17, 30}));
    EXPECT_EQ(time.Evaluate({5, 5}).total, 7 + 2 * 20 + 18 + 18);
    EXPECT_EQ(time.Evaluate({0, 5}).total, INFINITY);
    EXPECT_EQ(time.Evaluate({INFINITY, INFINITY}).total, 37);
}

TEST(TimeExpressionTest, KeepsProportionalCollectivesOnce)
{
    TimeExpression time(3);
    time.Add(time.MakeCollective({30, 10, 0}), 4);
    time.Add(time.MakeCollective({3e9, 1e9, 0}));
    time.Add(time.MakeCollective({0, 0, 0}));
    EXPECT_EQ(time.GetShapes().size(), 1);
    EXPECT_EQ(time.GetTotal().collectives.at(0), 3e9 + 120);
    time.Add(time.MakeCollective({30, 10, 1}));
    EXPECT_EQ(time.GetShapes().size(), 2);
    EXPECT_EQ(time.GetInvolved(), (std::vector<bool>{true, true, true}));
    EXPECT_EQ(TimeExpression(2).GetInvolved(), (std::vector<bool>{false, false}));
}

TEST(TimeExpressionTest, LeavesBranchesOutThatCannotBeLongest)
{
    TimeExpression time(1);
    const auto collective = time.MakeCollective({8});
    auto longer = TimeExpression::Sum(collective).Add(collective);
    longer.constant = 1;
    EXPECT_TRUE(time.MakeMaximum({collective, longer, TimeExpression::MakeConstant(1)}) == longer);
    EXPECT_TRUE(time.GetMaxima().empty());
    const auto some = time.MakeMaximum({collective, TimeExpression::MakeConstant(3)});
    EXPECT_TRUE(time.MakeMaximum({collective, TimeExpression::MakeConstant(3)}) == some);
    EXPECT_EQ(time.GetMaxima().size(), 1);
    EXPECT_TRUE(
        time.MakeMaximum({TimeExpression::MakeConstant(2), TimeExpression::MakeConstant(5)}) ==
        TimeExpression::MakeConstant(5));
}

TEST(TimeExpressionTest, UsedPartsTakeTheSameTime)
{
    TimeExpression time(2);
    time.MakeCollective({5, 7});
    const auto used = time.MakeCollective({8, 0});
    const auto inner = time.MakeMaximum({used, TimeExpression::MakeConstant(3)});
    time.MakeMaximum({time.MakeCollective({0, 9}), TimeExpression::MakeConstant(4)});
    const auto outer = time.MakeMaximum({TimeExpression::Sum(inner).Add(used),
                                         inner,
                                         time.MakeCollective({1, 1}),
                                         TimeExpression::MakeConstant(8)});
    time.Add(outer, 2);
    time.Add(inner);
    time.Add(time.MakeCollective({3, 4}), 0);
    const auto left = time.GetUsed();
    EXPECT_EQ(left.GetShapes().size(), 2);
    EXPECT_EQ(left.GetMaxima().size(), 2);
    for (const Numbers& bandwidths : {Numbers{1, 1}, Numbers{4, 0.1}, Numbers{0.5, 9}})
    {
        EXPECT_EQ(left.Evaluate(bandwidths).total, time.Evaluate(bandwidths).total);
    }
    EXPECT_TRUE(TimeExpression(2).GetUsed().GetShapes().empty());
}

TEST(TimeExpressionTest, Refusals)
{
    TimeExpression time(2);
    EXPECT_NE(ErrorOf([&] { time.MakeCollective({1}); }), "");
    EXPECT_NE(ErrorOf([&] { time.MakeCollective({1, -1}); }), "");
    EXPECT_NE(ErrorOf([&] { time.MakeCollective({1, INFINITY}); }), "");
}
