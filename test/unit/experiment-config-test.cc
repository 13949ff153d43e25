/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "experiment-config-fixture.h"

using namespace ns3::mlcluster;

TEST_F(ExperimentConfigTest, ReadsEveryKey)
{
    const auto config = Read(COMPLETE);
    ASSERT_EQ(config.dimensions.size(), 2U);
    EXPECT_EQ(config.dimensions[0].block, BuildingBlock::Ring);
    EXPECT_EQ(config.dimensions[0].size, 4U);
    EXPECT_EQ(config.dimensions[0].linkBitRate, 200000000000U)
        << "half of the NPU's, as it has two links";
    EXPECT_EQ(config.dimensions[0].latencyPs, 500000);
    EXPECT_EQ(config.dimensions[1].linkBitRate, 200000000000U);
    EXPECT_EQ(config.dimensions[1].latencyPs, 1500000);
    EXPECT_EQ(config.chakraPrefix, (m_folder.GetPath() / "configs/traces/step").string());
    EXPECT_EQ(config.groupFile, (m_folder.GetPath() / "groups.json").string());
    EXPECT_EQ(config.controlDependencies, "strict");
    EXPECT_TRUE(config.ignoreMissingDependencies);
    EXPECT_FALSE(config.streams);
    EXPECT_TRUE(config.locations);
    EXPECT_FALSE(Read(Replace(COMPLETE, "streams: false", "tensor-locations: false")).locations);
    EXPECT_EQ(config.schema, "auto");
    EXPECT_EQ(config.elementBytes, 1U);
    EXPECT_EQ(config.flopsPerOperation, 1U);
    EXPECT_FALSE(config.collective);
    EXPECT_EQ(config.backends, (std::vector<std::string>{"analytical", "packet"}));
    EXPECT_EQ(config.outputDir, "results");
    const std::string module = "ns3::mlcluster::";
    EXPECT_EQ(GetAttribute(config, NPU + "PeakFlops"), "3.12e+14");
    EXPECT_EQ(GetAttribute(config, NPU + "MemoryBandwidth"), "12000Gbps");
    EXPECT_EQ(GetAttribute(config, NPU + "Roofline"), "true");
    EXPECT_EQ(GetAttribute(config, NPU + "ComputeEfficiency"), "0.6");
    EXPECT_EQ(GetAttribute(config, NPU + "EndpointDelay"), "10ns");
    EXPECT_EQ(GetAttribute(config, NPU + "ReductionBandwidth"), "0bps");
    EXPECT_EQ(GetAttribute(config, module + "QueuedMemoryModel::Latency"), "1us");
    EXPECT_EQ(GetAttribute(config, module + "QueuedMemoryModel::Bandwidth"), "800Gbps");
    EXPECT_EQ(GetAttribute(config, module + "CollectivePlanner::Chunks"), "8");
    EXPECT_EQ(GetAttribute(config, module + "CollectivePlanner::ChunksInFlight"), "2");
    EXPECT_EQ(GetAttribute(config, module + "CollectivePlanner::AllReduce"),
              "auto,halving-doubling");
    EXPECT_EQ(GetAttribute(config, module + "CollectivePlanner::AllGather"), "direct,direct");
    EXPECT_EQ(GetAttribute(config, module + "CollectivePlanner::AllToAll"), "not set");
    EXPECT_EQ(GetAttribute(config, module + "AnalyticalChannel::Congestion"), "None");
    EXPECT_EQ(GetAttribute(config, module + "AnalyticalChannel::ForwardWhole"), "false");
    EXPECT_EQ(GetAttribute(config, module + "PacketBackend::PayloadBytes"), "4096");
    EXPECT_EQ(GetAttribute(config, module + "PacketBackend::WindowBytes"), "1048576");
    EXPECT_EQ(GetAttribute(config, module + "PacketBackend::WindowBdp"), "1.5");
    EXPECT_EQ(GetAttribute(config, "ns3::TcpSocket::SegmentSize"), "1000");
}

TEST_F(ExperimentConfigTest, ReadsHowTracesCount)
{
    const auto config =
        Read(Replace(COMPLETE,
                     "control-dependencies: strict",
                     "schema: 0.0.2\n  element-bytes: 2\n  flops-per-operation: 3"));
    EXPECT_EQ(config.schema, "0.0.2");
    EXPECT_EQ(config.elementBytes, 2U);
    EXPECT_EQ(config.flopsPerOperation, 3U);
}

TEST_F(ExperimentConfigTest, ReadsACollective)
{
    const auto config = Read(MINIMAL);
    EXPECT_EQ(config.collective, CollectiveType::AllReduce);
    EXPECT_EQ(config.collectiveBytes, uint64_t{64} << 20);
    EXPECT_EQ(config.chakraPrefix, "");
    EXPECT_EQ(config.backends, std::vector<std::string>{"packet"});
    EXPECT_TRUE(config.attributes.empty());
}

TEST_F(ExperimentConfigTest, ReadsDimensionsAsAList)
{
    const std::string list = R"(
    - {block: FullyConnected, size: 5, bandwidth: 400Gbps, latency: 500ns}
    - {block: SW, size: 2, link-bandwidth: 100Gbps, latency: 0})";
    auto text = Replace(MINIMAL, " Switch(8)\n  bandwidth: 400Gbps\n  latency: 500ns", list);
    const auto config = Read(text);
    ASSERT_EQ(config.dimensions.size(), 2U);
    EXPECT_EQ(config.dimensions[0].block, BuildingBlock::FullyConnected);
    EXPECT_EQ(config.dimensions[0].size, 5U);
    EXPECT_EQ(config.dimensions[0].linkBitRate, 100000000000U);
    EXPECT_EQ(config.dimensions[0].latencyPs, 500000);
    EXPECT_EQ(config.dimensions[1].block, BuildingBlock::Switch);
    EXPECT_EQ(config.dimensions[1].linkBitRate, 100000000000U);
    EXPECT_EQ(config.dimensions[1].latencyPs, 0);

    ExpectError(Replace(text, "size: 2, ", ""), "4: cluster.topology[1]: ", "block and size");
    ExpectError(Replace(text, "SW", "Torus"), "4: cluster.topology[1]: ", "Torus");
    ExpectError(Replace(text, "link-bandwidth: 100Gbps, ", ""), "4: cluster.topology[1]: neither ");
    ExpectError(Replace(text, "size: 2, ", "size: 2, bandwidth: 1Gbps, "),
                "4: cluster.topology[1]: both ");
    ExpectError(Replace(text, ", latency: 0", ""), "4: cluster.topology[1]: latency is missing");
    ExpectError(Replace(text, "latency: 0", "latency: 0, hops: 1"),
                "4: cluster.topology[1].hops: ",
                "no such key");
    ExpectError(Replace(text, "100Gbps", "100"),
                "4: cluster.topology[1].link-bandwidth: ",
                "unit is missing");
    ExpectError(Replace(text, "workload:", "  bandwidth: 1Gbps\nworkload:"),
                "5: cluster.bandwidth: belongs to each entry");
}

TEST_F(ExperimentConfigTest, SwitchesReduceWhereTheFileSaysSo)
{
    const std::string keys =
        "  in-network: [false, yes]\n  processing-time: 100ns\n  slots: [0, 7]\n";
    auto text = Replace(MINIMAL, "Switch(8)", "Ring(4)_Switch(8)");
    text = Replace(text, "workload:", keys + "workload:");
    const auto config = Read(Replace(text, "yes", "true"));
    EXPECT_FALSE(config.dimensions[0].inNetwork.enabled);
    EXPECT_TRUE(config.dimensions[1].inNetwork.enabled);
    EXPECT_EQ(config.dimensions[1].inNetwork.processingPs, 100000);
    EXPECT_EQ(config.dimensions[1].inNetwork.slots, 7U);
    ExpectError(text, "5: cluster.in-network[1]: 'yes' is no truth value");
    ExpectError(Replace(text, "[false, yes]", "true"),
                "2: cluster.topology: dimension 0: a Ring has no switches");
    ExpectError(Replace(Replace(text, "yes", "true"), "[0, 7]", "[0, -7]"),
                "7: cluster.slots[1]: '-7' is no whole number");
    ExpectError(Replace(Replace(text, "yes", "true"), "[0, 7]", "[0, 7, 8]"),
                "7: cluster.slots: 3 values are given for 2 dimensions");
    const auto list = Read(Replace(MINIMAL,
                                   " Switch(8)\n  bandwidth: 400Gbps\n  latency: 500ns",
                                   "\n    - {block: SW, size: 5, bandwidth: 400Gbps, latency: 0, "
                                   "in-network: true, processing-time: 1us, slots: 2}"));
    EXPECT_TRUE(list.dimensions[0].inNetwork.enabled);
    EXPECT_EQ(list.dimensions[0].inNetwork.processingPs, 1000000);
    EXPECT_EQ(list.dimensions[0].inNetwork.slots, 2U);
}

TEST_F(ExperimentConfigTest, LinkBandwidthIsThatOfOneLink)
{
    const auto config =
        Read(Replace(Replace(MINIMAL, "bandwidth", "link-bandwidth"), "Switch", "Ring"));
    EXPECT_EQ(config.dimensions[0].linkBitRate, 400000000000U);
}

TEST_F(ExperimentConfigTest, AliasesStandForTheirValue)
{
    const auto config =
        Read(Replace(Replace(COMPLETE, "1.5us]", "&l 1.5us]"), "latency: 1us", "latency: *l"));
    EXPECT_EQ(GetAttribute(config, "ns3::mlcluster::QueuedMemoryModel::Latency"), "1500ns");
}

TEST_F(ExperimentConfigTest, OverridesTakeThePlaceOfTheFile)
{
    using Errors = std::vector<std::string>;
    const std::string path = Write(MINIMAL);
    const auto read = [&](const std::vector<std::string>& texts) {
        std::vector<ExperimentOverride> overrides;
        for (const auto& text : texts)
        {
            overrides.push_back(ParseExperimentOverride(text, "--set"));
        }
        Diagnostics diagnostics;
        const auto config = ReadExperimentConfig(path, diagnostics, overrides);
        return std::make_pair(config, diagnostics.GetErrors());
    };
    const auto [config, errors] = read({"cluster.topology=Ring(2)_Ring(3)",
                                        "cluster.latency=[1us, 2us]",
                                        "cluster.npu.roofline=true",
                                        "cluster.npu.roofline=false",
                                        "workload.collective={type: barrier}"});
    EXPECT_EQ(errors, Errors());
    EXPECT_EQ(config.dimensions.size(), 2U);
    EXPECT_EQ(config.dimensions[1].latencyPs, 2'000'000);
    EXPECT_EQ(config.collective, CollectiveType::Barrier);
    EXPECT_EQ(GetAttribute(config, NPU + "Roofline"), "false") << "the last one holds";

    EXPECT_EQ(read({"cluster.topology.size=3"}).second,
              (Errors{"--set: cluster.topology.size: has no place: cluster.topology in line 2 is "
                      "'Switch(8)'"}));
    EXPECT_EQ(read({"backends.run=[packet"}).second,
              (Errors{"--set: backends.run: is no YAML: end of sequence flow not found"}));
    EXPECT_EQ(read({"cluster.latency= "}).second,
              (Errors{"--set: cluster.latency: the value is missing; needed is propagation delay "
                      "of one link"}));
    for (const std::string text : {"cluster.latency=5",
                                   "cluster.latency=1us\n--- 2us",
                                   "cluster.lateny=5us",
                                   "cluster..latency=5us",
                                   "workload.transformer.tensor=2"})
    {
        EXPECT_EQ(read({text}).second.size(), 1U) << text;
    }
    EXPECT_EQ(read({"cluster.lateny=5us"})
                  .second.at(0)
                  .rfind("--set: cluster.lateny: there is no such key; did you mean latency?", 0),
              0U);
    for (const std::string text : {"a", "=1", "a="})
    {
        EXPECT_EQ(ErrorOf([&] { ParseExperimentOverride(text, "--set"); }),
                  "'" + text + "' is no KEY=VALUE, such as workload.transformer.tensor=8");
    }
}
