/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Accesses of all NPUs of an experiment file to its memory, over a range of sizes, beside the
// closed form.
//
//     ml-cluster-memory --config=memory-pool.yaml --sizes=1MiB:1GiB:x4
//     --access=gather,load+all-gather ml-cluster-memory --config=memory-pool.yaml
//     --set=cluster.memory.pool.chunk=64KiB

#include "ns3/collective-sweep.h"
#include "ns3/core-module.h"
#include "ns3/experiment-attributes.h"
#include "ns3/experiment-config.h"
#include "ns3/experiment-runner.h"
#include "ns3/memory-probe.h"
#include "ns3/program-options.h"
#include "ns3/quantity.h"
#include "ns3/report-table.h"
#include "ns3/result-folder.h"
#include "ns3/run-control.h"
#include "ns3/word-list.h"

#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

void
AddRow(ReportTable& table, const MemoryProbe::Point& point)
{
    const bool hasFormula = point.formulaPs > 0;
    const double difference =
        hasFormula ? 100 * (static_cast<double>(point.timePs) / point.formulaPs - 1) : 0;
    table.AddRow({point.access,
                  point.bottleneck.empty() ? "-" : point.bottleneck,
                  FormatBytes(point.bytes),
                  FormatMicroseconds(point.timePs),
                  hasFormula ? FormatMicroseconds(point.formulaPs) : "-",
                  hasFormula ? FormatFixed(difference, 3) : "-",
                  point.rounds > 0 ? std::to_string(point.rounds) : "-",
                  point.rounds > 0 ? FormatFixed(100 * point.fill, 2) : "-",
                  FormatFixed(point.GetRate(), 2)});
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    std::string file = "memory-pool.yaml";
    std::string sizes = "1MiB:256MiB:x16";
    std::string accesses;
    std::string outputDir;
    std::vector<std::string> settings;
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Times accesses of all NPUs of an experiment file to its memory, each from an idle "
              "start, beside the closed form.");
    cmd.AddValue("config", "Experiment file, or the name of a shipped one", file);
    cmd.AddValue("set",
                 "KEY=VALUE instead of what the file says, such as cluster.memory.pool.chunk=1MiB; "
                 "may be given several times",
                 settings);
    cmd.AddValue("sizes",
                 "Bytes that an NPU gets or gives: first:last:xFactor, first:last:+step, or a list",
                 sizes);
    cmd.AddValue("access",
                 "Which, separated by commas: load, store, gather, load+all-gather, reduce, "
                 "reduce-scatter+store; empty: all that the memory can do",
                 accesses);
    cmd.AddValue("outputDir", "Folder for memory.csv", outputDir);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        const ExperimentConfig config = LoadExperiment(file, settings);
        ApplyAttributes(config, argc, argv);
        const MemoryProbe probe(config);
        std::unique_ptr<ResultFolder> folder;
        if (!outputDir.empty())
        {
            folder = std::make_unique<ResultFolder>(outputDir);
        }
        const auto asked =
            accesses.empty() ? probe.GetPossibleAccesses() : SplitWords(accesses, ',');
        ReportTable table({"access",
                           "bottleneck",
                           "size",
                           "time(us)",
                           "formula(us)",
                           "difference(%)",
                           "rounds",
                           "fill(%)",
                           "rate(GB/s)"},
                          2);
        for (const uint64_t bytes : CollectiveSweep::ParseSizes(sizes))
        {
            for (const auto& access : asked)
            {
                AddRow(table, probe.Measure(access, bytes));
            }
        }
        std::cout
            << "# memory model " << config.memoryModel
            << "; size and rate are those of one NPU, a gathered or reduced tensor is whole\n";
        table.Print(std::cout);
        if (folder)
        {
            folder->Write("memory.csv", [&](std::ostream& os) { table.WriteCsv(os); });
            folder->Publish();
        }
        return 0;
    });
}
