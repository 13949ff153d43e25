/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-event-queue.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace mlcluster
{

void
ParityEventQueue::Register(uint64_t delayNs, std::function<void()> action)
{
    const uint64_t timeNs = Simulator::Now().GetNanoSeconds() + delayNs;
    auto& group = m_groups[timeNs];
    if (group.empty())
    {
        Simulator::Schedule(NanoSeconds(delayNs), &ParityEventQueue::RunGroup, this, timeNs);
    }
    group.push_back(std::move(action));
}

void
ParityEventQueue::RunGroup(uint64_t timeNs)
{
    auto& group = m_groups[timeNs];
    for (std::size_t i = 0; i < group.size(); ++i)
    {
        const std::function<void()> action = std::move(group[i]);
        action();
    }
    m_groups.erase(timeNs);
}

} // namespace mlcluster
} // namespace ns3
