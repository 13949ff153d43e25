/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-table.h"

#include "ns3/memory-size.h"
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

namespace
{

/// @param plan a plan @return memory that it takes, schedules left out
uint64_t
GetPlanBytes(const CollectivePlan& plan)
{
    const uint64_t perChunk = sizeof(uint32_t) + sizeof(uint64_t);
    uint64_t bytes = GetHeapBytes(sizeof(plan)) + plan.GetCollectiveGroup().GetMemoryBytes() +
                     GetHeapBytes(plan.GetNPhases() * sizeof(CollectivePlan::Phase)) +
                     plan.GetNChunks() * perChunk;
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        bytes +=
            sizeof(uint32_t) + sizeof(plan.GetOrder(level)) + GetContentBytes(plan.GetOrder(level));
    }
    const auto& matrix = plan.GetCall().matrix;
    return bytes + (matrix ? GetContentBytes(*matrix) : 0);
}

} // namespace

CollectiveTable::CollectiveTable(const ClusterWorkload& workload,
                                 CollectivePlanner& planner,
                                 Diagnostics& diagnostics)
    : m_workload(workload)
{
    MessageTally tally(diagnostics);
    NumberGroups(workload.GetGroups());
    AddRanks();
    AddMatrices();
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        Add(rank, planner, tally);
    }
    AddRemarks(tally);
    bool isUsed = false;
    m_plans.VisitAll([&](uint64_t, const auto& plan) {
        isUsed = isUsed || (plan && plan->GetCall().algorithm);
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
CollectiveTable::AddRanks()
{
    for (uint32_t rank = 0; rank < m_workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = m_workload.GetGraph(rank);
        RankGroups groups{&graph, {}};
        for (const std::string name : graph.GetGroups())
        {
            groups.numbers.push_back(m_groupNumbers.at(m_workload.ResolveGroup(rank, name)));
        }
        m_rankGroups.push_back(std::move(groups));
    }
}

void
CollectiveTable::AddRemarks(MessageTally& tally) const
{
    std::set<std::pair<std::string, std::string>> remarks;
    std::unordered_set<const CollectivePlan*> seen;
    m_plans.VisitAll([&](uint64_t, const auto& plan) {
        if (plan && seen.insert(plan.get()).second)
        {
            for (const CollectiveRemark& remark : plan->GetRemarks())
            {
                remarks.emplace(remark.text, remark.subject);
            }
        }
    });
    for (const auto& [text, subject] : remarks)
    {
        tally.Warning(text, {"", 0, subject});
    }
}

void
CollectiveTable::Add(uint32_t rank, CollectivePlanner& planner, MessageTally& tally)
{
    const ExecutionGraph& graph = m_workload.GetGraph(rank);
    const uint32_t nNodes = HasNewGroup(rank) ? graph.GetNNodes() : 0;
    for (uint32_t i = 0; i < nNodes; ++i)
    {
        const NodeHandle node = graph.GetNode(i);
        if (node->kind != NodeKind::Collective)
        {
            continue;
        }
        const uint64_t context = GetContext(rank, i);
        auto& plan = m_plans[context];
        if (plan || m_impossible.count(context) > 0)
        {
            continue;
        }
        try
        {
            plan = MakePlan(rank, *node, context, planner);
        }
        catch (const InputError& error)
        {
            m_impossible.insert(context);
            tally.Error({graph.GetFile(), 0, Describe(*node)}, error.what());
        }
    }
}

bool
CollectiveTable::HasNewGroup(uint32_t rank)
{
    const RankGroups& groups = m_rankGroups[rank];
    bool isNew = false;
    for (std::size_t i = 0; i < groups.numbers.size(); ++i)
    {
        isNew = m_groupsDone.emplace(groups.graph, i, groups.numbers[i]).second || isNew;
    }
    return isNew;
}

std::shared_ptr<const CollectivePlan>
CollectiveTable::MakePlan(uint32_t rank,
                          const ExecutionNode& node,
                          uint64_t context,
                          CollectivePlanner& planner) const
{
    const std::string name = m_workload.ResolveGroup(rank, node.group);
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
    const RankGroups& groups = m_rankGroups[rank];
    return m_plans.MakeContext(groups.numbers[groups.graph->GetGroupNumber(index)],
                               groups.graph->GetOrdinal(index));
}

void
CollectiveTable::AddMatrices()
{
    for (uint32_t rank = 0; rank < m_workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = m_workload.GetGraph(rank);
        const uint32_t nNodes = graph.GetTotals().hasPeerBytes ? graph.GetNNodes() : 0;
        for (uint32_t i = 0; i < nNodes; ++i)
        {
            const NodeHandle node = graph.GetNode(i);
            if (node->peerBytes.empty())
            {
                continue;
            }
            const auto& group = m_workload.GetGroup(m_workload.ResolveGroup(rank, node->group));
            auto& matrix = m_matrices[GetContext(rank, i)];
            if (!matrix)
            {
                matrix = std::make_shared<std::vector<uint64_t>>(group.size() * group.size());
            }
            const auto position = std::find(group.begin(), group.end(), rank) - group.begin();
            std::copy(node->peerBytes.begin(),
                      node->peerBytes.end(),
                      matrix->begin() + position * static_cast<std::ptrdiff_t>(group.size()));
        }
    }
}

std::shared_ptr<const CollectivePlan>
CollectiveTable::Find(uint64_t context) const
{
    const auto* plan = m_plans.Find(context);
    return plan ? *plan : nullptr;
}

std::vector<CollectiveTable::Use>
CollectiveTable::CountUses() const
{
    std::vector<Use> uses;
    std::unordered_map<const CollectivePlan*, std::size_t> places;
    m_plans.VisitAll([&](uint64_t, const auto& plan) {
        if (!plan)
        {
            return;
        }
        const auto [place, isNew] = places.try_emplace(plan.get(), uses.size());
        if (isNew)
        {
            uses.push_back({plan.get(), 0});
        }
        ++uses[place->second].count;
    });
    return uses;
}

uint64_t
CollectiveTable::GetMemoryBytes() const
{
    uint64_t bytes = GetTableBytes(sizeof(std::shared_ptr<const CollectivePlan>));
    for (const Use& use : CountUses())
    {
        bytes += GetPlanBytes(*use.plan) + GetHashNodeBytes(sizeof(uint64_t) + sizeof(use));
    }
    for (const auto& groups : m_rankGroups)
    {
        bytes += sizeof(groups) + GetContentBytes(groups.numbers);
    }
    return bytes;
}

uint64_t
CollectiveTable::GetTableBytes(uint64_t bytes) const
{
    return m_plans.GetCapacity() * bytes;
}

CollectiveTable::Entry
CollectiveTable::Get(uint32_t rank, uint32_t index) const
{
    const uint64_t context = GetContext(rank, index);
    return {Find(context), context};
}

} // namespace mlcluster
} // namespace ns3
