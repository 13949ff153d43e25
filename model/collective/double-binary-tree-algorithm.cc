/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "double-binary-tree-algorithm.h"

#include "schedule-segments.h"

#include <optional>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// A member's place in one of the trees, by positions.
struct TreeNode
{
    std::optional<uint32_t> parent;
    std::vector<uint32_t> children;
};

/// @return the member of the first tree that has this one's place in the second
uint32_t
ToFirstTree(uint32_t member, uint32_t count)
{
    return count % 2 == 0 ? count + 1 - member : member % count + 1;
}

/// @return the member of the second tree that has this one's place in the first
uint32_t
ToSecondTree(uint32_t member, uint32_t count)
{
    return count % 2 == 0 ? count + 1 - member : (member + count - 2) % count + 1;
}

/// Members of the trees are 1 ... count; 0 is the root of a rooted collective.
TreeNode
FindNode(const CollectiveRequest& request, uint32_t position, bool isSecond)
{
    const uint32_t n = request.size;
    const bool isRooted = IsRooted(request.type);
    const uint32_t count = isRooted ? n - 1 : n;
    const uint32_t offset = isRooted ? request.root : n - 1;
    const auto toPosition = [&](uint32_t member) {
        return ((isSecond && member > 0 ? ToSecondTree(member, count) : member) + offset) % n;
    };
    uint32_t member = isRooted ? (position + n - request.root) % n : position + 1;
    member = isSecond && member > 0 ? ToFirstTree(member, count) : member;
    const uint32_t bit = member > 0 ? member & (~member + 1) : 1U << 31;
    TreeNode node;
    const uint32_t after = (member ^ bit) | (bit << 1);
    const uint32_t parent = after <= count ? after : member ^ bit;
    if (member > 0 && (parent > 0 || isRooted))
    {
        node.parent = toPosition(parent);
    }
    if (member > 0 && bit > 1)
    {
        node.children.push_back(toPosition(member - bit / 2));
    }
    uint32_t distance = bit / 2;
    while (distance > 0 && member + distance > count)
    {
        distance /= 2;
    }
    if (distance > 0)
    {
        node.children.push_back(toPosition(member + distance));
    }
    return node;
}

/// Appends the steps for one segment of one tree.
void
AddSegment(RankSchedule& schedule, CollectiveType type, const TreeNode& node, Transfer transfer)
{
    const uint32_t tag = transfer.tag;
    const auto exchange = [&](const std::vector<uint32_t>& peers, bool isUp) {
        std::vector<Transfer> transfers;
        for (const uint32_t peer : peers)
        {
            transfer.peer = peer;
            transfer.tag = 2 * tag + (isUp ? 0 : 1);
            transfer.reduce = isUp;
            transfers.push_back(transfer);
        }
        return transfers;
    };
    const std::vector<uint32_t> none;
    const std::vector<uint32_t> above =
        node.parent ? std::vector<uint32_t>{*node.parent} : std::vector<uint32_t>();
    const bool goesUp = type != CollectiveType::Broadcast;
    const bool goesDown = type != CollectiveType::Reduce;
    std::vector<uint32_t> after;
    if (goesUp && !node.children.empty())
    {
        after = {schedule.AddStep(after, {}, exchange(node.children, true))};
    }
    if (node.parent)
    {
        after = {schedule.AddStep(after,
                                  exchange(goesUp ? above : none, true),
                                  exchange(goesDown ? above : none, false))};
    }
    if (goesDown && !node.children.empty())
    {
        schedule.AddStep(after, exchange(node.children, false), {});
    }
}

} // namespace

std::string
DoubleBinaryTreeAlgorithm::GetName() const
{
    return "double-binary-tree";
}

std::string
DoubleBinaryTreeAlgorithm::WhyNot(CollectiveType type, uint32_t) const
{
    return WhyNotType(
        type,
        {CollectiveType::AllReduce, CollectiveType::Broadcast, CollectiveType::Reduce});
}

RankSchedule
DoubleBinaryTreeAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    if (request.size == 1)
    {
        return RankSchedule();
    }
    const ScheduleSegments segments(request, 2);
    RankSchedule schedule(segments.GetPartsPerPiece());
    const TreeNode nodes[] = {FindNode(request, position, false),
                              FindNode(request, position, true)};
    for (uint32_t segment = 0; segment < segments.GetNSegments(); ++segment)
    {
        for (uint32_t tree = 0; tree < 2; ++tree)
        {
            Transfer transfer = segments.GetTransfer(tree, segment);
            transfer.tag = 2 * segment + tree;
            AddSegment(schedule, request.type, nodes[tree], transfer);
        }
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
