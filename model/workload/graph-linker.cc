/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-linker.h"

#include "issue-order.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t NO_KEY = std::numeric_limits<uint32_t>::max();   ///< does not communicate
constexpr uint32_t NO_GROUP = std::numeric_limits<uint32_t>::max(); ///< is no collective

/// Nodes of a cycle that a message names.
constexpr std::size_t CYCLE_NODES_SHOWN = 12;

} // namespace

GraphLinker::GraphLinker(NodeStore& nodes,
                         const std::string& file,
                         const DependencyRules& rules,
                         MessageTally& tally)
    : m_nodes(nodes),
      m_file(file),
      m_rules(rules),
      m_tally(tally)
{
}

GraphLinks
GraphLinker::Link()
{
    ReadNodes();
    FindChildren();
    FindOrdinals();
    MakePages();
    return std::move(m_links);
}

void
GraphLinker::ReadNodes()
{
    m_firstParent.reserve(GetNNodes() + std::size_t{1});
    m_firstChild.assign(GetNNodes() + std::size_t{1}, 0);
    for (uint32_t number = 0; number < m_nodes.GetNPages(); ++number)
    {
        auto changed = ReadPage(number);
        if (!changed.empty())
        {
            m_nodes.Replace(number, std::move(changed));
        }
    }
}

std::vector<ExecutionNode>
GraphLinker::ReadPage(uint32_t number)
{
    NodePage& page = m_nodes.GetPage(number);
    const GraphPage::Pin pin(page);
    std::vector<ExecutionNode> changed;
    for (uint32_t i = 0; i < page.GetNodes().size(); ++i)
    {
        const uint32_t index = number * GraphPage::SIZE + i;
        const ExecutionNode& node = page.GetNodes()[i];
        if (index > 0 && m_nodes.Holds(index - 1, node.id))
        {
            m_tally.Error(GetPlace(node),
                          "the id is already that of " + Describe(*m_nodes.Get(index - 1)) +
                              "; ids must be unique in a file");
        }
        const auto dropped = ReadDependencies(index, node);
        if (!dropped.empty())
        {
            if (changed.empty())
            {
                changed = page.GetNodes();
            }
            auto& ids = changed[i].dependencies;
            const auto isDropped = [&](uint64_t id) {
                return std::binary_search(dropped.begin(), dropped.end(), id);
            };
            ids.erase(std::remove_if(ids.begin(), ids.end(), isDropped), ids.end());
        }
        ReadStream(index, node);
        ReadKey(index, node);
        Count(node);
    }
    return changed;
}

std::vector<uint64_t>
GraphLinker::ReadDependencies(uint32_t index, const ExecutionNode& node)
{
    std::vector<uint64_t> dropped;
    for (const uint64_t id : node.dependencies)
    {
        const uint32_t parent = m_nodes.Find(id);
        if (m_nodes.Holds(parent, id) && parent != index)
        {
            m_parents.push_back(parent);
            ++m_firstChild[parent + 1];
            m_links.isForward = m_links.isForward && parent < index;
        }
        else if (m_nodes.Holds(parent, id))
        {
            m_tally.Error(GetPlace(node), "depends on itself");
        }
        else if (Drops(node, id))
        {
            dropped.push_back(id);
        }
        else
        {
            m_tally.Error(GetPlace(node),
                          "depends on node " + std::to_string(id) + ", which does not exist");
        }
    }
    m_firstParent.push_back(m_parents.size());
    return dropped;
}

bool
GraphLinker::Drops(const ExecutionNode& node, uint64_t id)
{
    const bool isControl = m_rules.control.count({node.id, id}) > 0;
    const bool drops = isControl ? m_rules.dropsControl : m_rules.dropsData;
    if (drops)
    {
        m_rules.dropped(node, id, isControl);
    }
    return drops;
}

void
GraphLinker::ReadStream(uint32_t index, const ExecutionNode& node)
{
    if (!RunsOnStream(node))
    {
        return;
    }
    if (m_streams.empty())
    {
        m_streams.assign(GetNNodes(), {GetNNodes(), GetNNodes()});
    }
    const auto [entry, isFirst] = m_lastOnStream.emplace(node.stream, index);
    if (!isFirst)
    {
        m_streams[index].previous = entry->second;
        m_streams[entry->second].next = index;
        entry->second = index;
    }
}

void
GraphLinker::ReadKey(uint32_t index, const ExecutionNode& node)
{
    if (node.kind < NodeKind::Send)
    {
        return;
    }
    if (m_keyOf.empty())
    {
        m_keyOf.assign(GetNNodes(), NO_KEY);
        m_matches.assign(GetNNodes(), {0, 0, GetNNodes()});
    }
    const auto [entry, isNew] = m_keys.try_emplace(CommunicationKey(node), m_keys.size());
    m_keyOf[index] = entry->second;
    if (isNew)
    {
        m_groupOfKey.push_back(NO_GROUP);
    }
    if (isNew && node.kind == NodeKind::Collective)
    {
        m_groupOfKey.back() = m_links.groups.size();
        m_links.groups.push_back(node.group);
    }
}

void
GraphLinker::Count(const ExecutionNode& node)
{
    GraphLinks::Totals& totals = m_links.totals;
    totals.hasPeerBytes = totals.hasPeerBytes || !node.peerBytes.empty();
    if (node.kind == NodeKind::Compute && node.onHost)
    {
        totals.hostTimePs += node.durationPs;
    }
    else if (node.kind == NodeKind::Compute)
    {
        ++totals.nCompute;
        totals.operations += node.operations;
        totals.tensorBytes += node.tensorBytes;
        totals.acceleratorTimePs += node.durationPs;
    }
    else if (node.kind == NodeKind::MemoryLoad || node.kind == NodeKind::MemoryStore)
    {
        totals.locations |= uint64_t{1} << node.location;
    }
}

void
GraphLinker::FindChildren()
{
    std::partial_sum(m_firstChild.begin(), m_firstChild.end(), m_firstChild.begin());
    m_children.resize(m_parents.size());
    std::vector<uint32_t> next(m_firstChild.begin(), m_firstChild.end() - 1);
    for (uint32_t i = 0; i < GetNNodes(); ++i)
    {
        for (uint32_t edge = m_firstParent[i]; edge < m_firstParent[i + 1]; ++edge)
        {
            m_children[next[m_parents[edge]]++] = i;
        }
    }
}

void
GraphLinker::FindOrdinals()
{
    std::vector<uint32_t> counts(m_keys.size(), 0);
    std::vector<uint32_t> latest(m_keys.size(), 0);
    const auto visit = [&](uint32_t index) {
        if (m_keyOf.empty() || m_keyOf[index] == NO_KEY)
        {
            return;
        }
        const uint32_t key = m_keyOf[index];
        m_matches[index].ordinal = counts[key]++;
        if (m_groupOfKey[key] == NO_GROUP)
        {
            return;
        }
        m_matches[index].group = m_groupOfKey[key];
        if (m_matches[index].ordinal > 0)
        {
            m_matches[latest[key]].next = index;
        }
        latest[key] = index;
    };
    if (m_links.isForward)
    {
        for (uint32_t i = 0; i < GetNNodes(); ++i)
        {
            visit(i);
        }
        return;
    }
    const auto unmet = VisitInIssueOrder(*this, visit);
    if (std::any_of(unmet.begin(), unmet.end(), [](uint32_t n) { return n > 0; }))
    {
        const auto cycle = FindCycle(unmet);
        m_tally.Error(GetPlace(*m_nodes.Get(cycle[0])), DescribeCycle(cycle));
    }
}

void
GraphLinker::MakePages()
{
    for (uint32_t first = 0; first < GetNNodes(); first += GraphPage::SIZE)
    {
        const uint32_t last = std::min(first + GraphPage::SIZE, GetNNodes());
        auto page = std::make_unique<LinkPage>(first, GetNNodes());
        bool hasStreams = false;
        bool hasMatches = false;
        for (uint32_t i = first; i < last; ++i)
        {
            const Range children = GetChildren(i);
            page->Add(GetNDependencies(i), children.first, children.last);
            const bool isBehind = GetPreviousOnStream(i) < GetNNodes();
            hasStreams = hasStreams || isBehind || GetNextOnStream(i) < GetNNodes();
            hasMatches = hasMatches || (!m_keyOf.empty() && m_keyOf[i] != NO_KEY);
            if (GetNDependencies(i) == 0 && !isBehind)
            {
                m_links.roots.push_back(i);
            }
        }
        if (hasStreams)
        {
            page->SetStreams({m_streams.begin() + first, m_streams.begin() + last});
        }
        if (hasMatches)
        {
            page->SetMatches({m_matches.begin() + first, m_matches.begin() + last});
        }
        page->Close();
        m_links.pages.push_back(std::move(page));
    }
}

std::string
GraphLinker::DescribeCycle(const std::vector<uint32_t>& cycle) const
{
    std::string text = "depends on itself by way of ";
    for (std::size_t i = 1; i < std::min(cycle.size(), CYCLE_NODES_SHOWN); ++i)
    {
        text += (i > 1 ? ", " : "") + Describe(*m_nodes.Get(cycle[i]));
    }
    text += cycle.size() > CYCLE_NODES_SHOWN ? ", ..." : "";
    text += " (a cycle of " + std::to_string(cycle.size()) + " nodes";
    for (std::size_t i = 0; i < cycle.size(); ++i)
    {
        const NodeHandle node = m_nodes.Get(cycle[i]);
        const NodeHandle awaited = m_nodes.Get(cycle[(i + 1) % cycle.size()]);
        const auto& ids = node->dependencies;
        if (!std::binary_search(ids.begin(), ids.end(), awaited->id))
        {
            return text + "; node " + std::to_string(awaited->id) + " comes before node " +
                   std::to_string(node->id) + " on stream " + std::to_string(node->stream) +
                   ", where nodes run by ascending id)";
        }
    }
    return text + ")";
}

std::vector<uint32_t>
GraphLinker::FindCycle(const std::vector<uint32_t>& unmet) const
{
    const auto unmetParent = [&](uint32_t index) {
        const uint32_t previous = GetPreviousOnStream(index);
        for (uint32_t edge = m_firstParent[index]; edge < m_firstParent[index + 1]; ++edge)
        {
            if (unmet[m_parents[edge]] > 0)
            {
                return m_parents[edge];
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

Diagnostics::Place
GraphLinker::GetPlace(const ExecutionNode& node) const
{
    return {m_file, 0, Describe(node)};
}

uint32_t
GraphLinker::GetNNodes() const
{
    return m_nodes.GetSize();
}

uint32_t
GraphLinker::GetNDependencies(uint32_t index) const
{
    return m_firstParent[index + 1] - m_firstParent[index];
}

GraphLinker::Range
GraphLinker::GetChildren(uint32_t index) const
{
    return {m_children.data() + m_firstChild[index], m_children.data() + m_firstChild[index + 1]};
}

uint32_t
GraphLinker::GetPreviousOnStream(uint32_t index) const
{
    return m_streams.empty() ? GetNNodes() : m_streams[index].previous;
}

uint32_t
GraphLinker::GetNextOnStream(uint32_t index) const
{
    return m_streams.empty() ? GetNNodes() : m_streams[index].next;
}

} // namespace mlcluster
} // namespace ns3
