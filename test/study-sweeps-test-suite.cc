/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/config.h"
#include "ns3/experiment-study.h"
#include "ns3/study-matrices.h"
#include "ns3/study-tables.h"
#include "ns3/test.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

const std::string BASELINE = "baseline";

/// @param folder of a study @param choice what to run @param schedulers by which; none: the
/// study's @return it, has run
ExperimentStudy
RunStudy(const std::string& folder,
         ExperimentStudy::Choice choice = {},
         const std::vector<std::string>& schedulers = {BASELINE})
{
    UsePicoseconds();
    Diagnostics diagnostics;
    ExperimentStudy study(folder, diagnostics);
    diagnostics.ThrowIfErrors();
    std::string name = "test";
    char* argv[] = {name.data()};
    choice.schedulers = schedulers;
    study.Run(choice, 1, argv);
    Config::Reset();
    return study;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * A study with references, a sweep, variants and statements. Expectation: speed-ups are ratios of
 * times, parts add up to them, a point of the sweep takes the time of the line that says the same,
 * and tables and CSV have them.
 */
class SweepsCase : public TestCase
{
  public:
    SweepsCase()
        : TestCase("sweeps, variants, statements")
    {
    }

  private:
    void DoRun() override
    {
        const std::filesystem::path folder = CreateTempDirFilename("sweeps");
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "base.yaml") << R"(
cluster:
  topology: Switch(4)
  bandwidth: 100GB/s
  latency: 500ns
  npu: {roofline: true, peak-flops: 100TFLOPS, memory-bandwidth: 1TB/s}
  memory: {latency: 500ns, bandwidth: 50GB/s}
workload:
  remote-moe: {parameters: 1000000000, layers: 4, tokens: 1024}
collectives: {serialise: true}
backends: {run: analytical}
)";
        std::ofstream(folder / "systems.csv")
            << "system,reference,cluster.memory.bandwidth,cluster.bandwidth\n"
            << "slow,,,\nfast,slow,100GB/s,\npair,,100GB/s,200GB/s\n"
            << "sweep,slow,50GB/s|100GB/s,100GB/s|200GB/s\nline,,50GB/s|100GB/s,\n";
        std::ofstream(folder / "variants.csv")
            << "variant,systems,workload.remote-moe.serial,workload.remote-moe.tokens,"
               "workload.remote-moe.optimizer-bytes,workload.remote-moe.optimizer-location\n"
            << "serial,slow fast,true,,14,local\nfew,fast,,64,,\n";
        std::ofstream(folder / "statements.csv")
            << "statement,quantity,system,scheduler,least,most,source\n"
            << "it is faster,ratio,slow/fast,baseline,1.001,,us\n"
            << "it is slower,ratio,slow/fast,baseline,,0.999,us\n"
            << "shares,compute-share,slow:serial,baseline,0,100,us\n"
            << "lead,communication-lead,slow:serial,baseline,0.001,0.999,us\n"
            << "waits,exposed-ratio,slow:serial/fast:serial,baseline,1.5,2,us\n"
            << "unknown,ratio,slow/none,baseline,1,,us\n";
        const auto study = RunStudy(folder.string());
        CheckRows(study);
        CheckTables(study);
        const std::string error = GetErrorOf([&] { RunStudy(folder.string(), {{"sweeps"}}); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "did you mean sweep?; allowed are slow, fast"),
                              true,
                              error);
        CheckChoice(folder.string());
    }

    /// @param study that has run
    void CheckRows(const ExperimentStudy& study)
    {
        std::map<std::string, ExperimentStudy::Row> rows;
        for (const auto& row : study.GetRows())
        {
            rows[row.system] = row;
            const double parts = row.computePs + row.exposedPs + row.remotePs + row.localPs +
                                 row.hostPs + row.idlePs;
            NS_TEST_EXPECT_MSG_EQ_TOL(parts, static_cast<double>(row.timePs), 1, row.system);
        }
        NS_TEST_ASSERT_MSG_EQ(rows.size(), 3 + 4 + 2 + 2 + 1, "systems");
        const auto getTime = [&](const std::string& system) {
            return static_cast<double>(rows.at(system).timePs);
        };
        const auto expect = [&](const std::string& system, const std::string& reference) {
            NS_TEST_EXPECT_MSG_EQ_TOL(rows.at(system).overReference,
                                      getTime(reference) / getTime(system),
                                      1e-12,
                                      system);
        };
        expect("fast", "slow");
        expect("fast:serial", "slow:serial");
        expect("fast:few", "slow");
        expect("sweep@100GB/s@200GB/s", "slow");
        NS_TEST_EXPECT_MSG_EQ(rows.at("slow").overReference, 0, "has none");
        NS_TEST_EXPECT_MSG_EQ(getTime("sweep@50GB/s@100GB/s"), getTime("slow"), "as the line");
        NS_TEST_EXPECT_MSG_EQ(getTime("sweep@100GB/s@100GB/s"), getTime("fast"), "as the line");
        NS_TEST_EXPECT_MSG_EQ(getTime("sweep@100GB/s@200GB/s"), getTime("pair"), "as the line");
        NS_TEST_EXPECT_MSG_EQ(getTime("line@100GB/s"), getTime("fast"), "as the line");
        NS_TEST_EXPECT_MSG_GT(getTime("slow:serial"), getTime("slow"), "nothing overlaps");
        // 2 x 14 bytes of a fourth of 10^9 parameters at 1 TB/s
        NS_TEST_EXPECT_MSG_EQ_TOL(rows.at("slow:serial").localPs, 7e9, 1e6, "local memory");
        const auto& serial = rows.at("slow:serial");
        NS_TEST_EXPECT_MSG_EQ_TOL(study.GetOurs({"compute-share", "slow:serial", BASELINE}),
                                  100 * serial.computePs / static_cast<double>(serial.timePs),
                                  1e-9,
                                  "share");
        NS_TEST_EXPECT_MSG_EQ_TOL(study.GetOurs({"remote-memory-share", "slow:serial", BASELINE}),
                                  100 * serial.remotePs / static_cast<double>(serial.timePs),
                                  1e-9,
                                  "share");
        NS_TEST_EXPECT_MSG_EQ_TOL(study.GetOurs({"communication-lead", "slow:serial", BASELINE}),
                                  serial.exposedPs / serial.remotePs,
                                  1e-9,
                                  "lead");
        const auto& fast = rows.at("fast:serial");
        NS_TEST_EXPECT_MSG_EQ_TOL(
            study.GetOurs({"exposed-ratio", "slow:serial/fast:serial", BASELINE}),
            (static_cast<double>(serial.timePs) - serial.computePs) /
                (static_cast<double>(fast.timePs) - fast.computePs),
            1e-9,
            "times without compute");
    }

    /// @param study that has run
    void CheckTables(const ExperimentStudy& study)
    {
        std::ostringstream os;
        PrintStudyBreakdown(os, study);
        PrintStudyMatrices(os, study);
        PrintStudyStatements(os, study);
        for (const std::string part :
             {"Where time goes",
              "sweep: speed-up over slow, baseline; down bandwidth, across bandwidth",
              "line: time us, baseline; down bandwidth\n",
              "Variants: speed-up over the reference, or time us, baseline",
              "as it is",
              "does not hold",
              "was not run"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(os.str(), part), true, part << " in " << os.str());
        }
        std::ostringstream csv;
        WriteStudyRuns(csv, study);
        std::vector<std::string> lines;
        std::istringstream all(csv.str());
        for (std::string line; std::getline(all, line);)
        {
            lines.push_back(line);
        }
        NS_TEST_ASSERT_MSG_EQ(lines.size(), study.GetRows().size() + 1, csv.str());
        for (const auto& line : lines)
        {
            NS_TEST_EXPECT_MSG_EQ(std::count(line.begin(), line.end(), ','),
                                  std::count(lines[0].begin(), lines[0].end(), ','),
                                  line);
        }
    }

    /// @param folder of the study
    void CheckChoice(const std::string& folder)
    {
        ExperimentStudy::Choice choice;
        choice.systems = {"slow", "sweep@50GB/s@100GB/s", "fast"};
        choice.variants = {"base", "few"};
        NS_TEST_EXPECT_MSG_EQ(RunStudy(folder, choice).GetRows().size(),
                              4,
                              "slow, fast, fast:few, a point");
        choice.systems = {"slow"};
        choice.variants = {"base"};
        NS_TEST_EXPECT_MSG_EQ(RunStudy(folder, choice, {}).GetRows().size(),
                              1,
                              "by the scheduler of the statements only");
        choice.variants = {"fewer"};
        const std::string error = GetErrorOf([&] { RunStudy(folder, choice); });
        NS_TEST_EXPECT_MSG_EQ(
            Contains(error, "\"fewer\" is no variant, did you mean few?; allowed are base, serial"),
            true,
            error);
    }
};

/**
 * @ingroup ml-cluster-tests
 * The shipped case of disaggregated memory. Expectation: with nothing overlapping the speed-ups
 * that were worked out apart, with a collective of W bytes at B in 2 us + 255/256 W / B; the
 * baseline pool slower than memories of NPUs by the fill of its pipeline only; faster
 * points of the sweep faster.
 */
class DisaggregatedMemoryCase : public TestCase
{
  public:
    DisaggregatedMemoryCase()
        : TestCase("disaggregated memory")
    {
    }

  private:
    void DoRun() override
    {
        ExperimentStudy::Choice choice;
        choice.systems = {"z-100",
                          "h0-100",
                          "h1-100",
                          "z-256",
                          "h0-256",
                          "h1-256",
                          "sweep-100@100GB/s@256GB/s",
                          "sweep-100@500GB/s@512GB/s",
                          "sweep-100@500GB/s@2048GB/s"};
        choice.variants = {"base", "serial", "serial-512-tokens", "serial-optimizer"};
        const auto study = RunStudy("studies/disaggregated-memory", choice);

        const struct
        {
            std::string variant;
            double by100;
            double by256;
        } serial[] = {{":serial", 3.42, 2.28},
                      {":serial-512-tokens", 4.43, 2.86},
                      {":serial-optimizer", 4.24, 3.68}};

        const auto ratio = [&](const std::string& a, const std::string& b) {
            return study.GetOurs({"ratio", a + "/" + b, BASELINE});
        };
        for (const auto& [variant, by100, by256] : serial)
        {
            const double first = ratio("z-100" + variant, "h1-100" + variant);
            const double second = ratio("z-256" + variant, "h1-256" + variant);
            NS_TEST_EXPECT_MSG_EQ_TOL(first, by100, 0.006, variant);
            NS_TEST_EXPECT_MSG_EQ_TOL(second, by256, 0.006, variant);
        }
        for (const std::string variant : {"", ":serial", ":serial-512-tokens"})
        {
            for (const std::string network : {"-100", "-256"})
            {
                const double slower = ratio("h0" + network + variant, "z" + network + variant);
                NS_TEST_EXPECT_MSG_GT(slower, 0.99999, "more hops");
                NS_TEST_EXPECT_MSG_LT(slower, 1.003, "fill of the pipeline");
            }
        }
        CheckSweep(study);
    }

    /// @param study that has run
    void CheckSweep(const ExperimentStudy& study)
    {
        std::map<std::string, ExperimentStudy::Row> rows;
        for (const auto& row : study.GetRows())
        {
            rows[row.system] = row;
        }
        NS_TEST_EXPECT_MSG_EQ(rows.at("sweep-100@500GB/s@512GB/s").timePs,
                              rows.at("h1-100").timePs,
                              "as the line");
        const double slow = rows.at("sweep-100@100GB/s@256GB/s").overReference;
        const double middle = rows.at("h1-100").overReference;
        const double fast = rows.at("sweep-100@500GB/s@2048GB/s").overReference;
        NS_TEST_EXPECT_MSG_GT(slow, 1, "a faster fabric than the network");
        NS_TEST_EXPECT_MSG_LT(slow, 256.0 / 100, "of collectives at most");
        NS_TEST_EXPECT_MSG_GT(middle, slow, "faster");
        NS_TEST_EXPECT_MSG_GT(fast, middle, "faster");
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of what tables of systems and variants can say.
 */
class StudySweepsTestSuite : public TestSuite
{
  public:
    StudySweepsTestSuite()
        : TestSuite("ml-cluster-study-sweeps", Type::SYSTEM)
    {
        AddTestCase(new SweepsCase);
        AddTestCase(new DisaggregatedMemoryCase);
    }
};

static StudySweepsTestSuite g_studySweepsTestSuite; ///< registers it
