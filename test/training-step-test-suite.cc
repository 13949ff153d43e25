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
#include "ns3/data-rate.h"
#include "ns3/double.h"
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
    }
};

static TrainingStepTestSuite g_trainingStepTestSuite; ///< registers it
