/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_CASES_H
#define ML_CLUSTER_COLLECTIVE_CASES_H

#include "error-of.h"

#include "ns3/collective-plan.h"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

// What the tests of collectives share: short names, a topology of equal links, options.

constexpr auto AR = CollectiveType::AllReduce;
constexpr auto RS = CollectiveType::ReduceScatter;
constexpr auto AG = CollectiveType::AllGather;
constexpr auto A2A = CollectiveType::AllToAll;
constexpr CollectiveType TYPES[] = {AR, RS, AG, A2A};

constexpr int64_t LATENCY = 700'001;       ///< of a link, ps
constexpr uint64_t RATE = 123'456'789'012; ///< of a link, bit/s

/// @param notation the shape @return it with links of RATE and LATENCY
inline ClusterTopology
MakeTopology(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.linkBitRate = RATE;
        dimension.latencyPs = LATENCY;
    }
    return ClusterTopology(dimensions);
}

/// @param topology a shape @return its ranks
inline std::vector<uint32_t>
AllRanks(const ClusterTopology& topology)
{
    std::vector<uint32_t> ranks(topology.GetNRanks());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/// @param chunks number @param inFlight limit @return options with default algorithms
inline CollectiveOptions
WithChunks(uint32_t chunks, uint32_t inFlight = 1)
{
    CollectiveOptions options;
    options.chunks = chunks;
    options.chunksInFlight = inFlight;
    return options;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_CASES_H
