/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s per member
constexpr int64_t LATENCY = 500000;     ///< 500 ns per link

} // namespace

/**
 * @ingroup ml-cluster-tests
 * No deadlock, whatever the time at which ranks reach a collective.
 */
class CollectiveDeadlockTestCase : public TestCase
{
  public:
    CollectiveDeadlockTestCase()
        : TestCase("Ranks that start at random times never deadlock")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = MakeTopology("Ring(2)_FullyConnected(2)_Switch(2)", RATE, LATENCY);
        for (const uint32_t limit : {1, 2, 4})
        {
            for (uint32_t seed = 0; seed < 300; ++seed)
            {
                CheckSeed(topology, limit, seed, seed < 10 ? "packet" : "analytical");
                if (seed < 10)
                {
                    CheckSeed(topology, limit, seed, "analytical");
                }
            }
        }
    }

    /// @param topology 2x2x2 @param limit chunks in flight @param seed of the compute times @param
    /// backend name
    void CheckSeed(const ClusterTopology& topology,
                   uint32_t limit,
                   uint32_t seed,
                   const std::string& backend)
    {
        std::mt19937 random(seed);
        std::vector<std::vector<ExecutionNode>> ranks;
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            ranks.push_back({ComputeNode(1, random() % 20000000),
                             CollectiveNode(2, CollectiveType::AllReduce, 100000 + seed, {1})});
        }
        const auto report = RunCluster(
            topology,
            MakeWorkload(ranks),
            [&](ClusterHelper& cluster) {
                cluster.SetCollectiveAttribute("Chunks", UintegerValue(16));
                cluster.SetCollectiveAttribute("ChunksInFlight", UintegerValue(limit));
            },
            backend);
        NS_TEST_EXPECT_MSG_EQ(report.collectives.size(), 1, "limit " << limit << " seed " << seed);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Communicator groups: overlapping ones issued in opposite order, ranks with an extra collective,
 * groups of one, odd names, many collectives without edges between them.
 */
class CollectiveGroupTestCase : public TestCase
{
  public:
    CollectiveGroupTestCase()
        : TestCase("Overlapping groups in any order of issue")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string backend : {"analytical", "packet"})
        {
            Overlapping(backend);
            ExtraCollective(backend);
            ManyWithoutEdges(backend);
        }
        Names();
        GroupsOfOne();
        OwnGroupOnly();
    }

    /// @param backend name
    void Overlapping(const std::string& backend)
    {
        const CommunicatorGroups groups{{"a", {0, 1, 2}}, {"b", {1, 2, 3}}};
        const auto a = [](uint64_t id) {
            return CollectiveNode(id, CollectiveType::AllReduce, 100000, {}, "a");
        };
        const auto b = [](uint64_t id) {
            return CollectiveNode(id, CollectiveType::AllGather, 50000, {}, "b");
        };
        const auto report =
            RunCluster(MakeTopology("Switch(4)", RATE, LATENCY),
                       MakeWorkload({{a(1)}, {a(1), b(2)}, {b(1), a(2)}, {b(1)}}, groups),
                       {},
                       backend);
        NS_TEST_ASSERT_MSG_EQ(report.collectives.size(), 2, backend);
    }

    /// @param backend name
    void ExtraCollective(const std::string& backend)
    {
        const CommunicatorGroups groups{{"G1", {0, 1, 2, 3, 4, 5, 6, 7}}, {"G2", {4, 5, 6, 7}}};
        std::vector<std::vector<ExecutionNode>> ranks(
            4,
            {CollectiveNode(1, CollectiveType::AllGather, 4096, {}, "G1")});
        ranks.resize(8,
                     {CollectiveNode(1, CollectiveType::AllReduce, 4096, {}, "G2"),
                      CollectiveNode(2, CollectiveType::AllGather, 4096, {1}, "G1")});
        const auto report = RunCluster(MakeTopology("Switch(8)", RATE, LATENCY),
                                       MakeWorkload(ranks, groups),
                                       {},
                                       backend);
        NS_TEST_ASSERT_MSG_EQ(report.collectives.size(), 2, backend);
    }

    /// @param backend name
    void ManyWithoutEdges(const std::string& backend)
    {
        std::vector<ExecutionNode> nodes;
        for (uint32_t i = 0; i < 32; ++i)
        {
            nodes.push_back(CollectiveNode(i, CollectiveType::AllReduce, 1000 + 977 * i * (i % 5)));
        }
        const auto report = RunCluster(MakeTopology("Ring(2)_Switch(2)", RATE, LATENCY),
                                       MakeEqualWorkload(4, nodes),
                                       {},
                                       backend);
        NS_TEST_ASSERT_MSG_EQ(report.collectives.size(), 32, backend);
    }

    void Names()
    {
        const CommunicatorGroups groups{{"tp0", {0, 1}}, {"-1", {2, 3}}, {"0", {1, 2}}};
        const auto run = [&](uint32_t rank, const std::string& name) {
            std::vector<std::vector<ExecutionNode>> ranks(4);
            const auto found = groups.find(name);
            for (uint32_t r = 0; r < 4; ++r)
            {
                const bool member = found == groups.end() ||
                                    std::count(found->second.begin(), found->second.end(), r);
                if (member)
                {
                    ranks[r] = {CollectiveNode(1, CollectiveType::AllReduce, 1000, {}, name)};
                }
            }
            const auto report =
                RunCluster(MakeTopology("Switch(4)", RATE, LATENCY), MakeWorkload(ranks, groups));
            NS_TEST_EXPECT_MSG_EQ(report.collectives.at(0).ranks,
                                  (found == groups.end() ? 4 : 2),
                                  name);
            return report.ranks[rank].finishTimePs;
        };
        NS_TEST_EXPECT_MSG_GT(run(0, "tp0"), 0, "a name that is no number");
        NS_TEST_EXPECT_MSG_GT(run(3, "-1"), 0, "a negative number");
        NS_TEST_EXPECT_MSG_EQ(run(0, "0"), 0, "a group called 0 is what the file says");
        NS_TEST_EXPECT_MSG_GT(run(0, ""), 0, "no name: all ranks");
    }

    void GroupsOfOne()
    {
        for (const uint32_t n : {8, 16})
        {
            CommunicatorGroups groups;
            std::vector<std::vector<ExecutionNode>> ranks;
            for (uint32_t r = 0; r < n; ++r)
            {
                groups["g" + std::to_string(r)] = {r};
                ranks.push_back({CollectiveNode(1,
                                                CollectiveType::AllReduce,
                                                1000,
                                                {},
                                                "g" + std::to_string(r)),
                                 ComputeNode(2, 5, {1})});
            }
            const auto report =
                RunCluster(MakeTopology("Switch(" + std::to_string(n) + ")", RATE, LATENCY),
                           MakeWorkload(ranks, groups));
            NS_TEST_EXPECT_MSG_EQ(report.finishTimePs, 5, "groups of one take no time");
            NS_TEST_EXPECT_MSG_EQ(report.collectives.size(), n, "and are reported");
        }
    }

    void OwnGroupOnly()
    {
        const CommunicatorGroups groups{{"a", {0, 1, 2, 3}}, {"b", {4, 5, 6, 7}}, {"c", {0, 4}}};
        std::vector<std::vector<ExecutionNode>> ranks(8);
        uint64_t id = 0;
        for (const auto& [name, members] : groups)
        {
            ++id;
            for (const uint32_t r : members)
            {
                ranks[r].push_back(
                    CollectiveNode(id, CollectiveType::AllReduce, 8 << 20, {}, name));
            }
        }
        const auto report = RunCluster(MakeTopology("FullyConnected(8)", RATE, LATENCY),
                                       MakeWorkload(ranks, groups));
        for (const auto& link : report.links)
        {
            const uint32_t from = std::stoul(link.from.substr(4));
            const uint32_t to = std::stoul(link.to.substr(4));
            const bool sameHalf = from / 4 == to / 4;
            const bool pair = from % 4 == 0 && to % 4 == 0 && !sameHalf;
            const uint64_t expected = sameHalf ? 2 * (8 << 20) / 4 : pair ? 2 * (8 << 20) / 2 : 0;
            NS_TEST_EXPECT_MSG_EQ(link.payloadBytes, expected, link.from << " to " << link.to);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * What an algorithm cannot do is refused with the reason, before time starts.
 */
class CollectiveRefusalTestCase : public TestCase
{
  public:
    CollectiveRefusalTestCase()
        : TestCase("Collectives that cannot be done are refused with the reason")
    {
    }

  private:
    void DoRun() override
    {
        Expect("Switch(6)", CollectiveType::AllReduce, "relay", "all-to-all only");
        Expect("Switch(8)", CollectiveType::AllToAll, "halving-doubling", "all-to-all");
        Expect("Switch(8)", CollectiveType::AllReduce, "rign", "ring");
        Expect("Switch(8)", CollectiveType::AllReduce, "ring,ring", "dimension");
    }

    /// @param notation topology @param type operation @param algorithm asked for @param part of the
    /// message expected
    void Expect(const std::string& notation,
                CollectiveType type,
                const std::string& algorithm,
                const std::string& part)
    {
        std::string message;
        try
        {
            RunCollective(MakeTopology(notation, RATE, LATENCY), type, 1000, algorithm);
        }
        catch (const InputError& error)
        {
            message = error.what();
        }
        NS_TEST_EXPECT_MSG_EQ((message.find(part) != std::string::npos),
                              true,
                              "\"" << message << "\" names " << part);
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of how collectives go on: order, groups, refusals.
 */
class CollectiveTestSuite : public TestSuite
{
  public:
    CollectiveTestSuite()
        : TestSuite("ml-cluster-collective", Type::SYSTEM)
    {
        AddTestCase(new CollectiveDeadlockTestCase);
        AddTestCase(new CollectiveGroupTestCase);
        AddTestCase(new CollectiveRefusalTestCase);
    }
};

static CollectiveTestSuite g_collectiveTestSuite; ///< registers the suite
