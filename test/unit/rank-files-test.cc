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
    const auto files = FindRankFiles("a.json, b.json", 0);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].path, "a.json");
    EXPECT_EQ(files[1].path, "b.json");
    EXPECT_FALSE(files[1].rank);
    EXPECT_EQ(ErrorOf([] { FindRankFiles("a.json,,b.json", 0); }),
              "'a.json,,b.json' has an empty file name");
    EXPECT_EQ(ErrorOf([] { FindRankFiles("", 0); }), "'' has an empty file name");
}

TEST_F(RankFilesTest, PatternsStandForTheFilesThatThereAre)
{
    for (const char* name : {"w0/a0", "w1/a1", "w3/a3"})
    {
        Write(name, "");
    }
    const std::string pattern = Path("w{rank}/a{rank}");
    const auto files = FindRankFiles(pattern, 0);
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[1].path, Path("w1/a1"));
    EXPECT_EQ(files[1].rank, 1U);
    EXPECT_EQ(FindRankFiles(pattern, 4).back().path, Path("w3/a3"));
    EXPECT_EQ(ErrorOf([&] { FindRankFiles(Path("b{rank}"), 0); }),
              "'" + Path("b{rank}") + "' stands for no file: there is no " + Path("b0"));
}

} // namespace
} // namespace mlcluster
} // namespace ns3
