/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "halving-doubling-algorithm.h"

#include "part-sizes.h"
#include "rooted-tree.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// One step of a reduce-scatter; an all-gather has the messages of the other direction.
struct Round
{
    uint32_t to;            ///< member sent to
    uint32_t from;          ///< member received from
    uint32_t firstSent;     ///< first piece sent
    uint32_t firstReceived; ///< first piece received
    uint32_t nPieces;       ///< of each
};

std::vector<Round>
FindRounds(uint32_t n, uint32_t position)
{
    std::vector<Round> rounds;
    const bool isPowerOfTwo = (n & (n - 1)) == 0;
    for (uint32_t left = n; left > 1;)
    {
        const uint32_t before = left;
        left = before / 2 + before % 2;
        const uint32_t partner = position ^ left;
        const uint32_t ahead = (position + left) % n;
        rounds.push_back(
            isPowerOfTwo
                ? Round{partner, partner, partner / left * left, position / left * left, left}
                : Round{ahead, (position + n - left) % n, ahead, position, before - left});
    }
    return rounds;
}

/// @return pieces a member holds, from its own on, before the all-gather
uint32_t
CountHeld(const CollectiveRequest& request, uint32_t position)
{
    if (request.type != CollectiveType::Broadcast)
    {
        return 1;
    }
    const auto tree = RootedTree::MakeBinomial(request.size, request.root, position);
    return tree.parent ? tree.parent->nMembers : request.size;
}

/// Appends the steps of one member, one after the other.
class Builder
{
  public:
    Builder(RankSchedule& schedule, const CollectiveRequest& request, uint32_t position)
        : m_schedule(schedule),
          m_request(request),
          m_position(position),
          m_sizes(request.pieces, 1),
          m_rounds(FindRounds(request.size, position))
    {
    }

    void AddTree(CollectiveType type)
    {
        m_after = RootedTree::MakeBinomial(m_request.size, m_request.root, m_position)
                      .AddSteps(m_schedule, m_request, type, m_after, m_tag++);
    }

    void AddReduceScatter()
    {
        for (const Round& round : m_rounds)
        {
            AddStep(MakeTransfer(round.to, true, round.firstSent, round.nPieces),
                    MakeTransfer(round.from, true, round.firstReceived, round.nPieces));
        }
    }

    void AddAllGather()
    {
        for (auto round = m_rounds.rbegin(); round != m_rounds.rend(); ++round)
        {
            AddStep(MakeLacking(round->from, round->from, round->firstReceived, round->nPieces),
                    MakeLacking(round->to, m_position, round->firstSent, round->nPieces));
        }
    }

  private:
    std::vector<Transfer> MakeTransfer(uint32_t peer, bool reduce, uint32_t first, uint32_t count)
    {
        return {{peer, m_tag, m_sizes.GetBytes(first, count), reduce, 0, first, count}};
    }

    /// @return the message without the pieces that its receiver has held from the start
    std::vector<Transfer> MakeLacking(uint32_t peer,
                                      uint32_t receiver,
                                      uint32_t first,
                                      uint32_t count)
    {
        const uint32_t n = m_request.size;
        const uint32_t distance = (first + n - receiver) % n;
        const uint32_t nHeld = std::max(CountHeld(m_request, receiver), distance) - distance;
        return nHeld >= count ? std::vector<Transfer>()
                              : MakeTransfer(peer, false, (first + nHeld) % n, count - nHeld);
    }

    void AddStep(const std::vector<Transfer>& sends, const std::vector<Transfer>& receives)
    {
        m_after = {m_schedule.AddStep(m_after, sends, receives)};
        ++m_tag;
    }

    RankSchedule& m_schedule;
    const CollectiveRequest& m_request;
    uint32_t m_position;
    PartSizes m_sizes;
    std::vector<Round> m_rounds;
    std::vector<uint32_t> m_after;
    uint32_t m_tag{0};
};

} // namespace

std::string
HalvingDoublingAlgorithm::GetName() const
{
    return "halving-doubling";
}

std::string
HalvingDoublingAlgorithm::WhyNot(CollectiveType type, uint32_t) const
{
    return WhyNotType(type,
                      {CollectiveType::AllReduce,
                       CollectiveType::ReduceScatter,
                       CollectiveType::AllGather,
                       CollectiveType::Broadcast,
                       CollectiveType::Reduce});
}

RankSchedule
HalvingDoublingAlgorithm::Build(const CollectiveRequest& request, uint32_t position) const
{
    RankSchedule schedule;
    Builder builder(schedule, request, position);
    const CollectiveType type = request.type;
    if (type == CollectiveType::Broadcast)
    {
        builder.AddTree(CollectiveType::Scatter);
    }
    if (type != CollectiveType::Broadcast && type != CollectiveType::AllGather)
    {
        builder.AddReduceScatter();
    }
    if (type != CollectiveType::Reduce && type != CollectiveType::ReduceScatter)
    {
        builder.AddAllGather();
    }
    if (type == CollectiveType::Reduce)
    {
        builder.AddTree(CollectiveType::Gather);
    }
    return schedule;
}

} // namespace mlcluster
} // namespace ns3
