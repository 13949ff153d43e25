/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "msccl-writer.h"
#include "schedule-edit.h"
#include "temporary-folder.h"

#include "ns3/collective-verifier.h"
#include "ns3/msccl-algorithm.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// Runs the schedules of an all-reduce in a random order of events, with sums of numbers: member m
/// contributes 16^m to each part, and 16^m * part to a second sum that tells parts apart.
class AllReduceRun
{
  public:
    AllReduceRun(const std::vector<RankSchedule>& schedules,
                 const CollectiveLayout& layout,
                 uint32_t seed)
        : m_schedules(schedules),
          m_layout(layout),
          m_random(seed)
    {
        const auto nMembers = static_cast<uint32_t>(schedules.size());
        for (uint32_t member = 0; member < nMembers; ++member)
        {
            for (uint32_t part = 0; part < layout.partBytes.size(); ++part)
            {
                const auto place = layout.input(member, part);
                const uint64_t one = uint64_t{1} << 4 * member;
                m_values[{member, place.buffer, place.index}] = {one, one * (part + 1)};
            }
            m_states.emplace_back(schedules[member].GetSteps().size());
        }
    }

    /// @return whether all ends as promised, and only what is there is sent
    bool Run()
    {
        while (true)
        {
            const auto ready = ListReady();
            const auto arrivals = ListArrivals();
            const std::size_t nChoices = ready.size() + arrivals.size();
            if (nChoices == 0)
            {
                return m_isRight && IsEndRight();
            }
            const std::size_t choice = m_random() % nChoices;
            choice < ready.size() ? Start(ready[choice].first, ready[choice].second)
                                  : Arrive(arrivals[choice - ready.size()]);
        }
    }

  private:
    using Value = std::pair<uint64_t, uint64_t>;

    struct Message
    {
        uint32_t from;
        Transfer send;
        std::vector<Value> values;
    };

    struct Arrival
    {
        std::size_t message;
        uint32_t step;
        const Transfer* receive;
    };

    struct State
    {
        bool started{false};
        uint32_t nArrived{0};
    };

    std::tuple<uint32_t, uint32_t, uint32_t> PlaceOf(uint32_t member,
                                                     const Transfer& transfer,
                                                     uint32_t part) const
    {
        return {member,
                transfer.buffer,
                (transfer.firstPart + part) % m_layout.sizes[member][transfer.buffer]};
    }

    bool IsComplete(uint32_t member, uint32_t step) const
    {
        const auto& state = m_states[member][step];
        return state.started && state.nArrived == m_schedules[member].GetSteps()[step].nReceives;
    }

    std::vector<std::pair<uint32_t, uint32_t>> ListReady() const
    {
        std::vector<std::pair<uint32_t, uint32_t>> ready;
        for (uint32_t member = 0; member < m_states.size(); ++member)
        {
            const auto& schedule = m_schedules[member];
            for (uint32_t index = 0; index < m_states[member].size(); ++index)
            {
                const auto& step = schedule.GetSteps()[index];
                const auto after = schedule.GetAfter().begin() + step.firstAfter;
                if (!m_states[member][index].started &&
                    std::all_of(after, after + step.nAfter, [&](uint32_t other) {
                        return IsComplete(member, other);
                    }))
                {
                    ready.emplace_back(member, index);
                }
            }
        }
        return ready;
    }

    void Start(uint32_t member, uint32_t index)
    {
        m_states[member][index].started = true;
        const auto& schedule = m_schedules[member];
        const auto& step = schedule.GetSteps()[index];
        for (uint32_t i = step.firstSend; i < step.firstSend + step.nSends; ++i)
        {
            const Transfer& send = schedule.GetSends()[i];
            Message message{member, send, {}};
            for (uint32_t part = 0; part < send.nParts; ++part)
            {
                const auto value = m_values.find(PlaceOf(member, send, part));
                m_isRight = m_isRight && value != m_values.end();
                message.values.push_back(value == m_values.end() ? Value() : value->second);
            }
            m_messages.push_back(message);
        }
    }

    /// @return messages whose receiving step has started, with that step and their receive
    std::vector<Arrival> ListArrivals() const
    {
        std::vector<Arrival> arrivals;
        for (std::size_t at = 0; at < m_messages.size(); ++at)
        {
            const uint32_t member = m_messages[at].send.peer;
            const auto& schedule = m_schedules[member];
            for (uint32_t index = 0; index < m_states[member].size(); ++index)
            {
                const auto& step = schedule.GetSteps()[index];
                for (uint32_t i = step.firstReceive; i < step.firstReceive + step.nReceives; ++i)
                {
                    const Transfer& receive = schedule.GetReceives()[i];
                    if (m_states[member][index].started && receive.peer == m_messages[at].from &&
                        receive.tag == m_messages[at].send.tag)
                    {
                        arrivals.push_back({at, index, &receive});
                    }
                }
            }
        }
        return arrivals;
    }

    void Arrive(const Arrival& arrival)
    {
        const Message message = m_messages[arrival.message];
        Put(message.send.peer, *arrival.receive, message.values);
        ++m_states[message.send.peer][arrival.step].nArrived;
        m_messages.erase(m_messages.begin() + static_cast<std::ptrdiff_t>(arrival.message));
    }

    void Put(uint32_t member, const Transfer& receive, const std::vector<Value>& values)
    {
        for (uint32_t i = 0; i < values.size(); ++i)
        {
            const auto place = PlaceOf(member, receive, i);
            m_isRight = m_isRight && (!receive.reduce || m_values.count(place) > 0);
            Value& value = m_values[place];
            value = receive.reduce
                        ? Value{value.first + values[i].first, value.second + values[i].second}
                        : values[i];
        }
    }

    bool IsEndRight()
    {
        uint64_t all = 0;
        for (uint32_t member = 0; member < m_states.size(); ++member)
        {
            all += uint64_t{1} << 4 * member;
        }
        for (uint32_t member = 0; member < m_states.size(); ++member)
        {
            for (uint32_t part = 0; part < m_layout.partBytes.size(); ++part)
            {
                const auto place = m_layout.output(member, 0, part);
                if (m_values[{member, place.buffer, place.index}] != Value{all, all * (part + 1)})
                {
                    return false;
                }
            }
            for (uint32_t index = 0; index < m_states[member].size(); ++index)
            {
                if (!IsComplete(member, index))
                {
                    return false;
                }
            }
        }
        return true;
    }

    const std::vector<RankSchedule>& m_schedules;
    const CollectiveLayout& m_layout;
    std::mt19937 m_random;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Value> m_values;
    std::vector<std::vector<State>> m_states;
    std::vector<Message> m_messages;
    bool m_isRight{true};
};

class LoadedMutation : public FolderTest
{
};

/// Removes waits, or exchanges what two steps of a member do. @return whether anything was done
bool
Damage(ScheduleEdit& edit, uint32_t size, std::mt19937& random)
{
    auto& steps = edit[random() % size];
    auto& step = steps[random() % steps.size()];
    auto& other = steps[random() % steps.size()];
    switch (random() % 4)
    {
    case 0:
        std::swap(step.sends, other.sends);
        std::swap(step.receives, other.receives);
        return &step != &other;
    case 1:
        for (auto* transfers : {&step.sends, &step.receives})
        {
            for (auto& transfer : *transfers)
            {
                transfer.firstPart ^= 1;
            }
        }
        return true;
    default:
        if (step.after.empty())
        {
            return false;
        }
        step.after.erase(step.after.begin() + random() % step.after.size());
        return true;
    }
}

} // namespace

TEST_F(LoadedMutation, IsSeenOrHarmless)
{
    std::mt19937 random(11);
    const std::string files[] = {WriteRing(3, true, true),
                                 WriteRing(4, false, true),
                                 WriteRing(3, false, false),
                                 WriteAllPairs(2, false),
                                 WriteAllPairs(3, true)};
    uint32_t nSeen = 0;
    uint32_t nHarmless = 0;
    for (uint32_t round = 0; round < 600; ++round)
    {
        const MscclAlgorithm algorithm(Write("file.xml", files[round % std::size(files)]));
        const uint32_t sizes[] = {3, 4, 3, 2, 3};
        const uint32_t size = sizes[round % std::size(files)];
        const CollectiveRequest request{AR, size, SplitEvenly(size * 60, size)};
        ScheduleEdit edit(algorithm, request);
        if (round >= std::size(files) && !Damage(edit, size, random))
        {
            continue;
        }
        const auto schedules = edit.Build();
        const auto layout = algorithm.GetLayout(request, 1);
        const auto proof = CollectiveVerifier::Verify(request, schedules, layout);
        bool isRight = true;
        for (uint32_t seed = 0; seed < (proof.violations.empty() ? 20 : 200) && isRight; ++seed)
        {
            isRight = AllReduceRun(schedules, layout, seed).Run();
        }
        if (proof.violations.empty())
        {
            ++nHarmless;
            EXPECT_TRUE(isRight) << round;
            continue;
        }
        ++nSeen;
        EXPECT_FALSE(isRight) << round << " " << proof.violations[0];
    }
    EXPECT_GT(nSeen, 300U);
    EXPECT_GT(nHarmless, 100U);
}
