/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "access-turns.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

AccessTurns::AccessTurns(uint32_t nRanks)
    : m_queues(nRanks)
{
}

bool
AccessTurns::Add(uint64_t access, const std::vector<uint32_t>& ranks)
{
    Waiting& waiting = m_accesses[access];
    waiting = {ranks, 0};
    for (const uint32_t rank : ranks)
    {
        waiting.nBusy += m_queues[rank].empty() ? 0 : 1;
        m_queues[rank].push_back(access);
    }
    return waiting.nBusy == 0;
}

std::vector<uint64_t>
AccessTurns::End(uint64_t access)
{
    std::vector<uint64_t> next;
    const auto ended = m_accesses.extract(access);
    for (const uint32_t rank : ended.mapped().ranks)
    {
        m_queues[rank].pop_front();
        if (!m_queues[rank].empty() && --m_accesses.at(m_queues[rank].front()).nBusy == 0)
        {
            next.push_back(m_queues[rank].front());
        }
    }
    std::sort(next.begin(), next.end());
    return next;
}

} // namespace mlcluster
} // namespace ns3
