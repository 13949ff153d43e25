/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-schedule.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

template <typename T>
uint32_t
Append(std::vector<T>& all, const std::vector<T>& more)
{
    const auto first = static_cast<uint32_t>(all.size());
    all.insert(all.end(), more.begin(), more.end());
    return first;
}

} // namespace

RankSchedule::RankSchedule(uint32_t partsPerPiece)
    : m_partsPerPiece(partsPerPiece)
{
}

uint32_t
RankSchedule::AddStep(const std::vector<uint32_t>& after,
                      const std::vector<Transfer>& sends,
                      const std::vector<Transfer>& receives,
                      int64_t workPs)
{
    m_steps.push_back({Append(m_after, after),
                       static_cast<uint32_t>(after.size()),
                       Append(m_sends, sends),
                       static_cast<uint32_t>(sends.size()),
                       Append(m_receives, receives),
                       static_cast<uint32_t>(receives.size()),
                       workPs});
    return static_cast<uint32_t>(m_steps.size() - 1);
}

uint32_t
RankSchedule::GetPartsPerPiece() const
{
    return m_partsPerPiece;
}

const std::vector<RankSchedule::Step>&
RankSchedule::GetSteps() const
{
    return m_steps;
}

const std::vector<uint32_t>&
RankSchedule::GetAfter() const
{
    return m_after;
}

const std::vector<Transfer>&
RankSchedule::GetSends() const
{
    return m_sends;
}

const std::vector<Transfer>&
RankSchedule::GetReceives() const
{
    return m_receives;
}

} // namespace mlcluster
} // namespace ns3
