/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"
#include "unit/list-scheduler.h"
#include "unit/plan-cases.h"

#include "ns3/boolean.h"
#include "ns3/compute-model.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-runner.h"
#include "ns3/stage-workload.h"
#include "ns3/test.h"
#include "ns3/transformer-generator.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr double PEAK_FLOPS = 1e9;                 ///< so slow that communication is nothing
constexpr uint64_t MEMORY_RATE = 1000000000000000; ///< of an NPU's memory, bit/s
constexpr uint64_t LINK_RATE = 1000000000000000;   ///< of an NPU's link, bit/s

/// @param workload a workload @param backend a backend @param bitRate of links @return its run
RunReport
RunOn(const std::shared_ptr<const ClusterWorkload>& workload,
      const std::string& backend,
      uint64_t bitRate)
{
    UsePicoseconds();
    const std::string size = std::to_string(workload->GetNRanks());
    ClusterHelper cluster(MakeTopology("Switch(" + size + ")", bitRate, 0));
    cluster.SetBackend(backend);
    cluster.SetNpuAttribute("Roofline", BooleanValue(true));
    cluster.SetNpuAttribute("PeakFlops", DoubleValue(PEAK_FLOPS));
    cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(MEMORY_RATE)));
    cluster.Install(workload);
    return cluster.Run();
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Where communication takes next to no time, a step takes as long as a list scheduler says.
 */
class TrainingStepTimeTestCase : public TestCase
{
  public:
    TrainingStepTimeTestCase()
        : TestCase("Steps of random plans take the time of the list scheduler")
    {
    }

  private:
    void DoRun() override
    {
        const ComputeModel model(PEAK_FLOPS, MEMORY_RATE);
        std::mt19937 random(4);
        for (int i = 0; i < 200; ++i)
        {
            const PlanCase drawn = DrawPlanCase(random);
            const auto workload = std::make_shared<const ClusterWorkload>(
                TransformerGenerator(drawn.model, drawn.plan).Generate());
            ListScheduler scheduler(*workload, [&](const ExecutionNode& node) {
                return model.GetPicoseconds(node);
            });
            const double expected = scheduler.Run();
            const auto report = RunOn(workload, "analytical", LINK_RATE);
            NS_TEST_ASSERT_MSG_EQ_TOL(report.finishTimePs,
                                      expected,
                                      1e-3 * expected,
                                      drawn.Describe());
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * A pipeline of equal stages takes the time of the formula, where communication costs nothing.
 */
class PipelineTimeTestCase : public TestCase
{
  public:
    PipelineTimeTestCase()
        : TestCase("Pipelines of equal stages take the times of the formulas")
    {
    }

  private:
    /// Time of an operation, ps.
    static constexpr int64_t UNIT_PS = 1000;

    void DoRun() override
    {
        // p = 4, m = 8, t_f = 1 ms, t_b = 2 ms
        Check("1f1b", 1, 4, 8, 1000000, 33000000000);
        for (const uint32_t p : {2, 3, 4, 8})
        {
            for (const uint32_t m : {p, 2 * p, 5 * p})
            {
                const int64_t forward = 6000;
                const int64_t backward = 2 * forward;
                const int64_t line = (m + p - 1) * (forward + backward) * UNIT_PS;
                Check("gpipe", 1, p, m, forward, line);
                Check("1f1b", 1, p, m, forward, line);
                for (const uint32_t v : {2, 3})
                {
                    const int64_t interleaved =
                        (m * v + p - 1) * (forward + backward) / v * UNIT_PS;
                    Check("interleaved", v, p, m, forward, interleaved);
                }
                Check("zero-bubble", 1, p, m, forward, (3 * m + p - 1) * forward * UNIT_PS);
            }
        }
    }

    /// @param schedule name @param nChunks v @param p stages @param m micro-batches @param forward
    /// operations of a stage's forward pass; its backward pass has twice as many, half of them for
    /// weights @param expectedPs time of the step
    void Check(const std::string& schedule,
               uint32_t nChunks,
               uint32_t p,
               uint32_t m,
               uint64_t forward,
               int64_t expectedPs)
    {
        ProgramStep step;
        step.name = "layer";
        step.operations = forward / nChunks;
        ModelUnit unit;
        unit.forward.steps = {step};
        ProgramStep weights = step;
        weights.isWeightGradient = true;
        weights.dependencies = {0};
        unit.backward.steps = {step, weights};
        StageProgram program;
        program.chunks.assign(nChunks, {unit});
        ParallelPlan plan;
        plan.schedule = schedule;
        plan.chunks = nChunks;
        plan.pipeline = p;
        plan.microBatches = m;
        const auto workload = std::make_shared<const ClusterWorkload>(
            MakeStageWorkload(plan, [&](uint32_t, uint32_t) { return program; }, false));
        const auto report = RunOn(workload, "analytical", LINK_RATE);
        NS_TEST_EXPECT_MSG_EQ(report.finishTimePs,
                              expectedPs,
                              schedule << " p " << p << " m " << m << " v " << nChunks);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Both backends finish the same plans.
 */
class TrainingBackendsTestCase : public TestCase
{
  public:
    TrainingBackendsTestCase()
        : TestCase("Packets and formulas agree on steps of random plans")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(5);
        for (int i = 0; i < 20; ++i)
        {
            const PlanCase drawn = DrawPlanCase(random);
            const auto workload = std::make_shared<const ClusterWorkload>(
                TransformerGenerator(drawn.model, drawn.plan).Generate());
            const double analytical = RunOn(workload, "analytical", 400000000000).finishTimePs;
            const double packet = RunOn(workload, "packet", 400000000000).finishTimePs;
            NS_TEST_ASSERT_MSG_EQ_TOL(packet, analytical, 0.05 * analytical, drawn.Describe());
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * What a report says about training: the figures of the model, the operations of the graphs; equal
 * whether micro-batches are skipped or not.
 */
class TrainingRatesTestCase : public TestCase
{
  public:
    TrainingRatesTestCase()
        : TestCase("A run of a transformer tells tokens per second, MFU and HFU")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentConfig config;
        config.dimensions = {MakeTopology("Switch(4)", 400000000000, 500000).GetDimension(0)};
        config.generator = "ns3::mlcluster::TransformerWorkload";
        config.backends = {"analytical"};
        const auto run = [&](bool skipRepeats, const std::string& recompute) {
            const std::string transformer = config.generator + "::";
            const std::string npu = "ns3::mlcluster::NpuApplication::";
            config.attributes = {
                {transformer + "Layers", "4"},
                {transformer + "HiddenSize", "1024"},
                {transformer + "Heads", "16"},
                {transformer + "Vocabulary", "4096"},
                {transformer + "SequenceLength", "512"},
                {transformer + "Tensor", "2"},
                {transformer + "Pipeline", "2"},
                {transformer + "MicroBatches", "64"},
                {transformer + "Recompute", recompute},
                {"ns3::mlcluster::WorkloadGenerator::SkipRepeats", skipRepeats ? "true" : "false"},
                {npu + "Roofline", "true"},
                {npu + "PeakFlops", "1e14"},
                {npu + "ComputeEfficiency", "0.5"},
                {npu + "MemoryBandwidth", "16000Gbps"}};
            UsePicoseconds();
            Config::Reset();
            char name[] = "test";
            char* arguments[] = {name, nullptr};
            ApplyAttributes(config, 1, arguments);
            const RunReport report = ExperimentRunner(config).Run().at(0);
            Config::Reset();
            return report;
        };
        const RunReport skipped = run(true, "none");
        const RunReport whole = run(false, "none");
        NS_TEST_ASSERT_MSG_EQ(skipped.repeats.has_value(), true, "parts are skipped");
        NS_TEST_ASSERT_MSG_EQ(skipped.operations, whole.operations, "operations");
        NS_TEST_ASSERT_MSG_EQ(skipped.finishTimePs, whole.finishTimePs, "time");
        NS_TEST_ASSERT_MSG_EQ(whole.training->tokens, 64 * 512, "tokens");
        const double hidden = 1024;
        const double model = 72.0 * 64 * 512 * 4 * hidden * hidden *
                             (1 + 512 / (6 * hidden) + 4096 / (12 * 4 * hidden));
        NS_TEST_ASSERT_MSG_EQ_TOL(whole.training->modelOperations, model, 1e-9 * model, "formula");
        NS_TEST_ASSERT_MSG_EQ(whole.training->peakFlops, 1e14, "the peak that is in force");
        const TrainingRates rates(whole);
        NS_TEST_ASSERT_MSG_EQ_TOL(rates.tokensPerSecond,
                                  64 * 512 * 1e12 / whole.finishTimePs,
                                  1e-3,
                                  "tokens per second");
        NS_TEST_ASSERT_MSG_GT(rates.modelUtilisation, 0.1, "at work");
        NS_TEST_ASSERT_MSG_LT(rates.hardwareUtilisation, 0.5, "never above the efficiency");
        NS_TEST_ASSERT_MSG_GT_OR_EQ(rates.hardwareUtilisation,
                                    rates.modelUtilisation,
                                    "the graphs have all that the model needs");
        NS_TEST_ASSERT_MSG_LT(rates.hardwareUtilisation,
                              1.05 * rates.modelUtilisation,
                              "and little else");
        const TrainingRates again(run(false, "full"));
        const double attention = 512 / (6 * hidden);
        const double logits = 4096 / (4 * hidden);
        const double hardware = 96 * (1 + attention + logits / 16);
        const double ratio = hardware / (72 * (1 + attention + logits / 12));
        NS_TEST_ASSERT_MSG_EQ_TOL(
            again.hardwareUtilisation / again.modelUtilisation,
            ratio,
            0.05 * ratio,
            "recomputation is not the model's; norms and the like come on top");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Generated training steps.
 */
class TrainingStepTestSuite : public TestSuite
{
  public:
    TrainingStepTestSuite()
        : TestSuite("ml-cluster-training-step", Type::UNIT)
    {
        AddTestCase(new TrainingStepTimeTestCase);
        AddTestCase(new PipelineTimeTestCase);
        AddTestCase(new TrainingBackendsTestCase);
        AddTestCase(new TrainingRatesTestCase);
    }
};

static TrainingStepTestSuite g_trainingStepTestSuite; ///< registers it
