/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "relay-algorithm.h"

#include "part-sizes.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Appends one direction of the ring.
void
AddChain(RankSchedule& schedule, const CollectiveRequest& request, uint32_t position, bool up)
{
    const uint32_t n = request.size;
    const uint32_t farthest = n / 2;
    const uint32_t nParts = schedule.GetPartsPerPiece();
    const PartSizes sizes(request.pieces, nParts);
    const auto ahead = [&](uint32_t member, uint32_t distance) {
        return (member + (up ? distance : n - distance)) % n;
    };
    const auto transfer = [&](uint32_t peer, uint32_t step, uint32_t origin) {
        const uint32_t first = ahead(origin, up ? step : farthest) * nParts + (up ? 0 : nParts - 1);
        const uint32_t count = (farthest - step) * nParts + 1;
        return Transfer{peer, step, sizes.GetBytes(first, count), false, origin, first, count};
    };
    std::vector<uint32_t> after;
    for (uint32_t step = 1; step <= farthest; ++step)
    {
        const uint32_t origin = ahead(position, n - step);
        after = {schedule.AddStep(after,
                                  {transfer(ahead(position, 1), step, ahead(origin, 1))},
                                  {transfer(ahead(position, n - 1), step, origin)})};
    }
}

} // namespace

std::string
RelayAlgorithm::GetName() const
{
    return "relay";
}

std::string
RelayAlgorithm::WhyNot(CollectiveType type, uint32_t) const
{
    return WhyNotType(type, {CollectiveType::AllToAll});
}

RankSchedule
RelayAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    const bool splitsOpposite = request.size % 2 == 0 && request.size > 2;
    RankSchedule schedule(splitsOpposite ? 2 : 1);
    AddChain(schedule, request, position, true);
    if (request.size > 2)
    {
        AddChain(schedule, request, position, false);
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
