/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LIST_SCHEDULER_H
#define ML_CLUSTER_LIST_SCHEDULER_H

#include "ns3/cluster-workload.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

/**
 * An oracle of how long a workload takes where communication is free: every rank computes one node
 * at a time, of those ready the one of lowest id; a receive ends when the matching send has
 * started, a collective when all members have.
 */
class ListScheduler
{
  public:
    using DurationOf = std::function<uint64_t(const ExecutionNode&)>; ///< of a compute node

    /// @param workload the workload, must outlive this @param durationOf durations
    ListScheduler(const ClusterWorkload& workload, DurationOf durationOf)
        : m_workload(workload),
          m_durationOf(std::move(durationOf)),
          m_ranks(workload.GetNRanks())
    {
    }

    /// @return when the last node ends @throw InputError if ranks wait for each other for ever
    uint64_t Run()
    {
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            const auto& graph = m_workload.GetGraph(rank);
            m_ranks[rank].ends.resize(graph.GetNNodes());
            for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
            {
                m_ranks[rank].unmet.push_back(graph.GetNDependencies(i));
                if (graph.GetNDependencies(i) == 0)
                {
                    Issue(rank, i);
                }
            }
        }
        do
        {
            for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
            {
                StartCompute(rank);
            }
        } while (EndNext());
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            if (m_ranks[rank].nEnded < m_workload.GetGraph(rank).GetNNodes())
            {
                throw InputError("rank " + std::to_string(rank) + " waits for ever");
            }
        }
        return m_now;
    }

    /// @param rank a rank @param index position of a node @return when it ended
    uint64_t GetEnd(uint32_t rank, uint32_t index) const
    {
        return m_ranks[rank].ends[index];
    }

  private:
    using At = std::pair<uint32_t, uint32_t>; ///< rank and position
    using Key =
        std::tuple<std::string, uint32_t, uint32_t, uint64_t, uint32_t>; ///< what is matched

    /// State of a rank.
    struct Rank
    {
        std::vector<uint32_t> unmet; ///< dependencies, per node
        std::vector<uint64_t> ends;  ///< per node
        std::set<uint32_t> ready;    ///< compute nodes
        bool isBusy{false};          ///< whether one runs
        uint32_t nEnded{0};          ///< nodes
    };

    /// @param rank a rank @param index a node that is ready
    void Issue(uint32_t rank, uint32_t index)
    {
        const auto& node = *m_workload.GetGraph(rank).GetNode(index);
        const uint32_t ordinal = m_workload.GetGraph(rank).GetOrdinal(index);
        if (node.kind == NodeKind::Compute)
        {
            m_ranks[rank].ready.insert(index);
            return;
        }
        const bool isCollective = node.kind == NodeKind::Collective;
        Key key{m_workload.ResolveGroup(rank, node.group), 0, 0, 0, ordinal};
        std::size_t nExpected = isCollective ? m_workload.GetGroup(std::get<0>(key)).size() : 2;
        if (!isCollective)
        {
            const bool isSend = node.kind == NodeKind::Send;
            const uint32_t peer = m_workload.GetPeer(rank, node);
            key = {"", isSend ? rank : peer, isSend ? peer : rank, node.tag + 1, ordinal};
            nExpected = isSend ? 1 : 2;
        }
        auto& waiting = m_waiting[key];
        if (nExpected == 1)
        {
            m_ended.emplace(m_now, At{rank, index});
            m_sent.insert(key);
        }
        else
        {
            waiting.push_back({rank, index});
        }
        if (isCollective ? waiting.size() == nExpected : m_sent.count(key) > 0)
        {
            for (const At& at : waiting)
            {
                m_ended.emplace(m_now, at);
            }
            waiting.clear();
        }
    }

    /// @param rank a rank whose next node starts if nothing runs
    void StartCompute(uint32_t rank)
    {
        auto& state = m_ranks[rank];
        if (!state.isBusy && !state.ready.empty())
        {
            const uint32_t index = *state.ready.begin();
            state.ready.erase(state.ready.begin());
            state.isBusy = true;
            m_ended.emplace(m_now + m_durationOf(*m_workload.GetGraph(rank).GetNode(index)),
                            At{rank, index});
        }
    }

    /// @return whether something ends; all that ends at that time has
    bool EndNext()
    {
        if (m_ended.empty())
        {
            return false;
        }
        m_now = m_ended.top().first;
        while (!m_ended.empty() && m_ended.top().first == m_now)
        {
            const auto [rank, index] = m_ended.top().second;
            m_ended.pop();
            auto& state = m_ranks[rank];
            const auto& graph = m_workload.GetGraph(rank);
            state.ends[index] = m_now;
            ++state.nEnded;
            state.isBusy = graph.GetNode(index)->kind == NodeKind::Compute ? false : state.isBusy;
            for (const uint32_t child : graph.GetChildren(index))
            {
                if (--state.unmet[child] == 0)
                {
                    Issue(rank, child);
                }
            }
        }
        return true;
    }

    const ClusterWorkload& m_workload;        ///< the workload
    DurationOf m_durationOf;                  ///< durations
    std::vector<Rank> m_ranks;                ///< states
    std::map<Key, std::vector<At>> m_waiting; ///< nodes that have not met yet
    std::set<Key> m_sent;                     ///< messages
    std::priority_queue<std::pair<uint64_t, At>,
                        std::vector<std::pair<uint64_t, At>>,
                        std::greater<>>
        m_ended;       ///< nodes that end, by time
    uint64_t m_now{0}; ///< time
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LIST_SCHEDULER_H
