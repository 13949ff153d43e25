/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Generated workloads of many equal parts, all of them simulated or not.

#include "generator-experiments.h"
#include "unit/plan-cases.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/repeat-skipper.h"
#include "ns3/stage-workload.h"
#include "ns3/transformer-generator.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// @param report of a run @return communication by kind and group, ps
std::string
PrintCommunication(const RunReport& report)
{
    std::ostringstream os;
    for (const auto& part : report.communication)
    {
        os << part.rank << " " << part.GetKind() << " " << part.group << " " << part.busyPs << " "
           << part.exposedPs << "\n";
    }
    return os.str();
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Work of many equal parts. Expectation: the same report whether repetitions are simulated or not,
 * message by message, phase by phase and packet by packet.
 */
class SkippedRepeatsTestCase : public GeneratorTestCase
{
  public:
    /// @param name of the case @param topology notation @param workload section of the experiment
    /// file
    SkippedRepeatsTestCase(const std::string& name,
                           const std::string& topology,
                           const std::string& workload)
        : GeneratorTestCase("repetitions of " + name),
          m_topology(topology),
          m_workload(workload)
    {
    }

  private:
    void DoRun() override
    {
        WriteGeneratorFiles();
        const bool hasDurations = m_workload.find("text:") != std::string::npos;
        const std::string path =
            Write("repeats.yaml",
                  MakeCluster(m_topology, !hasDurations) + "workload: {" + m_workload + "}\n");
        Compare(path, "backends.run=analytical");
        Compare(path, "backends.analytical.granularity=Phase");
        Compare(path, "backends.run=packet");
    }

    /// @param path an experiment file @param setting KEY=VALUE
    void Compare(const std::string& path, const std::string& setting)
    {
        const RunReport skipped = Run(Load(path, {setting}));
        const RunReport whole = Run(Load(path, {setting, "workload.skip-repeats=false"}));
        NS_TEST_ASSERT_MSG_EQ(skipped.repeats.has_value(), true, setting << ": parts are skipped");
        NS_TEST_EXPECT_MSG_EQ(whole.repeats.has_value(), false, setting << ": all are simulated");
        NS_TEST_EXPECT_MSG_GT(skipped.repeats->skipped, skipped.repeats->simulated, setting);
        NS_TEST_EXPECT_MSG_EQ(PrintTimes(skipped), PrintTimes(whole), setting);
        NS_TEST_EXPECT_MSG_EQ(PrintCommunication(skipped), PrintCommunication(whole), setting);
        NS_TEST_EXPECT_MSG_EQ(skipped.operations, whole.operations, setting);
    }

    std::string m_topology; ///< notation
    std::string m_workload; ///< section of the experiment file
};

/**
 * @ingroup ml-cluster-tests
 * Random plans with many micro-batches. Expectation: the same report whether repetitions are
 * simulated or not, and most plans have some.
 */
class RandomRepeatsTestCase : public GeneratorTestCase
{
  public:
    RandomRepeatsTestCase()
        : GeneratorTestCase("repetitions of random plans")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(26);
        uint32_t nSkipped = 0;
        for (uint32_t i = 0; i < N; ++i)
        {
            PlanCase drawn = DrawPlanCase(random);
            drawn.plan.schedule = drawn.plan.schedule == "gpipe" ? "1f1b" : drawn.plan.schedule;
            const uint32_t unit = drawn.plan.schedule == "interleaved" ? drawn.plan.pipeline : 1;
            drawn.plan.microBatches = unit * (80 + Draw(random, 5));
            const RunReport whole = RunPlan(drawn, drawn.plan.microBatches, nullptr);
            const RunReport report =
                RepeatSkipper(drawn.plan.microBatches, unit, 4 * drawn.plan.pipeline + 2)
                    .Run([&](uint64_t n, RepetitionWatch* watch) {
                        return RunPlan(drawn, static_cast<uint32_t>(n), watch);
                    });
            nSkipped += report.repeats ? 1 : 0;
            NS_TEST_EXPECT_MSG_EQ(PrintTimes(report), PrintTimes(whole), drawn.Describe());
        }
        NS_TEST_EXPECT_MSG_GT(nSkipped, N / 2, "of " << N);
    }

    /// @param drawn a plan @param microBatches instead of its own @param watch of nodes, or null
    /// @return its run
    static RunReport RunPlan(const PlanCase& drawn, uint32_t microBatches, RepetitionWatch* watch)
    {
        ParallelPlan plan = drawn.plan;
        plan.microBatches = microBatches;
        const auto workload = std::make_shared<const ClusterWorkload>(
            TransformerGenerator(drawn.model, plan).Generate());
        const std::string size = std::to_string(workload->GetNRanks());
        return RunCluster(MakeTopology("Switch(" + size + ")", 400000000000, 500000),
                          workload,
                          [&](ClusterHelper& cluster) {
                              cluster.SetNpuAttribute("Roofline", BooleanValue(true));
                              cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e12));
                              cluster.SetNpuAttribute("MemoryBandwidth",
                                                      DataRateValue(DataRate(800000000000)));
                              cluster.SetRepetitionWatch(watch);
                          });
    }

    static constexpr uint32_t N = 6; ///< plans
};

/**
 * @ingroup ml-cluster-tests
 * A pipeline of 4 equal stages that adds up the gradients of up to a million micro-batches.
 * Expectation: the time of the formula, to the picosecond, and no more events for a million than
 * for a thousand.
 */
class ManyMicroBatchesTestCase : public GeneratorTestCase
{
  public:
    ManyMicroBatchesTestCase()
        : GeneratorTestCase("A million micro-batches take the time of the formula, at no cost")
    {
    }

  private:
    void DoRun() override
    {
        const RunReport thousand = RunPipeline(1024);
        for (const uint64_t m : {1, 8, 1024, 1000000})
        {
            const RunReport report = RunPipeline(m);
            NS_TEST_EXPECT_MSG_EQ(report.finishTimePs,
                                  static_cast<int64_t>(m + STAGES - 1) * 3 * FORWARD_PS,
                                  m << " micro-batches");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(report.events, thousand.events, m << " micro-batches");
        }
    }

    /// @param m micro-batches @return the run
    static RunReport RunPipeline(uint64_t m)
    {
        return RepeatSkipper(m, 1, 4 * STAGES + 2).Run([](uint64_t n, RepetitionWatch* watch) {
            ProgramStep step;
            step.name = "layer";
            step.operations = FORWARD_PS / 1000;
            ProgramStep weights = step;
            weights.isWeightGradient = true;
            weights.dependencies = {0};
            ModelUnit unit;
            unit.forward.steps = {step};
            unit.backward.steps = {step, weights};
            StageProgram program;
            program.chunks = {{unit}};
            ParallelPlan plan;
            plan.pipeline = STAGES;
            plan.microBatches = static_cast<uint32_t>(n);
            const auto workload = std::make_shared<const ClusterWorkload>(
                MakeStageWorkload(plan, [&](uint32_t, uint32_t) { return program; }, false));
            return RunCluster(MakeTopology("Switch(4)", 1000000000000000, 0),
                              workload,
                              [&](ClusterHelper& cluster) {
                                  cluster.SetNpuAttribute("Roofline", BooleanValue(true));
                                  cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e9));
                                  cluster.SetNpuAttribute(
                                      "MemoryBandwidth",
                                      DataRateValue(DataRate(1000000000000000)));
                                  cluster.SetRepetitionWatch(watch);
                              });
        });
    }

    static constexpr uint32_t STAGES = 4;          ///< of the pipeline
    static constexpr int64_t FORWARD_PS = 1000000; ///< of a stage; backward takes twice as long
};

/**
 * @ingroup ml-cluster-tests
 * Repetitions of generated workloads.
 */
class GeneratorRepeatsTestSuite : public TestSuite
{
  public:
    GeneratorRepeatsTestSuite()
        : TestSuite("ml-cluster-workload-generator-repeats", Type::UNIT)
    {
        AddRepeats();
        AddTestCase(new RandomRepeatsTestCase);
        AddTestCase(new ManyMicroBatchesTestCase);
    }

  private:
    /// Adds what consists of many equal parts.
    void AddRepeats()
    {
        const std::string sizes = "layers: 4, hidden-size: 64, heads: 4, vocabulary: 64, "
                                  "sequence-length: 32, ";
        const auto add = [this](const std::string& name,
                                const std::string& topology,
                                const std::string& workload) {
            AddTestCase(new SkippedRepeatsTestCase(name, topology, workload));
        };
        add("an interleaved pipeline",
            "Switch(8)",
            "transformer: {" + sizes +
                "tensor: 2, pipeline: 2, schedule: interleaved, chunks: 2, micro-batches: 120}");
        add("a zero-bubble pipeline",
            "Ring(8)",
            "transformer: {" + sizes +
                "pipeline: 4, schedule: zero-bubble, zero-stage: 1, micro-batches: 150}");
        add("ZeRO 3 with experts",
            "Switch(4)",
            "transformer: {" + sizes +
                "experts: 4, top-experts: 2, expert: 4, zero-stage: 3, micro-batches: 100}");
        add("passes of a loop", "Ring(2)_Switch(2)", "text: {file: loop.txt, passes: 60}");
        add("passes of a data-parallel loop",
            "Ring(2)_Switch(2)",
            "text: {file: data.txt, passes: 60}");
        add("passes of the converter's graph",
            "Ring(2)_Switch(2)",
            "text: {file: loop.txt, form: converter, passes: 60}");
        add("steps of a recommendation model",
            "Switch(4)",
            "dlrm: {vector-size: 16, rows: [1000, 2000, 3000, 500], sharding: [table, row, column, "
            "data], shards: 4, bottom-widths: [13, 64, 16], top-widths: [32, 1], batch: 64, "
            "steps: 50}");
        add("steps of an MLP",
            "Ring(4)_Switch(2)",
            "layers: {widths: [64, 128, 128, 96], parallelism: hybrid, tensor: 4, data-layers: [fc "
            "0], batch: 32, bucket-size: 10000B, steps: 50}");
    }
};

static GeneratorRepeatsTestSuite g_generatorRepeatsTestSuite; ///< registers it
