/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "temporary-folder.h"

#include "ns3/rank-files.h"

namespace ns3
{
namespace mlcluster
{
namespace
{

using RankFilesTest = FolderTest; ///< finds files

TEST_F(RankFilesTest, ListsAreTakenAsTheyAre)
{
    const std::string a = Write("a.json", "");
    const std::string b = Write("b.json", "");
    const auto files = FindRankFiles(a + ", " + b, 0);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].path, a);
    EXPECT_EQ(files[1].path, b);
    EXPECT_FALSE(files[1].rank);
    EXPECT_EQ(ErrorOf([] { FindRankFiles("a.json,,b.json", 0); }),
              "'a.json,,b.json' has an empty file name");
    EXPECT_EQ(ErrorOf([] { FindRankFiles("", 0); }), "'' has an empty file name");
}

TEST_F(RankFilesTest, PatternsStandForTheFilesThatThereAre)
{
    for (const char* name : {"w0/a0", "w1/a1", "w2/a2", "w7", "w9x/a9", "wx"})
    {
        Write(name, "");
    }
    const std::string pattern = Path("w{rank}/a{rank}");
    const auto files = FindRankFiles(pattern, 0);
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(files[1].path, Path("w1/a1"));
    EXPECT_EQ(files[1].rank, 1U);
    EXPECT_EQ(FindRankFiles(pattern, 2).back().path, Path("w1/a1"));
    EXPECT_EQ(ErrorOf([&] { FindRankFiles(Path("b{rank}"), 0); }),
              "'" + Path("b{rank}") + "' stands for no file: there is no " + Path("b0"));
    EXPECT_NE(ErrorOf([&] { FindRankFiles(Path("none/b{rank}"), 0); }), "");
}

TEST_F(RankFilesTest, MissingFilesAreNamed)
{
    for (const char* name : {"a0", "a1", "a3", "a12"})
    {
        Write(name, "");
    }
    const std::string pattern = Path("a{rank}");
    EXPECT_EQ(ErrorOf([&] { FindRankFiles(pattern, 4); }),
              "'" + pattern + "' stands for 4 files, of which 1 do not exist: " + Path("a2"));
    const std::string error = ErrorOf([&] { FindRankFiles(pattern, 0); });
    EXPECT_NE(error.find("stands for 13 files, of which 9 do not exist: " + Path("a2") + ", " +
                         Path("a4") + ", "),
              std::string::npos)
        << error;
    EXPECT_EQ(error.substr(error.size() - 5), ", ...");
    EXPECT_NE(ErrorOf([&] {
                  FindRankFiles(Path("a0") + "," + Path("x"), 0);
              }).find("of which 1 do not exist: " + Path("x")),
              std::string::npos);
}

} // namespace
} // namespace mlcluster
} // namespace ns3
