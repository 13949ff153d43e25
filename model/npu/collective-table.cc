/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-table.h"

#include "ns3/message-tally.h"

#include <set>
#include <utility>

namespace ns3
{
namespace mlcluster
{

CollectiveTable::CollectiveTable(const ClusterWorkload& workload,
                                 CollectivePlanner& planner,
                                 Diagnostics& diagnostics)
{
    MessageTally tally(diagnostics);
    NumberGroups(workload.GetGroups());
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        if (m_entries.count(&graph) == 0)
        {
            Add(graph, workload.GetOrdinals(rank), workload, planner, tally);
        }
    }
    AddRemarks(tally);
}

void
CollectiveTable::NumberGroups(const CommunicatorGroups& groups)
{
    uint64_t number = 2;
    for (const auto& [name, members] : groups)
    {
        m_groupNumbers.emplace(name, ++number);
    }
    m_groupNumbers.emplace("", 1);
    m_groupNumbers.emplace("0", 2);
}

void
CollectiveTable::AddRemarks(MessageTally& tally) const
{
    std::set<std::pair<std::string, std::string>> remarks;
    for (const auto& [graph, entries] : m_entries)
    {
        for (const auto& entry : entries)
        {
            for (std::size_t i = 0; entry.plan && i < entry.plan->GetRemarks().size(); ++i)
            {
                const CollectiveRemark& remark = entry.plan->GetRemarks()[i];
                remarks.emplace(remark.text, remark.subject);
            }
        }
    }
    for (const auto& [text, subject] : remarks)
    {
        tally.Warning(text, {"", 0, subject});
    }
}

void
CollectiveTable::Add(const ExecutionGraph& graph,
                     const std::vector<uint32_t>& ordinals,
                     const ClusterWorkload& workload,
                     CollectivePlanner& planner,
                     MessageTally& tally)
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
            entries[i].plan =
                planner.GetPlan(workload.GetGroup(node.group),
                                {node.collective, node.bytes, node.involvedDimensions, node.peer});
        }
        catch (const InputError& error)
        {
            tally.Error({graph.GetFile(), 0, Describe(node)}, error.what());
            continue;
        }
        entries[i].context = m_groupNumbers.at(node.group) << 32 | ordinals[i];
    }
}

const CollectiveTable::Entry&
CollectiveTable::Get(const ExecutionGraph& graph, uint32_t index) const
{
    return m_entries.at(&graph)[index];
}

} // namespace mlcluster
} // namespace ns3
