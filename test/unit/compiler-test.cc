/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

// GCC 12 gets this wrong with vectors of 512 bits; the build keeps it from using them.
TEST(Compiler, KeepsArraysOfConstants)
{
    const std::vector<uint64_t> values{1, 1, 0, 0, 0, 0, 0, 0};
    const std::array<uint64_t, 8> expected{1, 1, 0, 0, 0, 0, 0, 0};
    ASSERT_EQ(values.size(), expected.size());
    uint64_t sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        EXPECT_EQ(values[i] == 1, i < 2) << i;
        sum += values[i] + expected[i];
    }
    EXPECT_EQ(sum, 4U);
}
