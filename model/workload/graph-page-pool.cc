/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-page-pool.h"

#include "graph-page.h"

#include <unistd.h>

namespace ns3
{
namespace mlcluster
{

GraphPagePool&
GraphPagePool::Get()
{
    static auto* const POOL = new GraphPagePool; // outlives graphs of static objects
    return *POOL;
}

GraphPagePool::GraphPagePool()
{
    SetBudget(0);
}

void
GraphPagePool::SetBudget(uint64_t bytes)
{
    const auto memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    m_budget = bytes > 0 ? bytes : memory / 2;
    MakeRoom();
}

uint64_t
GraphPagePool::GetBytesHere() const
{
    return m_bytes;
}

uint64_t
GraphPagePool::GetBytesInFile() const
{
    return m_file.GetSize();
}

uint64_t
GraphPagePool::GetNFetches() const
{
    return m_nFetches;
}

void
GraphPagePool::Add(GraphPage& page)
{
    page.m_bytes = page.CountBytes();
    Enter(page);
    MakeRoom();
}

void
GraphPagePool::Remove(GraphPage& page)
{
    if (page.m_isHere)
    {
        Leave(page);
    }
    if (page.m_packedBytes > 0 && --m_nInFile == 0)
    {
        m_file.Clear();
    }
}

void
GraphPagePool::Fetch(GraphPage& page)
{
    m_packed.resize(page.m_packedBytes);
    m_file.Read(page.m_offset, m_packed);
    page.Unpack(m_packed);
    page.m_isHere = true;
    ++m_nFetches;
    Enter(page);
    const GraphPage::Pin pin(page);
    MakeRoom();
}

void
GraphPagePool::Enter(GraphPage& page)
{
    page.m_slot = m_pages.size();
    m_pages.push_back(&page);
    m_bytes += page.m_bytes;
}

void
GraphPagePool::Leave(GraphPage& page)
{
    m_pages[page.m_slot] = m_pages.back();
    m_pages[page.m_slot]->m_slot = page.m_slot;
    m_pages.pop_back();
    m_bytes -= page.m_bytes;
}

void
GraphPagePool::MakeRoom()
{
    std::size_t nSkipped = 0;
    while (m_bytes > m_budget && nSkipped <= 2 * m_pages.size())
    {
        m_hand = m_hand < m_pages.size() ? m_hand : 0;
        GraphPage& page = *m_pages[m_hand];
        if (page.m_nPins > 0 || page.m_wasUsed)
        {
            page.m_wasUsed = false;
            ++m_hand;
            ++nSkipped;
        }
        else
        {
            Send(page);
            nSkipped = 0;
        }
    }
}

void
GraphPagePool::Send(GraphPage& page)
{
    if (page.m_packedBytes == 0)
    {
        m_packed.clear();
        page.Pack(m_packed);
        page.m_offset = m_file.Append(m_packed);
        page.m_packedBytes = m_packed.size();
        ++m_nInFile;
    }
    Leave(page);
    page.Clear();
    page.m_isHere = false;
}

} // namespace mlcluster
} // namespace ns3
