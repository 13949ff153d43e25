/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-algorithm.h"

#include "part-sizes.h"
#include "relay-algorithm.h"
#include "schedule-segments.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Appends one direction of the ring; down mirrors up by counting distances backwards.
void
AddCycle(RankSchedule& schedule,
         const CollectiveRequest& request,
         uint32_t position,
         bool up,
         uint64_t nSteps)
{
    const uint64_t n = request.size;
    const uint64_t forward = up ? 1 : n - 1;
    const uint64_t backward = n - forward;
    const uint32_t nParts = schedule.GetPartsPerPiece();
    const PartSizes sizes(request.pieces, nParts);
    const bool isAllReduce = request.type == CollectiveType::AllReduce;
    const bool beginsReducing = isAllReduce || request.type == CollectiveType::ReduceScatter;
    const auto transfer = [&](uint64_t peer, uint32_t step, uint64_t distance) {
        const uint64_t piece = (position + distance % n * backward) % n;
        const auto part = static_cast<uint32_t>(piece * nParts + (up ? 0 : nParts - 1));
        const bool reduce = beginsReducing && step < n - 1;
        return Transfer{static_cast<uint32_t>(peer % n),
                        step,
                        sizes.GetBytes(part, 1),
                        reduce,
                        0,
                        part,
                        1};
    };
    std::vector<uint32_t> after;
    for (uint32_t step = 0; step < nSteps; ++step)
    {
        const uint64_t distance = step + (beginsReducing ? 1 : 0);
        after = {schedule.AddStep(after,
                                  {transfer(position + forward, step, distance)},
                                  {transfer(position + backward, step, distance + 1)})};
    }
}

/// What travels along a chain between the root and one member.
struct Parcel
{
    Transfer transfer; ///< peer and tag are not set
    uint32_t distance; ///< of that member from the root
};

/// @return a share of the buffer, to or from the other end of the chain
std::vector<Parcel>
CutSegments(const ScheduleSegments& segments, uint32_t share, uint32_t distance)
{
    std::vector<Parcel> parcels;
    for (uint32_t segment = 0; segment < segments.GetNSegments(); ++segment)
    {
        parcels.push_back({segments.GetTransfer(share, segment), distance});
    }
    return parcels;
}

/// @return the pieces of the members on one side of the root, or on all; two parts a piece: the
/// member opposite is on both sides
std::vector<Parcel>
CutPieces(const CollectiveRequest& request, bool up, uint32_t farthest, uint32_t nParts)
{
    const uint32_t n = request.size;
    const PartSizes sizes(request.pieces, nParts);
    std::vector<Parcel> parcels;
    for (uint32_t distance = farthest; distance > 0; --distance)
    {
        const bool isOpposite = nParts == 2 && distance == n / 2;
        const uint32_t piece = (request.root + (up ? distance : n - distance)) % n;
        const uint32_t first = piece * nParts + (isOpposite && !up ? 1 : 0);
        const uint32_t count = isOpposite ? 1 : nParts;
        parcels.push_back({{0, 0, sizes.GetBytes(first, count), false, 0, first, count}, distance});
    }
    return parcels;
}

/// Appends one chain away from the root, upwards or not; parcels begin with those that go farthest.
void
AddChain(RankSchedule& schedule,
         const CollectiveRequest& request,
         uint32_t position,
         bool up,
         const std::vector<Parcel>& parcels)
{
    const uint32_t n = request.size;
    const uint32_t above = (position + n - request.root) % n;
    const uint32_t distance = up ? above : (n - above) % n;
    const bool isFromRoot = IsFromRoot(request.type);
    const auto nParcels = static_cast<uint32_t>(parcels.size());
    std::vector<uint32_t> after;
    std::vector<Transfer> sends;
    const auto addStep = [&](const std::vector<Transfer>& receives) {
        if (!sends.empty() || !receives.empty())
        {
            after = {schedule.AddStep(after, sends, receives)};
        }
    };
    for (uint32_t i = 0; i < nParcels; ++i)
    {
        const uint32_t index = isFromRoot ? i : nParcels - 1 - i;
        const auto between = [&](bool isThere, bool isAbove) {
            Transfer transfer = parcels[index].transfer;
            transfer.peer = (position + (isAbove ? 1 : n - 1)) % n;
            transfer.tag = index;
            transfer.reduce = request.type == CollectiveType::Reduce;
            return std::vector<Transfer>(isThere ? 1 : 0, transfer);
        };
        if (parcels[index].distance >= distance)
        {
            const auto nearer = between(distance > 0, !up);
            const auto farther = between(parcels[index].distance > distance, up);
            addStep(isFromRoot ? nearer : farther);
            sends = isFromRoot ? farther : nearer;
        }
    }
    addStep({});
}

RankSchedule
BuildRooted(const CollectiveRequest& request, uint32_t position, bool both)
{
    const uint32_t n = request.size;
    const CollectiveType type = request.type;
    const uint32_t nWays = both ? 2 : 1;
    const uint32_t nParts = both && n % 2 == 0 ? 2 : 1;
    const ScheduleSegments segments(request, nWays);
    const bool isWhole = type == CollectiveType::Broadcast || type == CollectiveType::Reduce;
    RankSchedule schedule(isWhole ? segments.GetPartsPerPiece() : nParts);
    for (uint32_t way = 0; way < nWays; ++way)
    {
        const bool up = both ? way == 0 : IsFromRoot(type);
        AddChain(schedule,
                 request,
                 position,
                 up,
                 isWhole ? CutSegments(segments, way, n - 1)
                         : CutPieces(request, up, both ? n / 2 : n - 1, nParts));
    }
    return schedule;
}

} // namespace

RingAlgorithm::RingAlgorithm(bool bothDirections)
    : m_bothDirections(bothDirections)
{
}

std::string
RingAlgorithm::GetName() const
{
    return m_bothDirections ? "ring" : "ring-one-way";
}

std::string
RingAlgorithm::WhyNot(CollectiveType type, uint32_t size) const
{
    if (m_bothDirections && type == CollectiveType::AllToAll)
    {
        return RelayAlgorithm().WhyNot(type, size);
    }
    return WhyNotType(type,
                      {CollectiveType::AllReduce,
                       CollectiveType::ReduceScatter,
                       CollectiveType::AllGather,
                       CollectiveType::Broadcast,
                       CollectiveType::Reduce,
                       CollectiveType::Gather,
                       CollectiveType::Scatter,
                       CollectiveType::Barrier});
}

RankSchedule
RingAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    const CollectiveType type = request.type;
    if (type == CollectiveType::AllToAll)
    {
        return RelayAlgorithm().Build(request, position);
    }
    const uint32_t n = request.size;
    const bool both = m_bothDirections && n > 2;
    if (IsRooted(type))
    {
        return BuildRooted(request, position, both);
    }
    const bool isBarrier = type == CollectiveType::Barrier;
    const uint64_t nSteps = (type == CollectiveType::AllReduce ? 2 : 1) * (n - uint64_t{1});
    RankSchedule schedule(both && !isBarrier ? 2 : 1);
    AddCycle(schedule, request, position, true, both && isBarrier ? n / 2 : nSteps);
    if (both)
    {
        AddCycle(schedule, request, position, false, isBarrier ? (n - 1) / 2 : nSteps);
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
