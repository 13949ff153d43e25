/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linked-trace-order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t NONE = PytorchTrace::NONE; ///< no node

/// Walks the tree of calls.
class CallWalker
{
  public:
    /// @param trace the trace @param order in which children are taken
    CallWalker(const PytorchTrace& trace, const std::vector<std::size_t>& order)
        : m_trace(trace),
          m_children(trace.nodes.size()),
          m_dependencies(trace.nodes.size())
    {
        for (const std::size_t node : order)
        {
            const std::size_t parent = trace.GetParent(node);
            const bool isRoot = parent == NONE || IsProcessNode(trace.nodes[parent].name);
            (isRoot ? m_roots : m_children[parent]).push_back(node);
        }
    }

    /// @return per node what it waits for
    std::vector<std::vector<std::size_t>> Run()
    {
        for (const std::size_t root : m_roots)
        {
            if (!IsProcessNode(m_trace.nodes[root].name))
            {
                WalkThread(root);
            }
        }
        return std::move(m_dependencies);
    }

  private:
    /// @param root first node of a thread
    void WalkThread(std::size_t root)
    {
        std::size_t last = NONE;
        std::size_t lastHost = NONE;
        std::vector<std::size_t> open{root};
        while (!open.empty())
        {
            const std::size_t node = open.back();
            open.pop_back();
            open.insert(open.end(), m_children[node].rbegin(), m_children[node].rend());
            if (m_trace.nodes[node].category.empty())
            {
                AddEarlierThread(node);
                Add(node, lastHost);
                lastHost = node;
                last = node;
            }
            else
            {
                Add(node, last);
                last = lastHost;
            }
        }
    }

    /// @param node a host node, which waits for that of another thread
    void AddEarlierThread(std::size_t node)
    {
        if (m_trace.nodes[node].hasEarlierThread)
        {
            Add(node, m_trace.Find(m_trace.nodes[node].earlierThread));
        }
    }

    /// @param node a node @param other what it waits for, or NONE
    void Add(std::size_t node, std::size_t other)
    {
        if (other != NONE)
        {
            m_dependencies[node].push_back(other);
        }
    }

    const PytorchTrace& m_trace;                          ///< the trace
    std::vector<std::size_t> m_roots;                     ///< nodes of threads
    std::vector<std::vector<std::size_t>> m_children;     ///< nodes that each called
    std::vector<std::vector<std::size_t>> m_dependencies; ///< so far
};

/// @param trace a trace @return operations of each device and stream, by start
std::map<std::pair<int64_t, int64_t>, std::vector<std::size_t>>
FindStreams(const PytorchTrace& trace)
{
    std::map<std::pair<int64_t, int64_t>, std::vector<std::size_t>> streams;
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
    {
        if (!trace.nodes[i].category.empty())
        {
            streams[{trace.nodes[i].device, trace.nodes[i].stream}].push_back(i);
        }
    }
    for (auto& [stream, operations] : streams)
    {
        std::stable_sort(operations.begin(), operations.end(), [&](std::size_t a, std::size_t b) {
            return trace.nodes[a].startNs < trace.nodes[b].startNs;
        });
    }
    return streams;
}

} // namespace

std::vector<std::size_t>
OrderByTime(const PytorchTrace& trace)
{
    std::vector<int64_t> times(trace.nodes.size());
    int64_t latest = 0;
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
    {
        latest =
            trace.nodes[i].category.empty() ? std::max(latest, trace.nodes[i].startNs) : latest;
        times[i] = latest;
    }
    for (const auto& [stream, operations] : FindStreams(trace))
    {
        latest = 0;
        for (const std::size_t i : operations)
        {
            const auto& node = trace.nodes[i];
            latest = std::max(latest, node.launchNs >= 0 ? node.launchNs : node.startNs);
            times[i] = latest;
        }
    }
    std::vector<std::tuple<int64_t, bool, int64_t, std::size_t>> keys;
    for (std::size_t i = 0; i < trace.nodes.size(); ++i)
    {
        const bool isHost = trace.nodes[i].category.empty();
        keys.emplace_back(times[i], !isHost, isHost ? 0 : trace.nodes[i].startNs, i);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::size_t> order;
    for (const auto& key : keys)
    {
        order.push_back(std::get<std::size_t>(key));
    }
    return order;
}

std::vector<std::vector<std::size_t>>
FindCallDependencies(const PytorchTrace& trace, const std::vector<std::size_t>& order)
{
    return CallWalker(trace, order).Run();
}

std::vector<std::size_t>
FindStreamOrder(const PytorchTrace& trace)
{
    std::vector<std::size_t> before(trace.nodes.size(), NONE);
    for (const auto& [stream, operations] : FindStreams(trace))
    {
        for (std::size_t i = 1; i < operations.size(); ++i)
        {
            before[operations[i]] = operations[i - 1];
        }
    }
    return before;
}

} // namespace mlcluster
} // namespace ns3
