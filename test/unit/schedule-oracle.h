/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SCHEDULE_ORACLE_H
#define ML_CLUSTER_SCHEDULE_ORACLE_H

#include "ns3/collective-algorithm.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * Proves a collective's schedules by moving ownership: every member begins with what it
 * contributes, steps start and messages arrive in a random valid order, and in the end each member
 * must hold what the collective promises, every contribution once. It knows collectives, not
 * algorithms. A switch in which members meet is a further schedule, without anything in the
 * beginning or promised in the end. A barrier is an all-gather of nothing: each member must have
 * heard of every other. Test code.
 */
class ScheduleOracle
{
  public:
    static constexpr uint32_t MAX_SIZE = 64;    ///< members it can follow
    using Contributors = std::bitset<MAX_SIZE>; ///< members whose data a value holds

    /// @param request what to do @param schedules of all members @param seed of the order of events
    ScheduleOracle(const CollectiveRequest& request,
                   const std::vector<RankSchedule>& schedules,
                   uint32_t seed)
        : m_request(request),
          m_schedules(schedules),
          m_random(seed),
          m_partsPerPiece(schedules[0].GetPartsPerPiece()),
          m_nParts(request.size * m_partsPerPiece),
          m_isAllToAll(request.type == CollectiveType::AllToAll),
          m_isGather(request.type == CollectiveType::AllGather ||
                     request.type == CollectiveType::Gather ||
                     request.type == CollectiveType::Barrier),
          m_isFromRoot(request.type == CollectiveType::Broadcast ||
                       request.type == CollectiveType::Scatter),
          m_nBuffers(m_isAllToAll ? request.size : 1)
    {
        for (const auto& schedule : schedules)
        {
            for (const auto& transfer : schedule.GetReceives())
            {
                m_nBuffers = std::max(m_nBuffers, transfer.buffer + 1);
            }
        }
        for (uint32_t member = 0; member < schedules.size(); ++member)
        {
            m_holdings.push_back(Begin(member));
            AddMember(member);
        }
    }

    /// @return what is wrong, or ""
    std::string Run()
    {
        while (m_problem.empty() && !m_possible.empty())
        {
            std::swap(m_possible[m_random() % m_possible.size()], m_possible.back());
            const Event event = std::move(m_possible.back());
            m_possible.pop_back();
            event.isStart ? Start(event.place) : Arrive(event.place, event.message);
        }
        for (uint32_t member = 0; member < m_schedules.size() && m_problem.empty(); ++member)
        {
            CheckEnd(member);
        }
        return m_problem;
    }

  private:
    using Holding = std::vector<Contributors>; ///< by buffer and part; none: not there

    /// A step or a receive of a member.
    struct Place
    {
        uint32_t member;
        uint32_t step;
        uint32_t receive;
    };

    /// A message on its way.
    struct Message
    {
        Transfer transfer{}; ///< as the sender has it
        Holding payload;     ///< by part of its range
    };

    /// Something that can happen now.
    struct Event
    {
        bool isStart;
        Place place;
        Message message;
    };

    /// How far a step is.
    struct StepState
    {
        uint32_t nWaits{0};   ///< steps it waits for
        uint32_t nMissing{0}; ///< receives
        bool started{false};
        std::vector<uint32_t> waiting; ///< steps that wait for it
        std::vector<Event> early;      ///< messages that came before it started
    };

    std::size_t Index(uint32_t buffer, uint32_t part) const
    {
        return static_cast<std::size_t>(buffer) * m_nParts + part % m_nParts;
    }

    uint64_t GetBytes(uint32_t buffer, uint32_t part) const
    {
        const uint32_t piece = part / m_partsPerPiece;
        const uint64_t bytes = m_request.matrix.empty()
                                   ? m_request.pieces[piece]
                                   : m_request.matrix[buffer * m_request.size + piece];
        return (bytes + m_partsPerPiece - 1 - part % m_partsPerPiece) / m_partsPerPiece;
    }

    Holding Begin(uint32_t member) const
    {
        Holding holding(static_cast<std::size_t>(m_nBuffers) * m_nParts);
        for (uint32_t part = 0; part < m_nParts && member < m_request.size; ++part)
        {
            const bool isThere = m_isGather     ? part / m_partsPerPiece == member
                                 : m_isFromRoot ? member == m_request.root
                                                : true;
            holding[Index(m_isAllToAll ? member : 0, part)].set(member, isThere);
        }
        return holding;
    }

    void AddMember(uint32_t member)
    {
        const auto& schedule = m_schedules[member];
        m_states.emplace_back(schedule.GetSteps().size());
        for (uint32_t index = 0; index < m_states[member].size(); ++index)
        {
            const auto& step = schedule.GetSteps()[index];
            auto& state = m_states[member][index];
            state.nWaits = step.nAfter;
            state.nMissing = step.nReceives;
            for (uint32_t i = 0; i < step.nAfter; ++i)
            {
                m_states[member]
                    .at(schedule.GetAfter()[step.firstAfter + i])
                    .waiting.push_back(index);
            }
            for (uint32_t i = step.firstReceive; i < step.firstReceive + step.nReceives; ++i)
            {
                const Transfer& receive = schedule.GetReceives()[i];
                Demand(m_receives.insert({{receive.peer, member, receive.tag}, {member, index, i}})
                           .second,
                       "two receives have one tag");
            }
            if (state.nWaits == 0)
            {
                m_possible.push_back({true, {member, index, 0}, {}});
            }
        }
    }

    void Start(const Place& place)
    {
        const auto& step = m_schedules[place.member].GetSteps()[place.step];
        auto& state = m_states[place.member][place.step];
        state.started = true;
        for (uint32_t i = step.firstSend; i < step.firstSend + step.nSends; ++i)
        {
            Send(place.member, m_schedules[place.member].GetSends()[i]);
        }
        m_possible.insert(m_possible.end(), state.early.begin(), state.early.end());
        Complete(place);
    }

    void Send(uint32_t member, const Transfer& send)
    {
        Message message{send, {}};
        message.payload.reserve(send.nParts);
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < send.nParts; ++i)
        {
            const uint32_t part = (send.firstPart + i) % m_nParts;
            message.payload.push_back(m_holdings[member][Index(send.buffer, part)]);
            bytes += GetBytes(send.buffer, part);
            Demand(message.payload.back().any(), "a member sends what it has not");
        }
        const bool isSignal = member >= m_request.size || send.peer >= m_request.size;
        Demand((send.nParts > 0 || isSignal) && send.nParts <= m_nParts,
               "a message carries nothing");
        Demand(bytes == send.bytes, "a message's size is not that of its parts");
        Demand(bytes > 0 || m_request.matrix.empty(), "a message of a matrix is empty");
        const auto receive = m_receives.find({member, send.peer, send.tag});
        if (receive == m_receives.end())
        {
            m_problem = "a message has no receive of its own";
            return;
        }
        const Place place = receive->second;
        m_receives.erase(receive);
        auto& state = m_states[place.member][place.step];
        (state.started ? m_possible : state.early).push_back({false, place, std::move(message)});
    }

    void Arrive(const Place& place, const Message& message)
    {
        const Transfer& receive = m_schedules[place.member].GetReceives()[place.receive];
        const Transfer& send = message.transfer;
        const bool isMove = send.peer == place.member && receive.peer == place.member;
        Demand(std::tie(receive.bytes, receive.reduce, receive.nParts) ==
                       std::tie(send.bytes, send.reduce, send.nParts) &&
                   (isMove || std::tie(receive.buffer, receive.firstPart) ==
                                  std::tie(send.buffer, send.firstPart)),
               "the two ends of a message differ");
        for (uint32_t i = 0; i < send.nParts; ++i)
        {
            auto& value = m_holdings[place.member][Index(receive.buffer, receive.firstPart + i)];
            const auto& brought = message.payload[i];
            Demand(!receive.reduce || (value & brought).none(), "a contribution is reduced twice");
            Demand(receive.reduce || (value | brought) != value, "a message brings nothing new");
            value = receive.reduce ? value | brought : brought;
        }
        --m_states[place.member][place.step].nMissing;
        Complete(place);
    }

    void Complete(const Place& place)
    {
        auto& state = m_states[place.member][place.step];
        for (std::size_t i = 0; i < state.waiting.size() && state.nMissing == 0; ++i)
        {
            if (--m_states[place.member][state.waiting[i]].nWaits == 0)
            {
                m_possible.push_back({true, {place.member, state.waiting[i], 0}, {}});
            }
        }
    }

    void CheckEnd(uint32_t member)
    {
        for (uint32_t buffer = 0; buffer < (m_isAllToAll ? m_request.size : 1); ++buffer)
        {
            for (uint32_t part = 0; part < m_nParts && IsPromised(member); ++part)
            {
                const uint32_t piece = part / m_partsPerPiece;
                const bool isNothing =
                    !m_request.matrix.empty() && GetBytes(buffer, part) == 0 && buffer != member;
                Demand((EndsWithOne() && piece != member) || isNothing ||
                           m_holdings[member][Index(buffer, part)] == GetResult(buffer, piece),
                       "a member ends without what is promised");
            }
        }
        for (const auto& state : m_states[member])
        {
            Demand(state.started && state.nMissing == 0, "a member is stuck");
        }
    }

    /// Whether the collective promises a member anything.
    bool IsPromised(uint32_t member) const
    {
        const bool isToRoot = IsRooted(m_request.type) && !m_isFromRoot;
        return member < m_request.size && (!isToRoot || member == m_request.root);
    }

    /// Whether a member is promised its own piece only.
    bool EndsWithOne() const
    {
        return m_isAllToAll || m_request.type == CollectiveType::ReduceScatter ||
               m_request.type == CollectiveType::Scatter;
    }

    /// Whose data a piece must hold in the end.
    Contributors GetResult(uint32_t buffer, uint32_t piece) const
    {
        if (m_isGather || m_isAllToAll || m_isFromRoot)
        {
            return Contributors().set(m_isGather ? piece : m_isAllToAll ? buffer : m_request.root);
        }
        return ~Contributors() >> (MAX_SIZE - m_request.size);
    }

    void Demand(bool holds, const char* problem)
    {
        if (!holds && m_problem.empty())
        {
            m_problem = problem;
        }
    }

    const CollectiveRequest& m_request;
    const std::vector<RankSchedule>& m_schedules;
    std::mt19937 m_random;
    uint32_t m_partsPerPiece;
    uint32_t m_nParts;
    bool m_isAllToAll;
    bool m_isGather;   ///< pieces begin with their members
    bool m_isFromRoot; ///< all data begin at the root
    uint32_t m_nBuffers;
    std::vector<Holding> m_holdings;                                      ///< by member
    std::vector<std::vector<StepState>> m_states;                         ///< by member and step
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Place> m_receives; ///< source, member, tag
    std::vector<Event> m_possible;                                        ///< what can happen now
    std::string m_problem;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SCHEDULE_ORACLE_H
