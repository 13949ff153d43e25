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
#include <map>
#include <numeric>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

__extension__ typedef unsigned __int128 Wide;

constexpr uint64_t MAX_BYTES = std::numeric_limits<int64_t>::max();

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

/// @return bytes of the transfers of a member at a position, but for those within it
uint64_t
CountBytes(const std::vector<Transfer>& transfers, uint32_t position)
{
    uint64_t bytes = 0;
    for (const auto& transfer : transfers)
    {
        bytes += transfer.peer == position ? 0 : transfer.bytes;
    }
    return bytes;
}

/// @return whether all chunks use the same level last
bool
IsLastShared(const std::vector<ChunkScheduler::Chunk>& chunks)
{
    return std::all_of(chunks.begin(), chunks.end(), [&](const ChunkScheduler::Chunk& chunk) {
        return chunk.order.back() == chunks[0].order.back();
    });
}

bool
IsGrowing(CollectiveType type)
{
    return type == CollectiveType::AllGather || type == CollectiveType::Gather;
}

/// Whether a rank has less after a phase: its piece.
bool
IsShrinking(CollectiveType type)
{
    return type == CollectiveType::ReduceScatter || type == CollectiveType::Scatter;
}

} // namespace

CollectivePlan::CollectivePlan(const ClusterTopology& topology,
                               const CollectiveOptions& options,
                               std::vector<uint32_t> group,
                               CollectiveCall call,
                               std::shared_ptr<ScheduleCache> schedules)
    : m_group(topology,
              std::move(group),
              call.involved,
              call.algorithm || call.matrix ||
                  !CollectiveComposition::GetFlatAlgorithm(options, call.type).empty()),
      m_nTopologyDimensions(topology.GetNDimensions()),
      m_call(std::move(call)),
      m_limits(m_group.GetLevels().size(), options.chunksInFlight),
      m_orders(m_group.GetLevels().size()),
      m_schedules(schedules ? std::move(schedules) : std::make_shared<ScheduleCache>())
{
    Check(options);
    const bool hasWork = GetBytes() > 0 || GetType() == CollectiveType::Barrier;
    if (GetNDimensions() > 0 && hasWork)
    {
        AddChunks(options);
        FindOrder(options.queuePolicy);
    }
}

void
CollectivePlan::Check(const CollectiveOptions& options) const
{
    const bool isPossible = options.chunks > 0 && options.chunks <= CollectiveOptions::MAX_CHUNKS;
    if (!isPossible || options.chunksInFlight == 0)
    {
        throw InputError(
            "a collective needs 1 to " + std::to_string(CollectiveOptions::MAX_CHUNKS) +
            " chunks and at least 1 chunk in flight, given are " + std::to_string(options.chunks) +
            " and " + std::to_string(options.chunksInFlight));
    }
    CheckWord("queue policy", options.queuePolicy, CollectiveOptions::GetQueuePolicies());
    const auto names = options.algorithms.find(GetType());
    if (names != options.algorithms.end() && names->second.size() > m_nTopologyDimensions)
    {
        throw InputError(ToString(GetType()) + " has algorithms for " +
                         std::to_string(names->second.size()) + " dimensions, the topology has " +
                         std::to_string(m_nTopologyDimensions));
    }
    const std::size_t nRanks = GetGroup().size();
    const Wide held = static_cast<Wide>(GetBytes()) * (IsGrowing(GetType()) ? nRanks : 1);
    if (held > MAX_BYTES)
    {
        throw InputError(ToString(GetType()) + " of " + std::to_string(GetBytes()) +
                         " bytes over " + std::to_string(nRanks) +
                         " ranks: a rank can hold at most " + std::to_string(MAX_BYTES) + " bytes");
    }
    const bool isMember =
        std::find(GetGroup().begin(), GetGroup().end(), m_call.root) != GetGroup().end();
    if (nRanks > 1 && IsRooted(GetType()) && !isMember)
    {
        throw InputError("the root of a " + ToString(GetType()) + " is rank " +
                         std::to_string(m_call.root) + ", which is no member of its group");
    }
}

void
CollectivePlan::AddChunks(const CollectiveOptions& options)
{
    const CollectiveComposition composition(m_group, options, m_call);
    const ChunkScheduler scheduler(options.scheduler, GetType(), GetLevels(composition));
    for (uint32_t level = 0; level < GetNDimensions(); ++level)
    {
        const uint32_t slots = m_group.GetInNetwork(level).slots;
        const bool isLimited = composition.IsInNetwork(level) && slots > 0;
        m_limits[level] = isLimited ? std::min(m_limits[level], slots) : m_limits[level];
    }
    const bool isWhole = m_call.algorithm || GetType() == CollectiveType::Barrier;
    const uint64_t bytes = GetBytes();
    const bool hasPieces = IsShrinking(GetType()) || GetType() == CollectiveType::AllToAll;
    const uint64_t most =
        hasPieces && !m_call.matrix ? std::max<uint64_t>(bytes / GetGroup().size(), 1) : bytes;
    const uint64_t nChunks = isWhole ? 1 : std::min<uint64_t>(options.chunks, most);
    const auto chunks = scheduler.Schedule(bytes, static_cast<uint32_t>(nChunks));
    std::map<std::vector<uint32_t>, uint32_t> known;
    for (const auto& chunk : chunks)
    {
        const auto route = known.emplace(chunk.order, m_routes.size());
        if (route.second)
        {
            m_routes.push_back(composition.MakeRoute(chunk.order, IsLastShared(chunks)));
        }
        m_routeOf.push_back(route.first->second);
        m_chunkBytes.push_back(chunk.bytes);
    }
}

std::vector<ChunkScheduler::Level>
CollectivePlan::GetLevels(const CollectiveComposition& composition) const
{
    std::vector<ChunkScheduler::Level> levels;
    for (uint32_t level = 0; level < GetNDimensions(); ++level)
    {
        const uint32_t size = m_group.GetLevels()[level].size;
        const auto distance = m_group.GetDistance(level);
        const auto phase = composition.MakeRoute({level}, true).front();
        const RankSchedule schedule =
            phase.algorithm->Build({phase.type, size, SplitEvenly(GetBytes(), size)}, 0);
        const Wide latency = static_cast<Wide>(distance.latencyPs) * GetDepth(schedule);
        levels.push_back({size,
                          distance.bitRate,
                          static_cast<int64_t>(std::min<Wide>(latency, MAX_BYTES)),
                          composition.IsCut(level) || IsShrinking(phase.type),
                          CountBytes(schedule.GetSends(), 0),
                          std::max<uint64_t>(GetBytes(), 1),
                          composition.IsInNetwork(level)});
    }
    return levels;
}

void
CollectivePlan::FindOrder(const std::string& queuePolicy)
{
    std::map<std::tuple<uint32_t, uint64_t, uint32_t>, Way> known;
    std::vector<const Way*> ways;
    for (uint32_t chunk = 0; chunk < GetNChunks(); ++chunk)
    {
        const auto entry =
            known.try_emplace({m_routeOf[chunk], m_chunkBytes[chunk], m_call.matrix ? chunk : 0});
        if (entry.second)
        {
            entry.first->second = GetWay(chunk, queuePolicy);
        }
        ways.push_back(&entry.first->second);
        m_bytesMoved += ways.back()->bytesMoved;
    }
    m_orders =
        PhaseOrder(GetNChunks(), GetNPhases(), m_limits, [&](uint32_t chunk, uint32_t phase) {
            return ways[chunk]->visits[phase];
        }).GetOrders();
}

CollectivePlan::Way
CollectivePlan::GetWay(uint32_t chunk, const std::string& queuePolicy) const
{
    const uint32_t rank = IsRooted(GetType()) ? m_call.root : m_group.GetFirstMember();
    const bool isCollecting = IsRooted(GetType()) && !IsFromRoot(GetType());
    Way way;
    for (uint32_t phase = 0; phase < GetNPhases(); ++phase)
    {
        const uint32_t dimension = GetPhase(chunk, phase).dimension;
        const auto distance = m_group.GetDistance(dimension);
        const RankSchedule schedule = GetSchedule(rank, chunk, phase);
        const bool inNetwork = GetPhase(chunk, phase).algorithm->NeedsSwitch();
        const uint32_t own = GetPosition(rank, chunk, phase);
        const uint64_t sent = CountBytes(schedule.GetSends(), own);
        const uint64_t received = CountBytes(schedule.GetReceives(), own);
        const uint64_t moved = isCollecting ? received : sent;
        const uint64_t bytes = inNetwork ? sent + received : moved;
        const Wide time = static_cast<Wide>(distance.latencyPs) * GetDepth(schedule) +
                          (inNetwork ? m_group.GetInNetwork(dimension).processingPs : 0) +
                          SerialisationPicoseconds(bytes, distance.bitRate);
        const Wide longest = MAX_BYTES / GetNChunks() / GetNPhases();
        const auto pieces = GetRequest(rank, chunk, phase).pieces;
        const uint64_t held = std::accumulate(pieces.begin(), pieces.end(), uint64_t{0});
        way.visits.push_back({dimension,
                              static_cast<int64_t>(std::min(time, longest)),
                              queuePolicy == "fifo" ? 0 : held});
        way.bytesMoved += moved;
    }
    return way;
}

CollectiveType
CollectivePlan::GetType() const
{
    return m_call.type;
}

uint64_t
CollectivePlan::GetBytes() const
{
    return m_call.bytes;
}

const CollectiveCall&
CollectivePlan::GetCall() const
{
    return m_call;
}

const std::vector<uint32_t>&
CollectivePlan::GetGroup() const
{
    return m_group.GetRanks();
}

const CollectiveGroup&
CollectivePlan::GetCollectiveGroup() const
{
    return m_group;
}

uint32_t
CollectivePlan::GetNChunks() const
{
    return static_cast<uint32_t>(m_routeOf.size());
}

uint32_t
CollectivePlan::GetNPhases() const
{
    return m_routes.empty() ? 0 : static_cast<uint32_t>(m_routes[0].size());
}

uint32_t
CollectivePlan::GetNDimensions() const
{
    return static_cast<uint32_t>(m_group.GetLevels().size());
}

uint32_t
CollectivePlan::GetChunksInFlight(uint32_t dimension) const
{
    return m_limits[dimension];
}

uint32_t
CollectivePlan::GetTopologyDimension(uint32_t dimension) const
{
    return m_group.GetLevels()[dimension].dimension;
}

const CollectivePlan::Phase&
CollectivePlan::GetPhase(uint32_t chunk, uint32_t phase) const
{
    return m_routes[m_routeOf[chunk]][phase];
}

const std::vector<CollectivePlan::ChunkPhase>&
CollectivePlan::GetOrder(uint32_t dimension) const
{
    return m_orders[dimension];
}

std::vector<uint32_t>
CollectivePlan::GetPeers(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    const Phase& at = GetPhase(chunk, phase);
    auto peers = m_group.GetPeers(rank, at.dimension);
    if (at.algorithm->NeedsSwitch())
    {
        peers.push_back(m_group.GetSwitch(rank, at.dimension));
    }
    return peers;
}

uint32_t
CollectivePlan::GetPosition(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    return m_group.GetPosition(rank, GetPhase(chunk, phase).dimension);
}

uint32_t
CollectivePlan::GetOrigin(uint32_t chunk, uint32_t phase) const
{
    const Route& route = m_routes[m_routeOf[chunk]];
    if (GetType() != CollectiveType::AllReduce || route[phase].type != CollectiveType::AllGather)
    {
        return phase;
    }
    const auto mirrored = std::find_if(route.begin(), route.end(), [&](const Phase& before) {
        return before.dimension == route[phase].dimension;
    });
    return static_cast<uint32_t>(mirrored - route.begin());
}

uint64_t
CollectivePlan::GetHolding(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    const uint32_t origin = GetOrigin(chunk, phase);
    uint64_t bytes = m_chunkBytes[chunk];
    for (uint32_t before = 0; before < origin; ++before)
    {
        const Phase& passed = GetPhase(chunk, before);
        const uint32_t size = m_group.GetLevels()[passed.dimension].size;
        const uint64_t piece =
            GetEvenPart(bytes, size, m_group.GetPosition(rank, passed.dimension));
        if (IsGrowing(passed.type))
        {
            bytes *= size;
        }
        else if (IsShrinking(passed.type))
        {
            bytes = piece;
        }
        else if (passed.type == CollectiveType::AllToAll)
        {
            bytes = size * piece;
        }
    }
    return bytes;
}

CollectiveRequest
CollectivePlan::GetRequest(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    const Phase& at = GetPhase(chunk, phase);
    const uint32_t size = m_group.GetLevels()[at.dimension].size;
    const uint64_t bytes = GetHolding(rank, chunk, phase);
    CollectiveRequest request{
        at.type,
        size,
        IsGrowing(GetType()) ? std::vector<uint64_t>(size, bytes) : SplitEvenly(bytes, size),
        IsRooted(at.type) ? m_group.GetPosition(m_call.root, at.dimension) : 0};
    if (m_call.matrix)
    {
        request.matrix.resize(m_call.matrix->size());
        std::transform(m_call.matrix->begin(),
                       m_call.matrix->end(),
                       request.matrix.begin(),
                       [&](uint64_t entry) { return GetEvenPart(entry, GetNChunks(), chunk); });
    }
    return request;
}

bool
CollectivePlan::TakesPart(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    const Route& route = m_routes[m_routeOf[chunk]];
    const bool isFromRoot = IsFromRoot(GetType());
    const auto first = isFromRoot ? route.begin() + phase + 1 : route.begin();
    const auto last = isFromRoot ? route.end() : route.begin() + phase;
    return !IsRooted(GetType()) || std::all_of(first, last, [&](const Phase& other) {
        return m_group.GetPosition(rank, other.dimension) ==
               m_group.GetPosition(m_call.root, other.dimension);
    });
}

RankSchedule
CollectivePlan::GetSchedule(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    return TakesPart(rank, chunk, phase) ? GetPhase(chunk, phase)
                                               .algorithm->Build(GetRequest(rank, chunk, phase),
                                                                 GetPosition(rank, chunk, phase))
                                         : RankSchedule();
}

std::shared_ptr<const SharedSchedule>
CollectivePlan::GetSharedSchedule(uint32_t rank, uint32_t chunk, uint32_t phase) const
{
    if (!TakesPart(rank, chunk, phase))
    {
        return std::make_shared<const SharedSchedule>(RankSchedule(), 0);
    }
    return m_schedules->Get(*GetPhase(chunk, phase).algorithm,
                            GetRequest(rank, chunk, phase),
                            GetPosition(rank, chunk, phase));
}

uint64_t
CollectivePlan::GetBytesMoved() const
{
    return m_bytesMoved;
}

const std::vector<CollectiveRemark>&
CollectivePlan::GetRemarks() const
{
    return m_group.GetRemarks();
}

} // namespace mlcluster
} // namespace ns3
