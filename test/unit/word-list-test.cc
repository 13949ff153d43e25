/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/word-list.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

TEST(WordList, KeepsEmptyWordsAndDropsBlanks)
{
    using Words = std::vector<std::string>;
    EXPECT_EQ(SplitWords("analytical, packet", ','), (Words{"analytical", "packet"}));
    EXPECT_EQ(SplitWords("", ','), Words{""});
    EXPECT_EQ(SplitWords(" a b ;; c\r\n", ';'), (Words{"a b", "", "c"}));
    EXPECT_EQ(SplitWords("a,", ','), (Words{"a", ""}));
}
