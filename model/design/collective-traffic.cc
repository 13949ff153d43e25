/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-traffic.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// What a member of one level does with a size m over g members.
struct Rule
{
    bool isFromOutside; ///< whether the outermost dimension comes first
    double times;       ///< what it sends, over m
    double after;       ///< what is left, over m
};

/// @param type a type @param size members g of a level @return what happens there
Rule
GetRule(CollectiveType type, double size)
{
    const double part = (size - 1) / size;
    switch (type)
    {
    case CollectiveType::AllReduce:
        return {false, 2 * part, 1 / size};
    case CollectiveType::ReduceScatter:
    case CollectiveType::ReduceScatterBlock:
        return {false, part, 1 / size};
    case CollectiveType::AllToAll:
        return {false, part, 1};
    case CollectiveType::AllGather:
        return {true, size - 1, size};
    case CollectiveType::Gather:
        return {false, size - 1, size};
    case CollectiveType::Scatter:
        return {true, part, 1 / size};
    case CollectiveType::Broadcast:
        return {true, size > 1 ? 1. : 0, 1};
    case CollectiveType::Reduce:
        return {false, size > 1 ? 1. : 0, 1};
    case CollectiveType::Barrier:
        return {false, 0, 1};
    }
    return {};
}

} // namespace

std::vector<double>
GetCollectiveTraffic(CollectiveType type, double bytes, const std::vector<uint32_t>& members)
{
    if (!std::isfinite(bytes) || bytes < 0 ||
        std::find(members.begin(), members.end(), 0) != members.end())
    {
        throw InputError("a collective needs a finite size and at least one member in each "
                         "dimension");
    }
    std::vector<double> traffic(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        const bool isFromOutside = GetRule(type, 1).isFromOutside;
        const std::size_t d = isFromOutside ? members.size() - 1 - i : i;
        const Rule rule = GetRule(type, members[d]);
        traffic[d] = bytes * rule.times;
        bytes *= rule.after;
    }
    return traffic;
}

} // namespace mlcluster
} // namespace ns3
