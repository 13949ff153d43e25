/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chunk-scheduler.h"

#include "chunk-order-scheduler.h"
#include "collective-algorithm.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

constexpr uint64_t THRESHOLD_SHARE = 16; ///< Themis compares loads with a chunk of this part

/// Far above any time that counts, and far below overflow where a few are added.
constexpr int64_t LONGEST_PS = int64_t{1} << 60;

constexpr std::pair<const char*, ChunkOrderPolicy> POLICIES[] = {
    {"round-robin", ChunkOrderPolicy::RoundRobin},
    {"offline-greedy", ChunkOrderPolicy::OfflineGreedy},
    {"offline-greedy-flex", ChunkOrderPolicy::OfflineGreedyFlex}};

int64_t
AddTimes(int64_t a, int64_t b)
{
    return std::min(a + std::min(b, LONGEST_PS), LONGEST_PS);
}

} // namespace

ChunkScheduler::ChunkScheduler(const std::string& name,
                               CollectiveType type,
                               std::vector<Level> levels)
    : m_name(name),
      m_type(type),
      m_levels(std::move(levels))
{
    CheckWord("scheduler", name, GetNames());
}

const std::vector<std::string>&
ChunkScheduler::GetNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = {"baseline", "themis"};
        for (const auto& [name, policy] : POLICIES)
        {
            all.emplace_back(name);
        }
        return all;
    }();
    return names;
}

std::vector<ChunkScheduler::Chunk>
ChunkScheduler::Schedule(uint64_t bytes, uint32_t nChunks) const
{
    const bool isFree = m_type == CollectiveType::AllReduce ||
                        m_type == CollectiveType::ReduceScatter ||
                        m_type == CollectiveType::AllGather;
    if (isFree && m_name == "themis")
    {
        return ScheduleThemis(bytes, nChunks);
    }
    if (isFree && m_name != "baseline")
    {
        return ScheduleByPolicy(bytes, nChunks);
    }
    std::vector<Chunk> chunks;
    for (uint32_t chunk = 0; chunk < nChunks; ++chunk)
    {
        chunks.push_back({GetEvenPart(bytes, nChunks, chunk), GetBaseline()});
    }
    return chunks;
}

std::vector<ChunkScheduler::Chunk>
ChunkScheduler::ScheduleByPolicy(uint64_t bytes, uint32_t nChunks) const
{
    const auto policy = std::find_if(std::begin(POLICIES), std::end(POLICIES), [&](auto& entry) {
        return m_name == entry.first;
    });
    std::vector<uint32_t> sizes;
    std::vector<double> bandwidths;
    for (const auto& level : m_levels)
    {
        sizes.push_back(level.size);
        bandwidths.push_back(static_cast<double>(level.bitRate));
    }
    ChunkOrderScheduler scheduler(policy->second, sizes, bandwidths);
    std::vector<Chunk> chunks;
    for (uint64_t left = bytes; left > 0; left -= chunks.back().bytes)
    {
        const auto choice = scheduler.Next(m_type, {}, GetEvenPart(bytes, nChunks, 0), left);
        chunks.push_back({choice.bytes, choice.order});
    }
    return chunks;
}

std::vector<uint32_t>
ChunkScheduler::GetBaseline() const
{
    const bool isDown = m_type == CollectiveType::AllGather ||
                        m_type == CollectiveType::Broadcast || m_type == CollectiveType::Scatter;
    std::vector<uint32_t> order(m_levels.size());
    std::iota(order.begin(), order.end(), 0);
    if (isDown)
    {
        std::reverse(order.begin(), order.end());
    }
    return order;
}

std::vector<ChunkScheduler::Chunk>
ChunkScheduler::ScheduleThemis(uint64_t bytes, uint32_t nChunks) const
{
    const auto baseline = GetBaseline();
    std::vector<int64_t> loads;
    for (const auto& level : m_levels)
    {
        loads.push_back(std::min(level.latencyPs, LONGEST_PS));
    }
    std::vector<Chunk> chunks;
    for (uint32_t index = 0; index < nChunks; ++index)
    {
        Chunk chunk{GetEvenPart(bytes, nChunks, index), baseline};
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        const auto leastLevel = static_cast<uint32_t>(least - loads.begin());
        if (!loads.empty() && *most - *least >= GetTime(chunk.bytes / THRESHOLD_SHARE, leastLevel))
        {
            const bool isDown = m_type == CollectiveType::AllGather;
            std::stable_sort(chunk.order.begin(), chunk.order.end(), [&](uint32_t a, uint32_t b) {
                return isDown ? loads[a] > loads[b] : loads[a] < loads[b];
            });
        }
        uint64_t held = chunk.bytes;
        for (const uint32_t level : chunk.order)
        {
            loads[level] = AddTimes(loads[level], GetTime(held, level));
            held = GetHeldAfter(held, level);
        }
        chunks.push_back(std::move(chunk));
    }
    return chunks;
}

int64_t
ChunkScheduler::GetTime(uint64_t bytes, uint32_t level) const
{
    const Level& at = m_levels[level];
    const bool isGather = m_type == CollectiveType::AllGather;
    const Wide sent = isGather         ? static_cast<Wide>(bytes) * (at.size - 1)
                      : at.isInNetwork ? static_cast<Wide>(bytes)
                      : at.isCut       ? static_cast<Wide>(bytes) * (at.size - 1) / at.size
                                       : static_cast<Wide>(bytes) * at.sent / at.sentOf;
    const auto counted = static_cast<uint64_t>(std::min<Wide>(sent, UINT64_MAX));
    return std::min(static_cast<Wide>(LONGEST_PS),
                    static_cast<Wide>(SerialisationPicoseconds(counted, at.bitRate)));
}

uint64_t
ChunkScheduler::GetHeldAfter(uint64_t bytes, uint32_t level) const
{
    const Level& at = m_levels[level];
    if (m_type == CollectiveType::AllGather)
    {
        return bytes * at.size;
    }
    return at.isCut ? bytes / at.size : bytes;
}

} // namespace mlcluster
} // namespace ns3
