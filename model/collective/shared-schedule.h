/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SHARED_SCHEDULE_H
#define ML_CLUSTER_SHARED_SCHEDULE_H

#include "collective-algorithm.h"
#include "rank-schedule.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A RankSchedule and what it takes to run it, in a form that ranks in equal positions share: only
 * counters are left to each rank.
 */
class SharedSchedule
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; ///< no receive

    /// @param schedule the steps @param position whose they are
    SharedSchedule(RankSchedule schedule, uint32_t position);

    /// @return the steps
    const RankSchedule& GetSchedule() const;
    /// @return the member's position in its group
    uint32_t GetPosition() const;
    /// @return sends to other members
    uint32_t GetNMessages() const;
    /// @param step index @return the steps that wait for it, of ascending index
    std::pair<const uint32_t*, const uint32_t*> GetChildren(uint32_t step) const;
    /// @param peer position of the sender @param tag of the transfer @return index of the receive,
    /// or NONE
    uint32_t FindReceive(uint32_t peer, uint32_t tag) const;
    /// @param receive index @return the step it belongs to
    uint32_t GetStepOfReceive(uint32_t receive) const;

  private:
    void FindChildren(); ///< Fills in the lists of waiting steps.
    void AddReceives();  ///< Fills in the table of receives.
    /// @param peer position @param tag of the transfer @return the slot of that receive, or the
    /// empty one where it belongs
    std::size_t FindSlot(uint32_t peer, uint32_t tag) const;

    RankSchedule m_schedule;            ///< steps
    uint32_t m_position;                ///< of the member
    uint32_t m_nMessages{0};            ///< sends to others
    std::vector<uint32_t> m_firstChild; ///< per step: offset into m_children, one more than steps
    std::vector<uint32_t> m_children;   ///< steps that wait for a step
    std::vector<uint32_t> m_stepOfReceive; ///< per receive
    std::vector<uint32_t> m_slots; ///< open-addressed by (peer, tag): receives, or NONE; its size
                                   ///< is a power of two
};

/**
 * @ingroup ml-cluster
 * Makes schedules once for all ranks that run the same one at the same time, and keeps the newest,
 * since the next chunk or collective often needs the same.
 */
class ScheduleCache
{
  public:
    static constexpr std::size_t MOST_KEPT = 1 << 16; ///< transfers of schedules kept unused

    /**
     * @param algorithm how, which outlives this
     * @param request what to do
     * @param position the member
     * @return its schedule
     */
    std::shared_ptr<const SharedSchedule> Get(const CollectiveAlgorithm& algorithm,
                                              CollectiveRequest request,
                                              uint32_t position);

  private:
    using Key = std::pair<const CollectiveAlgorithm*, CollectiveRequest>; ///< what members share

    /// @param schedule a new one; keeps it, and lets the oldest go if that makes too many
    void Keep(std::shared_ptr<const SharedSchedule> schedule);

    std::map<Key, std::vector<std::weak_ptr<const SharedSchedule>>> m_schedules; ///< by position
    std::deque<std::shared_ptr<const SharedSchedule>> m_kept;                    ///< newest last
    std::size_t m_nKept{0}; ///< their transfers
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SHARED_SCHEDULE_H
