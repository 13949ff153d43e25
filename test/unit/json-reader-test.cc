/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/json-reader.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Texts = std::vector<std::string>; ///< short

/// @param text a JSON text @return its values, elements of "a" and "b" one by one with the key,
/// each with the line it begins in; and the error
Texts
Read(const std::string& text)
{
    std::istringstream stream(text);
    Texts found;
    const auto show = [&](const JsonValue& value, const std::string& key) {
        found.push_back(key + std::to_string(value.GetLine()) + " " + ToPythonText(value));
    };
    JsonReader reader(stream, {"a", "b"}, show);
    const std::string error = ErrorOf([&] {
        for (auto value = reader.Next(); value; value = reader.Next())
        {
            show(*value, "top");
        }
    });
    if (!error.empty())
    {
        found.push_back(std::to_string(reader.GetLine()) + ": " + error);
    }
    return found;
}

} // namespace

TEST(JsonReaderTest, HandsOnTheElementsOfAnArray)
{
    EXPECT_EQ(Read("[{\"x\": 1},\n {\n\"y\": [true, [], {}]}, 2,\"t\"]\n"),
              (Texts{"1 {'x': 1}", "2 {'y': [True, [], {}]}", "3 2", "3 't'", "top1 []"}));
    EXPECT_EQ(Read("[]"), Texts{"top1 []"});
}

TEST(JsonReaderTest, HandsOnTheElementsOfMembers)
{
    EXPECT_EQ(
        Read("{\"k\": 1, \"a\": [{\"x\": 1}, {\"a\": [{}]}], \"b\": [],\n \"c\": [{}]}"),
        (Texts{"a1 {'x': 1}", "a1 {'a': [{}]}", "top1 {'k': 1, 'a': [], 'b': [], 'c': [{}]}"}));
    EXPECT_EQ(Read("{\"a\": 5}"), Texts{"top1 {'a': 5}"});
}

TEST(JsonReaderTest, ReadsOneValueAfterAnother)
{
    EXPECT_EQ(Read("{\"x\": 1}{}\n\n{\"y\": {\"x\": 2}} 3\n"),
              (Texts{"top1 {'x': 1}", "top1 {}", "top3 {'y': {'x': 2}}", "top4 3"}));
    EXPECT_EQ(Read(" \n"), Texts{});
}

TEST(JsonReaderTest, FaultsNameThePlace)
{
    const auto error = [](const std::string& text) { return Read(text).back().substr(0, 48); };
    EXPECT_EQ(error("[{\"x\": 1},\n{\"x\" 2}]"),
              "2: is not JSON: line 2, column 7: syntax error w");
    EXPECT_EQ(error("{}\n{},"), "2: is not JSON: line 2, column 3: syntax error w");
    EXPECT_EQ(error("[1,\n\n"), "3: is not JSON: line 3, column 0: syntax error w");
    EXPECT_EQ(error("[\"\xff\"]").substr(0, 14), "1: is not JSON");
    EXPECT_EQ(error("[1e999]").substr(0, 14), "1: is not JSON");
    EXPECT_EQ(error(std::string(100000, '[')), "1: is nested deeper than 64 levels");
}

TEST(JsonReaderTest, WhatTheHandlerThrowsComesThrough)
{
    std::istringstream stream("[1,\n2]");
    JsonReader reader(stream, {}, [](const JsonValue& value, const std::string&) {
        if (value.GetText() == "2")
        {
            throw InputError("enough");
        }
    });
    EXPECT_EQ(ErrorOf([&] { reader.Next(); }), "enough");
    EXPECT_EQ(reader.GetLine(), 2);
}
