/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Text workloads and generated recommendation models, run on the analytical channel.

#include "test-tools.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/dlrm-generator.h"
#include "ns3/double.h"
#include "ns3/layered-generator.h"
#include "ns3/test.h"
#include "ns3/text-cluster-workload.h"
#include "ns3/text-workload-reader.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s: 20 ps a byte
constexpr int64_t LATENCY = 500000;     ///< 500 ns
constexpr int64_t NS = 1000;            ///< ps in a nanosecond, which is a cycle

/// @param bytes size @return time of a direct all-reduce over two ranks, ps
int64_t
AllReducePs(int64_t bytes)
{
    return bytes * 20 + 2 * LATENCY;
}

/// @param text a text workload @param notation of the topology @param options how to read it
/// @return the run
RunReport
RunText(const std::string& text, const std::string& notation, const TextGraphOptions& options)
{
    Diagnostics diagnostics;
    const auto workload = TextWorkloadReader(text, "w.txt", std::nullopt, diagnostics).Read();
    diagnostics.ThrowIfErrors();
    const auto topology = MakeTopology(notation, RATE, LATENCY);
    const auto graphs = MakeTextWorkload(workload, topology, options, diagnostics);
    diagnostics.ThrowIfErrors();
    UsePicoseconds();
    ClusterHelper cluster(topology);
    cluster.SetNpuAttribute("CollectivePriority", StringValue("explicit"));
    cluster.SetCollectiveAttribute("Chunks", UintegerValue(1));
    cluster.Install(graphs);
    return cluster.Run();
}

/// @param workload a generated workload @param notation of the topology @return the run with the
/// roofline of 1 TFLOPS and 100 GB/s
RunReport
RunRoofline(const ClusterWorkload& workload, const std::string& notation)
{
    UsePicoseconds();
    ClusterHelper cluster(MakeTopology(notation, RATE, LATENCY));
    cluster.SetNpuAttribute("Roofline", BooleanValue(true));
    cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e12));
    cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(800000000000)));
    cluster.Install(std::make_shared<const ClusterWorkload>(workload));
    return cluster.Run();
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Times of training loops.
 */
class TextLoopTestCase : public TestCase
{
  public:
    TextLoopTestCase()
        : TestCase("Training loops take the time of their closed forms")
    {
    }

  private:
    void DoRun() override
    {
        TextGraphOptions options;
        options.passes = 2;
        // one layer: forward, weight gradient, all-reduce, update, and again
        auto report = RunText("DATA 1 a -1 5000 NONE 0 1 NONE 0 7000 ALLREDUCE 100000 900",
                              "FullyConnected(2)",
                              options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              2 * ((5000 + 7000 + 900) * NS + AllReducePs(100000)),
                              "nothing overlaps");
        // the upper layer's all-reduce and update end while the lower layer computes
        report = RunText("DATA 2 a -1 5000 NONE 0 1 NONE 0 7000 NONE 0 900 "
                         "b -1 5000 NONE 0 60000 NONE 0 7000 ALLREDUCE 100000 40000",
                         "FullyConnected(2)",
                         options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              2 * (5000 + 5000 + 7000 + 60000 + 7000) * NS,
                              "all overlaps");
        options.passes = 1;
        report = RunText("MODEL 1 a -1 5000 ALLREDUCE 100000 6000 ALLREDUCE 1 7000 NONE 0 900",
                         "FullyConnected(2)",
                         options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              (5000 + 6000 + 7000 + 900) * NS + AllReducePs(100000),
                              "the forward collective blocks, the other is for a layer below");
        const std::string exchange = "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 1 "
                                     "a -1 5000 NONE 0 6000 ALLREDUCE 100000 7000 NONE 0 0";
        report = RunText(exchange, "FullyConnected(2)", options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              (5000 + 6000 + 7000) * NS,
                              "weight gradients are computed while input gradients are exchanged");
        options.inputGradients = TextGraphOptions::InputGradients::Blocking;
        report = RunText(exchange, "FullyConnected(2)", options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              (5000 + 6000 + 7000) * NS + AllReducePs(100000),
                              "weight gradients are computed after input gradients are exchanged");
        options.trainingLoop.emplace("2 forward + max(input-gradient, 3 weight-gradient)");
        report = RunText(exchange, "FullyConnected(2)", options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              (2 * 5000 + 3 * 7000) * NS,
                              "a loop that is given, whose longer branch computes");
        options.trainingLoop.emplace("forward + max(2 input-gradient, weight-gradient)");
        report = RunText(exchange, "FullyConnected(2)", options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              (5000 + 2 * 6000) * NS + AllReducePs(2 * 100000),
                              "a loop that is given, whose longer branch communicates");
    }
};

/**
 * @ingroup ml-cluster-tests
 * The converter's graph, pipelines.
 */
class TextFormsTestCase : public TestCase
{
  public:
    TextFormsTestCase()
        : TestCase("Collectives of nothing take no time, pipelines exchange")
    {
    }

  private:
    void DoRun() override
    {
        TextGraphOptions options;
        options.form = TextGraphOptions::Form::Converter;
        auto report = RunText("HYBRID_DATA_MODEL 1 a -1 5000 NONE 0 6000 NONE 0 7000 ALLREDUCE 8 9",
                              "FullyConnected(2)",
                              options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              (5000 + 6000 + 7000) * NS,
                              "no bytes and groups of one");
        options.form = TextGraphOptions::Form::Loop;
        report = RunText("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 pp: 2 ga: 3 "
                         "checkpoints: 0 checkpoint_initiates: 0 pp_comm: 1000 1 "
                         "a -1 5000 NONE 0 6000 NONE 0 7000 NONE 0 0",
                         "FullyConnected(2)",
                         options);
        NS_TEST_ASSERT_MSG_EQ(report.finishTimePs,
                              (5000 + 6000 + 7000) * NS + 2 * (3 * 1000 * 20 + LATENCY),
                              "three micro-batches up, and down");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Generated workloads.
 */
class GeneratedStepsTestCase : public TestCase
{
  public:
    GeneratedStepsTestCase()
        : TestCase("Generated training steps run to their end, with all bytes delivered")
    {
    }

  private:
    void DoRun() override
    {
        DlrmModel model = FindDlrmModel("dlrm-kaggle");
        model.tables[2].sharding = DlrmModel::Sharding::Row;
        model.tables[3].sharding = DlrmModel::Sharding::Column;
        model.tables[3].shards = 4;
        model.tables[4].sharding = DlrmModel::Sharding::Data;
        DlrmPlan plan;
        plan.ranks = 8;
        plan.batch = 2048;
        plan.steps = 2;
        const auto dlrm = RunRoofline(MakeDlrmWorkload(model, plan), "R(2)_FC(4)");
        NS_TEST_ASSERT_MSG_GT(dlrm.finishTimePs, 0, "all ranks end");
        NS_TEST_ASSERT_MSG_GT(dlrm.ranks[0].exposedCommunicationPs, 0, "exchanges are waited for");

        LayeredPlan layered;
        layered.setting.ranks = 8;
        layered.setting.tensor = 4;
        layered.setting.batch = 64;
        layered.parallelism.assign(16, LayerParallelism::Data);
        layered.parallelism[13] = layered.parallelism[14] = LayerParallelism::Hybrid;
        layered.parallelism[15] = LayerParallelism::Tensor;
        const auto vgg =
            RunRoofline(MakeLayeredWorkload(FindLayeredModel("vgg-16"), layered), "R(4)_SW(2)");
        NS_TEST_ASSERT_MSG_GT(vgg.finishTimePs,
                              static_cast<int64_t>(2 * 8 * 3 * 15346630656),
                              "not faster than the convolutions' operations at 1 TFLOPS");
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of text workloads and generated training steps.
 */
class TextWorkloadTestSuite : public TestSuite
{
  public:
    TextWorkloadTestSuite()
        : TestSuite("ml-cluster-text-workload", Type::UNIT)
    {
        AddTestCase(new TextLoopTestCase);
        AddTestCase(new TextFormsTestCase);
        AddTestCase(new GeneratedStepsTestCase);
    }
};

static TextWorkloadTestSuite g_textWorkloadTestSuite; ///< registers the suite
