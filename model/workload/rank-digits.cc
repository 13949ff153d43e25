/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-digits.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

RankDigits::RankDigits(const std::vector<Digit>& digits, uint64_t nRanks)
    : m_nRanks(nRanks)
{
    std::copy_if(digits.begin(),
                 digits.end(),
                 std::back_inserter(m_digits),
                 [](const Digit& digit) { return digit.count != 1; });
    for (std::size_t i = 0; i < m_digits.size(); ++i)
    {
        const auto& [stride, count] = m_digits[i];
        const uint64_t next = i + 1 < m_digits.size() ? m_digits[i + 1].stride : nRanks;
        if (stride == 0 || count == 0 || next % stride != 0 || next / stride % count != 0)
        {
            throw InputError("groups of " + std::to_string(count) + " ranks, " +
                             std::to_string(stride) + " apart, do not divide " +
                             std::to_string(next) + " ranks evenly");
        }
    }
}

uint64_t
RankDigits::GetSize() const
{
    uint64_t size = 1;
    for (const Digit& digit : m_digits)
    {
        size *= digit.count;
    }
    return size;
}

uint64_t
RankDigits::GetFirst(uint64_t rank) const
{
    uint64_t first = rank;
    for (const auto& [stride, count] : m_digits)
    {
        first -= rank / stride % count * stride;
    }
    return first;
}

std::vector<uint32_t>
RankDigits::GetMembers(uint64_t first) const
{
    std::vector<uint32_t> members{static_cast<uint32_t>(first)};
    for (const auto& [stride, count] : m_digits)
    {
        const std::size_t nBelow = members.size();
        for (uint64_t value = 1; value < count; ++value)
        {
            for (std::size_t i = 0; i < nBelow; ++i)
            {
                members.push_back(static_cast<uint32_t>(members[i] + value * stride));
            }
        }
    }
    return members;
}

std::optional<std::vector<bool>>
RankDigits::FindDimensions(const ClusterTopology& topology) const
{
    std::vector<bool> involved(topology.GetNDimensions(), false);
    bool isWhole = true;
    uint64_t nFilled = 1;
    for (const auto& [stride, count] : m_digits)
    {
        uint64_t filled = 1;
        for (uint32_t i = 0; i < topology.GetNDimensions(); ++i)
        {
            const uint64_t below = topology.GetStride(i);
            const uint64_t size = topology.GetDimension(i).size;
            if (size > 1 && below >= stride && below * size <= stride * count)
            {
                involved[i] = true;
                filled *= size;
            }
        }
        isWhole = isWhole && filled == count;
        nFilled *= filled;
    }
    if (!isWhole)
    {
        return std::nullopt;
    }
    return nFilled == m_nRanks ? std::vector<bool>{} : involved;
}

void
RankDigits::AddFamily(const std::string& family,
                      CommunicatorGroups& groups,
                      GroupFamilies& families) const
{
    std::vector<uint32_t>& numbers = families[family];
    uint32_t nGroups = 0;
    for (uint64_t rank = 0; rank < m_nRanks; ++rank)
    {
        const uint64_t first = GetFirst(rank);
        if (first == rank)
        {
            groups[family + "." + std::to_string(nGroups)] = GetMembers(first);
            numbers.push_back(nGroups++);
        }
        else
        {
            numbers.push_back(numbers[first]);
        }
    }
}

} // namespace mlcluster
} // namespace ns3
