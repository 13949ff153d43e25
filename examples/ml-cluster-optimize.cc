/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Finds the best bandwidth for every dimension of a network, with a proof.
//
//     ml-cluster-optimize --config=design/gpt3-4d.yaml --outputDir=DIR
//     ml-cluster-optimize --config=FILE --set=design.objective=time-times-cost
//     ml-cluster-optimize --config=FILE --simulate --refine=40

#include "ns3/core-module.h"
#include "ns3/design-analysis.h"
#include "ns3/design-tables.h"
#include "ns3/design-variant-tables.h"
#include "ns3/design-writer.h"
#include "ns3/program-options.h"
#include "ns3/result-folder.h"
#include "ns3/run-control.h"
#include "ns3/simulated-design.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string file = "design/gpt3-4d.yaml";
    std::string outputDir;
    std::vector<std::string> settings;
    bool simulate = false;
    uint32_t refine = 0;
    ProgramOptions cmd(__FILE__);
    cmd.Usage(
        "Finds the bandwidths of the dimensions of a network that give the least time, time times\n"
        "cost, or cost under a time target, and proves that none are better. The design is the\n"
        "section design of an experiment file, which ml-cluster-compare runs with the answer.\n"
        "Every attribute is an option too and wins over the file.");
    cmd.AddValue("config", "Experiment file, or the name of a shipped one", file);
    cmd.AddValue("set",
                 "KEY=VALUE instead of what the file says, such as design.objective=cost; may be "
                 "given several times",
                 settings);
    cmd.AddValue("simulate",
                 "Simulate the answer and equal bandwidths, as design.simulate says",
                 simulate);
    cmd.AddValue("refine",
                 "Look for better bandwidths by so many simulations, and simulate them too",
                 refine);
    cmd.AddValue("outputDir", "Folder for summary.json and the tables", outputDir);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        std::unique_ptr<ResultFolder> folder;
        if (!outputDir.empty())
        {
            folder = std::make_unique<ResultFolder>(outputDir);
        }
        const ChosenDesign chosen = ChooseDesign(file, settings, argc, argv);
        DesignReport report = AnalyseDesign(chosen);
        std::unique_ptr<SimulatedDesign> simulated;
        if (simulate || refine > 0)
        {
            simulated = std::make_unique<SimulatedDesign>(chosen, report, argc, argv);
        }
        PrintDesign(std::cout, report);
        PrintDesignVariants(std::cout, report);
        if (simulated)
        {
            simulated->Run(refine);
            simulated->Print(std::cout);
            report.isPartial = report.isPartial || !simulated->IsWhole();
        }
        PrintDesignUse(std::cout, report);
        if (folder && simulated)
        {
            simulated->Write(*folder);
        }
        if (folder)
        {
            WriteDesign(*folder, report);
        }
        return 0;
    });
}
