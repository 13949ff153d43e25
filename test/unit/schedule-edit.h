/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SCHEDULE_EDIT_H
#define ML_CLUSTER_SCHEDULE_EDIT_H

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/// The schedules of all members taken apart, so that a test can change them. Test code.
class ScheduleEdit
{
  public:
    /// A step of a member.
    struct Step
    {
        std::vector<uint32_t> after;
        std::vector<Transfer> sends;
        std::vector<Transfer> receives;
    };

    /// @param algorithm builds them @param request what they do
    ScheduleEdit(const CollectiveAlgorithm& algorithm, const CollectiveRequest& request)
    {
        const uint32_t nEnds = request.size + (algorithm.NeedsSwitch() ? 1 : 0);
        for (uint32_t position = 0; position < nEnds; ++position)
        {
            Add(algorithm.Build(request, position));
        }
    }

    std::vector<Step>& operator[](uint32_t member)
    {
        return m_members[member];
    }

    /// Makes all transfers say nothing of what they carry.
    void ForgetParts()
    {
        for (auto& steps : m_members)
        {
            for (auto& step : steps)
            {
                for (auto* transfers : {&step.sends, &step.receives})
                {
                    for (auto& transfer : *transfers)
                    {
                        transfer.nParts = 0;
                    }
                }
            }
        }
    }

    /// @return the schedules as they are now
    std::vector<RankSchedule> Build() const
    {
        std::vector<RankSchedule> schedules;
        for (const auto& steps : m_members)
        {
            auto& schedule = schedules.emplace_back(m_partsPerPiece);
            for (const auto& step : steps)
            {
                schedule.AddStep(step.after, step.sends, step.receives);
            }
        }
        return schedules;
    }

  private:
    void Add(const RankSchedule& schedule)
    {
        m_partsPerPiece = schedule.GetPartsPerPiece();
        auto& steps = m_members.emplace_back();
        for (const auto& step : schedule.GetSteps())
        {
            const auto after = schedule.GetAfter().begin() + step.firstAfter;
            const auto sends = schedule.GetSends().begin() + step.firstSend;
            const auto receives = schedule.GetReceives().begin() + step.firstReceive;
            steps.push_back({{after, after + step.nAfter},
                             {sends, sends + step.nSends},
                             {receives, receives + step.nReceives}});
        }
    }

    uint32_t m_partsPerPiece{1};
    std::vector<std::vector<Step>> m_members;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SCHEDULE_EDIT_H
