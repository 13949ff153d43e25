/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tiered-bandwidth.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace mlcluster
{

using Wide = FineTime::Wide; ///< products

TieredBandwidth::TieredBandwidth(const std::vector<uint64_t>& tierBitRates,
                                 std::optional<uint64_t> linkBitRate)
    : m_linkBitRate(linkBitRate)
{
    for (const uint64_t bitRate : tierBitRates)
    {
        m_tiers.push_back({bitRate});
    }
}

uint64_t
TieredBandwidth::Start(uint32_t tier, uint64_t bytes, int64_t nowPs)
{
    if (tier >= m_tiers.size())
    {
        throw InputError("a transfer of memory tier " + std::to_string(tier) + "; there are " +
                         std::to_string(m_tiers.size()) + ", counted from 0");
    }
    MoveTo(FineTime(nowPs));
    Tier& own = m_tiers[tier];
    if (own.transfers.empty())
    {
        own.served = FineTime();
    }
    own.transfers.emplace(own.served + FineTime::OfTransfer(bytes, own.bitRate), m_nStarted);
    SetRates();
    return m_nStarted++;
}

std::optional<int64_t>
TieredBandwidth::GetNextEnd() const
{
    const auto end = FindEnd();
    return end ? std::optional(end->time.GetPicoseconds()) : std::nullopt;
}

std::vector<uint64_t>
TieredBandwidth::Advance(int64_t nowPs)
{
    std::vector<std::pair<int64_t, uint64_t>> ends;
    for (auto end = FindEnd(); end && !(FineTime(nowPs) < end->time); end = FindEnd())
    {
        MoveTo(end->time);
        auto& transfers = m_tiers[end->tier].transfers;
        transfers.erase(transfers.begin());
        ends.emplace_back(end->time.GetPicoseconds(), end->number);
        SetRates();
    }
    std::sort(ends.begin(), ends.end());
    std::vector<uint64_t> ended;
    for (const auto& end : ends)
    {
        ended.push_back(end.second);
    }
    return ended;
}

std::size_t
TieredBandwidth::GetNTransfers() const
{
    std::size_t count = 0;
    for (const Tier& tier : m_tiers)
    {
        count += tier.transfers.size();
    }
    return count;
}

double
TieredBandwidth::GetRate(uint32_t tier) const
{
    const Tier& own = m_tiers.at(tier);
    return own.transfers.empty() ? 0
                                 : static_cast<double>(own.bitRate) * static_cast<double>(own.up) /
                                       static_cast<double>(own.down);
}

std::optional<TieredBandwidth::End>
TieredBandwidth::FindEnd() const
{
    std::optional<End> next;
    for (uint32_t i = 0; i < m_tiers.size(); ++i)
    {
        const Tier& tier = m_tiers[i];
        if (tier.transfers.empty())
        {
            continue;
        }
        const auto& [end, number] = *tier.transfers.begin();
        const FineTime left = tier.served < end ? end - tier.served : FineTime();
        const FineTime time = m_now + left.MultiplyRoundedDown(tier.down, tier.up);
        if (!next || time < next->time)
        {
            next = End{time, number, i};
        }
    }
    return next;
}

void
TieredBandwidth::MoveTo(FineTime time)
{
    for (Tier& tier : m_tiers)
    {
        if (!tier.transfers.empty())
        {
            tier.served = tier.served + (time - m_now).MultiplyRoundedUp(tier.up, tier.down);
        }
    }
    m_now = time;
}

void
TieredBandwidth::SetRates()
{
    std::vector<Tier*> active;
    uint64_t waiting = 0;
    for (Tier& tier : m_tiers)
    {
        if (!tier.transfers.empty())
        {
            active.push_back(&tier);
            waiting += tier.transfers.size();
        }
    }
    std::sort(active.begin(), active.end(), [](const Tier* a, const Tier* b) {
        return Wide{a->bitRate} * b->transfers.size() < Wide{b->bitRate} * a->transfers.size();
    });
    uint64_t left = m_linkBitRate.value_or(0);
    for (Tier* tier : active)
    {
        const uint64_t own = tier->transfers.size();
        if (!m_linkBitRate || Wide{tier->bitRate} * waiting <= Wide{left} * own)
        {
            tier->up = 1;
            tier->down = own;
            left -= std::min(left, tier->bitRate);
            waiting -= own;
        }
        else
        {
            tier->up = left;
            tier->down = Wide{tier->bitRate} * waiting;
        }
    }
}

} // namespace mlcluster
} // namespace ns3
