/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Designs of networks, simulated: parts of their times against closed forms, and refinement.

#include "test-tools.h"

#include "ns3/closed-loop-tables.h"
#include "ns3/closed-loop.h"
#include "ns3/collective-traffic.h"
#include "ns3/config.h"
#include "ns3/design-simulation.h"
#include "ns3/diagnostics.h"
#include "ns3/experiment-attributes.h"
#include "ns3/run-control.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <algorithm>
#include <csignal>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t BYTES = 64 << 20;
constexpr double NS_TOLERANCE = 0.01;

/// @param notation of a topology @param chunks a collective is cut into
/// @return one all-reduce there, 500 ns per link
ExperimentConfig
MakeExperiment(const std::string& notation, uint32_t chunks)
{
    UsePicoseconds();
    ExperimentConfig config;
    config.dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : config.dimensions)
    {
        dimension.latencyPs = 500000;
    }
    config.collective = CollectiveType::AllReduce;
    config.collectiveBytes = BYTES;
    config.backends = {"analytical", "packet"};
    config.attributes = {
        {MODULE_PREFIX + "CollectivePlanner::Chunks", std::to_string(chunks)},
        {MODULE_PREFIX + "AnalyticalChannel::Granularity", "Phase"},
    };
    return config;
}

/// @return the least of the experiment's time, for a given shape of the network
std::function<double(const std::vector<double>&)>
MakePrediction(const std::vector<uint32_t>& sizes)
{
    const auto bytes = GetCollectiveTraffic(CollectiveType::AllReduce, BYTES, sizes);
    return [bytes](const std::vector<double>& bandwidths) {
        double time = 0;
        for (std::size_t d = 0; d < bytes.size(); ++d)
        {
            time = std::max(time, bytes[d] / bandwidths[d]);
        }
        return time;
    };
}

/// Arguments of a main. @param more arguments behind the name
struct Arguments
{
    explicit Arguments(const std::vector<std::string>& more = {})
        : texts{"test"}
    {
        texts.insert(texts.end(), more.begin(), more.end());
        for (auto& text : texts)
        {
            argv.push_back(text.data());
        }
    }

    std::vector<std::string> texts; ///< each
    std::vector<char*> argv;        ///< likewise
};

} // namespace

/**
 * @ingroup ml-cluster-tests
 * An all-reduce on one ring: c chunks take 14 latencies each, and bytes over bandwidth; chunks cost
 * nothing else. On two dimensions without latency c chunks take (1 + k / c) times the prediction:
 * what chunks are said to cost is what a run with very many of them saves, but for messages rounded
 * up.
 */
class TimeApartCase : public TestCase
{
  public:
    TimeApartCase()
        : TestCase("simulated times taken apart")
    {
    }

  private:
    void DoRun() override
    {
        Arguments main;
        const double seconds = MakePrediction({8})({50});
        for (const uint32_t chunks : {1, 4, 16})
        {
            const DesignSimulation ring(MakeExperiment("Ring(8)", chunks), 1, main.argv.data());
            const auto step = ring.Explain({50});
            NS_TEST_ASSERT_MSG_EQ(step.has_value(), true, "it ends");
            NS_TEST_EXPECT_MSG_EQ_TOL(step->parts.rest, seconds, NS_TOLERANCE, "bytes");
            NS_TEST_EXPECT_MSG_EQ_TOL(step->parts.latency, 7000.0 * chunks, NS_TOLERANCE, chunks);
            NS_TEST_EXPECT_MSG_EQ_TOL(step->parts.chunks, 0, NS_TOLERANCE, "one dimension");
            NS_TEST_EXPECT_MSG_EQ_TOL(step->time, seconds + 7000.0 * chunks, NS_TOLERANCE, "all");
            NS_TEST_EXPECT_MSG_EQ_TOL(step->busy[0], seconds, NS_TOLERANCE, "links");
            NS_TEST_ASSERT_MSG_EQ(step->collectives.size(), 1, "collectives");
            const auto& kind = step->collectives[0];
            NS_TEST_EXPECT_MSG_EQ(kind.count, 1, "once");
            NS_TEST_EXPECT_MSG_EQ(kind.bytes, BYTES, "size");
            NS_TEST_EXPECT_MSG_EQ_TOL(kind.time, step->time, NS_TOLERANCE, "lone collective");
            NS_TEST_EXPECT_MSG_EQ_TOL(kind.parts.rest, seconds, NS_TOLERANCE, "its bytes");
        }
        const std::vector<double> bandwidths{48, 12};
        const DesignSimulation two(MakeExperiment("Ring(4)_Switch(4)", 16), 1, main.argv.data());
        const DesignSimulation many(MakeExperiment("Ring(4)_Switch(4)", 4096), 1, main.argv.data());
        const auto step = two.Explain(bandwidths, "baseline");
        const auto limit = many.Explain(bandwidths, "baseline");
        NS_TEST_EXPECT_MSG_GT(step->parts.chunks, 0.01 * step->time, "a pipeline");
        NS_TEST_EXPECT_MSG_EQ_TOL(step->parts.rest / limit->parts.rest, 1, 1e-4, "the limit");
        NS_TEST_EXPECT_MSG_EQ_TOL(limit->parts.chunks / step->parts.chunks,
                                  1. / 256,
                                  5e-4,
                                  "1 / c");
        NS_TEST_EXPECT_MSG_EQ_TOL(limit->parts.rest / MakePrediction({4, 4})(bandwidths),
                                  1,
                                  1e-4,
                                  "prediction");
        Config::Reset();
    }
};

/**
 * @ingroup ml-cluster-tests
 * Bandwidths that are no whole GB/s keep their bits; the command line's attributes win over the
 * experiment's and schedulers over both; bandwidths of another number and unknown schedulers are
 * refused; a signal ends it.
 */
class SettingsCase : public TestCase
{
  public:
    SettingsCase()
        : TestCase("bandwidths, schedulers and attributes of simulated designs")
    {
    }

  private:
    void DoRun() override
    {
        Arguments main({"--" + MODULE_PREFIX + "CollectivePlanner::Chunks=2"});
        const ExperimentConfig config = MakeExperiment("Switch(8)", 64);
        const DesignSimulation simulation(config, 2, main.argv.data());
        const double odd = 1000. / 7;
        const auto step = simulation.Run({odd});
        NS_TEST_EXPECT_MSG_EQ_TOL(step->time,
                                  MakePrediction({8})({odd}) + 2 * 12 * 500,
                                  1,
                                  "2 chunks at that rate");
        const DesignSimulation unused(MakeExperiment("Switch(8)_Ring(1)", 2), 1, main.argv.data());
        NS_TEST_EXPECT_MSG_EQ(unused.Run({odd, 0})->time, step->time, "nothing is sent there");
        const DesignSimulation two(MakeExperiment("Ring(4)_Switch(4)", 16), 1, main.argv.data());
        NS_TEST_EXPECT_MSG_LT(two.Run({10, 90}, "themis")->time,
                              0.9 * two.Run({10, 90}, "baseline")->time,
                              "schedulers");
        const auto refuse = [&](const std::vector<double>& bandwidths,
                                const std::string& scheduler) {
            try
            {
                two.Run(bandwidths, scheduler);
            }
            catch (const InputError& error)
            {
                return std::string(error.what());
            }
            return std::string();
        };
        NS_TEST_EXPECT_MSG_EQ(refuse({1, 2, 3}, ""), "3 bandwidths are given for 2 dimensions", "");
        NS_TEST_EXPECT_MSG_NE(refuse({1, 0}, "").find("later than time can be counted"),
                              std::string::npos,
                              "1 bit/s");
        NS_TEST_EXPECT_MSG_NE(refuse({1, 2}, "themes").find("themes"),
                              std::string::npos,
                              "unknown scheduler");
        const int status = GuardMain([&] {
            std::raise(SIGTERM);
            NS_TEST_EXPECT_MSG_EQ(simulation.Explain({odd}).has_value(), false, "interrupted");
            return 0;
        });
        NS_TEST_EXPECT_MSG_EQ(status, 128 + SIGTERM, "exit status");
        Simulator::Destroy();
        Config::Reset();
    }
};

/**
 * @ingroup ml-cluster-tests
 * Two networks beside each other, and refinement from the worse: the simulated step gets shorter,
 * never leaves the total, and is that of a run with the bandwidths found.
 */
class ClosedLoopCase : public TestCase
{
  public:
    ClosedLoopCase()
        : TestCase("networks compared and refined")
    {
    }

  private:
    void DoRun() override
    {
        Arguments main;
        const ExperimentConfig config = MakeExperiment("Ring(4)_Switch(4)", 16);
        const auto predict = MakePrediction({4, 4});
        using Combination = WorkloadDesign::Combination;
        ClosedLoop loop({{"one", config, predict, 1}}, Combination::Sum, 1, main.argv.data());
        const bool hasRun =
            loop.Run({{"equal", {30, 30}}, {"optimised", {48, 12}}}, {"baseline", "themis"});
        NS_TEST_ASSERT_MSG_EQ(hasRun, true, "no signal");
        NS_TEST_ASSERT_MSG_EQ(loop.GetRows().size(), 4, "networks times schedulers");
        const auto& equal = loop.GetRows()[0];
        const auto& optimised = loop.GetRows()[2];
        NS_TEST_EXPECT_MSG_EQ(optimised.scheduler, "baseline", "order");
        NS_TEST_EXPECT_MSG_EQ_TOL(optimised.predictedGain, 1.6, 1e-12, "48 over 30");
        NS_TEST_EXPECT_MSG_EQ_TOL(optimised.simulatedGain,
                                  equal.step.time / optimised.step.time,
                                  1e-12,
                                  "by the same scheduler");
        NS_TEST_EXPECT_MSG_GT(optimised.simulatedGain, 1.4, "confirmed");
        NS_TEST_EXPECT_MSG_EQ_TOL(optimised.GetUnexplained() / optimised.predicted,
                                  0,
                                  1e-6,
                                  "none");
        NS_TEST_EXPECT_MSG_EQ_TOL(optimised.GetDifference() * optimised.predicted,
                                  optimised.step.parts.latency + optimised.step.parts.chunks,
                                  10,
                                  "all explained");

        BandwidthProblem problem(2);
        problem.Constrain("total = 60");
        BandwidthRefiner::Options options;
        options.mostTrials = 40;
        ClosedLoop both({{"one", config, predict, 1}, {"other", config, predict, 2}},
                        Combination::Sum,
                        1,
                        main.argv.data());
        const auto result = both.Refine(problem, {30, 30}, "baseline", options);
        NS_TEST_EXPECT_MSG_EQ_TOL(result.trials[0].time, 3 * equal.step.time, NS_TOLERANCE, "sum");
        NS_TEST_EXPECT_MSG_LT(result.best.time, 3 * optimised.step.time, "better than the model");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.best.bandwidths[0] + result.best.bandwidths[1],
                                  60,
                                  1e-9,
                                  "total");
        const DesignSimulation simulation(config, 1, main.argv.data());
        NS_TEST_EXPECT_MSG_EQ_TOL(simulation.Run(result.best.bandwidths, "baseline")->time,
                                  result.best.time / 3,
                                  NS_TOLERANCE,
                                  "the same again");
        ClosedLoop worst({{"one", config, predict, 1}, {"other", config, predict, 2}},
                         Combination::Worst,
                         1,
                         main.argv.data());
        options.mostTrials = 1;
        const auto largest = worst.Refine(problem, {30, 30}, "baseline", options);
        NS_TEST_EXPECT_MSG_EQ_TOL(largest.best.time, 2 * equal.step.time, NS_TOLERANCE, "worst");
        CheckTables(loop, result);
        Config::Reset();
    }

    /// @param loop that has run @param result of refinement; expects their tables
    void CheckTables(const ClosedLoop& loop, const BandwidthRefiner::Result& result)
    {
        std::ostringstream steps;
        WriteSimulatedSteps(steps, loop);
        const std::string csv = steps.str();
        NS_TEST_EXPECT_MSG_EQ(std::count(csv.begin(), csv.end(), '\n'), 5, csv);
        NS_TEST_EXPECT_MSG_EQ(csv.find("workload,network,scheduler,predicted_ns,"), 0, csv);
        std::ostringstream collectives;
        PrintSimulatedCollectives(collectives, loop);
        NS_TEST_EXPECT_MSG_NE(collectives.str().find("all-reduce"), std::string::npos, "kinds");
        NS_TEST_EXPECT_MSG_NE(collectives.str().find("b2 busy(%)"), std::string::npos, "links");
        std::ostringstream trials;
        WriteRefinement(trials, result);
        const std::string lines = trials.str();
        NS_TEST_EXPECT_MSG_EQ(std::count(lines.begin(), lines.end(), '\n'),
                              static_cast<int64_t>(result.trials.size()) + 1,
                              lines);
        std::ostringstream summary;
        PrintRefinement(summary, result);
        NS_TEST_EXPECT_MSG_NE(summary.str().find(" simulations, "), std::string::npos, "summary");
        std::ostringstream nothing;
        PrintRefinement(nothing, {});
        NS_TEST_EXPECT_MSG_EQ(nothing.str(), "", "no trial");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Simulated designs.
 */
class ClosedLoopTestSuite : public TestSuite
{
  public:
    ClosedLoopTestSuite()
        : TestSuite("ml-cluster-closed-loop", Type::SYSTEM)
    {
        AddTestCase(new TimeApartCase);
        AddTestCase(new SettingsCase);
        AddTestCase(new ClosedLoopCase);
    }
};

/// The suite.
static ClosedLoopTestSuite g_closedLoopTestSuite;
