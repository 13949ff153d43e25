/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repetition-watch.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// The finaliser of SplitMix64 (Steele, Lea, Flood, 2014).
uint64_t
Mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace

RepetitionWatch::RepetitionWatch(uint32_t unit)
    : m_unit(unit)
{
}

void
RepetitionWatch::Start(uint32_t rank, const ExecutionNode& node, int64_t nowPs)
{
    Add(rank, node, false, nowPs);
}

void
RepetitionWatch::End(uint32_t rank, const ExecutionNode& node, int64_t nowPs)
{
    Add(rank, node, true, nowPs);
}

void
RepetitionWatch::Add(uint32_t rank, const ExecutionNode& node, bool isEnd, int64_t nowPs)
{
    if (node.repetition < 0)
    {
        return;
    }
    const std::size_t k = static_cast<uint32_t>(node.repetition) / m_unit;
    m_parts.resize(std::max(m_parts.size(), k + 1));
    Part& part = m_parts[k];
    part.firstPs = part.count == 0 ? nowPs : part.firstPs;
    part.lastPs = nowPs;
    ++part.count;
    uint64_t hash = 0;
    for (const uint64_t value : {uint64_t{rank},
                                 static_cast<uint64_t>(node.kind) * 2 + isEnd,
                                 static_cast<uint64_t>(node.repetition) % m_unit,
                                 node.operations,
                                 node.tensorBytes,
                                 node.bytes,
                                 static_cast<uint64_t>(node.durationPs),
                                 static_cast<uint64_t>(nowPs - part.firstPs)})
    {
        hash = Mix(hash ^ value);
    }
    part.sum += hash;
}

std::optional<int64_t>
RepetitionWatch::GetShift(std::size_t k) const
{
    const Part& part = m_parts[k];
    const Part& next = m_parts[k + 1];
    if (part.count == 0 || part.count != next.count || part.sum != next.sum ||
        next.firstPs <= part.firstPs)
    {
        return {};
    }
    return next.firstPs - part.firstPs;
}

std::optional<int64_t>
RepetitionWatch::FindPeriodPs() const
{
    std::optional<int64_t> period;
    int64_t nEqual = 0;
    for (std::size_t k = 0; k + 1 < m_parts.size(); ++k)
    {
        const auto shift = GetShift(k);
        nEqual = shift && shift == period ? nEqual + 1 : shift ? 1 : 0;
        period = shift;
        if (shift)
        {
            const int64_t nInFlight = (m_parts[k].lastPs - m_parts[k].firstPs) / *shift + 1;
            if (nEqual > nInFlight)
            {
                return shift;
            }
        }
    }
    return {};
}

} // namespace mlcluster
} // namespace ns3
