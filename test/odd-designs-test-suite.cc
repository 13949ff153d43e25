/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Designs of odd workloads and constraints, and such as are interrupted.

#include "design-files.h"

#include "ns3/design-writer.h"
#include "ns3/result-folder.h"
#include "ns3/run-control.h"

#include <cmath>
#include <csignal>
#include <fstream>
#include <sstream>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr double CLOSED = 2e-6; ///< two gaps

} // namespace

/**
 * @ingroup ml-cluster-tests
 * A collective with a root, a workload that sends nothing, constraints written otherwise.
 * Expectation: closed forms, and the times of the same without these.
 */
class OddDesignsCase : public DesignTestCase
{
  public:
    OddDesignsCase()
        : DesignTestCase("Designs of odd workloads and constraints")
    {
    }

  private:
    void DoRun() override
    {
        const auto path = Write("rooted.yaml",
                                "cluster: {topology: Ring(4)_Switch(8), latency: 500ns}\n"
                                "workload: {collective: {type: broadcast, bytes: 9MB}}\n"
                                "backends: {run: analytical}\n"
                                "design: {constraints: [total = 90]}\n");
        const auto rooted = Design(path);
        NS_TEST_EXPECT_MSG_EQ_TOL(rooted.solution.bandwidths[0], 45, 1e-4, "half");
        NS_TEST_EXPECT_MSG_EQ_TOL(rooted.solution.time, 9e6 / 45, 1e-1, "bytes over bandwidth");
        const auto sweep = Design(path, {"design.sweep=[2 total = 180, 90 = total, total = 45]"});
        const double times[] = {9e6 / 45, 9e6 / 45, 9e6 / 22.5};
        for (std::size_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(sweep.sweep[i].time, times[i], 1, sweep.sweep[i].name);
        }
        WriteLibraFiles();
        CheckSilent(WriteLibraDesign("gpt", true, "  constraints: [total = 500]\n"));
        const auto cheapest = Design(path,
                                     {"design.prices={A: {Link: 1, Switch: 1, Nic: 1}}",
                                      "design.tiers=[A, A]",
                                      "design.constraints=[b1 >= 1]",
                                      "design.objective=cost",
                                      "design.time-target=1ms",
                                      "design.workloads={a: {}, b: {weight: 2}}"});
        NS_TEST_EXPECT_MSG_EQ(std::isnan(cheapest.leastTimes[0]), true, "nothing limits b1");
        NS_TEST_EXPECT_MSG_EQ_TOL(cheapest.solution.time, 1e6, 1, "just in time");
        NS_TEST_EXPECT_MSG_EQ_TOL(cheapest.solution.bandwidths[0], 27, 1e-4, "three broadcasts");
    }

    /// Adds a workload that sends nothing. @param path of the design
    void CheckSilent(const std::string& path)
    {
        const auto both = Design(path,
                                 {"design.workloads={gpt: {}, silent: {weight: 3, set: "
                                  "{workload.text.communication-scale: 0}}}"});
        const auto alone = Design(path);
        const double compute = 684.448242e6;
        NS_TEST_EXPECT_MSG_EQ_TOL(both.leastTimes[1] / compute, 1, CLOSED, "a constant");
        NS_TEST_EXPECT_MSG_EQ_TOL(both.solution.time / (alone.solution.time + 3 * compute),
                                  1,
                                  CLOSED,
                                  "added");
        NS_TEST_EXPECT_MSG_NE(both.workloads[1].fault.find("no collective sends anything"),
                              std::string::npos,
                              "any network is best for it");
    }
};

/**
 * @ingroup ml-cluster-tests
 * A signal that comes while a design is made. Expectation: the answer, without what was to follow,
 * in tables that say so and hide those of an earlier run.
 */
class InterruptedDesignCase : public DesignTestCase
{
  public:
    InterruptedDesignCase()
        : DesignTestCase("Interrupted designs")
    {
    }

  private:
    void DoRun() override
    {
        WriteLibraFiles();
        const auto path = WriteLibraDesign("gpt",
                                           true,
                                           "  constraints: [total = 500]\n  sweep: [total = 100]\n"
                                           "  pareto: {points: 3}\n  sensitivity: 2\n");
        const auto whole = Design(path);
        const std::string folder = GetPath("results");
        NS_TEST_EXPECT_MSG_EQ(WriteTo(folder, whole).find("partial"), std::string::npos, "whole");
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(folder + "/sweep.csv").is_open(), true, "sweep");
        DesignReport report;
        const int status = GuardMain([&] {
            std::raise(SIGINT);
            report = Design(path);
            return 0;
        });
        NS_TEST_EXPECT_MSG_EQ(status, 128 + SIGINT, "status");
        NS_TEST_EXPECT_MSG_EQ_TOL(report.solution.time / whole.solution.time, 1, CLOSED, "answer");
        NS_TEST_EXPECT_MSG_EQ(report.sweep.size() + report.pareto.size() +
                                  report.sensitivity.size(),
                              0,
                              "what was to follow");
        NS_TEST_EXPECT_MSG_NE(WriteTo(folder, report).find("\"partial\": true"),
                              std::string::npos,
                              "said");
        NS_TEST_EXPECT_MSG_EQ(std::ifstream(folder + "/sweep.csv").is_open(), false, "older sweep");
        std::string told;
        GuardMain([&] {
            std::raise(SIGINT);
            told = GetFault(path, {"design.choices={a: [{workload.text.passes: 2}]}"});
            return 0;
        });
        NS_TEST_EXPECT_MSG_EQ(told,
                              "interrupted before any of design.choices was designed",
                              "no choice yet");
    }

    /// @param folder to write to @param report an answer @return its summary
    static std::string WriteTo(const std::string& folder, const DesignReport& report)
    {
        ResultFolder results(folder);
        WriteDesign(results, report);
        std::ostringstream text;
        text << std::ifstream(folder + "/summary.json").rdbuf();
        return text.str();
    }
};

/**
 * @ingroup ml-cluster-tests
 * Odd and interrupted designs.
 */
class OddDesignsTestSuite : public TestSuite
{
  public:
    OddDesignsTestSuite()
        : TestSuite("ml-cluster-odd-designs", Type::SYSTEM)
    {
        AddTestCase(new OddDesignsCase);
        AddTestCase(new InterruptedDesignCase);
    }
};

static OddDesignsTestSuite g_oddDesignsTestSuite; ///< registers it
