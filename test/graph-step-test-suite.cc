/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Times of steps as GraphStepTime predicts them, against runs on the analytical channel.

#include "test-tools.h"
#include "unit/plan-cases.h"

#include "ns3/boolean.h"
#include "ns3/compute-model.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/graph-step-time.h"
#include "ns3/test.h"
#include "ns3/text-cluster-workload.h"
#include "ns3/text-workload-reader.h"
#include "ns3/transformer-generator.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 800000000000; ///< 100 GB/s
constexpr double GIGABYTES = 100;       ///< a second, likewise

/// @param workload a workload @param topology the shape @param nodeTime time of nodes
/// @param serialises whether communicators are queues @return the time of its step that is
/// predicted, ps
double
Predict(const ClusterWorkload& workload,
        const ClusterTopology& topology,
        const GraphStepTime::NodeTime& nodeTime,
        bool serialises = true)
{
    GraphStepTime::Options options;
    options.resources.serialisesCollectives = serialises;
    options.partBandwidth = PartBandwidth::Links;
    GraphStepTime step(workload, topology, nodeTime, options);
    return 1000 * step.Evaluate(std::vector<double>(topology.GetNDimensions(), GIGABYTES));
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Training loops whose collectives have links of their own take the time that is predicted.
 */
class PredictedLoopsTestCase : public TestCase
{
  public:
    PredictedLoopsTestCase()
        : TestCase("Training loops take the time that their graphs predict")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string loop :
             {"no-overlap",
              "overlap",
              "forward-in-backward",
              "max(layers(forward + input-gradient), 2 weight-gradient) + forward"})
        {
            Check(loop);
        }
    }

    /// @param loop a formula; checks it
    void Check(const std::string& loop)
    {
        Diagnostics diagnostics;
        const std::string text =
            "a -1 500 ALLREDUCE 60000 300 ALLREDUCE 12000 200 ALLREDUCE 96000 0\n"
            "b -1 700 ALLGATHER 9000 900 NONE 0 100 REDUCESCATTER 48000 0\n"
            "c -1 10 ALLTOALL 30000 20 ALLREDUCE 36000 900 ALLREDUCE 12000 0\n";
        const auto workload =
            TextWorkloadReader(text, "w.txt", TextDialect::Libra, diagnostics).Read();
        const auto topology = MakeTopology("FullyConnected(3)_Switch(2)", RATE, 0);
        TextGraphOptions options;
        options.communicators = {{3, 1}, {3, 1}, {1, 2}};
        options.trainingLoop.emplace(loop);
        const auto graphs = MakeTextWorkload(workload, topology, options, diagnostics);
        diagnostics.ThrowIfErrors();
        const double predicted = Predict(*graphs, topology, [](uint32_t, const auto& node) {
            return static_cast<double>(node.durationPs) / 1000;
        });
        const auto report = RunCluster(topology, graphs, [](ClusterHelper& cluster) {
            cluster.SetCollectiveAttribute("Chunks", UintegerValue(1));
        });
        NS_TEST_ASSERT_MSG_EQ_TOL(static_cast<double>(report.finishTimePs),
                                  predicted,
                                  1e-6 * predicted,
                                  loop);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Steps of random transformer plans, with communicators that are queues and without: none is faster
 * than predicted, and what links that are shared and chunks that fill pipelines add is limited.
 */
class PredictedPlansTestCase : public TestCase
{
  public:
    PredictedPlansTestCase()
        : TestCase("Steps of random plans take the time that their graphs predict, or some more")
    {
    }

  private:
    void DoRun() override
    {
        const ComputeModel model(1e12, RATE * 20);
        std::mt19937 random(4);
        for (int i = 0; i < 80; ++i)
        {
            const PlanCase drawn = DrawPlanCase(random);
            const auto workload = std::make_shared<const ClusterWorkload>(
                TransformerGenerator(drawn.model, drawn.plan).Generate());
            const uint32_t nRanks = workload->GetNRanks();
            const auto topology =
                MakeTopology(nRanks % 2 == 0 ? "FC(2)_SW(" + std::to_string(nRanks / 2) + ")"
                                             : "SW(" + std::to_string(nRanks) + ")",
                             RATE,
                             0);
            const bool serialises = i % 2 == 0;
            const auto getTime = [&](uint32_t, const ExecutionNode& node) {
                return static_cast<double>(model.GetPicoseconds(node)) / 1000;
            };
            const double predicted = Predict(*workload, topology, getTime, serialises);
            const auto report = RunCluster(topology, workload, [&](ClusterHelper& cluster) {
                cluster.SetNpuAttribute("Roofline", BooleanValue(true));
                cluster.SetNpuAttribute("SerialiseCollectives", BooleanValue(serialises));
                cluster.SetNpuAttribute("PeakFlops", DoubleValue(1e12));
                cluster.SetNpuAttribute("MemoryBandwidth", DataRateValue(DataRate(RATE * 20)));
                cluster.SetCollectiveAttribute("Chunks", UintegerValue(16));
            });
            const double ratio = report.finishTimePs / predicted;
            NS_TEST_EXPECT_MSG_GT(ratio, 1 - 1e-6, drawn.Describe());
            NS_TEST_ASSERT_MSG_LT(ratio, 1.2, drawn.Describe());
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of predicted times.
 */
class GraphStepTestSuite : public TestSuite
{
  public:
    GraphStepTestSuite()
        : TestSuite("ml-cluster-graph-step", Type::UNIT)
    {
        AddTestCase(new PredictedLoopsTestCase);
        AddTestCase(new PredictedPlansTestCase);
    }
};

static GraphStepTestSuite g_graphStepTestSuite; ///< registers the suite
