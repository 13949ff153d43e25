/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-network-cases.h"

#include "ns3/collective-bounds.h"
#include "ns3/network-backend.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

/**
 * @ingroup ml-cluster-tests
 * Beside a second job a collective is never faster; the processing unit of a switch serves one
 * chunk after the other, of whatever group.
 */
class InNetworkSharingTestCase : public TestCase
{
  public:
    InNetworkSharingTestCase()
        : TestCase("Jobs share links and processing of a switch")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string backend : {"analytical", "packet"})
        {
            CheckUnit(backend);
            for (const uint32_t k : {1, 3, 8})
            {
                CheckLinks({k, k, backend});
            }
        }
    }

    /// @param backend name; two halves of a switch reduce at once
    void CheckUnit(const std::string& backend)
    {
        const uint64_t bytes = 40960;
        const int64_t p = 5'000'000;
        const CommunicatorGroups groups{{"a", {0, 1, 2, 3}}, {"b", {7, 5, 6, 4}}};
        std::vector<std::vector<ExecutionNode>> nodes;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            nodes.push_back({CollectiveNode(1, AR, bytes, {}, rank < 4 ? "a" : "b")});
        }
        const auto report = RunCluster(
            WithSwitches("Switch(8)", {{true, p, 0}}),
            MakeWorkload(nodes, groups),
            [&](ClusterHelper& cluster) { Configure(cluster, {1, 1, backend}); },
            backend);
        const int64_t first = 2 * LATENCY + p + 2 * Ser(bytes);
        std::vector<int64_t> ends;
        for (const auto& collective : report.collectives)
        {
            ends.push_back(collective.endPs);
        }
        std::sort(ends.begin(), ends.end());
        NS_TEST_ASSERT_MSG_EQ(ends.size(), 2, "two groups");
        NS_TEST_EXPECT_MSG_EQ(ends[0], first, "the first group on " << backend);
        NS_TEST_EXPECT_MSG_EQ(ends[1], first + p, "the second group on " << backend);
    }

    /// @param setting how; two collectives of all ranks at once
    void CheckLinks(const Setting& setting)
    {
        const auto topology = WithSwitches("Switch(8)", {{true, 200000, 0}});
        const uint64_t bytes = 8 * 40960 * setting.chunks;
        const int64_t alone = TimeOf(topology, AR, bytes, setting);
        for (const auto type : {AR, CollectiveType::AllGather, CollectiveType::AllToAll})
        {
            const auto report = RunCluster(
                topology,
                MakeEqualWorkload(8,
                                  {CollectiveNode(1, AR, bytes), CollectiveNode(2, type, bytes)}),
                [&](ClusterHelper& cluster) { Configure(cluster, setting); },
                setting.backend);
            for (const auto& collective : report.collectives)
            {
                NS_TEST_EXPECT_MSG_EQ((collective.name != "all-reduce 1" ||
                                       collective.endPs - collective.startPs >= alone),
                                      true,
                                      ToString(type) << " " << setting.backend);
            }
            NS_TEST_EXPECT_MSG_EQ((report.finishTimePs > alone), true, "links are shared");
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Random clusters, collectives, groups of a block, chunks and schedulers: all finish, accounts
 * close (ClusterHelper::Run checks), no link carries more than its rate, no lower bound is beaten.
 */
class InNetworkRandomTestCase : public TestCase
{
  public:
    InNetworkRandomTestCase()
        : TestCase("Random in-network collectives respect the bounds")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(5);
        for (uint32_t round = 0; round < 150; ++round)
        {
            Check(random, round);
        }
    }

    /// @param random source @param round for messages
    void Check(std::mt19937& random, uint32_t round)
    {
        static const std::string BLOCKS[] = {"Switch", "Switch", "Ring", "FullyConnected"};
        static const std::string SCHEDULERS[] = {"baseline", "themis"};
        constexpr CollectiveType TYPES[] = {AR,
                                            CollectiveType::ReduceScatter,
                                            CollectiveType::AllGather,
                                            CollectiveType::Broadcast,
                                            CollectiveType::Reduce,
                                            CollectiveType::Barrier};
        std::string notation;
        std::vector<InNetworkCapability> inNetwork;
        for (uint32_t k = 0; k < 1 + round % 3; ++k)
        {
            const std::string& block = BLOCKS[random() % 4];
            notation += (k == 0 ? "" : "_") + block + "(" + std::to_string(2 + random() % 4) + ")";
            inNetwork.push_back({block == "Switch" && random() % 4 > 0,
                                 static_cast<int64_t>(random() % 3000000),
                                 static_cast<uint32_t>(random() % 4)});
        }
        const auto topology = WithSwitches(notation, inNetwork);
        const CollectiveType type = TYPES[random() % 6];
        const uint64_t bytes = type == CollectiveType::Barrier ? 0 : 1 + random() % 300000;
        const Setting setting{1 + static_cast<uint32_t>(random() % 9),
                              1 + static_cast<uint32_t>(random() % 9),
                              round % 2 == 0 ? "analytical" : "packet",
                              82,
                              86,
                              SCHEDULERS[random() % 2]};
        const int64_t time = TimeOf(topology, type, bytes, setting);
        std::vector<uint32_t> dimensions(topology.GetNDimensions());
        std::iota(dimensions.begin(), dimensions.end(), 0);
        const CollectiveBounds bounds(topology, dimensions);
        const uint64_t whole =
            type == CollectiveType::AllGather ? bytes * topology.GetNRanks() : bytes;
        NS_TEST_EXPECT_MSG_EQ((time >= bounds.GetLatencyPs(type, whole)), true, notation);
        NS_TEST_EXPECT_MSG_EQ((time >= bounds.GetBandwidthPs(type, whole)),
                              true,
                              notation << " " << ToString(type) << " " << bytes);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Links carry one message up and one down per member; a part of a block uses its members' only;
 * what is no end of a message is refused.
 */
class InNetworkLinksTestCase : public TestCase
{
  public:
    InNetworkLinksTestCase()
        : TestCase("In-network reduction uses one message up and one down")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t bytes = 100003;
        for (const std::string backend : {"analytical", "packet"})
        {
            const auto report = RunNode(WithSwitches("Switch(8)", {{true, 0, 0}}),
                                        CollectiveNode(1, AR, bytes),
                                        {4, 2, backend});
            NS_TEST_ASSERT_MSG_EQ(report.links.size(), 16, "up and down");
            for (const auto& link : report.links)
            {
                NS_TEST_EXPECT_MSG_EQ(link.payloadBytes, bytes, link.from << " to " << link.to);
            }
            CheckPart(backend);
        }
        CheckEnds();
    }

    /// @param backend name; three of eight members
    void CheckPart(const std::string& backend)
    {
        const uint64_t bytes = 40960;
        std::vector<std::vector<ExecutionNode>> nodes(8);
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const bool isMember = rank == 1 || rank == 4 || rank == 7;
            nodes[rank] = {isMember ? CollectiveNode(1, AR, bytes, {}, "some")
                                    : ComputeNode(1, 1000)};
        }
        const auto report = RunCluster(
            WithSwitches("Switch(8)", {{true, 7000, 0}}),
            MakeWorkload(nodes, {{"some", {7, 1, 4}}}),
            [&](ClusterHelper& cluster) { Configure(cluster, {1, 1, backend}); },
            backend);
        NS_TEST_EXPECT_MSG_EQ(report.finishTimePs,
                              2 * LATENCY + 7000 + 2 * Ser(bytes),
                              "part of a block on " << backend);
    }

    void CheckEnds()
    {
        UsePicoseconds();
        const auto topology = WithSwitches("Switch(2)_Switch(2)", {{true, 0, 0}, {}});
        const auto graph = std::make_shared<const LinkGraph>(topology);
        ClusterHelper cluster(topology);
        cluster.Install(MakeEqualWorkload(4, {CollectiveNode(1, AR, 1)}));
        const Ptr<NetworkBackend> backend = cluster.GetBackend();
        const auto vertex = static_cast<uint32_t>(topology.GetFirstSwitch(1));
        NS_TEST_EXPECT_MSG_EQ(Contains(GetErrorOf([&] { backend->SetEndpoint(vertex, nullptr); }),
                                       "it is no switch that reduces"),
                              true,
                              "a switch that does not reduce");
        NetworkMessage message;
        message.source = 2;
        message.destination = static_cast<uint32_t>(topology.GetFirstSwitch(0));
        NS_TEST_EXPECT_MSG_EQ(
            Contains(GetErrorOf([&] { backend->Send(message); }), "from rank 2 to switch 0.0"),
            true,
            "not a member");
        cluster.Run();
    }
};

/**
 * @ingroup ml-cluster-tests
 * With phase granularity collectives through switches that reduce fall back to messages.
 */
class InNetworkFallBackTestCase : public TestCase
{
  public:
    InNetworkFallBackTestCase()
        : TestCase("In-network reduction is not computed by phases")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = WithSwitches("Ring(4)_Switch(8)", {{}, {true, 7000, 0}});
        std::vector<std::vector<ExecutionNode>> nodes(32);
        for (uint32_t rank = 0; rank < 32; ++rank)
        {
            nodes[rank] = {CollectiveNode(1, AR, 1000003)};
            if (rank == 1 || rank == 13 || rank == 29)
            {
                nodes[rank].push_back(CollectiveNode(2, AR, 40960, {1}, "some"));
            }
        }
        const auto run = [&](const std::string& granularity) {
            return RunCluster(topology,
                              MakeWorkload(nodes, {{"some", {29, 1, 13}}}),
                              [&](ClusterHelper& cluster) {
                                  Configure(cluster, {2, 1});
                                  cluster.SetBackendAttribute("Granularity",
                                                              StringValue(granularity));
                              });
        };
        const auto messages = run("Message");
        const auto phases = run("Phase");
        NS_TEST_EXPECT_MSG_EQ(phases.finishTimePs, messages.finishTimePs, "same time");
        NS_TEST_ASSERT_MSG_EQ(phases.phases.has_value(), true, "asked for");
        const std::map<std::string, uint64_t> expected{{"reduction in switches", 8}};
        NS_TEST_EXPECT_MSG_EQ((phases.phases->byMessages == expected),
                              true,
                              phases.phases->Describe());
        NS_TEST_EXPECT_MSG_EQ(phases.phases->computed, 0, "none");
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of in-network reduction beside other traffic, and of its bounds.
 */
class InNetworkTrafficTestSuite : public TestSuite
{
  public:
    InNetworkTrafficTestSuite()
        : TestSuite("ml-cluster-in-network-traffic", Type::SYSTEM)
    {
        AddTestCase(new InNetworkSharingTestCase);
        AddTestCase(new InNetworkRandomTestCase);
        AddTestCase(new InNetworkLinksTestCase);
        AddTestCase(new InNetworkFallBackTestCase);
    }
};

static InNetworkTrafficTestSuite g_inNetworkTrafficTestSuite; ///< registers the suite
