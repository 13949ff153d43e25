/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-plan.h"

#include "ns3/diagnostics.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

constexpr uint64_t MAX_BYTES = std::numeric_limits<int64_t>::max();

constexpr CollectiveType POSSIBLE_TYPES[] = {CollectiveType::AllReduce,
                                             CollectiveType::ReduceScatter,
                                             CollectiveType::AllGather,
                                             CollectiveType::AllToAll};

/// @return the algorithm names for a type, by topology dimension
const std::vector<std::string>&
GetAlgorithmNames(const CollectiveOptions& options, CollectiveType type)
{
    switch (type)
    {
    case CollectiveType::AllReduce:
        return options.allReduce;
    case CollectiveType::ReduceScatter:
        return options.reduceScatter;
    case CollectiveType::AllGather:
        return options.allGather;
    default:
        return options.allToAll;
    }
}

void
CheckType(CollectiveType type)
{
    std::vector<std::string> names;
    for (const auto possible : POSSIBLE_TYPES)
    {
        if (type == possible)
        {
            return;
        }
        names.push_back(ToString(possible));
    }
    throw InputError(ToString(type) + " cannot be simulated; possible are " + JoinWords(names));
}

/// @return names of the algorithms that can do it
std::vector<std::string>
FindPossibleNames(CollectiveType type, uint32_t size)
{
    std::vector<std::string> names;
    for (const auto& name : CollectiveAlgorithm::GetNames())
    {
        if (CollectiveAlgorithm::Create(name)->WhyNot(type, size).empty())
        {
            names.push_back(name);
        }
    }
    return names;
}

/// @return steps that can only happen one after the other
uint32_t
GetDepth(const RankSchedule& schedule)
{
    std::vector<uint32_t> depths;
    for (const auto& step : schedule.GetSteps())
    {
        uint32_t depth = 1;
        for (uint32_t i = 0; i < step.nAfter; ++i)
        {
            depth = std::max(depth, depths[schedule.GetAfter()[step.firstAfter + i]] + 1);
        }
        depths.push_back(depth);
    }
    return depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
}

} // namespace

CollectivePlan::CollectivePlan(const ClusterTopology& topology,
                               const CollectiveOptions& options,
                               std::vector<uint32_t> group,
                               const std::vector<bool>& involved,
                               CollectiveType type,
                               uint64_t bytes)
    : m_group(topology, std::move(group), involved),
      m_nTopologyDimensions(topology.GetNDimensions()),
      m_type(type),
      m_bytes(bytes),
      m_chunksInFlight(options.chunksInFlight),
      m_remarks(m_group.GetRemarks())
{
    Check(options);
    m_orders.resize(GetNDimensions());
    if (GetNDimensions() > 0 && bytes > 0)
    {
        m_nChunks = static_cast<uint32_t>(std::min<uint64_t>(options.chunks, bytes));
        AddPhases(options);
        FindOrder();
    }
}

void
CollectivePlan::Check(const CollectiveOptions& options) const
{
    if (GetGroup().size() > 1)
    {
        CheckType(m_type);
    }
    const bool isPossible = options.chunks > 0 && options.chunks <= CollectiveOptions::MAX_CHUNKS;
    if (!isPossible || options.chunksInFlight == 0)
    {
        throw InputError(
            "a collective needs 1 to " + std::to_string(CollectiveOptions::MAX_CHUNKS) +
            " chunks and at least 1 chunk in flight, given are " + std::to_string(options.chunks) +
            " and " + std::to_string(options.chunksInFlight));
    }
    const std::size_t nNames = GetAlgorithmNames(options, m_type).size();
    if (nNames > m_nTopologyDimensions)
    {
        throw InputError(ToString(m_type) + " has algorithms for " + std::to_string(nNames) +
                         " dimensions, the topology has " + std::to_string(m_nTopologyDimensions));
    }
    const std::size_t nRanks = GetGroup().size();
    const Wide held =
        static_cast<Wide>(m_bytes) * (m_type == CollectiveType::AllGather ? nRanks : 1);
    if (held > MAX_BYTES)
    {
        throw InputError(ToString(m_type) + " of " + std::to_string(m_bytes) + " bytes over " +
                         std::to_string(nRanks) + " ranks: a rank can hold at most " +
                         std::to_string(MAX_BYTES) + " bytes");
    }
}

void
CollectivePlan::AddPhases(const CollectiveOptions& options)
{
    const auto& given = GetAlgorithmNames(options, m_type);
    std::vector<std::string> names;
    for (uint32_t level = 0; level < GetNDimensions(); ++level)
    {
        const uint32_t k = GetTopologyDimension(level);
        const bool isGiven = k < given.size() && given[k] != "auto";
        names.push_back(isGiven ? given[k] : GetDefault(level));
    }
    const bool isAllReduce = m_type == CollectiveType::AllReduce;
    const bool isAllGather = m_type == CollectiveType::AllGather;
    for (uint32_t level = 0; level < names.size() && !isAllGather; ++level)
    {
        AddPhase(isAllReduce ? CollectiveType::ReduceScatter : m_type, level, names[level]);
    }
    for (auto level = GetNDimensions(); level > 0 && (isAllReduce || isAllGather); --level)
    {
        AddPhase(CollectiveType::AllGather, level - 1, names[level - 1]);
    }
}

void
CollectivePlan::AddPhase(CollectiveType type, uint32_t level, const std::string& name)
{
    const uint32_t size = m_group.GetLevels()[level].size;
    const auto block = m_group.GetBlock(level).value_or(BuildingBlock::Ring);
    const bool isOneWay =
        name == "ring" && block != BuildingBlock::Ring && type != CollectiveType::AllToAll;
    const auto algorithm = CollectiveAlgorithm::Create(isOneWay ? "ring-one-way" : name);
    const std::string whyNot = algorithm->WhyNot(type, size);
    if (!whyNot.empty())
    {
        throw InputError(ToString(m_type) + " over " + std::to_string(size) + " members in " +
                         m_group.Describe(level) + ": algorithm \"" + name +
                         "\" is not possible, " + whyNot + "; possible are " +
                         JoinWords(FindPossibleNames(type, size)));
    }
    m_phases.push_back({type, level, algorithm});
}

std::string
CollectivePlan::GetDefault(uint32_t level)
{
    const bool isAllToAll = m_type == CollectiveType::AllToAll;
    const auto block = m_group.GetBlock(level);
    if (!block)
    {
        return isAllToAll ? "direct" : "ring";
    }
    if (*block == BuildingBlock::Ring)
    {
        return isAllToAll ? "relay" : "ring";
    }
    if (*block == BuildingBlock::FullyConnected || isAllToAll)
    {
        return "direct";
    }
    const std::string preferred = "halving-doubling";
    const std::string whyNot =
        CollectiveAlgorithm::Create(preferred)->WhyNot(m_type, m_group.GetLevels()[level].size);
    if (whyNot.empty())
    {
        return preferred;
    }
    m_remarks.push_back({ToString(m_type) + " in " + m_group.Describe(level),
                         "direct instead of " + preferred + ", since " + whyNot});
    return "direct";
}

void
CollectivePlan::FindOrder()
{
    std::vector<uint32_t> dimensions;
    std::vector<int64_t> firstTimes;
    std::vector<int64_t> lastTimes;
    for (uint32_t phase = 0; phase < m_phases.size(); ++phase)
    {
        dimensions.push_back(m_phases[phase].dimension);
        firstTimes.push_back(GetIdealTime(0, phase));
        lastTimes.push_back(GetIdealTime(m_nChunks - 1, phase));
    }
    const uint64_t nLarger = m_bytes % m_nChunks;
    const auto idealTime = [&](uint32_t chunk, uint32_t phase) {
        return chunk < nLarger ? firstTimes[phase] : lastTimes[phase];
    };
    m_orders = PhaseOrder(m_nChunks, dimensions, GetNDimensions(), m_chunksInFlight, idealTime)
                   .GetOrders();
}

int64_t
CollectivePlan::GetIdealTime(uint32_t chunk, uint32_t phase) const
{
    const auto distance = m_group.GetDistance(m_phases[phase].dimension);
    const RankSchedule schedule = GetSchedule(m_group.GetFirstMember(), chunk, phase);
    uint64_t bytes = 0;
    for (const auto& send : schedule.GetSends())
    {
        bytes += send.bytes;
    }
    const Wide time = static_cast<Wide>(distance.latencyPs) * GetDepth(schedule) +
                      SerialisationPicoseconds(bytes, distance.bitRate);
    const Wide longest = std::numeric_limits<int64_t>::max() / m_nChunks / m_phases.size();
    return static_cast<int64_t>(std::min(time, longest));
}

uint32_t
CollectivePlan::GetSize(uint32_t phase) const
{
    return m_group.GetLevels()[m_phases[phase].dimension].size;
}

CollectiveType
CollectivePlan::GetType() const
{
    return m_type;
}

uint64_t
CollectivePlan::GetBytes() const
{
    return m_bytes;
}

const std::vector<uint32_t>&
CollectivePlan::GetGroup() const
{
    return m_group.GetRanks();
}

uint32_t
CollectivePlan::GetNChunks() const
{
    return m_nChunks;
}

uint32_t
CollectivePlan::GetNPhases() const
{
    return static_cast<uint32_t>(m_phases.size());
}

uint32_t
CollectivePlan::GetNDimensions() const
{
    return static_cast<uint32_t>(m_group.GetLevels().size());
}

uint32_t
CollectivePlan::GetChunksInFlight() const
{
    return m_chunksInFlight;
}

uint32_t
CollectivePlan::GetTopologyDimension(uint32_t dimension) const
{
    return m_group.GetLevels()[dimension].dimension;
}

const CollectivePlan::Phase&
CollectivePlan::GetPhase(uint32_t phase) const
{
    return m_phases[phase];
}

const std::vector<CollectivePlan::ChunkPhase>&
CollectivePlan::GetOrder(uint32_t dimension) const
{
    return m_orders[dimension];
}

std::vector<uint32_t>
CollectivePlan::GetPeers(uint32_t rank, uint32_t phase) const
{
    return m_group.GetPeers(rank, m_phases[phase].dimension);
}

uint32_t
CollectivePlan::GetPosition(uint32_t rank, uint32_t phase) const
{
    return m_group.GetPosition(rank, m_phases[phase].dimension);
}

uint64_t
CollectivePlan::GetHolding(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    const bool isAllReduce = m_type == CollectiveType::AllReduce;
    const uint32_t last = isAllReduce ? std::min(phase, GetNPhases() - 1 - phase) : phase;
    uint64_t bytes = GetEvenPart(m_bytes, m_nChunks, chunk);
    for (uint32_t before = 0; before < last; ++before)
    {
        const uint32_t size = GetSize(before);
        const uint64_t piece = GetEvenPart(bytes, size, GetPosition(rank, before));
        switch (m_type)
        {
        case CollectiveType::AllGather:
            bytes *= size;
            break;
        case CollectiveType::AllToAll:
            bytes = size * piece;
            break;
        default:
            bytes = piece;
        }
    }
    return bytes;
}

CollectiveRequest
CollectivePlan::GetRequest(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    const uint32_t size = GetSize(phase);
    const uint64_t bytes = GetHolding(rank, chunk, phase);
    return {m_phases[phase].type,
            size,
            m_type == CollectiveType::AllGather ? std::vector<uint64_t>(size, bytes)
                                                : SplitEvenly(bytes, size)};
}

RankSchedule
CollectivePlan::GetSchedule(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    return m_phases[phase].algorithm->Build(GetRequest(rank, chunk, phase),
                                            GetPosition(rank, phase));
}

std::shared_ptr<const SharedSchedule>
CollectivePlan::GetSharedSchedule(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    return m_schedules.Get(*m_phases[phase].algorithm,
                           GetRequest(rank, chunk, phase),
                           GetPosition(rank, phase));
}

const std::vector<CollectiveRemark>&
CollectivePlan::GetRemarks() const
{
    return m_remarks;
}

} // namespace mlcluster
} // namespace ns3
