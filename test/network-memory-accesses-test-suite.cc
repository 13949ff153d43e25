/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-memory-tools.h"

#include "ns3/object-factory.h"
#include "ns3/test.h"

#include <algorithm>
#include <iterator>
#include <random>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// An access and when it was asked for and ended.
struct TimedAccess
{
    MemoryRequest request; ///< what
    int64_t startPs{0};    ///< when
    int64_t endPs{-1};     ///< when it ended; -1: it has not
};

/**
 * @ingroup ml-cluster-tests
 * A pool in a network of its own.
 */
class PoolBench
{
  public:
    /**
     * @param pool the pool
     * @param backend TypeId name of the network
     * @param attributes of it
     */
    PoolBench(const NetworkPool& pool,
              const std::string& backend,
              const std::vector<std::pair<std::string, std::string>>& attributes = {})
    {
        UsePicoseconds();
        const ClusterTopology topology = MakeNodes(pool.gpuLink);
        ObjectFactory factory(backend);
        for (const auto& [name, value] : attributes)
        {
            factory.Set(name, StringValue(value));
        }
        m_backend = factory.Create<NetworkBackend>();
        m_memory = CreateObject<NetworkMemoryPool>();
        for (const auto& [name, value] : pool.GetAttributes())
        {
            m_memory->SetAttribute(name, StringValue(value));
        }
        Diagnostics diagnostics;
        m_memory->Build(16);
        m_graph =
            std::make_shared<const LinkGraph>(topology, m_memory->Attach(topology, diagnostics));
        diagnostics.ThrowIfErrors();
        NodeContainer npus;
        npus.Create(16);
        m_backend->Build(m_graph, npus);
        m_memory->Connect(m_backend, *m_graph);
        for (uint32_t rank = 0; rank < 16; ++rank)
        {
            m_backend->SetEndpoint(rank, &m_silent);
        }
    }

    ~PoolBench()
    {
        Simulator::Destroy();
    }

    /// @param accesses to do; their ends are written down
    void Run(std::vector<TimedAccess>& accesses)
    {
        for (TimedAccess& access : accesses)
        {
            Simulator::Schedule(PicoSeconds(access.startPs), [this, &access] {
                m_memory->Access(access.request,
                                 [&access] { access.endPs = Simulator::Now().GetPicoSeconds(); });
            });
        }
        Simulator::Run();
    }

    /// @param kind of vertex that sends @param other kind that receives @param rank of one end if
    /// it is an NPU @return payload of the links between them
    uint64_t GetBytes(const std::string& kind,
                      const std::string& other,
                      uint32_t rank = UINT32_MAX) const
    {
        uint64_t bytes = 0;
        for (const auto& usage : m_backend->GetLinkUsage())
        {
            const DirectedLink& link = m_graph->GetLink(usage.link);
            const bool isRanks = rank == UINT32_MAX || link.from == rank || link.to == rank;
            bytes += isRanks && Contains(m_graph->GetVertexName(link.from), kind) &&
                             Contains(m_graph->GetVertexName(link.to), other)
                         ? usage.payloadBytes
                         : 0;
        }
        return bytes;
    }

    /// @return the network
    const NetworkBackend& GetBackend() const
    {
        return *m_backend;
    }

    /// @return the pool
    const NetworkMemoryPool& GetMemory() const
    {
        return *m_memory;
    }

  private:
    /// Is told nothing.
    struct Silent : MessageEndpoint
    {
        void MessageLeft(const NetworkMessage& /* message */) override
        {
        }

        void MessageArrived(const NetworkMessage& /* message */) override
        {
        }
    };

    Ptr<NetworkBackend> m_backend;            ///< network
    Ptr<NetworkMemoryPool> m_memory;          ///< under test
    std::shared_ptr<const LinkGraph> m_graph; ///< what exists
    Silent m_silent;                          ///< of ranks
};

/**
 * @ingroup ml-cluster-tests
 * Random accesses all end, and all bytes go in where they come out, on every kind of network.
 */
class RandomAccessesCase : public TestCase
{
  public:
    RandomAccessesCase()
        : TestCase("random accesses")
    {
    }

  private:
    void DoRun() override;
    /// @param bench ran the accesses @param accesses all
    void Check(const PoolBench& bench, const std::vector<TimedAccess>& accesses);
};

void
RandomAccessesCase::Check(const PoolBench& bench, const std::vector<TimedAccess>& accesses)
{
    uint64_t loaded = 0;
    uint64_t stored = 0;
    std::vector<uint64_t> toRank(16);
    std::vector<uint64_t> fromRank(16);
    for (const auto& access : accesses)
    {
        const auto& request = access.request;
        (request.isStore ? stored : loaded) += request.bytes;
        (request.isStore ? fromRank : toRank)[request.rank] += request.bytes;
        const int64_t least = request.bytes > 0 ? NetworkPool::LATENCY : 0;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(access.endPs - access.startPs, least, "all end");
    }
    NS_TEST_EXPECT_MSG_EQ(bench.GetBytes("group", "out"), loaded, "groups give");
    NS_TEST_EXPECT_MSG_EQ(bench.GetBytes("out", "group"), stored, "groups take");
    NS_TEST_EXPECT_MSG_EQ(bench.GetBytes("out", "switch 0"), loaded, "nodes take");
    NS_TEST_EXPECT_MSG_EQ(bench.GetBytes("switch 0", "out"), stored, "nodes give");
    for (uint32_t rank = 0; rank < 16; ++rank)
    {
        NS_TEST_EXPECT_MSG_EQ(bench.GetBytes("switch 0", "npu", rank), toRank[rank], "to " << rank);
        NS_TEST_EXPECT_MSG_EQ(bench.GetBytes("npu", "switch 0", rank),
                              fromRank[rank],
                              "from " << rank);
    }
    for (const auto& usage : bench.GetMemory().GetUsage())
    {
        NS_TEST_EXPECT_MSG_EQ(usage.loadedBytes, loaded, usage.name);
        NS_TEST_EXPECT_MSG_EQ(usage.storedBytes, stored, usage.name);
    }
    NS_TEST_EXPECT_MSG_EQ(bench.GetBackend().CheckAccounts().empty(), true, "accounts close");
}

void
RandomAccessesCase::DoRun()
{
    const std::pair<std::string, std::vector<std::pair<std::string, std::string>>> networks[] = {
        {"ns3::mlcluster::AnalyticalChannel", {}},
        {"ns3::mlcluster::AnalyticalChannel", {{"Congestion", "None"}}},
        {"ns3::mlcluster::AnalyticalChannel", {{"ForwardWhole", "true"}}},
        {"ns3::mlcluster::PacketBackend", {}},
        {"ns3::mlcluster::PacketBackend", {{"WindowBytes", "1000"}}},
    };
    std::mt19937_64 random(7);
    for (uint32_t i = 0; i < 40; ++i)
    {
        const auto& [backend, attributes] = networks[i % std::size(networks)];
        NetworkPool pool{10 + random() % 400, 10 + random() % 200, 10 + random() % 200};
        pool.chunkBytes = 100 + random() % 50'000;
        pool.further["Rounds"] = random() % 2 == 0 ? "balanced" : "short-last";
        std::vector<TimedAccess> accesses(10);
        for (auto& access : accesses)
        {
            const uint64_t most = uint64_t{1} << random() % 20;
            access.request = {static_cast<uint32_t>(random() % 16),
                              random() % most,
                              random() % 2 == 0};
            access.startPs = static_cast<int64_t>(random() % 3'000'000);
        }
        PoolBench bench(pool, backend, attributes);
        bench.Run(accesses);
        Check(bench, accesses);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Accesses take turns at memories, round by round.
 */
class TurnsCase : public TestCase
{
  public:
    TurnsCase()
        : TestCase("turns at memories")
    {
    }

  private:
    void DoRun() override;
};

void
TurnsCase::DoRun()
{
    const NetworkPool pool{10, 200, 400, 100};
    const int64_t turn = 2 * NetworkPool::MESSAGE * 1000 / 10;
    const int64_t passage = NetworkPool::LATENCY + 8 * NetworkPool::MESSAGE * 1000 / 100;
    const uint64_t bytes = 10 * NetworkPool::ROUND;
    std::vector<TimedAccess> accesses = {{{0, bytes, false}},
                                         {{9, bytes, false}},
                                         {{9, bytes / 10, false}, 15 * turn - 1}};
    PoolBench bench(pool, "ns3::mlcluster::AnalyticalChannel");
    bench.Run(accesses);
    const int64_t expected[] = {20 * turn, 21 * turn, 17 * turn};
    for (std::size_t i = 0; i < accesses.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(accesses[i].endPs, expected[i] + passage, 30, "access " << i);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Pools that the network cannot hold are refused before time starts, with all that is wrong.
 */
class RefusedPoolsCase : public TestCase
{
  public:
    RefusedPoolsCase()
        : TestCase("refused pools")
    {
    }

  private:
    void DoRun() override;
    /// @param topology notation @param further attributes @param parts of the error, none: there is
    /// no error
    void Check(const std::string& topology,
               const std::map<std::string, std::string>& further,
               const std::vector<std::string>& parts);
};

void
RefusedPoolsCase::Check(const std::string& topology,
                        const std::map<std::string, std::string>& further,
                        const std::vector<std::string>& parts)
{
    NetworkPool pool;
    pool.further = further;
    const auto shape = MakeTopology(topology, 800'000'000'000, 500'000);
    const std::string error = GetErrorOf([&] {
        RunCluster(shape, MakeEqualWorkload(shape.GetNRanks(), {}), [&](ClusterHelper& cluster) {
            pool.Configure(cluster);
        });
    });
    NS_TEST_EXPECT_MSG_EQ(error.empty(), parts.empty(), topology << ": " << error);
    for (const auto& part : parts)
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, part << " in " << error);
    }
}

void
RefusedPoolsCase::DoRun()
{
    Check("Switch(4)_Switch(4)", {}, {});
    Check("Switch(4)_Ring(4)",
          {{"GpusPerNode", "4"}, {"GpuLinkBandwidth", "800Gbps"}, {"GpuLinkLatency", "500ns"}},
          {});
    Check("Ring(4)_Switch(4)", {}, {"cluster.memory.model", "needs a Switch of at least 2"});
    Check("Switch(1)_Switch(4)", {}, {"cluster.memory.model", "it is Switch(1)_Switch(4)"});
    Check("Switch(4)_Switch(4)",
          {{"Groups", "0"}, {"MemoryBandwidth", "0bps"}, {"Chunk", "0"}},
          {"cluster.memory.pool.groups", "cluster.memory.pool.memory-bandwidth"});
    Check("Switch(4)_Switch(4)",
          {{"GpusPerNode", "8"}, {"GpuLinkBandwidth", "400Gbps"}, {"GpuLinkLatency", "1ns"}},
          {"cluster.memory.pool.gpus-per-node: 8",
           "cluster.memory.pool.gpu-link-bandwidth: 400Gbps",
           "cluster.memory.pool.gpu-link-latency: 1000ps"});
    Check("Switch(4)_Switch(4)",
          {{"OutBackplaneBandwidth", "1bps"},
           {"InBackplaneBandwidth", "1bps"},
           {"OutAdderBandwidth", "1bps"},
           {"InAdderBandwidth", "1bps"}},
          {"out-backplane-bandwidth: switches of the network have no such limit",
           "in-backplane-bandwidth",
           "out-adder-bandwidth",
           "in-adder-bandwidth"});
    const auto phases = [] {
        RunCluster(MakeNodes(), MakeEqualWorkload(16, {}), [](ClusterHelper& cluster) {
            NetworkPool{}.Configure(cluster);
            cluster.SetBackendAttribute("Granularity", StringValue("Phase"));
        });
    };
    NS_TEST_EXPECT_MSG_EQ(Contains(GetErrorOf(phases), "set Granularity=Message"), true, "phases");
    const auto run = NetworkPool{}.Run(
        MakeEqualWorkload(16,
                          {MemoryNode(1, NodeKind::MemoryLoad, 1000),
                           CollectiveNode(2, CollectiveType::AllGather, 1000, {1})}));
    NS_TEST_ASSERT_MSG_EQ(run.memoryRemarks.size(), 1, "of what it does not fuse");
    NS_TEST_EXPECT_MSG_EQ(
        Contains(run.memoryRemarks[0], "16 loads with an all-gather and 0 reduce-scatters"),
        true,
        run.memoryRemarks[0]);
    const auto alone = [] { CreateObject<NetworkMemoryPool>()->Access({}, {}); };
    NS_TEST_EXPECT_MSG_EQ(Contains(GetErrorOf(alone), "call Attach and Connect"), true, "alone");
}

/**
 * @ingroup ml-cluster-tests
 * The suite of what happens to accesses of memory pools in the network, and of what cannot.
 */
class NetworkMemoryAccessesTestSuite : public TestSuite
{
  public:
    NetworkMemoryAccessesTestSuite()
        : TestSuite("ml-cluster-network-memory-accesses", Type::UNIT)
    {
        AddTestCase(new RandomAccessesCase);
        AddTestCase(new TurnsCase);
        AddTestCase(new RefusedPoolsCase);
    }
};

/// The suite.
NetworkMemoryAccessesTestSuite g_networkMemoryAccessesTestSuite;

} // namespace
