/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/diagnostics.h"
#include "ns3/shown-text.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

TEST(Diagnostics, FormatsWhatIsKnownOfThePlace)
{
    Diagnostics diagnostics;
    diagnostics.Error({"a.yaml", 3, "cluster.topology"}, "is wrong");
    diagnostics.Error({"a.yaml", 0, ""}, "is empty");
    diagnostics.Error({"", 0, "key"}, "is wrong");
    diagnostics.Error({}, "nothing is known");
    diagnostics.Warning({"a.yaml", 7, ""}, "is odd");
    const std::vector<std::string> errors{"a.yaml:3: cluster.topology: is wrong",
                                          "a.yaml: is empty",
                                          "key: is wrong",
                                          "nothing is known"};
    EXPECT_EQ(diagnostics.GetErrors(), errors);
    EXPECT_EQ(diagnostics.GetWarnings(), std::vector<std::string>{"a.yaml:7: is odd"});
}

TEST(Diagnostics, ThrowsAllErrorsAtOnce)
{
    Diagnostics diagnostics;
    diagnostics.Warning({}, "harmless");
    EXPECT_FALSE(diagnostics.HasErrors());
    EXPECT_NO_THROW(diagnostics.ThrowIfErrors());
    diagnostics.Error({}, "first");
    diagnostics.Error({}, "second");
    EXPECT_TRUE(diagnostics.HasErrors());
    try
    {
        diagnostics.ThrowIfErrors();
        FAIL() << "nothing thrown";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "first\nsecond");
    }
}

TEST(Diagnostics, PrintsWarningsOnce)
{
    Diagnostics diagnostics;
    diagnostics.Warning({"f", 0, ""}, "one");
    diagnostics.Warning({"f", 0, ""}, "two");
    std::ostringstream os;
    diagnostics.PrintWarnings(os);
    diagnostics.PrintWarnings(os);
    EXPECT_EQ(os.str(), "warning: f: one\nwarning: f: two\n");
    EXPECT_TRUE(diagnostics.GetWarnings().empty());
}

TEST(Diagnostics, FindsTheNearestWord)
{
    const std::vector<std::string> words{"topology", "bandwidth", "latency"};
    EXPECT_EQ(NearestWord("topolgy", words), "topology");
    EXPECT_EQ(NearestWord("bandwith", words), "bandwidth");
    EXPECT_EQ(NearestWord("latency", words), "latency");
    EXPECT_EQ(NearestWord("something", words), "");
    EXPECT_EQ(NearestWord("xy", {"x", "abc"}), "x");
    EXPECT_EQ(NearestWord("abcdefgh", {"efgh"}), "") << "distance 4 of 8";
    EXPECT_EQ(NearestWord("a", {}), "");
    EXPECT_EQ(NearestWord("NS", {"ps", "ns"}), "ns") << "capitals count less than letters";
}

TEST(Diagnostics, JoinsWords)
{
    EXPECT_EQ(JoinWords({}), "");
    EXPECT_EQ(JoinWords({"a"}), "a");
    EXPECT_EQ(JoinWords({"a", "b"}), "a, b");
}

TEST(Diagnostics, ControlCharactersAreShown)
{
    const std::string name("a\x1b[2J\n\t\0\x7f\xc3\xa9", 11);
    EXPECT_EQ(EscapeControls(name), "a\\x1b[2J\\n\\t\\x00\\x7f\xc3\xa9");
    EXPECT_EQ(EscapeControls("a\n\tb\r", "\n\t"), "a\n\tb\\x0d");
    EXPECT_EQ(ShowName("a\n"), "\"a\\n\"");
    EXPECT_EQ(ShowName("abcd", 3), "\"abc...\"");
    Diagnostics diagnostics;
    diagnostics.Error({"f", 0, "node 1 \"x\ny\""}, "two\nlines\x1b");
    EXPECT_EQ(diagnostics.GetErrors()[0], "f: node 1 \"x\\ny\": two\nlines\\x1b");
}
