/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-mapping.h"

#include "ns3/diagnostics.h"

#include <set>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param digits the digits of a group in a dimension @return the distance between any two next to
/// each other; 1 if distances differ
uint32_t
GetStep(const std::set<uint32_t>& digits)
{
    const uint32_t step = *std::next(digits.begin()) - *digits.begin();
    uint32_t expected = *digits.begin();
    for (const uint32_t digit : digits)
    {
        if (digit != expected)
        {
            return 1;
        }
        expected += step;
    }
    return step;
}

/// @param members of a group @param topology the network @return where they lie
std::string
DescribeGroup(const std::vector<uint32_t>& members, const ClusterTopology& topology)
{
    std::string text;
    uint64_t box = 1;
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        std::set<uint32_t> digits;
        for (const uint32_t rank : members)
        {
            digits.insert(topology.GetDigit(rank, k));
        }
        if (digits.size() < 2)
        {
            continue;
        }
        box *= digits.size();
        const uint32_t size = topology.GetDimension(k).size;
        const uint32_t step = GetStep(digits);
        text += (text.empty() ? "dimension " : " and dimension ") + std::to_string(k);
        text += digits.size() == size
                    ? " (whole)"
                    : " (" + std::to_string(digits.size()) + " of " + std::to_string(size) +
                          (step > 1 ? ", " + std::to_string(step) + " apart)" : ")");
    }
    if (box != members.size())
    {
        text +=
            ", " + std::to_string(members.size()) + " of " + std::to_string(box) + " ranks there";
    }
    return text.empty() ? "one rank" : text;
}

} // namespace

std::string
DescribeMapping(const std::vector<std::vector<uint32_t>>& groups, const ClusterTopology& topology)
{
    std::vector<std::pair<std::string, uint32_t>> ways;
    for (const auto& members : groups)
    {
        for (const uint32_t rank : members)
        {
            if (rank >= topology.GetNRanks())
            {
                throw InputError("rank " + std::to_string(rank) + " of a group is not in " +
                                 topology.GetNotation() + ", which has " +
                                 std::to_string(topology.GetNRanks()) + " ranks");
            }
        }
        const std::string way = DescribeGroup(members, topology);
        auto known = ways.begin();
        while (known != ways.end() && known->first != way)
        {
            ++known;
        }
        known = known == ways.end() ? ways.insert(known, {way, 0}) : known;
        ++known->second;
    }
    std::string text;
    for (const auto& [way, count] : ways)
    {
        text += (text.empty() ? "" : "; ") + way +
                (ways.size() > 1 ? " for " + std::to_string(count) + " groups" : "");
    }
    return text;
}

} // namespace mlcluster
} // namespace ns3
