/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Themis' and ASTRA-sim 2.0's published figures, through the program's own study.

#include "test-tools.h"

#include "ns3/config.h"
#include "ns3/diagnostics.h"
#include "ns3/experiment-study.h"
#include "ns3/study-tables.h"
#include "ns3/test.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

const std::string BASELINE = "baseline";
const std::string FIFO = "themis";
const std::string SMALLEST = "themis/smallest-first";
constexpr uint64_t MIB = 1 << 20;

/// A study that has run.
ExperimentStudy
RunStudy(const std::string& folder,
         const std::vector<uint64_t>& sizes,
         const std::vector<uint32_t>& chunks,
         const std::vector<std::string>& schedulers,
         const std::vector<std::string>& systems = {})
{
    UsePicoseconds();
    Diagnostics diagnostics;
    ExperimentStudy study(folder, diagnostics);
    diagnostics.ThrowIfErrors();
    std::string name = "test";
    char* argv[] = {name.data()};
    study.Run({systems, schedulers, sizes, chunks}, 1, argv);
    Config::Reset();
    return study;
}

/// Our time of a system by a scheduler, us.
double
GetTime(const ExperimentStudy& study, const std::string& system, const std::string& scheduler)
{
    return study.GetOurs({"time", system, scheduler});
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * The systems of the Themis paper at 1 GiB: utilisations within half a point for the baseline, 2.5
 * points for first come, first served (ties decide there), and not a point below for smallest
 * first; speed-ups over sizes within 3 %.
 */
class ThemisSystemsCase : public TestCase
{
  public:
    ThemisSystemsCase()
        : TestCase("systems of the Themis paper")
    {
    }

  private:
    void DoRun() override
    {
        const std::string folder = "studies/themis";
        const auto own = RunStudy(folder, {}, {}, {BASELINE, FIFO, SMALLEST});

        const struct
        {
            const char* system;
            double baseline;
            double fifo;
            double smallest;
        } rows[] = {{"2d-sw-sw", 63.9, 88.4, 97.7},
                    {"3d-hetero", 60.9, 98.0, 97.2},
                    {"3d-fc-ring-sw", 61.5, 79.6, 95.7},
                    {"4d-ring-sw-sw-sw", 55.5, 92.1, 94.9}};

        for (const auto& row : rows)
        {
            const auto ours = [&](const std::string& scheduler) {
                return own.GetOurs({"utilisation", row.system, scheduler});
            };
            NS_TEST_EXPECT_MSG_EQ_TOL(ours(BASELINE), row.baseline, 0.5, row.system);
            NS_TEST_EXPECT_MSG_EQ_TOL(ours(FIFO), row.fifo, 2.5, row.system);
            NS_TEST_EXPECT_MSG_GT(ours(SMALLEST), row.smallest - 1, row.system);
            NS_TEST_EXPECT_MSG_LT(ours(SMALLEST), 100, row.system);
        }
        const auto sizes =
            RunStudy(folder, {100 * MIB, 550 * MIB, 1000 * MIB}, {}, {BASELINE, SMALLEST});
        NS_TEST_EXPECT_MSG_EQ(sizes.GetRows().size(), 6 * 3 * 2, "runs");
        const double mean = sizes.GetOurs({"mean-speed-up", "all", SMALLEST});
        const double largest = sizes.GetOurs({"max-speed-up", "all", SMALLEST});
        NS_TEST_EXPECT_MSG_EQ_TOL(mean, 1.72, 0.03 * 1.72, "published mean");
        NS_TEST_EXPECT_MSG_EQ_TOL(largest, 2.70, 0.03 * 2.70, "published maximum");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Figure 10 of the Themis paper, 3D hetero: the baseline is flat, smallest first needs chunks.
 */
class ThemisChunksCase : public TestCase
{
  public:
    ThemisChunksCase()
        : TestCase("number of chunks")
    {
    }

  private:
    void DoRun() override
    {
        const auto study = RunStudy("studies/themis-chunks",
                                    {},
                                    {4, 8, 16, 32, 64, 128, 256, 512},
                                    {BASELINE, SMALLEST});
        for (const auto& row : study.GetRows())
        {
            const double percent = 100 * row.utilisation;
            if (row.scheduler == BASELINE)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(percent, 60, 1, "flat within 2 points");
            }
            else if (row.chunks == 4)
            {
                NS_TEST_EXPECT_MSG_LT(percent, 65, "too few chunks");
            }
            else if (row.chunks >= 64)
            {
                NS_TEST_EXPECT_MSG_GT(percent, 90, row.chunks << " chunks");
            }
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * Case study A of ASTRA-sim 2.0: times of its public code for the baseline within 0.5 %, by Themis
 * not more than 0.5 % slower; on-wafer scaling is best at 2048 NPUs.
 */
class WaferScaleCase : public TestCase
{
  public:
    WaferScaleCase()
        : TestCase("wafer scale")
    {
    }

  private:
    void DoRun() override
    {
        const auto systems = RunStudy("studies/wafer-scale", {}, {}, {BASELINE, SMALLEST});
        const std::pair<const char*, double> baseline[] = {{"w-1d-300", 6659.3},
                                                           {"w-1d-350", 5709.1},
                                                           {"w-1d-500", 3998.3},
                                                           {"w-1d-600", 3332.5},
                                                           {"w-2d", 7754.8},
                                                           {"conv-3d", 9383.2}};
        for (const auto& [system, microseconds] : baseline)
        {
            const double ours = GetTime(systems, system, BASELINE);
            NS_TEST_EXPECT_MSG_EQ_TOL(ours, microseconds, 0.005 * microseconds, system);
        }
        NS_TEST_EXPECT_MSG_LT(GetTime(systems, "w-2d", SMALLEST), 1.005 * 4007.0, "w-2d");
        NS_TEST_EXPECT_MSG_LT(GetTime(systems, "conv-3d", SMALLEST), 1.005 * 5831.8, "conv-3d");

        const auto scaling = RunStudy("studies/scaling", {}, {}, {BASELINE});
        const double ratio = scaling.GetOurs({"ratio", "base-0512/wafer-2048", BASELINE});
        NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 2.51, 0.01, "published speed-up, 2.50 by bandwidth alone");
        const double best = GetTime(scaling, "wafer-2048", BASELINE);
        for (const auto& row : scaling.GetRows())
        {
            NS_TEST_EXPECT_MSG_GT(1 + GetTime(scaling, row.system, BASELINE),
                                  1 + best * 0.9999,
                                  "2048 NPUs are best: " << row.system);
        }
        NS_TEST_EXPECT_MSG_GT(GetTime(scaling, "wafer-4096", BASELINE), 1.05 * best, "4096 slower");
    }
};

/**
 * @ingroup ml-cluster-tests
 * Iterations of two layers of transformers, which no figure was fitted to: times within 0.1 %,
 * whose largest part are the latencies of steps (1 ns a link here, more in the old code); speed-ups
 * that the Themis paper gives within 1.5 %, as figures read off a picture can be had.
 */
class IterationsCase : public TestCase
{
  public:
    IterationsCase()
        : TestCase("iterations")
    {
    }

  private:
    void DoRun() override
    {
        const auto study = RunStudy("studies/gpt3-iteration",
                                    {},
                                    {},
                                    {BASELINE, SMALLEST},
                                    {"gpt3-w-1d-500",
                                     "gpt3-w-1d-500-overlapped",
                                     "gpt3-w-2d",
                                     "gpt3-conv-3d",
                                     "t1t-w-2d",
                                     "dlrm-w-2d"});

        const struct
        {
            const char* system;
            double baseline;
            double smallest;
            double tolerance;
        } rows[] = {{"gpt3-w-1d-500", 275508, 275508, 0.001},
                    {"gpt3-w-2d", 312122, 312093, 0.001},
                    {"gpt3-conv-3d", 336142, 334239, 0.001},
                    {"t1t-w-2d", 135801, 99521, 0.001},
                    {"dlrm-w-2d", 1703.7, 1309.5, 0.01}};

        for (const auto& [system, baseline, smallest, tolerance] : rows)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(GetTime(study, system, BASELINE),
                                      baseline,
                                      tolerance * baseline,
                                      system);
            NS_TEST_EXPECT_MSG_EQ_TOL(GetTime(study, system, SMALLEST),
                                      smallest,
                                      tolerance * smallest,
                                      system);
        }
        const double overlapped = GetTime(study, "gpt3-w-1d-500-overlapped", BASELINE);
        NS_TEST_EXPECT_MSG_EQ_TOL(overlapped, 262172.6, 0.1, "ours, of the public loop");

        const auto speedUps = RunStudy("studies/themis-iterations",
                                       {},
                                       {},
                                       {},
                                       {"t1t-2d-sw-sw", "t1t-3d-homo", "dlrm-3d-homo"});
        for (const auto& figure : speedUps.GetPublished())
        {
            const double ours = speedUps.GetOurs(figure);
            if (!std::isnan(ours))
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(ours, figure.value, 0.015 * figure.value, figure.system);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(speedUps.GetRows().size(), 6, "three systems, two schedulers");
        std::ostringstream os;
        PrintStudyFigures(os, speedUps);
        NS_TEST_EXPECT_MSG_EQ(
            Contains(os.str(), "... 10 more published figures are of runs that were not made\n"),
            true,
            os.str());
    }
};

/**
 * @ingroup ml-cluster-tests
 * The golden test of a public tutorial: 1 GiB on three switches of eight, 50 GiB/s each; and what a
 * study refuses.
 */
class GoldenCase : public TestCase
{
  public:
    GoldenCase()
        : TestCase("golden test, refusals")
    {
    }

  private:
    void DoRun() override
    {
        const std::filesystem::path folder = CreateTempDirFilename("study");
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "pod.yaml") << R"(
cluster:
  topology: Switch(8)_Switch(8)_Switch(8)
  bandwidth: 50GiB/s
  latency: 1ns
  npu: {endpoint-delay: 10ns}
workload:
  collective: {type: all-reduce, bytes: 1GiB}
collectives:
  chunks: 64
backends:
  run: [analytical]
  analytical: {granularity: Phase}
)";
        const auto study = RunStudy(folder.string(), {}, {}, {BASELINE, SMALLEST});
        const double baseline = GetTime(study, "pod", BASELINE);
        NS_TEST_EXPECT_MSG_EQ_TOL(baseline, 35008.129, 35.0, "within 0.1 %");
        NS_TEST_EXPECT_MSG_GT(GetTime(study, "pod", SMALLEST), 13307.292, "ideal");
        NS_TEST_EXPECT_MSG_LT(GetTime(study, "pod", SMALLEST), 13650, "published 13635.871");

        const auto errorOf = [&](const std::string& path, const std::string& scheduler) {
            return GetErrorOf([&] { RunStudy(path, {}, {}, {scheduler}); });
        };
        NS_TEST_EXPECT_MSG_EQ(Contains(errorOf("no-folder", BASELINE), "no folder"),
                              true,
                              "folder");
        NS_TEST_EXPECT_MSG_EQ(Contains(errorOf(folder.string(), "temis"), "did you mean themis"),
                              true,
                              "scheduler");
        NS_TEST_EXPECT_MSG_EQ(Contains(errorOf(folder.string(), "themis/lifo"), "queue policy"),
                              true,
                              "queue policy");
        const std::string system =
            GetErrorOf([&] { RunStudy(folder.string(), {}, {}, {BASELINE}, {"pot"}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(system, "did you mean pod"), true, system);
        const std::string sizes =
            GetErrorOf([&] { RunStudy("studies/gpt3-iteration", {MIB}, {}, {BASELINE}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(sizes, "sizes are those of lone collectives"), true, sizes);
        std::ofstream(folder / "published.csv") << "quantity,system,scheduler,value,source\n"
                                                << "speed,pod,baseline,1,us\n"
                                                << "time,pod,baseline,17,us\n"
                                                << "ratio,pod,baseline,1,us\n"
                                                << "time,pod\n";
        const std::string error = errorOf(folder.string(), BASELINE);
        for (const std::string part : {"published.csv:2",
                                       "\"speed\" is no quantity",
                                       ":3",
                                       "'17'",
                                       ":4",
                                       "no ratio",
                                       ":5",
                                       "2 cells"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, part << " in " << error);
        }
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of ExperimentStudy and of what is published on chunk schedulers.
 */
class ExperimentStudyTestSuite : public TestSuite
{
  public:
    ExperimentStudyTestSuite()
        : TestSuite("ml-cluster-experiment-study", Type::SYSTEM)
    {
        AddTestCase(new ThemisSystemsCase);
        AddTestCase(new ThemisChunksCase);
        AddTestCase(new WaferScaleCase);
        AddTestCase(new IterationsCase);
        AddTestCase(new GoldenCase);
    }
};

/// The suite.
static ExperimentStudyTestSuite g_experimentStudyTestSuite;
