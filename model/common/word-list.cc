/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "word-list.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

std::string
Trim(const std::string& text)
{
    const std::string blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string::npos
               ? ""
               : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

} // namespace

std::vector<std::string>
SplitWords(const std::string& text, char separator)
{
    std::vector<std::string> words;
    std::size_t begin = 0;
    for (auto end = text.find(separator); end != std::string::npos;
         end = text.find(separator, begin))
    {
        words.push_back(Trim(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    words.push_back(Trim(text.substr(begin)));
    return words;
}

} // namespace mlcluster
} // namespace ns3
