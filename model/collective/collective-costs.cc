/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-costs.h"

#include "phase-recurrence.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

CollectiveCost&
CollectiveCost::operator+=(const CollectiveCost& other)
{
    events += other.events;
    messages += other.messages;
    packets += other.packets;
    packetHops += other.packetHops;
    return *this;
}

CollectiveCosts::CollectiveCosts(std::shared_ptr<const LinkGraph> graph,
                                 const MessageCosts& messages,
                                 const Ranks& ranks)
    : m_graph(std::move(graph)),
      m_messages(messages),
      m_ranks(ranks)
{
}

const CollectiveCost&
CollectiveCosts::Get(const CollectivePlan& plan)
{
    const auto [entry, isNew] = m_plans.try_emplace(&plan);
    if (isNew && plan.GetNChunks() > 0 && plan.GetNPhases() > 0)
    {
        entry->second = Count(plan);
        if (m_messages.ComputesPhases())
        {
            entry->second.events = CountComputed(plan, entry->second.events);
        }
    }
    return entry->second;
}

CollectiveCost
CollectiveCosts::Count(const CollectivePlan& plan)
{
    const bool isAlike = PhaseRecurrence::KeepsToDimensions(plan, *m_graph);
    std::vector<std::vector<uint32_t>> lines;
    for (uint32_t level = 0; level < plan.GetNDimensions(); ++level)
    {
        lines.push_back(FindLines(plan, level));
    }
    std::map<std::tuple<const CollectivePlan::Phase*, uint64_t, uint32_t>, CollectiveCost> known;
    CollectiveCost sum;
    for (uint32_t chunk = 0; chunk < plan.GetNChunks(); ++chunk)
    {
        const auto [entry, isNew] = known.try_emplace({&plan.GetPhase(chunk, 0),
                                                       plan.GetChunkBytes(chunk),
                                                       plan.GetCall().matrix ? chunk : 0});
        for (uint32_t phase = 0; isNew && phase < plan.GetNPhases(); ++phase)
        {
            for (const uint32_t rank : lines[plan.GetPhase(chunk, phase).dimension])
            {
                entry->second += CountLine(plan, rank, chunk, phase, isAlike);
            }
        }
        sum += entry->second;
    }
    return sum;
}

std::vector<uint32_t>
CollectiveCosts::FindLines(const CollectivePlan& plan, uint32_t level)
{
    std::vector<uint32_t> lines;
    for (const uint32_t rank : plan.GetGroup())
    {
        if (plan.GetCollectiveGroup().GetPosition(rank, level) == 0)
        {
            lines.push_back(rank);
        }
    }
    return lines;
}

CollectiveCost
CollectiveCosts::CountLine(const CollectivePlan& plan,
                           uint32_t rank,
                           uint32_t chunk,
                           uint32_t phase,
                           bool isAlike)
{
    const CollectivePlan::Phase& at = plan.GetPhase(chunk, phase);
    if (!plan.TakesPart(rank, chunk, phase))
    {
        CollectiveCost idle;
        const uint32_t size = plan.GetCollectiveGroup().GetLevels()[at.dimension].size;
        idle.events = LargeCount(m_ranks.hasEndpointDelay ? size : 0);
        return idle;
    }
    const CollectiveRequest request = plan.GetRequest(rank, chunk, phase);
    const uint32_t dimension = plan.GetTopologyDimension(at.dimension);
    const auto peers = plan.GetPeers(rank, chunk, phase);
    Key key{at.algorithm.get(), dimension, {}, request};
    if (!isAlike && !at.algorithm->NeedsSwitch())
    {
        std::get<2>(key) = Translate(peers, m_graph->GetTopology());
    }
    const auto [entry, isNew] = m_lines.try_emplace(std::move(key));
    if (isNew)
    {
        entry->second = CountPhase(*at.algorithm, request, peers, m_loads[dimension]);
    }
    return entry->second;
}

std::vector<uint32_t>
CollectiveCosts::Translate(const std::vector<uint32_t>& ranks, const ClusterTopology& topology)
{
    std::vector<uint32_t> translated(ranks.size(), 0);
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        const uint32_t size = topology.GetDimension(k).size;
        const uint32_t first = topology.GetDigit(ranks.front(), k);
        std::transform(ranks.begin(),
                       ranks.end(),
                       translated.begin(),
                       translated.begin(),
                       [&](uint32_t rank, uint32_t sum) {
                           const uint32_t digit = topology.GetDigit(rank, k) + size - first;
                           return sum + digit % size * topology.GetStride(k);
                       });
    }
    return translated;
}

CollectiveCost
CollectiveCosts::CountPhase(const CollectiveAlgorithm& algorithm,
                            const CollectiveRequest& request,
                            const std::vector<uint32_t>& peers,
                            Load& load) const
{
    CollectiveCost cost;
    for (uint32_t position = 0; position < request.size; ++position)
    {
        const RankSchedule schedule = algorithm.Build(request, position);
        AddSends(schedule, position, peers, cost);
        cost.events += LargeCount(m_ranks.hasEndpointDelay ? 1 : 0);
        cost.events += CountReceives(schedule, position);
        cost.events += CountLeaving(schedule, position);
        load = load.GetLarger(GetLoad(schedule));
    }
    return cost;
}

CollectiveCosts::Load
CollectiveCosts::GetLoad(const RankSchedule& schedule)
{
    Load load;
    std::vector<uint32_t> peers;
    for (const Transfer& send : schedule.GetSends())
    {
        peers.push_back(send.peer);
    }
    std::sort(peers.begin(), peers.end());
    load.peers = std::unique(peers.begin(), peers.end()) - peers.begin();
    for (const auto& step : schedule.GetSteps())
    {
        load.sends += step.nAfter == 0 ? step.nSends : 0;
    }
    load.steps = schedule.GetSteps().size();
    load.receives = schedule.GetReceives().size();
    return load;
}

CollectiveCosts::Load
CollectiveCosts::Load::GetLarger(const Load& other) const
{
    return {std::max(peers, other.peers),
            std::max(steps, other.steps),
            std::max(receives, other.receives),
            std::max(sends, other.sends)};
}

const std::map<uint32_t, CollectiveCosts::Load>&
CollectiveCosts::GetLoads() const
{
    return m_loads;
}

void
CollectiveCosts::AddSends(const RankSchedule& schedule,
                          uint32_t position,
                          const std::vector<uint32_t>& peers,
                          CollectiveCost& cost) const
{
    const auto add = [&](uint32_t from, uint32_t to, uint64_t bytes, uint64_t count) {
        const MessageCost message = m_messages.GetCost(from, to, bytes);
        cost.events += message.events * count;
        cost.messages += count;
        cost.packets += message.packets * count;
        cost.packetHops += message.packetHops * count;
    };
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> equal;
    for (const Transfer& send : schedule.GetSends())
    {
        if (send.peer != position)
        {
            ++equal[{send.peer, send.bytes}];
        }
    }
    for (const auto& [send, count] : equal)
    {
        add(peers[position], peers[send.first], send.second, count);
    }
    if (peers.back() >= m_graph->GetNRanks())
    {
        const uint64_t sets = schedule.GetSends().size();
        cost.events += LargeCount(position == 0 ? sets : 0);
        for (const Transfer& answer : schedule.GetReceives())
        {
            add(peers.back(), peers[position], answer.bytes, 1);
        }
    }
}

CountRange
CollectiveCosts::CountReceives(const RankSchedule& schedule, uint32_t position) const
{
    CountRange events;
    for (const Transfer& receive : schedule.GetReceives())
    {
        const bool isDelayed = m_ranks.hasEndpointDelay && receive.peer != position;
        const bool isReduced = m_ranks.hasReductions && receive.reduce;
        const bool isCertain = isDelayed || (isReduced && receive.bytes > 0);
        events += {isCertain, isCertain, isCertain || isReduced};
    }
    for (const auto& step : schedule.GetSteps())
    {
        events += LargeCount(step.workPs > 0 ? 1 : 0);
    }
    return events;
}

CountRange
CollectiveCosts::CountLeaving(const RankSchedule& schedule, uint32_t position) const
{
    const auto& sends = schedule.GetSends();
    const auto& steps = schedule.GetSteps();
    const bool isSending = std::any_of(sends.begin(), sends.end(), [&](const Transfer& send) {
        return send.peer != position && send.bytes > 0;
    });
    const bool isWaiting =
        !schedule.GetReceives().empty() ||
        std::any_of(steps.begin(), steps.end(), [](const auto& step) { return step.workPs > 0; });
    if (!isSending || m_messages.GetLeaving() == MessageCosts::Leaving::Told)
    {
        return {};
    }
    return {!isWaiting, !isWaiting, 1};
}

CountRange
CollectiveCosts::CountComputed(const CollectivePlan& plan, const CountRange& byMessages) const
{
    if (m_ranks.hasReductions || !PhaseRecurrence::WhyNot(plan, *m_graph).empty())
    {
        return byMessages;
    }
    const uint64_t members = plan.GetGroup().size();
    return {members, members, byMessages.most + members};
}

} // namespace mlcluster
} // namespace ns3
