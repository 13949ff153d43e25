/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "running-collectives.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

RunningCollectives::RunningCollectives(uint32_t rank,
                                       const ExecutionGraph& graph,
                                       std::shared_ptr<const CollectiveTable> collectives,
                                       const CollectivePriority& priority,
                                       CollectiveHost& host,
                                       EndCallback ended)
    : m_rank(rank),
      m_graph(graph),
      m_collectives(std::move(collectives)),
      m_priority(priority),
      m_host(host),
      m_hasEnded(std::move(ended))
{
}

void
RunningCollectives::MeetAt(std::shared_ptr<PhaseRendezvous> rendezvous)
{
    m_rendezvous = std::move(rendezvous);
}

bool
RunningCollectives::IsMet(const CollectivePlan& plan) const
{
    return m_rendezvous && plan.GetNChunks() > 0 && plan.GetNPhases() > 0;
}

void
RunningCollectives::Start(uint32_t index)
{
    const CollectiveTable::Entry entry = m_collectives->Get(m_rank, index);
    const NodeHandle node = m_graph.GetNode(index);
    m_priorities[index] = m_priority.GetNext(*node);
    if (IsMet(*entry.plan))
    {
        m_rendezvous->Start(m_rank, entry.plan, entry.context, index, *this);
    }
    else
    {
        RunByMessages(index);
    }
}

void
RunningCollectives::RunByMessages(uint32_t cookie)
{
    const NodeHandle node = m_graph.GetNode(cookie);
    const CollectiveTable::Entry entry = m_collectives->Get(m_rank, cookie);
    auto& executor = m_running[entry.context];
    executor = std::make_unique<CollectiveExecutor>(entry.plan,
                                                    m_rank,
                                                    entry.context,
                                                    node->id,
                                                    cookie,
                                                    m_priorities.at(cookie),
                                                    m_host);
    m_priorities.erase(cookie);
    executor->Start();
}

void
RunningCollectives::PhasesEnded(uint32_t cookie)
{
    m_priorities.erase(cookie);
    ForgetEnded();
    m_hasEnded(cookie);
}

uint64_t
RunningCollectives::GetContext(uint32_t index) const
{
    return m_collectives->Get(m_rank, index).context;
}

void
RunningCollectives::Finish(const CollectiveExecutor& executor)
{
    const auto place = m_running.find(executor.GetContext());
    m_ended.push_back(std::move(place->second));
    m_running.erase(place);
    m_latest = nullptr;
    if (IsMet(executor.GetPlan()))
    {
        m_rendezvous->End(m_rank, executor.GetPlan(), executor.GetContext());
    }
    m_hasEnded(executor.GetCookie());
}

void
RunningCollectives::ForgetEnded()
{
    m_ended.clear();
}

void
RunningCollectives::MessageSent(const NetworkMessage& message)
{
    if (m_rendezvous)
    {
        m_rendezvous->MessageSent(message);
    }
}

void
RunningCollectives::MessageLeft(const NetworkMessage& message)
{
    Find(message.tag.context)->MessageLeft(message);
}

bool
RunningCollectives::MessageArrived(const NetworkMessage& message)
{
    if (m_rendezvous)
    {
        m_rendezvous->MessageArrived(message);
    }
    CollectiveExecutor* executor = Find(message.tag.context);
    return executor && executor->MessageArrived(message);
}

CollectiveExecutor*
RunningCollectives::Find(uint64_t context)
{
    if (!m_latest || m_latest->GetContext() != context)
    {
        const auto place = m_running.find(context);
        m_latest = place == m_running.end() ? nullptr : place->second.get();
    }
    return m_latest;
}

double
RunningCollectives::GetShareDone() const
{
    double done = 0;
    for (const auto& [context, executor] : m_running)
    {
        done += executor->GetShareDone();
    }
    return done;
}

std::vector<uint32_t>
RunningCollectives::GetAwaitedRanks(uint32_t index) const
{
    const CollectiveTable::Entry entry = m_collectives->Get(m_rank, index);
    const auto place = m_running.find(entry.context);
    if (place != m_running.end())
    {
        return place->second->GetAwaitedRanks();
    }
    return IsMet(*entry.plan) ? m_rendezvous->GetAwaitedRanks(m_rank, *entry.plan, entry.context)
                              : std::vector<uint32_t>();
}

} // namespace mlcluster
} // namespace ns3
