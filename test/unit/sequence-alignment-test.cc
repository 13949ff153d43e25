/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/sequence-alignment.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ns3
{
namespace mlcluster
{
namespace
{

/// @param random generator @param length length @param nNames different names @return a sequence
NameSequence
MakeSequence(std::mt19937& random, std::size_t length, uint32_t nNames)
{
    NameSequence sequence;
    for (std::size_t i = 0; i < length; ++i)
    {
        sequence.push_back(random() % nNames);
    }
    return sequence;
}

/// @param a a sequence @param b another @return length of the longest common subsequence, by the
/// table
std::size_t
LongestCommon(const NameSequence& a, const NameSequence& b)
{
    std::vector<std::vector<std::size_t>> table(a.size() + 1,
                                                std::vector<std::size_t>(b.size() + 1, 0));
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                               : std::max(table[i - 1][j], table[i][j - 1]);
        }
    }
    return table[a.size()][b.size()];
}

TEST(SequenceAlignment, FindsPassagesWithoutOverlap)
{
    using Positions = std::vector<std::size_t>;
    EXPECT_EQ(FindOccurrences({1, 2}, {1, 2, 3, 1, 2, 1, 2}), (Positions{0, 3, 5}));
    EXPECT_EQ(FindOccurrences({1, 1}, {1, 1, 1, 1, 1}), (Positions{0, 2}));
    EXPECT_EQ(FindOccurrences({1, 2, 1, 3}, {1, 2, 1, 2, 1, 3}), (Positions{2}));
    EXPECT_EQ(FindOccurrences({1, 2}, {2, 1}), Positions{});
}

TEST(SequenceAlignment, PassagesAreThoseOfPlainSearch)
{
    std::mt19937 random(3);
    for (int round = 0; round < 500; ++round)
    {
        const std::size_t length = 1 + random() % 4;
        const NameSequence part = MakeSequence(random, length, 2);
        const NameSequence whole = MakeSequence(random, random() % 30, 2);
        std::vector<std::size_t> expected;
        for (auto from = whole.begin();;)
        {
            from = std::search(from, whole.end(), part.begin(), part.end());
            if (from == whole.end())
            {
                break;
            }
            expected.push_back(from - whole.begin());
            from += part.size();
        }
        EXPECT_EQ(FindOccurrences(part, whole), expected);
    }
}

TEST(SequenceAlignment, PairsAsManyAsPossible)
{
    std::mt19937 random(5);
    for (int round = 0; round < 1000; ++round)
    {
        const std::size_t lengthA = random() % 12;
        const std::size_t lengthB = random() % 12;
        const NameSequence a = MakeSequence(random, lengthA, 3);
        const NameSequence b = MakeSequence(random, lengthB, 3);
        const auto pairs = Align(a, b, a.size() + b.size());
        EXPECT_EQ(pairs.size(), LongestCommon(a, b));
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            EXPECT_EQ(a.at(pairs[i].first), b.at(pairs[i].second));
            EXPECT_TRUE(i == 0 || (pairs[i - 1].first < pairs[i].first &&
                                   pairs[i - 1].second < pairs[i].second));
        }
        const std::size_t distance = a.size() + b.size() - 2 * pairs.size();
        EXPECT_EQ(Align(a, b, distance).size(), pairs.size());
        EXPECT_TRUE(distance == 0 || Align(a, b, distance - 1).empty());
    }
}

} // namespace
} // namespace mlcluster
} // namespace ns3
