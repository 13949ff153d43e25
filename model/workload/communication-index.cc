/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-index.h"

#include <algorithm>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param a a communication node @param b another @return whether a's run comes before b's
bool
ComesBefore(const ExecutionNode& a, const ExecutionNode& b)
{
    if (a.kind != b.kind)
    {
        return a.kind < b.kind;
    }
    if (a.kind == NodeKind::Collective || (a.peerIsOffset && b.peerIsOffset && a.group != b.group))
    {
        return a.group < b.group;
    }
    return std::tie(a.peerIsOffset, a.peer, a.tag) < std::tie(b.peerIsOffset, b.peer, b.tag);
}

} // namespace

uint64_t
CommunicationIndex::Run::GetSize() const
{
    return end - begin;
}

CommunicationIndex::CommunicationIndex(const ExecutionGraph& graph)
    : m_graph(graph)
{
    for (const uint32_t position : graph.GetIssueOrder())
    {
        if (graph.GetNode(position).kind >= NodeKind::Send)
        {
            m_positions.push_back(position);
        }
    }
    const auto before = [&](uint32_t a, uint32_t b) {
        return ComesBefore(graph.GetNode(a), graph.GetNode(b));
    };
    std::stable_sort(m_positions.begin(), m_positions.end(), before);
    const uint32_t* end = m_positions.data() + m_positions.size();
    for (const uint32_t* begin = m_positions.data(); begin != end; begin = m_runs.back().end)
    {
        m_runs.push_back({begin, std::upper_bound(begin, end, *begin, before)});
    }
}

const ExecutionGraph&
CommunicationIndex::GetGraph() const
{
    return m_graph;
}

const std::vector<CommunicationIndex::Run>&
CommunicationIndex::GetRuns() const
{
    return m_runs;
}

CommunicationIndex::Run
CommunicationIndex::Find(const ExecutionNode& like) const
{
    const auto found = std::lower_bound(m_runs.begin(),
                                        m_runs.end(),
                                        like,
                                        [&](const Run& run, const ExecutionNode& node) {
                                            return ComesBefore(m_graph.GetNode(*run.begin), node);
                                        });
    const bool matches =
        found != m_runs.end() && !ComesBefore(like, m_graph.GetNode(*found->begin));
    return matches ? *found : Run{nullptr, nullptr};
}

} // namespace mlcluster
} // namespace ns3
