/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs whose nodes do not fit in memory give the results of those whose nodes do.

#include "test-tools.h"

#include "ns3/boolean.h"
#include "ns3/chakra-reader.h"
#include "ns3/config.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/graph-page-pool.h"
#include "ns3/result-writer.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/workload-writer.h"

#include <random>
#include <sstream>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint32_t N_RANKS = 4;
constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s
constexpr int64_t LATENCY = 500000;     ///< 500 ns

using RankNodes = std::vector<std::vector<ExecutionNode>>; ///< by rank

/// Draws the nodes of ranks that agree.
class NodeDrawer
{
  public:
    /// @param seed of the random numbers
    explicit NodeDrawer(uint32_t seed)
        : m_random(seed),
          m_nodes(N_RANKS)
    {
    }

    /// @param nSteps things to do @return the nodes of all ranks
    RankNodes Draw(uint32_t nSteps)
    {
        for (uint32_t step = 0; step < nSteps; ++step)
        {
            const uint32_t what = m_random() % 8;
            if (what < 4)
            {
                AddCompute();
            }
            else if (what < 6)
            {
                AddCollective(what == 4);
            }
            else
            {
                AddMessage();
            }
        }
        return m_nodes;
    }

  private:
    /// @param rank a rank @param node gets an id, depends on some before it, and is added
    void Add(uint32_t rank, ExecutionNode node)
    {
        auto& nodes = m_nodes[rank];
        node.id = nodes.empty() ? 5 : nodes.back().id + 1 + m_random() % 2;
        for (uint32_t k = m_random() % 3; k > 0 && !nodes.empty(); --k)
        {
            const std::size_t back = 1 + m_random() % (m_random() % 4 ? 4 : nodes.size());
            node.dependencies.push_back(nodes[nodes.size() - std::min(back, nodes.size())].id);
        }
        nodes.push_back(node);
    }

    void AddCompute() ///< Every rank computes, on a stream or not, or on the host.
    {
        for (uint32_t rank = 0; rank < N_RANKS; ++rank)
        {
            ExecutionNode node = ComputeNode(0, m_random() % 20000000);
            node.stream = static_cast<int64_t>(m_random() % 3) - 1;
            node.onHost = m_random() % 5 == 0;
            Add(rank, node);
        }
    }

    /// @param isUneven whether it is an all-to-all of unequal parts
    void AddCollective(bool isUneven)
    {
        const bool isHalf = m_random() % 2;
        const auto type = isUneven ? CollectiveType::AllToAll : CollectiveType::AllReduce;
        const uint64_t bytes = 1 + m_random() % 100000;
        for (uint32_t rank = 0; rank < N_RANKS; ++rank)
        {
            const std::string group = !isHalf ? "" : rank < N_RANKS / 2 ? "low" : "high";
            ExecutionNode node = CollectiveNode(0, type, bytes, {}, group);
            for (uint32_t k = isHalf ? 2 : N_RANKS; isUneven && k > 0; --k)
            {
                node.peerBytes.push_back(m_random() % 50000);
            }
            Add(rank, node);
        }
    }

    void AddMessage() ///< One rank sends to another.
    {
        const uint32_t from = m_random() % N_RANKS;
        const uint32_t to = (from + 1 + m_random() % (N_RANKS - 1)) % N_RANKS;
        const uint64_t bytes = 1 + m_random() % 100000;
        const uint64_t tag = m_random() % 3;
        Add(from, PeerNode(NodeKind::Send, 0, to, bytes, tag));
        Add(to, PeerNode(NodeKind::Receive, 0, from, bytes, tag));
    }

    std::mt19937 m_random; ///< numbers
    RankNodes m_nodes;     ///< so far
};

/// @param report of a run @return all of it that a run determines
std::string
Print(RunReport report)
{
    std::ostringstream os;
    report.backend = "any";
    os << report.finishTimePs << " " << report.events << " " << report.operations << "\n";
    WriteRankTable(os, {report});
    WriteCommunicationTable(os, {report});
    WriteCollectiveTable(os, {report});
    WriteLinkTable(os, {report});
    return os.str();
}

/**
 * @ingroup ml-cluster-tests
 * Memory for nodes as long as this exists.
 */
class NodeMemory
{
  public:
    /// @param bytes of memory; 0: enough for all
    explicit NodeMemory(uint64_t bytes)
    {
        GraphPagePool::Get().SetBudget(bytes);
    }

    ~NodeMemory()
    {
        GraphPagePool::Get().SetBudget(0);
    }

    NodeMemory(const NodeMemory&) = delete;
    NodeMemory& operator=(const NodeMemory&) = delete;
};

/**
 * @ingroup ml-cluster-tests
 * Random work of all kinds, in memory and out of it.
 */
class PagedRunTestCase : public TestCase
{
  public:
    /// @param backend name of the backend @param granularity of the analytical one @param queues
    /// whether communicators are queues
    PagedRunTestCase(const std::string& backend, const std::string& granularity, bool queues)
        : TestCase("Without memory for nodes: " + backend + ", " + granularity +
                   (queues ? ", communicators are queues" : "")),
          m_backend(backend),
          m_granularity(granularity),
          m_queues(queues)
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 1; seed <= 4; ++seed)
        {
            const RankNodes nodes = NodeDrawer(seed).Draw(m_backend == "packet" ? 300 : 900);
            const RunReport whole = Run(nodes, 0);
            const RunReport paged = Run(nodes, 1);
            NS_TEST_ASSERT_MSG_EQ(whole.nodeFileBytes, 0, "all fits");
            NS_TEST_ASSERT_MSG_GT(paged.nodeFileBytes, 0, "nothing fits");
            NS_TEST_ASSERT_MSG_EQ(Print(paged), Print(whole), "seed " << seed);
        }
    }

    /// @param nodes by rank @param bytes of memory for them @return the report of their run
    RunReport Run(const RankNodes& nodes, uint64_t bytes) const
    {
        const NodeMemory memory(bytes);
        const auto workload = MakeWorkload(nodes, {{"low", {0, 1}}, {"high", {2, 3}}});
        Diagnostics diagnostics;
        workload->Check(diagnostics);
        diagnostics.ThrowIfErrors();
        return RunCluster(
            MakeTopology("Ring(2)_Switch(2)", RATE, LATENCY),
            workload,
            [&](ClusterHelper& cluster) {
                cluster.SetNpuAttribute("SerialiseCollectives", BooleanValue(m_queues));
                if (m_backend == "analytical")
                {
                    cluster.SetBackendAttribute("Granularity", StringValue(m_granularity));
                }
            },
            m_backend);
    }

    std::string m_backend;     ///< name of the backend
    std::string m_granularity; ///< of the analytical one
    bool m_queues;             ///< whether communicators are queues
};

/**
 * @ingroup ml-cluster-tests
 * Traces in files, with names, groups and parts that repeat.
 */
class PagedTraceTestCase : public TestCase
{
  public:
    PagedTraceTestCase()
        : TestCase("Without memory for nodes: experiments with traces and generated work")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentConfig config;
        const auto topology = MakeTopology("Ring(2)_Switch(4)", RATE, LATENCY);
        config.dimensions = {topology.GetDimension(0), topology.GetDimension(1)};
        config.generator = "ns3::mlcluster::TransformerWorkload";
        config.backends = {"analytical"};
        const std::string npu = "ns3::mlcluster::NpuApplication::";
        const std::string transformer = config.generator + "::";
        config.attributes = {{transformer + "Layers", "16"},
                             {transformer + "HiddenSize", "1024"},
                             {transformer + "Heads", "16"},
                             {transformer + "Vocabulary", "4096"},
                             {transformer + "SequenceLength", "512"},
                             {transformer + "Tensor", "2"},
                             {transformer + "Pipeline", "2"},
                             {transformer + "MicroBatches", "32"},
                             {"ns3::mlcluster::WorkloadGenerator::SkipRepeats", "false"},
                             {npu + "Roofline", "true"},
                             {npu + "PeakFlops", "1e14"},
                             {npu + "MemoryBandwidth", "16000Gbps"}};
        const RunReport whole = Run(config, 0);
        const RunReport paged = Run(config, uint64_t{1} << 20);
        NS_TEST_ASSERT_MSG_EQ(whole.nodeFileBytes, 0, "all fits");
        NS_TEST_ASSERT_MSG_GT(paged.nodeFileBytes, 0, "1 MiB is not enough");
        NS_TEST_ASSERT_MSG_EQ(Print(paged), Print(whole), "generated");
        config.attributes[8].value = "true";
        const RunReport skipped = Run(config, uint64_t{1} << 20);
        NS_TEST_ASSERT_MSG_EQ(skipped.repeats.has_value(), true, "parts are skipped");
        NS_TEST_ASSERT_MSG_EQ(skipped.finishTimePs, whole.finishTimePs, "and change no time");
        config.chakraPrefix = CreateTempDirFilename("trace");
        ApplyAttributes(config);
        ExperimentRunner(config).WriteTraces(config.chakraPrefix);
        Config::Reset();
        config.groupFile = config.chakraPrefix + ".groups.json";
        config.generator = "";
        config.attributes.erase(config.attributes.begin(), config.attributes.begin() + 9);
        const RunReport trace = Run(config, 0);
        const RunReport pagedTrace = Run(config, uint64_t{1} << 20);
        NS_TEST_ASSERT_MSG_GT(pagedTrace.nodeFileBytes, 0, "1 MiB is not enough");
        NS_TEST_ASSERT_MSG_EQ(Print(pagedTrace), Print(trace), "traces");
    }

    /// @param config an experiment; its attributes are set
    static void ApplyAttributes(const ExperimentConfig& config)
    {
        UsePicoseconds();
        Config::Reset();
        char name[] = "test";
        char* arguments[] = {name, nullptr};
        mlcluster::ApplyAttributes(config, 1, arguments);
    }

    /// @param config an experiment @param bytes of memory for nodes @return the report of its run
    static RunReport Run(ExperimentConfig config, uint64_t bytes)
    {
        config.nodeMemory = bytes;
        ApplyAttributes(config);
        const NodeMemory memory(0);
        const RunReport report = ExperimentRunner(config).Run().at(0);
        Config::Reset();
        return report;
    }
};

/**
 * @ingroup ml-cluster-tests
 * Nodes out of memory.
 */
class PagedRunTestSuite : public TestSuite
{
  public:
    PagedRunTestSuite()
        : TestSuite("ml-cluster-paged-run", Type::UNIT)
    {
        AddTestCase(new PagedRunTestCase("analytical", "Message", false));
        AddTestCase(new PagedRunTestCase("analytical", "Message", true));
        AddTestCase(new PagedRunTestCase("analytical", "Phase", false));
        AddTestCase(new PagedRunTestCase("packet", "Message", false));
        AddTestCase(new PagedTraceTestCase);
    }
};

} // namespace

static PagedRunTestSuite g_pagedRunTestSuite; ///< registers the suite
