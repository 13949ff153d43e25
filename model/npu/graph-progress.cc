/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-progress.h"

#include "ns3/memory-size.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

GraphProgress::GraphProgress(const ExecutionGraph& graph, bool queuesCollectives)
    : m_graph(graph),
      m_queuesCollectives(queuesCollectives),
      m_pages((graph.GetNNodes() + PAGE_SIZE - 1) / PAGE_SIZE),
      m_isFinished(m_pages.size(), false)
{
    for (const uint32_t index : graph.GetRoots())
    {
        if (CountAwaited(index) == 0)
        {
            m_ready.push(index);
        }
    }
}

uint32_t
GraphProgress::CountAwaited(uint32_t index) const
{
    const bool isBehind = m_queuesCollectives && m_graph.GetOrdinal(index) > 0 &&
                          m_graph.GetNode(index)->kind == NodeKind::Collective;
    return m_graph.GetNDependencies(index) +
           (m_graph.GetPreviousOnStream(index) < m_graph.GetNNodes() ? 1 : 0) + (isBehind ? 1 : 0);
}

GraphProgress::Page&
GraphProgress::GetPage(uint32_t index)
{
    auto& page = m_pages[index / PAGE_SIZE];
    if (!page)
    {
        const uint32_t first = index / PAGE_SIZE * PAGE_SIZE;
        page = std::make_unique<Page>();
        page->nUnfinished = std::min(PAGE_SIZE, m_graph.GetNNodes() - first);
        for (uint32_t i = 0; i < page->nUnfinished; ++i)
        {
            page->waitingFor[i] = CountAwaited(first + i);
        }
    }
    return *page;
}

GraphProgress::State
GraphProgress::GetState(uint32_t index) const
{
    const auto& page = m_pages[index / PAGE_SIZE];
    return page                              ? page->states[index % PAGE_SIZE]
           : m_isFinished[index / PAGE_SIZE] ? FINISHED
                                             : WAITING;
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
    GetPage(index).states[index % PAGE_SIZE] = STARTED;
}

void
GraphProgress::Finish(uint32_t index)
{
    Page& page = GetPage(index);
    page.states[index % PAGE_SIZE] = FINISHED;
    ++m_nFinished;
    if (--page.nUnfinished == 0)
    {
        m_pages[index / PAGE_SIZE] = nullptr;
        m_isFinished[index / PAGE_SIZE] = true;
    }
    for (const uint32_t child : m_graph.GetChildren(index))
    {
        Release(child);
    }
    Release(m_graph.GetNextOnStream(index));
    Release(GetNextOfGroup(index));
}

void
GraphProgress::Release(uint32_t index)
{
    if (index < m_graph.GetNNodes() && --GetPage(index).waitingFor[index % PAGE_SIZE] == 0)
    {
        m_ready.push(index);
    }
}

uint32_t
GraphProgress::GetNextOfGroup(uint32_t index) const
{
    return m_queuesCollectives ? m_graph.GetNextOfGroup(index) : m_graph.GetNNodes();
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
    const auto find = [&](State state) {
        uint32_t index = 0;
        while (index < m_graph.GetNNodes() && GetState(index) != state)
        {
            ++index;
        }
        return index;
    };
    const uint32_t started = find(STARTED);
    return started < m_graph.GetNNodes() ? started : find(WAITING);
}

bool
GraphProgress::HasStarted(uint32_t index) const
{
    return GetState(index) != WAITING;
}

std::vector<uint64_t>
GraphProgress::GetUnmetDependencies(uint32_t index) const
{
    std::vector<uint64_t> unmet;
    const NodeHandle node = m_graph.GetNode(index);
    for (const uint64_t id : node->dependencies)
    {
        if (GetState(m_graph.FindNode(id)) != FINISHED)
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

uint64_t
GraphProgress::GetMemoryBytes(uint64_t nNodes)
{
    constexpr uint64_t PAGES = 2; // where nodes start, and where those are that wait for them
    const uint64_t nPages = (nNodes + PAGE_SIZE - 1) / PAGE_SIZE;
    return GetHeapBytes(sizeof(GraphProgress)) + GetHeapBytes(nPages * sizeof(Page*)) +
           GetHeapBytes(nPages / 8) + std::min(nPages, PAGES) * GetHeapBytes(sizeof(Page));
}

} // namespace mlcluster
} // namespace ns3
