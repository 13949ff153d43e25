/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINK_SIMULATOR_H
#define ML_CLUSTER_LINK_SIMULATOR_H

#include "ns3/collective-plan.h"
#include "ns3/link-graph.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * A network in a few lines, to time schedules without a simulator: each directed link serves
 * messages first come, first served and is busy for bytes / rate; the head moves on after the
 * latency. Test code.
 */
class LinkSimulator
{
  public:
    using Action = std::function<void()>;

    explicit LinkSimulator(const LinkGraph& graph)
        : m_graph(graph),
          m_freeAt(graph.GetNLinks()),
          m_bytes(graph.GetNLinks())
    {
    }

    void At(int64_t time, Action action)
    {
        m_events.push({time, m_nEvents++, std::move(action)});
    }

    void Send(uint32_t from, uint32_t to, uint64_t bytes, const Action& left, const Action& arrived)
    {
        Forward(from, to, bytes, 0, left, arrived);
    }

    void Run()
    {
        while (!m_events.empty())
        {
            const Event event = m_events.top();
            m_events.pop();
            m_now = event.time;
            event.action();
        }
    }

    int64_t Now() const
    {
        return m_now;
    }

    /// @return bytes put on links that leave a rank in a dimension
    uint64_t GetBytesSent(uint32_t rank, uint32_t dimension) const
    {
        uint64_t bytes = 0;
        for (const uint32_t link : m_graph.GetLinksFrom(rank))
        {
            bytes += m_graph.GetLink(link).dimension == dimension ? m_bytes[link] : 0;
        }
        return bytes;
    }

  private:
    struct Event
    {
        int64_t time;
        uint64_t number;
        Action action;

        bool operator<(const Event& o) const
        {
            return std::tie(time, number) > std::tie(o.time, o.number);
        }
    };

    void Forward(uint32_t vertex,
                 uint32_t to,
                 uint64_t bytes,
                 int64_t tail,
                 const Action& left,
                 const Action& arrived)
    {
        const uint32_t index = m_graph.GetNextLink(vertex, to);
        const DirectedLink& link = m_graph.GetLink(index);
        const int64_t start = std::max(m_now, m_freeAt[index]);
        m_freeAt[index] = start + SerialisationPicoseconds(bytes, link.bitRate);
        m_bytes[index] += bytes;
        tail = std::max(tail, m_freeAt[index]) + link.latencyPs;
        if (left)
        {
            At(m_freeAt[index], left);
        }
        if (link.to == to)
        {
            At(tail, arrived);
            return;
        }
        At(start + link.latencyPs, [this, next = link.to, to, bytes, tail, arrived] {
            Forward(next, to, bytes, tail, {}, arrived);
        });
    }

    const LinkGraph& m_graph;
    std::vector<int64_t> m_freeAt; ///< per link
    std::vector<uint64_t> m_bytes; ///< per link
    std::priority_queue<Event> m_events;
    uint64_t m_nEvents{0};
    int64_t m_now{0};
};

/// Runs schedules of ranks on a LinkSimulator; messages are matched by context, ranks and tag.
class ScheduleRunner
{
  public:
    explicit ScheduleRunner(LinkSimulator& links)
        : m_links(links)
    {
    }

    /**
     * Starts a schedule now.
     * @param context equal on all ranks that run it together
     * @param rank who runs it @param peers ranks by position @param schedule its steps
     * @param done called when all steps are complete and all sends have left
     */
    void Start(uint32_t context,
               uint32_t rank,
               const std::vector<uint32_t>& peers,
               const RankSchedule& schedule,
               const LinkSimulator::Action& done)
    {
        auto run = std::make_shared<Run>(Run{context, rank, peers, schedule, done, {}, 0});
        for (const auto& step : schedule.GetSteps())
        {
            run->open += 1 + step.nSends;
            run->missing.push_back(step.nReceives);
            run->waits.push_back(step.nAfter);
        }
        for (uint32_t step = 0; step < run->missing.size(); ++step)
        {
            if (schedule.GetSteps()[step].nAfter == 0)
            {
                Begin(run, step);
            }
        }
    }

  private:
    struct Run
    {
        uint32_t context;
        uint32_t rank;
        std::vector<uint32_t> peers;
        RankSchedule schedule;
        LinkSimulator::Action done;
        std::vector<uint32_t> missing; ///< receives per step
        uint32_t open;                 ///< steps and sends
        std::vector<uint32_t> waits{}; ///< steps waited for, per step
    };

    /// A message or the receive that waits for it, whichever came first.
    struct Meeting
    {
        uint64_t bytes;
        LinkSimulator::Action received;
    };

    using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>; ///< context, ranks, tag

    void Begin(const std::shared_ptr<Run>& run, uint32_t index)
    {
        const auto& step = run->schedule.GetSteps()[index];
        for (uint32_t i = step.firstSend; i < step.firstSend + step.nSends; ++i)
        {
            const Transfer& send = run->schedule.GetSends()[i];
            const uint32_t to = run->peers[send.peer];
            const Key key{run->context, run->rank, to, send.tag};
            m_links.Send(
                run->rank,
                to,
                send.bytes,
                [this, run] { Close(run); },
                [this, key, bytes = send.bytes] { Meet(key, bytes, {}); });
        }
        for (uint32_t i = step.firstReceive; i < step.firstReceive + step.nReceives; ++i)
        {
            const Transfer& receive = run->schedule.GetReceives()[i];
            const Key key{run->context, run->peers[receive.peer], run->rank, receive.tag};
            Meet(key, receive.bytes, [this, run, index] {
                --run->missing[index];
                CompleteIfDone(run, index);
            });
        }
        if (step.nReceives == 0)
        {
            CompleteIfDone(run, index);
        }
    }

    void Meet(const Key& key, uint64_t bytes, const LinkSimulator::Action& received)
    {
        const auto [other, isFirst] = m_meetings.insert({key, {bytes, received}});
        if (isFirst)
        {
            return;
        }
        const Meeting meeting = other->second;
        m_meetings.erase(other);
        nMismatches += meeting.bytes != bytes || bool(meeting.received) == bool(received);
        (received ? received : meeting.received)();
    }

    void CompleteIfDone(const std::shared_ptr<Run>& run, uint32_t index)
    {
        if (run->missing[index] > 0)
        {
            return;
        }
        const auto& steps = run->schedule.GetSteps();
        for (uint32_t later = index + 1; later < steps.size(); ++later)
        {
            for (uint32_t i = 0; i < steps[later].nAfter; ++i)
            {
                const bool waits = run->schedule.GetAfter()[steps[later].firstAfter + i] == index;
                if (waits && --run->waits[later] == 0)
                {
                    Begin(run, later);
                }
            }
        }
        Close(run);
    }

    void Close(const std::shared_ptr<Run>& run)
    {
        if (--run->open == 0)
        {
            run->done();
        }
    }

    LinkSimulator& m_links;
    std::map<Key, Meeting> m_meetings;

  public:
    uint32_t nMismatches{0}; ///< messages whose ends differ in size, or that met their like

    /// @return messages without receive and receives without message
    std::size_t GetNLeftOver() const
    {
        return m_meetings.size();
    }
};

/// Runs a plan on all members of its group, each from its own start time.
class PlanRunner
{
  public:
    PlanRunner(LinkSimulator& links, const CollectivePlan& plan)
        : m_links(links),
          m_schedules(links),
          m_plan(plan)
    {
    }

    /// @param startTimes by place in the group
    void Run(const std::vector<int64_t>& startTimes)
    {
        for (std::size_t i = 0; i < startTimes.size(); ++i)
        {
            const uint32_t rank = m_plan.GetGroup()[i];
            m_members[rank].next.resize(m_plan.GetNDimensions());
            m_members[rank].inFlight.resize(m_plan.GetNDimensions());
            m_members[rank].phaseOf.resize(m_plan.GetNChunks());
            m_links.At(startTimes[i], [this, rank] { StartPossible(rank); });
        }
        m_links.Run();
    }

    /// @return members that finished every chunk
    std::size_t GetNFinished() const
    {
        return std::count_if(m_members.begin(), m_members.end(), [&](const auto& entry) {
            const auto& phases = entry.second.phaseOf;
            return std::all_of(phases.begin(), phases.end(), [&](uint32_t phase) {
                return phase == m_plan.GetNPhases();
            });
        });
    }

    /// @param rank a member @return when it ended its last phase, ps
    int64_t GetEnd(uint32_t rank) const
    {
        return m_members.at(rank).end;
    }

    /// @return whether all messages met a receive of their size
    bool IsMatched() const
    {
        return m_schedules.nMismatches == 0 && m_schedules.GetNLeftOver() == 0;
    }

  private:
    struct Member
    {
        std::vector<uint32_t> next;     ///< per dimension, place in the order
        std::vector<uint32_t> inFlight; ///< per dimension
        std::vector<uint32_t> phaseOf;  ///< per chunk, phases done
        int64_t end{0};                 ///< of the last phase so far, ps
    };

    void StartPossible(uint32_t rank)
    {
        Member& member = m_members[rank];
        for (uint32_t k = 0; k < m_plan.GetNDimensions(); ++k)
        {
            const auto& order = m_plan.GetOrder(k);
            while (member.next[k] < order.size() &&
                   member.inFlight[k] < m_plan.GetChunksInFlight(k) &&
                   member.phaseOf[order[member.next[k]].chunk] == order[member.next[k]].phase)
            {
                const auto [chunk, phase] = order[member.next[k]];
                ++member.next[k];
                ++member.inFlight[k];
                m_schedules.Start(chunk * m_plan.GetNPhases() + phase,
                                  rank,
                                  m_plan.GetPeers(rank, chunk, phase),
                                  m_plan.GetSchedule(rank, chunk, phase),
                                  [this, rank, k, chunk = chunk] {
                                      --m_members[rank].inFlight[k];
                                      ++m_members[rank].phaseOf[chunk];
                                      m_members[rank].end = m_links.Now();
                                      StartPossible(rank);
                                  });
            }
        }
    }

    LinkSimulator& m_links;
    ScheduleRunner m_schedules;
    const CollectivePlan& m_plan;
    std::map<uint32_t, Member> m_members; ///< by rank
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINK_SIMULATOR_H
