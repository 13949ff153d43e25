/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-estimator.h"

#include "memory-estimator.h"

#include "ns3/phase-recurrence.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t EVENTS_PER_NPU = 3; ///< initialisation of node and application, its start

/// Most work of all rehearsals, in messages: some seconds.
constexpr uint64_t MAX_REHEARSED = uint64_t{1} << 22;
constexpr uint64_t WORK_PER_NPU = 8; ///< of making a cluster, in messages

} // namespace

RunEstimator::RunEstimator(const Parts& parts, Rehearsal rehearse)
    : m_parts(parts),
      m_rehearse(std::move(rehearse))
{
}

RunEstimate
RunEstimator::Estimate()
{
    RunEstimate estimate;
    estimate.events += LargeCount(GetSetupEvents());
    estimate.events += m_parts.memoryCosts.events;
    estimate.messages += m_parts.memoryCosts.messages;
    estimate.packets += m_parts.memoryCosts.packets;
    estimate.packetHops += m_parts.memoryCosts.packetHops;
    AddNodes(estimate);
    CollectiveCosts costs(m_parts.graph, m_parts.messages, m_parts.ranks);
    AddCollectives(costs, estimate);
    estimate.memory = MemoryEstimator(m_parts.workload,
                                      m_parts.collectives,
                                      *m_parts.graph,
                                      m_parts.messages,
                                      costs)
                          .Estimate();
    if (!estimate.events.IsExact())
    {
        estimate.remarks.push_back("more events than expected come of collectives that are under "
                                   "way on the same links at once, or whose members start apart");
    }
    if (m_nNotRehearsed > 0)
    {
        estimate.remarks.push_back(std::to_string(m_nNotRehearsed) +
                                   " kinds of collective were too large to be rehearsed: their "
                                   "expected events are those of messages that never wait");
    }
    return estimate;
}

uint64_t
RunEstimator::GetSetupEvents() const
{
    return EVENTS_PER_NPU * m_parts.workload.GetNRanks() + m_parts.messages.GetSetupEvents();
}

void
RunEstimator::AddNodes(RunEstimate& estimate) const
{
    std::unordered_map<const ExecutionGraph*, std::vector<uint32_t>> ranksOf;
    for (uint32_t rank = 0; rank < m_parts.workload.GetNRanks(); ++rank)
    {
        ranksOf[&m_parts.workload.GetGraph(rank)].push_back(rank);
    }
    for (const auto& [graph, ranks] : ranksOf)
    {
        const auto sends = AddLocal(*graph, ranks.size(), estimate);
        for (const uint32_t rank : ranks)
        {
            for (const uint32_t index : sends)
            {
                AddSend(rank, index, estimate);
            }
        }
    }
}

std::vector<uint32_t>
RunEstimator::AddLocal(const ExecutionGraph& graph, uint64_t times, RunEstimate& estimate) const
{
    std::vector<uint32_t> sends;
    uint64_t nMoving = 0;
    bool mayMeet = false;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const NodeHandle node = graph.GetNode(i);
        const bool isComputed =
            m_parts.roofline && node->kind == NodeKind::Compute && !node->onHost;
        if (isComputed || IsLocalAccess(*node))
        {
            ++nMoving;
            mayMeet = mayMeet || !isComputed || RunsOnStream(*node);
        }
        else if (node->kind == NodeKind::Compute)
        {
            estimate.events += LargeCount(times);
        }
        else if (node->kind == NodeKind::Send)
        {
            sends.push_back(i);
        }
    }
    const LargeCount moving = LargeCount(nMoving) * LargeCount(times);
    estimate.events += CountRange(mayMeet ? LargeCount(0) : moving,
                                  moving,
                                  mayMeet ? LargeCount(3) * moving : moving);
    return sends;
}

void
RunEstimator::AddSend(uint32_t rank, uint32_t index, RunEstimate& estimate) const
{
    const NodeHandle node = m_parts.workload.GetGraph(rank).GetNode(index);
    const MessageCost cost =
        m_parts.messages.GetCost(rank, m_parts.workload.GetPeer(rank, *node), node->bytes);
    estimate.events += cost.events;
    estimate.messages += 1;
    estimate.packets += cost.packets;
    estimate.packetHops += cost.packetHops;
    const bool isTold = m_parts.messages.GetLeaving() == MessageCosts::Leaving::Told;
    estimate.events += LargeCount(isTold ? 0 : 1);
}

void
RunEstimator::AddCollectives(CollectiveCosts& costs, RunEstimate& estimate)
{
    auto byMemory = CountByMemory();
    for (auto use : m_parts.collectives.CountUses())
    {
        use.count -= byMemory[use.plan];
        if (use.count == 0)
        {
            continue;
        }
        const CollectiveCost& cost = costs.Get(*use.plan);
        CountRange events = cost.events;
        if (const auto rehearsed = Rehearse(*use.plan, cost))
        {
            events.expected = *rehearsed;
        }
        estimate.events += events * use.count;
        estimate.messages += cost.messages * use.count;
        estimate.packets += cost.packets * use.count;
        estimate.packetHops += cost.packetHops * use.count;
    }
}

std::map<const CollectivePlan*, uint64_t>
RunEstimator::CountByMemory() const
{
    std::unordered_set<uint64_t> contexts;
    std::map<const CollectivePlan*, uint64_t> counts;
    for (uint32_t rank = 0; m_parts.isDoneByMemory && rank < m_parts.workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = m_parts.workload.GetGraph(rank);
        for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
        {
            if (m_parts.isDoneByMemory(rank, i) && graph.GetNode(i)->kind == NodeKind::Collective &&
                contexts.insert(m_parts.collectives.Get(rank, i).context).second)
            {
                ++counts[m_parts.collectives.Get(rank, i).plan.get()];
            }
        }
    }
    return counts;
}

std::optional<uint64_t>
RunEstimator::Rehearse(const CollectivePlan& plan, const CollectiveCost& cost)
{
    if (cost.events.IsExact() || plan.GetCall().algorithm || cost.packets != 0)
    {
        return std::nullopt;
    }
    const auto known = m_rehearsed.find(GetShape(plan));
    if (!plan.GetCall().matrix && known != m_rehearsed.end())
    {
        return known->second;
    }
    const LargeCount work = cost.messages + WORK_PER_NPU * m_parts.workload.GetNRanks();
    if (work.Get() > MAX_REHEARSED - m_rehearsedWork)
    {
        ++m_nNotRehearsed;
        return std::nullopt;
    }
    m_rehearsedWork += work.Get();
    const uint64_t events = std::max(m_rehearse(plan), GetSetupEvents()) - GetSetupEvents();
    m_rehearsed[GetShape(plan)] = events;
    return events;
}

RunEstimator::Shape
RunEstimator::GetShape(const CollectivePlan& plan) const
{
    const CollectiveGroup& group = plan.GetCollectiveGroup();
    const auto& call = plan.GetCall();
    std::vector<uint32_t> root;
    std::vector<std::vector<uint32_t>> levels;
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        const auto& at = group.GetLevels()[level];
        root.push_back(IsRooted(call.type) ? group.GetPosition(call.root, level) : 0);
        levels.push_back({at.dimension, at.size});
        levels.back().insert(levels.back().end(), at.digits.begin(), at.digits.end());
    }
    const bool isAlike = PhaseRecurrence::KeepsToDimensions(plan, *m_parts.graph);
    return {call.type,
            call.bytes,
            std::move(root),
            std::move(levels),
            isAlike ? std::vector<uint32_t>()
                    : CollectiveCosts::Translate(plan.GetGroup(), m_parts.graph->GetTopology())};
}

} // namespace mlcluster
} // namespace ns3
