/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expert-load.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// @param shares some @param sum of them @return whole numbers that add up to the sum, each less
/// than one from its share: rounded down, but those with the largest remainders up
std::vector<uint64_t>
RoundShares(const std::vector<double>& shares, uint64_t sum)
{
    std::vector<uint64_t> rounded;
    uint64_t rest = sum;
    for (const double share : shares)
    {
        rounded.push_back(share < static_cast<double>(rest) ? static_cast<uint64_t>(share) : rest);
        rest -= rounded.back();
    }
    const auto getRemainder = [&](std::size_t i) {
        return shares[i] - static_cast<double>(rounded[i]);
    };
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return getRemainder(a) > getRemainder(b);
    });
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        rounded[order[i]] += rest / order.size() + (i < rest % order.size() ? 1 : 0);
    }
    return rounded;
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
    const double largest = shape.ownTokens.GetReal();
    const std::vector<double> rests = GetRestsOverShares(experts, shape.plan.expertSkew);
    std::vector<double> shares(shape.plan.expert, 0);
    double rest = m_sent.GetReal();
    for (uint32_t k = 0; k < experts; ++k)
    {
        const double share = std::min(rest / rests[k], largest);
        shares[uint64_t{k} * shape.plan.expert / experts] += share;
        rest -= share;
    }
    m_tokens = RoundShares(shares, m_sent.Get("tokens sent to experts"));
}

} // namespace mlcluster
} // namespace ns3
