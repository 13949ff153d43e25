/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/chakra-writer.h"
#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/result-writer.h"
#include "ns3/run-control.h"
#include "ns3/run-tables.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

const std::string CHUNKS = "ns3::mlcluster::CollectivePlanner::Chunks";
const std::string PEAK_FLOPS = "ns3::mlcluster::NpuApplication::PeakFlops";
const std::string ENDPOINT_DELAY = "ns3::mlcluster::NpuApplication::EndpointDelay";

ExperimentConfig
MakeConfig(const std::string& topology)
{
    ExperimentConfig config;
    config.file = "test.yaml";
    config.dimensions = ClusterTopology::ParseNotation(topology);
    for (auto& dimension : config.dimensions)
    {
        dimension.SetMemberBitRate(400000000000);
        dimension.latencyPs = 500000;
    }
    config.collective = CollectiveType::AllReduce;
    config.collectiveBytes = 1 << 20;
    config.backends = {"analytical", "packet"};
    return config;
}

ExecutionNode
MakeNode(uint64_t id, NodeKind kind)
{
    ExecutionNode node;
    node.id = id;
    node.name = ToString(kind);
    node.kind = kind;
    node.durationPs = kind == NodeKind::Compute ? 10000000 : 0;
    if (id > 0)
    {
        node.dependencies = {id - 1};
    }
    return node;
}

/// Runs the same nodes on every rank.
std::vector<RunReport>
RunTrace(const std::string& prefix, const std::string& topology, std::vector<ExecutionNode> nodes)
{
    ExperimentConfig config = MakeConfig(topology);
    config.collective.reset();
    config.chakraPrefix = prefix;
    const uint32_t nRanks = ClusterTopology(config.dimensions).GetNRanks();
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        WriteChakraGraph(nodes, prefix + "." + std::to_string(rank) + ".et");
    }
    return ExperimentRunner(config).Run();
}

std::string
GetValue(const std::string& attribute)
{
    for (const auto& setting : GetAttributesInForce())
    {
        if (setting.attribute == attribute)
        {
            return setting.value;
        }
    }
    return "";
}

void
Apply(const ExperimentConfig& config, std::string argument)
{
    std::string program = "test";
    char* argv[] = {program.data(), argument.data()};
    ApplyAttributes(config, 2, argv);
}

/// Counts picoseconds, and leaves the defaults of attributes as they were.
class ExperimentTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  private:
    void DoSetup() override
    {
        UsePicoseconds();
    }

    void DoTeardown() override
    {
        Config::Reset();
    }
};

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Defaults, file and command line: the later wins, and values come back exactly.
 */
class AttributePrecedenceTest : public ExperimentTestCase
{
  public:
    AttributePrecedenceTest()
        : ExperimentTestCase("The command line wins over the file, the file over defaults")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentConfig config = MakeConfig("Ring(2)");
        config.attributes = {{CHUNKS, "8"},
                             {PEAK_FLOPS, "234567890123456"},
                             {ENDPOINT_DELAY, "936250ps"}};
        NS_TEST_EXPECT_MSG_EQ(GetValue(CHUNKS), "4", "default");
        Apply(config, "--other=1");
        NS_TEST_EXPECT_MSG_EQ(GetValue(CHUNKS), "8", "file");
        NS_TEST_EXPECT_MSG_EQ(GetValue(PEAK_FLOPS), "234567890123456", "exact number");
        NS_TEST_EXPECT_MSG_EQ(GetValue(ENDPOINT_DELAY), "936250ps", "exact time");
        Apply(config, "--" + CHUNKS + "=2");
        NS_TEST_EXPECT_MSG_EQ(GetValue(CHUNKS), "2", "command line");
        Config::Reset();
        NS_TEST_EXPECT_MSG_EQ(GetValue(CHUNKS), "4", "default again");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Settings that no attribute takes are all named.
 */
class BadAttributeTest : public ExperimentTestCase
{
  public:
    BadAttributeTest()
        : ExperimentTestCase("Unknown attributes and refused values are named together")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentConfig config = MakeConfig("Ring(2)");
        config.attributes = {{"ns3::mlcluster::CollectivePlanner::Chunk", "8"}, {CHUNKS, "0"}};
        std::string message;
        try
        {
            Apply(config, "");
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        const auto has = [&message](const std::string& part) {
            return message.find(part) != std::string::npos;
        };
        NS_TEST_EXPECT_MSG_EQ(has("no such attribute; nearest: " + CHUNKS), true, message);
        NS_TEST_EXPECT_MSG_EQ(has(CHUNKS + ": '0' is too small"), true, message);
    }
};

/**
 * @ingroup ml-cluster-tests
 * What --print-config prints is an experiment file of the same meaning.
 */
class EffectiveConfigurationTest : public ExperimentTestCase
{
  public:
    EffectiveConfigurationTest()
        : ExperimentTestCase("The effective configuration reads back as itself")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentConfig config = MakeConfig("Ring(4)_Switch(2)");
        config.attributes = {{CHUNKS, "8"},
                             {PEAK_FLOPS, "234567890123456"},
                             {ENDPOINT_DELAY, "936250ps"}};
        Apply(config, "");
        const std::string effective = GetEffectiveConfiguration(config);
        Config::Reset();
        const std::string path = CreateTempDirFilename("effective.yaml");
        std::ofstream(path) << effective;
        Diagnostics diagnostics;
        const ExperimentConfig again = ReadExperimentConfig(path, diagnostics);
        NS_TEST_ASSERT_MSG_EQ(diagnostics.HasErrors(),
                              false,
                              JoinWords(diagnostics.GetErrors()) + effective);
        Apply(again, "");
        NS_TEST_EXPECT_MSG_EQ(GetEffectiveConfiguration(again), effective, "differs");
        NS_TEST_EXPECT_MSG_EQ(GetValue(CHUNKS), "8", "lost");
    }
};

/**
 * @ingroup ml-cluster-tests
 * A training workload that ends with several collectives of 4 bytes has all of them in its results.
 */
class TrailingCollectivesTest : public ExperimentTestCase
{
  public:
    TrailingCollectivesTest()
        : ExperimentTestCase("Small collectives at the end are run and reported")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<ExecutionNode> nodes;
        for (uint64_t id = 0; id < 11; ++id)
        {
            nodes.push_back(
                MakeNode(id, id < 6 && id % 2 == 0 ? NodeKind::Compute : NodeKind::Collective));
            nodes.back().bytes = id < 6 ? 1 << 20 : 4;
        }
        const auto runs = RunTrace(CreateTempDirFilename("trailing"), "Switch(8)", nodes);
        NS_TEST_ASSERT_MSG_EQ(runs.size(), 2, "backends");
        for (const auto& run : runs)
        {
            NS_TEST_ASSERT_MSG_EQ(run.collectives.size(), 8, run.backend);
            for (const auto& collective : run.collectives)
            {
                NS_TEST_EXPECT_MSG_GT(collective.endPs, collective.startPs, run.backend);
            }
            NS_TEST_EXPECT_MSG_EQ(run.collectives.back().bytes, 4, run.backend);
            NS_TEST_EXPECT_MSG_EQ(run.collectives.back().endPs, run.finishTimePs, run.backend);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * A workload without communication gives zeros and plain words.
 */
class ComputeOnlyTest : public ExperimentTestCase
{
  public:
    ComputeOnlyTest()
        : ExperimentTestCase("A workload without communication gives zeros, no NaN")
    {
    }

  private:
    void DoRun() override
    {
        const auto runs =
            RunTrace(CreateTempDirFilename("compute"), "Ring(4)", {MakeNode(0, NodeKind::Compute)});
        std::ostringstream os;
        WriteSummary(os, "{}", runs);
        WriteRankTable(os, runs);
        WriteLinkTable(os, runs);
        PrintCollectives(os, runs, 10, "");
        PrintRuns(os, runs);
        NS_TEST_EXPECT_MSG_EQ(runs.at(1).finishTimePs, 10000000, "packet run");
        NS_TEST_EXPECT_MSG_EQ(runs.at(1).ranks.at(3).computePs, 10000000, "rank");
        std::string text = os.str();
        std::transform(text.begin(), text.end(), text.begin(), ::tolower);
        NS_TEST_EXPECT_MSG_EQ(text.find("nan"), std::string::npos, text);
        NS_TEST_EXPECT_MSG_EQ(text.find("inf"), std::string::npos, text);
        NS_TEST_EXPECT_MSG_NE(text.find("no collectives were run"), std::string::npos, text);
    }
};

/**
 * @ingroup ml-cluster-tests
 * A signal ends the experiment: the run is partial, further backends are left out.
 */
class StoppedExperimentTest : public ExperimentTestCase
{
  public:
    StoppedExperimentTest()
        : ExperimentTestCase("A signal leaves a partial run and ends the experiment")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<RunReport> runs;
        const int status = GuardMain([&runs] {
            const ExperimentRunner runner(MakeConfig("Ring(4)"));
            Simulator::Schedule(PicoSeconds(20000000), [] { std::raise(SIGTERM); });
            runs = runner.Run();
            return 0;
        });
        NS_TEST_EXPECT_MSG_EQ(status, 143, "exit status");
        NS_TEST_ASSERT_MSG_EQ(runs.size(), 1, "second backend must not run");
        NS_TEST_EXPECT_MSG_EQ(runs[0].partial, true, "mark");
        std::ostringstream os;
        WriteSummary(os, "{}", runs);
        NS_TEST_EXPECT_MSG_NE(os.str().find("\"partial\":true"), std::string::npos, os.str());
    }
};

/**
 * @ingroup ml-cluster-tests
 * From experiment files to reports.
 */
class ExperimentRunnerTestSuite : public TestSuite
{
  public:
    ExperimentRunnerTestSuite()
        : TestSuite("ml-cluster-experiment-runner", Type::UNIT)
    {
        AddTestCase(new AttributePrecedenceTest);
        AddTestCase(new BadAttributeTest);
        AddTestCase(new EffectiveConfigurationTest);
        AddTestCase(new TrailingCollectivesTest);
        AddTestCase(new ComputeOnlyTest);
        AddTestCase(new StoppedExperimentTest);
    }
};

static ExperimentRunnerTestSuite g_experimentRunnerTestSuite; ///< the suite
