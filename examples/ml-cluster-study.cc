/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Chunk schedulers against each other, on every system of a folder, beside published figures.
//
//     ml-cluster-study --folder=studies/wafer-scale
//     ml-cluster-study --folder=studies/themis --sizes=100MiB:1000MiB:+50MiB

#include "ns3/collective-options.h"
#include "ns3/collective-sweep.h"
#include "ns3/core-module.h"
#include "ns3/plain-number.h"
#include "ns3/program-options.h"
#include "ns3/quantity.h"
#include "ns3/result-folder.h"
#include "ns3/run-control.h"
#include "ns3/scheduler-study.h"
#include "ns3/word-list.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

std::vector<uint32_t>
ParseChunks(const std::string& text)
{
    std::vector<uint32_t> chunks;
    for (const auto& number : SplitWords(text, ','))
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
    std::string sizes;
    std::string chunks;
    std::string schedulers = "baseline,themis,themis/smallest-first";
    std::string outputDir;
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Runs one collective on every system of a folder, by several chunk schedulers, and\n"
              "prints times, utilisations and speed-ups beside published figures.");
    cmd.AddValue("folder", "Folder of experiment files, or the name of a shipped one", folder);
    cmd.AddValue("sizes", "Sizes instead of the files', as ml-cluster-collective has them", sizes);
    cmd.AddValue("chunks", "Numbers of chunks instead of the files', separated by commas", chunks);
    cmd.AddValue("schedulers",
                 "Scheduler, or scheduler/queue policy, separated by commas; the first is the "
                 "reference",
                 schedulers);
    cmd.AddValue("outputDir", "Folder for study.csv", outputDir);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        Diagnostics diagnostics;
        SchedulerStudy study(folder, diagnostics);
        diagnostics.ThrowIfErrors();
        std::unique_ptr<ResultFolder> results;
        if (!outputDir.empty())
        {
            results = std::make_unique<ResultFolder>(outputDir);
        }
        const auto names = SplitWords(schedulers, ',');
        const auto all =
            sizes.empty() ? std::vector<uint64_t>() : CollectiveSweep::ParseSizes(sizes);
        const auto numbers = chunks.empty() ? std::vector<uint32_t>() : ParseChunks(chunks);
        if (!study.Run(all, numbers, names, argc, argv))
        {
            std::cerr << "warning: interrupted, what follows is incomplete\n";
        }
        study.Print(std::cout);
        if (results)
        {
            results->Write("study.csv", [&](std::ostream& os) { study.WriteRows(os); });
            results->Publish();
        }
        return 0;
    });
}
