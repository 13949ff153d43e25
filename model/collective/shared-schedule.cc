/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-schedule.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

SharedSchedule::SharedSchedule(RankSchedule schedule, uint32_t position)
    : m_schedule(std::move(schedule)),
      m_position(position)
{
    const auto& sends = m_schedule.GetSends();
    m_nMessages = std::count_if(sends.begin(), sends.end(), [position](const Transfer& send) {
        return send.peer != position;
    });
    FindChildren();
    AddReceives();
}

void
SharedSchedule::FindChildren()
{
    const auto& steps = m_schedule.GetSteps();
    const auto& after = m_schedule.GetAfter();
    m_firstChild.assign(steps.size() + 1, 0);
    for (const uint32_t earlier : after)
    {
        ++m_firstChild[earlier + 1];
    }
    for (std::size_t i = 1; i < m_firstChild.size(); ++i)
    {
        m_firstChild[i] += m_firstChild[i - 1];
    }
    m_children.resize(after.size());
    std::vector<uint32_t> next(m_firstChild.begin(), m_firstChild.end() - 1);
    for (uint32_t step = 0; step < steps.size(); ++step)
    {
        for (uint32_t i = 0; i < steps[step].nAfter; ++i)
        {
            m_children[next[after[steps[step].firstAfter + i]]++] = step;
        }
    }
}

void
SharedSchedule::AddReceives()
{
    const auto& steps = m_schedule.GetSteps();
    const auto& receives = m_schedule.GetReceives();
    std::size_t size = 1;
    while (size < 2 * receives.size())
    {
        size *= 2;
    }
    m_slots.assign(size, NONE);
    m_stepOfReceive.resize(receives.size());
    for (uint32_t step = 0; step < steps.size(); ++step)
    {
        for (uint32_t i = 0; i < steps[step].nReceives; ++i)
        {
            const uint32_t receive = steps[step].firstReceive + i;
            m_stepOfReceive[receive] = step;
            m_slots[FindSlot(receives[receive].peer, receives[receive].tag)] = receive;
        }
    }
}

std::size_t
SharedSchedule::FindSlot(uint32_t peer, uint32_t tag) const
{
    const auto& receives = m_schedule.GetReceives();
    const std::size_t mask = m_slots.size() - 1;
    const uint64_t key = static_cast<uint64_t>(peer) << 32 | tag;
    std::size_t slot = (key * 0x9e3779b97f4a7c15ULL >> 32) & mask;
    while (m_slots[slot] != NONE &&
           (receives[m_slots[slot]].peer != peer || receives[m_slots[slot]].tag != tag))
    {
        slot = (slot + 1) & mask;
    }
    return slot;
}

const RankSchedule&
SharedSchedule::GetSchedule() const
{
    return m_schedule;
}

uint32_t
SharedSchedule::GetPosition() const
{
    return m_position;
}

uint32_t
SharedSchedule::GetNMessages() const
{
    return m_nMessages;
}

std::pair<const uint32_t*, const uint32_t*>
SharedSchedule::GetChildren(uint32_t step) const
{
    return {m_children.data() + m_firstChild[step], m_children.data() + m_firstChild[step + 1]};
}

uint32_t
SharedSchedule::FindReceive(uint32_t peer, uint32_t tag) const
{
    return m_slots[FindSlot(peer, tag)];
}

uint32_t
SharedSchedule::GetStepOfReceive(uint32_t receive) const
{
    return m_stepOfReceive[receive];
}

std::shared_ptr<const SharedSchedule>
ScheduleCache::Get(const CollectiveAlgorithm& algorithm,
                   CollectiveRequest request,
                   uint32_t position)
{
    const auto entry = m_schedules.try_emplace({&algorithm, std::move(request)}).first;
    const CollectiveRequest& known = entry->first.second;
    entry->second.resize(known.size);
    auto schedule = entry->second[position].lock();
    if (!schedule)
    {
        schedule =
            std::make_shared<const SharedSchedule>(algorithm.Build(known, position), position);
        entry->second[position] = schedule;
        Keep(schedule);
    }
    return schedule;
}

void
ScheduleCache::Keep(std::shared_ptr<const SharedSchedule> schedule)
{
    const auto count = [](const SharedSchedule& kept) {
        return kept.GetSchedule().GetSends().size() + kept.GetSchedule().GetReceives().size();
    };
    m_nKept += count(*schedule);
    m_kept.push_back(std::move(schedule));
    while (m_nKept > MOST_KEPT)
    {
        m_nKept -= count(*m_kept.front());
        m_kept.pop_front();
    }
}

} // namespace mlcluster
} // namespace ns3
