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

/// Longest period that is looked for, in parts that can only be had together.
constexpr std::size_t MAX_UNITS = 64;

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
    const auto k = static_cast<std::size_t>(node.repetition);
    m_parts.resize(std::max(m_parts.size(), k + 1));
    Part& part = m_parts[k];
    part.firstPs = part.count == 0 ? nowPs : part.firstPs;
    part.lastPs = nowPs;
    ++part.count;
    uint64_t hash = 0;
    for (const uint64_t value : {uint64_t{rank},
                                 static_cast<uint64_t>(node.kind) * 2 + isEnd,
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
RepetitionWatch::GetShift(std::size_t k, std::size_t parts) const
{
    const Part& part = m_parts[k];
    const Part& later = m_parts[k + parts];
    if (part.count == 0 || part.count != later.count || part.sum != later.sum ||
        later.firstPs <= part.firstPs)
    {
        return {};
    }
    return later.firstPs - part.firstPs;
}

std::optional<int64_t>
RepetitionWatch::GetPeriodPs(std::size_t parts) const
{
    std::optional<int64_t> period;
    std::size_t nEqual = 0;
    std::size_t nInFlight = 0;
    std::size_t next = 0;
    for (std::size_t k = 0; k + parts < m_parts.size(); ++k)
    {
        const auto shift = GetShift(k, parts);
        const bool goesOn = shift && shift == period;
        next = std::max(next, k + 1);
        while (next < m_parts.size() && m_parts[next].firstPs < m_parts[k].lastPs)
        {
            ++next;
        }
        nEqual = goesOn ? nEqual + 1 : shift ? 1 : 0;
        nInFlight = std::max(goesOn ? nInFlight : 0, next - k);
        period = shift;
        if (shift && nEqual >= nInFlight + parts)
        {
            return shift;
        }
    }
    return {};
}

std::optional<RepetitionWatch::Period>
RepetitionWatch::FindPeriod(uint32_t unit) const
{
    for (std::size_t n = 1; n <= MAX_UNITS && 2 * n * unit < m_parts.size(); ++n)
    {
        if (const auto ps = GetPeriodPs(n * unit))
        {
            return Period{n * unit, *ps};
        }
    }
    return {};
}

} // namespace mlcluster
} // namespace ns3
