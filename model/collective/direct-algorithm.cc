/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-algorithm.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Appends one exchange: what goes to a member is either its piece or the sender's.
uint32_t
AddExchange(RankSchedule& schedule,
            const CollectiveRequest& request,
            uint32_t position,
            CollectiveType type,
            const std::vector<uint32_t>& after)
{
    const uint64_t n = request.size;
    const auto tag = static_cast<uint32_t>(after.size());
    const bool isGather = type == CollectiveType::AllGather;
    const bool reduce = type == CollectiveType::ReduceScatter;
    const auto transfer = [&](uint32_t peer, uint32_t from, uint32_t to) {
        const uint32_t piece = isGather ? from : to;
        const uint32_t origin = type == CollectiveType::AllToAll ? from : 0;
        return Transfer{peer, tag, request.pieces[piece], reduce, origin, piece, 1};
    };
    std::vector<Transfer> sends;
    std::vector<Transfer> receives;
    for (uint64_t distance = 1; distance < n; ++distance)
    {
        const auto next = static_cast<uint32_t>((position + distance) % n);
        const auto previous = static_cast<uint32_t>((position + n - distance) % n);
        sends.push_back(transfer(next, position, next));
        receives.push_back(transfer(previous, previous, position));
    }
    return schedule.AddStep(after, sends, receives);
}

} // namespace

std::string
DirectAlgorithm::GetName() const
{
    return "direct";
}

std::string
DirectAlgorithm::WhyNot(CollectiveType type, uint32_t) const
{
    return WhyNotType(type,
                      {CollectiveType::AllReduce,
                       CollectiveType::ReduceScatter,
                       CollectiveType::AllGather,
                       CollectiveType::AllToAll});
}

RankSchedule
DirectAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    RankSchedule schedule;
    if (request.size == 1)
    {
        return schedule;
    }
    if (request.type != CollectiveType::AllReduce)
    {
        AddExchange(schedule, request, position, request.type, {});
        return schedule;
    }
    const uint32_t reduced =
        AddExchange(schedule, request, position, CollectiveType::ReduceScatter, {});
    AddExchange(schedule, request, position, CollectiveType::AllGather, {reduced});
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
