/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "local-memory.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

LocalMemory::LocalMemory(uint64_t bitRate, int64_t latencyPs, bool isShared)
    : m_bitRate(bitRate),
      m_latencyPs(latencyPs)
{
    if (isShared && bitRate > 0)
    {
        m_bandwidth.emplace(bitRate);
    }
}

int64_t
LocalMemory::GetPicoseconds(uint64_t bytes) const
{
    constexpr int64_t longest = std::numeric_limits<int64_t>::max();
    const int64_t movedPs = bytes > 0 ? SerialisationPicoseconds(bytes, m_bitRate) : 0;
    return movedPs > longest - m_latencyPs ? longest : movedPs + m_latencyPs;
}

void
LocalMemory::StartAccess(uint32_t name, uint64_t bytes, int64_t nowPs)
{
    Start({nowPs, m_nStarted++, name, m_latencyPs}, bytes, nowPs);
}

void
LocalMemory::StartComputing(uint32_t name, uint64_t bytes, int64_t nowPs, int64_t operationsEndPs)
{
    Start({operationsEndPs, m_nStarted++, name, 0}, bytes, nowPs);
}

void
LocalMemory::Start(const Work& work, uint64_t bytes, int64_t nowPs)
{
    if (m_bandwidth && bytes > 0)
    {
        TakeTransfers(nowPs);
        m_transfers.emplace(m_bandwidth->Start(bytes, nowPs), work);
        return;
    }
    Work known = work;
    const int64_t timePs = bytes > 0 ? SerialisationPicoseconds(bytes, m_bitRate) : 0;
    known.endPs = work.GetEndPs(GetEnd(nowPs, timePs, [=] { return FormatBytes(bytes); }));
    m_ends.insert(known);
}

std::optional<int64_t>
LocalMemory::GetNextMoment() const
{
    std::optional<int64_t> next;
    if (!m_transfers.empty())
    {
        const int64_t movedPs = *m_bandwidth->GetNextEnd();
        next = m_transfers.size() == 1 ? m_transfers.begin()->second.GetEndPs(movedPs) : movedPs;
    }
    if (!m_ends.empty())
    {
        next = std::min(next.value_or(m_ends.begin()->endPs), m_ends.begin()->endPs);
    }
    return next;
}

std::vector<uint32_t>
LocalMemory::Advance(int64_t nowPs)
{
    TakeTransfers(nowPs);
    std::vector<uint32_t> ended;
    while (!m_ends.empty() && m_ends.begin()->endPs <= nowPs)
    {
        ended.push_back(m_ends.begin()->name);
        m_ends.erase(m_ends.begin());
    }
    return ended;
}

void
LocalMemory::TakeTransfers(int64_t nowPs)
{
    while (!m_transfers.empty() && *m_bandwidth->GetNextEnd() <= nowPs)
    {
        const int64_t movedPs = *m_bandwidth->GetNextEnd();
        for (const uint64_t transfer : m_bandwidth->Advance(movedPs))
        {
            const auto entry = m_transfers.find(transfer);
            Work work = entry->second;
            work.endPs = work.GetEndPs(movedPs);
            m_ends.insert(work);
            m_transfers.erase(entry);
        }
    }
}

bool
LocalMemory::Work::operator<(const Work& other) const
{
    return std::tie(endPs, place) < std::tie(other.endPs, other.place);
}

int64_t
LocalMemory::Work::GetEndPs(int64_t movedPs) const
{
    return std::max(endPs, GetEnd(movedPs, latencyPs, [] { return "a use of local memory"; }));
}

} // namespace mlcluster
} // namespace ns3
