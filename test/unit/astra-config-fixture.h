/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ASTRA_CONFIG_FIXTURE_H
#define ML_CLUSTER_ASTRA_CONFIG_FIXTURE_H

#include "temporary-folder.h"

#include "ns3/astra-config.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

inline const std::string NETWORK = R"(topology: [Ring, Switch]
npus_count: [4, 2]
bandwidth: [100.0, 50.0]
latency: [500.0, 936.25]
)";

inline const std::string SYSTEM = R"({
  "scheduling-policy": "LIFO",
  "endpoint-delay": 10,
  "active-chunks-per-dimension": 2,
  "preferred-dataset-splits": 4,
  "all-reduce-implementation": ["ring", "halvingDoubling"],
  "all-gather-implementation": ["direct", "ring"],
  "reduce-scatter-implementation": ["ring", "direct1"],
  "all-to-all-implementation": ["ring", "direct"],
  "collective-optimization": "localBWAware",
  "local-mem-bw": 1600.5,
  "peak-perf": 312,
  "roofline-enabled": 1
}
)";

inline const std::string NO_MEMORY = R"({"memory-type": "NO_MEMORY_EXPANSION"})";
inline const std::string MEMORY = R"({"memory-type": "PER_NPU_MEMORY_EXPANSION",
 "remote-mem-latency": 100, "remote-mem-bw": 10})";

/// A replacement in a valid file, and the error that it must give.
struct Mistake
{
    std::string from;
    std::string to;
    std::string begin;
    std::string part;
};

/// Reads inputs of ASTRA-sim.
class AstraConfigTest : public testing::Test
{
  protected:
    AstraConfig Read(const std::string& network,
                     const std::string& system,
                     const std::string& memory)
    {
        m_diagnostics = Diagnostics();
        return ReadAstraConfig({m_folder.Write("network", network),
                                m_folder.Write("system", system),
                                m_folder.Write("memory", memory),
                                "empty"},
                               m_diagnostics);
    }

    AstraConfig ReadValid(const std::string& network,
                          const std::string& system,
                          const std::string& memory)
    {
        const auto config = Read(network, system, memory);
        EXPECT_EQ(JoinWords(m_diagnostics.GetErrors()), "");
        return config;
    }

    /// Expects one message of the file, which begins and goes on as given.
    void ExpectOne(const std::vector<std::string>& messages,
                   const std::string& begin,
                   const std::string& part)
    {
        ASSERT_EQ(messages.size(), 1U) << JoinWords(messages);
        const std::string start = (m_folder.GetPath() / begin).string();
        EXPECT_EQ(messages[0].compare(0, start.size(), start), 0)
            << messages[0] << "\ninstead of " << start;
        EXPECT_NE(messages[0].find(part), std::string::npos) << messages[0] << "\nlacks " << part;
    }

    void ExpectNetworkErrors(const std::vector<Mistake>& mistakes)
    {
        for (const auto& [from, to, begin, part] : mistakes)
        {
            Read(Replace(NETWORK, from, to), SYSTEM, NO_MEMORY);
            ExpectOne(m_diagnostics.GetErrors(), "network:" + begin, part);
        }
    }

    void ExpectSystemErrors(const std::vector<Mistake>& mistakes)
    {
        for (const auto& [from, to, begin, part] : mistakes)
        {
            Read(NETWORK, Replace(SYSTEM, from, to), NO_MEMORY);
            ExpectOne(m_diagnostics.GetErrors(), "system:" + begin, part);
        }
    }

    void ExpectMemoryErrors(const std::vector<Mistake>& mistakes)
    {
        for (const auto& [from, to, begin, part] : mistakes)
        {
            Read(NETWORK, SYSTEM, Replace(MEMORY, from, to));
            ExpectOne(m_diagnostics.GetErrors(), "memory:" + begin, part);
        }
    }

    TemporaryFolder m_folder;
    Diagnostics m_diagnostics;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ASTRA_CONFIG_FIXTURE_H
