/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The experiments of a folder, with several chunk schedulers, beside published figures.
//
//     ml-cluster-study --folder=studies/wafer-scale
//     ml-cluster-study --folder=studies/themis --sizes=100MiB:1000MiB:+50MiB
//     ml-cluster-study --folder=studies/training-steps --systems=meg01,kor-22b-selective
//     ml-cluster-study --folder=studies/disaggregated-memory --variants=base

#include "ns3/collective-options.h"
#include "ns3/collective-sweep.h"
#include "ns3/core-module.h"
#include "ns3/experiment-study.h"
#include "ns3/plain-number.h"
#include "ns3/program-options.h"
#include "ns3/quantity.h"
#include "ns3/result-folder.h"
#include "ns3/run-control.h"
#include "ns3/study-matrices.h"
#include "ns3/study-tables.h"
#include "ns3/word-list.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

std::vector<std::string>
SplitList(const std::string& text)
{
    return text.empty() ? std::vector<std::string>() : SplitWords(text, ',');
}

std::vector<uint32_t>
ParseChunks(const std::string& text)
{
    std::vector<uint32_t> chunks;
    for (const auto& number : SplitList(text))
    {
        chunks.push_back(
            static_cast<uint32_t>(ParseLimitedCount(number, CollectiveOptions::MAX_CHUNKS)));
        if (chunks.back() == 0)
        {
            throw InputError("--chunks: 0 chunks carry nothing; at least 1 is needed");
        }
    }
    return chunks;
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string folder = "studies/wafer-scale";
    std::string systems;
    std::string variants;
    std::string sizes;
    std::string chunks;
    std::string schedulers;
    std::string outputDir;
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Runs the experiments of a folder, by several chunk schedulers, and prints times,\n"
              "utilisations and speed-ups beside published figures.");
    cmd.AddValue("folder", "Folder of experiment files, or the name of a shipped one", folder);
    cmd.AddValue("systems", "Which of its systems, separated by commas; all if not given", systems);
    cmd.AddValue("variants",
                 "Which of its variants, separated by commas, base for systems as they are; all if "
                 "not given",
                 variants);
    cmd.AddValue("sizes",
                 "Sizes of collectives instead of the files', as ml-cluster-collective has them",
                 sizes);
    cmd.AddValue("chunks", "Numbers of chunks instead of the files', separated by commas", chunks);
    cmd.AddValue("schedulers",
                 "Scheduler, or scheduler/queue policy, separated by commas; the first is the "
                 "reference; baseline and those of published figures and statements if not given",
                 schedulers);
    cmd.AddValue("outputDir", "Folder for study.csv", outputDir);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        Diagnostics diagnostics;
        ExperimentStudy study(folder, diagnostics);
        diagnostics.ThrowIfErrors();
        std::unique_ptr<ResultFolder> results;
        if (!outputDir.empty())
        {
            results = std::make_unique<ResultFolder>(outputDir);
        }
        ExperimentStudy::Choice choice;
        choice.systems = SplitList(systems);
        choice.variants = SplitList(variants);
        choice.schedulers = SplitList(schedulers);
        choice.sizes = sizes.empty() ? choice.sizes : CollectiveSweep::ParseSizes(sizes);
        choice.chunks = ParseChunks(chunks);
        if (!study.Run(choice, argc, argv))
        {
            std::cerr << "warning: interrupted, what follows is incomplete\n";
        }
        PrintStudyRuns(std::cout, study);
        PrintStudyBreakdown(std::cout, study);
        PrintStudyMatrices(std::cout, study);
        PrintStudyStatements(std::cout, study);
        std::cout << "\n";
        PrintStudyFigures(std::cout, study);
        if (results)
        {
            results->Write("study.csv", [&](std::ostream& os) { WriteStudyRuns(os, study); });
            results->Publish();
        }
        return 0;
    });
}
