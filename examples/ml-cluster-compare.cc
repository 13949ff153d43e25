/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs one workload over several network models and shows the results side by side.
//
//     ml-cluster-compare --config=FILE --backends=analytical,packet --outputDir=DIR
//
// Without arguments: the training step that is shipped with the module, 8 NPUs as
// Ring(4)_Switch(2), message by message and packet by packet.

#include "ns3/core-module.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-config.h"
#include "ns3/experiment-runner.h"
#include "ns3/program-options.h"
#include "ns3/result-folder.h"
#include "ns3/result-writer.h"
#include "ns3/run-control.h"
#include "ns3/run-estimate.h"
#include "ns3/run-tables.h"
#include "ns3/word-list.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

/// Collectives shown on the console; all of them are in collectives.csv.
constexpr std::size_t MAX_COLLECTIVES = 10;

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string file = "default.yaml";
    std::string backends;
    std::string outputDir;
    bool printConfig = false;
    bool estimate = false;
    std::vector<std::string> settings;
    ProgramOptions cmd(__FILE__);
    cmd.Usage(
        "Runs one workload over several network models and compares the results.\n"
        "Every attribute is an option too: --ns3::mlcluster::PacketBackend::PayloadBytes=1024\n"
        "wins over the experiment file, which wins over the defaults that --print-config shows.");
    cmd.AddValue("config", "Experiment file, or the name of a shipped one", file);
    cmd.AddValue("set",
                 "KEY=VALUE instead of what the file says, such as cluster.npu.peak-flops=1PFLOPS; "
                 "may be given several times",
                 settings);
    cmd.AddValue("backends", "Backends instead of the file's, such as analytical,packet", backends);
    cmd.AddValue("outputDir",
                 "Folder for summary.json and the tables, instead of the file's",
                 outputDir);
    cmd.AddValue("print-config", "Print the effective configuration and end", printConfig);

    cmd.AddValue("estimate",
                 "Print how many events, how much memory and how long each backend would take, "
                 "and end; with an output folder, write estimate.csv there",
                 estimate);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        ExperimentConfig config = LoadExperiment(file, settings);
        config.backends = backends.empty() ? config.backends : SplitWords(backends, ',');
        config.outputDir = outputDir.empty() ? config.outputDir : outputDir;
        ApplyAttributes(config, argc, argv);
        if (printConfig)
        {
            std::cout << GetEffectiveConfiguration(config);
            return 0;
        }
        std::unique_ptr<ResultFolder> folder;
        if (!config.outputDir.empty())
        {
            folder = std::make_unique<ResultFolder>(config.outputDir);
            config.outputDir.clear(); // results are the same wherever they are written
        }
        const ExperimentRunner runner(config);
        runner.PrintHeading(std::cout);
        if (estimate)
        {
            const auto estimates = runner.Estimate();
            std::cout << "\n";
            PrintEstimates(std::cout, estimates);
            if (folder)
            {
                WriteEstimates(*folder, estimates);
            }
            return 0;
        }
        const auto runs = runner.Run();
        std::cout << "\n";
        PrintCollectives(std::cout,
                         runs,
                         MAX_COLLECTIVES,
                         folder ? "see " + folder->GetPath() + "/collectives.csv"
                                : "--outputDir=DIR writes all of them");
        std::cout << "\n";
        PrintRuns(std::cout, runs);
        PrintTraining(std::cout, runs);
        std::cout << "\n";
        PrintBreakdown(std::cout,
                       runs,
                       MAX_COLLECTIVES,
                       folder ? "see " + folder->GetPath() + "/communication.csv"
                              : "--outputDir=DIR writes all of them");
        if (folder)
        {
            WriteResults(*folder, GetEffectiveConfiguration(config), runs);
        }
        return 0;
    });
}
