/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-table.h"

#include "ns3/message-tally.h"

#include <algorithm>
#include <numeric>
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
    AddMatrices(workload);
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        if (m_entries.count(&graph) == 0)
        {
            Add(graph, workload.GetOrdinals(rank), workload, planner, tally);
        }
    }
    AddRemarks(tally);
    const bool isUsed = std::any_of(m_plans.begin(), m_plans.end(), [](const auto& entry) {
        return entry.second->GetCall().algorithm != nullptr;
    });
    if (planner.HasCustomSchedules() && !isUsed)
    {
        tally.Warning("no collective matches them; all run by the algorithms of their dimensions",
                      {"", 0, "ns3::mlcluster::CollectivePlanner::CustomSchedules"});
    }
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
        const uint64_t context = GetContext(node, ordinals[i]);
        try
        {
            entries[i] = {MakePlan(node, context, workload, planner), context};
            m_plans.emplace(context, entries[i].plan);
        }
        catch (const InputError& error)
        {
            tally.Error({graph.GetFile(), 0, Describe(node)}, error.what());
        }
    }
}

std::shared_ptr<const CollectivePlan>
CollectiveTable::MakePlan(const ExecutionNode& node,
                          uint64_t context,
                          const ClusterWorkload& workload,
                          CollectivePlanner& planner) const
{
    const auto& group = workload.GetGroup(node.group);
    CollectiveCall call{node.collective, node.bytes, node.involvedDimensions, node.peer};
    if (const auto matrix = m_matrices.find(context); matrix != m_matrices.end())
    {
        call.matrix = matrix->second;
        for (std::size_t i = 0; i < group.size(); ++i)
        {
            const auto row = call.matrix->begin() + i * group.size();
            call.bytes =
                std::max(call.bytes, std::accumulate(row, row + group.size(), uint64_t{0}));
        }
    }
    call.algorithm = planner.FindCustom(group, call, node.group, node.id);
    return planner.GetPlan(group, call);
}

uint64_t
CollectiveTable::GetContext(const ExecutionNode& node, uint32_t ordinal) const
{
    return m_groupNumbers.at(node.group) << 32 | ordinal;
}

void
CollectiveTable::AddMatrices(const ClusterWorkload& workload)
{
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
        {
            const ExecutionNode& node = graph.GetNode(i);
            if (node.peerBytes.empty())
            {
                continue;
            }
            const auto& group = workload.GetGroup(node.group);
            auto& matrix = m_matrices[GetContext(node, workload.GetOrdinals(rank)[i])];
            if (!matrix)
            {
                matrix = std::make_shared<std::vector<uint64_t>>(group.size() * group.size());
            }
            const auto position = std::find(group.begin(), group.end(), rank) - group.begin();
            std::copy(node.peerBytes.begin(),
                      node.peerBytes.end(),
                      matrix->begin() + position * static_cast<std::ptrdiff_t>(group.size()));
        }
    }
}

std::shared_ptr<const CollectivePlan>
CollectiveTable::Find(uint64_t context) const
{
    const auto found = m_plans.find(context);
    return found == m_plans.end() ? nullptr : found->second;
}

const CollectiveTable::Entry&
CollectiveTable::Get(const ExecutionGraph& graph, uint32_t index) const
{
    return m_entries.at(&graph)[index];
}

} // namespace mlcluster
} // namespace ns3
