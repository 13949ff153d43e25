/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-graph.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Steps of a cycle that a message names.
constexpr std::size_t SHOWN_STEPS = 8;

/// @param step numbered through @param isStart else completion @return number of the event
uint32_t
EventOf(uint32_t step, bool isStart)
{
    return 2 * step + (isStart ? 0 : 1);
}

/// @param transfer one end of a message @param isReceive which end @return what it is
std::string
DescribeTransfer(const Transfer& transfer, bool isReceive)
{
    return std::string(isReceive ? "the receive" : "the message") + " with tag " +
           std::to_string(transfer.tag) + (isReceive ? " from" : " to") + " member " +
           std::to_string(transfer.peer);
}

} // namespace

ScheduleGraph::ScheduleGraph(const std::vector<RankSchedule>& schedules,
                             std::vector<std::string>& violations)
    : m_firstSteps{0}
{
    for (uint32_t member = 0; member < schedules.size(); ++member)
    {
        AddSteps(schedules, member, violations);
    }
    m_received.resize(GetNSteps());
    m_sent.resize(GetNSteps());
    Match(schedules, violations);
    Sort(violations);
    FindDepth();
}

void
ScheduleGraph::AddSteps(const std::vector<RankSchedule>& schedules,
                        uint32_t member,
                        std::vector<std::string>& violations)
{
    const auto& schedule = schedules[member];
    const uint32_t first = m_firstSteps.back();
    const auto nSteps = static_cast<uint32_t>(schedule.GetSteps().size());
    m_firstSteps.push_back(first + nSteps);
    m_members.resize(first + nSteps, member);
    for (uint32_t index = 0; index < nSteps; ++index)
    {
        const auto& step = schedule.GetSteps()[index];
        auto& after = m_after.emplace_back();
        for (uint32_t i = 0; i < step.nAfter; ++i)
        {
            const uint32_t before = schedule.GetAfter()[step.firstAfter + i];
            if (before < nSteps)
            {
                after.push_back(first + before);
                continue;
            }
            violations.push_back(Describe(first + index) + ": waits for step " +
                                 std::to_string(before) + "; the member has " +
                                 std::to_string(nSteps) + " steps");
        }
    }
}

void
ScheduleGraph::Match(const std::vector<RankSchedule>& schedules,
                     std::vector<std::string>& violations)
{
    const auto ends = ListEnds(schedules);
    const auto key = [](const End& end) { return std::tie(end.from, end.to, end.transfer->tag); };
    for (auto end = ends.begin(); end != ends.end();)
    {
        Message message{0, 0, nullptr, nullptr};
        for (const auto first = end; end != ends.end() && key(*end) == key(*first); ++end)
        {
            auto& transfer = end->isReceive ? message.receive : message.send;
            auto& step = end->isReceive ? message.toStep : message.fromStep;
            if (transfer)
            {
                violations.push_back(
                    Describe(end->step) + ": " + DescribeTransfer(*transfer, end->isReceive) +
                    " has the tag of the one in step " + std::to_string(GetIndex(step)));
            }
            transfer = end->transfer;
            step = end->step;
        }
        CheckEnds(message, violations);
        if (message.send && message.receive)
        {
            m_sent[message.fromStep].push_back(static_cast<uint32_t>(m_messages.size()));
            m_received[message.toStep].push_back(static_cast<uint32_t>(m_messages.size()));
            m_messages.push_back(message);
        }
    }
}

std::vector<ScheduleGraph::End>
ScheduleGraph::ListEnds(const std::vector<RankSchedule>& schedules) const
{
    std::vector<End> ends;
    for (uint32_t step = 0; step < GetNSteps(); ++step)
    {
        const uint32_t member = m_members[step];
        const auto& schedule = schedules[member];
        const auto& own = schedule.GetSteps()[GetIndex(step)];
        for (uint32_t i = own.firstSend; i < own.firstSend + own.nSends; ++i)
        {
            const Transfer& send = schedule.GetSends()[i];
            ends.push_back({member, send.peer, step, false, &send});
        }
        for (uint32_t i = own.firstReceive; i < own.firstReceive + own.nReceives; ++i)
        {
            const Transfer& receive = schedule.GetReceives()[i];
            ends.push_back({receive.peer, member, step, true, &receive});
        }
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) {
        return std::tie(a.from, a.to, a.transfer->tag, a.isReceive, a.step) <
               std::tie(b.from, b.to, b.transfer->tag, b.isReceive, b.step);
    });
    return ends;
}

void
ScheduleGraph::CheckEnds(const Message& message, std::vector<std::string>& violations) const
{
    if (!message.receive)
    {
        const bool exists = message.send->peer < GetNMembers();
        violations.push_back(Describe(message.fromStep) + ": " +
                             DescribeTransfer(*message.send, false) +
                             (exists ? " has no receive" : ", who does not exist"));
        return;
    }
    if (!message.send)
    {
        violations.push_back(Describe(message.toStep) + ": " +
                             DescribeTransfer(*message.receive, true) + ", who does not send it");
        return;
    }
    const auto refuse = [&](const std::string& why) {
        violations.push_back(Describe(message.fromStep) + ": " +
                             DescribeTransfer(*message.send, false) + why);
    };
    const auto compare = [&](const char* unit, uint64_t sent, uint64_t received) {
        if (sent != received)
        {
            refuse(" has " + std::to_string(sent) + " " + unit + ", its receive in step " +
                   std::to_string(GetIndex(message.toStep)) + " expects " +
                   std::to_string(received));
        }
    };
    compare("bytes", message.send->bytes, message.receive->bytes);
    compare("parts", message.send->nParts, message.receive->nParts);
    if (message.send->peer == m_members[message.fromStep] && message.fromStep != message.toStep)
    {
        refuse(", itself, is received in step " + std::to_string(GetIndex(message.toStep)) +
               " instead of the same");
    }
}

void
ScheduleGraph::Sort(std::vector<std::string>& violations)
{
    std::vector<uint32_t> nMissing(2 * static_cast<std::size_t>(GetNSteps()));
    std::vector<std::vector<uint32_t>> waiting(GetNSteps());
    for (uint32_t step = 0; step < GetNSteps(); ++step)
    {
        nMissing[EventOf(step, true)] = static_cast<uint32_t>(m_after[step].size());
        nMissing[EventOf(step, false)] = 1 + static_cast<uint32_t>(m_received[step].size());
        for (const uint32_t before : m_after[step])
        {
            waiting[before].push_back(step);
        }
        if (m_after[step].empty())
        {
            m_order.push_back({step, true});
        }
    }
    const auto meet = [&](uint32_t step, bool isStart) {
        if (--nMissing[EventOf(step, isStart)] == 0)
        {
            m_order.push_back({step, isStart});
        }
    };
    for (std::size_t i = 0; i < m_order.size(); ++i)
    {
        const auto [step, isStart] = m_order[i];
        if (!isStart)
        {
            for (const uint32_t other : waiting[step])
            {
                meet(other, true);
            }
            continue;
        }
        meet(step, false);
        for (const uint32_t message : m_sent[step])
        {
            meet(m_messages[message].toStep, false);
        }
    }
    if (m_order.size() < nMissing.size())
    {
        violations.push_back(DescribeCycle(nMissing));
    }
}

std::string
ScheduleGraph::DescribeCycle(const std::vector<uint32_t>& nMissing) const
{
    const auto isStuck = [&](uint32_t step, bool isStart) {
        return nMissing[EventOf(step, isStart)] > 0;
    };
    const auto follow = [&](uint32_t step) {
        for (const uint32_t before : m_after[step])
        {
            if (isStuck(before, false))
            {
                return before;
            }
        }
        const auto& received = m_received[step];
        return m_messages[*std::find_if(received.begin(),
                                        received.end(),
                                        [&](uint32_t message) {
                                            return isStuck(m_messages[message].fromStep, true);
                                        })]
            .fromStep;
    };
    uint32_t step = 0;
    while (!isStuck(step, false))
    {
        ++step;
    }
    std::vector<uint32_t> path;
    for (; std::find(path.begin(), path.end(), step) == path.end(); step = follow(step))
    {
        path.push_back(step);
    }
    path.erase(path.begin(), std::find(path.begin(), path.end(), step));
    std::string text = "deadlock: " + Describe(path[0]);
    for (std::size_t i = 1; i < std::min(path.size(), SHOWN_STEPS); ++i)
    {
        text += ", waits for " + Describe(path[i]);
    }
    return text + (path.size() > SHOWN_STEPS ? ", waits for ..." : "") + ", waits for " +
           Describe(path[0]);
}

void
ScheduleGraph::FindDepth()
{
    std::vector<uint32_t> depths(2 * static_cast<std::size_t>(GetNSteps()));
    for (const auto& [step, isStart] : m_order)
    {
        uint32_t& depth = depths[EventOf(step, isStart)];
        if (isStart)
        {
            for (const uint32_t before : m_after[step])
            {
                depth = std::max(depth, depths[EventOf(before, false)]);
            }
            continue;
        }
        depth = depths[EventOf(step, true)];
        for (const uint32_t index : m_received[step])
        {
            const uint32_t from = m_messages[index].fromStep;
            depth = std::max(depth, depths[EventOf(from, true)] + (from == step ? 0 : 1));
        }
        m_depth = std::max(m_depth, depth);
    }
}

uint32_t
ScheduleGraph::GetNMembers() const
{
    return static_cast<uint32_t>(m_firstSteps.size() - 1);
}

uint32_t
ScheduleGraph::GetNSteps() const
{
    return m_firstSteps.back();
}

uint32_t
ScheduleGraph::GetFirstStep(uint32_t member) const
{
    return m_firstSteps[member];
}

uint32_t
ScheduleGraph::GetMember(uint32_t step) const
{
    return m_members[step];
}

const std::vector<uint32_t>&
ScheduleGraph::GetAfter(uint32_t step) const
{
    return m_after[step];
}

const std::vector<ScheduleGraph::Message>&
ScheduleGraph::GetMessages() const
{
    return m_messages;
}

const std::vector<uint32_t>&
ScheduleGraph::GetReceived(uint32_t step) const
{
    return m_received[step];
}

const std::vector<uint32_t>&
ScheduleGraph::GetSent(uint32_t step) const
{
    return m_sent[step];
}

const std::vector<ScheduleGraph::Event>&
ScheduleGraph::GetOrder() const
{
    return m_order;
}

uint32_t
ScheduleGraph::GetDepth() const
{
    return m_depth;
}

uint32_t
ScheduleGraph::GetIndex(uint32_t step) const
{
    return step - m_firstSteps[m_members[step]];
}

std::string
ScheduleGraph::Describe(uint32_t step) const
{
    return "member " + std::to_string(m_members[step]) + ", step " + std::to_string(GetIndex(step));
}

} // namespace mlcluster
} // namespace ns3
