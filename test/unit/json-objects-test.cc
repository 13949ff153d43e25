/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/json-objects.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Texts = std::vector<std::string>; ///< short

/// @param value a value @return it in a short form, objects with the line they begin in
std::string
Show(const JsonNode& value)
{
    struct Visitor
    {
        int line; ///< of the value

        std::string operator()(std::monostate) const
        {
            return "null";
        }

        std::string operator()(bool flag) const
        {
            return flag ? "yes" : "no";
        }

        std::string operator()(int64_t number) const
        {
            return std::to_string(number);
        }

        std::string operator()(uint64_t number) const
        {
            return std::to_string(number);
        }

        std::string operator()(double number) const
        {
            return "~" + std::to_string(number);
        }

        std::string operator()(const std::string& text) const
        {
            return "'" + text + "'";
        }

        std::string operator()(const JsonNode::List& list) const
        {
            std::string text = "[";
            for (const auto& element : list)
            {
                text += Show(element) + ",";
            }
            return text + "]";
        }

        std::string operator()(const JsonNode::Object& object) const
        {
            std::string text = std::to_string(line) + "{";
            for (const auto& [name, member] : object)
            {
                text += name + ":" + Show(member) + ",";
            }
            return text + "}";
        }
    };

    return std::visit(Visitor{value.line}, value.content);
}

/// @param text a JSON text @return its objects, those of "a" and "b" one by one, as "origin list
/// value", and the error with its line
Texts
Read(const std::string& text)
{
    std::istringstream stream(text);
    JsonObjectReader reader(stream, {"a", "b"});
    Texts found;
    const std::string error = ErrorOf([&] {
        reader.Read([&](const JsonNode& object,
                        JsonObjectReader::Origin origin,
                        const std::string& list) {
            found.push_back(std::to_string(static_cast<int>(origin)) + list + " " + Show(object));
        });
    });
    if (!error.empty())
    {
        found.push_back(std::to_string(reader.GetLine()) + ": " + error);
    }
    return found;
}

} // namespace

TEST(JsonObjectsTest, HandsOverTheElementsOfAnArray)
{
    EXPECT_EQ(Read("[{\"x\": 1},\n {\n\"y\": [true, false, null, -2, 1.5, \"t\", [], {}]}]\n"),
              (Texts{"1 1{x:1,}", "1 2{y:[yes,no,null,-2,~1.500000,'t',[],3{},],}"}));
    EXPECT_EQ(Read("[]"), Texts{});
    EXPECT_EQ(Read("[{\"n\": 18446744073709551615, \"m\": -9223372036854775808}]"),
              Texts{"1 1{m:-9223372036854775808,n:18446744073709551615,}"});
}

TEST(JsonObjectsTest, HandsOverTheElementsOfNamedMembers)
{
    EXPECT_EQ(Read("{\"k\": 1, \"a\": [{\"x\": 1}, {\"a\": [{}]}], \"b\": [],\n \"c\": [{}]}"),
              (Texts{"2a 1{x:1,}", "2a 1{a:[1{},],}", "0 1{a:[],b:[],c:[2{},],k:1,}"}));
}

TEST(JsonObjectsTest, HandsOverObjectsOneAfterAnother)
{
    EXPECT_EQ(Read("{\"x\": 1}{}\n\n{\"y\": {\"x\": 2}}\n"),
              (Texts{"0 1{x:1,}", "0 1{}", "0 3{y:3{x:2,},}"}));
    EXPECT_EQ(Read("{\"a\": [{\"x\": 1}]} {\"a\": [{}]}"),
              (Texts{"2a 1{x:1,}", "0 1{a:[],}", "2a 1{}", "0 1{a:[],}"}));
}

TEST(JsonObjectsTest, FaultsNameTheLine)
{
    const auto error = [](const std::string& text) {
        const Texts found = Read(text);
        return found.empty() ? "" : found.back();
    };
    EXPECT_EQ(error("[{\"x\": 1},\n{\"x\" 2}]").substr(0, 28), "2: is not JSON: syntax error");
    EXPECT_EQ(error("[{\"x\": 1},\n\n").substr(0, 28), "3: is not JSON: syntax error");
    EXPECT_EQ(error("").substr(0, 28), "1: is not JSON: syntax error");
    EXPECT_EQ(error("[{\"x\": \"\xff\"}]").substr(0, 14), "1: is not JSON");
    EXPECT_EQ(error("[{\"x\": 1e999}]").substr(0, 14), "1: is not JSON");
    EXPECT_EQ(error("[{},\n1]"), "2: an object is needed here");
    EXPECT_EQ(error("[[]]"), "1: an object is needed here");
    EXPECT_EQ(error("{\"a\": [1]}"), "1: an object is needed here");
    EXPECT_EQ(error("17"), "1: an object is needed here");
    EXPECT_EQ(error("{} 17"), "1: an object is needed here");
    EXPECT_EQ(error("[{}]\n[{}]"), "2: something follows the array");
    EXPECT_EQ(error("[{\"x\": 1,\n\"x\": 2}]"), "2: \"x\" is given twice in an object");
    EXPECT_EQ(error("{\"a\": [],\"a\": []}"), "1: \"a\" is given twice in an object");
}

TEST(JsonObjectsTest, DeepNestingIsRefused)
{
    EXPECT_EQ(Read(std::string(100000, '[')).back(), "1: an object is needed here");
    const std::string deep = "{\"x\": " + std::string(100000, '[');
    EXPECT_EQ(Read(deep), Texts{"1: arrays and objects nest deeper than 100"});
    EXPECT_EQ(Read("{\"x\": " + std::string(99, '[') + std::string(99, ']') + "}").size(), 1u);
}

TEST(JsonObjectsTest, WhatTheHandlerThrowsComesThrough)
{
    std::istringstream stream("[{},\n{}]");
    JsonObjectReader reader(stream, {});
    const auto handler = [](const JsonNode& object, auto, const auto&) {
        if (object.line == 2)
        {
            throw InputError("enough");
        }
    };
    EXPECT_EQ(ErrorOf([&] { reader.Read(handler); }), "enough");
    EXPECT_EQ(reader.GetLine(), 2);
}
