/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-progress.h"

#include "ns3/communication-index.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

GraphProgress::GraphProgress(const ExecutionGraph& graph, bool queuesCollectives)
    : m_graph(graph),
      m_states(graph.GetNNodes(), WAITING)
{
    const uint32_t nNodes = graph.GetNNodes();
    for (uint32_t index = 0; index < nNodes; ++index)
    {
        m_waitingFor.push_back(graph.GetNDependencies(index) +
                               (graph.GetPreviousOnStream(index) < nNodes ? 1 : 0));
    }
    if (queuesCollectives)
    {
        QueueCollectives();
    }
    for (uint32_t index = 0; index < nNodes; ++index)
    {
        if (m_waitingFor[index] == 0)
        {
            m_ready.push(index);
        }
    }
}

void
GraphProgress::QueueCollectives()
{
    m_nextOfGroup.assign(m_graph.GetNNodes(), m_graph.GetNNodes());
    const CommunicationIndex index(m_graph);
    for (const auto& run : index.GetRuns())
    {
        const bool isQueue = m_graph.GetNode(*run.begin).kind == NodeKind::Collective;
        for (const uint32_t* next = run.begin + 1; isQueue && next < run.end; ++next)
        {
            m_nextOfGroup[*(next - 1)] = *next;
            ++m_waitingFor[*next];
        }
    }
}

bool
GraphProgress::HasReady() const
{
    return !m_ready.empty();
}

uint32_t
GraphProgress::TakeReady()
{
    const uint32_t index = m_ready.top();
    m_ready.pop();
    return index;
}

void
GraphProgress::Start(uint32_t index)
{
    m_states[index] = STARTED;
}

void
GraphProgress::Finish(uint32_t index)
{
    m_states[index] = FINISHED;
    ++m_nFinished;
    std::for_each(m_graph.ChildrenBegin(index), m_graph.ChildrenEnd(index), [&](uint32_t child) {
        Release(child);
    });
    Release(m_graph.GetNextOnStream(index));
    Release(GetNextOfGroup(index));
}

void
GraphProgress::Release(uint32_t index)
{
    if (index < m_graph.GetNNodes() && --m_waitingFor[index] == 0)
    {
        m_ready.push(index);
    }
}

uint32_t
GraphProgress::GetNextOfGroup(uint32_t index) const
{
    return m_nextOfGroup.empty() ? m_graph.GetNNodes() : m_nextOfGroup[index];
}

uint32_t
GraphProgress::GetNFinished() const
{
    return m_nFinished;
}

bool
GraphProgress::IsFinished() const
{
    return m_nFinished == m_graph.GetNNodes();
}

uint32_t
GraphProgress::GetOldest() const
{
    auto oldest = std::find(m_states.begin(), m_states.end(), STARTED);
    if (oldest == m_states.end())
    {
        oldest = std::find(m_states.begin(), m_states.end(), WAITING);
    }
    return oldest - m_states.begin();
}

bool
GraphProgress::HasStarted(uint32_t index) const
{
    return m_states[index] != WAITING;
}

std::vector<uint64_t>
GraphProgress::GetUnmetDependencies(uint32_t index) const
{
    std::vector<uint64_t> unmet;
    for (const uint64_t id : m_graph.GetNode(index).dependencies)
    {
        if (m_states[m_graph.FindNode(id)] != FINISHED)
        {
            unmet.push_back(id);
        }
    }
    return unmet;
}

uint32_t
GraphProgress::GetWaitingBehind(uint32_t index) const
{
    for (const uint32_t next : {m_graph.GetNextOnStream(index), GetNextOfGroup(index)})
    {
        if (next < m_graph.GetNNodes() && GetUnmetDependencies(next).empty())
        {
            return next;
        }
    }
    return m_graph.GetNNodes();
}

} // namespace mlcluster
} // namespace ns3
