/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/context-table.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace ns3::mlcluster;

TEST(ContextTable, AgreesWithAMapOfRandomContexts)
{
    std::mt19937 random(1);
    ContextTable<uint32_t> table;
    std::map<uint64_t, uint32_t> expected;
    for (uint32_t i = 1; i < 500; ++i)
    {
        const uint64_t group = random() % 9;
        const uint32_t ordinal = random() % 50;
        const uint64_t context = ContextTable<uint32_t>::MakeContext(group, ordinal);
        table[context] = i;
        expected[context] = i;
    }
    EXPECT_EQ(table.Find(ContextTable<uint32_t>::MakeContext(9, 0)), nullptr);
    EXPECT_EQ(table.Find(ContextTable<uint32_t>::MakeContext(0, 50)), nullptr);
    for (const auto& [context, value] : expected)
    {
        ASSERT_NE(table.Find(context), nullptr);
        EXPECT_EQ(*table.Find(context), value);
    }
    auto next = expected.begin();
    table.VisitAll([&](uint64_t context, uint32_t value) {
        const bool isThere = next != expected.end() && next->first == context;
        EXPECT_EQ(value, isThere ? next->second : 0);
        next = isThere ? std::next(next) : next;
    });
    EXPECT_EQ(next, expected.end());
}

TEST(ContextTable, HoldsTheLargestNumbers)
{
    const uint64_t context = ContextTable<int>::MakeContext(3, 0xffff'ffff);
    EXPECT_EQ(context, 0x3'ffff'ffffULL);
}
