/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-shapes.h"
#include "phase-runs.h"

#include "ns3/test.h"

#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// Work before a rank's collectives, one after the other, each after some more work.
std::vector<ExecutionNode>
MakeNodes(const std::vector<std::pair<CollectiveType, uint64_t>>& collectives,
          const std::function<int64_t()>& getWork)
{
    std::vector<ExecutionNode> nodes{ComputeNode(0, getWork())};
    for (const auto& [type, bytes] : collectives)
    {
        const uint64_t id = nodes.size();
        nodes.push_back(CollectiveNode(id, type, bytes, {id - 1}));
        nodes.push_back(ComputeNode(id + 1, getWork(), {id}));
    }
    return nodes;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Any collectives on any topology: what was computed is what messages give, to the picosecond and
 * the byte, with ranks that start together or apart.
 */
class PhaseEqualsMessageTestCase : public TestCase
{
  public:
    PhaseEqualsMessageTestCase()
        : TestCase("Phase granularity gives the times of messages")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(1);
        uint64_t computed = 0;
        uint32_t overlapped = 0;
        for (uint32_t round = 0; round < 150; ++round)
        {
            const Setup setup = MakeSetup(random);
            const RunReport phases = RunWith(setup, "Phase");
            computed += phases.phases->computed;
            if (phases.phases->overlapped > 0)
            {
                ++overlapped;
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ((GetResults(phases) == GetResults(RunWith(setup, "Message"))),
                                  true,
                                  "round " << round << " on " << setup.topology.GetNotation()
                                           << ": " << phases.phases->Describe());
        }
        NS_TEST_EXPECT_MSG_GT(computed, 800, "phases computed");
        NS_TEST_EXPECT_MSG_LT(overlapped, 9, "rounds whose collectives overlap on shared links");
    }

    /// @param topology a shape @param algorithm a name @return it for every dimension
    std::string MakeList(const ClusterTopology& topology, const std::string& algorithm)
    {
        std::string list = algorithm;
        const bool isSingle = algorithm == "auto" || algorithm == "one-ring";
        for (uint32_t k = 1; k < topology.GetNDimensions() && !isSingle; ++k)
        {
            list += "," + algorithm;
        }
        return list;
    }

    /// @param random source @return a random run
    Setup MakeSetup(std::mt19937_64& random)
    {
        const CollectiveType types[] = {CollectiveType::AllReduce,
                                        CollectiveType::ReduceScatter,
                                        CollectiveType::AllGather,
                                        CollectiveType::AllToAll,
                                        CollectiveType::Barrier};
        const std::vector<std::string> algorithms{"auto",
                                                  "auto",
                                                  "ring",
                                                  "direct",
                                                  "halving-doubling",
                                                  "recursive-doubling",
                                                  "double-binary-tree",
                                                  "one-ring"};
        const ClusterTopology topology(RandomDimensions(random, 40));
        std::vector<std::pair<CollectiveType, uint64_t>> collectives(1 + random() % 3);
        for (auto& [type, bytes] : collectives)
        {
            type = types[random() % 5];
            const uint64_t limit = 1ULL << random() % 22;
            bytes = type == CollectiveType::Barrier ? 0 : 1 + random() % limit;
        }
        const int64_t spread = random() % 3 == 0 ? 1 : 1LL << random() % 30;
        std::vector<std::vector<ExecutionNode>> nodes;
        for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
        {
            nodes.push_back(MakeNodes(collectives, [&] { return random() % spread; }));
        }
        return {topology,
                MakeWorkload(nodes),
                {{"AllReduce", MakeList(topology, algorithms[random() % algorithms.size()])},
                 {"Composition", random() % 2 == 0 ? "hierarchical" : "per-dimension"},
                 {"Chunks", std::to_string(1 + random() % 8)},
                 {"Scheduler", random() % 2 == 0 ? "baseline" : "themis"},
                 {"QueuePolicy", random() % 2 == 0 ? "fifo" : "smallest-first"}},
                random() % 2 == 0 ? 0 : static_cast<int64_t>(random() % 1'000'000)};
    }
};

/**
 * @ingroup ml-cluster-tests
 * Which collectives are computed and which fall back, and why.
 */
class PhaseFallbackTestCase : public TestCase
{
  public:
    PhaseFallbackTestCase()
        : TestCase("Collectives fall back where times could differ, and say why")
    {
    }

  private:
    void DoRun() override
    {
        const auto allReduce = CollectiveType::AllReduce;
        for (const std::string notation : {"Ring(9)", "FullyConnected(5)", "Switch(8)"})
        {
            Check(notation, allReduce, 100'003, {}, 0, "");
        }
        Check("Ring(4)_FullyConnected(3)_Switch(4)", allReduce, 7, {}, 0, "");
        Check("Switch(8)", CollectiveType::AllToAll, 80'000, {}, 0, "");
        Check("Switch(8)", CollectiveType::Barrier, 0, {}, 0, "");
        Check("Ring(9)", allReduce, 100'003, {}, 1000, "");
        Check("FullyConnected(5)_Ring(4)", CollectiveType::AllToAll, 1, {}, 1000, "");
        Check("Switch(8)",
              allReduce,
              80'000,
              {},
              1000,
              "messages that share links, of ranks that start apart");
        Check("Ring(6)", CollectiveType::Broadcast, 9, {}, 0, "a collective with a root");
        Check("Ring(6)", allReduce, 9, {{"ChunksInFlight", "2"}}, 0, "several chunks in flight");
        Check("Ring(2)_Ring(3)",
              allReduce,
              9,
              {{"AllReduce", "one-ring"}},
              0,
              "a group whose messages pass other members' links");
        const std::string unknown = "messages that share links in an order that is not known";
        Check("Ring(9)", allReduce, 90'000, {{"AllReduce", "direct"}}, 0, unknown);
    }

    /// @param notation shape @param type operation @param bytes size @param planner attributes
    /// @param latePs how much later each rank starts than the one before, ps @param reason why it
    /// falls back, "" if it is computed
    void Check(const std::string& notation,
               CollectiveType type,
               uint64_t bytes,
               const std::vector<std::pair<std::string, std::string>>& planner,
               int64_t latePs,
               const std::string& reason)
    {
        const auto topology = MakeTopology(notation, RATE, LATENCY);
        std::vector<std::vector<ExecutionNode>> nodes;
        for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
        {
            nodes.push_back(MakeNodes({{type, bytes}}, [&] { return rank * latePs; }));
        }
        const Setup setup{topology, MakeWorkload(nodes), planner};
        const RunReport report = RunWith(setup, "Phase");
        const std::string what = notation + " " + ToString(type) + ": " + report.phases->Describe();
        NS_TEST_EXPECT_MSG_EQ(report.phases->byMessages.size(), (reason.empty() ? 0 : 1), what);
        NS_TEST_EXPECT_MSG_EQ(report.phases->byMessages.count(reason),
                              (reason.empty() ? 0 : 1),
                              what);
        NS_TEST_EXPECT_MSG_EQ((report.phases->computed > 0), reason.empty(), what);
        NS_TEST_EXPECT_MSG_EQ((GetResults(report) == GetResults(RunWith(setup, "Message"))),
                              true,
                              what);
        const std::size_t ranks = topology.GetNRanks();
        NS_TEST_EXPECT_MSG_EQ((!reason.empty() || report.events <= 10 * ranks), true, what);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Collectives beside each other and beside messages: exact on links of their own, by messages if
 * they meet from the first moment on, and counted if they meet later.
 */
class PhaseOverlapTestCase : public TestCase
{
  public:
    PhaseOverlapTestCase()
        : TestCase("Collectives that meet other traffic fall back or are counted")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::vector<ExecutionNode>> nodes;
        CommunicatorGroups groups;
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            const std::string row = "row " + std::to_string(rank / 4);
            const std::string column = "column " + std::to_string(rank % 4);
            groups[row].push_back(rank);
            groups[column].push_back(rank);
            nodes.push_back({ComputeNode(0, rank * rank * 1000),
                             CollectiveNode(1, CollectiveType::AllReduce, 90'001, {0}, row),
                             CollectiveNode(2, CollectiveType::AllGather, 10'007, {0}, column),
                             CollectiveNode(3, CollectiveType::AllReduce, 5000, {1}, row)});
        }
        ExpectExact("Ring(4)_Ring(4)", MakeWorkload(nodes, groups), 8 * 8 + 4 * 4, 0);

        const std::vector<ExecutionNode> twice{
            CollectiveNode(1, CollectiveType::AllReduce, 90'001),
            CollectiveNode(2, CollectiveType::AllReduce, 70'001)};
        ExpectExact("Ring(8)", MakeEqualWorkload(8, twice), 0, 16);

        NS_TEST_EXPECT_MSG_EQ(RunOnHeldLink(true),
                              RunOnHeldLink(false) + RoundUp(HELD_BYTES, RATE / 2),
                              "a message waits for the whole collective");
        CheckMessage({}, 0, 8, 0);
        CheckMessage({ComputeNode(2, 1000)}, 8, 0, 8);
        CheckMessage({ComputeNode(2, 1'000'000'000)}, 8, 0, 0);
    }

    /// @param notation shape @param workload what to do @param computed phases that must be
    /// @param byMessages phases that must not be
    void ExpectExact(const std::string& notation,
                     const std::shared_ptr<const ClusterWorkload>& workload,
                     uint64_t computed,
                     uint64_t byMessages)
    {
        const Setup setup{MakeTopology(notation, RATE, LATENCY), workload};
        const RunReport report = RunWith(setup, "Phase");
        const std::string what = report.phases->Describe();
        NS_TEST_EXPECT_MSG_EQ(report.phases->computed, computed, what);
        NS_TEST_EXPECT_MSG_EQ(report.phases->GetFallenBack(), byMessages, what);
        NS_TEST_EXPECT_MSG_EQ(report.phases->overlapped, 0, what);
        NS_TEST_EXPECT_MSG_EQ((GetResults(report) == GetResults(RunWith(setup, "Message"))),
                              true,
                              what);
    }

    /// An all-reduce on a Ring(8) whose last member is late; when it comes, two messages are on the
    /// link from rank 2 to 3, and a third comes to it a moment later.
    /// @param hasThird whether the third does @return when rank 3 is done, ps
    int64_t RunOnHeldLink(bool hasThird)
    {
        const auto reduce = CollectiveNode(1, CollectiveType::AllReduce, 800'000);
        std::vector<std::vector<ExecutionNode>> nodes(8, {reduce});
        nodes[7] = {ComputeNode(0, 1'000'000'000), reduce};
        nodes[7][1].dependencies = {0};
        nodes[2].push_back(ComputeNode(2, 999'999'999));
        nodes[2].push_back(ComputeNode(3, 2, {2}));
        for (uint64_t id = 4; id < (hasThird ? 7 : 6); ++id)
        {
            const std::vector<uint64_t> after{id == 6 ? uint64_t{3} : uint64_t{2}};
            nodes[2].push_back(PeerNode(NodeKind::Send, id, 3, HELD_BYTES, id, after));
            nodes[3].push_back(PeerNode(NodeKind::Receive, id, 2, HELD_BYTES, id));
        }
        const RunReport report =
            RunWith({MakeTopology("Ring(8)", RATE, LATENCY), MakeWorkload(nodes)}, "Phase");
        NS_TEST_EXPECT_MSG_EQ(report.phases->overlapped, 8, report.phases->Describe());
        return report.ranks[3].finishTimePs;
    }

    static constexpr uint64_t HELD_BYTES = 100'000; ///< of each message there

    /// An all-reduce on a Ring(8), and a message from rank 2 to 4.
    /// @param work before the message @param computed phases that must be @param byMessages phases
    /// that must not be @param overlapped phases that must count as overlapped
    void CheckMessage(const std::vector<ExecutionNode>& work,
                      uint64_t computed,
                      uint64_t byMessages,
                      uint64_t overlapped)
    {
        std::vector<std::vector<ExecutionNode>> nodes(
            8,
            {CollectiveNode(1, CollectiveType::AllReduce, 800'000)});
        std::vector<uint64_t> before;
        for (const auto& node : work)
        {
            before.push_back(node.id);
            nodes[2].push_back(node);
        }
        nodes[2].push_back(PeerNode(NodeKind::Send, 3, 4, 1000, 0, before));
        nodes[4].push_back(PeerNode(NodeKind::Receive, 3, 2, 1000));
        const Setup setup{MakeTopology("Ring(8)", RATE, LATENCY), MakeWorkload(nodes)};
        const RunReport report = RunWith(setup, "Phase");
        const RunReport exact = RunWith(setup, "Message");
        const std::string what = report.phases->Describe();
        NS_TEST_EXPECT_MSG_EQ(report.phases->computed, computed, what);
        NS_TEST_EXPECT_MSG_EQ(report.phases->GetFallenBack(), byMessages, what);
        NS_TEST_EXPECT_MSG_EQ(report.phases->overlapped, overlapped, what);
        NS_TEST_EXPECT_MSG_EQ((overlapped > 0 || GetResults(report) == GetResults(exact)),
                              true,
                              what);
        for (std::size_t i = 0; i < exact.links.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(report.links[i].payloadBytes, exact.links[i].payloadBytes, what);
            NS_TEST_EXPECT_MSG_EQ(report.links[i].busyPs, exact.links[i].busyPs, what);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * A collective that some rank never starts ends in the report of stuck ranks; attributes that do
 * not fit are refused.
 */
class PhaseErrorsTestCase : public TestCase
{
  public:
    PhaseErrorsTestCase()
        : TestCase("Absent ranks and wrong attributes are told")
    {
    }

  private:
    void DoRun() override
    {
        const auto topology = MakeTopology("Ring(3)", RATE, LATENCY);
        const auto reduce = CollectiveNode(1, CollectiveType::AllReduce, 800);
        const auto never = PeerNode(NodeKind::Receive, 0, 0, 8);
        const Setup setup{
            topology,
            MakeWorkload({{reduce, PeerNode(NodeKind::Send, 2, 2, 8, 0, {1})},
                          {reduce},
                          {never, CollectiveNode(1, CollectiveType::AllReduce, 800, {0})}})};
        const std::string stuck = GetErrorOf([&] { RunWith(setup, "Phase"); });
        NS_TEST_EXPECT_MSG_EQ(Contains(stuck, "3 of 3 ranks cannot finish"), true, stuck);
        NS_TEST_EXPECT_MSG_EQ(Contains(stuck, "has started; waits for a message of rank 2"),
                              true,
                              stuck);

        const Setup good{topology, MakeEqualWorkload(3, {reduce})};
        const std::string word = GetErrorOf([&] { RunWith(good, "Phases"); });
        NS_TEST_EXPECT_MSG_EQ(
            word,
            "ns3::mlcluster::AnalyticalChannel::Granularity: \"Phases\" is none of "
            "Message, Phase",
            "granularity");
        const std::string mix = GetErrorOf([&] {
            RunCluster(topology, good.workload, [](ClusterHelper& cluster) {
                cluster.SetBackendAttribute("Granularity", StringValue("Phase"));
                cluster.SetBackendAttribute("Congestion", StringValue("None"));
            });
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(mix, "Granularity=Phase needs Congestion=Links"), true, mix);
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of phase granularity.
 */
class PhaseGranularityTestSuite : public TestSuite
{
  public:
    PhaseGranularityTestSuite()
        : TestSuite("ml-cluster-phase-granularity", Type::UNIT)
    {
        AddTestCase(new PhaseEqualsMessageTestCase);
        AddTestCase(new PhaseFallbackTestCase);
        AddTestCase(new PhaseOverlapTestCase);
        AddTestCase(new PhaseErrorsTestCase);
    }
};

/// The suite.
PhaseGranularityTestSuite g_phaseGranularityTestSuite;
