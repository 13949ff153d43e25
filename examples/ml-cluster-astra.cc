/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs a workload from ASTRA-sim's own input files, by the module's models or as ASTRA-sim does.
//
//     ml-cluster-astra --workload-configuration=PREFIX --network-configuration=network.yml
//                      --system-configuration=system.json --remote-memory-configuration=memory.json
//                      [--parity] [--congestion-aware] [--backend=packet] [--outputDir=DIR]
//
// Without arguments: the training step that is shipped with the module, 8 NPUs as
// Ring(2)_Switch(4).

#include "ns3/astra-runner.h"
#include "ns3/core-module.h"
#include "ns3/program-options.h"
#include "ns3/result-folder.h"
#include "ns3/result-writer.h"
#include "ns3/run-control.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    AstraOptions options;
    ProgramOptions cmd(__FILE__);
    cmd.Usage(
        "Runs a workload from ASTRA-sim's own input files. By default the module's engine and\n"
        "networks answer; --parity gives ASTRA-sim's results to the nanosecond.");
    AddAstraOptions(options, cmd);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        std::unique_ptr<ResultFolder> folder;
        if (!options.outputDir.empty())
        {
            folder = std::make_unique<ResultFolder>(options.outputDir);
        }
        const AstraRunner runner(options);
        runner.PrintHeading(std::cout);
        const RunReport report = runner.Run(std::cout);
        if (folder)
        {
            WriteResults(*folder, FormatAstraOptions(runner.GetOptions()), {report});
        }
        return 0;
    });
}
