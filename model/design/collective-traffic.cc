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

std::vector<double>
GetCollectiveTraffic(CollectiveType type, double bytes, const std::vector<uint32_t>& members)
{
    const bool isGather = type == CollectiveType::AllGather;
    const bool isToAll = type == CollectiveType::AllToAll;
    const bool isReduce = type == CollectiveType::AllReduce;
    if (!isGather && !isToAll && !isReduce && type != CollectiveType::ReduceScatter)
    {
        throw InputError("the traffic of " + ToString(type) +
                         " is not known; allowed are all-reduce, reduce-scatter, all-gather, "
                         "all-to-all");
    }
    if (!std::isfinite(bytes) || bytes < 0 ||
        std::find(members.begin(), members.end(), 0) != members.end())
    {
        throw InputError("a collective needs a finite size and at least one member in each "
                         "dimension");
    }
    std::vector<double> traffic(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        const std::size_t d = isGather ? members.size() - 1 - i : i;
        const double size = members[d];
        const double sent = bytes * (size - 1) / (isGather ? 1 : size);
        traffic[d] = isReduce ? 2 * sent : sent;
        bytes = isGather ? bytes * size : (isToAll ? bytes : bytes / size);
    }
    return traffic;
}

} // namespace mlcluster
} // namespace ns3
