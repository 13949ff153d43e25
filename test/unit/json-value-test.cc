/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/json-reader.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace ns3
{
namespace mlcluster
{
namespace
{

using Kind = JsonValue::Kind;

/// @param digits a number @param scale decimal places @return it scaled
std::optional<int64_t>
Scale(const std::string& digits, int scale)
{
    return ReadJson(digits).GetScaled(scale);
}

TEST(JsonValue, KeepsStructureAndOrder)
{
    const JsonValue value = ReadJson(R"({"b": [1, "x", null, true], "a": {"c": -2}, "b": 7})");
    EXPECT_EQ(value.GetKind(), Kind::Object);
    EXPECT_EQ(value.GetKeys(), (std::vector<std::string>{"b", "a", "b"}));
    EXPECT_EQ(value.Find("b")->GetInteger(), 7) << "the last one counts";
    EXPECT_EQ(value.Find("a")->Find("c")->GetInteger(), -2);
    EXPECT_EQ(value.Find("none"), nullptr);
    const auto& list = value.GetElements()[0].GetElements();
    EXPECT_EQ(list[1].GetText(), "x");
    EXPECT_EQ(list[2].GetKind(), Kind::Null);
    EXPECT_EQ(list[3].GetKind(), Kind::Flag);
    EXPECT_FALSE(list[3].GetInteger());
    EXPECT_FALSE(list[1].GetInteger());
}

TEST(JsonValue, ReadsIntegersWholeOrNotAtAll)
{
    EXPECT_EQ(ReadJson("9223372036854775807").GetInteger(), INT64_MAX);
    EXPECT_EQ(ReadJson("-9223372036854775808").GetInteger(), INT64_MIN);
    EXPECT_EQ(ReadJson("\"12\"").GetInteger(), 12);
    for (const char* text : {"9223372036854775808", "1.5", "1e3", "\"12 \"", "\"\"", "[]", "true"})
    {
        EXPECT_FALSE(ReadJson(text).GetInteger()) << text;
    }
}

TEST(JsonValue, ScalesDecimalsExactly)
{
    EXPECT_EQ(Scale("4458676522690.655", 3), 4458676522690655);
    EXPECT_EQ(Scale("1726134043823422.123", 3), 1726134043823422123);
    EXPECT_EQ(Scale("0.0004", 3), 0);
    EXPECT_EQ(Scale("0.0005", 3), 1);
    EXPECT_EQ(Scale("0.00049999", 3), 0);
    EXPECT_EQ(Scale("-1.5", 0), -2);
    EXPECT_EQ(Scale("1.5e3", 3), 1500000);
    EXPECT_EQ(Scale("15e-1", 0), 2);
    EXPECT_EQ(Scale("0e99999", 3), 0);
    EXPECT_EQ(Scale("1e-99999", 3), 0);
    EXPECT_EQ(Scale("7", 3), 7000);
    EXPECT_EQ(Scale("9223372036854775.806", 3), INT64_MAX - 1);
    for (const char* text : {"9223372036854775.808", "1e300", "1e-99999999999", "\"7\"", "null"})
    {
        EXPECT_FALSE(Scale(text, 3)) << text;
    }
}

TEST(JsonValue, ScalesAsLongDoubleDoes)
{
    std::mt19937_64 random(7);
    for (int i = 0; i < 2000; ++i)
    {
        const int64_t whole = random() % 1000000000;
        const int64_t fraction = random() % 1000000;
        std::string digits = std::to_string(fraction);
        digits.insert(0, 6 - digits.size(), '0');
        const auto expected = (whole * 1000000 + fraction + 500) / 1000;
        EXPECT_EQ(Scale(std::to_string(whole) + "." + digits, 3), expected);
    }
}

TEST(JsonValue, HandsOnElementsOfOneArray)
{
    std::vector<std::string> seen;
    const auto take = [&](const JsonValue& value) { seen.push_back(ToPythonText(value)); };
    std::istringstream object(R"({"a": [0], "nodes": [1, [2], {"nodes": [3]}], "z": 4})");
    const JsonValue rest = ReadJson(object, "nodes", take);
    EXPECT_EQ(seen, (std::vector<std::string>{"1", "[2]", "{'nodes': [3]}"}));
    EXPECT_EQ(ToPythonText(rest), "{'a': [0], 'nodes': [], 'z': 4}");
    seen.clear();
    std::istringstream array("[5, 6]");
    EXPECT_EQ(ToPythonText(ReadJson(array, "nodes", take)), "[]");
    EXPECT_EQ(seen, (std::vector<std::string>{"5", "6"}));
}

TEST(JsonValue, WritesAsPythonDoes)
{
    const char* const text =
        R"([[3, 0.5, "cuda:0"], true, false, null, "it's", "a\"b", "'\"", "a\\b\n", {"k": []}])";
    EXPECT_EQ(
        ToPythonText(ReadJson(text)),
        R"([[3, 0.5, 'cuda:0'], True, False, None, "it's", 'a"b', '\'"', 'a\\b\n', {'k': []}])");
}

TEST(JsonValue, ErrorsTellWhere)
{
    EXPECT_NE(ErrorOf([] { ReadJson("{\"a\":\n 1,}"); }).find("line 2, column 4"),
              std::string::npos);
    EXPECT_NE(ErrorOf([] { ReadJson(""); }).find("is not JSON"), std::string::npos);
    EXPECT_NE(ErrorOf([] { ReadJson("[1] 2"); }).find("is not JSON"), std::string::npos);
    const std::string deep = std::string(65, '[') + std::string(65, ']');
    EXPECT_EQ(ErrorOf([&] { ReadJson(deep); }), "is nested deeper than 64 levels");
    EXPECT_EQ(ErrorOf([&] { ReadJson(deep.substr(1, 128)); }), "");
}

} // namespace
} // namespace mlcluster
} // namespace ns3
