/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-bandwidth.h"

namespace ns3
{
namespace mlcluster
{

SharedBandwidth::SharedBandwidth(uint64_t bitRate)
    : m_bitRate(bitRate)
{
}

uint64_t
SharedBandwidth::Start(uint64_t bytes, int64_t nowPs)
{
    const FineTime now(nowPs);
    if (m_transfers.empty())
    {
        m_served = FineTime();
    }
    else
    {
        m_served = m_served + (now - m_now) / m_transfers.size();
    }
    m_now = now;
    m_transfers.emplace(m_served + FineTime::OfTransfer(bytes, m_bitRate), m_nStarted);
    return m_nStarted++;
}

std::optional<int64_t>
SharedBandwidth::GetNextEnd() const
{
    return m_transfers.empty() ? std::nullopt : std::optional(GetExactEnd().GetPicoseconds());
}

std::vector<uint64_t>
SharedBandwidth::Advance(int64_t nowPs)
{
    std::vector<uint64_t> ended;
    while (!m_transfers.empty() && !(FineTime(nowPs) < GetExactEnd()))
    {
        m_now = GetExactEnd();
        m_served = m_transfers.begin()->first;
        ended.push_back(m_transfers.begin()->second);
        m_transfers.erase(m_transfers.begin());
    }
    return ended;
}

FineTime
SharedBandwidth::GetExactEnd() const
{
    return m_now + (m_transfers.begin()->first - m_served) * m_transfers.size();
}

} // namespace mlcluster
} // namespace ns3
