/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-page.h"

#include "packed-numbers.h"

#include <utility>

namespace ns3
{
namespace mlcluster
{

LinkPage::LinkPage(uint32_t first, uint32_t nNodes)
    : m_first(first),
      m_nNodes(nNodes),
      m_firstChild{0}
{
}

void
LinkPage::Add(uint32_t nDependencies, const uint32_t* begin, const uint32_t* end)
{
    m_nDependencies.push_back(nDependencies);
    m_children.insert(m_children.end(), begin, end);
    m_firstChild.push_back(m_children.size());
}

void
LinkPage::SetStreams(std::vector<OnStream> streams)
{
    m_streams = std::move(streams);
}

void
LinkPage::SetMatches(std::vector<Match> matches)
{
    m_matches = std::move(matches);
}

std::size_t
LinkPage::CountBytes() const
{
    return sizeof(uint32_t) *
               (m_nDependencies.capacity() + m_firstChild.capacity() + m_children.capacity()) +
           sizeof(OnStream) * m_streams.capacity() + sizeof(Match) * m_matches.capacity();
}

void
LinkPage::Pack(std::string& bytes) const
{
    const uint32_t size = m_nDependencies.size();
    PackedNumbers::Put(bytes, size);
    PackedNumbers::Put(bytes, m_children.size());
    PackedNumbers::Put(bytes, (m_streams.empty() ? 0 : 1) + (m_matches.empty() ? 0 : 2));
    for (uint32_t i = 0; i < size; ++i)
    {
        PackedNumbers::Put(bytes, m_nDependencies[i]);
        PackedNumbers::Put(bytes, m_firstChild[i + 1] - m_firstChild[i]);
        uint64_t before = m_first + i;
        for (auto child = ChildrenBegin(i); child != ChildrenEnd(i); ++child)
        {
            PackedNumbers::PutSigned(bytes, *child - before);
            before = *child;
        }
    }
    for (std::size_t i = 0; i < m_streams.size(); ++i)
    {
        PutNeighbour(bytes, i, m_streams[i].previous);
        PutNeighbour(bytes, i, m_streams[i].next);
    }
    for (std::size_t i = 0; i < m_matches.size(); ++i)
    {
        PackedNumbers::Put(bytes, m_matches[i].ordinal);
        PackedNumbers::Put(bytes, m_matches[i].group);
        PutNeighbour(bytes, i, m_matches[i].next);
    }
}

void
LinkPage::PutNeighbour(std::string& bytes, uint32_t i, uint32_t position) const
{
    const uint64_t own = m_first + i;
    PackedNumbers::PutSigned(bytes, position == m_nNodes ? 0 : position - own);
}

uint32_t
LinkPage::TakeNeighbour(PackedNumbers& numbers, uint32_t i) const
{
    const uint64_t difference = numbers.TakeSigned();
    return difference == 0 ? m_nNodes : m_first + i + difference;
}

void
LinkPage::Unpack(const std::string& bytes)
{
    PackedNumbers numbers(bytes);
    const uint32_t size = numbers.Take();
    const uint64_t nChildren = numbers.Take();
    const uint64_t has = numbers.Take();
    m_nDependencies.reserve(size);
    m_firstChild.reserve(size + 1);
    m_children.reserve(nChildren);
    m_firstChild.push_back(0);
    for (uint32_t i = 0; i < size; ++i)
    {
        m_nDependencies.push_back(numbers.Take());
        m_firstChild.push_back(m_firstChild.back() + numbers.Take());
        uint64_t before = m_first + i;
        while (m_children.size() < m_firstChild.back())
        {
            before += numbers.TakeSigned();
            m_children.push_back(before);
        }
    }
    m_streams.resize(has & 1 ? size : 0);
    for (std::size_t i = 0; i < m_streams.size(); ++i)
    {
        m_streams[i].previous = TakeNeighbour(numbers, i);
        m_streams[i].next = TakeNeighbour(numbers, i);
    }
    m_matches.resize(has & 2 ? size : 0);
    for (std::size_t i = 0; i < m_matches.size(); ++i)
    {
        m_matches[i].ordinal = numbers.Take();
        m_matches[i].group = numbers.Take();
        m_matches[i].next = TakeNeighbour(numbers, i);
    }
}

void
LinkPage::Clear()
{
    std::vector<uint32_t>().swap(m_nDependencies);
    std::vector<uint32_t>().swap(m_firstChild);
    std::vector<uint32_t>().swap(m_children);
    std::vector<OnStream>().swap(m_streams);
    std::vector<Match>().swap(m_matches);
}

} // namespace mlcluster
} // namespace ns3
