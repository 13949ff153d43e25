/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "analytical-costs.h"

namespace ns3
{
namespace mlcluster
{

AnalyticalCosts::AnalyticalCosts(std::shared_ptr<const LinkGraph> graph,
                                 const Rules& rules,
                                 const Memory& memory)
    : MessageCosts(memory),
      m_graph(std::move(graph)),
      m_rules(rules)
{
}

MessageCost
AnalyticalCosts::GetCost(uint32_t source, uint32_t destination, uint64_t /* bytes */) const
{
    if (!m_rules.queues && !m_rules.forwardsWhole)
    {
        return {LargeCount(1), {}, {}};
    }
    uint64_t hops = 0;
    m_graph->VisitRoute(source, destination, [&](uint32_t) { ++hops; });
    if (!m_rules.queues)
    {
        return {LargeCount(hops), {}, {}};
    }
    if (m_rules.forwardsWhole)
    {
        return {LargeCount(2 * hops), {}, {}};
    }
    return {{hops, hops, (m_rules.computesPhases ? 3 : 2) * hops}, {}, {}};
}

MessageCosts::Leaving
AnalyticalCosts::GetLeaving() const
{
    if (!m_rules.queues)
    {
        return Leaving::Known;
    }
    return m_rules.forwardsWhole ? Leaving::Told : Leaving::KnownIfFree;
}

uint64_t
AnalyticalCosts::GetSetupEvents() const
{
    return 0;
}

bool
AnalyticalCosts::ComputesPhases() const
{
    return m_rules.computesPhases;
}

} // namespace mlcluster
} // namespace ns3
