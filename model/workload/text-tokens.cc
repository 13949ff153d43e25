/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-tokens.h"

#include "ns3/diagnostics.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t LONGEST_WORD = 1000;

/// @param c a character @return whether it separates words
bool
IsSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

TextTokens::TextTokens(const std::string& content)
{
    int line = 1;
    bool isFirst = true;
    for (std::size_t i = 0; i < content.size(); ++i)
    {
        if (IsSpace(content[i]))
        {
            isFirst = isFirst || content[i] == '\n';
            line += content[i] == '\n' ? 1 : 0;
            continue;
        }
        const std::size_t begin = i;
        while (i < content.size() && !IsSpace(content[i]))
        {
            const auto c = static_cast<unsigned char>(content[i++]);
            if (c < ' ' || c == 0x7f || i - begin > LONGEST_WORD)
            {
                throw InputError("line " + std::to_string(line) +
                                 " has a control character or a word above " +
                                 std::to_string(LONGEST_WORD) +
                                 " characters; allowed is a text of words between blanks");
            }
        }
        m_tokens.push_back({content.substr(begin, i - begin), line, isFirst});
        isFirst = false;
        --i;
    }
}

bool
TextTokens::IsAtEnd() const
{
    return m_next == m_tokens.size();
}

int
TextTokens::GetLastLine() const
{
    return m_tokens.empty() ? 1 : m_tokens.back().line;
}

const std::vector<TextTokens::Token>&
TextTokens::GetAll() const
{
    return m_tokens;
}

const TextTokens::Token&
TextTokens::Peek() const
{
    return m_tokens[m_next];
}

const TextTokens::Token&
TextTokens::Take()
{
    return m_tokens[m_next++];
}

const TextTokens::Token&
TextTokens::GetLast() const
{
    return m_tokens[m_next - 1];
}

void
TextTokens::SkipLine()
{
    const int line = m_next == 0 ? 0 : m_tokens[m_next - 1].line;
    while (!IsAtEnd() && Peek().line <= line)
    {
        ++m_next;
    }
}

void
TextTokens::StepBack()
{
    --m_next;
}

} // namespace mlcluster
} // namespace ns3
