/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rooted-tree.h"

#include "part-sizes.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

RootedTree
RootedTree::MakeStar(uint32_t size, uint32_t root, uint32_t position)
{
    RootedTree tree;
    if (position != root)
    {
        tree.parent = Edge{root, position, 1};
        return tree;
    }
    for (uint32_t distance = 1; distance < size; ++distance)
    {
        const uint32_t member = (root + distance) % size;
        tree.children.push_back({member, member, 1});
    }
    return tree;
}

RootedTree
RootedTree::MakeBinomial(uint32_t size, uint32_t root, uint32_t position)
{
    RootedTree tree;
    const uint32_t place = (position + size - root) % size;
    uint32_t reach = 1;
    while (reach < size && place % (2 * reach) == 0)
    {
        reach *= 2;
    }
    if (place > 0)
    {
        const uint32_t nBelow = std::min(reach, size - place);
        tree.parent = Edge{(position + size - reach) % size, position, nBelow};
    }
    for (uint32_t distance = reach / 2; distance > 0; distance /= 2)
    {
        if (place + distance < size)
        {
            const uint32_t child = (position + distance) % size;
            tree.children.push_back({child, child, std::min(distance, size - place - distance)});
        }
    }
    return tree;
}

std::vector<uint32_t>
RootedTree::AddSteps(RankSchedule& schedule,
                     const CollectiveRequest& request,
                     CollectiveType type,
                     std::vector<uint32_t> after,
                     uint32_t tag) const
{
    const bool isReduce = type == CollectiveType::Reduce;
    const bool isWhole = isReduce || type == CollectiveType::Broadcast;
    const PartSizes sizes(request.pieces, 1);
    const auto transfer = [&](const Edge& edge) {
        const uint32_t first = isWhole ? 0 : edge.first;
        const uint32_t count = isWhole ? request.size : edge.nMembers;
        return Transfer{edge.peer, tag, sizes.GetBytes(first, count), isReduce, 0, first, count};
    };
    std::vector<Transfer> above;
    if (parent)
    {
        above.push_back(transfer(*parent));
    }
    std::vector<Transfer> below;
    std::transform(children.begin(), children.end(), std::back_inserter(below), transfer);
    const auto& receives = IsFromRoot(type) ? above : below;
    const auto& sends = IsFromRoot(type) ? below : above;
    if (!receives.empty())
    {
        after = {schedule.AddStep(after, {}, receives)};
    }
    if (!sends.empty())
    {
        after = {schedule.AddStep(after, sends, {})};
    }
    return after;
}

} // namespace mlcluster
} // namespace ns3
