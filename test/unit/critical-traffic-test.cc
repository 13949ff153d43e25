/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/critical-traffic.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

using Numbers = std::vector<double>;

TEST(CriticalTrafficTest, FollowsTheLongestBranches)
{
    TimeExpression time(2);
    const auto inner = time.MakeCollective({8, 0});
    const auto outer = time.MakeCollective({2, 4});
    auto first = TimeExpression::MakeConstant(5);
    first.Add(inner);
    auto second = TimeExpression::MakeConstant(1);
    second.Add(outer, 3);
    time.Add(TimeExpression::MakeConstant(10));
    time.Add(time.MakeMaximum({first, second}), 2);
    time.Add(inner);

    const CriticalTraffic fast(time, {8, 8}); // 5 + 1 against 1 + 3 * 4 / 8
    EXPECT_EQ(fast.constant, 10 + 2 * 5);
    EXPECT_EQ(fast.bytes, (Numbers{3 * 8, 0}));
    EXPECT_EQ(fast.communication, 3);
    EXPECT_EQ(fast.shares, (Numbers{1, 0}));

    const CriticalTraffic slow(time, {8, 1}); // 5 + 1 against 1 + 3 * 4
    EXPECT_EQ(slow.constant, 10 + 2 * 1);
    EXPECT_EQ(slow.bytes, (Numbers{8 + 2 * 3 * 2, 2 * 3 * 4}));
    EXPECT_EQ(slow.communication, 1 + 2 * 3 * 4);
    EXPECT_EQ(slow.shares, (Numbers{20.0 / 8 / 25, 24.0 / 25}));
    EXPECT_EQ(slow.constant + slow.communication, time.Evaluate({8, 1}).total);
}

TEST(CriticalTrafficTest, NothingIsSent)
{
    TimeExpression time(2);
    time.Add(TimeExpression::MakeConstant(3));
    const CriticalTraffic none(time, {0, 0});
    EXPECT_EQ(none.constant, 3);
    EXPECT_EQ(none.communication, 0);
    EXPECT_EQ(none.shares, (Numbers{0, 0}));
}

} // namespace
