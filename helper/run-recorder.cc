/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-recorder.h"

#include "ns3/collective-bounds.h"
#include "ns3/memory-size.h"
#include "ns3/npu-application.h"
#include "ns3/shared-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Lower bounds of collectives, found once for each plan.
 */
class RunRecorder::Bounds
{
  public:
    /// @param topology the shape; outlives this
    explicit Bounds(const ClusterTopology& topology)
        : m_topology(topology)
    {
    }

    /// @param plan of a collective @param report of it, has its times; receives the bounds and what
    /// it used of the bandwidth, and how many members meet
    void AddTo(const CollectivePlan& plan, CollectiveReport& report)
    {
        const auto [entry, isNew] = m_known.try_emplace(&plan);
        if (isNew)
        {
            entry->second = Find(plan, report);
        }
        const auto& [bounds, bandwidthPs, latencyPs] = entry->second;
        if (bounds)
        {
            report.ranks = bounds->GetNMembers();
            report.bandwidthBoundPs = bandwidthPs;
            report.latencyBoundPs = latencyPs;
            report.utilisation =
                bounds->GetUtilisation(plan.GetBytesMoved(), report.endPs - report.startPs);
        }
    }

  private:
    /// What is known of a plan.
    struct Known
    {
        std::optional<CollectiveBounds> bounds; ///< nothing if the group is no sub-box
        int64_t bandwidthPs{0};                 ///< lower bound, ps
        int64_t latencyPs{0};                   ///< likewise
    };

    /// @param plan of a collective @param report of it @return what is known of it
    Known Find(const CollectivePlan& plan, CollectiveReport report) const
    {
        const CollectiveGroup group(m_topology, plan.GetGroup(), plan.GetCall().involved);
        if (!group.GetRemarks().empty())
        {
            return {};
        }
        std::vector<uint32_t> dimensions;
        for (const auto& level : group.GetLevels())
        {
            dimensions.push_back(level.dimension);
        }
        const CollectiveBounds bounds(m_topology, dimensions);
        report.ranks = bounds.GetNMembers();
        const uint64_t bytes = report.GetBusBytes();
        if (const auto& matrix = plan.GetCall().matrix)
        {
            return {bounds,
                    bounds.GetBandwidthPs(*matrix),
                    CollectiveBounds::GetLatencyPs(m_topology, plan.GetGroup(), *matrix)};
        }
        return {bounds,
                bounds.GetBandwidthPs(report.type, bytes),
                bounds.GetLatencyPs(report.type, bytes)};
    }

    const ClusterTopology& m_topology;                        ///< shape
    std::unordered_map<const CollectivePlan*, Known> m_known; ///< by plan
};

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
    Collective& collective = m_collectives[context];
    if (collective.firstRank == NONE)
    {
        collective.startPs = Simulator::Now().GetTimeStep();
    }
    if (rank < collective.firstRank)
    {
        collective.firstRank = rank;
        collective.nodeId = node.id;
    }
}

void
RunRecorder::CollectiveEnd(uint32_t /* rank */, const ExecutionNode& /* node */, uint64_t context)
{
    Collective& collective = m_collectives[context];
    collective.endPs = Simulator::Now().GetTimeStep();
    ++collective.nEnded;
}

uint64_t
RunRecorder::GetMemoryBytes(const CollectiveTable& collectives, uint64_t links, uint64_t ranks)
{
    uint64_t count = 0;
    for (const auto& use : collectives.CountUses())
    {
        count += use.count;
    }
    const uint64_t sorting = (count + 1) / 2 * sizeof(CollectiveReport);
    return collectives.GetTableBytes(sizeof(Collective)) + sorting +
           GetGrownBytes(count, sizeof(CollectiveReport)) +
           GetGrownBytes(links, sizeof(LinkReport)) + GetGrownBytes(ranks, sizeof(RankReport));
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
        report.finishTimePs = std::max(report.finishTimePs, GetApplication(i)->GetFinishTimePs());
    }
    for (uint32_t i = 0; i < m_applications.GetN(); ++i)
    {
        GetApplication(i)->AddTo(report);
    }
    AddCollectives(graph.GetTopology(), report);
    AddLinks(backend, graph, report);
}

std::vector<std::string>
RunRecorder::CheckBreakdowns(const RunReport& report)
{
    std::vector<std::string> violations;
    for (const auto& rank : report.ranks)
    {
        const int64_t sum = rank.GetSumPs();
        if (sum != report.finishTimePs)
        {
            violations.push_back("rank " + std::to_string(rank.rank) + ": parts add up to " +
                                 std::to_string(sum) + " ps, the run took " +
                                 std::to_string(report.finishTimePs) + " ps");
        }
    }
    return violations;
}

void
RunRecorder::AddCollectives(const ClusterTopology& topology, RunReport& report) const
{
    SharedTextPool groups;
    Bounds bounds(topology);
    m_collectives.VisitAll([&](uint64_t context, const Collective& collective) {
        const auto plan = m_plans.Find(context);
        if (collective.firstRank == NONE || collective.nEnded < plan->GetGroup().size())
        {
            return;
        }
        const ClusterWorkload& workload = GetApplication(collective.firstRank)->GetWorkload();
        const ExecutionGraph& nodes = workload.GetGraph(collective.firstRank);
        const NodeHandle node = nodes.GetNode(nodes.FindNode(collective.nodeId));
        CollectiveReport entry;
        entry.name = node->name;
        entry.type = node->collective;
        entry.group = groups.Get(workload.ResolveGroup(collective.firstRank, node->group));
        entry.bytes = plan->GetBytes();
        entry.ranks = plan->GetGroup().size();
        entry.startPs = collective.startPs;
        entry.endPs = collective.endPs;
        if (!GetApplication(collective.firstRank)->IsDoneByMemory(nodes.FindNode(node->id)))
        {
            bounds.AddTo(*plan, entry);
        }
        report.collectives.push_back(std::move(entry));
    });
    std::stable_sort(report.collectives.begin(),
                     report.collectives.end(),
                     [](const auto& a, const auto& b) {
                         return std::tie(a.startPs, a.name) < std::tie(b.startPs, b.name);
                     });
}

Ptr<NpuApplication>
RunRecorder::GetApplication(uint32_t rank) const
{
    return DynamicCast<NpuApplication>(m_applications.Get(rank));
}

double
RunRecorder::GetShareDone() const
{
    double share = 0;
    for (uint32_t rank = 0; rank < m_applications.GetN(); ++rank)
    {
        share += GetApplication(rank)->GetShareDone();
    }
    return share / m_applications.GetN();
}

double
RunRecorder::CountOperations() const
{
    long double sum = 0;
    for (uint32_t rank = 0; rank < m_applications.GetN(); ++rank)
    {
        sum += GetApplication(rank)->GetWorkload().GetGraph(rank).GetTotals().operations;
    }
    return sum;
}

void
RunRecorder::AddMemory(const MemoryModel& memory, RunReport& report)
{
    for (const MemoryUsage& usage : memory.GetUsage())
    {
        const MemoryReport entry{usage.name, usage.loadedBytes, usage.storedBytes};
        if (entry.IsUsed())
        {
            report.memory.push_back(entry);
        }
    }
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
