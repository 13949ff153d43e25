/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shown-text.h"

namespace ns3
{
namespace mlcluster
{

std::string
EscapeControls(const std::string& text, const std::string& kept)
{
    constexpr unsigned char FIRST_PRINTABLE = 0x20;
    constexpr unsigned char DELETE = 0x7f;
    const char* const digits = "0123456789abcdef";
    std::string shown;
    for (const char c : text)
    {
        const auto code = static_cast<unsigned char>(c);
        if ((code >= FIRST_PRINTABLE && code != DELETE) || kept.find(c) != std::string::npos)
        {
            shown += c;
        }
        else if (c == '\n' || c == '\t')
        {
            shown += c == '\n' ? "\\n" : "\\t";
        }
        else
        {
            shown += std::string("\\x") + digits[code / 16] + digits[code % 16];
        }
    }
    return shown;
}

std::string
ShowName(const std::string& name, std::size_t most)
{
    return "\"" + EscapeControls(name.substr(0, most)) + (name.size() > most ? "...\"" : "\"");
}

} // namespace mlcluster
} // namespace ns3
