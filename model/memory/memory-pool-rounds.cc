/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-rounds.h"

namespace ns3
{
namespace mlcluster
{

MemoryPoolRounds::MemoryPoolRounds(uint64_t bytes, uint64_t fullBytes, PoolRoundPolicy policy)
{
    const uint64_t rest = bytes % fullBytes;
    const uint64_t count = bytes / fullBytes + (rest != 0 ? 1 : 0);
    const auto add = [this](uint64_t rounds, uint64_t size) {
        if (rounds > 0)
        {
            m_runs.push_back({rounds, size});
        }
    };
    if (rest == 0)
    {
        add(count, fullBytes);
    }
    else if (policy == PoolRoundPolicy::ShortLast)
    {
        add(count - 1, fullBytes);
        add(1, rest);
    }
    else
    {
        add(bytes % count, bytes / count + 1);
        add(count - bytes % count, bytes / count);
    }
}

uint64_t
MemoryPoolRounds::GetCount() const
{
    uint64_t count = 0;
    for (const Run& run : m_runs)
    {
        count += run.count;
    }
    return count;
}

uint64_t
MemoryPoolRounds::GetBytes(uint64_t round) const
{
    return round < m_runs[0].count ? m_runs[0].bytes : m_runs[1].bytes;
}

uint64_t
MemoryPoolRounds::GetOffset(uint64_t round) const
{
    const Run& first = m_runs[0];
    return round <= first.count
               ? round * first.bytes
               : first.count * first.bytes + (round - first.count) * m_runs[1].bytes;
}

} // namespace mlcluster
} // namespace ns3
