/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Shows the plan of a workload and writes it as Chakra traces.

#include "ns3/experiment-attributes.h"
#include "ns3/experiment-config.h"
#include "ns3/experiment-runner.h"
#include "ns3/program-options.h"
#include "ns3/run-control.h"

#include <iostream>

using namespace ns3;
using namespace ns3::mlcluster;

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string file = "default.yaml";
    std::string prefix;
    std::vector<std::string> settings;
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Shows what the generated workload of an experiment file is before anything is run: "
              "groups, "
              "collectives, bytes, operations, memory. Writes it as Chakra traces.\n"
              "Every attribute is an option too: --ns3::mlcluster::TransformerWorkload::Tensor=8");
    cmd.AddValue("config", "Experiment file, or the name of a shipped one", file);
    cmd.AddValue("set",
                 "KEY=VALUE instead of what the file says, such as workload.transformer.tensor=8; "
                 "may be given several times",
                 settings);
    cmd.AddValue("prefix",
                 "Path of traces to write, up to the rank: PREFIX.0.et, ..., PREFIX.groups.json; "
                 "none: nothing is written",
                 prefix);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        const ExperimentConfig config = LoadExperiment(file, settings);
        ApplyAttributes(config, argc, argv);
        const ExperimentRunner runner(config);
        runner.PrintHeading(std::cout);
        std::cout << "\n";
        runner.PrintPlan(std::cout);
        if (!prefix.empty())
        {
            runner.WriteTraces(prefix);
            std::cout << "\nTraces: " << prefix << ".RANK.et\n";
        }
        return 0;
    });
}
