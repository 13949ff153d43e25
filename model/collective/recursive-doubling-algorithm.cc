/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "recursive-doubling-algorithm.h"

#include "part-sizes.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Appends the rounds of a dissemination barrier.
void
AddBarrier(RankSchedule& schedule, uint32_t n, uint32_t position)
{
    std::vector<uint32_t> after;
    for (uint32_t distance = 1; distance < n; distance *= 2)
    {
        const uint32_t nKnown = std::min(distance, n - distance);
        const auto transfer = [&](uint32_t peer, uint32_t sender) {
            return Transfer{peer, 0, 0, false, 0, (sender + 1 + n - nKnown) % n, nKnown};
        };
        const uint32_t ahead = (position + distance) % n;
        const uint32_t behind = (position + n - distance) % n;
        after = {schedule.AddStep(after, {transfer(ahead, position)}, {transfer(behind, behind)})};
    }
}

/// Appends the exchanges of an all-reduce.
void
AddAllReduce(RankSchedule& schedule, const CollectiveRequest& request, uint32_t position)
{
    const uint32_t n = request.size;
    uint32_t nCore = 1;
    while (nCore <= n / 2)
    {
        nCore *= 2;
    }
    const uint32_t nExtra = n - nCore;
    const uint64_t bytes = PartSizes(request.pieces, 1).GetBytes(0, n);
    const auto transfer = [&](uint32_t peer, bool reduce) {
        return std::vector<Transfer>{{peer, 0, bytes, reduce, 0, 0, n}};
    };
    const bool isFolded = position < 2 * nExtra;
    if (isFolded && position % 2 == 0)
    {
        schedule.AddStep({}, transfer(position + 1, true), transfer(position + 1, false));
        return;
    }
    std::vector<uint32_t> after;
    if (isFolded)
    {
        after = {schedule.AddStep(after, {}, transfer(position - 1, true))};
    }
    const uint32_t place = isFolded ? position / 2 : position - nExtra;
    for (uint32_t distance = 1; distance < nCore; distance *= 2)
    {
        const uint32_t other = place ^ distance;
        const uint32_t peer = other < nExtra ? 2 * other + 1 : other + nExtra;
        after = {schedule.AddStep(after, transfer(peer, true), transfer(peer, true))};
    }
    if (isFolded)
    {
        schedule.AddStep(after, transfer(position - 1, false), {});
    }
}

} // namespace

std::string
RecursiveDoublingAlgorithm::GetName() const
{
    return "recursive-doubling";
}

std::string
RecursiveDoublingAlgorithm::WhyNot(CollectiveType type, uint32_t) const
{
    return WhyNotType(type, {CollectiveType::AllReduce, CollectiveType::Barrier});
}

RankSchedule
RecursiveDoublingAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    RankSchedule schedule;
    if (request.type == CollectiveType::Barrier)
    {
        AddBarrier(schedule, request.size, position);
    }
    else
    {
        AddAllReduce(schedule, request, position);
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
