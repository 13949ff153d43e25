/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-table.h"

#include <iterator>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Number of a group, equal on all ranks; undefined names "" and "0" mean all ranks.
uint64_t
GetGroupNumber(const CommunicatorGroups& groups, const std::string& name)
{
    const auto found = groups.find(name);
    if (found == groups.end())
    {
        return name.empty() ? 1 : 2;
    }
    return 3 + std::distance(groups.begin(), found);
}

} // namespace

CollectiveTable::CollectiveTable(const ClusterWorkload& workload,
                                 CollectivePlanner& planner,
                                 Diagnostics& diagnostics)
{
    std::set<std::string> remarks;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        if (m_entries.count(&graph) == 0)
        {
            Add(graph, workload.GetOrdinals(rank), workload, planner, diagnostics);
        }
    }
    for (const auto& [graph, entries] : m_entries)
    {
        for (const auto& entry : entries)
        {
            if (entry.plan)
            {
                remarks.insert(entry.plan->GetRemarks().begin(), entry.plan->GetRemarks().end());
            }
        }
    }
    for (const auto& remark : remarks)
    {
        diagnostics.Warning({}, remark);
    }
}

void
CollectiveTable::Add(const ExecutionGraph& graph,
                     const std::vector<uint32_t>& ordinals,
                     const ClusterWorkload& workload,
                     CollectivePlanner& planner,
                     Diagnostics& diagnostics)
{
    std::vector<Entry>& entries = m_entries[&graph];
    entries.resize(graph.GetNNodes());
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = graph.GetNode(i);
        if (node.kind != NodeKind::Collective)
        {
            continue;
        }
        try
        {
            entries[i].plan = planner.GetPlan(workload.GetGroup(node.group),
                                              node.involvedDimensions,
                                              node.collective,
                                              node.bytes);
        }
        catch (const InputError& error)
        {
            diagnostics.Error(
                {graph.GetFile(), 0, "node " + std::to_string(node.id) + " \"" + node.name + "\""},
                error.what());
        }
        entries[i].context = GetGroupNumber(workload.GetGroups(), node.group) << 32 | ordinals[i];
    }
}

const CollectiveTable::Entry&
CollectiveTable::Get(const ExecutionGraph& graph, uint32_t index) const
{
    return m_entries.at(&graph)[index];
}

} // namespace mlcluster
} // namespace ns3
