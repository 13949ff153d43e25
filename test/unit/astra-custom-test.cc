/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-config-fixture.h"

#include "ns3/astra-custom.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>

using namespace ns3::mlcluster;

namespace
{

/// Finds files of custom collectives.
class AstraCustomTest : public AstraConfigTest
{
  protected:
    AstraCustomTest()
        : m_start(std::filesystem::current_path())
    {
    }

    ~AstraCustomTest() override
    {
        std::filesystem::current_path(m_start);
    }

    /// @param keys keys of the system file @return what is found
    AstraCustom Find(const std::string& keys)
    {
        const auto config =
            ReadValid(NETWORK, Replace(SYSTEM, "\"peak-perf\"", keys + "\"peak-perf\""), NO_MEMORY);
        return ReadAstraCustom(config, m_diagnostics);
    }

    std::filesystem::path m_start; ///< working directory before the test
};

} // namespace

TEST_F(AstraCustomTest, RelativePathsCountFromTheWorkingDirectoryFirst)
{
    m_folder.Write("here/ring.0.et", "");
    m_folder.Write("ring.0.et", "");
    m_folder.Write("nodes.yml", "7: ring\n");
    const std::string keys = "\"all-gather-implementation-custom\": [\"ring\"], "
                             "\"per-node-custom-implementation\": \"nodes.yml\", ";
    std::filesystem::current_path(m_folder.GetPath() / "here");
    const AstraCustom here = Find(keys);
    EXPECT_EQ(here.byType.at(CollectiveType::AllGather), "ring");
    EXPECT_EQ(here.byNode.at(7), "ring");
    std::filesystem::current_path(m_start);
    const AstraCustom beside = Find(keys);
    const std::string prefix = (m_folder.GetPath() / "ring").string();
    EXPECT_EQ(beside.byType.at(CollectiveType::AllGather), prefix);
    EXPECT_EQ(beside.byNode.at(7), prefix);
    EXPECT_FALSE(m_diagnostics.HasErrors());
}

TEST_F(AstraCustomTest, AllMissingFilesAreNamed)
{
    m_folder.Write("nodes.yml", "7: a\n-1: b\n");
    const AstraCustom custom = Find("\"all-to-all-implementation-custom\": [\"/none\"], "
                                    "\"per-node-custom-implementation\": \"nodes.yml\", ");
    const auto& errors = m_diagnostics.GetErrors();
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_NE(errors[0].find("all-to-all-implementation-custom: there is no file /none.0.et"),
              std::string::npos);
    EXPECT_EQ(errors[0].find("nor"), std::string::npos);
    EXPECT_NE(errors[1].find("nodes.yml:1: 7: there is no file a.0.et, nor "), std::string::npos);
    EXPECT_NE(errors[2].find("nodes.yml:2: -1: \"-1\" is no node id"), std::string::npos);
}
