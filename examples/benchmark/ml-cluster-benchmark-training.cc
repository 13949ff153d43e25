/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ml-cluster
 * What a training step costs: events, time of the simulation and memory, message by message and
 * computed phase by phase, and how far the times of the two are apart. Steps of GPT-3 175B, tensor
 * parallel over 8 NPUs, on 64 to 4,096 NPUs with 8 micro-batches, and on 64 with 1,024; the rest is
 * that of configs/gpt3-175b-1024.yaml.
 */

#include "ns3/experiment-attributes.h"
#include "ns3/experiment-config.h"
#include "ns3/experiment-runner.h"
#include "ns3/nstime.h"
#include "ns3/program-options.h"
#include "ns3/run-control.h"

#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

/// A step, run with both granularities.
struct Case
{
    uint32_t npus;         ///< multiple of 64
    uint32_t microBatches; ///< of each copy of the model
};

/// Of ascending memory, as that of the process only grows.
const std::vector<Case> CASES = {{64, 8}, {64, 1024}, {256, 8}, {1024, 8}, {4096, 8}};

void
PrintHeading()
{
    std::cout << std::right << std::setw(6) << "NPUs" << std::setw(15) << "micro-batches"
              << std::setw(9) << "unit" << std::setw(16) << "step(us)" << std::setw(11)
              << "apart(%)" << std::setw(11) << "simulated" << std::setw(12) << "events"
              << std::setw(9) << "run(s)" << std::setw(10) << "ns/event" << std::setw(10)
              << "peak(MB)" << std::endl;
}

/// @param step a case @param granularity Message or Phase @param argc of main @param argv of main
/// @return the run
RunReport
RunStep(const Case& step, const std::string& granularity, int argc, char* argv[])
{
    const std::string nodes = std::to_string(step.npus / 8);
    const std::vector<std::string> settings = {"cluster.topology=Switch(8)_Switch(" + nodes + ")",
                                               "workload.transformer.micro-batches=" +
                                                   std::to_string(step.microBatches),
                                               "backends.analytical.granularity=" + granularity};
    std::vector<ExperimentOverride> overrides;
    for (const auto& setting : settings)
    {
        overrides.push_back(ParseExperimentOverride(setting, "benchmark"));
    }
    Diagnostics diagnostics;
    const ExperimentConfig config =
        ReadExperimentConfig(FindExperimentFile("gpt3-175b-1024.yaml"), diagnostics, overrides);
    diagnostics.ThrowIfErrors();
    ApplyAttributes(config, argc, argv);
    return ExperimentRunner(config).Run().front();
}

/// @param step what was run @param granularity how @param report what came of it
/// @param reference finish time to compare with, ps; prints a line
void
PrintRun(const Case& step,
         const std::string& granularity,
         const RunReport& report,
         int64_t reference)
{
    const auto finish = static_cast<double>(report.finishTimePs);
    const auto events = static_cast<double>(report.events);
    std::cout << std::right << std::fixed << std::setw(6) << step.npus << std::setw(15)
              << step.microBatches << std::setw(9) << granularity << std::setw(16)
              << std::setprecision(3) << finish / 1e6 << std::setw(11)
              << 100 * (finish / static_cast<double>(reference) - 1) << std::setw(11)
              << (report.repeats ? "in part" : "whole") << std::setw(12) << report.events
              << std::setw(9) << std::setprecision(2) << report.wallSeconds << std::setw(10)
              << std::setprecision(0) << 1e9 * report.wallSeconds / events << std::setw(10)
              << static_cast<double>(report.peakMemoryBytes) / 1e6 << std::endl;
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    uint32_t cases = 4;
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Runs training steps of GPT-3 175B and prints their cost: events, time, memory.");
    cmd.AddValue("cases", "how many of the five steps: 64 to 4,096 NPUs", cases);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        if (cases == 0 || cases > CASES.size())
        {
            throw InputError("--cases: must be 1 to " + std::to_string(CASES.size()));
        }
        PrintHeading();
        for (uint32_t i = 0; i < cases; ++i)
        {
            const RunReport messages = RunStep(CASES[i], "Message", argc, argv);
            PrintRun(CASES[i], "message", messages, messages.finishTimePs);
            PrintRun(CASES[i],
                     "phase",
                     RunStep(CASES[i], "Phase", argc, argv),
                     messages.finishTimePs);
        }
        return 0;
    });
}
