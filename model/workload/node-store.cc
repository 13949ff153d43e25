/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-store.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ns3
{
namespace mlcluster
{

void
NodeStore::Add(ExecutionNode node)
{
    if (m_size == std::numeric_limits<uint32_t>::max() - 1)
    {
        throw InputError("a graph has more than " + std::to_string(m_size) + " nodes");
    }
    auto& dependencies = node.dependencies;
    std::sort(dependencies.begin(), dependencies.end());
    dependencies.erase(std::unique(dependencies.begin(), dependencies.end()), dependencies.end());
    node.group = node.group.empty() ? node.group : m_groups.Get(node.group);
    NoteId(node.id);
    if (m_size % GraphPage::SIZE == 0)
    {
        m_pages.push_back({std::make_unique<NodePage>(), node.id, node.id});
    }
    m_pages.back().lastId = node.id;
    m_pages.back().page->Add(std::move(node));
    if (++m_size % GraphPage::SIZE == 0)
    {
        m_pages.back().page->Close();
    }
}

void
NodeStore::NoteId(uint64_t id)
{
    if (m_size > 0)
    {
        const uint64_t last = m_pages.back().lastId;
        m_isAscending = m_isAscending && id > last;
        if (m_isDense && id != last + 1)
        {
            m_isDense = false;
            m_ids.resize(m_size);
            std::iota(m_ids.begin(), m_ids.end(), m_pages.front().firstId);
        }
    }
    if (!m_isDense)
    {
        m_ids.push_back(id);
    }
}

void
NodeStore::Sort()
{
    if (m_size % GraphPage::SIZE != 0)
    {
        m_pages.back().page->Close();
    }
    if (m_isAscending)
    {
        return;
    }
    std::vector<uint32_t> order(m_size);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return m_ids[a] < m_ids[b];
    });
    NodeStore sorted;
    for (const uint32_t index : order)
    {
        sorted.Add(*Get(index));
    }
    sorted.m_isAscending = true;
    sorted.Sort();
    *this = std::move(sorted);
}

void
NodeStore::Seal()
{
    std::vector<uint64_t>().swap(m_ids);
    m_groups = SharedTextPool();
}

uint32_t
NodeStore::GetSize() const
{
    return m_size;
}

uint32_t
NodeStore::GetNPages() const
{
    return m_pages.size();
}

NodePage&
NodeStore::GetPage(uint32_t number) const
{
    return *m_pages[number].page;
}

void
NodeStore::Replace(uint32_t number, std::vector<ExecutionNode> nodes)
{
    m_pages[number].page = std::make_unique<NodePage>(std::move(nodes));
    m_pages[number].page->Close();
}

bool
NodeStore::Knows(uint64_t id) const
{
    return m_isAscending && Holds(Find(id), id);
}

uint32_t
NodeStore::Find(uint64_t id) const
{
    if (m_pages.empty() || id <= m_pages.front().firstId)
    {
        return 0;
    }
    if (m_isDense)
    {
        return std::min<uint64_t>(id - m_pages.front().firstId, m_size);
    }
    if (!m_ids.empty())
    {
        return std::lower_bound(m_ids.begin(), m_ids.end(), id) - m_ids.begin();
    }
    const auto isBelow = [](const Part& part, uint64_t value) { return part.lastId < value; };
    const auto part = std::lower_bound(m_pages.begin(), m_pages.end(), id, isBelow);
    const uint32_t first = (part - m_pages.begin()) * GraphPage::SIZE;
    if (part == m_pages.end() || id <= part->firstId)
    {
        return std::min(first, m_size);
    }
    if (IsDense(*part))
    {
        return first + (id - part->firstId);
    }
    const auto lower = [](const ExecutionNode& node, uint64_t value) { return node.id < value; };
    part->page->Touch();
    const auto& nodes = part->page->GetNodes();
    return first + (std::lower_bound(nodes.begin(), nodes.end(), id, lower) - nodes.begin());
}

bool
NodeStore::Holds(uint32_t index, uint64_t id) const
{
    return index < m_size && GetId(index) == id;
}

uint64_t
NodeStore::GetId(uint32_t index) const
{
    if (!m_ids.empty())
    {
        return m_ids[index];
    }
    const Part& part = m_pages[index / GraphPage::SIZE];
    return IsDense(part) ? part.firstId + index % GraphPage::SIZE : Get(index)->id;
}

bool
NodeStore::IsDense(const Part& part) const
{
    const uint64_t nNodes = &part == &m_pages.back()
                                ? m_size - (m_pages.size() - 1) * GraphPage::SIZE
                                : GraphPage::SIZE;
    return part.lastId - part.firstId + 1 == nNodes;
}

} // namespace mlcluster
} // namespace ns3
