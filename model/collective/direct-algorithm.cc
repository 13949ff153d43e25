/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-algorithm.h"

#include "rooted-tree.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// One exchange of everybody with everybody.
struct Exchange
{
    const CollectiveRequest& request; ///< the buffer
    uint32_t position;                ///< this member
    CollectiveType type;              ///< reduce-scatter, all-gather or all-to-all
    uint32_t tag;                     ///< of all its messages

    /// Adds the message between two members, one of them this one, unless there is none.
    void AddTransfer(std::vector<Transfer>& transfers, uint32_t from, uint32_t to) const
    {
        const uint32_t peer = from == position ? to : from;
        const uint32_t piece = type == CollectiveType::AllGather ? from : to;
        const uint32_t buffer = type == CollectiveType::AllToAll ? from : 0;
        const bool reduce = type == CollectiveType::ReduceScatter;
        const bool isUneven = !request.matrix.empty();
        const uint64_t bytes =
            isUneven ? request.matrix[static_cast<std::size_t>(from) * request.size + to]
                     : request.pieces[piece];
        if (bytes > 0 || !isUneven)
        {
            transfers.push_back({peer, tag, bytes, reduce, buffer, piece, 1});
        }
    }

    /**
     * Appends the steps.
     * @param schedule of this member
     * @param after steps to wait for
     * @param window messages at once, 1 ... size - 1
     * @return the last steps, behind which all is done
     */
    std::vector<uint32_t> AddSteps(RankSchedule& schedule,
                                   const std::vector<uint32_t>& after,
                                   uint32_t window) const
    {
        const uint64_t n = request.size;
        std::vector<uint32_t> steps;
        std::vector<Transfer> sends;
        std::vector<Transfer> receives;
        for (uint64_t distance = 1; distance < n; ++distance)
        {
            AddTransfer(sends, position, static_cast<uint32_t>((position + distance) % n));
            AddTransfer(receives, static_cast<uint32_t>((position + n - distance) % n), position);
            if (window < n - 1 || distance == n - 1)
            {
                const std::size_t index = steps.size();
                steps.push_back(schedule.AddStep(
                    index < window ? after : std::vector<uint32_t>{steps[index - window]},
                    sends,
                    receives));
                sends.clear();
                receives.clear();
            }
        }
        return {steps.end() - std::min<std::size_t>(window, steps.size()), steps.end()};
    }
};

} // namespace

DirectAlgorithm::DirectAlgorithm(uint32_t window)
    : m_window(window)
{
}

std::string
DirectAlgorithm::GetName() const
{
    return m_window == 0 ? "direct" : "direct-" + std::to_string(m_window);
}

std::string
DirectAlgorithm::WhyNot(CollectiveType type, uint32_t) const
{
    std::vector<CollectiveType> possible{CollectiveType::AllReduce,
                                         CollectiveType::ReduceScatter,
                                         CollectiveType::AllGather,
                                         CollectiveType::AllToAll};
    if (m_window == 0)
    {
        possible.insert(possible.end(),
                        {CollectiveType::Broadcast,
                         CollectiveType::Reduce,
                         CollectiveType::Gather,
                         CollectiveType::Scatter,
                         CollectiveType::Barrier});
    }
    return WhyNotType(type, possible);
}

std::string
DirectAlgorithm::WhyNotMatrix() const
{
    return "";
}

RankSchedule
DirectAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    RankSchedule schedule;
    const CollectiveType type = request.type;
    if (request.size == 1)
    {
        return schedule;
    }
    if (IsRooted(type))
    {
        RootedTree::MakeStar(request.size, request.root, position)
            .AddSteps(schedule, request, type, {}, 0);
        return schedule;
    }
    const uint32_t most = request.size - 1;
    const uint32_t window = m_window == 0 ? most : std::min(m_window, most);
    std::vector<uint32_t> after;
    if (type == CollectiveType::AllReduce)
    {
        const Exchange exchange{request, position, CollectiveType::ReduceScatter, 0};
        after = exchange.AddSteps(schedule, after, window);
    }
    const bool isGather = type == CollectiveType::AllReduce || type == CollectiveType::Barrier;
    Exchange{request, position, isGather ? CollectiveType::AllGather : type, 1}.AddSteps(schedule,
                                                                                         after,
                                                                                         window);
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
