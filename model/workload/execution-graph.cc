/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "execution-graph.h"

#include "message-tally.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <queue>

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
    const bool isLong = node.name.size() > NAME_CHARACTERS_SHOWN;
    const std::string name = node.name.substr(0, NAME_CHARACTERS_SHOWN) + (isLong ? "..." : "");
    return "node " + std::to_string(node.id) + " \"" + name + "\"";
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
ExecutionGraph::ComputeIssueOrder(MessageTally& tally)
{
    std::vector<uint32_t> unmet = m_nDependencies;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t i = 0; i < GetNNodes(); ++i)
    {
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
        for (const uint32_t* child = ChildrenBegin(index); child != ChildrenEnd(index); ++child)
        {
            if (--unmet[*child] == 0)
            {
                ready.push(*child);
            }
        }
    }
    if (m_issueOrder.size() == m_nodes.size())
    {
        return;
    }
    const auto cycle = FindCycle(unmet);
    std::string text = "depends on itself by way of ";
    for (std::size_t i = 1; i < std::min(cycle.size(), CYCLE_NODES_SHOWN); ++i)
    {
        text += (i > 1 ? ", " : "") + Describe(m_nodes[cycle[i]]);
    }
    text += cycle.size() > CYCLE_NODES_SHOWN ? ", ..." : "";
    tally.Error(GetPlace(cycle[0]),
                text + " (a cycle of " + std::to_string(cycle.size()) + " nodes)");
}

std::vector<uint32_t>
ExecutionGraph::FindCycle(const std::vector<uint32_t>& unmet) const
{
    const auto unmetParent = [&](uint32_t index) {
        for (const uint64_t id : m_nodes[index].dependencies)
        {
            const uint32_t parent = FindNode(id);
            if (parent != index && Holds(parent, id) && unmet[parent] > 0)
            {
                return parent;
            }
        }
        return index;
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
