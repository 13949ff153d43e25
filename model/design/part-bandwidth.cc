/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-bandwidth.h"

#include "ns3/collective-group.h"
#include "ns3/diagnostics.h"

#include <string>

namespace ns3
{
namespace mlcluster
{

std::vector<double>
GetLinkShares(const ClusterTopology& topology, const std::vector<uint32_t>& members, bool isOuter)
{
    std::vector<double> shares(topology.GetNDimensions(), 1);
    for (uint32_t d = 0; d < shares.size(); ++d)
    {
        const uint32_t size = topology.GetDimension(d).size;
        const uint32_t count = d < members.size() ? members[d] : 0;
        if (members.size() != shares.size() || count == 0 || size % count != 0)
        {
            throw InputError("the communicators have " + std::to_string(count) +
                             " members in dimension " + std::to_string(d) + " of " +
                             topology.GetNotation() +
                             "; allowed is a divisor of its size for each dimension");
        }
        std::vector<uint32_t> ranks;
        for (uint32_t k = 0; k < count; ++k)
        {
            ranks.push_back(topology.WithDigit(0, d, k * (isOuter ? size / count : 1)));
        }
        const CollectiveGroup group(topology, ranks, {});
        if (!group.GetLevels().empty())
        {
            const auto [part, whole] = group.GetShare(0);
            shares[d] = static_cast<double>(part) / whole;
        }
    }
    return shares;
}

} // namespace mlcluster
} // namespace ns3
