/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expert-load.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double ROUNDING = 1 - 1e-12; // 1.1 times 10 is not above 11

/// @param experts E @param skew of the Zipf law @return per expert k, the shares of experts k ...
/// E-1 together over that of k
std::vector<double>
GetRestsOverShares(uint32_t experts, double skew)
{
    std::vector<double> rests(experts, 1);
    for (uint32_t k = experts - 1; k-- > 0;)
    {
        rests[k] = 1 + std::pow((k + 1.0) / (k + 2.0), skew) * rests[k + 1];
    }
    return rests;
}

} // namespace

ExpertLoad::ExpertLoad(const RankShape& shape)
    : m_sent(shape.ownTokens * shape.model.topExperts)
{
    if (shape.plan.capacityFactor > 0)
    {
        const auto tokens = static_cast<double>(m_sent.Get("tokens sent to experts"));
        m_sent = Amount(shape.model.experts) *
                 static_cast<uint64_t>(std::ceil(shape.plan.capacityFactor * tokens /
                                                 shape.model.experts * ROUNDING));
    }
    else if (shape.plan.expertSkew > 0)
    {
        Spread(shape);
    }
}

Amount
ExpertLoad::GetSent() const
{
    return m_sent;
}

Amount
ExpertLoad::GetReceived(uint32_t position) const
{
    return m_tokens.empty() ? m_sent : Amount(m_tokens.size()) * m_tokens[position];
}

const std::vector<uint64_t>&
ExpertLoad::GetTokensOfMembers() const
{
    return m_tokens;
}

void
ExpertLoad::Spread(const RankShape& shape)
{
    const uint32_t experts = shape.model.experts;
    const uint64_t largest = shape.ownTokens.Get("tokens of a rank");
    const std::vector<double> rests = GetRestsOverShares(experts, shape.plan.expertSkew);
    uint64_t rest = m_sent.Get("tokens sent to experts");
    m_tokens.assign(shape.plan.expert, 0);
    for (uint32_t k = 0; k < experts; ++k)
    {
        const auto share = static_cast<uint64_t>(std::ceil(static_cast<double>(rest) / rests[k]));
        const uint64_t tokens = std::min({share, largest, rest});
        m_tokens[uint64_t{k} * shape.plan.expert / experts] += tokens;
        rest -= tokens;
    }
}

} // namespace mlcluster
} // namespace ns3
