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
        for (int i = 0; i < 40; ++i)
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
 * A pipeline of equal stages takes the time of the formula.
 */
class PipelineTimeTestCase : public TestCase
{
  public:
    PipelineTimeTestCase()
        : TestCase("Four stages and eight micro-batches take 11 times a stage's time")
    {
    }

  private:
    void DoRun() override
    {
        // bug log 70: p = 4, m = 8, t_f = 1 ms, t_b = 2 ms
        const auto programOf = [](uint32_t, uint32_t) {
            ProgramStep step;
            step.name = "layer";
            step.operations = 1000000;
            ModelUnit unit;
            unit.forward.steps = {step};
            step.operations *= 2;
            unit.backward.steps = {step};
            StageProgram program;
            program.chunks = {{unit}};
            return program;
        };
        ParallelPlan plan;
        plan.pipeline = 4;
        plan.microBatches = 8;
        const auto workload =
            std::make_shared<const ClusterWorkload>(MakeStageWorkload(plan, programOf, false));
        const auto report = RunOn(workload, "analytical", LINK_RATE);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs, 33000000000, "33 ms");
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
        for (int i = 0; i < 5; ++i)
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
        NS_TEST_ASSERT_MSG_EQ_TOL(again.hardwareUtilisation / again.modelUtilisation,
                                  4.0 / 3,
                                  0.1,
                                  "recomputation is not the model's");
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
