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

/// One chunk in one phase on this rank.
struct CollectiveExecutor::ActivePhase
{
    uint32_t chunk;                   ///< chunk index
    uint32_t phase;                   ///< phase index
    std::vector<uint32_t> peers;      ///< ranks by position
    RankSchedule schedule;            ///< steps
    std::vector<uint32_t> waiting;    ///< per step: steps it still waits for
    std::vector<uint32_t> receiving;  ///< per step: receives not done
    std::vector<uint32_t> firstChild; ///< per step: offset into children, one more than steps
    std::vector<uint32_t> children;   ///< steps that wait for a step
    uint32_t stepsLeft{0};            ///< steps not complete
    uint32_t sendsLeft{0};            ///< messages that have not left

    /// Derives the counters from the schedule.
    void Prepare();
};

void
CollectiveExecutor::ActivePhase::Prepare()
{
    const auto& steps = schedule.GetSteps();
    stepsLeft = steps.size();
    sendsLeft = schedule.GetSends().size();
    firstChild.assign(steps.size() + 1, 0);
    for (const uint32_t after : schedule.GetAfter())
    {
        ++firstChild[after + 1];
    }
    for (std::size_t i = 1; i < firstChild.size(); ++i)
    {
        firstChild[i] += firstChild[i - 1];
    }
    children.resize(schedule.GetAfter().size());
    std::vector<uint32_t> next(firstChild.begin(), firstChild.end() - 1);
    for (uint32_t i = 0; i < steps.size(); ++i)
    {
        waiting.push_back(steps[i].nAfter);
        receiving.push_back(steps[i].nReceives);
        for (uint32_t a = 0; a < steps[i].nAfter; ++a)
        {
            children[next[schedule.GetAfter()[steps[i].firstAfter + a]]++] = i;
        }
    }
}

CollectiveExecutor::CollectiveExecutor(std::shared_ptr<const CollectivePlan> plan,
                                       uint32_t rank,
                                       uint64_t context,
                                       uint64_t nodeId,
                                       uint32_t cookie,
                                       CollectiveHost& host)
    : m_plan(std::move(plan)),
      m_rank(rank),
      m_context(context),
      m_nodeId(nodeId),
      m_cookie(cookie),
      m_host(host),
      m_nextInOrder(m_plan->GetNDimensions(), 0),
      m_inFlight(m_plan->GetNDimensions(), 0),
      m_phasesDone(m_plan->GetNChunks(), 0)
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
    while (m_inFlight[dimension] < m_plan->GetChunksInFlight() &&
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
    auto active = std::make_unique<ActivePhase>();
    active->chunk = chunk;
    active->phase = phase;
    active->peers = m_plan->GetPeers(m_rank, phase);
    active->schedule = m_plan->GetSchedule(m_rank, chunk, phase);
    active->Prepare();
    auto free = std::find(m_active.begin(), m_active.end(), nullptr);
    const uint32_t slot = free - m_active.begin();
    if (free == m_active.end())
    {
        m_active.emplace_back();
    }
    m_active[slot] = std::move(active);
    const int64_t delay = GetDelayedPs() - Simulator::Now().GetTimeStep();
    if (delay > 0)
    {
        Simulator::Schedule(PicoSeconds(delay), &CollectiveExecutor::BeginSteps, this, slot);
    }
    else
    {
        BeginSteps(slot);
    }
}

void
CollectiveExecutor::BeginSteps(uint32_t slot)
{
    const auto& waiting = m_active[slot]->waiting;
    for (uint32_t step = waiting.size(); step-- > 0;)
    {
        if (waiting[step] == 0)
        {
            m_ready.emplace_back(slot, step);
        }
    }
    Drain();
    EndPhaseIfComplete(slot);
}

void
CollectiveExecutor::StartStep(uint32_t slot, uint32_t step)
{
    ActivePhase& active = *m_active[slot];
    const RankSchedule::Step bounds = active.schedule.GetSteps()[step];
    for (uint32_t i = 0; i < bounds.nSends; ++i)
    {
        const Transfer& transfer = active.schedule.GetSends()[bounds.firstSend + i];
        NetworkMessage message;
        message.source = m_rank;
        message.destination = active.peers[transfer.peer];
        message.bytes = transfer.bytes;
        message.tag = {m_context, MakeIndex(active.chunk, active.phase, transfer.tag), 0};
        message.nodeId = m_nodeId;
        m_host.SendMessage(message);
    }
    for (uint32_t i = 0; i < bounds.nReceives; ++i)
    {
        const Transfer& transfer = active.schedule.GetReceives()[bounds.firstReceive + i];
        m_host.GetMailbox().Expect(
            {active.peers[transfer.peer],
             {m_context, MakeIndex(active.chunk, active.phase, transfer.tag), 0},
             transfer.bytes,
             m_nodeId,
             this,
             (static_cast<uint64_t>(slot) << 33) | (static_cast<uint64_t>(step) << 1) |
                 (transfer.reduce ? 1 : 0)});
    }
    if (bounds.nReceives == 0)
    {
        active.receiving[step] = 1;
        Processed(slot, step);
    }
}

void
CollectiveExecutor::Received(uint64_t cookie, const NetworkMessage& message)
{
    const uint32_t slot = cookie >> 33;
    const uint32_t step = (cookie >> 1) & 0xffffffff;
    const int64_t now = Simulator::Now().GetTimeStep();
    int64_t done = GetDelayedPs();
    if (cookie & 1)
    {
        done = m_host.BookReduction(message.bytes, done);
    }
    if (done > now)
    {
        Simulator::Schedule(PicoSeconds(done - now),
                            &CollectiveExecutor::Processed,
                            this,
                            slot,
                            step);
    }
    else
    {
        Processed(slot, step);
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
CollectiveExecutor::Processed(uint32_t slot, uint32_t step)
{
    ActivePhase& active = *m_active[slot];
    if (--active.receiving[step] > 0)
    {
        return;
    }
    --active.stepsLeft;
    for (uint32_t c = active.firstChild[step]; c < active.firstChild[step + 1]; ++c)
    {
        if (--active.waiting[active.children[c]] == 0)
        {
            m_ready.emplace_back(slot, active.children[c]);
        }
    }
    Drain();
    EndPhaseIfComplete(slot);
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
        const auto [slot, step] = m_ready.back();
        m_ready.pop_back();
        StartStep(slot, step);
    }
    m_draining = false;
}

void
CollectiveExecutor::MessageLeft(const NetworkMessage& message)
{
    const uint32_t chunk = message.tag.index >> CHUNK_SHIFT;
    const uint32_t phase = (message.tag.index >> PHASE_SHIFT) & 0xff;
    for (uint32_t slot = 0; slot < m_active.size(); ++slot)
    {
        if (m_active[slot] && m_active[slot]->chunk == chunk && m_active[slot]->phase == phase)
        {
            --m_active[slot]->sendsLeft;
            EndPhaseIfComplete(slot);
            return;
        }
    }
}

void
CollectiveExecutor::EndPhaseIfComplete(uint32_t slot)
{
    if (!m_active[slot] || m_active[slot]->stepsLeft > 0 || m_active[slot]->sendsLeft > 0)
    {
        return;
    }
    const uint32_t chunk = m_active[slot]->chunk;
    const uint32_t dimension = m_plan->GetPhase(m_active[slot]->phase).dimension;
    m_active[slot].reset();
    --m_inFlight[dimension];
    if (++m_phasesDone[chunk] < m_plan->GetNPhases())
    {
        const uint32_t next = m_plan->GetPhase(m_phasesDone[chunk]).dimension;
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
