/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-cases.h"

#include "ns3/equal-requests.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

using Cookies = std::vector<uint64_t>;

TEST(EqualRequestsTest, OneOfEveryGpuIsOneAccess)
{
    const auto shape = MakeSmallPool();
    EqualRequests requests;
    for (uint64_t k = 0; k < 2; ++k)
    {
        for (const uint32_t rank : {2, 0, 3, 1})
        {
            requests.Add(rank, false, 100, 10 * k + rank);
        }
    }
    requests.Add(1, true, 100, 7);
    requests.Add(2, false, 99, 8);
    EXPECT_EQ(requests.GetCount(), 10);
    const auto batches = requests.Take(shape);
    EXPECT_EQ(requests.GetCount(), 0);
    ASSERT_EQ(batches.size(), 4);
    EXPECT_EQ(batches[0].access.uniqueBytes, 400);
    EXPECT_EQ(batches[0].access.nNodes * batches[0].access.nGpus, 4);
    EXPECT_EQ(batches[0].cookies, (Cookies{2, 0, 3, 1}));
    EXPECT_EQ(batches[1].cookies, (Cookies{12, 10, 13, 11}));
    EXPECT_TRUE(batches[2].access.isStore);
    EXPECT_EQ(batches[2].access.uniqueBytes, 100);
    EXPECT_EQ(batches[2].access.firstGpu, 1);
    EXPECT_EQ(batches[3].access.firstNode, 1);
    EXPECT_EQ(batches[3].access.uniqueBytes, 99);
    EXPECT_EQ(batches[3].cookies, Cookies{8});
    EXPECT_TRUE(requests.Take(shape).empty());
}

TEST(EqualRequestsTest, ThreeOfFourAreThree)
{
    EqualRequests requests;
    for (const uint32_t rank : {3, 1, 0})
    {
        requests.Add(rank, true, 5, rank);
    }
    const auto batches = requests.Take(MakeSmallPool());
    ASSERT_EQ(batches.size(), 3);
    EXPECT_EQ(batches[0].cookies, Cookies{3});
    EXPECT_EQ(batches[2].cookies, Cookies{0});
    EXPECT_EQ(batches[2].access.nGpus, 1);
}

TEST(EqualRequestsTest, ThoseOfARectangleAreOne)
{
    const std::vector<std::vector<uint32_t>> rectangles = {{3, 2}, {1, 3}, {2}};
    for (const auto& ranks : rectangles)
    {
        EqualRequests requests;
        for (const uint32_t rank : ranks)
        {
            requests.Add(rank, true, 5, rank);
        }
        const auto batches = requests.Take(MakeSmallPool());
        ASSERT_EQ(batches.size(), 1);
        const auto& access = batches[0].access;
        EXPECT_TRUE(access.isStore);
        EXPECT_EQ(access.uniqueBytes, 5 * ranks.size());
        EXPECT_EQ(access.firstNode * 2 + access.firstGpu,
                  *std::min_element(ranks.begin(), ranks.end()));
        EXPECT_EQ(access.nNodes * access.nGpus, ranks.size());
        EXPECT_EQ(access.GetNodeBlocks() * access.GetGpuBlocks(), ranks.size()) << "plain";
    }
}

} // namespace
