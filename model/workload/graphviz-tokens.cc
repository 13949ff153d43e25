/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graphviz-tokens.h"

#include "ns3/diagnostics.h"

#include <cctype>
#include <cstdio>
#include <string_view>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t LONGEST_TOKEN = 1 << 20; ///< characters

} // namespace

bool
GraphvizToken::IsEnd() const
{
    return !isQuoted && text.empty();
}

bool
GraphvizToken::Is(const char* sign) const
{
    return !isQuoted && text == sign;
}

GraphvizTokens::GraphvizTokens(std::istream& stream)
    : m_source(*stream.rdbuf())
{
}

void
GraphvizTokens::Advance()
{
    while (m_source.sgetc() != EOF && std::isspace(m_source.sgetc()))
    {
        TakeCharacter();
    }
    m_token = {"", false, m_line};
    const int c = TakeCharacter();
    if (c == '"')
    {
        ReadQuoted();
        return;
    }
    m_token.text = c == EOF ? "" : std::string(1, static_cast<char>(c));
    if (c == '-' && m_source.sgetc() == '>')
    {
        m_token.text += static_cast<char>(TakeCharacter());
    }
    while (IsOfWord(c) && IsOfWord(m_source.sgetc()) && m_token.text.size() < LONGEST_TOKEN)
    {
        m_token.text += static_cast<char>(TakeCharacter());
    }
}

const GraphvizToken&
GraphvizTokens::Peek() const
{
    return m_token;
}

GraphvizToken
GraphvizTokens::Take()
{
    GraphvizToken token = std::move(m_token);
    Advance();
    return token;
}

bool
GraphvizTokens::IsOfWord(int c)
{
    const std::string_view signs = "{}[];=,-\"";
    return c != EOF && !std::isspace(c) &&
           signs.find(static_cast<char>(c)) == std::string_view::npos;
}

int
GraphvizTokens::TakeCharacter()
{
    const int c = m_source.sbumpc();
    m_line += c == '\n' ? 1 : 0;
    return c;
}

void
GraphvizTokens::ReadQuoted()
{
    m_token.isQuoted = true;
    for (int c = TakeCharacter(); c != '"'; c = TakeCharacter())
    {
        if (c == EOF || m_token.text.size() == LONGEST_TOKEN)
        {
            throw InputError("the quotes opened in line " + std::to_string(m_token.line) +
                             " do not close");
        }
        if (c == '\\' && m_source.sgetc() == '"')
        {
            c = TakeCharacter();
        }
        m_token.text += static_cast<char>(c);
    }
}

} // namespace mlcluster
} // namespace ns3
