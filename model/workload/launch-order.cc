/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "launch-order.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

LaunchOrder::LaunchOrder(const KinetoTrace& kineto, const std::vector<DeviceLaunch>& launches)
    : m_kineto(kineto),
      m_launches(launches)
{
    m_elsewhere.assign(launches.size(), NONE);
    for (std::size_t i = 0; i < launches.size(); ++i)
    {
        m_onStream[GetOperation(i).line].push_back(i);
        if (!Communicates(i))
        {
            auto& thread = m_ofThread[GetCall(i).line];
            const std::size_t before = thread.empty() ? NONE : thread.back();
            m_elsewhere[i] = FindOn(before, GetOperation(i).line);
            thread.push_back(i);
        }
        if (const auto correlation = GetCall(i).correlation)
        {
            m_byCall[*correlation] = i;
        }
    }
}

const KinetoEvent&
LaunchOrder::GetOperation(std::size_t launch) const
{
    return m_kineto.operations[m_launches[launch].operation];
}

const KinetoEvent&
LaunchOrder::GetCall(std::size_t launch) const
{
    return m_kineto.calls[m_launches[launch].call];
}

bool
LaunchOrder::Communicates(std::size_t launch) const
{
    return IsCommunicationKernel(GetOperation(launch).name);
}

std::pair<std::size_t, const std::vector<std::size_t>*>
LaunchOrder::Seek(const Lists& lists, const Line& line, int64_t timeNs) const
{
    static const std::vector<std::size_t> NOTHING;
    const auto found = lists.find(line);
    const auto& list = found == lists.end() ? NOTHING : found->second;
    const auto position =
        std::lower_bound(list.begin(), list.end(), timeNs, [this](std::size_t i, int64_t time) {
            return GetCall(i).startNs < time;
        });
    return {position - list.begin(), &list};
}

std::size_t
LaunchOrder::FindLast(const Line& stream, int64_t timeNs) const
{
    const auto [position, list] = Seek(m_onStream, stream, timeNs);
    return position == 0 ? NONE : (*list)[position - 1];
}

std::size_t
LaunchOrder::FindNext(const Line& stream, int64_t timeNs) const
{
    const auto [position, list] = Seek(m_onStream, stream, timeNs);
    return position == list->size() ? NONE : (*list)[position];
}

std::vector<std::size_t>
LaunchOrder::FindLastOfAll(std::optional<int64_t> device, int64_t timeNs) const
{
    std::vector<std::size_t> launches;
    for (const auto& [stream, list] : m_onStream)
    {
        const std::size_t last = FindLast(stream, timeNs);
        if (last != NONE && (!device || stream.first == *device))
        {
            launches.push_back(last);
        }
    }
    return launches;
}

std::size_t
LaunchOrder::FindByCall(int64_t correlation) const
{
    const auto found = m_byCall.find(correlation);
    return found == m_byCall.end() ? NONE : found->second;
}

std::optional<LaunchOrder::Line>
LaunchOrder::FindStream(const Line& thread, int64_t timeNs) const
{
    const auto [position, list] = Seek(m_ofThread, thread, timeNs);
    if (position < list->size())
    {
        return GetOperation((*list)[position]).line;
    }
    return FindStreamBefore(thread, timeNs);
}

std::optional<LaunchOrder::Line>
LaunchOrder::FindStreamBefore(const Line& thread, int64_t timeNs) const
{
    const auto [position, list] = Seek(m_ofThread, thread, timeNs);
    return position == 0 ? std::nullopt : std::optional(GetOperation((*list)[position - 1]).line);
}

std::size_t
LaunchOrder::FindLastElsewhere(const Line& thread, int64_t timeNs, const Line& stream) const
{
    const auto [position, list] = Seek(m_ofThread, thread, timeNs);
    return FindOn(position == 0 ? NONE : (*list)[position - 1], stream);
}

std::size_t
LaunchOrder::FindOn(std::size_t launch, const Line& stream) const
{
    return launch == NONE || GetOperation(launch).line != stream ? launch : m_elsewhere[launch];
}

} // namespace mlcluster
} // namespace ns3
