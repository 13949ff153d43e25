/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "drawn-runs.h"
#include "estimate-comparison.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-config.h"
#include "ns3/experiment-runner.h"
#include "ns3/packet-backend.h"
#include "ns3/run-estimate.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>
#include <functional>
#include <iostream>
#include <random>
#include <string>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

/**
 * @ingroup ml-cluster-tests
 * Any collectives on any topology over all networks: events are within what was told, messages and
 * packet-hops as told; and events too, to the last one, of a collective that all members start
 * together. Where messages do not share links, or a network's events do not depend on it, the range
 * is one number.
 */
class EstimateOfCollectivesTestCase : public TestCase
{
  public:
    EstimateOfCollectivesTestCase()
        : TestCase("Events of random collectives are what was told")
    {
    }

  private:
    /// A way to simulate the network.
    struct Network
    {
        std::string name;        ///< for messages
        bool isPacket;           ///< packet by packet
        std::string congestion;  ///< Congestion
        bool forwardsWhole;      ///< ForwardWhole
        std::string granularity; ///< Granularity
        uint64_t windowBytes;    ///< WindowBytes
        uint32_t least;          ///< runs whose events must be known exactly
    };

    void DoRun() override
    {
        const Network networks[] = {{"links", false, "Links", false, "Message", 0, 250},
                                    {"none", false, "None", false, "Message", 0, 450},
                                    {"whole", false, "Links", true, "Message", 0, 900},
                                    {"none, whole", false, "None", true, "Message", 0, 450},
                                    {"phases", false, "Links", false, "Phase", 0, 250},
                                    {"packets", true, "", false, "", 0, 200},
                                    {"packets, window 1000", true, "", false, "", 1000, 200}};
        for (const auto& network : networks)
        {
            RunNetwork(network);
        }
    }

    /// @param network how to simulate
    void RunNetwork(const Network& network)
    {
        CollectiveLottery lottery(20);
        uint32_t runs = 0;
        uint32_t exact = 0;
        uint32_t together = 0;
        for (uint32_t round = 0; round < (network.isPacket ? 300 : 1000); ++round)
        {
            DrawnCase drawn = lottery.Draw(network.isPacket);
            const bool isAlone = drawn.calls.size() == 1 && IsTogether(drawn);
            const auto comparison = Compare(
                drawn.topology,
                [&](ClusterHelper& cluster) { SetUp(cluster, drawn, network); },
                MakeWork(drawn));
            const std::string text =
                network.name + ", round " + std::to_string(round) + ": " + drawn.Describe();
            NS_TEST_EXPECT_MSG_EQ(FindFault(comparison), "", text);
            if (!comparison.error.empty())
            {
                continue;
            }
            ++runs;
            exact += comparison.estimate.events.IsExact() ? 1 : 0;
            together += isAlone ? 1 : 0;
            if (isAlone && !network.isPacket)
            {
                NS_TEST_EXPECT_MSG_EQ(comparison.estimate.events.expected.Get(),
                                      comparison.report.events,
                                      text << ", alone and together");
            }
            if (network.isPacket && network.windowBytes == 0)
            {
                // A window of 32 packets can close once a quarter of it, which is acknowledged: one
                // event more for every eight packets, their acknowledgement and their leaving.
                NS_TEST_EXPECT_MSG_LT(std::fabs(comparison.GetError()), 1.0 / (8 + 1 + 1), text);
            }
        }
        NS_TEST_EXPECT_MSG_GT(runs, (network.isPacket ? 250 : 800), "runs");
        NS_TEST_EXPECT_MSG_GT(together, (network.isPacket ? 50 : 150), "alone and together");
        NS_TEST_EXPECT_MSG_GT(exact, network.least, "known exactly");
    }

    /// @param drawn a case @return whether all ranks do the same before collectives
    static bool IsTogether(const DrawnCase& drawn)
    {
        return std::all_of(drawn.workPs.begin(), drawn.workPs.end(), [&](const auto& work) {
            return work == drawn.workPs.front();
        });
    }

    /// @param cluster is set up @param drawn for this case @param network and this network
    static void SetUp(ClusterHelper& cluster, const DrawnCase& drawn, const Network& network)
    {
        DrawnCase changed = drawn;
        changed.backend = network.isPacket ? "packet" : "analytical";
        Configure(cluster, changed, network.granularity);
        if (network.isPacket)
        {
            cluster.SetBackendAttribute("PayloadBytes", UintegerValue(64));
            cluster.SetBackendAttribute("WindowBytes", UintegerValue(network.windowBytes));
        }
        else
        {
            cluster.SetBackendAttribute("Congestion", StringValue(network.congestion));
            cluster.SetBackendAttribute("ForwardWhole", BooleanValue(network.forwardsWhole));
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Sends and receives between random pairs: without congestion, or if links store whole messages,
 * the number of events is known.
 */
class EstimateOfMessagesTestCase : public TestCase
{
  public:
    EstimateOfMessagesTestCase()
        : TestCase("Events of sends and receives are what was told")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(21);
        for (uint32_t round = 0; round < 200; ++round)
        {
            const ClusterTopology topology(RandomDimensions(random, 16));
            const auto workload = MakeMessages(topology.GetNRanks(), random);
            for (const std::string congestion : {"None", "Links"})
            {
                for (const bool isWhole : {false, true})
                {
                    const auto comparison = Compare(
                        topology,
                        [&](ClusterHelper& cluster) {
                            cluster.SetBackendAttribute("Congestion", StringValue(congestion));
                            cluster.SetBackendAttribute("ForwardWhole", BooleanValue(isWhole));
                        },
                        workload);
                    NS_TEST_EXPECT_MSG_EQ(FindFault(comparison), "", "round " << round);
                    NS_TEST_EXPECT_MSG_EQ(comparison.estimate.events.IsExact() ||
                                              (congestion == "Links" && !isWhole) ||
                                              comparison.messages == 0,
                                          true,
                                          "round " << round << " is exact");
                }
            }
            const auto packets = Compare(
                topology,
                [](ClusterHelper& cluster) { cluster.SetBackend("packet"); },
                workload);
            NS_TEST_EXPECT_MSG_EQ(FindFault(packets), "", "packets, round " << round);
        }
    }

    /// @param nRanks ranks @param random source @return messages of random pairs, one after the
    /// other on each rank, with work between
    static std::shared_ptr<const ClusterWorkload> MakeMessages(uint32_t nRanks,
                                                               std::mt19937_64& random)
    {
        std::vector<std::vector<ExecutionNode>> ranks(nRanks);
        for (uint32_t i = 0; i < 30; ++i)
        {
            const auto source = static_cast<uint32_t>(random() % nRanks);
            const auto destination = static_cast<uint32_t>(random() % nRanks);
            const uint64_t bytes = random() % (uint64_t{1} << random() % 18);
            if (source == destination)
            {
                ranks[source].push_back(ComputeNode(ranks[source].size(), random() % 1000000));
                continue;
            }
            ranks[source].push_back(
                PeerNode(NodeKind::Send, ranks[source].size(), destination, bytes));
            ranks[destination].push_back(
                PeerNode(NodeKind::Receive, ranks[destination].size(), source, bytes));
        }
        return MakeWorkload(ranks);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Experiments that are shipped: to the last event, unless collectives are under way on the same
 * links at once.
 */
class EstimateOfExperimentsTestCase : public TestCase
{
  public:
    EstimateOfExperimentsTestCase()
        : TestCase("Events of experiments are what was told")
    {
    }

  private:
    void DoRun() override
    {
        UsePicoseconds();
        const std::string message = "backends.analytical.granularity=Message";
        const std::string none = "backends.analytical.congestion=None";
        CheckExact("default.yaml", {});
        CheckExact("default.yaml", {none});
        CheckExact("default.yaml", {"workload.transformer.micro-batches=200"});
        CheckExact("all-reduce-ring8.yaml", {});
        CheckExact("all-reduce-switch8.yaml", {});
        CheckExact("all-reduce-ring4-switch4.yaml", {});
        CheckExact("all-reduce-in-network.yaml", {});
        CheckExact("resnet50.yaml", {});
        CheckExact("resnet50.yaml", {message});
        CheckExact("studies/gpt3-iteration/base.yaml", {});
        Run("dlrm.yaml", {});
        Run("dlrm.yaml", {message});
        Run("llama3-8b-64.yaml", {});
        Run("llama3-8b-64.yaml", {message});
    }

    /// @param file of the experiment @param settings of it; expects all events to be as expected
    void CheckExact(const std::string& file, const std::vector<std::string>& settings)
    {
        for (const auto& [estimate, report] : Run(file, settings))
        {
            NS_TEST_EXPECT_MSG_EQ(estimate.events.expected.Get(),
                                  report.events,
                                  file << ", " << report.backend);
        }
    }

    /// @param file of the experiment @param settings of it; expects events to be within what was
    /// told @return estimates and reports by backend
    std::vector<std::pair<RunEstimate, RunReport>> Run(const std::string& file,
                                                       const std::vector<std::string>& settings)
    {
        Config::Reset();
        std::vector<ExperimentOverride> overrides;
        for (const auto& setting : settings)
        {
            overrides.push_back(ParseExperimentOverride(setting, "--set"));
        }
        Diagnostics diagnostics;
        const auto config = ReadExperimentConfig(FindExperimentFile(file), diagnostics, overrides);
        diagnostics.ThrowIfErrors();
        char program[] = "test";
        char* arguments[] = {program, nullptr};
        ApplyAttributes(config, 1, arguments);
        const ExperimentRunner runner(config);
        const auto estimates = runner.Estimate();
        const auto reports = runner.Run();
        std::vector<std::pair<RunEstimate, RunReport>> both;
        for (std::size_t i = 0; i < reports.size(); ++i)
        {
            const std::string text = file + ", " + reports[i].backend;
            const CountRange& events = estimates[i].events;
            NS_TEST_EXPECT_MSG_EQ((events.fewest.Get() <= reports[i].events &&
                                   reports[i].events <= events.most.Get()),
                                  true,
                                  text << ": " << reports[i].events << " within the range");
            NS_TEST_EXPECT_MSG_EQ(estimates[i].repeats.has_value(),
                                  reports[i].repeats.has_value(),
                                  text << ": parts are skipped");
            NS_TEST_EXPECT_MSG_GT(estimates[i].eventsPerSecond, 0, text << ": a rate");
            both.emplace_back(estimates[i], reports[i]);
        }
        Config::Reset();
        return both;
    }
};

/**
 * @ingroup ml-cluster-tests
 * What a run refuses before time starts is refused in the same words.
 */
class RefusedEstimateTestCase : public TestCase
{
  public:
    RefusedEstimateTestCase()
        : TestCase("What a run refuses has no estimate, in the same words")
    {
    }

  private:
    void DoRun() override
    {
        const auto work = MakeEqualWorkload(4, {CollectiveNode(1, CollectiveType::AllReduce, 999)});
        Check(MakeEqualWorkload(3, {}), [](ClusterHelper&) {});
        Check(MakeWorkload({{PeerNode(NodeKind::Send, 1, 1, 5)}, {}, {}, {}}),
              [](ClusterHelper&) {});
        Check(work, [](ClusterHelper& cluster) {
            cluster.SetBackendAttribute("Congestion", StringValue("some"));
        });
        Check(work, [](ClusterHelper& cluster) {
            cluster.SetBackendAttribute("Congestion", StringValue("None"));
            cluster.SetBackendAttribute("Granularity", StringValue("Phase"));
        });
        Check(work, [](ClusterHelper& cluster) {
            cluster.SetCollectiveAttribute("AllReduce", StringValue("ring,ring"));
        });
        Check(work, [](ClusterHelper& cluster) {
            cluster.SetNpuAttribute("Roofline", BooleanValue(true));
        });
        Check(work, [](ClusterHelper& cluster) {
            cluster.SetNpuAttribute("ReduceInMemory", BooleanValue(true));
        });
        ExecutionNode access;
        access.kind = NodeKind::MemoryLoad;
        access.location = MemoryLocation::LOCAL;
        Check(MakeWorkload({{}, {access}, {}, {}}), [](ClusterHelper&) {});
        Check(work, [](ClusterHelper& cluster) {
            cluster.SetNpuAttribute("CollectivePriority", StringValue("last"));
        });
    }

    /// @param workload what to do on four NPUs @param configure sets the cluster up; one of both is
    /// wrong
    void Check(const std::shared_ptr<const ClusterWorkload>& workload,
               const std::function<void(ClusterHelper&)>& configure)
    {
        const auto comparison =
            Compare(MakeTopology("Ring(4)", 400000000000, 500000), configure, workload);
        NS_TEST_EXPECT_MSG_EQ(comparison.error.empty(), false, "the run is refused");
        NS_TEST_EXPECT_MSG_EQ(comparison.refusal, comparison.error, "the same words");
    }
};

/**
 * @ingroup ml-cluster-tests
 * The test suite.
 */
class RunEstimateTestSuite : public TestSuite
{
  public:
    RunEstimateTestSuite()
        : TestSuite("ml-cluster-run-estimate", Type::UNIT)
    {
        AddTestCase(new EstimateOfCollectivesTestCase);
        AddTestCase(new EstimateOfMessagesTestCase);
        AddTestCase(new EstimateOfExperimentsTestCase);
        AddTestCase(new RefusedEstimateTestCase);
    }
};

static RunEstimateTestSuite g_runEstimateTestSuite; ///< registers the suite
