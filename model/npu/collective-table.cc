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
#include <unordered_set>
#include <utility>

namespace ns3
{
namespace mlcluster
{

CollectiveTable::CollectiveTable(const ClusterWorkload& workload,
                                 CollectivePlanner& planner,
                                 Diagnostics& diagnostics)
    : m_workload(workload)
{
    MessageTally tally(diagnostics);
    NumberGroups(workload.GetGroups());
    AddMatrices();
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        Add(rank, planner, tally);
    }
    AddRemarks(tally);
    const bool isUsed = std::any_of(m_plans.begin(), m_plans.end(), [](const auto& entry) {
        return entry.second && entry.second->GetCall().algorithm != nullptr;
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
    std::unordered_set<const CollectivePlan*> seen;
    for (const auto& [context, plan] : m_plans)
    {
        if (plan && seen.insert(plan.get()).second)
        {
            for (const CollectiveRemark& remark : plan->GetRemarks())
            {
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
CollectiveTable::Add(uint32_t rank, CollectivePlanner& planner, MessageTally& tally)
{
    const ExecutionGraph& graph = m_workload.GetGraph(rank);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = graph.GetNode(i);
        if (node.kind != NodeKind::Collective)
        {
            continue;
        }
        const uint64_t context = GetContext(rank, i);
        const auto [entry, isNew] = m_plans.emplace(context, nullptr);
        if (!isNew)
        {
            continue;
        }
        try
        {
            entry->second = MakePlan(rank, node, context, planner);
        }
        catch (const InputError& error)
        {
            tally.Error({graph.GetFile(), 0, Describe(node)}, error.what());
        }
    }
}

std::shared_ptr<const CollectivePlan>
CollectiveTable::MakePlan(uint32_t rank,
                          const ExecutionNode& node,
                          uint64_t context,
                          CollectivePlanner& planner) const
{
    const std::string& name = m_workload.ResolveGroup(rank, node.group);
    const auto& group = m_workload.GetGroup(name);
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
    call.algorithm = planner.FindCustom(group, call, name, node.id);
    if (!call.algorithm && call.type == CollectiveType::ReduceScatterBlock)
    {
        call.type = CollectiveType::ReduceScatter;
    }
    return planner.GetPlan(group, call);
}

uint64_t
CollectiveTable::GetContext(uint32_t rank, uint32_t index) const
{
    const std::string& group = m_workload.GetGraph(rank).GetNode(index).group;
    return m_groupNumbers.at(m_workload.ResolveGroup(rank, group)) << 32 |
           m_workload.GetOrdinals(rank)[index];
}

void
CollectiveTable::AddMatrices()
{
    for (uint32_t rank = 0; rank < m_workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = m_workload.GetGraph(rank);
        for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
        {
            const ExecutionNode& node = graph.GetNode(i);
            if (node.peerBytes.empty())
            {
                continue;
            }
            const auto& group = m_workload.GetGroup(m_workload.ResolveGroup(rank, node.group));
            auto& matrix = m_matrices[GetContext(rank, i)];
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

CollectiveTable::Entry
CollectiveTable::Get(uint32_t rank, uint32_t index) const
{
    const uint64_t context = GetContext(rank, index);
    return {m_plans.at(context), context};
}

} // namespace mlcluster
} // namespace ns3
