/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NETWORK_SHAPES_H
#define ML_CLUSTER_NETWORK_SHAPES_H

#include "ns3/cluster-topology.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/// Wide enough for any product of size, rate and time. @ingroup ml-cluster-tests
__extension__ typedef __int128 TestInt128;

/// @ingroup ml-cluster-tests @param bytes size @param bitRate bit/s @return their quotient, rounded
/// up to 1 ps
inline int64_t
RoundUp(uint64_t bytes, uint64_t bitRate)
{
    const TestInt128 work = TestInt128{8} * bytes * 1'000'000'000'000;
    return static_cast<int64_t>((work + bitRate - 1) / bitRate);
}

/// @ingroup ml-cluster-tests @param latency ps @param bytes size @param bitRate bit/s @return
/// latency + bytes / rate, ps, rounded down to 1 ns
inline int64_t
RoundDown(int64_t latency, uint64_t bytes, uint64_t bitRate)
{
    const TestInt128 work =
        TestInt128{latency} * bitRate + TestInt128{8} * bytes * 1'000'000'000'000;
    return static_cast<int64_t>(work / (TestInt128{bitRate} * 1000)) * 1000;
}

/// @ingroup ml-cluster-tests @param block shape @param size members @param linkBitRate bit/s @param
/// latencyPs ps @return the dimension
inline TopologyDimension
Dimension(BuildingBlock block, uint32_t size, uint64_t linkBitRate, int64_t latencyPs)
{
    TopologyDimension dimension;
    dimension.block = block;
    dimension.size = size;
    dimension.linkBitRate = linkBitRate;
    dimension.latencyPs = latencyPs;
    return dimension;
}

/// @ingroup ml-cluster-tests @param random source @param maxRanks upper bound of the number of
/// ranks @return one to three random dimensions, at least two ranks; some links have no latency
inline std::vector<TopologyDimension>
RandomDimensions(std::mt19937_64& random, uint32_t maxRanks)
{
    constexpr BuildingBlock BLOCKS[] = {BuildingBlock::Ring,
                                        BuildingBlock::FullyConnected,
                                        BuildingBlock::Switch};
    std::vector<TopologyDimension> dimensions;
    uint32_t ranks = 1;
    while (ranks < 2 || (dimensions.size() < 3 && random() % 3))
    {
        const uint32_t size = 1 + random() % std::min<uint32_t>(9, maxRanks / ranks);
        const BuildingBlock block = BLOCKS[random() % 3];
        const uint64_t bitRate = 1'000'000'000 + random() % 4'000'000'000'000;
        const uint64_t latencyPs = random() % 4 == 0 ? 0 : random() % 2'000'000;
        dimensions.push_back(Dimension(block, size, bitRate, latencyPs));
        ranks *= size;
    }
    return dimensions;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NETWORK_SHAPES_H
