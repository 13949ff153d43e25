/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-text.h"

#include "ns3/diagnostics.h"

#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace ns3
{
namespace mlcluster
{

SharedText::SharedText(std::string_view text)
{
    if (text.empty())
    {
        return;
    }
    if (text.size() > std::numeric_limits<uint32_t>::max())
    {
        throw InputError("a text has more than 4294967295 characters");
    }
    void* memory = ::operator new(sizeof(Block) + text.size() + 1);
    m_block = new (memory) Block{{1}, static_cast<uint32_t>(text.size())};
    char* characters = reinterpret_cast<char*>(m_block + 1);
    std::memcpy(characters, text.data(), text.size());
    characters[text.size()] = '\0';
}

SharedText::SharedText(const std::string& text)
    : SharedText(std::string_view(text))
{
}

SharedText::SharedText(const char* text)
    : SharedText(std::string_view(text))
{
}

SharedText::SharedText(const SharedText& other)
    : m_block(other.m_block)
{
    if (m_block)
    {
        m_block->nSharers.fetch_add(1, std::memory_order_relaxed);
    }
}

SharedText::SharedText(SharedText&& other) noexcept
    : m_block(std::exchange(other.m_block, nullptr))
{
}

SharedText::~SharedText()
{
    if (m_block && m_block->nSharers.fetch_sub(1, std::memory_order_acq_rel) == 1)
    {
        m_block->~Block();
        ::operator delete(m_block);
    }
}

SharedText&
SharedText::operator=(SharedText other) noexcept
{
    std::swap(m_block, other.m_block);
    return *this;
}

SharedText::operator std::string_view() const
{
    return {c_str(), size()};
}

SharedText::operator std::string() const
{
    return {c_str(), size()};
}

bool
SharedText::empty() const
{
    return !m_block;
}

std::size_t
SharedText::size() const
{
    return m_block ? m_block->size : 0;
}

const char*
SharedText::c_str() const
{
    return m_block ? reinterpret_cast<const char*>(m_block + 1) : "";
}

std::string
SharedText::substr(std::size_t position, std::size_t count) const
{
    return std::string(std::string_view(*this).substr(position, count));
}

std::size_t
SharedText::find(std::string_view text, std::size_t position) const
{
    return std::string_view(*this).find(text, position);
}

std::size_t
SharedText::find(char c, std::size_t position) const
{
    return std::string_view(*this).find(c, position);
}

std::size_t
SharedText::rfind(std::string_view text, std::size_t position) const
{
    return std::string_view(*this).rfind(text, position);
}

bool
operator==(const SharedText& a, const SharedText& b)
{
    return std::string_view(a) == std::string_view(b);
}

bool
operator!=(const SharedText& a, const SharedText& b)
{
    return !(a == b);
}

bool
operator<(const SharedText& a, const SharedText& b)
{
    return std::string_view(a) < std::string_view(b);
}

std::string
operator+(const SharedText& a, std::string_view b)
{
    return std::string(a).append(b);
}

std::string
operator+(std::string_view a, const SharedText& b)
{
    return std::string(a).append(std::string_view(b));
}

std::ostream&
operator<<(std::ostream& os, const SharedText& text)
{
    return os << std::string_view(text);
}

SharedText
SharedTextPool::Get(std::string_view text)
{
    const auto known = m_texts.find(text);
    if (known != m_texts.end())
    {
        return known->second;
    }
    if (m_texts.size() == MOST_TEXTS)
    {
        m_texts.clear();
    }
    const SharedText shared(text);
    m_texts.emplace(std::string_view(shared), shared);
    return shared;
}

} // namespace mlcluster
} // namespace ns3
