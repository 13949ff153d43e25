/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-progress.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

GraphProgress::GraphProgress(const ExecutionGraph& graph)
    : m_graph(graph),
      m_states(graph.GetNNodes(), WAITING)
{
    for (uint32_t index = 0; index < graph.GetNNodes(); ++index)
    {
        m_waitingFor.push_back(graph.GetNDependencies(index));
        if (m_waitingFor.back() == 0)
        {
            m_ready.push(index);
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
        if (--m_waitingFor[child] == 0)
        {
            m_ready.push(child);
        }
    });
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

} // namespace mlcluster
} // namespace ns3
