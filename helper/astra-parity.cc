/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "astra-parity.h"

#include "run-control.h"
#include "run-recorder.h"

#include "ns3/analytical-channel.h"
#include "ns3/boolean.h"
#include "ns3/link-graph.h"
#include "ns3/node-container.h"
#include "ns3/parity-executor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iostream>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @return ASTRA-sim's network, built
Ptr<AnalyticalChannel>
MakeNetwork(const std::shared_ptr<const LinkGraph>& graph, bool congestionAware)
{
    NodeContainer npus;
    npus.Create(graph->GetNRanks());
    auto channel = CreateObject<AnalyticalChannel>();
    channel->SetAttribute("Rounding", StringValue("DownNanosecond"));
    channel->SetAttribute("Congestion", StringValue(congestionAware ? "Links" : "None"));
    channel->SetAttribute("ForwardWhole", BooleanValue(congestionAware));
    channel->SetAttribute("FirstDimensionOnly", BooleanValue(!congestionAware));
    channel->Build(graph, npus);
    return channel;
}

/// Prints how many links carried more than their rate, which ASTRA-sim does not notice.
void
PrintOverload(const RunReport& report, std::ostream& os)
{
    uint64_t overloaded = 0;
    double largest = 0;
    for (const LinkReport& link : report.links)
    {
        overloaded += link.utilisation > 1;
        largest = std::max(largest, link.utilisation);
    }
    if (overloaded > 0)
    {
        os << "note: " << overloaded << " of " << report.links.size()
           << " links carried more than their rate allows, at most " << largest
           << " times: ASTRA-sim's congestion-unaware network does not share links\n";
    }
}

/// Runs the simulator over a built network.
RunReport
RunNetwork(Ptr<AnalyticalChannel> channel,
           const LinkGraph& graph,
           const ParityOptions& options,
           const std::shared_ptr<const ClusterWorkload>& workload,
           std::ostream& os)
{
    Diagnostics diagnostics;
    ParityExecutor executor(channel, graph.GetTopology(), options, workload, diagnostics);
    diagnostics.PrintWarnings(std::cerr);
    diagnostics.ThrowIfErrors();
    executor.Start();
    RunReport report = RunSimulator(
        [&executor](double wallSeconds) { PrintProgress(wallSeconds, executor.GetShareDone()); });
    for (const ParityFinish& finish : executor.GetFinishes())
    {
        PrintAstraFinish(os, finish.rank, finish.finishNs, finish.exposedCommunicationNs);
    }
    const std::string stuck = executor.DescribeStuckRanks();
    if (!stuck.empty() && !report.partial)
    {
        throw InputError(stuck);
    }
    report.backend = "parity";
    report.description = channel->Describe();
    executor.FillReport(report);
    RunRecorder::AddLinks(*channel, graph, report);
    PrintOverload(report, os);
    return report;
}

} // namespace

RunReport
RunAstraParity(const AstraConfig& config,
               const AstraParitySettings& settings,
               std::shared_ptr<const ClusterWorkload> workload,
               std::ostream& os)
{
    Diagnostics diagnostics;
    const ParityOptions options = MakeParityOptions(config, settings, diagnostics);
    diagnostics.PrintWarnings(std::cerr);
    diagnostics.ThrowIfErrors();
    const auto graph =
        std::make_shared<const LinkGraph>(ClusterTopology(config.network.dimensions));
    RunReport report;
    try
    {
        report =
            RunNetwork(MakeNetwork(graph, settings.congestionAware), *graph, options, workload, os);
    }
    catch (...)
    {
        Simulator::Destroy();
        throw;
    }
    Simulator::Destroy();
    return report;
}

void
PrintAstraFinish(std::ostream& os, uint32_t rank, uint64_t finishNs, uint64_t exposedNs)
{
    os << "sys[" << rank << "] finished, " << finishNs << " cycles, exposed communication "
       << exposedNs << " cycles.\n";
}

} // namespace mlcluster
} // namespace ns3
