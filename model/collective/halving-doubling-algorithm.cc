/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "halving-doubling-algorithm.h"

#include "part-sizes.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

bool
IsPowerOfTwo(uint32_t size)
{
    return (size & (size - 1)) == 0;
}

} // namespace

std::string
HalvingDoublingAlgorithm::GetName() const
{
    return "halving-doubling";
}

std::string
HalvingDoublingAlgorithm::WhyNot(CollectiveType type, uint32_t size) const
{
    if (!IsPowerOfTwo(size))
    {
        return "it needs a power of two members, " + std::to_string(size) + " is none";
    }
    return WhyNotType(
        type,
        {CollectiveType::AllReduce, CollectiveType::ReduceScatter, CollectiveType::AllGather});
}

RankSchedule
HalvingDoublingAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    RankSchedule schedule;
    const PartSizes sizes(request.pieces, 1);
    std::vector<uint32_t> after;
    uint32_t tag = 0;
    const auto exchange = [&](uint32_t distance, bool reduce) {
        const uint32_t partner = position ^ distance;
        const uint32_t mine = position / distance * distance;
        const uint32_t theirs = partner / distance * distance;
        const auto transfer = [&](uint32_t first) {
            const uint64_t bytes = sizes.GetBytes(first, distance);
            return Transfer{partner, tag, bytes, reduce, 0, first, distance};
        };
        after = {schedule.AddStep(after,
                                  {transfer(reduce ? theirs : mine)},
                                  {transfer(reduce ? mine : theirs)})};
        ++tag;
    };
    for (uint32_t distance = request.size / 2;
         distance > 0 && request.type != CollectiveType::AllGather;
         distance /= 2)
    {
        exchange(distance, true);
    }
    for (uint32_t distance = 1;
         distance < request.size && request.type != CollectiveType::ReduceScatter;
         distance *= 2)
    {
        exchange(distance, false);
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
