/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "execution-graph.h"

#include "message-tally.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <queue>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Names by number.
constexpr std::array KIND_NAMES{"invalid",
                                "metadata",
                                "memory load",
                                "memory store",
                                "compute",
                                "send",
                                "receive",
                                "collective"};

/// Characters of a name that a message shows.
constexpr std::size_t NAME_CHARACTERS_SHOWN = 80;

/// Nodes of a cycle that a message names.
constexpr std::size_t CYCLE_NODES_SHOWN = 12;

} // namespace

std::string
ToString(NodeKind kind)
{
    return KIND_NAMES.at(static_cast<std::size_t>(kind));
}

std::string
Describe(const ExecutionNode& node)
{
    return "node " + std::to_string(node.id) + " " + ShowName(node.name, NAME_CHARACTERS_SHOWN);
}

bool
RunsOnStream(const ExecutionNode& node)
{
    const bool isHostCompute = node.kind == NodeKind::Compute && node.onHost;
    return node.stream >= 0 && node.kind >= NodeKind::MemoryLoad && !isHostCompute;
}

ExecutionGraph::ExecutionGraph(std::vector<ExecutionNode> nodes,
                               const std::string& file,
                               Diagnostics& diagnostics)
    : m_nodes(std::move(nodes)),
      m_file(file)
{
    MessageTally tally(diagnostics);
    SortNodes(tally);
    ResolveDependencies(tally);
    LinkStreams();
    ComputeIssueOrder(tally);
}

void
ExecutionGraph::SortNodes(MessageTally& tally)
{
    const auto lower = [](const ExecutionNode& a, const ExecutionNode& b) { return a.id < b.id; };
    if (!std::is_sorted(m_nodes.begin(), m_nodes.end(), lower))
    {
        std::stable_sort(m_nodes.begin(), m_nodes.end(), lower);
    }
    for (uint32_t i = 1; i < GetNNodes(); ++i)
    {
        if (m_nodes[i].id == m_nodes[i - 1].id)
        {
            tally.Error(GetPlace(i),
                        "the id is already that of " + Describe(m_nodes[i - 1]) +
                            "; ids must be unique in a file");
        }
    }
}

void
ExecutionGraph::ResolveDependencies(MessageTally& tally)
{
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    m_nDependencies.assign(GetNNodes(), 0);
    m_firstChild.assign(GetNNodes() + 1, 0);
    for (uint32_t i = 0; i < GetNNodes(); ++i)
    {
        auto& dependencies = m_nodes[i].dependencies;
        std::sort(dependencies.begin(), dependencies.end());
        dependencies.erase(std::unique(dependencies.begin(), dependencies.end()),
                           dependencies.end());
        for (const uint64_t id : dependencies)
        {
            const uint32_t parent = FindNode(id);
            if (!Holds(parent, id))
            {
                tally.Error(GetPlace(i),
                            "depends on node " + std::to_string(id) + ", which does not exist");
            }
            else if (parent == i)
            {
                tally.Error(GetPlace(i), "depends on itself");
            }
            else
            {
                edges.emplace_back(parent, i);
                ++m_firstChild[parent + 1];
                ++m_nDependencies[i];
            }
        }
    }
    std::partial_sum(m_firstChild.begin(), m_firstChild.end(), m_firstChild.begin());
    m_children.resize(edges.size());
    std::vector<uint32_t> next(m_firstChild.begin(), m_firstChild.end() - 1);
    for (const auto& [parent, child] : edges)
    {
        m_children[next[parent]++] = child;
    }
}

void
ExecutionGraph::LinkStreams()
{
    if (std::none_of(m_nodes.begin(), m_nodes.end(), RunsOnStream))
    {
        return;
    }
    m_previous.assign(GetNNodes(), GetNNodes());
    m_next.assign(GetNNodes(), GetNNodes());
    std::unordered_map<int64_t, uint32_t> last;
    for (uint32_t i = 0; i < GetNNodes(); ++i)
    {
        if (!RunsOnStream(m_nodes[i]))
        {
            continue;
        }
        const auto [entry, isFirst] = last.emplace(m_nodes[i].stream, i);
        if (!isFirst)
        {
            m_previous[i] = entry->second;
            m_next[entry->second] = i;
            entry->second = i;
        }
    }
}

void
ExecutionGraph::ComputeIssueOrder(MessageTally& tally)
{
    std::vector<uint32_t> unmet = m_nDependencies;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    const auto meet = [&](uint32_t index) {
        if (--unmet[index] == 0)
        {
            ready.push(index);
        }
    };
    for (uint32_t i = 0; i < GetNNodes(); ++i)
    {
        unmet[i] += GetPreviousOnStream(i) < GetNNodes() ? 1 : 0;
        if (unmet[i] == 0)
        {
            ready.push(i);
        }
    }
    m_issueOrder.reserve(GetNNodes());
    while (!ready.empty())
    {
        const uint32_t index = ready.top();
        ready.pop();
        m_issueOrder.push_back(index);
        std::for_each(ChildrenBegin(index), ChildrenEnd(index), meet);
        if (GetNextOnStream(index) < GetNNodes())
        {
            meet(GetNextOnStream(index));
        }
    }
    if (m_issueOrder.size() == m_nodes.size())
    {
        return;
    }
    const auto cycle = FindCycle(unmet);
    tally.Error(GetPlace(cycle[0]), DescribeCycle(cycle));
}

std::string
ExecutionGraph::DescribeCycle(const std::vector<uint32_t>& cycle) const
{
    std::string text = "depends on itself by way of ";
    for (std::size_t i = 1; i < std::min(cycle.size(), CYCLE_NODES_SHOWN); ++i)
    {
        text += (i > 1 ? ", " : "") + Describe(m_nodes[cycle[i]]);
    }
    text += cycle.size() > CYCLE_NODES_SHOWN ? ", ..." : "";
    text += " (a cycle of " + std::to_string(cycle.size()) + " nodes";
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        const ExecutionNode& node = m_nodes[cycle[i]];
        const ExecutionNode& awaited = m_nodes[cycle[(i + 1) % cycle.size()]];
        const auto& ids = node.dependencies;
        if (!std::binary_search(ids.begin(), ids.end(), awaited.id))
        {
            return text + "; node " + std::to_string(awaited.id) + " comes before node " +
                   std::to_string(node.id) + " on stream " + std::to_string(node.stream) +
                   ", where nodes run by ascending id)";
        }
    }
    return text + ")";
}

std::vector<uint32_t>
ExecutionGraph::FindCycle(const std::vector<uint32_t>& unmet) const
{
    const auto unmetParent = [&](uint32_t index) {
        const uint32_t previous = GetPreviousOnStream(index);
        for (const uint64_t id : m_nodes[index].dependencies)
        {
            const uint32_t parent = FindNode(id);
            if (parent != index && Holds(parent, id) && unmet[parent] > 0)
            {
                return parent;
            }
        }
        return previous < GetNNodes() && unmet[previous] > 0 ? previous : index;
    };
    const auto start = std::find_if(unmet.begin(), unmet.end(), [](uint32_t n) { return n > 0; });
    auto index = static_cast<uint32_t>(start - unmet.begin());
    std::vector<bool> seen(GetNNodes(), false);
    for (; !seen[index]; index = unmetParent(index))
    {
        seen[index] = true;
    }
    std::vector<uint32_t> cycle{index};
    for (uint32_t next = unmetParent(index); next != index; next = unmetParent(next))
    {
        cycle.push_back(next);
    }
    return cycle;
}

uint32_t
ExecutionGraph::FindNode(uint64_t id) const
{
    const uint64_t guess = m_nodes.empty() ? 0 : id - m_nodes[0].id; // where ids have no gaps
    if (guess < GetNNodes() && m_nodes[guess].id == id &&
        (guess == 0 || m_nodes[guess - 1].id < id))
    {
        return guess;
    }
    const auto lower = [](const ExecutionNode& node, uint64_t value) { return node.id < value; };
    return std::lower_bound(m_nodes.begin(), m_nodes.end(), id, lower) - m_nodes.begin();
}

bool
ExecutionGraph::Holds(uint32_t index, uint64_t id) const
{
    return index < GetNNodes() && m_nodes[index].id == id;
}

Diagnostics::Place
ExecutionGraph::GetPlace(uint32_t index) const
{
    return {m_file, 0, Describe(m_nodes[index])};
}

uint32_t
ExecutionGraph::GetNNodes() const
{
    return m_nodes.size();
}

const ExecutionNode&
ExecutionGraph::GetNode(uint32_t index) const
{
    return m_nodes[index];
}

const uint32_t*
ExecutionGraph::ChildrenBegin(uint32_t index) const
{
    return m_children.data() + m_firstChild[index];
}

const uint32_t*
ExecutionGraph::ChildrenEnd(uint32_t index) const
{
    return m_children.data() + m_firstChild[index + 1];
}

uint32_t
ExecutionGraph::GetNDependencies(uint32_t index) const
{
    return m_nDependencies[index];
}

uint32_t
ExecutionGraph::GetPreviousOnStream(uint32_t index) const
{
    return m_previous.empty() ? GetNNodes() : m_previous[index];
}

uint32_t
ExecutionGraph::GetNextOnStream(uint32_t index) const
{
    return m_next.empty() ? GetNNodes() : m_next[index];
}

const std::vector<uint32_t>&
ExecutionGraph::GetIssueOrder() const
{
    return m_issueOrder;
}

const std::string&
ExecutionGraph::GetFile() const
{
    return m_file;
}

} // namespace mlcluster
} // namespace ns3
