/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_RANK_CLASSES_H
#define ML_CLUSTER_RANK_CLASSES_H

#include "rank-meetings.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Ranks that run alike, so that one of each class stands for all.
 *
 * Two ranks are of one class if they have the same graph and times, and in each channel send the
 * same and meet, in the same channels, ranks of the same classes. Then all their nodes end at the
 * same times: take the first node, in an order in which nodes come after what they wait for, of
 * which that is not so; what it waits for is the same for both, on ranks of the same classes, and
 * has ended at the same times. The classes are the coarsest: ranks that differ in graph, times or
 * what they send are told apart first, then those that meet others, until nothing changes.
 */
class RankClasses
{
  public:
    /// A class, and the index of the channel of its ranks.
    using Use = std::pair<uint32_t, uint32_t>;

    /// @param kinds by rank; ranks of different kinds are of different classes, those of one kind
    /// have one graph @param meetings of the ranks
    RankClasses(const std::vector<uint32_t>& kinds, const RankMeetings& meetings);

    const std::vector<uint32_t>& Get() const; ///< @return class by rank
    /// @return first rank of each class
    const std::vector<uint32_t>& GetFirstRanks() const;
    /// @return who meets in a meeting, of all that are alike in that; by meeting
    const std::vector<uint32_t>& GetMeetings() const;
    /// @param index of such a kind of meeting @return the classes and their channels
    const std::vector<Use>& GetUses(uint32_t index) const;
    uint32_t GetNMeetings() const; ///< @return kinds of meetings

  private:
    void FindMeetings(); ///< Tells meetings apart by the classes that meet.
    bool Refine();       ///< Tells ranks apart by their meetings. @return whether there are more

    const RankMeetings& m_meetings;       ///< of the ranks
    std::vector<uint32_t> m_classes;      ///< by rank
    std::vector<uint32_t> m_firstRanks;   ///< by class
    std::vector<uint32_t> m_meetingKinds; ///< by meeting
    std::vector<std::vector<Use>> m_uses; ///< by kind of meeting
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_RANK_CLASSES_H
