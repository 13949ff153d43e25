/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_STEP_CASES_H
#define ML_CLUSTER_GRAPH_STEP_CASES_H

#include "text-cases.h"
#include "workload-cases.h"

#include "ns3/collective-traffic.h"
#include "ns3/graph-step-time.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

using Numbers = std::vector<double>; ///< per dimension

/// @param id id @param ns its time @param dependencies what it waits for @param stream its stream
/// @return a compute node of the accelerator
inline ExecutionNode
Compute(uint64_t id, double ns, std::vector<uint64_t> dependencies = {}, int64_t stream = -1)
{
    ExecutionNode node;
    node.id = id;
    node.name = "w" + std::to_string(id);
    node.kind = NodeKind::Compute;
    node.durationPs = static_cast<int64_t>(ns * 1000);
    node.stream = stream;
    node.dependencies = std::move(dependencies);
    return node;
}

/// @param node a node @param dependencies what it waits for @return it, waiting for them
inline ExecutionNode
After(ExecutionNode node, std::vector<uint64_t> dependencies)
{
    node.dependencies = std::move(dependencies);
    return node;
}

/// @param rank a rank @param node a node of it @return its measured duration, ns
inline double
GetDuration(uint32_t /* rank */, const ExecutionNode& node)
{
    return static_cast<double>(node.durationPs) / 1000;
}

/// @param workload a workload @param notation of the topology @param options how nodes run
/// @return the time of its step
inline GraphStepTime
MakeStepTime(const ClusterWorkload& workload,
             const std::string& notation,
             const GraphStepTime::Options& options = {})
{
    return {workload, MakeTopology(notation), GetDuration, options};
}

/// @param step a step @param bandwidths per dimension @return what is known of its time there
inline double
GetKnown(const StepTime& step, const Numbers& bandwidths)
{
    TimeExpression time(bandwidths.size());
    time.Add(step.Make(time));
    return time.Evaluate(bandwidths).total;
}

/**
 * Random work of four ranks on Ring(2)_Switch(2), or of some of them, beside all paths through it,
 * found by walking: of equal work for equal seeds.
 */
class RandomStep
{
  public:
    static constexpr uint32_t N_RANKS = 4; ///< ranks

    /// One event, which takes place on one rank or several.
    struct Event
    {
        double constant{0};             ///< ns
        Numbers loads;                  ///< bytes over usable share, per dimension; empty: none
        std::vector<uint32_t> before;   ///< events that it waits for
        std::vector<uint32_t> queued{}; ///< collectives of its group before it
        std::string group{};            ///< of a collective
    };

    /// @param seed of the random numbers @param nEvents how many
    RandomStep(uint32_t seed, uint32_t nEvents)
        : m_random(seed),
          m_ranks(N_RANKS),
          m_sent(N_RANKS, Numbers(2)),
          m_eventOf(N_RANKS)
    {
        for (uint32_t i = 0; i < nEvents; ++i)
        {
            const uint32_t kind = Draw(4);
            kind < 2 ? AddCompute() : kind == 2 ? AddCollective() : AddMessage();
        }
    }

    /// @return the graphs
    ClusterWorkload MakeWorkload() const
    {
        return {MakeGraphs(m_ranks), GROUPS};
    }

    /// @param time receives them @return the longest of all paths and of what ranks send
    TimeExpression::Sum MakeExpression(TimeExpression& time) const
    {
        std::vector<TimeExpression::Sum> branches;
        for (uint32_t event = 0; event < m_events.size(); ++event)
        {
            Walk(event, {}, time, branches);
        }
        for (const Numbers& sent : m_sent)
        {
            branches.push_back(time.MakeCollective({sent[0], 0}));
            branches.push_back(time.MakeCollective({0, sent[1]}));
        }
        return time.MakeMaximum(branches);
    }

    /**
     * @param bandwidths per dimension
     * @return the time, ns, if each dimension takes the collectives of a group one after the other,
     *         in the order in which they could start if communication took no time; 0 if two of a
     *         group could at once
     */
    double GetQueuedTime(const Numbers& bandwidths) const
    {
        std::vector<double> free;
        std::map<std::string, std::map<double, uint32_t>> turns;
        for (const Event& event : m_events)
        {
            double start = 0;
            for (const uint32_t before : event.before)
            {
                start = std::max(start, free[before]);
            }
            if (!event.group.empty() && !turns[event.group].emplace(start, free.size()).second)
            {
                return 0;
            }
            free.push_back(start + event.constant);
        }
        std::map<uint32_t, uint32_t> queued;
        for (const auto& [group, events] : turns)
        {
            for (auto next = events.begin(); next != events.end(); ++next)
            {
                queued[next->second] =
                    next == events.begin() ? UINT32_MAX : std::prev(next)->second;
            }
        }
        std::map<uint32_t, std::pair<double, Numbers>> known;
        double latest = 0;
        for (uint32_t event = 0; event < m_events.size(); ++event)
        {
            latest = std::max(latest, Run(event, bandwidths, queued, known).first);
        }
        for (const Numbers& sent : m_sent)
        {
            latest = std::max({latest, sent[0] / bandwidths[0], sent[1] / bandwidths[1]});
        }
        return latest;
    }

    /// @return two bandwidths, GB/s
    Numbers DrawBandwidths()
    {
        std::uniform_real_distribution<double> exponent(-2, 2);
        return {std::pow(10, exponent(m_random)), std::pow(10, exponent(m_random))};
    }

  private:
    /// Groups, with the members in each dimension.
    inline static const CommunicatorGroups GROUPS{{"all", {0, 1, 2, 3}},
                                                  {"in0", {0, 1}},
                                                  {"in1", {2, 3}},
                                                  {"out0", {0, 2}},
                                                  {"out1", {3, 1}}};

    /// @param n a number @return a random one below it
    uint32_t Draw(uint32_t n)
    {
        return m_random() % n;
    }

    /// @param rank a rank @param node its next node, of an event @param event which
    void Add(uint32_t rank, ExecutionNode node, uint32_t event)
    {
        node.id = m_ranks[rank].size();
        const auto wait = [&](uint32_t before) { m_events[event].before.push_back(before); };
        for (uint32_t i = 0; i < 2 && node.id > 0; ++i)
        {
            const uint32_t id = Draw(node.id);
            if (std::count(node.dependencies.begin(), node.dependencies.end(), id) == 0)
            {
                node.dependencies.push_back(id);
                wait(m_eventOf[rank][id]);
            }
        }
        for (uint32_t id = node.id; id-- > 0;)
        {
            const ExecutionNode& other = m_ranks[rank][id];
            const bool isSame =
                other.kind == node.kind && other.stream == node.stream && other.group == node.group;
            if (isSame && node.kind == NodeKind::Compute)
            {
                wait(m_eventOf[rank][id]);
                break;
            }
            if (isSame && node.kind == NodeKind::Collective)
            {
                m_events[event].queued.push_back(m_eventOf[rank][id]);
                break;
            }
        }
        m_eventOf[rank].push_back(event);
        m_ranks[rank].push_back(node);
    }

    void AddCompute()
    {
        m_events.push_back({static_cast<double>(Draw(50)), {}, {}});
        Add(Draw(N_RANKS),
            Compute(0, m_events.back().constant, {}, static_cast<int64_t>(Draw(3)) - 1),
            m_events.size() - 1);
    }

    void AddCollective()
    {
        const std::vector<CollectiveType> types{CollectiveType::AllReduce,
                                                CollectiveType::AllGather,
                                                CollectiveType::ReduceScatter,
                                                CollectiveType::AllToAll};
        const auto group = std::next(GROUPS.begin(), Draw(GROUPS.size()));
        const bool isInner = group->first[0] == 'i';
        const bool isOuter = group->first[0] == 'o';
        const auto type = types[Draw(types.size())];
        const auto node = Collective(0, group->first, 1 + Draw(100), type);
        const Numbers bytes =
            GetCollectiveTraffic(type, node.bytes, {isOuter ? 1U : 2U, isInner ? 1U : 2U});
        m_events.push_back({0, bytes, {}, {}, group->first});
        for (const uint32_t rank : group->second)
        {
            Add(rank, node, m_events.size() - 1);
            m_sent[rank][0] += bytes[0];
            m_sent[rank][1] += bytes[1];
        }
    }

    void AddMessage()
    {
        const uint32_t from = Draw(N_RANKS);
        const uint32_t to = (from + 1 + Draw(N_RANKS - 1)) % N_RANKS;
        const uint64_t tag = Draw(2);
        const uint64_t size = 1 + Draw(100);
        const auto bytes = static_cast<double>(size);
        m_events.push_back(
            {0, {from % 2 != to % 2 ? bytes : 0, from / 2 != to / 2 ? bytes : 0}, {}});
        m_sent[from][0] += m_events.back().loads[0];
        m_sent[from][1] += m_events.back().loads[1];
        const uint32_t sent = m_events.size() - 1;
        Add(from, Message(NodeKind::Send, 0, to, tag, size), sent);
        m_events.push_back({0, {}, {sent}});
        Add(to, Message(NodeKind::Receive, 0, from, tag, size), sent + 1);
    }

    /// @param event an event @param bandwidths per dimension @param queued by collective the one
    /// that dimensions take before it @param known receives what is found @return when it ends, and
    /// each dimension is done with it, ns
    const std::pair<double, Numbers>& Run(
        uint32_t event,
        const Numbers& bandwidths,
        const std::map<uint32_t, uint32_t>& queued,
        std::map<uint32_t, std::pair<double, Numbers>>& known) const
    {
        const auto found = known.find(event);
        if (found != known.end())
        {
            return found->second;
        }
        const Event& at = m_events[event];
        double start = 0;
        for (const uint32_t before : at.before)
        {
            start = std::max(start, Run(before, bandwidths, queued, known).first);
        }
        Numbers done(2);
        const auto turn = queued.find(event);
        if (turn != queued.end() && turn->second != UINT32_MAX)
        {
            done = Run(turn->second, bandwidths, queued, known).second;
        }
        double end = start + at.constant;
        for (std::size_t d = 0; d < at.loads.size(); ++d)
        {
            const double load = at.loads[d] / bandwidths[d];
            done[d] = load > 0 ? std::max(start, done[d]) + load : done[d];
            end = std::max(end, load > 0 ? done[d] : start);
        }
        return known.emplace(event, std::make_pair(end, done)).first->second;
    }

    /// Adds all paths that end with what is given. @param event before it @param tail its time
    /// @param time receives them @param branches receives their times
    void Walk(uint32_t event,
              TimeExpression::Sum tail,
              TimeExpression& time,
              std::vector<TimeExpression::Sum>& branches) const
    {
        const Event& at = m_events[event];
        tail.constant += at.constant;
        if (!at.loads.empty())
        {
            tail.Add(time.MakeCollective(at.loads));
        }
        if (at.before.empty() && at.queued.empty())
        {
            branches.push_back(tail);
        }
        for (const auto* all : {&at.before, &at.queued})
        {
            for (const uint32_t before : *all)
            {
                Walk(before, tail, time, branches);
            }
        }
    }

    std::mt19937 m_random;                        ///< random numbers
    std::vector<Nodes> m_ranks;                   ///< nodes by rank
    std::vector<Numbers> m_sent;                  ///< bytes by rank and dimension
    std::vector<std::vector<uint32_t>> m_eventOf; ///< by rank and node
    std::vector<Event> m_events;                  ///< in an order in which they can happen
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_STEP_CASES_H
