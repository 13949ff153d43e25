/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../fuzz/reader-targets.h"
#include "temporary-folder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace ns3::mlcluster;

namespace
{

/// Tests of what fuzzers start from and have found.
using FuzzSeedsTest = FolderTest;

} // namespace

TEST_F(FuzzSeedsTest, EveryReaderComesBackFromEverySeed)
{
    const std::filesystem::path folder = std::string(ML_CLUSTER_TEST_DATA) + "/fuzz";
    for (const auto& [name, target] : fuzz::GetTargets())
    {
        std::size_t nSeeds = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder / name))
        {
            SCOPED_TRACE(entry.path().string());
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string content{std::istreambuf_iterator<char>(file),
                                      std::istreambuf_iterator<char>()};
            target(content, Path("scratch"));
            target(content.substr(0, content.size() / 2), Path("scratch"));
            ++nSeeds;
        }
        EXPECT_GT(nSeeds, 1u) << name;
    }
}
