/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-rank.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

ParityRank::ParityRank(uint32_t rank, const Shared& shared, std::function<void()> finished)
    : m_rank(rank),
      m_shared(shared),
      m_graph(shared.workload.GetGraph(rank)),
      m_finished(std::move(finished)),
      m_endpoint{rank, &m_events, &shared.messenger, shared.options.localMemoryBandwidth},
      m_chunks(m_endpoint, shared.nDimensions, shared.options, shared.orders),
      m_nodesLeft(m_graph.GetNNodes())
{
    for (uint32_t i = 0; i < m_graph.GetNNodes(); ++i)
    {
        m_unmet.push_back(m_graph.GetNDependencies(i));
        if (m_unmet[i] == 0)
        {
            const NodeHandle node = m_graph.GetNode(i);
            m_ready[GetResource(*node)].push(i);
        }
    }
}

ParityRank::Resource
ParityRank::GetResource(const ExecutionNode& node)
{
    switch (node.kind)
    {
    case NodeKind::Receive:
        return NONE;
    case NodeKind::Send:
    case NodeKind::Collective:
        return COMMUNICATION;
    case NodeKind::Compute:
        return node.onHost ? HOST : COMPUTE;
    default:
        return node.onHost ? HOST : COMMUNICATION;
    }
}

ParityRank::Resource
ParityRank::ChooseResource() const
{
    int chosen = N_RESOURCES;
    for (int resource = HOST; resource < N_RESOURCES; ++resource)
    {
        const bool can = !m_busy[resource] && !m_ready[resource].empty();
        if (can && (chosen == N_RESOURCES || m_ready[resource].top() < m_ready[chosen].top()))
        {
            chosen = resource;
        }
    }
    return static_cast<Resource>(chosen);
}

void
ParityRank::Issue()
{
    for (Resource resource = ChooseResource(); resource != N_RESOURCES; resource = ChooseResource())
    {
        const uint32_t index = m_ready[resource].top();
        m_ready[resource].pop();
        m_busy[resource] = resource != NONE;
        m_running.insert(index);
        Begin(index);
    }
    if (m_nodesLeft == 0 && m_finished)
    {
        const std::function<void()> finished = std::exchange(m_finished, nullptr);
        finished();
    }
}

void
ParityRank::Begin(uint32_t index)
{
    const NodeHandle node = m_graph.GetNode(index);
    const NetworkMessage outgoing{m_rank, node->peer, node->bytes, {0, node->tag, 0}, node->id};
    const NetworkMessage incoming{node->peer, m_rank, node->bytes, {0, node->tag, 0}, node->id};
    m_shared.recorder.Begin(m_rank, *node, m_shared.planner.GetGroupNumber(node->group));
    const bool isEmpty = node->kind == NodeKind::Invalid || node->kind == NodeKind::Metadata;
    switch (m_shared.options.replayOnly && !isEmpty ? NodeKind::Compute : node->kind)
    {
    case NodeKind::Invalid:
    case NodeKind::Metadata:
        Release(index);
        break;
    case NodeKind::Compute:
        BeginCompute(index);
        break;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        BeginAccess(index);
        break;
    case NodeKind::Send:
        m_shared.messenger.Send(outgoing, [this, index] { End(index); });
        break;
    case NodeKind::Receive:
        m_shared.messenger.Receive(incoming, [this, index] { End(index); });
        break;
    case NodeKind::Collective:
        BeginCollective(index);
        break;
    }
}

void
ParityRank::BeginCompute(uint32_t index)
{
    const NodeHandle node = m_graph.GetNode(index);
    const bool roofline =
        m_shared.options.roofline && !node->onHost && !m_shared.options.replayOnly;
    if (roofline && node->tensorBytes == 0)
    {
        Release(index);
        return;
    }
    const uint64_t durationNs = roofline ? GetRooflineNs(*node) : GetMeasuredNs(*node);
    m_acceleratorNs += node->onHost ? 0 : durationNs;
    EndAfter(index, durationNs);
}

void
ParityRank::BeginAccess(uint32_t index)
{
    const int64_t nowPs = Simulator::Now().GetPicoSeconds();
    const int64_t endPs =
        m_shared.remoteMemory.Book(m_rank, m_graph.GetNode(index)->tensorBytes, nowPs);
    EndAfter(index, (endPs - nowPs) / 1000);
}

void
ParityRank::BeginCollective(uint32_t index)
{
    const NodeHandle node = m_graph.GetNode(index);
    if (node->collective == CollectiveType::Broadcast)
    {
        EndAfter(index, GetMeasuredNs(*node));
        return;
    }
    m_shared.orders.Begin(m_rank, Simulator::Now().GetNanoSeconds());
    const uint32_t group = m_shared.planner.GetGroupNumber(node->group);
    const MessageTag tag{1 + group, m_collectives[group]++, 0};
    if (const auto* schedules = m_shared.planner.GetCustom(*node))
    {
        BeginCustom(index, *schedules, tag);
        return;
    }
    const ParityPlan& plan = m_shared.planner.GetPlan(*node);
    if (plan.GetOrder().empty())
    {
        Release(index);
        return;
    }
    m_chunks.Start(plan, tag, node->id, [this, index] { End(index); });
}

void
ParityRank::BeginCustom(uint32_t index,
                        const std::vector<RankSchedule>& schedules,
                        const MessageTag& tag)
{
    const NodeHandle node = m_graph.GetNode(index);
    const std::vector<uint32_t>& members = m_shared.workload.GetGroup(node->group);
    const auto position = std::find(members.begin(), members.end(), m_rank) - members.begin();
    const RankSchedule& schedule = schedules[position];
    if (schedule.GetSteps().empty())
    {
        Release(index);
        return;
    }
    m_custom = std::make_unique<ParityScheduleRun>(
        m_endpoint,
        ParityScheduleRun::Task{&schedule, &members, tag, node->id},
        [this, index] {
            const auto ended = std::move(m_custom);
            End(index);
        });
    m_custom->Start();
}

void
ParityRank::EndAfter(uint32_t index, uint64_t delayNs)
{
    m_events.Register(delayNs, [this, index] { End(index); });
}

void
ParityRank::End(uint32_t index)
{
    Release(index);
    Issue();
}

void
ParityRank::Release(uint32_t index)
{
    const NodeHandle node = m_graph.GetNode(index);
    m_shared.recorder.End(m_rank, *node);
    m_busy[GetResource(*node)] = false;
    m_running.erase(index);
    --m_nodesLeft;
    for (const uint32_t child : m_graph.GetChildren(index))
    {
        if (--m_unmet[child] == 0)
        {
            const NodeHandle next = m_graph.GetNode(child);
            m_ready[GetResource(*next)].push(child);
        }
    }
}

uint64_t
ParityRank::GetRooflineNs(const ExecutionNode& node) const
{
    const double operations = static_cast<double>(node.operations);
    const double intensity = operations / static_cast<double>(node.tensorBytes);
    const double rate =
        std::min(m_shared.options.localMemoryBandwidth * intensity, m_shared.options.peakFlops);
    return rate > 0 ? CutToNs(operations / rate * 1e9) : 0;
}

uint64_t
ParityRank::GetMeasuredNs(const ExecutionNode& node)
{
    return std::max<uint64_t>(1, static_cast<uint64_t>(node.durationPs) / 1000);
}

uint64_t
ParityRank::GetAcceleratorNs() const
{
    return m_acceleratorNs;
}

double
ParityRank::GetShareDone() const
{
    const double nNodes = m_graph.GetNNodes();
    return nNodes > 0 ? 1 - m_nodesLeft / nNodes : 1;
}

std::vector<std::string>
ParityRank::DescribeBlocked() const
{
    std::vector<std::string> lines;
    for (const uint32_t index : m_running)
    {
        const NodeHandle node = m_graph.GetNode(index);
        const std::string subject = "rank " + std::to_string(m_rank) + ": " + Describe(*node) +
                                    " (" + ToString(node->kind) + ", " +
                                    std::to_string(node->bytes) + " B) ";
        lines.push_back(subject + (node->kind == NodeKind::Collective ? DescribeCollective(*node)
                                                                      : DescribeMessage(*node)));
    }
    return lines;
}

std::string
ParityRank::DescribeMessage(const ExecutionNode& node) const
{
    return "waits for rank " + std::to_string(node.peer) + ", tag " + std::to_string(node.tag);
}

std::string
ParityRank::DescribeCollective(const ExecutionNode& node) const
{
    const std::string text =
        "waits for " + ToString(node.collective) + " of " +
        (node.group.empty() || node.group == "0" ? "all ranks" : "group " + node.group);
    const auto missing =
        m_shared.recorder.GetMissing(m_rank, m_shared.workload.GetGroup(node.group));
    return missing.empty() ? text : text + ", not begun by rank " + JoinNumbers(missing);
}

} // namespace mlcluster
} // namespace ns3
