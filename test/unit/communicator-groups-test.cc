/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "temporary-folder.h"

#include "ns3/communicator-groups.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Texts = std::vector<std::string>; ///< messages

/// Tests of group files.
class CommunicatorGroupsTest : public FolderTest
{
  protected:
    /// @param content text of a group file @return its errors, without the path
    Texts ReadErrors(const std::string& content) const
    {
        const std::string path = Write("groups.json", content);
        Diagnostics diagnostics;
        ReadCommunicatorGroups(path, diagnostics);
        Texts errors = diagnostics.GetErrors();
        for (auto& error : errors)
        {
            EXPECT_EQ(error.rfind(path + ": ", 0), 0u);
            error = error.substr(path.size() + 2);
        }
        return errors;
    }
};

} // namespace

TEST_F(CommunicatorGroupsTest, ReadsAnyNameAndKeepsTheOrderOfRanks)
{
    Diagnostics diagnostics;
    const auto groups = ReadCommunicatorGroups(
        Write("groups.json", "{\"tp0\": [3, 1, 2],\n \"0\": [0], \"\": [1], \"-1\": [4294967295]}"),
        diagnostics);
    EXPECT_FALSE(diagnostics.HasErrors());
    EXPECT_EQ(
        groups,
        (CommunicatorGroups{{"tp0", {3, 1, 2}}, {"0", {0}}, {"", {1}}, {"-1", {4294967295}}}));
}

TEST_F(CommunicatorGroupsTest, AnEmptyObjectDefinesNoGroup)
{
    EXPECT_EQ(ReadErrors("{}"), Texts{});
}

TEST_F(CommunicatorGroupsTest, SyntaxErrorsNameLineAndColumn)
{
    const auto errors = ReadErrors("{\n  \"a\": [0, 1],\n  \"b\": [2,\n}");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(
        errors[0].rfind("communicator groups: is not JSON: parse error at line 4, column 1", 0),
        0u)
        << errors[0];
    for (const std::string text : {"", "tp0", "{", "{\"a\"", "\x1f\x8b\x08", "\xff\xfe", "{} {}"})
    {
        EXPECT_EQ(ReadErrors(text).size(), 1u) << text;
    }
}

TEST_F(CommunicatorGroupsTest, FilesThatCannotBeReadAreErrors)
{
    Diagnostics diagnostics;
    ReadCommunicatorGroups(Path("none.json"), diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(),
              Texts{Path("none.json") + ": communicator groups: No such file or directory"});
}

TEST_F(CommunicatorGroupsTest, EveryWrongGroupIsNamed)
{
    EXPECT_EQ(
        ReadErrors("{\"a\": [0, -1], \"b\": [0, 1.5], \"c\": \"0\", \"d\": [1, 1], \"e\": [], "
                   "\"f\": [4294967296], \"g\": [0], \"h\": [\"0\"]}"),
        (Texts{"group \"a\": -1 is not a rank, a whole number from 0",
               "group \"b\": 1.5 is not a rank, a whole number from 0",
               "group \"c\": \"0\" is not an array of ranks such as [0, 1]",
               "group \"d\": rank 1 is given twice",
               "group \"e\": has no ranks; a group needs at least one",
               "group \"f\": 4294967296 is not a rank, a whole number from 0",
               "group \"h\": \"0\" is not a rank, a whole number from 0"}));
}

TEST_F(CommunicatorGroupsTest, OtherValuesThanAnObjectAndDoubleNamesAreRefused)
{
    EXPECT_EQ(ReadErrors("[[0, 1]]"),
              Texts{"communicator groups: is not an object such as {\"tp0\": [0, 1]}"});
    EXPECT_EQ(ReadErrors("{\"a\": [0], \"b\": [1], \"a\": [1]}"),
              Texts{"communicator groups: group \"a\" is defined twice"});
}

TEST_F(CommunicatorGroupsTest, WhatIsWrittenIsReadBack)
{
    const CommunicatorGroups groups{{"tp0", {3, 1, 2}}, {"quote\" \n\\", {0}}, {"", {7}}};
    WriteCommunicatorGroups(groups, Path("groups.json"));
    Diagnostics diagnostics;
    EXPECT_EQ(ReadCommunicatorGroups(Path("groups.json"), diagnostics), groups);
    EXPECT_FALSE(diagnostics.HasErrors());
    WriteCommunicatorGroups({{"a", {0, 1}}, {"b", {2}}}, Path("plain.json"));
    EXPECT_EQ(ReadBack(Path("plain.json")), "{\n  \"a\": [0,1],\n  \"b\": [2]\n}\n");
    WriteCommunicatorGroups({}, Path("none.json"));
    EXPECT_EQ(ReadErrors(ReadBack(Path("none.json"))), Texts{});
}

TEST_F(CommunicatorGroupsTest, WhatCannotBeWrittenIsAnError)
{
    EXPECT_THROW(WriteCommunicatorGroups({{"a", {0}}}, Path("none/groups.json")), InputError);
    EXPECT_THROW(WriteCommunicatorGroups({{"\xff", {0}}}, Path("groups.json")), InputError);
}

TEST(ProcessGroupsTest, ReadsTheTextOfAMetadataNode)
{
    const CommunicatorGroups expected{{"0", {}}, {"tp", {1, 0}}};
    const std::string inner = "[{\"pg_name\": \"0\", \"ranks\": [], \"uid\": 3}, {\"pg_name\": "
                              "\"tp\", \"ranks\": [1, 0]}]";
    EXPECT_EQ(ParseProcessGroups("['" + inner + "']"), expected);
    EXPECT_EQ(ParseProcessGroups("[\"" + inner + "\"]"), expected);
    std::string escaped;
    for (const char c : inner)
    {
        escaped += c == '"' ? "\\\"" : std::string(1, c);
    }
    EXPECT_EQ(ParseProcessGroups("[\"" + escaped + "\"]"), expected);
}

TEST(ProcessGroupsTest, OtherTextsDefineNothingOrAreErrors)
{
    EXPECT_EQ(ParseProcessGroups(""), CommunicatorGroups{});
    EXPECT_EQ(ParseProcessGroups("[]"), CommunicatorGroups{});
    EXPECT_EQ(ParseProcessGroups("[[4, 5, 0, 64, 4, 'cuda:0']]"), CommunicatorGroups{});
    EXPECT_THROW(ParseProcessGroups("pg_name"), InputError);
    EXPECT_THROW(ParseProcessGroups("['[{\"pg_name\": \"1\"}]']"), InputError);
    EXPECT_THROW(ParseProcessGroups("['[{\"pg_name\": 1, \"ranks\": []}]']"), InputError);
    EXPECT_THROW(ParseProcessGroups("['[{\"pg_name\": \"1\", \"ranks\": [-1]}]']"), InputError);
    EXPECT_THROW(ParseProcessGroups("['[{\"pg_name\": \"1\", \"ranks\": [0]"), InputError);
}
