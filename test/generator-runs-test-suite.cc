/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Generated workloads run as traces, and with compute times from elsewhere.

#include "generator-experiments.h"

#include "ns3/boolean.h"
#include "ns3/compute-model.h"
#include "ns3/object-factory.h"

#include <map>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// @param report of a run @return how often which collective was run, by which group, and bytes on
/// links
std::map<std::string, uint64_t>
CountTraffic(const RunReport& report)
{
    std::map<std::string, uint64_t> traffic;
    for (const auto& collective : report.collectives)
    {
        std::ostringstream os;
        os << ToString(collective.type) << " " << std::string(collective.group) << " "
           << collective.bytes << " " << collective.ranks;
        ++traffic[os.str()];
    }
    for (const auto& link : report.links)
    {
        traffic["link " + std::to_string(link.link)] = link.payloadBytes;
    }
    return traffic;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * A generated workload written as Chakra traces. Expectation: the traces take the same time on
 * every rank, and put the same bytes on every link.
 */
class GeneratedTracesTestCase : public GeneratorTestCase
{
  public:
    /// @param given the workload
    explicit GeneratedTracesTestCase(const GeneratorCase& given)
        : GeneratorTestCase("traces of " + given.section + ": " + given.name),
          m_given(given)
    {
    }

  private:
    void DoRun() override
    {
        WriteGeneratorFiles();
        const std::string cluster = MakeCluster(m_given);
        const auto config = Load(Write("direct.yaml", cluster + m_given.GetSection()));
        const ExperimentRunner runner(config);
        const RunReport direct = runner.Run().at(0);
        runner.WriteTraces(GetPath("traces/step"));
        const bool hasGroups = std::ifstream(GetPath("traces/step.groups.json")).good();
        const std::string traces =
            "workload:\n  chakra: traces/step\n" +
            std::string(hasGroups ? "  groups: traces/step.groups.json\n" : "");
        const auto report = Run(Load(Write("traces.yaml", cluster + traces)));
        NS_TEST_EXPECT_MSG_EQ(PrintTimes(report), PrintTimes(direct), "as traces");
        NS_TEST_EXPECT_MSG_EQ((CountTraffic(report).size() > report.links.size()),
                              true,
                              "something is communicated");
    }

    GeneratorCase m_given; ///< the workload
};

/**
 * @ingroup ml-cluster-tests
 * One plan whose compute times come from a slow roofline, a fast one, measured durations, or are
 * left out. Expectation: the same collectives of the same groups, and the same bytes on every link.
 */
class ComputeTimesTestCase : public GeneratorTestCase
{
  public:
    /// @param given the workload
    explicit ComputeTimesTestCase(const GeneratorCase& given)
        : GeneratorTestCase("bytes do not depend on compute times, " + given.section + ": " +
                            given.name),
          m_given(given)
    {
    }

  private:
    void DoRun() override
    {
        WriteGeneratorFiles();
        const std::string path = Write("times.yaml", MakeCluster(m_given) + m_given.GetSection());
        const RunReport slow = Run(Load(path));
        const std::vector<std::string> faster =
            m_given.HasOperations()
                ? std::vector<std::string>{"cluster.npu.peak-flops=100TFLOPS",
                                           "cluster.npu.memory-bandwidth=10TB/s"}
                : std::vector<std::string>{"workload.text.compute-scale=0"};
        const RunReport fast = Run(Load(path, faster));
        NS_TEST_EXPECT_MSG_LT(fast.finishTimePs, slow.finishTimePs, "computes faster");
        NS_TEST_EXPECT_MSG_EQ((CountTraffic(fast) == CountTraffic(slow)), true, "fast");
        if (m_given.HasOperations())
        {
            const RunReport measured = RunWithDurations(Load(path));
            NS_TEST_EXPECT_MSG_EQ(PrintTimes(measured), PrintTimes(slow), "measured durations");
            NS_TEST_EXPECT_MSG_EQ((CountTraffic(measured) == CountTraffic(slow)), true, "measured");
        }
    }

    /// @param config an experiment @return its run as traces that have durations, no operations
    RunReport RunWithDurations(const ExperimentConfig& config)
    {
        const ComputeModel model(1e12, 800000000000);
        const auto generator = ObjectFactory(config.generator).Create<WorkloadGenerator>();
        const ClusterTopology topology(config.dimensions);
        Diagnostics diagnostics;
        generator->Setup(topology, diagnostics);
        const auto workload = generator->Generate(generator->GetNRepetitions());
        std::vector<std::vector<ExecutionNode>> ranks(workload->GetNRanks());
        for (uint32_t rank = 0; rank < ranks.size(); ++rank)
        {
            for (uint32_t i = 0; i < workload->GetGraph(rank).GetNNodes(); ++i)
            {
                ranks[rank].push_back(workload->GetResolvedNode(rank, i));
                ExecutionNode& node = ranks[rank].back();
                node.durationPs = node.kind == NodeKind::Compute ? model.GetPicoseconds(node) : 0;
                node.operations = 0;
            }
        }
        return RunCluster(topology,
                          MakeWorkload(ranks, workload->GetGroups()),
                          [this](ClusterHelper& cluster) {
                              cluster.SetNpuAttribute("Roofline", BooleanValue(false));
                              SetMemory(cluster);
                          });
    }

    /// @param cluster receives the memory that an experiment file gives it
    void SetMemory(ClusterHelper& cluster) const
    {
        if (m_given.HasRemoteMemory())
        {
            cluster.SetMemoryModel("ns3::mlcluster::QueuedMemoryModel");
            cluster.SetMemoryAttribute("Bandwidth", StringValue("800Gbps"));
        }
    }

    GeneratorCase m_given; ///< the workload
};

/**
 * @ingroup ml-cluster-tests
 * Generated workloads run.
 */
class GeneratorRunsTestSuite : public TestSuite
{
  public:
    GeneratorRunsTestSuite()
        : TestSuite("ml-cluster-workload-generator-runs", Type::UNIT)
    {
        for (const auto& given : GetGeneratorCases())
        {
            AddTestCase(new GeneratedTracesTestCase(given));
            if (given.section != "aicb")
            {
                AddTestCase(new ComputeTimesTestCase(given));
            }
        }
    }
};

static GeneratorRunsTestSuite g_generatorRunsTestSuite; ///< registers it
