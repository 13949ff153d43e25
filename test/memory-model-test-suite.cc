/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/cluster-helper.h"
#include "ns3/cluster-workload.h"
#include "ns3/diagnostics.h"
#include "ns3/object-factory.h"
#include "ns3/queued-memory-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr int64_t US = 1'000'000; ///< ps in a microsecond

/// @param latency attribute @param bandwidth attribute @param npusPerMemory attribute @return the
/// model, built for 8 NPUs
Ptr<MemoryModel>
CreateModel(const std::string& latency,
            const std::string& bandwidth,
            const std::string& npusPerMemory = "1")
{
    ObjectFactory factory("ns3::mlcluster::QueuedMemoryModel");
    factory.Set("Latency", StringValue(latency));
    factory.Set("Bandwidth", StringValue(bandwidth));
    factory.Set("NpusPerMemory", StringValue(npusPerMemory));
    const auto model = factory.Create<MemoryModel>();
    model->Build(8);
    return model;
}

/**
 * @ingroup ml-cluster-tests
 * Accesses take latency + bytes / rate, those of one NPU one after the other.
 */
class QueuedMemoryAccessCase : public TestCase
{
  public:
    QueuedMemoryAccessCase()
        : TestCase("times of accesses")
    {
    }

  private:
    void DoRun() override;
    /// @param rank who @param bytes how much @param timePs when
    void AccessAt(uint32_t rank, uint64_t bytes, int64_t timePs);

    Ptr<MemoryModel> m_model;                             ///< under test
    std::vector<std::pair<uint32_t, int64_t>> m_finished; ///< rank and time, ps, in order
};

void
QueuedMemoryAccessCase::AccessAt(uint32_t rank, uint64_t bytes, int64_t timePs)
{
    Simulator::Schedule(PicoSeconds(timePs), [this, rank, bytes] {
        const std::size_t before = m_finished.size();
        m_model->Access({rank, bytes, false}, [this, rank] {
            m_finished.emplace_back(rank, Simulator::Now().GetPicoSeconds());
        });
        NS_TEST_ASSERT_MSG_EQ(m_finished.size(), before, "not from within Access");
    });
}

void
QueuedMemoryAccessCase::DoRun()
{
    UsePicoseconds();
    m_model = CreateModel("100ns", "80Gbps");
    AccessAt(0, 1'000'000, 0);
    AccessAt(1, 1'000, 0);
    AccessAt(0, 1'000, 1'000);
    AccessAt(0, 0, 200 * US);
    AccessAt(2, 1, 200 * US);
    AccessAt(3, 5'000'000'000, 200 * US);
    Simulator::Run();
    const std::vector<std::pair<uint32_t, int64_t>> expected = {
        {1, 200'000},
        {0, 100'100'000},
        {0, 100'300'000},
        {0, 200 * US + 100'000},
        {2, 200 * US + 100'100},
        {3, 200 * US + 500'000'100'000},
    };
    NS_TEST_ASSERT_MSG_EQ(m_finished.size(), expected.size(), "all finish once");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(m_finished[i].first, expected[i].first, "rank of access " << i);
        NS_TEST_EXPECT_MSG_EQ(m_finished[i].second, expected[i].second, "end of access " << i);
    }
    Simulator::Destroy();
}

/**
 * @ingroup ml-cluster-tests
 * Accesses that share a memory come one after the other, in the order asked.
 */
class SharedMemoryAccessCase : public TestCase
{
  public:
    SharedMemoryAccessCase()
        : TestCase("memory of an NPU, a node, all")
    {
    }

  private:
    void DoRun() override;
};

void
SharedMemoryAccessCase::DoRun()
{
    UsePicoseconds();
    const std::pair<std::string, std::vector<int64_t>> expected[] = {
        {"1", {100'100, 100'100, 100'100, 100'100}},
        {"2", {100'100, 200'200, 100'100, 200'200}},
        {"0", {100'100, 200'200, 300'300, 400'400}},
    };
    for (const auto& [npusPerMemory, endsNs] : expected)
    {
        const auto model = CreateModel("100ns", "80Gbps", npusPerMemory);
        std::vector<int64_t> ends(4);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            model->Access({rank, 1'000'000, rank % 2 == 1},
                          [&ends, rank] { ends[rank] = Simulator::Now().GetNanoSeconds(); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((ends == endsNs), true, npusPerMemory << " NPUs per memory");
        Simulator::Destroy();
    }
}

/**
 * @ingroup ml-cluster-tests
 * An access that takes no time ends in an event of its own; a part of a picosecond counts as one.
 */
class QueuedMemoryRoundingCase : public TestCase
{
  public:
    QueuedMemoryRoundingCase()
        : TestCase("smallest times")
    {
    }

  private:
    void DoRun() override;
};

void
QueuedMemoryRoundingCase::DoRun()
{
    const std::pair<uint64_t, int64_t> accesses[] = {{0, 0}, {1, 3}, {3, 8}};
    for (const auto& [bytes, expected] : accesses)
    {
        const auto model = CreateModel("0ns", "3000Gbps");
        int64_t end = -1;
        model->Access({0, bytes, true}, [&end] { end = Simulator::Now().GetPicoSeconds(); });
        NS_TEST_EXPECT_MSG_EQ(end, -1, "not from within Access");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(end, expected, bytes << " bytes at 3 Tb/s");
        Simulator::Destroy();
    }
}

/**
 * @ingroup ml-cluster-tests
 * Four NPUs load 1 MB each, 100 ns and 10 GB/s, compute for 40 us, and store; 30 us of
 * compute run beside the load. By hand: accesses take 100.1 us each, one after the other in every
 * memory.
 */
class SharedMemoryRunCase : public TestCase
{
  public:
    SharedMemoryRunCase()
        : TestCase("runs with memory of an NPU, a node, all")
    {
    }

  private:
    void DoRun() override;
    /// @param npusPerMemory attribute @param finishNs expected of each rank, ns @param exposedNs
    /// expected exposed memory of each rank, ns
    void Expect(uint32_t npusPerMemory,
                const std::vector<int64_t>& finishNs,
                const std::vector<int64_t>& exposedNs);
};

void
SharedMemoryRunCase::Expect(uint32_t npusPerMemory,
                            const std::vector<int64_t>& finishNs,
                            const std::vector<int64_t>& exposedNs)
{
    ExecutionNode load;
    load.id = 1;
    load.kind = NodeKind::MemoryLoad;
    load.tensorBytes = 1'000'000;
    ExecutionNode use = ComputeNode(2, 40 * US);
    use.dependencies = {1};
    ExecutionNode store = load;
    store.id = 3;
    store.kind = NodeKind::MemoryStore;
    store.dependencies = {2};
    ClusterHelper cluster(MakeTopology("Ring(4)", 800'000'000'000, 0));
    cluster.SetMemoryAttribute("Latency", StringValue("100ns"));
    cluster.SetMemoryAttribute("Bandwidth", StringValue("80Gbps"));
    cluster.SetMemoryAttribute("NpusPerMemory", UintegerValue(npusPerMemory));
    Diagnostics diagnostics;
    const auto graph = std::make_shared<const ExecutionGraph>(
        std::vector<ExecutionNode>{load, use, store, ComputeNode(4, 30 * US)},
        "",
        diagnostics);
    cluster.Install(std::make_shared<const ClusterWorkload>(
        std::vector<std::shared_ptr<const ExecutionGraph>>(4, graph),
        CommunicatorGroups{}));
    const RunReport report = cluster.Run();
    for (const RankReport& rank : report.ranks)
    {
        NS_TEST_EXPECT_MSG_EQ(rank.finishTimePs / 1000, finishNs[rank.rank], npusPerMemory);
        NS_TEST_EXPECT_MSG_EQ(rank.exposedMemoryPs / 1000, exposedNs[rank.rank], npusPerMemory);
        NS_TEST_EXPECT_MSG_EQ(rank.computePs, 70 * US, "compute " << npusPerMemory);
        NS_TEST_EXPECT_MSG_EQ(rank.computePs + rank.exposedMemoryPs + rank.idlePs,
                              report.finishTimePs,
                              "parts add up");
    }
    NS_TEST_ASSERT_MSG_EQ(report.memory.size(), 1, "remote memory alone");
    NS_TEST_EXPECT_MSG_EQ(report.memory[0].name, "remote memory", "its name");
    NS_TEST_EXPECT_MSG_EQ(report.memory[0].loadedBytes, 4'000'000, "a load of each rank");
    NS_TEST_EXPECT_MSG_EQ(report.memory[0].storedBytes, 4'000'000, "a store of each rank");
}

void
SharedMemoryRunCase::DoRun()
{
    UsePicoseconds();
    Expect(1, {240'200, 240'200, 240'200, 240'200}, {170'200, 170'200, 170'200, 170'200});
    Expect(2, {300'300, 400'400, 300'300, 400'400}, {230'300, 330'400, 230'300, 330'400});
    Expect(0, {500'500, 600'600, 700'700, 800'800}, {430'500, 530'600, 630'700, 730'800});
}

/**
 * @ingroup ml-cluster-tests
 * No remote memory, or no end, is an error that says what to do.
 */
class QueuedMemoryErrorCase : public TestCase
{
  public:
    QueuedMemoryErrorCase()
        : TestCase("accesses that cannot be")
    {
    }

  private:
    void DoRun() override;
    /// @param bandwidth attribute @param bytes size @param part of the error that must come @param
    /// npusPerMemory attribute
    void Expect(const std::string& bandwidth,
                uint64_t bytes,
                const std::string& part,
                const std::string& npusPerMemory = "1");
    /// @param bandwidth attribute @param location of the tensor of a load @param part of the
    /// problem that is told of it; "" if there is none
    void ExpectProblem(const std::string& bandwidth, uint32_t location, const std::string& part);
};

void
QueuedMemoryErrorCase::Expect(const std::string& bandwidth,
                              uint64_t bytes,
                              const std::string& part,
                              const std::string& npusPerMemory)
{
    std::string error;
    try
    {
        CreateModel("1ns", bandwidth, npusPerMemory)->Access({5, bytes, false}, [] {});
    }
    catch (const InputError& thrown)
    {
        error = thrown.what();
    }
    NS_TEST_EXPECT_MSG_EQ((error.find(part) != std::string::npos), true, error << " says " << part);
    Simulator::Destroy();
}

void
QueuedMemoryErrorCase::ExpectProblem(const std::string& bandwidth,
                                     uint32_t location,
                                     const std::string& part)
{
    ExecutionNode node;
    node.id = 3;
    node.name = "load";
    node.kind = NodeKind::MemoryLoad;
    node.tensorBytes = 1;
    node.location = location;
    Diagnostics diagnostics;
    const auto graph =
        std::make_shared<const ExecutionGraph>(std::vector<ExecutionNode>{node}, "", diagnostics);
    CreateModel("1ns", bandwidth)
        ->Prepare(std::make_shared<const ClusterWorkload>(
                      std::vector<std::shared_ptr<const ExecutionGraph>>(8, graph),
                      CommunicatorGroups{}),
                  diagnostics);
    std::string error;
    try
    {
        diagnostics.ThrowIfErrors();
    }
    catch (const InputError& thrown)
    {
        error = thrown.what();
    }
    NS_TEST_EXPECT_MSG_EQ((error.find(part) != std::string::npos && error.empty() == part.empty()),
                          true,
                          error << " says " << part);
}

void
QueuedMemoryErrorCase::DoRun()
{
    ExpectProblem("0bps",
                  0,
                  "rank 0 node 3 \"load\": there is no remote memory: set the attribute");
    ExpectProblem("1Gbps", 3, "rank 0 node 3 \"load\": its tensor lies in memory 3 (tensor_loc)");
    ExpectProblem("1Gbps", 2, "");
    ExpectProblem("0bps", 1, "");
    Expect("1bps",
           std::numeric_limits<uint64_t>::max(),
           "18446744073709551615B of remote memory at 1bps");
    Expect("1Gbps",
           1,
           "NpusPerMemory (cluster.memory.npus-per-memory) is 3, which does not divide the 8 NPUs",
           "3");
    Expect("1Gbps", 1, "or to 0 for one memory of all", "16");
}

/**
 * @ingroup ml-cluster-tests
 * The suite of memory models.
 */
class MemoryModelTestSuite : public TestSuite
{
  public:
    MemoryModelTestSuite()
        : TestSuite("ml-cluster-memory-model", Type::UNIT)
    {
        AddTestCase(new QueuedMemoryAccessCase);
        AddTestCase(new SharedMemoryAccessCase);
        AddTestCase(new QueuedMemoryRoundingCase);
        AddTestCase(new SharedMemoryRunCase);
        AddTestCase(new QueuedMemoryErrorCase);
    }
};

/// The suite.
MemoryModelTestSuite g_memoryModelTestSuite;

} // namespace
