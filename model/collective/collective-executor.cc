/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-executor.h"

#include "ns3/nstime.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Bits of MessageTag::index below the phase and below the chunk.
constexpr uint32_t PHASE_SHIFT = 32;
constexpr uint32_t CHUNK_SHIFT = 40;

uint64_t
MakeIndex(uint32_t chunk, uint32_t phase, uint32_t tag)
{
    return (static_cast<uint64_t>(chunk) << CHUNK_SHIFT) |
           (static_cast<uint64_t>(phase) << PHASE_SHIFT) | tag;
}

} // namespace

CollectiveExecutor::CollectiveExecutor(std::shared_ptr<const CollectivePlan> plan,
                                       uint32_t rank,
                                       uint64_t context,
                                       uint64_t nodeId,
                                       uint32_t cookie,
                                       int32_t priority,
                                       CollectiveHost& host)
    : m_plan(std::move(plan)),
      m_rank(rank),
      m_context(context),
      m_nodeId(nodeId),
      m_cookie(cookie),
      m_priority(priority),
      m_host(host),
      m_nextInOrder(m_plan->GetNDimensions(), 0),
      m_inFlight(m_plan->GetNDimensions(), 0),
      m_phasesDone(m_plan->GetNChunks(), 0),
      m_running(m_plan->GetNChunks(), nullptr)
{
}

CollectiveExecutor::~CollectiveExecutor() = default;

void
CollectiveExecutor::Start()
{
    for (uint32_t dimension = 0; dimension < m_plan->GetNDimensions(); ++dimension)
    {
        StartPhases(dimension);
    }
    if (m_plan->GetNChunks() == 0 || m_plan->GetNPhases() == 0)
    {
        m_host.CollectiveFinished(*this);
        return;
    }
    Drain();
}

void
CollectiveExecutor::StartPhases(uint32_t dimension)
{
    const auto& order = m_plan->GetOrder(dimension);
    while (m_inFlight[dimension] < m_plan->GetChunksInFlight(dimension) &&
           m_nextInOrder[dimension] < order.size() &&
           m_phasesDone[order[m_nextInOrder[dimension]].chunk] ==
               order[m_nextInOrder[dimension]].phase)
    {
        const auto& next = order[m_nextInOrder[dimension]++];
        ++m_inFlight[dimension];
        StartPhase(next.chunk, next.phase);
    }
}

void
CollectiveExecutor::StartPhase(uint32_t chunk, uint32_t phase)
{
    RunningPhase& active = TakeFree();
    m_running[chunk] = &active;
    active.Prepare(*m_plan, m_rank, chunk, phase);
    const int64_t delay = GetDelayedPs() - Simulator::Now().GetTimeStep();
    if (delay > 0)
    {
        Simulator::Schedule(PicoSeconds(delay), &CollectiveExecutor::BeginSteps, this, &active);
    }
    else
    {
        BeginSteps(&active);
    }
}

RunningPhase&
CollectiveExecutor::TakeFree()
{
    if (m_free.empty())
    {
        m_active.push_back(std::make_unique<RunningPhase>());
        return *m_active.back();
    }
    RunningPhase& active = *m_free.back();
    m_free.pop_back();
    return active;
}

void
CollectiveExecutor::BeginSteps(RunningPhase* active)
{
    for (uint32_t step = active->steps.size(); step-- > 0;)
    {
        if (active->steps[step].waiting == 0)
        {
            m_ready.emplace_back(active, step);
        }
    }
    if (active->steps.empty())
    {
        EndPhaseIfComplete(*active);
    }
    Drain();
}

void
CollectiveExecutor::StartStep(RunningPhase& active, uint32_t step)
{
    const RankSchedule& schedule = active.schedule->GetSchedule();
    const RankSchedule::Step bounds = schedule.GetSteps()[step];
    for (uint32_t i = 0; i < bounds.nSends; ++i)
    {
        Send(active, schedule.GetSends()[bounds.firstSend + i]);
    }
    if (bounds.nReceives == 0)
    {
        Processed(&active, step);
    }
    for (uint32_t i = 0; i < bounds.nReceives; ++i)
    {
        Await(active, bounds.firstReceive + i);
    }
}

void
CollectiveExecutor::Send(RunningPhase& active, const Transfer& transfer)
{
    const uint32_t position = active.schedule->GetPosition();
    if (transfer.peer == position)
    {
        return;
    }
    NetworkMessage message;
    message.source = m_rank;
    message.destination = active.peers[transfer.peer];
    message.bytes = transfer.bytes;
    message.tag = {m_context, MakeIndex(active.chunk, active.phase, transfer.tag), position};
    message.nodeId = m_nodeId;
    message.priority = m_priority;
    if (active.nAtSwitch > 0)
    {
        const uint32_t answer = active.schedule->FindReceive(transfer.peer, transfer.tag);
        message.atSwitch = {active.nAtSwitch, active.GetReceive(answer).bytes};
    }
    if (const auto leavesPs = m_host.SendMessage(message))
    {
        --active.sendsLeft;
        active.leftPs = std::max(active.leftPs, *leavesPs);
    }
}

void
CollectiveExecutor::Await(RunningPhase& active, uint32_t receive)
{
    const Transfer& transfer = active.GetReceive(receive);
    if (transfer.peer == active.schedule->GetPosition())
    {
        Received(active, receive, Simulator::Now().GetTimeStep());
        return;
    }
    const uint64_t index = MakeIndex(active.chunk, active.phase, transfer.tag);
    const auto early =
        m_host.GetMailbox().Take(active.peers[transfer.peer], {m_context, index, transfer.peer});
    if (early)
    {
        m_host.GetMailbox().CheckSize(*early, transfer.bytes, m_nodeId);
        Received(active, receive, GetDelayedPs());
        return;
    }
    active.awaited[receive] = 1;
}

RunningPhase*
CollectiveExecutor::FindActive(const MessageTag& tag) const
{
    const uint32_t chunk = tag.index >> CHUNK_SHIFT;
    const uint32_t phase = (tag.index >> PHASE_SHIFT) & 0xff;
    RunningPhase* active = chunk < m_running.size() ? m_running[chunk] : nullptr;
    return active && active->phase == phase ? active : nullptr;
}

bool
CollectiveExecutor::MessageArrived(const NetworkMessage& message)
{
    RunningPhase* active = FindActive(message.tag);
    if (!active)
    {
        return false;
    }
    const uint32_t receive = active->schedule->FindReceive(message.tag.order, message.tag.index);
    if (receive == SharedSchedule::NONE || !active->awaited[receive])
    {
        return false;
    }
    const Transfer& transfer = active->GetReceive(receive);
    m_host.GetMailbox().CheckSize(message, transfer.bytes, m_nodeId);
    active->awaited[receive] = 0;
    Received(*active, receive, GetDelayedPs());
    return true;
}

void
CollectiveExecutor::Received(RunningPhase& active, uint32_t receive, int64_t readyPs)
{
    const Transfer& transfer = active.GetReceive(receive);
    const uint32_t step = active.schedule->GetStepOfReceive(receive);
    const int64_t now = Simulator::Now().GetTimeStep();
    const int64_t done = transfer.reduce ? m_host.BookReduction(transfer.bytes, readyPs) : readyPs;
    if (done > now)
    {
        Simulator::Schedule(PicoSeconds(done - now),
                            &CollectiveExecutor::Processed,
                            this,
                            &active,
                            step);
    }
    else
    {
        Processed(&active, step);
    }
}

int64_t
CollectiveExecutor::GetDelayedPs() const
{
    return GetEnd(Simulator::Now().GetTimeStep(), m_host.GetEndpointDelayPs(), [] {
        return std::string("an endpoint delay");
    });
}

void
CollectiveExecutor::Processed(RunningPhase* active, uint32_t step)
{
    if (--active->steps[step].receiving > 0)
    {
        return;
    }
    const int64_t work = active->schedule->GetSchedule().GetSteps()[step].workPs;
    if (work > 0)
    {
        GetEnd(Simulator::Now().GetTimeStep(), work, [] { return std::string("local work"); });
        Simulator::Schedule(PicoSeconds(work), &CollectiveExecutor::EndStep, this, active, step);
    }
    else
    {
        EndStep(active, step);
    }
}

void
CollectiveExecutor::EndStep(RunningPhase* active, uint32_t step)
{
    --active->stepsLeft;
    const auto [begin, end] = active->schedule->GetChildren(step);
    for (const uint32_t* child = begin; child != end; ++child)
    {
        if (--active->steps[*child].waiting == 0)
        {
            m_ready.emplace_back(active, *child);
        }
    }
    EndPhaseIfComplete(*active);
    Drain();
}

void
CollectiveExecutor::Drain()
{
    if (m_draining)
    {
        return;
    }
    m_draining = true;
    while (!m_ready.empty())
    {
        const auto [active, step] = m_ready.back();
        m_ready.pop_back();
        StartStep(*active, step);
    }
    m_draining = false;
}

void
CollectiveExecutor::MessageLeft(const NetworkMessage& message)
{
    RunningPhase& active = *FindActive(message.tag);
    --active.sendsLeft;
    EndPhaseIfComplete(active);
}

void
CollectiveExecutor::EndPhaseIfComplete(RunningPhase& active)
{
    if (active.stepsLeft > 0 || active.sendsLeft > 0)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    if (active.leftPs > now)
    {
        Simulator::Schedule(PicoSeconds(active.leftPs - now),
                            &CollectiveExecutor::EndPhase,
                            this,
                            &active);
    }
    else
    {
        EndPhase(&active);
    }
}

void
CollectiveExecutor::EndPhase(RunningPhase* active)
{
    const uint32_t chunk = active->chunk;
    const uint32_t dimension = m_plan->GetPhase(chunk, active->phase).dimension;
    active->schedule = nullptr;
    m_running[chunk] = nullptr;
    m_free.push_back(active);
    --m_inFlight[dimension];
    if (++m_phasesDone[chunk] < m_plan->GetNPhases())
    {
        const uint32_t next = m_plan->GetPhase(chunk, m_phasesDone[chunk]).dimension;
        StartPhases(dimension);
        if (next != dimension)
        {
            StartPhases(next);
        }
        return;
    }
    StartPhases(dimension);
    if (++m_chunksDone == m_plan->GetNChunks())
    {
        m_host.CollectiveFinished(*this);
    }
}

std::vector<uint32_t>
CollectiveExecutor::GetAwaitedRanks() const
{
    std::set<uint32_t> ranks;
    for (const RunningPhase* active : m_running)
    {
        if (active)
        {
            active->AddAwaitedRanks(ranks);
        }
    }
    return {ranks.begin(), ranks.end()};
}

uint32_t
CollectiveExecutor::GetCookie() const
{
    return m_cookie;
}

uint64_t
CollectiveExecutor::GetContext() const
{
    return m_context;
}

uint64_t
CollectiveExecutor::GetNodeId() const
{
    return m_nodeId;
}

const CollectivePlan&
CollectiveExecutor::GetPlan() const
{
    return *m_plan;
}

double
CollectiveExecutor::GetShareDone() const
{
    const uint64_t done = std::accumulate(m_phasesDone.begin(), m_phasesDone.end(), uint64_t{0});
    return static_cast<double>(done) / m_phasesDone.size() / m_plan->GetNPhases();
}

} // namespace mlcluster
} // namespace ns3
