/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Parity node by node: cases worked by hand, observed with ASTRA-sim where it answers.

#include "parity-bench.h"

#include "ns3/parity-event-queue.h"
#include "ns3/test.h"

#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

const uint64_t MIB = 1048576;
const int64_t US = 1000000; ///< ps in a microsecond

} // namespace

/// Sends, groups, compute beside communication, remote memory, rendezvous, empty nodes.
class ParityNodesTestCase : public TestCase
{
  public:
    ParityNodesTestCase()
        : TestCase("nodes")
    {
    }

  private:
    /// @param bench what to run @param finishNs expected per rank @param exposedNs likewise @param
    /// what for messages
    void Expect(ParityBench bench,
                const std::vector<uint64_t>& finishNs,
                const std::vector<uint64_t>& exposedNs,
                const std::string& what)
    {
        const auto finishes = bench.Run();
        NS_TEST_ASSERT_MSG_EQ(finishes.size(), finishNs.size(), what);
        for (std::size_t rank = 0; rank < finishNs.size(); ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(finishes[rank].finishNs, finishNs[rank], what);
            NS_TEST_EXPECT_MSG_EQ(finishes[rank].exposedCommunicationNs, exposedNs[rank], what);
        }
    }

    /// @param topology one dimension, 50 GB/s, 500 ns @param algorithm for all operations @return a
    /// bench with one all-reduce
    static ParityBench MakeSimple(const std::string& topology, const std::string& algorithm)
    {
        ParityBench bench;
        bench.topology = topology;
        bench.bandwidth = {50};
        bench.latency = {500};
        bench.SetAlgorithms(algorithm);
        bench.options.localBandwidthAware = true;
        bench.options.localMemoryBandwidth = 50e9;
        bench.nodes = {{CollectiveNode(1, CollectiveType::AllReduce, MIB)}};
        return bench;
    }

    void ExpectMessages();  ///< point to point
    void ExpectGroups();    ///< groups smaller than the network
    void ExpectOverlap();   ///< compute beside communication
    void ExpectTies();      ///< events of one nanosecond
    void ExpectMemories();  ///< remote memory of an NPU, a node, all
    void ExpectRemainder(); ///< memory, empty nodes, broadcast, what is stuck

    void DoRun() override
    {
        ExpectMessages();
        ExpectGroups();
        ExpectOverlap();
        ExpectTies();
        ExpectMemories();
        ExpectRemainder();
    }
};

void
ParityNodesTestCase::ExpectMessages()
{
    ParityBench bench = MakeSimple("FullyConnected(2)", "ring");
    bench.nodes = {{PeerNode(NodeKind::Send, 1, 1, MIB, 5)},
                   {PeerNode(NodeKind::Receive, 1, 0, MIB, 5)}};
    Expect(bench, {20031, 20031}, {20031, 20031}, "one message");
    bench.options.rendezvous = true;
    Expect(bench, {20683, 20683}, {20683, 20683}, "rendezvous");
    bench.options.rendezvous = false;
    bench.nodes[0].push_back(PeerNode(NodeKind::Send, 2, 1, MIB, 6));
    bench.nodes[1].push_back(PeerNode(NodeKind::Receive, 2, 0, MIB, 6));
    Expect(bench, {40062, 40062}, {40062, 40062}, "two sends are serial");

    ParityBench far = MakeSimple("Ring(4)", "ring");
    far.nodes = {{PeerNode(NodeKind::Send, 1, 2, MIB, 5)},
                 {},
                 {PeerNode(NodeKind::Receive, 1, 0, MIB, 5)},
                 {}};
    Expect(far, {20531, 0, 20531, 0}, {20531, 0, 20531, 0}, "two hops");
    far.aware = true;
    Expect(far, {40062, 0, 40062, 0}, {40062, 0, 40062, 0}, "two hops, stored whole");

    ParityBench late = MakeSimple("FullyConnected(2)", "ring");
    ExecutionNode receive = PeerNode(NodeKind::Receive, 2, 0, MIB, 5);
    receive.dependencies = {1};
    late.nodes = {{PeerNode(NodeKind::Send, 1, 1, MIB, 5)}, {ComputeNode(1, 50 * US), receive}};
    Expect(late, {20031, 50000}, {20031, 0}, "a receive after the arrival ends at once");
}

void
ParityNodesTestCase::ExpectGroups()
{
    for (const auto& [algorithm, finish] :
         {std::pair<std::string, uint64_t>("ring", 79540), {"direct", 42246}})
    {
        ParityBench bench = MakeSimple("FullyConnected(8)", algorithm);
        bench.options.endpointDelayNs = 100;
        bench.groups = {{"1", {0, 1, 2, 3}}, {"2", {4, 5, 6, 7}}};
        bench.nodes.clear();
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            bench.nodes.push_back(
                {CollectiveNode(1, CollectiveType::AllReduce, MIB, {}, rank < 4 ? "1" : "2")});
        }
        Expect(bench,
               std::vector<uint64_t>(8, finish),
               std::vector<uint64_t>(8, finish),
               "two groups, " + algorithm);
        bench.groups = {{"1", {0}}};
        bench.nodes = {{CollectiveNode(1, CollectiveType::AllReduce, MIB, {}, "1")}};
        bench.nodes.resize(8);
        Expect(bench,
               std::vector<uint64_t>(8, 0),
               std::vector<uint64_t>(8, 0),
               "a group of one has nothing to do");
    }
}

void
ParityNodesTestCase::ExpectOverlap()
{
    const std::vector<uint64_t> reduced(4, 79540);
    ParityBench bench = MakeSimple("Ring(4)", "ring");
    bench.nodes[0].push_back(ComputeNode(2, 50 * US));
    Expect(bench, reduced, std::vector<uint64_t>(4, 29540), "compute beside an all-reduce");
    bench.nodes[0][1].onHost = true;
    Expect(bench, reduced, reduced, "host time counts as exposed");
    bench.nodes = {{CollectiveNode(1, CollectiveType::AllReduce, MIB),
                    CollectiveNode(2, CollectiveType::AllReduce, MIB)}};
    Expect(bench,
           std::vector<uint64_t>(4, 159080),
           std::vector<uint64_t>(4, 159080),
           "two all-reduces are serial");

    ExecutionNode kernel = ComputeNode(1, 0 * US);
    kernel.operations = 1000000000;
    kernel.tensorBytes = 100000000;
    bench.options.roofline = true;
    bench.options.localMemoryBandwidth = 100e9;
    bench.options.peakFlops = 100e12;
    bench.nodes = {{kernel}};
    const std::vector<uint64_t> none(4, 0);
    Expect(bench, std::vector<uint64_t>(4, 1000000), none, "memory bound");
    bench.nodes[0][0].operations = 1000000000000;
    Expect(bench, std::vector<uint64_t>(4, 10000000), none, "compute bound");
    bench.nodes[0][0].tensorBytes = 0;
    Expect(bench, none, none, "a kernel without data takes no time");
}

void
ParityNodesTestCase::ExpectTies()
{
    ExecutionNode small = PeerNode(NodeKind::Send, 3, 0, 1024, 1);
    small.dependencies = {1};
    ExecutionNode large = PeerNode(NodeKind::Send, 4, 0, MIB, 2);
    large.dependencies = {2};
    ExecutionNode use = ComputeNode(4, 100 * US);
    use.dependencies = {3};
    ParityBench bench = MakeSimple("FullyConnected(2)", "ring");
    bench.latency = {468.75};
    bench.nodes = {
        {PeerNode(NodeKind::Send, 1, 1, MIB, 5),
         PeerNode(NodeKind::Receive, 2, 1, 1024, 1),
         PeerNode(NodeKind::Receive, 3, 1, MIB, 2),
         use},
        {ComputeNode(1, 20 * US), PeerNode(NodeKind::Receive, 2, 0, MIB, 5), small, large}};
    Expect(bench,
           {140000, 40487},
           {40000, 20487},
           "the arrival, sent first, lets its child send before that of the compute node");
}

void
ParityNodesTestCase::ExpectMemories()
{
    ParityBench bench = MakeSimple("FullyConnected(2)", "ring");
    ExecutionNode load;
    load.id = 1;
    load.kind = NodeKind::MemoryLoad;
    load.tensorBytes = 1000000;
    bench.options.remoteLatencyNs = 100;
    bench.options.remoteBytesPerNs = 10;
    bench.nodes = {{load, CollectiveNode(2, CollectiveType::AllReduce, MIB)}};
    Expect(bench, {152115, 152115}, {152115, 152115}, "a load and an all-reduce share a slot");

    bench.topology = "FullyConnected(4)";
    bench.nodes = {{load}};
    const std::vector<uint64_t> alone(4, 100100);
    Expect(bench, alone, alone, "a memory for each NPU");
    const std::vector<uint64_t> byNode{100100, 200200, 100100, 200200};
    bench.options.npusPerRemoteMemory = 2;
    Expect(bench, byNode, byNode, "a memory for each node of two");
    const std::vector<uint64_t> one{100100, 200200, 300300, 400400};
    bench.options.npusPerRemoteMemory = MemoryQueues::ALL;
    Expect(bench, one, one, "a memory for all");

    ExecutionNode store = load;
    store.id = 3;
    store.kind = NodeKind::MemoryStore;
    store.dependencies = {2};
    ExecutionNode use = ComputeNode(2, 50 * US);
    use.dependencies = {1};
    bench.nodes = {{load, use, store}};
    Expect(bench,
           {500500, 600600, 700700, 800800},
           {450500, 550600, 650700, 750800},
           "a store comes behind the loads asked for before");
}

void
ParityNodesTestCase::ExpectRemainder()
{
    ParityBench bench = MakeSimple("FullyConnected(2)", "ring");
    ExecutionNode empty;
    empty.id = 2;
    empty.dependencies = {1};
    ExecutionNode last = ComputeNode(3, 7 * US);
    last.dependencies = {2};
    for (const NodeKind kind : {NodeKind::Invalid, NodeKind::Metadata})
    {
        empty.kind = kind;
        bench.nodes = {{ComputeNode(1, 5 * US), empty, last}};
        Expect(bench, {12000, 12000}, {0, 0}, "children of an empty node run");
    }

    bench.nodes = {{CollectiveNode(1, CollectiveType::Broadcast, MIB)}};
    Expect(bench, {1, 1}, {1, 1}, "a broadcast without a measured time");

    bench.nodes = {{}, {PeerNode(NodeKind::Receive, 1, 0, MIB, 5)}};
    NS_TEST_EXPECT_MSG_EQ(bench.Run().size(), 1, "a receive without a send");
    NS_TEST_EXPECT_MSG_EQ(bench.isStuck, true, "is noticed");

    bench = MakeSimple("Ring(6)", "halvingDoubling");
    bool isRefused = false;
    try
    {
        bench.Run();
    }
    catch (const InputError&)
    {
        isRefused = true;
    }
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ(isRefused, true, "halving-doubling needs a power of two");
}

/// Actions of one rank and nanosecond run together, where the first was registered.
class ParityEventOrderTestCase : public TestCase
{
  public:
    ParityEventOrderTestCase()
        : TestCase("order of events")
    {
    }

  private:
    void DoRun() override
    {
        std::string order;
        ParityEventQueue a;
        ParityEventQueue b;
        a.Register(5, [&] {
            order += "1";
            a.Register(0, [&] { order += "4"; });
        });
        b.Register(5, [&order] { order += "5"; });
        a.Register(5, [&order] { order += "2"; });
        a.Register(5, [&order] { order += "3"; });
        b.Register(4, [&order] { order += "0"; });
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(order, "012345", "groups");
    }
};

/// Parity without input files.
class ParityNodesTestSuite : public TestSuite
{
  public:
    ParityNodesTestSuite()
        : TestSuite("ml-cluster-parity-nodes", Type::UNIT)
    {
        AddTestCase(new ParityNodesTestCase);
        AddTestCase(new ParityEventOrderTestCase);
    }
};

static ParityNodesTestSuite g_parityNodesTestSuite;
