/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXPERIMENT_CONFIG_FIXTURE_H
#define ML_CLUSTER_EXPERIMENT_CONFIG_FIXTURE_H

#include "temporary-folder.h"

#include "ns3/experiment-config.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// What the names of an NPU's attributes begin with.
inline const std::string NPU = "ns3::mlcluster::NpuApplication::";

/// An experiment file with nearly every key.
inline const std::string COMPLETE = R"(cluster:
  topology: Ring(4)_Switch(2)
  bandwidth: [400Gbps, 200Gbps]
  latency: [500ns, 1.5us]
  npu: {peak-flops: 312TFLOPS, memory-bandwidth: 1.5TB/s, roofline: true, compute-efficiency: 0.6,
        endpoint-delay: 10ns, reduction-bandwidth: 0}
  memory: {latency: 1us, bandwidth: 100GB/s}
workload:
  chakra: traces/step
  groups: ../groups.json
  control-dependencies: strict
  ignore-missing-dependencies: true
  streams: false
collectives: {chunks: 8, chunks-in-flight: 2, all-reduce: [auto, halving-doubling], all-gather: direct}
backends:
  run: [analytical, packet]
  analytical: {congestion: None, forward-whole: false}
  packet: {payload: 4096B, header: 82B, ack: 86B, window: 1MiB, window-bdp: 1.5}
output: {directory: results}
attributes: {"ns3::TcpSocket::SegmentSize": 1000}
)";

/// An experiment file with no key but those that are needed.
inline const std::string MINIMAL = R"(cluster:
  topology: Switch(8)
  bandwidth: 400Gbps
  latency: 500ns
workload:
  collective: {type: all-reduce, bytes: 64MiB}
backends:
  run: packet
)";

/// @return the value a configuration gives an attribute, "not set" if it gives none
inline std::string
GetAttribute(const ExperimentConfig& config, const std::string& name)
{
    for (const auto& setting : config.attributes)
    {
        if (setting.attribute == name)
        {
            return setting.value;
        }
    }
    return "not set";
}

/// Reads experiment files.
class ExperimentConfigTest : public testing::Test
{
  protected:
    std::string Write(const std::string& text)
    {
        return m_folder.Write("configs/experiment.yaml", text);
    }

    ExperimentConfig Read(const std::string& text)
    {
        Diagnostics diagnostics;
        const auto config = ReadExperimentConfig(Write(text), diagnostics);
        EXPECT_EQ(JoinWords(diagnostics.GetErrors()), "");
        return config;
    }

    /// @return the errors of a file, without its name
    std::vector<std::string> Errors(const std::string& text)
    {
        Diagnostics diagnostics;
        const std::string path = Write(text);
        ReadExperimentConfig(path, diagnostics);
        std::vector<std::string> errors;
        for (const auto& error : diagnostics.GetErrors())
        {
            EXPECT_EQ(error.compare(0, path.size(), path), 0) << error;
            errors.push_back(error.substr(path.size() + 1));
        }
        return errors;
    }

    /// Expects exactly one error, which begins and goes on as given.
    void ExpectError(const std::string& text,
                     const std::string& begin,
                     const std::string& part = "")
    {
        const auto errors = Errors(text);
        ASSERT_EQ(errors.size(), 1U) << text << JoinWords(errors);
        EXPECT_EQ(errors[0].compare(0, begin.size(), begin), 0)
            << errors[0] << "\ninstead of " << begin;
        EXPECT_NE(errors[0].find(part), std::string::npos) << errors[0] << "\nlacks " << part;
    }

    TemporaryFolder m_folder;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXPERIMENT_CONFIG_FIXTURE_H
