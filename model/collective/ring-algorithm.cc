/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-algorithm.h"

#include "part-sizes.h"
#include "relay-algorithm.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Appends one direction of the ring; down mirrors up by counting distances backwards.
void
AddChain(RankSchedule& schedule, const CollectiveRequest& request, uint32_t position, bool up)
{
    const uint64_t n = request.size;
    const uint64_t forward = up ? 1 : n - 1;
    const uint64_t backward = n - forward;
    const uint32_t nParts = schedule.GetPartsPerPiece();
    const PartSizes sizes(request.pieces, nParts);
    const bool isAllGather = request.type == CollectiveType::AllGather;
    const uint64_t nSteps = (request.type == CollectiveType::AllReduce ? 2 : 1) * (n - 1);
    const auto transfer = [&](uint64_t peer, uint32_t step, uint64_t distance) {
        const uint64_t piece = (position + distance % n * backward) % n;
        const auto part = static_cast<uint32_t>(piece * nParts + (up ? 0 : 1));
        const bool reduce = !isAllGather && step < n - 1;
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
        const uint64_t distance = step + (isAllGather ? 0 : 1);
        after = {schedule.AddStep(after,
                                  {transfer(position + forward, step, distance)},
                                  {transfer(position + backward, step, distance + 1)})};
    }
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
    return WhyNotType(
        type,
        {CollectiveType::AllReduce, CollectiveType::ReduceScatter, CollectiveType::AllGather});
}

RankSchedule
RingAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    if (request.type == CollectiveType::AllToAll)
    {
        return RelayAlgorithm().Build(request, position);
    }
    const bool both = m_bothDirections && request.size > 2;
    RankSchedule schedule(both ? 2 : 1);
    AddChain(schedule, request, position, true);
    if (both)
    {
        AddChain(schedule, request, position, false);
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
