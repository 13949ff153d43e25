/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Parity's algorithms and policies, rank by rank, against what ASTRA-sim's code was seen to answer.

#include "parity-bench.h"

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

/// @param topology one dimension, 50 GB/s, 500 ns @param algorithm for all operations @param type
/// operation on 1 MiB @return a bench of one chunk
ParityBench
MakeOneDimension(const std::string& topology, const std::string& algorithm, CollectiveType type)
{
    ParityBench bench;
    bench.topology = topology;
    bench.bandwidth = {50};
    bench.latency = {500};
    bench.SetAlgorithms(algorithm);
    bench.options.localMemoryBandwidth = 50e9;
    bench.nodes = {{CollectiveNode(1, type, MIB)}};
    return bench;
}

/// @param splits chunks @return a ring of 4 and a switch of 2, rings in both, 8 MiB
ParityBench
MakeTwoDimensions(uint64_t splits)
{
    ParityBench bench;
    bench.topology = "Ring(4)_Switch(2)";
    bench.bandwidth = {100, 50};
    bench.latency = {500, 1000};
    bench.SetAlgorithms("ring,ring");
    bench.options.localBandwidthAware = true;
    bench.options.localMemoryBandwidth = 50e9;
    bench.options.splits = splits;
    bench.nodes = {{CollectiveNode(1, CollectiveType::AllReduce, 8 * MIB)}};
    return bench;
}

/// @return the finish of each rank, ns
std::vector<uint64_t>
FinishesOf(ParityBench bench)
{
    std::vector<uint64_t> finishes;
    for (const ParityFinish& finish : bench.Run())
    {
        finishes.push_back(finish.finishNs);
    }
    return finishes;
}

} // namespace

/// Trees and windows.
class ParityAlgorithmsTestCase : public TestCase
{
  public:
    ParityAlgorithmsTestCase()
        : TestCase("algorithms")
    {
    }

  private:
    /// @param bench what to run @param finishNs expected by rank @param what for messages
    void Expect(const ParityBench& bench,
                const std::vector<uint64_t>& finishNs,
                const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ((FinishesOf(bench) == finishNs), true, what);
    }

    void DoRun() override
    {
        const std::string four = "FullyConnected(4)";
        const auto reduce = CollectiveType::AllReduce;
        ParityBench tree = MakeOneDimension(four, "doubleBinaryTree", reduce);
        Expect(tree, {268913, 248872, 268913, 165918}, "the tree whose root is the last rank");
        for (const auto type :
             {CollectiveType::AllGather, CollectiveType::ReduceScatter, CollectiveType::AllToAll})
        {
            tree.nodes = {{CollectiveNode(1, type, MIB)}};
            Expect(tree, {268913, 248872, 268913, 165918}, "a tree reduces whatever is asked for");
        }
        ExecutionNode second = CollectiveNode(2, reduce, MIB);
        second.dependencies = {1};
        tree.nodes = {{CollectiveNode(1, reduce, MIB), second}};
        Expect(tree,
               {414790, 517785, 497744, 517785},
               "the second chunk takes the other tree, in later collectives too");
        Expect(MakeOneDimension("FullyConnected(8)", "direct2", CollectiveType::ReduceScatter),
               std::vector<uint64_t>(8, 27540),
               "a window of two");
        ParityBench one = MakeOneDimension("FullyConnected(8)", "direct", reduce);
        const auto plain = FinishesOf(one);
        one.SetAlgorithms("oneDirect");
        Expect(one, plain, "one ring over all is the dimension if there is only one");
    }
};

/// Orders of dimensions, and of chunks within one.
class ParityPoliciesTestCase : public TestCase
{
  public:
    ParityPoliciesTestCase()
        : TestCase("policies")
    {
    }

  private:
    /// @param bench what to run @param finishNs expected of all ranks @param what for messages
    void Expect(const ParityBench& bench, uint64_t finishNs, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ((FinishesOf(bench) == std::vector<uint64_t>(8, finishNs)),
                              true,
                              what);
    }

    /// Observed with ASTRA-sim, its dormant policies switched on.
    void ExpectChunkOrders()
    {
        ParityBench bench = MakeTwoDimensions(8);
        for (const auto& [policy, finishNs] :
             {std::pair<ChunkOrderPolicy, uint64_t>(ChunkOrderPolicy::Ascending, 519232),
              {ChunkOrderPolicy::RoundRobin, 395532},
              {ChunkOrderPolicy::OnlineGreedy, 519232},
              {ChunkOrderPolicy::OfflineGreedy, 427112},
              {ChunkOrderPolicy::OfflineGreedyFlex, 451442}})
        {
            bench.options.chunkOrder = policy;
            Expect(bench, finishNs, "policy " + std::to_string(static_cast<int>(policy)));
        }
    }

    /// Worked by hand: 4 chunks, reduce-scatter 15160, all-reduce 7215, all-gather 3370 ns.
    void ExpectQueuePolicies()
    {
        ParityBench bench = MakeTwoDimensions(4);
        bench.nodes = {{CollectiveNode(1, CollectiveType::AllReduce, MIB)}};
        for (const auto& [policy, finishNs] :
             {std::pair<ParityQueuePolicy, uint64_t>(ParityQueuePolicy::Fifo, 74120),
              {ParityQueuePolicy::Alternating, 74595},
              {ParityQueuePolicy::SmallestFirst, 77965},
              {ParityQueuePolicy::LessRemainingPhaseFirst, 77965}})
        {
            bench.options.queuePolicy = policy;
            Expect(bench, finishNs, "policy " + std::to_string(static_cast<int>(policy)));
        }
    }

    /// A last chunk of 99 bytes among 100 of 64 KiB, with the slower dimension second. Smallest
    /// first leaves it last, since one phase is to follow; the other policy, with as many phases
    /// left, puts it behind the first one.
    void ExpectOnePhaseToFollow()
    {
        ParityBench bench = MakeTwoDimensions(100);
        bench.bandwidth = {60, 10};
        bench.options.chunkOrder = ChunkOrderPolicy::OfflineGreedy;
        bench.nodes = {{CollectiveNode(1, CollectiveType::ReduceScatter, 100 * 65536 + 99)}};
        bench.options.queuePolicy = ParityQueuePolicy::SmallestFirst;
        Expect(bench, 100 * 5245 + 3271 + 2021, "smallest first");
        bench.options.queuePolicy = ParityQueuePolicy::LessRemainingPhaseFirst;
        Expect(bench, 100 * 5245 + 1540 + 3271, "less remaining phases first");
    }

    void DoRun() override
    {
        ExpectChunkOrders();
        ExpectQueuePolicies();
        ExpectOnePhaseToFollow();
    }
};

/// Parity of algorithms and policies.
class ParityPoliciesTestSuite : public TestSuite
{
  public:
    ParityPoliciesTestSuite()
        : TestSuite("ml-cluster-parity-policies", Type::UNIT)
    {
        AddTestCase(new ParityAlgorithmsTestCase);
        AddTestCase(new ParityPoliciesTestCase);
    }
};

static ParityPoliciesTestSuite g_parityPoliciesTestSuite;
