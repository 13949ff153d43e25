/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The shipped designs: their answers against LIBRA's published inputs, and simulated.

#include "test-tools.h"

#include "ns3/diagnostics.h"
#include "ns3/simulated-design.h"
#include "ns3/test.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// A design that has been read and solved.
struct Answer
{
    /// @param file name of a shipped design @param settings as --set takes them
    Answer(const std::string& file, const std::vector<std::string>& settings)
    {
        UsePicoseconds();
        chosen = ChooseDesign(file, settings, 1, argv);
        report = AnalyseDesign(chosen);
    }

    std::string name{"test"};   ///< of the program
    char* argv[1]{name.data()}; ///< of main
    ChosenDesign chosen;        ///< the design
    DesignReport report;        ///< its answer
};

/// @param text a table @param first how a line begins @return its cells, from the first number on
std::vector<double>
GetNumbers(const std::string& text, const std::string& first)
{
    std::istringstream lines(text);
    std::vector<double> numbers;
    for (std::string line; numbers.empty() && std::getline(lines, line);)
    {
        if (line.rfind(first, 0) == 0)
        {
            std::istringstream cells(line.substr(first.size()));
            for (std::string cell; std::getline(cells, cell, ',');)
            {
                numbers.push_back(std::stod(cell));
            }
        }
    }
    return numbers;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * The shipped workloads have the totals of LIBRA's: with its files an independent solver found
 * these times at a total of 500 GB/s, if groups of a part of a block have all of the dimension.
 */
class ShippedDesignsCase : public TestCase
{
  public:
    ShippedDesignsCase()
        : TestCase("answers to the shipped designs")
    {
    }

  private:
    void DoRun() override
    {
        const struct
        {
            const char* name;
            double equal;
            double best;
            int decimals;
        } rows[] = {{"gpt3-4d", 775.045, 722.412, 3},
                    {"msft-1t-4d", 260.479, 209.686, 3},
                    {"resnet50-4d", 1.707, 1.299, 3},
                    {"gpt3-3d", 770.742, 727.440, 3},
                    {"turing-nlg-3d", 336.930, 330.626, 3},
                    {"turing-nlg-4d", 337.582, 330.626, 3},
                    {"msft-1t-3d", 254.165, 209.686, 3},
                    {"resnet50-3d", 1.669, 1.299, 3}};

        for (const auto& row : rows)
        {
            const Answer answer("design/total-500/" + std::string(row.name) + ".yaml",
                                {"design.bandwidth-of-parts=all"});
            const auto& networks = answer.report.networks;
            NS_TEST_EXPECT_MSG_EQ_TOL(networks.at(0).time / 1e6, row.best, 5.1e-4, row.name);
            NS_TEST_EXPECT_MSG_EQ_TOL(networks.at(1).time / 1e6, row.equal, 5.1e-4, row.name);
            NS_TEST_EXPECT_MSG_LT(answer.report.solution.GetGap(), 1e-6, row.name);
        }
        const Answer example("design/gpt3-4d.yaml", {});
        const double expected[] = {500, 300, 151.18, 48.82};
        for (std::size_t d = 0; d < 4; ++d)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(example.report.solution.bandwidths.at(d),
                                      expected[d],
                                      5e-3,
                                      "worked example");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(example.report.solution.time / 1e6, 708.4387, 5e-5, "time");
        NS_TEST_EXPECT_MSG_EQ_TOL(example.report.solution.cost / 1e6, 22.97, 5e-3, "cost");
    }
};

/**
 * @ingroup ml-cluster-tests
 * The example on its small network, simulated, refined and in packets. Expectation: latency and
 * chunks explain all of the difference of the baseline; refinement is no worse than the answer and
 * meets the constraints; packets take the headers longer; a file of each is written.
 */
class SmallDesignCase : public TestCase
{
  public:
    SmallDesignCase()
        : TestCase("a small design simulated, refined and in packets")
    {
    }

  private:
    void DoRun() override
    {
        const Answer answer("design/gpt3-4d.yaml",
                            {"design.network=network-small.yml",
                             "workload.text.communicators=communicators-small.yml",
                             "workload.text.compute-scale=0.01",
                             "workload.text.communication-scale=0.01",
                             "design.bandwidth-of-parts=links",
                             "design.constraints=[total = 500]",
                             "collectives.chunks=8"});
        const std::string folder = CreateTempDirFilename("simulated");
        ResultFolder results(folder);
        char* argv[] = {const_cast<char*>("test")};
        SimulatedDesign simulated(answer.chosen, answer.report, 1, argv);
        simulated.Run(12);
        simulated.Write(results);
        results.Publish();
        std::ostringstream printed;
        simulated.Print(printed);
        for (const char* part :
             {"refined by simulation", "12 simulations", "in packets, on Ring(2)"})
        {
            NS_TEST_EXPECT_MSG_NE(printed.str().find(part), std::string::npos, part);
        }
        const std::string simulation = Read(folder + "/simulated.csv");
        const std::string packets = Read(folder + "/packets.csv");
        const std::string refined = Read(folder + "/refined.csv");
        NS_TEST_EXPECT_MSG_EQ(std::count(refined.begin(), refined.end(), '\n'), 13, refined);
        const auto equal = GetNumbers(simulation, "workload,equal,baseline,");
        const auto designed = GetNumbers(simulation, "workload,designed,baseline,");
        const auto better = GetNumbers(simulation, "workload,refined,baseline,");
        NS_TEST_ASSERT_MSG_EQ((equal.size() + designed.size() + better.size()), 27, simulation);
        for (const auto& row : {equal, designed, better})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(row[4] / row[0], 0, 1e-3, "nothing else");
            NS_TEST_EXPECT_MSG_EQ_TOL(row[1], row[0] + row[2] + row[3] + row[4], 1, "sum");
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(better[1], designed[1], "no worse");
        NS_TEST_EXPECT_MSG_EQ_TOL(designed[6] / designed[5], 1, 5e-3, "speed-up confirmed");
        const auto equalPackets = GetNumbers(packets, "workload,equal,baseline,");
        const auto designedPackets = GetNumbers(packets, "workload,designed,baseline,");
        NS_TEST_EXPECT_MSG_GT(designedPackets[1], designed[1], "headers");
        NS_TEST_EXPECT_MSG_LT(designedPackets[1], 1.01 * designed[1], "little more");
        NS_TEST_EXPECT_MSG_EQ_TOL(designedPackets[5], designed[5], 1e-9, "the same design");
        NS_TEST_EXPECT_MSG_EQ_TOL(designedPackets[6], designedPackets[5], 5e-3, "speed-up");
        NS_TEST_EXPECT_MSG_GT(equalPackets[1], designedPackets[1], "equal is slower");
        std::filesystem::remove_all(folder);
    }

    /// @param path of a file @return what it says
    static std::string Read(const std::string& path)
    {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

/**
 * @ingroup ml-cluster-tests
 * What cannot be simulated is told with the place in the file.
 */
class SimulatedDesignErrorsCase : public TestCase
{
  public:
    SimulatedDesignErrorsCase()
        : TestCase("designs that cannot be simulated or refined")
    {
    }

  private:
    void DoRun() override
    {
        Check({"design.speeds={b4: [25GB/s, 50GB/s]}", "design.constraints=[total <= 1000]"},
              10,
              ": design: dimensions that have only certain speeds cannot be refined, "
              "which varies bandwidths step by step");
        Check({"design.simulate.schedulers=[themes]"},
              0,
              "design.simulate.schedulers[0]: \"themes\" is no scheduler");
        Check({"design.simulate.packets={workload.text.communicators: communicators-gpt3-3d.yml}"},
              0,
              "communicators-gpt3-3d.yml:2: Forward: has 3 entries; needed is one for each "
              "dimension");
        const std::string file = CreateTempDirFilename("design.yaml");
        std::ofstream(file) << "cluster: {topology: Switch(4)}\n"
                               "workload: {collective: {type: all-reduce, bytes: 1MiB}}\n"
                               "design: {constraints: [total = 100]}\n";
        CheckFile(file,
                  {},
                  0,
                  file + ": cluster.latency: is missing; a simulation needs the propagation delay "
                         "of one link, for example 500ns");
        CheckFile(file, {"cluster.latency=1us"}, 0, "");
    }

    /// @param settings of the example @param trials for refinement @param part of the error
    void Check(const std::vector<std::string>& settings, uint32_t trials, const std::string& part)
    {
        CheckFile("design/gpt3-4d.yaml", settings, trials, part);
    }

    /// @param file a design @param settings of it @param trials for refinement @param part of the
    /// error
    void CheckFile(const std::string& file,
                   const std::vector<std::string>& settings,
                   uint32_t trials,
                   const std::string& part)
    {
        std::string error;
        try
        {
            const Answer answer(file, settings);
            char* argv[] = {const_cast<char*>("test")};
            SimulatedDesign(answer.chosen, answer.report, 1, argv).Run(trials);
        }
        catch (const InputError& caught)
        {
            error = caught.what();
        }
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, error);
    }
};

/**
 * @ingroup ml-cluster-tests
 * Shipped designs and SimulatedDesign.
 */
class SimulatedDesignTestSuite : public TestSuite
{
  public:
    SimulatedDesignTestSuite()
        : TestSuite("ml-cluster-simulated-design", Type::SYSTEM)
    {
        AddTestCase(new ShippedDesignsCase);
        AddTestCase(new SmallDesignCase);
        AddTestCase(new SimulatedDesignErrorsCase);
    }
};

/// The suite.
static SimulatedDesignTestSuite g_simulatedDesignTestSuite;
