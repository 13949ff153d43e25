/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-tools.h"

#include "ns3/boolean.h"
#include "ns3/memory-pool-pipeline.h"
#include "ns3/memory-pool-time.h"
#include "ns3/test.h"

#include <cmath>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

using Nodes = std::vector<ExecutionNode>;

/// @param id of the first @param bytes a member's part @param dependencies of the first @param
/// group of the gather @return a load and its all-gather
Nodes
LoadAndGather(uint64_t id,
              uint64_t bytes,
              std::vector<uint64_t> dependencies = {},
              const std::string& group = "")
{
    return {MemoryNode(id, NodeKind::MemoryLoad, bytes, std::move(dependencies)),
            CollectiveNode(id + 1, CollectiveType::AllGather, bytes, {id}, group)};
}

/// @param bytes a member's part @return a reduce-scatter of four ranks and its store, ids 1 and 2
Nodes
ReduceAndStore(uint64_t bytes)
{
    return {CollectiveNode(1, CollectiveType::ReduceScatter, 4 * bytes),
            MemoryNode(2, NodeKind::MemoryStore, bytes, {1})};
}

/// @param nodes some @param more others @return both
Nodes
Join(Nodes nodes, const Nodes& more)
{
    nodes.insert(nodes.end(), more.begin(), more.end());
    return nodes;
}

/// @param name of an attribute of the pool @param value its value @return sets it
std::function<void(ClusterHelper&)>
Set(const std::string& name, const std::string& value)
{
    return [=](ClusterHelper& cluster) { cluster.SetMemoryAttribute(name, StringValue(value)); };
}

/// @param isStore direction @param bytes a member's part @return time of the fused access of four
/// ranks alone, ps
int64_t
GetFusedPs(bool isStore, uint64_t bytes)
{
    const auto shape = MakeFairPool();
    const auto access = MemoryPoolAccess::OfAll(shape, isStore, 4 * bytes, 2, 2);
    return ComputeMemoryPoolTime(shape, access).wholeBytesPs;
}

/**
 * @ingroup ml-cluster-tests
 * A fused access takes the time of the closed form and counts as remote memory; without Fuse the
 * access and the collective come one after the other.
 */
class FusedTimeCase : public TestCase
{
  public:
    FusedTimeCase()
        : TestCase("times of fused accesses")
    {
    }

  private:
    void DoRun() override;
    /// @param nodes of every rank @param isStore direction @param bytes a member's part @param
    /// collective the collective alone
    void Expect(const Nodes& nodes, bool isStore, uint64_t bytes, const ExecutionNode& collective);
};

void
FusedTimeCase::Expect(const Nodes& nodes,
                      bool isStore,
                      uint64_t bytes,
                      const ExecutionNode& collective)
{
    const auto shape = MakeFairPool();
    const RunReport fused = RunOnPool(MakeEqualWorkload(4, nodes));
    NS_TEST_EXPECT_MSG_EQ(fused.finishTimePs, GetFusedPs(isStore, bytes), "fused");
    NS_TEST_EXPECT_MSG_EQ(fused.collectives.size(), 0, "no collective of its own");
    NS_TEST_ASSERT_MSG_EQ(fused.memoryRemarks.size(), 1, "what was found");
    NS_TEST_EXPECT_MSG_EQ(Contains(fused.memoryRemarks[0], ": fused (rank 0: node 1"),
                          true,
                          fused.memoryRemarks[0]);
    for (const RankReport& rank : fused.ranks)
    {
        NS_TEST_EXPECT_MSG_EQ(rank.exposedMemoryPs, fused.finishTimePs, "remote memory");
        NS_TEST_EXPECT_MSG_EQ(rank.exposedCommunicationPs, 0, "no communication");
    }
    const RunReport apart = RunOnPool(MakeEqualWorkload(4, nodes), Set("Fuse", "false"));
    const int64_t plainPs =
        ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, isStore, bytes)).wholeBytesPs;
    const int64_t collectivePs = RunOnPool(MakeEqualWorkload(4, {collective})).finishTimePs;
    NS_TEST_EXPECT_MSG_EQ(apart.finishTimePs, plainPs + collectivePs, "not fused");
    NS_TEST_EXPECT_MSG_EQ(apart.collectives.size(), 1, "a collective of its own");
    NS_TEST_EXPECT_MSG_EQ(Contains(apart.memoryRemarks.at(0), "fusion is switched off"),
                          true,
                          apart.memoryRemarks[0]);
}

void
FusedTimeCase::DoRun()
{
    for (const uint64_t bytes : {4'000, 400, 4})
    {
        const Nodes load = LoadAndGather(1, bytes);
        const Nodes store = ReduceAndStore(bytes);
        ExecutionNode gather = load[1];
        gather.dependencies.clear();
        Expect(load, false, bytes, gather);
        Expect(store, true, bytes, store[0]);
    }
}

/**
 * @ingroup ml-cluster-tests
 * A fused access begins when the last member has reached it; the others wait for it.
 */
class LateMemberCase : public TestCase
{
  public:
    LateMemberCase()
        : TestCase("a late member, and one that never comes")
    {
    }

  private:
    void DoRun() override;
};

void
LateMemberCase::DoRun()
{
    const Nodes early = LoadAndGather(2, 4'000);
    const Nodes late = Join({ComputeNode(1, 777'000)}, LoadAndGather(2, 4'000, {1}));
    const RunReport run = RunOnPool(MakeWorkload({early, early, late, early}));
    NS_TEST_EXPECT_MSG_EQ(run.finishTimePs, 777'000 + GetFusedPs(false, 4'000), "the last begins");
    NS_TEST_EXPECT_MSG_EQ(run.ranks[0].exposedMemoryPs, run.finishTimePs, "waits");
    NS_TEST_EXPECT_MSG_EQ(run.ranks[2].exposedMemoryPs, run.finishTimePs - 777'000, "comes last");
    NS_TEST_EXPECT_MSG_EQ(run.ranks[1].finishTimePs, run.ranks[2].finishTimePs, "end together");

    const Nodes sender = Join(early, {PeerNode(NodeKind::Send, 9, 3, 8, 0, {3})});
    const Nodes receiver =
        Join({PeerNode(NodeKind::Receive, 1, 0, 8)}, LoadAndGather(2, 4'000, {1}));
    const std::string error =
        GetErrorOf([&] { RunOnPool(MakeWorkload({sender, early, early, receiver})); });
    for (const std::string part :
         {"rank 1: node 2 \"memory load 2\" (memory load) has started; to be done together with "
          "rank 3",
          "wait-for chain: rank 0 node 2 -> rank 3 node 1 -> rank 0 node 2 (again)"})
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " says " << part);
    }
}

/**
 * @ingroup ml-cluster-tests
 * A plain and a fused access of an NPU run at once, or take turns; fused ones always take turns, in
 * one order on all members, so that none waits in a circle.
 */
class MemoryStreamsCase : public TestCase
{
  public:
    MemoryStreamsCase()
        : TestCase("plain and fused accesses at once and in turn")
    {
    }

  private:
    void DoRun() override;
};

void
MemoryStreamsCase::DoRun()
{
    const auto shape = MakeFairPool();
    const auto plain = MemoryPoolAccess::OfAll(shape, false, 4'000);
    const auto fused = MemoryPoolAccess::OfAll(shape, false, 16'000, 2, 2);
    MemoryPoolPipeline pipeline(shape, PoolDetail::OneGpu);
    pipeline.Start(fused, 0);
    pipeline.Start(plain, 0);
    const int64_t bothPs = pipeline.Finish().back().endPs;
    const int64_t plainPs = ComputeMemoryPoolTime(shape, plain).wholeBytesPs;
    const auto workload = MakeEqualWorkload(
        4,
        Join({MemoryNode(1, NodeKind::MemoryLoad, 4'000)}, LoadAndGather(2, 4'000)));
    const int64_t twoPs = RunOnPool(workload).finishTimePs;
    NS_TEST_EXPECT_MSG_EQ(twoPs, bothPs, "as in the pipeline");
    NS_TEST_EXPECT_MSG_LT(twoPs, plainPs + GetFusedPs(false, 4'000), "at once");
    const int64_t onePs = RunOnPool(workload, Set("MemoryStreams", "1")).finishTimePs;
    NS_TEST_EXPECT_MSG_EQ(onePs, plainPs + GetFusedPs(false, 4'000), "in turn");

    const Nodes two = Join(LoadAndGather(1, 4'000), LoadAndGather(3, 4'000));
    NS_TEST_EXPECT_MSG_EQ(RunOnPool(MakeEqualWorkload(4, two)).finishTimePs,
                          2 * GetFusedPs(false, 4'000),
                          "two fused ones in turn");
    const Nodes first = Join(LoadAndGather(1, 4'000, {}, "a"),
                             Join({ComputeNode(9, 500'000)}, LoadAndGather(3, 4'000, {9}, "b")));
    const Nodes second = Join(LoadAndGather(3, 4'000, {}, "b"),
                              Join({ComputeNode(9, 600'000)}, LoadAndGather(1, 4'000, {9}, "a")));
    const CommunicatorGroups groups{{"a", {0, 1, 2, 3}}, {"b", {0, 1, 2, 3}}};
    for (const char* streams : {"1", "2"})
    {
        const RunReport crossed = RunOnPool(MakeWorkload({first, second, first, second}, groups),
                                            Set("MemoryStreams", streams));
        NS_TEST_EXPECT_MSG_EQ(crossed.finishTimePs,
                              500'000 + 2 * GetFusedPs(false, 4'000),
                              "the one that is complete first goes first");
    }
}

/**
 * @ingroup ml-cluster-tests
 * Collectives that the pool carries take the closed form of their four hops, count as
 * communication, and meet accesses on the links.
 */
class CarriedCollectiveCase : public TestCase
{
  public:
    CarriedCollectiveCase()
        : TestCase("collectives on the links of the pool")
    {
    }

  private:
    void DoRun() override;
    void ExpectAlone();   ///< Times of one alone.
    void ExpectMeeting(); ///< Times with a load beside it.
};

void
CarriedCollectiveCase::ExpectAlone()
{
    const auto shape = MakeFairPool();
    MemoryPoolAccess exchange = MemoryPoolAccess::OfAll(shape, false, 4 * 12'000, 2, 2);
    exchange.isExchange = true;
    const auto time = ComputeMemoryPoolTime(shape, exchange);
    NS_TEST_EXPECT_MSG_EQ(time.bandwidthPs, 12'000 / 5 * 1'000, "three quarters over the GPU link");
    const auto workload =
        MakeEqualWorkload(4, {CollectiveNode(1, CollectiveType::AllToAll, 16'000)});
    const RunReport run = RunOnPool(workload, [](ClusterHelper& cluster) {
        cluster.SetMemoryAttribute("Collectives", StringValue("all-to-all"));
        cluster.SetMemoryAttribute("CollectiveLatency", StringValue("2us"));
    });
    NS_TEST_EXPECT_MSG_EQ(run.finishTimePs, 2'000'000 + time.wholeBytesPs, "closed form");
    NS_TEST_ASSERT_MSG_EQ(run.collectives.size(), 1, "told of");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[0].endPs, run.finishTimePs, "with its times");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[0].ranks, 4, "and its members");
    NS_TEST_EXPECT_MSG_EQ(run.collectives[0].bandwidthBoundPs, 0, "no bound of the network");
    NS_TEST_EXPECT_MSG_EQ(run.ranks[1].exposedCommunicationPs, run.finishTimePs, "communication");
    NS_TEST_EXPECT_MSG_EQ(run.ranks[1].exposedMemoryPs, 0, "no memory");
    for (const auto& link : run.links)
    {
        NS_TEST_EXPECT_MSG_EQ(link.payloadBytes, 0, "nothing on the network");
    }
    const auto reduce = MakeEqualWorkload(4, {CollectiveNode(1, CollectiveType::AllReduce, 8'000)});
    NS_TEST_EXPECT_MSG_EQ(RunOnPool(reduce, Set("Collectives", "all")).finishTimePs,
                          time.wholeBytesPs,
                          "an all-reduce sends everything twice");
    NS_TEST_EXPECT_MSG_EQ(RunOnPool(reduce, Set("Collectives", "all-to-all")).finishTimePs,
                          RunOnPool(reduce).finishTimePs,
                          "on the network");
}

void
CarriedCollectiveCase::ExpectMeeting()
{
    const auto shape = MakeFairPool();
    const auto load = MemoryPoolAccess::OfAll(shape, false, 4'000);
    MemoryPoolAccess exchange = MemoryPoolAccess::OfAll(shape, false, 4 * 12'000, 2, 2);
    exchange.isExchange = true;
    MemoryPoolPipeline pipeline(shape, PoolDetail::OneGpu);
    pipeline.Start(exchange, 0);
    pipeline.Start(load, 0);
    std::vector<int64_t> ends(2);
    for (const auto& completion : pipeline.Finish())
    {
        ends[completion.access] = completion.endPs;
    }
    const auto workload = MakeEqualWorkload(4,
                                            {CollectiveNode(1, CollectiveType::AllToAll, 16'000),
                                             MemoryNode(2, NodeKind::MemoryLoad, 4'000)});
    const RunReport run = RunOnPool(workload, Set("Collectives", "all-to-all"));
    NS_TEST_EXPECT_MSG_EQ(run.finishTimePs, std::max(ends[0], ends[1]), "both, as in the pipeline");
    NS_TEST_EXPECT_MSG_EQ(run.collectives.at(0).endPs, ends[0], "the collective");
    NS_TEST_EXPECT_MSG_GT(ends[0],
                          ComputeMemoryPoolTime(shape, exchange).wholeBytesPs,
                          "slowed by the load");
    NS_TEST_EXPECT_MSG_GT(ends[1],
                          ComputeMemoryPoolTime(shape, load).wholeBytesPs,
                          "slowed by the collective");
}

void
CarriedCollectiveCase::DoRun()
{
    ExpectAlone();
    ExpectMeeting();
    const auto workload = MakeEqualWorkload(4, {CollectiveNode(1, CollectiveType::AllToAll, 8)});
    Diagnostics diagnostics;
    const auto pool = CreateObject<HierarchicalMemoryPool>();
    for (const auto& [name, value] : GetSmallPoolAttributes())
    {
        pool->SetAttribute(name, StringValue(value));
    }
    pool->SetAttribute("CollectiveLatency", StringValue("1us"));
    pool->Build(4);
    pool->Prepare(workload, diagnostics);
    NS_TEST_ASSERT_MSG_EQ(diagnostics.GetWarnings().size(), 1, "a latency without collectives");
    NS_TEST_EXPECT_MSG_EQ(Contains(diagnostics.GetWarnings()[0],
                                   "cluster.memory.pool.collective-latency: has no effect"),
                          true,
                          diagnostics.GetWarnings()[0]);
    std::string error = GetErrorOf([&] { RunOnPool(workload, Set("Sharing", "fare")); });
    NS_TEST_EXPECT_MSG_EQ(Contains(error,
                                   "cluster.memory.pool.sharing: \"fare\" is no way to share, did "
                                   "you mean fair?"),
                          true,
                          error);
    error = GetErrorOf([&] { RunOnPool(workload, Set("Collectives", "all-to-al")); });
    NS_TEST_EXPECT_MSG_EQ(Contains(error,
                                   "cluster.memory.pool.collectives: \"all-to-al\" is no set of "
                                   "collectives, did you mean all-to-all?"),
                          true,
                          error);
}

/**
 * @ingroup ml-cluster-tests
 * Estimates count the events of runs, of accesses together, apart and one by one, and of
 * collectives that the pool carries.
 */
class PoolEstimateCase : public TestCase
{
  public:
    PoolEstimateCase()
        : TestCase("events told before a run")
    {
    }

  private:
    void DoRun() override;
    /// @param workload the work @param isEqual whether all ranks do the same at once
    void Expect(const std::shared_ptr<const ClusterWorkload>& workload, bool isEqual);
};

void
PoolEstimateCase::Expect(const std::shared_ptr<const ClusterWorkload>& workload, bool isEqual)
{
    RunEstimate estimate;
    const RunReport run = RunOnPool(workload, [&](ClusterHelper& cluster) {
        cluster.SetMemoryAttribute("Collectives", StringValue("all-to-all"));
        Diagnostics diagnostics;
        estimate = cluster.Estimate(workload, diagnostics);
    });
    const auto expected = static_cast<double>(estimate.events.expected.Get());
    NS_TEST_EXPECT_MSG_LT_OR_EQ(estimate.events.fewest.Get(), run.events, "at least");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(estimate.events.most.Get(), run.events, "at most");
    NS_TEST_EXPECT_MSG_EQ((!isEqual || std::abs(expected / run.events - 1) < 0.4),
                          true,
                          "expected " << expected << ", is " << run.events);
}

void
PoolEstimateCase::DoRun()
{
    const Nodes loads{MemoryNode(1, NodeKind::MemoryLoad, 40'000),
                      MemoryNode(2, NodeKind::MemoryStore, 50'000, {1})};
    const Nodes pairs = Join(LoadAndGather(1, 4'000), LoadAndGather(3, 8'000, {2}));
    const Nodes exchange{CollectiveNode(1, CollectiveType::AllToAll, 100'000),
                         CollectiveNode(2, CollectiveType::AllReduce, 1'000, {1})};
    Expect(MakeEqualWorkload(4, loads), true);
    Expect(MakeEqualWorkload(4, pairs), true);
    Expect(MakeEqualWorkload(4, exchange), true);
    const Nodes late = Join({ComputeNode(9, 1'234'567)},
                            {MemoryNode(1, NodeKind::MemoryLoad, 40'000, {9}),
                             MemoryNode(2, NodeKind::MemoryStore, 50'000, {1})});
    Expect(MakeWorkload({loads, late, {loads[0]}, late}), false);
    Nodes own = loads;
    own[1].location = MemoryLocation::REMOTE;
    Expect(MakeWorkload({own, {}, {}, Join(loads, {MemoryNode(5, NodeKind::MemoryLoad, 7)})}),
           false);
}

/**
 * @ingroup ml-cluster-tests
 * The suite of what a memory pool does for several NPUs together.
 */
class MemoryTogetherTestSuite : public TestSuite
{
  public:
    MemoryTogetherTestSuite()
        : TestSuite("ml-cluster-memory-together", Type::UNIT)
    {
        AddTestCase(new FusedTimeCase);
        AddTestCase(new LateMemberCase);
        AddTestCase(new MemoryStreamsCase);
        AddTestCase(new CarriedCollectiveCase);
        AddTestCase(new PoolEstimateCase);
    }
};

/// The suite.
MemoryTogetherTestSuite g_memoryTogetherTestSuite;

} // namespace
