/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-classes.h"

#include <algorithm>
#include <map>

namespace ns3
{
namespace mlcluster
{

RankClasses::RankClasses(const std::vector<uint32_t>& kinds, const RankMeetings& meetings)
    : m_meetings(meetings),
      m_classes(kinds)
{
    m_meetingKinds.reserve(meetings.Get().size());
    for (const auto& meeting : meetings.Get())
    {
        m_meetingKinds.push_back(meeting.traffic);
    }
    Refine();
    do
    {
        FindMeetings();
    } while (Refine());
}

void
RankClasses::FindMeetings()
{
    std::map<std::pair<uint32_t, std::vector<Use>>, uint32_t> known;
    m_uses.clear();
    for (std::size_t i = 0; i < m_meetingKinds.size(); ++i)
    {
        const auto& meeting = m_meetings.Get()[i];
        std::vector<Use> uses;
        for (const auto& use : meeting.uses)
        {
            uses.emplace_back(m_classes[use.rank], use.channel);
        }
        std::sort(uses.begin(), uses.end());
        uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
        const auto [entry, isNew] =
            known.try_emplace({meeting.traffic, std::move(uses)}, m_uses.size());
        if (isNew)
        {
            m_uses.push_back(entry->first.second);
        }
        m_meetingKinds[i] = entry->second;
    }
}

bool
RankClasses::Refine()
{
    const std::size_t nBefore = m_firstRanks.size();
    std::map<std::vector<uint32_t>, uint32_t> known;
    std::vector<uint32_t> firstRanks;
    std::vector<uint32_t> classes;
    for (uint32_t rank = 0; rank < m_classes.size(); ++rank)
    {
        std::vector<uint32_t> key{m_classes[rank]};
        for (const uint32_t meeting : m_meetings.GetOf(rank))
        {
            key.push_back(m_meetingKinds[meeting]);
        }
        const auto [entry, isNew] = known.try_emplace(std::move(key), firstRanks.size());
        if (isNew)
        {
            firstRanks.push_back(rank);
        }
        classes.push_back(entry->second);
    }
    if (firstRanks.size() == nBefore)
    {
        return false;
    }
    m_classes = std::move(classes);
    m_firstRanks = std::move(firstRanks);
    return true;
}

const std::vector<uint32_t>&
RankClasses::Get() const
{
    return m_classes;
}

const std::vector<uint32_t>&
RankClasses::GetFirstRanks() const
{
    return m_firstRanks;
}

const std::vector<uint32_t>&
RankClasses::GetMeetings() const
{
    return m_meetingKinds;
}

const std::vector<RankClasses::Use>&
RankClasses::GetUses(uint32_t index) const
{
    return m_uses[index];
}

uint32_t
RankClasses::GetNMeetings() const
{
    return m_uses.size();
}

} // namespace mlcluster
} // namespace ns3
