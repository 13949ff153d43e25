/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/memory-queues.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3::mlcluster;

namespace
{

constexpr uint64_t GBYTES_PER_S = 8'000'000'000; ///< bit/s
constexpr int64_t NS = 1'000;                    ///< ps

TEST(MemoryQueuesTest, OneTwoOrAllRanksShareAMemory)
{
    // 4 NPUs access 10^6 B at once, 100 ns and 10 GB/s away
    for (const auto rounding : {MemoryRounding::UpPicosecond, MemoryRounding::DownNanosecond})
    {
        MemoryQueues perNpu(10 * GBYTES_PER_S, 100 * NS, 1, rounding);
        MemoryQueues perNode(10 * GBYTES_PER_S, 100 * NS, 2, rounding);
        MemoryQueues pool(10 * GBYTES_PER_S, 100 * NS, MemoryQueues::ALL, rounding);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            EXPECT_EQ(perNpu.Book(rank, 1'000'000, 0), 100'100 * NS);
            EXPECT_EQ(perNode.Book(rank, 1'000'000, 0), (1 + rank % 2) * 100'100 * NS);
            EXPECT_EQ(pool.Book(rank, 1'000'000, 0), (1 + rank) * 100'100 * NS);
        }
        EXPECT_EQ(pool.Book(2, 10, 1'000'000 * NS), 1'000'101 * NS) << "after a rest";
    }
}

TEST(MemoryQueuesTest, Rounding)
{
    MemoryQueues up(10 * GBYTES_PER_S, 0);
    EXPECT_EQ(up.Book(0, 1'000'005, 0), 100'000'500);
    EXPECT_EQ(up.Book(1, 0, 3), 3);
    MemoryQueues down(10 * GBYTES_PER_S, 7, 1, MemoryRounding::DownNanosecond);
    EXPECT_EQ(down.Book(0, 1'000'009, 0), 100'000'007);
    EXPECT_EQ(down.Book(0, 9, 0), 100'000'014);
    MemoryQueues thirds(3 * GBYTES_PER_S, 0);
    EXPECT_EQ(thirds.Book(0, 1, 0), 334);
}

TEST(MemoryQueuesTest, Refusals)
{
    for (const auto rounding : {MemoryRounding::UpPicosecond, MemoryRounding::DownNanosecond})
    {
        MemoryQueues queues(1, NS, 1, rounding);
        EXPECT_NE(ErrorOf([&] { queues.Book(5, UINT64_MAX, 0); })
                      .find("the access of rank 5 to 18446744073709551615B of remote memory at "
                            "1bps ends later than"),
                  std::string::npos);
    }
}

} // namespace
