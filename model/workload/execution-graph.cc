/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "execution-graph.h"

#include "graph-linker.h"
#include "issue-order.h"

#include <numeric>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param nodes nodes, which are taken @return them
NodeStore
Store(std::vector<ExecutionNode> nodes)
{
    NodeStore store;
    for (auto& node : nodes)
    {
        store.Add(std::move(node));
    }
    return store;
}

} // namespace

ExecutionGraph::ExecutionGraph(std::vector<ExecutionNode> nodes,
                               const std::string& file,
                               Diagnostics& diagnostics)
    : ExecutionGraph(Store(std::move(nodes)), DependencyRules(), file, diagnostics)
{
}

ExecutionGraph::ExecutionGraph(NodeStore nodes,
                               const DependencyRules& rules,
                               const std::string& file,
                               Diagnostics& diagnostics)
    : m_nodes(std::move(nodes)),
      m_file(file)
{
    MessageTally tally(diagnostics);
    m_nodes.Sort();
    m_links = GraphLinker(m_nodes, file, rules, tally).Link();
    m_nodes.Seal();
}

const LinkPage&
ExecutionGraph::Touch(uint32_t index) const
{
    LinkPage& page = *m_links.pages[index / GraphPage::SIZE];
    page.Touch();
    return page;
}

uint32_t
ExecutionGraph::GetNNodes() const
{
    return m_nodes.GetSize();
}

NodeChildren
ExecutionGraph::GetChildren(uint32_t index) const
{
    return {*m_links.pages[index / GraphPage::SIZE], index % GraphPage::SIZE};
}

uint32_t
ExecutionGraph::GetNDependencies(uint32_t index) const
{
    return Touch(index).GetNDependencies(index % GraphPage::SIZE);
}

uint32_t
ExecutionGraph::GetPreviousOnStream(uint32_t index) const
{
    return Touch(index).GetOnStream(index % GraphPage::SIZE).previous;
}

uint32_t
ExecutionGraph::GetNextOnStream(uint32_t index) const
{
    return Touch(index).GetOnStream(index % GraphPage::SIZE).next;
}

const std::vector<uint32_t>&
ExecutionGraph::GetRoots() const
{
    return m_links.roots;
}

std::vector<uint32_t>
ExecutionGraph::GetIssueOrder() const
{
    std::vector<uint32_t> order;
    if (m_links.isForward)
    {
        order.resize(GetNNodes());
        std::iota(order.begin(), order.end(), 0);
    }
    else
    {
        VisitInIssueOrder(*this, [&](uint32_t index) { order.push_back(index); });
    }
    return order;
}

uint32_t
ExecutionGraph::GetOrdinal(uint32_t index) const
{
    return Touch(index).GetMatch(index % GraphPage::SIZE).ordinal;
}

const std::vector<SharedText>&
ExecutionGraph::GetGroups() const
{
    return m_links.groups;
}

uint32_t
ExecutionGraph::GetGroupNumber(uint32_t index) const
{
    return Touch(index).GetMatch(index % GraphPage::SIZE).group;
}

uint32_t
ExecutionGraph::GetNextOfGroup(uint32_t index) const
{
    return Touch(index).GetMatch(index % GraphPage::SIZE).next;
}

uint32_t
ExecutionGraph::FindAccess(uint32_t location) const
{
    uint32_t index = GetNNodes();
    if ((GetTotals().locations >> location & 1) != 0)
    {
        const auto isHere = [&] {
            const NodeHandle node = GetNode(index);
            return IsMemoryAccess(*node) && node->location == location;
        };
        for (index = 0; !isHere(); ++index)
        {
        }
    }
    return index;
}

const GraphLinks::Totals&
ExecutionGraph::GetTotals() const
{
    return m_links.totals;
}

uint32_t
ExecutionGraph::FindNode(uint64_t id) const
{
    return m_nodes.Find(id);
}

const std::string&
ExecutionGraph::GetFile() const
{
    return m_file;
}

} // namespace mlcluster
} // namespace ns3
