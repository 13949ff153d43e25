/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "experiment-config-fixture.h"

#include "ns3/effective-config.h"
#include "ns3/experiment-schema.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// Reads experiment files without errors.
class EffectiveConfigTest : public ExperimentConfigTest
{
};

void
ExpectEqual(const ExperimentConfig& a, const ExperimentConfig& b)
{
    ASSERT_EQ(a.dimensions.size(), b.dimensions.size());
    for (std::size_t k = 0; k < a.dimensions.size(); ++k)
    {
        EXPECT_EQ(a.dimensions[k].block, b.dimensions[k].block);
        EXPECT_EQ(a.dimensions[k].size, b.dimensions[k].size);
        EXPECT_EQ(a.dimensions[k].linkBitRate, b.dimensions[k].linkBitRate);
        EXPECT_EQ(a.dimensions[k].latencyPs, b.dimensions[k].latencyPs);
        EXPECT_EQ(a.dimensions[k].inNetwork.enabled, b.dimensions[k].inNetwork.enabled);
        EXPECT_EQ(a.dimensions[k].inNetwork.processingPs, b.dimensions[k].inNetwork.processingPs);
        EXPECT_EQ(a.dimensions[k].inNetwork.slots, b.dimensions[k].inNetwork.slots);
    }
    EXPECT_EQ(a.chakraPrefix, b.chakraPrefix);
    EXPECT_EQ(a.groupFile, b.groupFile);
    EXPECT_EQ(a.ignoreMissingDependencies, b.ignoreMissingDependencies);
    EXPECT_EQ(a.streams, b.streams);
    EXPECT_EQ(a.locations, b.locations);
    EXPECT_EQ(a.controlDependencies, b.controlDependencies);
    EXPECT_EQ(a.schema, b.schema);
    EXPECT_EQ(a.elementBytes, b.elementBytes);
    EXPECT_EQ(a.flopsPerOperation, b.flopsPerOperation);
    EXPECT_EQ(a.collective, b.collective);
    EXPECT_EQ(a.collectiveBytes, b.collectiveBytes);
    EXPECT_EQ(a.collectiveRoot, b.collectiveRoot);
    EXPECT_EQ(a.backends, b.backends);
    EXPECT_EQ(a.outputDir, b.outputDir);
    ASSERT_EQ(a.attributes.size(), b.attributes.size());
    for (std::size_t i = 0; i < a.attributes.size(); ++i)
    {
        EXPECT_EQ(a.attributes[i].attribute, b.attributes[i].attribute);
        EXPECT_EQ(a.attributes[i].value, b.attributes[i].value);
    }
}

/// Defaults in the form ns-3 writes them.
std::string
MakeDefault(const std::string& attribute)
{
    const auto* key = FindExperimentKeyOf(attribute);
    switch (key->value)
    {
    case ExperimentValue::Flag:
        return "false";
    case ExperimentValue::Rate:
        return "800000000000bps";
    case ExperimentValue::Time:
        return "+10.0ns";
    case ExperimentValue::Word:
        return key->words.front();
    case ExperimentValue::Algorithm:
        return "direct-4";
    case ExperimentValue::Text:
        return "/a.xml;collective=all-reduce,/b \"c\".xml";
    case ExperimentValue::Flops:
        return "3.12e+14";
    default:
        return std::to_string(std::min<uint64_t>(4096, key->maximum));
    }
}

} // namespace

TEST_F(EffectiveConfigTest, SetsEveryKnownAttribute)
{
    const auto complete = CompleteExperimentConfig(Read(MINIMAL), MakeDefault);
    for (const auto& source : GetWorkloadSources())
    {
        ExperimentConfig config = Read(MINIMAL);
        config.generator = GetGeneratorOf(source);
        const auto whole = CompleteExperimentConfig(config, MakeDefault);
        for (const auto& key : GetExperimentKeys())
        {
            const bool isWorkload = key.key.rfind("workload.", 0) == 0;
            const bool isOwn = key.attribute.rfind(config.generator + "::", 0) == 0 ||
                               (key.key == "workload.skip-repeats" && !config.generator.empty());
            const bool isSet = GetAttribute(whole, key.attribute) != "not set";
            EXPECT_EQ(isSet, !key.attribute.empty() && (!isWorkload || isOwn)) << key.key;
        }
    }
    EXPECT_EQ(GetAttribute(complete, NPU + "EndpointDelay"), "10ns");
    EXPECT_EQ(GetAttribute(complete, NPU + "MemoryBandwidth"), "800Gbps");
    const auto none = CompleteExperimentConfig(Read(MINIMAL), [](const auto&) { return ""; });
    EXPECT_TRUE(none.attributes.empty()) << "no such attributes, no settings";
    EXPECT_THROW(CompleteExperimentConfig(Read(MINIMAL), [](const auto&) { return "odd"; }),
                 InputError);
}

TEST_F(EffectiveConfigTest, CarriesUnits)
{
    std::ostringstream os;
    WriteExperimentConfig(CompleteExperimentConfig(Read(COMPLETE), MakeDefault), os);
    for (const std::string line : {"  topology: Ring(4)_Switch(2)\n",
                                   "  link-bandwidth: [200Gbps, 200Gbps]\n",
                                   "    peak-flops: 312TFLOPS\n",
                                   "    memory-bandwidth: 12000Gbps\n",
                                   "    payload: 4KiB\n",
                                   "    source-packets: 4096\n",
                                   "  all-gather: [direct, direct]\n",
                                   "  all-to-all: [direct-4, auto]\n",
                                   "  \"ns3::TcpSocket::SegmentSize\": \"1000\"\n"})
    {
        EXPECT_NE(os.str().find(line), std::string::npos) << line << "is not in\n" << os.str();
    }
}

TEST_F(EffectiveConfigTest, ReadsBackEqual)
{
    for (const auto& text : {COMPLETE, MINIMAL})
    {
        const auto complete = CompleteExperimentConfig(Read(text), MakeDefault);
        std::ostringstream os;
        WriteExperimentConfig(complete, os);
        ExpectEqual(Read(os.str()), complete);
    }
}

TEST_F(EffectiveConfigTest, RandomConfigurationsReadBackEqual)
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 100; ++i)
    {
        ExperimentConfig config;
        const std::size_t nDimensions = 1 + random() % 4;
        const auto drawShifted = [&random] {
            const uint64_t shift = random() % 63 + 1;
            return random() >> shift;
        };
        for (std::size_t k = 0; k < nDimensions; ++k)
        {
            config.dimensions.push_back({static_cast<BuildingBlock>(random() % 3),
                                         static_cast<uint32_t>(1 + random() % 9),
                                         1 + drawShifted(),
                                         static_cast<int64_t>(drawShifted() % 1000000000000000)});
        }
        for (std::size_t k = 0; k < nDimensions && i % 2 == 0; ++k)
        {
            config.dimensions[k].block = BuildingBlock::Switch;
            config.dimensions[k].inNetwork = {k == 0 || random() % 2 == 0,
                                              static_cast<int64_t>(random() % 1000000),
                                              static_cast<uint32_t>(random())};
        }
        if (random() % 2)
        {
            config.collective = random() % 2 ? CollectiveType::AllToAll : CollectiveType::Broadcast;
            config.collectiveRoot =
                config.collective == CollectiveType::Broadcast ? random() % 1000 : 0;
            config.collectiveBytes = 1 + drawShifted();
        }
        else
        {
            config.chakraPrefix =
                (m_folder.GetPath() / "a \"b\" \\c: #\t\x01" / std::to_string(i)).string();
            config.groupFile = random() % 2 ? (m_folder.GetPath() / "g").string() : "";
            config.controlDependencies = random() % 2 ? "ignore" : "strict";
            config.schema = random() % 2 ? "auto" : "0.0.3";
            config.elementBytes = 1 + random() % 4;
            config.flopsPerOperation = 1 + random() % 4;
            config.ignoreMissingDependencies = random() % 2;
            config.streams = random() % 2;
            config.locations = random() % 2;
        }
        config.backends = {random() % 2 ? "analytical" : "packet"};
        config.outputDir = random() % 2 ? (m_folder.GetPath() / "out").string() : "";
        config.attributes.push_back(
            {NPU + "PeakFlops", FormatNumber(static_cast<double>(random()))});
        config.attributes.push_back({"ns3::A::B", "x: " + std::to_string(random())});
        const auto complete = CompleteExperimentConfig(config, MakeDefault);
        std::ostringstream os;
        WriteExperimentConfig(complete, os);
        ExpectEqual(Read(os.str()), complete);
    }
}

TEST_F(EffectiveConfigTest, ShippedExperimentsAreReadable)
{
    const std::filesystem::path folder = GetModuleFolder() / "configs";
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        if (entry.path().extension() == ".yaml")
        {
            Diagnostics diagnostics;
            ReadExperimentConfig(entry.path().string(), diagnostics);
            EXPECT_EQ(JoinWords(diagnostics.GetErrors()), "");
            ++count;
        }
    }
    EXPECT_GE(count, 4U);
}

TEST_F(EffectiveConfigTest, EveryKeyIsDocumented)
{
    const auto path = GetModuleFolder() / "doc/formats.rst";
    std::ifstream stream(path);
    const std::string text{std::istreambuf_iterator<char>(stream),
                           std::istreambuf_iterator<char>()};
    for (const auto& key : GetExperimentKeys())
    {
        EXPECT_NE(text.find("``" + key.key + "``"), std::string::npos) << key.key;
        const std::string attribute = key.attribute.substr(key.attribute.empty() ? 0 : 16);
        EXPECT_NE(text.find(attribute), std::string::npos) << attribute;
    }
}
