/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "in-network-algorithm.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @return a transfer of nParts pieces from the first on
Transfer
Carry(const CollectiveRequest& request, uint32_t peer, uint32_t first, uint32_t nParts, bool reduce)
{
    Transfer transfer{peer, 0, 0, reduce, 0, first % request.size, nParts};
    for (uint32_t i = 0; i < nParts; ++i)
    {
        transfer.bytes += request.pieces[(first + i) % request.size];
    }
    return transfer;
}

Transfer
WithPeer(Transfer transfer, uint32_t peer)
{
    transfer.peer = peer;
    return transfer;
}

} // namespace

std::string
InNetworkAlgorithm::GetName() const
{
    return "in-network";
}

std::string
InNetworkAlgorithm::WhyNot(CollectiveType type, uint32_t /* size */) const
{
    return WhyNotType(type,
                      {CollectiveType::AllReduce,
                       CollectiveType::ReduceScatter,
                       CollectiveType::AllGather,
                       CollectiveType::Broadcast,
                       CollectiveType::Reduce,
                       CollectiveType::Barrier});
}

bool
InNetworkAlgorithm::NeedsSwitch() const
{
    return true;
}

Transfer
InNetworkAlgorithm::GetUp(const CollectiveRequest& request, uint32_t member) const
{
    const uint32_t hub = request.size;
    switch (request.type)
    {
    case CollectiveType::AllGather:
    case CollectiveType::Barrier:
        return Carry(request, hub, member, 1, false);
    case CollectiveType::Broadcast:
        return Carry(request, hub, 0, member == request.root ? request.size : 0, false);
    default:
        return Carry(request, hub, 0, request.size, member > 0);
    }
}

Transfer
InNetworkAlgorithm::GetDown(const CollectiveRequest& request, uint32_t member) const
{
    const uint32_t hub = request.size;
    const bool isRoot = member == request.root;
    switch (request.type)
    {
    case CollectiveType::AllGather:
    case CollectiveType::Barrier:
        return Carry(request, hub, member + 1, request.size - 1, false);
    case CollectiveType::ReduceScatter:
        return Carry(request, hub, member, 1, false);
    case CollectiveType::Broadcast:
        return Carry(request, hub, 0, isRoot ? 0 : request.size, false);
    case CollectiveType::Reduce:
        return Carry(request, hub, 0, isRoot ? request.size : 0, false);
    default:
        return Carry(request, hub, 0, request.size, false);
    }
}

RankSchedule
InNetworkAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    RankSchedule schedule;
    if (request.size == 1)
    {
        return schedule;
    }
    if (position == request.size)
    {
        return BuildSwitch(request);
    }
    schedule.AddStep({}, {GetUp(request, position)}, {GetDown(request, position)});
    return schedule;
}

RankSchedule
InNetworkAlgorithm::BuildSwitch(const CollectiveRequest& request) const
{
    std::vector<Transfer> contributions;
    std::vector<Transfer> results;
    for (uint32_t member = 0; member < request.size; ++member)
    {
        contributions.push_back(WithPeer(GetUp(request, member), member));
        results.push_back(WithPeer(GetDown(request, member), member));
    }
    RankSchedule schedule;
    schedule.AddStep({}, {}, {contributions.front()});
    contributions.erase(contributions.begin());
    schedule.AddStep({0}, {}, contributions);
    schedule.AddStep({1}, results, {});
    return schedule;
}

CollectiveLayout
InNetworkAlgorithm::GetLayout(const CollectiveRequest& request, uint32_t partsPerPiece) const
{
    CollectiveLayout layout = MakeInPlaceLayout(request, partsPerPiece);
    layout.sizes.push_back(layout.sizes.front());
    return layout;
}

} // namespace mlcluster
} // namespace ns3
