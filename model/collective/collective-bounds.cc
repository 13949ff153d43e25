/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-bounds.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

__extension__ typedef unsigned __int128 Wide; ///< holds all products here

constexpr uint32_t MAX_CHOICES = 16; ///< dimensions along which all cuts are tried
constexpr uint64_t BIT_PS_PER_BYTE = 8'000'000'000'000; ///< bits of a byte, times ps of a second

/// @param bytes a size @param bitRate a rate, bit/s @return the time, ps, rounded down
int64_t
GetTime(Wide bytes, Wide bitRate)
{
    const Wide time = bytes * BIT_PS_PER_BYTE / bitRate;
    return static_cast<int64_t>(std::min(time, Wide{std::numeric_limits<int64_t>::max()}));
}

/// @param type operation @param bytes of the whole buffer @param nBoxes the group is cut into
/// @param nPerBox members of a box @param inNetwork whether a dimension between boxes reduces
/// @return bytes through the busiest box
Wide
GetBytesThrough(CollectiveType type, Wide bytes, uint64_t nBoxes, uint64_t nPerBox, bool inNetwork)
{
    const uint64_t nMembers = nBoxes * nPerBox;
    switch (type)
    {
    case CollectiveType::AllReduce:
        return inNetwork ? bytes : bytes * 2 * (nBoxes - 1) / nBoxes;
    case CollectiveType::ReduceScatter:
    case CollectiveType::ReduceScatterBlock:
    case CollectiveType::AllGather:
        return bytes * (nBoxes - 1) / nBoxes;
    case CollectiveType::AllToAll:
        return bytes * nPerBox * (nBoxes - 1) / nBoxes;
    case CollectiveType::Broadcast:
    case CollectiveType::Reduce:
        return bytes;
    case CollectiveType::Gather:
    case CollectiveType::Scatter:
        return bytes - std::min(bytes, nPerBox * ((bytes + nMembers - 1) / nMembers));
    case CollectiveType::Barrier:
        break;
    }
    return 0;
}

/// @param topology shape @param from a rank @param to a rank @return latency of the links between
/// them, ps
int64_t
GetDistancePs(const ClusterTopology& topology, uint32_t from, uint32_t to)
{
    int64_t latencyPs = 0;
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        const auto& dimension = topology.GetDimension(k);
        const uint32_t a = topology.GetDigit(from, k);
        const uint32_t b = topology.GetDigit(to, k);
        const uint32_t ahead = std::max(a, b) - std::min(a, b);
        const bool isRing = dimension.block == BuildingBlock::Ring;
        const uint32_t nHops =
            isRing ? std::min(ahead, dimension.size - ahead) : dimension.GetNHops();
        latencyPs += ahead == 0 ? 0 : dimension.latencyPs * nHops;
    }
    return latencyPs;
}

} // namespace

CollectiveBounds::CollectiveBounds(const ClusterTopology& topology,
                                   const std::vector<uint32_t>& dimensions)
{
    for (const uint32_t index : dimensions)
    {
        const auto& dimension = topology.GetDimension(index);
        if (dimension.size > 1)
        {
            m_dimensions.push_back(dimension);
            m_nMembers *= dimension.size;
        }
    }
}

uint32_t
CollectiveBounds::GetNMembers() const
{
    return m_nMembers;
}

uint64_t
CollectiveBounds::GetMemberBitRate() const
{
    uint64_t bitRate = 0;
    for (const auto& dimension : m_dimensions)
    {
        bitRate += dimension.GetMemberBitRate();
    }
    return bitRate;
}

int64_t
CollectiveBounds::GetBandwidthPs(CollectiveType type, uint64_t bytes) const
{
    const auto nDimensions = static_cast<uint32_t>(m_dimensions.size());
    int64_t bound = 0;
    for (uint32_t spanned = 0; spanned < 1U << std::min(nDimensions, MAX_CHOICES); ++spanned)
    {
        uint32_t nPerBox = 1;
        bool inNetwork = false;
        Wide bitRate = 0;
        for (uint32_t k = 0; k < nDimensions; ++k)
        {
            const bool isSpanned = k < MAX_CHOICES && (spanned >> k & 1) != 0;
            nPerBox *= isSpanned ? m_dimensions[k].size : 1;
            inNetwork = inNetwork || (!isSpanned && m_dimensions[k].inNetwork.enabled);
            bitRate += isSpanned ? 0 : m_dimensions[k].GetMemberBitRate();
        }
        if (bitRate > 0)
        {
            bound = std::max(
                bound,
                GetTime(GetBytesThrough(type, bytes, m_nMembers / nPerBox, nPerBox, inNetwork),
                        nPerBox * bitRate));
        }
    }
    for (const auto& dimension : m_dimensions)
    {
        if (type == CollectiveType::AllToAll)
        {
            const uint64_t size = dimension.size;
            const bool isRing = dimension.block == BuildingBlock::Ring;
            const Wide hops = Wide{bytes} * (isRing ? size * size / 4 : size - 1) / size;
            bound = std::max(bound, GetTime(hops, dimension.GetMemberBitRate()));
        }
    }
    return bound;
}

int64_t
CollectiveBounds::GetLatencyPs(CollectiveType type, uint64_t bytes) const
{
    int64_t bound = 0;
    for (const auto& dimension : m_dimensions)
    {
        const bool isRing = dimension.block == BuildingBlock::Ring;
        bound += dimension.latencyPs * (isRing ? dimension.size / 2 : dimension.GetNHops());
    }
    return bytes > 0 || type == CollectiveType::Barrier ? bound : 0;
}

int64_t
CollectiveBounds::GetBandwidthPs(const std::vector<uint64_t>& matrix) const
{
    Wide most = 0;
    for (std::size_t member = 0; member < m_nMembers; ++member)
    {
        Wide sent = 0;
        Wide received = 0;
        for (std::size_t other = 0; other < m_nMembers; ++other)
        {
            sent += other == member ? 0 : matrix[member * m_nMembers + other];
            received += other == member ? 0 : matrix[other * m_nMembers + member];
        }
        most = std::max({most, sent, received});
    }
    return m_dimensions.empty() ? 0 : GetTime(most, GetMemberBitRate());
}

int64_t
CollectiveBounds::GetLatencyPs(const ClusterTopology& topology,
                               const std::vector<uint32_t>& group,
                               const std::vector<uint64_t>& matrix)
{
    int64_t bound = 0;
    for (std::size_t i = 0; i < matrix.size(); ++i)
    {
        if (matrix[i] > 0)
        {
            const uint32_t from = group[i / group.size()];
            bound = std::max(bound, GetDistancePs(topology, from, group[i % group.size()]));
        }
    }
    return bound;
}

int64_t
CollectiveBounds::GetIdealPs(uint64_t bytesSent) const
{
    return m_dimensions.empty() ? 0 : GetTime(bytesSent, GetMemberBitRate());
}

double
CollectiveBounds::GetUtilisation(uint64_t bytesSent, int64_t timePs) const
{
    const double possible = static_cast<double>(GetMemberBitRate()) * static_cast<double>(timePs);
    return possible > 0
               ? static_cast<double>(bytesSent) * static_cast<double>(BIT_PS_PER_BYTE) / possible
               : 0;
}

} // namespace mlcluster
} // namespace ns3
