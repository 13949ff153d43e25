/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-event-queue.h"

#include "ns3/nstime.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <limits>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

const uint64_t MAX_NS = std::numeric_limits<int64_t>::max() / 1000;

} // namespace

uint64_t
CutToNs(double ns)
{
    return ns < static_cast<double>(MAX_NS) ? static_cast<uint64_t>(ns)
                                            : std::numeric_limits<uint64_t>::max();
}

void
ParityEventQueue::Register(uint64_t delayNs, std::function<void()> action)
{
    const uint64_t nowNs = Simulator::Now().GetNanoSeconds();
    if (delayNs > MAX_NS - nowNs)
    {
        RefuseEnd("something of " + std::to_string(delayNs) + " ns");
    }
    const uint64_t timeNs = nowNs + delayNs;
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
