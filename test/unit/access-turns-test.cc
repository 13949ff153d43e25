/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/access-turns.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace ns3::mlcluster;

namespace
{

using Numbers = std::vector<uint64_t>;

TEST(AccessTurnsTest, OneAfterTheOtherOnEachNpu)
{
    AccessTurns turns(3);
    EXPECT_TRUE(turns.Add(1, {0, 1}));
    EXPECT_FALSE(turns.Add(2, {1, 2}));
    EXPECT_FALSE(turns.Add(3, {2})) << "behind one that waits";
    EXPECT_FALSE(turns.Add(4, {0}));
    EXPECT_EQ(turns.End(1), (Numbers{2, 4}));
    EXPECT_EQ(turns.End(4), Numbers());
    EXPECT_EQ(turns.End(2), Numbers{3});
    EXPECT_EQ(turns.End(3), Numbers());
    EXPECT_TRUE(turns.Add(5, {2, 0, 1}));
}

TEST(AccessTurnsTest, NeverStandsStillNorOverlaps)
{
    std::mt19937 random(5);
    for (uint32_t i = 0; i < 200; ++i)
    {
        AccessTurns turns(5);
        std::vector<std::vector<uint32_t>> ranksOf(40);
        std::set<uint64_t> atWork;
        std::multiset<uint32_t> busy;
        Numbers begun;
        const auto begin = [&](uint64_t access) {
            begun.push_back(access);
            atWork.insert(access);
            busy.insert(ranksOf[access].begin(), ranksOf[access].end());
        };
        for (uint64_t access = 0; access < ranksOf.size() || !atWork.empty();)
        {
            if (access < ranksOf.size() && (atWork.empty() || random() % 2 == 0))
            {
                for (uint32_t rank = 0; rank < 5; ++rank)
                {
                    if (random() % 2 == 0 || rank == access % 5)
                    {
                        ranksOf[access].push_back(rank);
                    }
                }
                if (turns.Add(access, ranksOf[access]))
                {
                    begin(access);
                }
                ++access;
                continue;
            }
            const uint64_t ended = *std::next(atWork.begin(), random() % atWork.size());
            atWork.erase(ended);
            for (const uint32_t rank : ranksOf[ended])
            {
                busy.erase(rank);
            }
            for (const uint64_t next : turns.End(ended))
            {
                begin(next);
            }
            for (uint32_t rank = 0; rank < 5; ++rank)
            {
                ASSERT_LE(busy.count(rank), 1) << "case " << i;
            }
        }
        ASSERT_EQ(begun.size(), ranksOf.size()) << "case " << i;
    }
}

} // namespace
