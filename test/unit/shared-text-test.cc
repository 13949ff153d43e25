/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/rare-list.h"
#include "ns3/shared-text.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <thread>
#include <vector>

using namespace ns3::mlcluster;

TEST(SharedTextTest, HoldsAnyText)
{
    const std::string binary("a\0b", 3);
    for (const std::string& text :
         {std::string(), std::string("x"), binary, std::string(1000, 'y')})
    {
        const SharedText shared(text);
        EXPECT_EQ(std::string(shared), text);
        EXPECT_EQ(std::string_view(shared), text);
        EXPECT_EQ(shared.size(), text.size());
        EXPECT_EQ(shared.empty(), text.empty());
        EXPECT_EQ(shared.c_str()[text.size()], '\0');
    }
}

TEST(SharedTextTest, CopiesShareAndOutliveEachOther)
{
    auto first = std::make_unique<SharedText>("kernel");
    SharedText second(*first);
    EXPECT_EQ(second.c_str(), first->c_str());
    SharedText third;
    third = second;
    SharedText fourth(std::move(second));
    EXPECT_TRUE(second.empty()); // NOLINT: what is left is told
    first.reset();
    fourth = fourth;
    EXPECT_EQ(fourth, "kernel");
    fourth = SharedText();
    EXPECT_EQ(third, "kernel");
    third = "other";
    EXPECT_EQ(third, std::string("other"));
}

TEST(SharedTextTest, IsUsedAsTextsAre)
{
    const SharedText text("a b c");
    std::string copy = text;
    copy = text;
    EXPECT_EQ(copy + text + "!" + copy, "a b ca b c!a b c");
    EXPECT_EQ("<" + text + ">", "<a b c>");
    EXPECT_EQ(text.substr(2), "b c");
    EXPECT_EQ(text.substr(2, 1), "b");
    EXPECT_EQ(text.find("b"), 2u);
    EXPECT_EQ(text.find(' ', 2), 3u);
    EXPECT_EQ(text.rfind(" "), 3u);
    EXPECT_EQ(text.find("x"), std::string::npos);
    EXPECT_TRUE(text == "a b c" && text != "a" && text < SharedText("b"));
    std::map<std::string, int> numbers{{"a b c", 7}};
    EXPECT_EQ(numbers.at(text), 7);
    std::ostringstream os;
    os << text << SharedText();
    EXPECT_EQ(os.str(), "a b c");
}

TEST(SharedTextTest, IsSharedAcrossThreads)
{
    const SharedText text("shared by threads");
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
    {
        threads.emplace_back([&] {
            for (int k = 0; k < 10000; ++k)
            {
                const SharedText copy(text);
                ASSERT_EQ(copy.size(), 17u);
            }
        });
    }
    for (auto& thread : threads)
    {
        thread.join();
    }
    EXPECT_EQ(text, "shared by threads");
}

TEST(SharedTextTest, APoolSharesEqualTexts)
{
    std::vector<SharedText> texts;
    {
        SharedTextPool pool;
        for (int i = 0; i < 1000; ++i)
        {
            texts.push_back(pool.Get("name " + std::to_string(i % 10)));
        }
        EXPECT_TRUE(pool.Get("").empty());
    }
    for (int i = 0; i < 1000; ++i)
    {
        EXPECT_EQ(texts[i].c_str(), texts[i % 10].c_str());
        EXPECT_EQ(texts[i], "name " + std::to_string(i % 10));
    }
}

TEST(RareListTest, IsAVectorThatTakesAPointer)
{
    static_assert(sizeof(RareList<uint64_t>) == sizeof(void*));
    RareList<uint64_t> list;
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list, std::vector<uint64_t>{});
    list.push_back(3);
    list.push_back(4);
    RareList<uint64_t> copy(list);
    copy.push_back(5);
    EXPECT_EQ(list, (std::vector<uint64_t>{3, 4}));
    EXPECT_EQ(copy.size(), 3u);
    EXPECT_EQ(copy[2], 5u);
    EXPECT_NE(copy, list);
    EXPECT_LT(list, copy);
    list = {};
    EXPECT_EQ(list, RareList<uint64_t>());
    const std::vector<uint64_t> values(copy.begin(), copy.end());
    list.assign(values.begin() + 1, values.end());
    EXPECT_EQ(list, (std::vector<uint64_t>{4, 5}));
    const RareList<uint64_t> moved(std::move(copy));
    const std::vector<uint64_t>& same = moved;
    EXPECT_EQ(same, values);
}
