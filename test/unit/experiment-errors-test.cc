/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-config-fixture.h"

#include <random>

using namespace ns3::mlcluster;

TEST_F(ExperimentConfigTest, RefusesFilesThatAreNoYaml)
{
    Diagnostics diagnostics;
    const std::string missing = (m_folder.GetPath() / "none.yaml").string();
    ReadExperimentConfig(missing, diagnostics);
    ReadExperimentConfig(m_folder.GetPath().string(), diagnostics);
    ASSERT_EQ(diagnostics.GetErrors().size(), 2U);
    EXPECT_EQ(diagnostics.GetErrors()[0], missing + ": cannot be read: No such file or directory");
    EXPECT_EQ(diagnostics.GetErrors()[1],
              m_folder.GetPath().string() + ": is a folder; a file is needed");
    ExpectError("", " holds nothing");
    ExpectError("# only a comment\n", " holds nothing");
    ExpectError(",a: 1\n", " holds nothing");
    ExpectError("a text\n", "1: holds no keys");
    ExpectError("[1, 2]\n", "1: holds no keys");
    ExpectError(std::string("\0\1\2", 3), " is a binary file");
    ExpectError("a:\n  - b\n c: d\n", "3: is no YAML: ");
    ExpectError("a: b: c\n", "1: is no YAML: ");
    ExpectError(std::string(100000, '['), "", "is no YAML");
    ExpectError("a: 1\n---\nb: 2\n", " goes on after the first document");
    ExpectError("a: &a {b: *a}\n", " values are nested deeper");
}

TEST_F(ExperimentConfigTest, RefusesAliasesThatBlowUp)
{
    std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i)
    {
        const std::string alias = "*a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
        for (int k = 1; k < 10; ++k)
        {
            text += ", " + alias;
        }
        text += "]\n";
    }
    ExpectError(text, " more than 100000 values");
}

TEST_F(ExperimentConfigTest, RefusesKeysThatAreTwiceOrUnknown)
{
    ExpectError(MINIMAL + "backends:\n  run: packet\n",
                "9: backends: the key is given twice, first in line 7");
    ExpectError(Replace(MINIMAL, "latency: 500ns", "latency: 500ns\n  latency: 1ns"),
                "5: cluster.latency: the key is given twice, first in line 4");
    ExpectError(MINIMAL + "<<: 1\n", "9: <<: ", "not supported");
    ExpectError(MINIMAL + "? [1]\n: 2\n", "9: ", "a key must be a text");
    ExpectError(MINIMAL + "colectives: {chunks: 1}\n",
                "9: colectives: ",
                "did you mean collectives?");
    ExpectError(MINIMAL + "collectives: {chunk: 1}\n",
                "9: collectives.chunk: ",
                "did you mean chunks?");
    ExpectError(MINIMAL + "chunks-in-flight: 1\n",
                "9: chunks-in-flight: ",
                "did you mean collectives.chunks-in-flight?");
    ExpectError(MINIMAL + "zzzzzzzz: 1\n",
                "9: zzzzzzzz: ",
                "Allowed here are cluster, workload, collectives, backends, output, attributes, "
                "design");
}

TEST_F(ExperimentConfigTest, RefusesWrongShapes)
{
    ExpectError(MINIMAL + "collectives:\n", "9: collectives: the value is missing");
    ExpectError(MINIMAL + "collectives: 3\n", "9: collectives: '3' is given");
    ExpectError(MINIMAL + "collectives: {chunks: }\n",
                "9: collectives.chunks: the value is missing");
    ExpectError(MINIMAL + "collectives: {chunks: ~}\n",
                "9: collectives.chunks: the value is missing");
    ExpectError(MINIMAL + "collectives: {chunks: [4]}\n",
                "9: collectives.chunks: a list is given; one value");
    ExpectError(MINIMAL + "collectives: {chunks: {a: 4}}\n",
                "9: collectives.chunks: a map is given");
    ExpectError(MINIMAL + "collectives: {all-reduce: []}\n",
                "9: collectives.all-reduce: the list is empty");
    ExpectError(MINIMAL + "collectives: {all-reduce: [[ring]]}\n",
                "9: collectives.all-reduce[0]: a list is given");
    ExpectError(MINIMAL + "attributes: 3\n", "9: attributes: '3' is given");
    ExpectError(MINIMAL + "attributes: {\"ns3::A::B\": [1]}\n",
                "9: attributes.ns3::A::B: a list is given");
    ExpectError(Replace(MINIMAL, "Switch(8)", "{a: 1}"), "2: cluster.topology: a map is given");
}

TEST_F(ExperimentConfigTest, RefusesWrongValues)
{
    const auto with = [](const std::string& value) { return MINIMAL + value + "\n"; };
    ExpectError(with("collectives: {chunks: 0}"),
                "9: collectives.chunks: '0' is too small; the least is 1");
    ExpectError(with("collectives: {chunks: 16777217}"),
                "9: collectives.chunks: ",
                "the most is 16777216");
    ExpectError(with("collectives: {chunks-in-flight: 4294967296}"),
                "9: collectives.chunks-in-flight: ",
                "the most is 4294967295");
    ExpectError(with("collectives: {chunks: 010}"),
                "9: collectives.chunks: '010' is no whole number");
    ExpectError(with("collectives: {chunks: -1}"),
                "9: collectives.chunks: '-1' is no whole number");
    ExpectError(with("collectives: {chunks: 1.5}"),
                "9: collectives.chunks: '1.5' is no whole number");
    ExpectError(with("collectives: {chunks: 1e3}"),
                "9: collectives.chunks: '1e3' is no whole number");
    ExpectError(with("collectives: {chunks: 99999999999999999999}"),
                "9: collectives.chunks: ",
                "too large");
}

TEST_F(ExperimentConfigTest, RefusesWrongValuesOfOtherKinds)
{
    const auto with = [](const std::string& value) { return MINIMAL + value + "\n"; };
    ExpectError(with("collectives: {all-reduce: rign}"),
                "9: collectives.all-reduce: \"rign\"",
                "did you mean \"ring\"?");
    ExpectError(with("cluster2: {}"), "9: cluster2: ", "did you mean cluster?");
    const std::string packet = "  packet: ";
    ExpectError(with(packet + "{payload: 0B}"), "9: backends.packet.payload: ", "the least is 1");
    ExpectError(with(packet + "{payload: 4GiB}"),
                "9: backends.packet.payload: ",
                "the most is 4294967295");
    ExpectError(with(packet + "{payload: 4096}"),
                "9: backends.packet.payload: ",
                "unit is missing");
    ExpectError(with(packet + "{window-bdp: 0}"),
                "9: backends.packet.window-bdp: '0' is no factor");
    ExpectError(with(packet + "{window-bdp: .nan}"),
                "9: backends.packet.window-bdp: '.nan' is no factor");
    ExpectError(with(packet + "{window-bdp: inf}"),
                "9: backends.packet.window-bdp: 'inf' is no factor");
    ExpectError(with(packet + "{window-bdp: nan}"),
                "9: backends.packet.window-bdp: 'nan' is no factor");
    ExpectError(with(packet + "{window-bdp: 2x}"),
                "9: backends.packet.window-bdp: '2x' is no factor");
    ExpectError(Replace(COMPLETE, "compute-efficiency: 0.6", "memory-efficiency: 1.01"),
                "5: cluster.npu.memory-efficiency: '1.01' is no share",
                "numbers above 0 and at most 1");
    ExpectError(with("  analytical: {forward-whole: yes}"),
                "9: backends.analytical.forward-whole: 'yes'",
                "true, false");
    ExpectError(with("  analytical: {congestion: link}"),
                "9: backends.analytical.congestion: ",
                "nearest: Links");
    ExpectError(Replace(MINIMAL, "500ns", ".inf"), "4: cluster.latency: '.inf' is no time");
    ExpectError(Replace(MINIMAL, "400Gbps", "0bps"), "3: cluster.bandwidth: ", "the least is 1");
    ExpectError(Replace(MINIMAL, "64MiB", "0"), "6: workload.collective.bytes: ", "the least is 1");
    ExpectError(Replace(MINIMAL, "all-reduce", "reduce-all"),
                "6: workload.collective.type: ",
                "allowed are all-reduce");
    ExpectError(Replace(MINIMAL, "all-reduce", "barrier"),
                "6: workload.collective.bytes: ",
                "a barrier has none");
    ExpectError(Replace(MINIMAL, "all-reduce, bytes: 64MiB", "all-reduce, bytes: 1B, root: 1"),
                "6: workload.collective.root: ",
                "all-reduce has none");
    ExpectError(Replace(MINIMAL, "run: packet", "run: packets"),
                "8: backends.run: ",
                "nearest: packet");
    ExpectError(Replace(MINIMAL, "Switch(8)", "Swich(8)"), "2: cluster.topology: ", "Switch");
    ExpectError(Replace(MINIMAL, "Switch(8)", "\"\""), "2: cluster.topology: an empty text");
}

TEST_F(ExperimentConfigTest, RefusesAttributesItCannotPass)
{
    const auto with = [](const std::string& entry) {
        return MINIMAL + "attributes: {" + entry + "}\n";
    };
    ExpectError(with("EndpointDelay: 1ns"), "9: attributes.EndpointDelay: ", "full names");
    ExpectError(with("\"ns3::A\": 1"), "9: attributes.ns3::A: ", "full names");
    ExpectError(with("\"ns3::A::\": 1"), "9: attributes.ns3::A::: ", "full names");
    ExpectError(with("\"" + NPU + "EndpointDelay\": 1"), "9: attributes." + NPU, "unit is missing");
}

TEST_F(ExperimentConfigTest, RefusesWhatDoesNotFitTogether)
{
    ExpectError(Replace(MINIMAL, "  topology: Switch(8)\n", ""), " cluster.topology: is missing");
    ExpectError(Replace(MINIMAL, "  bandwidth: 400Gbps\n", ""), "2: cluster.topology: neither ");
    ExpectError(Replace(MINIMAL, "  latency", "  link-bandwidth: 1Gbps\n  latency"),
                "2: cluster.topology: both ");
    ExpectError(Replace(MINIMAL, "  latency: 500ns\n", ""),
                "2: cluster.topology: cluster.latency is missing");
    ExpectError(Replace(MINIMAL, "400Gbps", "[400Gbps, 1Gbps]"),
                "3: cluster.bandwidth: 2 values are given for 1 dimensions");
    ExpectError(Replace(MINIMAL, "500ns", "[1ns, 2ns, 3ns]"),
                "4: cluster.latency: 3 values are given for 1 dimensions");
    ExpectError(Replace(Replace(MINIMAL, "Switch(8)", "FullyConnected(8)"), "400Gbps", "6bps"),
                "2: cluster.topology: ",
                "0 bit/s");
    ExpectError(Replace(MINIMAL, "Switch(8)", "Ring(65536)_Switch(65536)"),
                "2: cluster.topology: ",
                "2147483648");
    ExpectError(MINIMAL + "collectives: {all-reduce: [ring, ring]}\n",
                "9: collectives.all-reduce: 2 values");
    ExpectError(Replace(MINIMAL, "workload:", "workload:\n  chakra: a"),
                " workload: chakra, collective exclude each other");
    ExpectError(
        Replace(MINIMAL, "  collective: {type: all-reduce, bytes: 64MiB}\n", "  groups: a\n"),
        " workload: nothing to do is given");
    ExpectError(Replace(MINIMAL, "type: all-reduce, ", ""),
                " workload.collective.type: is missing");
    ExpectError(Replace(MINIMAL, ", bytes: 64MiB", ""), " workload.collective.bytes: is missing");
    ExpectError(Replace(MINIMAL, "workload:", "workload:\n  groups: a"),
                "6: workload.groups: goes with workload.chakra only");
    ExpectError(Replace(COMPLETE, "traces/step", "\"\""),
                "9: workload.chakra: an empty text is given");
    ExpectError(Replace(MINIMAL, "  run: packet\n", "  packet: {ack: 0B}\n"),
                " backends.run: is missing");
    ExpectError(Replace(MINIMAL, "run: packet", "run: [packet, packet]"),
                "8: backends.run: a backend is given twice");
    ExpectError(Replace(MINIMAL, "workload:", "  memory: {latency: 1us}\nworkload:"),
                " cluster.memory: ",
                "bandwidth is missing");
    ExpectError(Replace(MINIMAL, "workload:", "  memory: {bandwidth: 1GB/s}\nworkload:"),
                " cluster.memory: ",
                "latency is missing");
    ExpectError(Replace(COMPLETE, "peak-flops: 312TFLOPS, ", ""),
                " cluster.npu.peak-flops: a roofline needs it");
    ExpectError(Replace(COMPLETE, "memory-bandwidth: 1.5TB/s", "memory-bandwidth: 0"),
                "5: cluster.npu.memory-bandwidth: a roofline needs it");
    ExpectError(Replace(COMPLETE,
                        "\"ns3::TcpSocket::SegmentSize\": 1000",
                        "\"" + NPU + "EndpointDelay\": 1ns"),
                "20: attributes." + NPU +
                    "EndpointDelay: is given twice, also as cluster.npu.endpoint-delay in line 6");
}

TEST_F(ExperimentConfigTest, HowTracesCountIsChecked)
{
    const auto with = [](const std::string& line) {
        return Replace(COMPLETE, "control-dependencies: strict", line);
    };
    ExpectError(with("schema: 0.0.5"), "11: workload.schema: ");
    ExpectError(with("element-bytes: 0"), "11: workload.element-bytes: ");
    ExpectError(with("flops-per-operation: 1.5"), "11: workload.flops-per-operation: ");
    ExpectError(Replace(MINIMAL, "  collective:", "  element-bytes: 2\n  collective:"),
                "6: workload.element-bytes: goes with workload.chakra only");
}

TEST_F(ExperimentConfigTest, ReportsAllErrorsAtOnce)
{
    const auto errors =
        Errors(Replace(Replace(Replace(COMPLETE, "312TFLOPS", "312"), "strict", "lax"),
                       "chunks: 8",
                       "chunk: 8"));
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_EQ(errors[0].compare(0, 27, "5: cluster.npu.peak-flops: "), 0) << errors[0];
    EXPECT_EQ(errors[1].compare(0, 35, "11: workload.control-dependencies: "), 0) << errors[1];
    EXPECT_EQ(errors[2].compare(0, 23, "14: collectives.chunk: "), 0) << errors[2];
}

TEST_F(ExperimentConfigTest, DamagedFilesGiveErrorsOnly)
{
    std::mt19937_64 random(5);
    const std::string bytes = "{}[]:,-&*!|>'\"%@`#?<\n\t \\0aZ\x80";
    for (int i = 0; i < 300; ++i)
    {
        std::string text = COMPLETE;
        for (uint64_t k = 1 + random() % 4; k > 0; --k)
        {
            const std::size_t at = random() % text.size();
            const std::string byte(1, bytes[random() % bytes.size()]);
            text.replace(at, random() % 3, byte);
        }
        Diagnostics diagnostics;
        EXPECT_NO_THROW(ReadExperimentConfig(Write(text), diagnostics)) << text;
    }
}
