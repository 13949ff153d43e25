/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-recorder.h"

#include "ns3/collective-bounds.h"
#include "ns3/npu-application.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

RunRecorder::RunRecorder(const ApplicationContainer& applications,
                         const CollectiveTable& collectives)
    : m_applications(applications),
      m_plans(collectives)
{
    for (uint32_t i = 0; i < applications.GetN(); ++i)
    {
        applications.Get(i)->TraceConnectWithoutContext(
            "CollectiveStart",
            MakeCallback(&RunRecorder::CollectiveStart, this));
        applications.Get(i)->TraceConnectWithoutContext(
            "CollectiveEnd",
            MakeCallback(&RunRecorder::CollectiveEnd, this));
    }
}

void
RunRecorder::CollectiveStart(uint32_t rank, const ExecutionNode& node, uint64_t context)
{
    const auto [entry, isNew] = m_collectives.try_emplace(context);
    Collective& collective = entry->second;
    if (isNew || rank < collective.firstRank)
    {
        collective.firstRank = rank;
        collective.report.name = node.name;
    }
    if (isNew)
    {
        const auto application = DynamicCast<NpuApplication>(m_applications.Get(rank));
        collective.report.type = node.collective;
        const ClusterWorkload& workload = application->GetWorkload();
        collective.report.group = workload.ResolveGroup(rank, node.group);
        collective.report.bytes = node.bytes;
        collective.report.ranks = workload.GetGroup(collective.report.group).size();
        collective.report.startPs = Simulator::Now().GetTimeStep();
    }
}

void
RunRecorder::CollectiveEnd(uint32_t /* rank */, const ExecutionNode& /* node */, uint64_t context)
{
    Collective& collective = m_collectives[context];
    collective.report.endPs = Simulator::Now().GetTimeStep();
    ++collective.ended;
}

void
RunRecorder::FillReport(const NetworkBackend& backend,
                        const LinkGraph& graph,
                        RunReport& report) const
{
    report.description = backend.Describe();
    report.operations = CountOperations();
    report.finishTimePs = report.partial ? Simulator::Now().GetTimeStep() : 0;
    for (uint32_t i = 0; i < m_applications.GetN(); ++i)
    {
        report.finishTimePs =
            std::max(report.finishTimePs,
                     DynamicCast<NpuApplication>(m_applications.Get(i))->GetFinishTimePs());
    }
    for (uint32_t i = 0; i < m_applications.GetN(); ++i)
    {
        DynamicCast<NpuApplication>(m_applications.Get(i))->AddTo(report);
    }
    for (const auto& [context, collective] : m_collectives)
    {
        if (collective.ended == collective.report.ranks)
        {
            report.collectives.push_back(collective.report);
            AddBounds(context, graph.GetTopology(), report.collectives.back());
        }
    }
    std::stable_sort(report.collectives.begin(),
                     report.collectives.end(),
                     [](const auto& a, const auto& b) {
                         return std::tie(a.startPs, a.name) < std::tie(b.startPs, b.name);
                     });
    AddLinks(backend, graph, report);
}

double
RunRecorder::CountOperations() const
{
    std::map<const ExecutionGraph*, long double> operationsOf;
    long double sum = 0;
    for (uint32_t rank = 0; rank < m_applications.GetN(); ++rank)
    {
        const auto application = DynamicCast<NpuApplication>(m_applications.Get(rank));
        const ExecutionGraph& graph = application->GetWorkload().GetGraph(rank);
        const auto [entry, isNew] = operationsOf.try_emplace(&graph, 0);
        for (uint32_t i = 0; isNew && i < graph.GetNNodes(); ++i)
        {
            const ExecutionNode& node = graph.GetNode(i);
            const bool counts = node.kind == NodeKind::Compute && !node.onHost;
            entry->second += counts ? node.operations : 0;
        }
        sum += entry->second;
    }
    return sum;
}

void
RunRecorder::AddBounds(uint64_t context,
                       const ClusterTopology& topology,
                       CollectiveReport& report) const
{
    const auto plan = m_plans.Find(context);
    report.bytes = plan->GetBytes();
    const CollectiveGroup group(topology, plan->GetGroup(), plan->GetCall().involved);
    if (!group.GetRemarks().empty())
    {
        return;
    }
    std::vector<uint32_t> dimensions;
    for (const auto& level : group.GetLevels())
    {
        dimensions.push_back(level.dimension);
    }
    const CollectiveBounds bounds(topology, dimensions);
    report.ranks = bounds.GetNMembers();
    const uint64_t bytes = report.GetBusBytes();
    report.bandwidthBoundPs =
        plan->GetCall().matrix ? 0 : bounds.GetBandwidthPs(report.type, bytes);
    report.latencyBoundPs = plan->GetCall().matrix ? 0 : bounds.GetLatencyPs(report.type, bytes);
    report.utilisation = bounds.GetUtilisation(plan->GetBytesSent(), report.endPs - report.startPs);
}

void
RunRecorder::AddLinks(const NetworkBackend& backend, const LinkGraph& graph, RunReport& report)
{
    for (const auto& usage : backend.GetLinkUsage())
    {
        const DirectedLink link = graph.GetLink(usage.link);
        LinkReport entry;
        entry.link = usage.link;
        entry.from = graph.GetVertexName(link.from);
        entry.to = graph.GetVertexName(link.to);
        entry.dimension = link.dimension;
        entry.bitRate = link.bitRate;
        entry.payloadBytes = usage.payloadBytes;
        entry.wireBytes = usage.wireBytes;
        entry.busyPs = usage.busyPs;
        entry.utilisation =
            report.finishTimePs > 0 ? static_cast<double>(usage.busyPs) / report.finishTimePs : 0;
        entry.maxQueueBytes = usage.maxQueueBytes;
        report.links.push_back(entry);
    }
}

} // namespace mlcluster
} // namespace ns3
