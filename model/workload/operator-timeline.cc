/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-timeline.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr int64_t LONG_GAP_NS = 1000000; ///< a thread idle for longer was waiting for another

} // namespace

OperatorTimeline::OperatorTimeline(const std::vector<KinetoEvent>& operators)
    : m_operators(operators),
      m_next(operators.size(), NONE),
      m_enclosers(operators.size(), NONE)
{
    for (std::size_t i = 0; i < operators.size(); ++i)
    {
        auto& line = m_lines[operators[i].line];
        if (!line.empty())
        {
            m_next[line.back()] = i;
            std::size_t candidate = line.back();
            while (candidate != NONE && operators[candidate].GetEndNs() < operators[i].GetEndNs())
            {
                candidate = m_enclosers[candidate];
            }
            m_enclosers[i] = candidate;
        }
        line.push_back(i);
    }
}

const std::map<KinetoEvent::Line, std::vector<std::size_t>>&
OperatorTimeline::GetLines() const
{
    return m_lines;
}

const std::vector<std::size_t>&
OperatorTimeline::GetLine(const KinetoEvent::Line& line) const
{
    static const std::vector<std::size_t> NOTHING;
    const auto found = m_lines.find(line);
    return found == m_lines.end() ? NOTHING : found->second;
}

std::size_t
OperatorTimeline::FindLast(const KinetoEvent::Line& line, int64_t timeNs) const
{
    const auto& members = GetLine(line);
    const auto after =
        std::upper_bound(members.begin(), members.end(), timeNs, [this](int64_t time, auto i) {
            return time < m_operators[i].startNs;
        });
    return after == members.begin() ? NONE : *(after - 1);
}

std::size_t
OperatorTimeline::FindNext(const KinetoEvent::Line& line, int64_t timeNs) const
{
    const auto& members = GetLine(line);
    const auto found =
        std::lower_bound(members.begin(), members.end(), timeNs, [this](auto i, int64_t time) {
            return m_operators[i].startNs < time;
        });
    return found == members.end() ? NONE : *found;
}

std::size_t
OperatorTimeline::GetNext(std::size_t index) const
{
    return m_next[index];
}

std::size_t
OperatorTimeline::GetEncloser(std::size_t index) const
{
    return m_enclosers[index];
}

std::size_t
OperatorTimeline::FindEncloser(const KinetoEvent& call) const
{
    std::size_t candidate = FindLast(call.line, call.startNs);
    while (candidate != NONE && m_operators[candidate].GetEndNs() < call.GetEndNs())
    {
        candidate = m_enclosers[candidate];
    }
    return candidate;
}

std::vector<int64_t>
OperatorTimeline::GetExclusiveTimes() const
{
    std::vector<int64_t> times(m_operators.size());
    for (const auto& [line, members] : m_lines)
    {
        for (auto outer = members.begin(); outer != members.end(); ++outer)
        {
            const int64_t end = m_operators[*outer].GetEndNs();
            int64_t covered = 0;
            int64_t coveredUntil = m_operators[*outer].startNs;
            for (auto inner = outer + 1;
                 inner != members.end() && m_operators[*inner].startNs < end && coveredUntil < end;
                 ++inner)
            {
                const int64_t innerEnd = m_operators[*inner].GetEndNs();
                if (innerEnd <= end && innerEnd > coveredUntil)
                {
                    covered += innerEnd - std::max(m_operators[*inner].startNs, coveredUntil);
                    coveredUntil = innerEnd;
                }
            }
            times[*outer] = m_operators[*outer].durationNs - covered;
        }
    }
    return times;
}

std::vector<int64_t>
OperatorTimeline::GetChakraExclusiveTimes() const
{
    constexpr double NS_PER_MICROSECOND = 1000;

    /// An operator, in microseconds.
    struct Interval
    {
        double start;      ///< start
        double duration;   ///< duration
        std::size_t index; ///< which
    };

    std::vector<int64_t> times(m_operators.size());
    for (const auto& [line, members] : m_lines)
    {
        std::vector<Interval> sorted;
        for (const std::size_t i : members)
        {
            sorted.push_back({m_operators[i].startNs / NS_PER_MICROSECOND,
                              m_operators[i].durationNs / NS_PER_MICROSECOND,
                              i});
        }
        std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
            return std::tie(a.start, a.duration) < std::tie(b.start, b.duration);
        });
        for (auto outer = sorted.begin(); outer != sorted.end(); ++outer)
        {
            const double end = outer->start + outer->duration;
            double rest = outer->duration;
            double blockStart = end;
            double blockEnd = end;
            for (auto inner = outer + 1; inner != sorted.end() && inner->start < end; ++inner)
            {
                const double innerEnd = inner->start + inner->duration;
                if (innerEnd > end)
                {
                    continue;
                }
                if (blockStart < end && inner->start <= blockEnd)
                {
                    blockEnd = std::max(blockEnd, innerEnd);
                    continue;
                }
                rest -= blockEnd - blockStart;
                blockStart = inner->start;
                blockEnd = innerEnd;
            }
            rest -= blockEnd - blockStart;
            times[outer->index] = static_cast<int64_t>(std::max(rest, 0.0) * NS_PER_MICROSECOND);
        }
    }
    return times;
}

std::size_t
OperatorTimeline::FindLastElsewhere(const KinetoEvent::Line& line, int64_t timeNs) const
{
    std::size_t latest = NONE;
    for (const auto& entry : m_lines)
    {
        const std::size_t last = entry.first == line ? NONE : FindLast(entry.first, timeNs - 1);
        if (last != NONE &&
            (latest == NONE || m_operators[last].startNs > m_operators[latest].startNs))
        {
            latest = last;
        }
    }
    return latest;
}

std::vector<std::size_t>
OperatorTimeline::FindEarlierThreads() const
{
    std::vector<std::size_t> earlier(m_operators.size(), NONE);
    for (const auto& [line, members] : m_lines)
    {
        std::size_t followed = NONE;
        for (std::size_t i = 0; i < members.size(); ++i)
        {
            const int64_t start = m_operators[members[i]].startNs;
            if (i == 0 || start - m_operators[members[i - 1]].GetEndNs() > LONG_GAP_NS)
            {
                followed = FindLastElsewhere(line, start);
            }
            earlier[members[i]] = followed;
        }
    }
    return earlier;
}

} // namespace mlcluster
} // namespace ns3
