/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// One collective over a range of sizes, in the columns of nccl-tests.
//
//     ml-cluster-collective --topology="Ring(4)_Switch(2)" --bandwidth=800Gbps,400Gbps
//         --latency=500ns --collective=all-reduce --sizes=1MiB:1GiB:x4 --backend=packet

#include "ns3/cluster-helper.h"
#include "ns3/collective-sweep.h"
#include "ns3/core-module.h"
#include "ns3/experiment-runner.h"
#include "ns3/program-options.h"
#include "ns3/report-table.h"
#include "ns3/result-folder.h"
#include "ns3/result-writer.h"
#include "ns3/run-control.h"

#include <algorithm>
#include <cctype>
#include <iomanip>
#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

void
PrintHeading(const CollectiveSweep& sweep, const std::string& backend)
{
    const ClusterTopology topology(sweep.GetDimensions());
    std::cout << "# " << ToString(sweep.GetType()) << " on " << topology.GetNotation() << ", "
              << topology.GetNRanks() << " NPUs, backend " << backend << "\n"
              << "# size and count as nccl-tests has them: of the whole buffer, and in elements of "
                 "it or of one rank's piece\n"
              << "# bound: no algorithm takes less; util: share of an NPU's bandwidth used, over "
                 "all dimensions\n"
              << std::setw(14) << "size(B)" << std::setw(13) << "count" << std::setw(7) << "type"
              << std::setw(14) << "time(us)" << std::setw(13) << "algbw(GB/s)" << std::setw(13)
              << "busbw(GB/s)" << std::setw(14) << "bound(us)" << std::setw(8) << "util(%)"
              << std::endl;
}

void
PrintPoint(const CollectiveSweep::Point& point, const CollectiveReport& collective)
{
    const int64_t bound = std::max(collective.bandwidthBoundPs, collective.latencyBoundPs);
    std::cout << std::setw(14) << point.busBytes << " " << std::setw(12) << point.count
              << std::setw(7) << "float" << " " << std::setw(13)
              << FormatMicroseconds(collective.endPs - collective.startPs) << " " << std::setw(12)
              << FormatFixed(collective.GetAlgorithmBandwidth(), 2) << " " << std::setw(12)
              << FormatFixed(collective.GetBusBandwidth(), 2) << " " << std::setw(13)
              << FormatMicroseconds(bound) << " " << std::setw(7)
              << FormatFixed(100 * collective.utilisation, 2) << std::endl;
}

/// @param type operation @return name of the planner's attribute for its algorithm
std::string
GetAlgorithmAttribute(CollectiveType type)
{
    std::string name;
    bool isFirst = true;
    for (const char c : ToString(type))
    {
        if (c != '-')
        {
            name += isFirst ? static_cast<char>(std::toupper(c)) : c;
        }
        isFirst = c == '-';
    }
    return "ns3::mlcluster::CollectivePlanner::" + name;
}

void
AddOptions(ProgramOptions& cmd, CollectiveSweep::Options& options)
{
    const std::string planner = "ns3::mlcluster::CollectivePlanner::";
    cmd.AddValue("topology", "Building blocks, innermost first", options.topology);
    cmd.AddValue("bandwidth",
                 "What one NPU can send, with unit; one, or one per dimension",
                 options.bandwidth);
    cmd.AddValue("latency", "Delay of one link, with unit; likewise", options.latency);
    cmd.AddValue("collective",
                 "all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, gather, "
                 "scatter or barrier",
                 options.collective);
    cmd.AddValue("sizes", "first:last:xFactor, first:last:+step, or a list", options.sizes);
    cmd.AddValue("matrix",
                 "File of an all-to-all of unequal sizes: line i has the sizes that rank i sends "
                 "to each, separated by commas",
                 options.matrix);
    cmd.AddAttribute("chunks", planner + "Chunks");
    cmd.AddAttribute("chunksInFlight", planner + "ChunksInFlight");
    cmd.AddAttribute("scheduler", planner + "Scheduler");
    cmd.AddAttribute("queuePolicy", planner + "QueuePolicy");
    cmd.AddAttribute("composition", planner + "Composition");
    cmd.AddAttribute("schedule", planner + "CustomSchedules");
}

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    CollectiveSweep::Options options{"Ring(4)_Switch(2)",
                                     "800Gbps,400Gbps",
                                     "500ns",
                                     "all-reduce",
                                     "64KiB:64MiB:x4"};
    std::string backend = "analytical";
    std::string outputDir;
    std::string algorithm;
    uint32_t root = 0;
    ProgramOptions cmd(__FILE__);
    cmd.Usage("Runs one collective over a range of sizes; prints the columns of nccl-tests.\n"
              "Every attribute is an option too, such as "
              "--ns3::mlcluster::CollectivePlanner::Chunks=8.");
    AddOptions(cmd, options);
    cmd.AddValue("algorithm",
                 "Of the collective: one per dimension, separated by commas; auto; or one- and a "
                 "name",
                 algorithm);
    cmd.AddValue("root", "Rank of the root of a rooted collective", root);
    cmd.AddValue("backend", "analytical or packet", backend);
    cmd.AddValue("outputDir", "Folder for collectives.csv", outputDir);
    cmd.AddValue("in-network",
                 "Whether switches reduce: true or false; one, or one per dimension",
                 options.inNetwork);
    cmd.AddValue("processing-time",
                 "Time such a switch works on a chunk, with unit; likewise",
                 options.processingTime);
    cmd.AddValue("slots",
                 "Chunks a member may have in such a dimension at once, 0: no limit; likewise",
                 options.slots);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        Diagnostics diagnostics;
        const CollectiveSweep sweep(options, diagnostics);
        CheckBackend(backend, diagnostics);
        if (root > 0 && !IsRooted(sweep.GetType()))
        {
            diagnostics.Error({"", 0, "--root"}, "goes with rooted collectives only");
        }
        diagnostics.ThrowIfErrors();
        const ClusterTopology topology(sweep.GetDimensions());
        if (root >= topology.GetNRanks())
        {
            throw InputError("--root: there is no rank " + std::to_string(root) +
                             "; allowed are ranks from 0 to " +
                             std::to_string(topology.GetNRanks() - 1));
        }
        if (!algorithm.empty())
        {
            Config::SetDefault(GetAlgorithmAttribute(sweep.GetType()), StringValue(algorithm));
        }
        std::unique_ptr<ResultFolder> folder;
        if (!outputDir.empty())
        {
            folder = std::make_unique<ResultFolder>(outputDir);
        }
        std::vector<RunReport> runs;
        for (const auto& point : sweep.GetPoints())
        {
            ClusterHelper cluster(topology);
            cluster.SetBackend(backend);
            cluster.EnableProgress(true);
            const uint32_t nRanks = topology.GetNRanks();
            cluster.Install(sweep.GetMatrix().empty()
                                ? MakeCollectiveWorkload(sweep.GetType(), point.bytes, nRanks, root)
                                : MakeAllToAllWorkload(sweep.GetMatrix(), nRanks));
            if (runs.empty())
            {
                PrintHeading(sweep, backend);
            }
            runs.push_back(cluster.Run());
            if (runs.back().partial)
            {
                break;
            }
            PrintPoint(point, runs.back().collectives.at(0));
        }
        if (folder)
        {
            folder->Write("collectives.csv",
                          [&](std::ostream& os) { WriteCollectiveTable(os, runs); });
            folder->Publish();
        }
        return 0;
    });
}
