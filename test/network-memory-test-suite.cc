/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-memory-tools.h"

#include "ns3/memory-pool-time.h"
#include "ns3/test.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// @param bytes how much @param bytesPerNs rate @return the time they take, ps, rounded up
int64_t
TimeOf(uint64_t bytes, uint64_t bytesPerNs)
{
    return static_cast<int64_t>((bytes * 1000 + bytesPerNs - 1) / bytesPerNs);
}

/**
 * @ingroup ml-cluster-tests
 * With whole messages, where one hop is always the slowest, times follow from how rounds wait: at
 * the memory whole, on links message by message.
 */
class NetworkPoolTimeCase : public TestCase
{
  public:
    NetworkPoolTimeCase()
        : TestCase("times of whole messages")
    {
    }

  private:
    void DoRun() override;
    /// @param pool the pool @param rounds of a load by one GPU
    void CheckLoadByOne(const NetworkPool& pool, uint64_t rounds);
};

void
NetworkPoolTimeCase::CheckLoadByOne(const NetworkPool& pool, uint64_t rounds)
{
    const uint64_t message = NetworkPool::MESSAGE;
    const int64_t memory = TimeOf(2 * message, pool.memory);
    const int64_t links = std::max({TimeOf(message, pool.groupLink),
                                    4 * TimeOf(message, pool.nodeLink),
                                    8 * TimeOf(message, pool.gpuLink)});
    const auto run = pool.Run(MakeAccessOfOne(NodeKind::MemoryLoad, rounds * NetworkPool::ROUND));
    NS_TEST_EXPECT_MSG_EQ(run.finishTimePs,
                          NetworkPool::LATENCY + memory + links +
                              static_cast<int64_t>(rounds - 1) * std::max(memory, links),
                          "load of " << rounds << " rounds");
}

void
NetworkPoolTimeCase::DoRun()
{
    const int64_t latency = NetworkPool::LATENCY;
    const uint64_t message = NetworkPool::MESSAGE;
    for (const uint64_t rounds : {1, 2, 9})
    {
        CheckLoadByOne({10, 200, 400, 100}, rounds);
        CheckLoadByOne({1000, 200, 400, 100}, rounds);
        CheckLoadByOne({1000, 200, 25, 100}, rounds);
        CheckLoadByOne({1000, 8, 200, 100}, rounds);
        const uint64_t bytes = rounds * NetworkPool::ROUND;
        const auto times = static_cast<int64_t>(rounds);
        const auto all =
            NetworkPool{100, 200, 400, 100}.Run(MakeAccessOfAll(NodeKind::MemoryLoad, bytes));
        NS_TEST_EXPECT_MSG_EQ(all.finishTimePs,
                              latency + times * 16 * TimeOf(2 * message, 100) +
                                  8 * TimeOf(message, 100),
                              "memory bounds a load by all");
        const auto fast =
            NetworkPool{500, 100, 100, 20}.Run(MakeAccessOfOne(NodeKind::MemoryStore, bytes));
        NS_TEST_EXPECT_MSG_EQ(fast.finishTimePs,
                              latency + times * 8 * TimeOf(message, 20) + TimeOf(message, 500),
                              "the link of the GPU bounds a store by one");
        const auto slow =
            NetworkPool{10, 100, 100, 100}.Run(MakeAccessOfOne(NodeKind::MemoryStore, bytes));
        NS_TEST_EXPECT_MSG_EQ(slow.finishTimePs,
                              latency + 7 * TimeOf(message, 100) + times * 2 * TimeOf(message, 10),
                              "memory bounds a store by one");
    }
    const auto none = NetworkPool{}.Run(MakeAccessOfAll(NodeKind::MemoryLoad, 0));
    NS_TEST_EXPECT_MSG_EQ(none.finishTimePs, 0, "no bytes take no time");
    const auto one = NetworkPool{}.Run(MakeAccessOfOne(NodeKind::MemoryStore, 1));
    NS_TEST_EXPECT_MSG_EQ(one.finishTimePs, latency + 10 + 5, "one byte");
}

/**
 * @ingroup ml-cluster-tests
 * Packets take the time of the closed form within 5 %, from 60 rounds on.
 */
class NetworkPoolPacketsCase : public TestCase
{
  public:
    NetworkPoolPacketsCase()
        : TestCase("packets against the closed form")
    {
    }

  private:
    void DoRun() override;
};

void
NetworkPoolPacketsCase::DoRun()
{
    const uint64_t bytes = 60 * NetworkPool::ROUND;
    for (const NetworkPool& pool : {NetworkPool{}, NetworkPool{400, 200, 400, 50}})
    {
        const MemoryPoolShape shape = pool.GetShape();
        for (const NodeKind kind : {NodeKind::MemoryLoad, NodeKind::MemoryStore})
        {
            const bool isStore = kind == NodeKind::MemoryStore;
            const std::pair<std::shared_ptr<const ClusterWorkload>, MemoryPoolAccess> cases[] = {
                {MakeAccessOfAll(kind, bytes), MemoryPoolAccess::OfAll(shape, isStore, bytes)},
                {MakeAccessOfOne(kind, bytes), MemoryPoolAccess::OfRank(shape, isStore, bytes, 5)},
            };
            for (const auto& [workload, access] : cases)
            {
                const double model = ComputeMemoryPoolTime(shape, access).totalPs;
                for (const std::string backend : {"packet", "analytical"})
                {
                    const double ratio = pool.Run(workload, backend).finishTimePs / model;
                    NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1, 0.05, backend << ", store " << isStore);
                }
            }
        }
    }
}

/**
 * @ingroup ml-cluster-tests
 * Every link carries what it must, in every backend, and no more.
 */
class NetworkPoolBytesCase : public TestCase
{
  public:
    NetworkPoolBytesCase()
        : TestCase("bytes of links")
    {
    }

  private:
    void DoRun() override;
};

void
NetworkPoolBytesCase::DoRun()
{
    const uint64_t load = 3 * NetworkPool::ROUND;
    const uint64_t store = 5 * NetworkPool::ROUND;
    const auto workload = MakeEqualWorkload(
        16,
        {MemoryNode(1, NodeKind::MemoryLoad, load), MemoryNode(2, NodeKind::MemoryStore, store)});
    for (const std::string backend : {"analytical", "packet"})
    {
        const auto run = NetworkPool{}.Run(workload, backend);
        for (const auto& link : run.links)
        {
            const bool isInner = link.dimension == 0;
            const bool isLoad =
                isInner ? Contains(link.to, "npu")
                        : Contains(link.from, "group") || Contains(link.to, "switch 0.");
            const uint64_t bytes = isLoad ? load : store;
            uint64_t expected = isInner ? bytes : bytes * 16 / 8;
            expected = link.dimension == 1 ? 0 : expected;
            NS_TEST_EXPECT_MSG_EQ(link.payloadBytes,
                                  expected,
                                  backend << ": " << link.from << " to " << link.to);
        }
        NS_TEST_EXPECT_MSG_EQ(run.links.size(), 2 * (16 + 16 + 8 + 8), "all links");
    }
}

/**
 * @ingroup ml-cluster-tests
 * Estimates enclose the events of runs, and know messages and packets.
 */
class NetworkPoolEstimateCase : public TestCase
{
  public:
    NetworkPoolEstimateCase()
        : TestCase("estimates")
    {
    }

  private:
    void DoRun() override;
};

void
NetworkPoolEstimateCase::DoRun()
{
    const uint64_t rounds = 5;
    const auto workload =
        MakeEqualWorkload(16,
                          {MemoryNode(1, NodeKind::MemoryLoad, rounds * NetworkPool::ROUND),
                           MemoryNode(2, NodeKind::MemoryStore, rounds * NetworkPool::ROUND, {1})});
    for (const std::string backend : {"analytical", "packet"})
    {
        UsePicoseconds();
        ClusterHelper cluster(MakeNodes());
        cluster.SetBackend(backend);
        NetworkPool{}.Configure(cluster);
        Diagnostics diagnostics;
        const RunEstimate estimate = cluster.Estimate(workload, diagnostics);
        const LargeCount events(NetworkPool{}.Run(workload, backend).events);
        NS_TEST_EXPECT_MSG_EQ((estimate.events.most < events), false, backend);
        NS_TEST_EXPECT_MSG_EQ((events < estimate.events.fewest), false, backend);
        NS_TEST_EXPECT_MSG_EQ(estimate.messages.Get(), 16 * 2 * rounds * 8, backend);
        const uint64_t packets = backend == "packet" ? 16 * 2 * rounds * 8 * 2 : 0;
        NS_TEST_EXPECT_MSG_EQ(estimate.packets.Get(), packets, backend);
        NS_TEST_EXPECT_MSG_EQ(estimate.packetHops.Get(), 3 * packets, backend);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Accesses and a collective slow each other down, in packets as whole messages say.
 */
class NetworkPoolContentionCase : public TestCase
{
  public:
    NetworkPoolContentionCase()
        : TestCase("accesses and a collective")
    {
    }

  private:
    /// When the last nodes have ended.
    struct Ends
    {
        double memory{0};     ///< loads or stores, ps
        double collective{0}; ///< the collective, ps
    };

    void DoRun() override;
    /// @param rank who @param node has ended there
    void NodeEnded(uint32_t rank, const ExecutionNode& node);
    /// @param nodes of every rank @param backend name @return when they have ended
    Ends Run(const std::vector<ExecutionNode>& nodes, const std::string& backend);

    Ends m_ends; ///< so far
};

void
NetworkPoolContentionCase::NodeEnded(uint32_t /* rank */, const ExecutionNode& node)
{
    double& end = node.kind == NodeKind::Collective ? m_ends.collective : m_ends.memory;
    end = static_cast<double>(Simulator::Now().GetPicoSeconds());
}

NetworkPoolContentionCase::Ends
NetworkPoolContentionCase::Run(const std::vector<ExecutionNode>& nodes, const std::string& backend)
{
    m_ends = {};
    UsePicoseconds();
    const NetworkPool pool{400, 200, 400, 100};
    ClusterHelper cluster(MakeNodes(pool.gpuLink));
    cluster.SetBackend(backend);
    cluster.SetCollectiveAttribute("Chunks", UintegerValue(32));
    pool.Configure(cluster);
    const auto applications = cluster.Install(MakeEqualWorkload(16, nodes));
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        applications.Get(i)->TraceConnectWithoutContext(
            "NodeEnd",
            MakeCallback(&NetworkPoolContentionCase::NodeEnded, this));
    }
    cluster.Run();
    return m_ends;
}

void
NetworkPoolContentionCase::DoRun()
{
    for (const NodeKind kind : {NodeKind::MemoryLoad, NodeKind::MemoryStore})
    {
        const auto memory = MemoryNode(1, kind, 60 * NetworkPool::ROUND);
        const auto collective = CollectiveNode(2, CollectiveType::AllReduce, 4 << 20);
        Ends slower[2];
        for (const bool isPacket : {false, true})
        {
            const std::string backend = isPacket ? "packet" : "analytical";
            const Ends both = Run({memory, collective}, backend);
            const double memoryAlone = Run({memory}, backend).memory;
            const double collectiveAlone = Run({collective}, backend).collective;
            slower[isPacket] = {both.memory / memoryAlone - 1,
                                both.collective / collectiveAlone - 1};
        }
        NS_TEST_EXPECT_MSG_GT(slower[0].memory, 0.1, "accesses are slower");
        NS_TEST_EXPECT_MSG_EQ_TOL(slower[1].memory / slower[0].memory,
                                  1,
                                  0.1,
                                  "by as much in packets, " << ToString(kind));
        NS_TEST_EXPECT_MSG_GT(slower[0].collective, 0.04, "so is the collective");
        NS_TEST_EXPECT_MSG_EQ_TOL(slower[1].collective / slower[0].collective,
                                  1,
                                  0.1,
                                  "by as much in packets, " << ToString(kind));
    }
}

/**
 * @ingroup ml-cluster-tests
 * The suite of memory pools in the network.
 */
class NetworkMemoryTestSuite : public TestSuite
{
  public:
    NetworkMemoryTestSuite()
        : TestSuite("ml-cluster-network-memory", Type::UNIT)
    {
        AddTestCase(new NetworkPoolTimeCase);
        AddTestCase(new NetworkPoolPacketsCase);
        AddTestCase(new NetworkPoolBytesCase);
        AddTestCase(new NetworkPoolContentionCase);
        AddTestCase(new NetworkPoolEstimateCase);
    }
};

/// The suite.
NetworkMemoryTestSuite g_networkMemoryTestSuite;

} // namespace
