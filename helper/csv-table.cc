/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-table.h"

#include <algorithm>
#include <fstream>

namespace ns3
{
namespace mlcluster
{

namespace
{

const std::string BLANKS = " \t\r";

/// @param text with blanks around it, or none @return it without
std::string
Trim(const std::string& text)
{
    const auto begin = text.find_first_not_of(BLANKS);
    return begin == std::string::npos
               ? ""
               : text.substr(begin, text.find_last_not_of(BLANKS) + 1 - begin);
}

} // namespace

CsvTable::CsvTable(const std::string& path,
                   const std::vector<std::string>& needed,
                   Diagnostics& diagnostics)
    : m_path(path)
{
    std::ifstream file(path);
    int number = 0;
    for (std::string text; std::getline(file, text);)
    {
        ++number;
        const std::string trimmed = Trim(text);
        if (trimmed.empty() || trimmed[0] == '#')
        {
            continue;
        }
        diagnostics.Collect({path, number, ""}, [&] {
            auto cells = Split(trimmed);
            if (m_headings.empty())
            {
                m_headings = std::move(cells);
                CheckHeadings(number, needed, diagnostics);
                return;
            }
            if (cells.size() != m_headings.size())
            {
                throw InputError(std::to_string(cells.size()) + " cells; needed are " +
                                 std::to_string(m_headings.size()) + ": " + JoinWords(m_headings));
            }
            m_lines.push_back({number, std::move(cells)});
        });
    }
    if (m_headings.empty())
    {
        diagnostics.Error({path, 0, ""},
                          std::string(file.is_open() ? "is empty" : "cannot be read") +
                              "; needed is a line of headings: " + JoinWords(needed) + ", ...");
    }
}

std::vector<std::string>
CsvTable::Split(const std::string& text)
{
    std::vector<std::string> cells;
    for (std::size_t begin = 0; begin <= text.size();)
    {
        begin = std::min(text.find_first_not_of(BLANKS, begin), text.size());
        if (begin == text.size() || text[begin] != '"')
        {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            cells.push_back(Trim(text.substr(begin, end - begin)));
            begin = end + 1;
            continue;
        }
        std::string cell;
        std::size_t end = begin;
        do
        {
            cell += end == begin ? "" : "\"";
            begin = end + 1;
            end = text.find('"', begin);
            if (end == std::string::npos)
            {
                throw InputError("a double quote is not closed: " + text.substr(begin - 1));
            }
            cell += text.substr(begin, end - begin);
            begin = end;
            ++end;
        } while (end < text.size() && text[end] == '"');
        cells.push_back(cell);
        begin = std::min(text.find_first_not_of(BLANKS, end), text.size());
        if (begin < text.size() && text[begin] != ',')
        {
            throw InputError("\"" + cell + "\" is followed by '" + text.substr(begin) +
                             "'; needed is a comma");
        }
        ++begin;
    }
    return cells;
}

void
CsvTable::CheckHeadings(int number,
                        const std::vector<std::string>& needed,
                        Diagnostics& diagnostics)
{
    for (auto heading = m_headings.begin(); heading != m_headings.end(); ++heading)
    {
        if (std::find(m_headings.begin(), heading, *heading) != heading)
        {
            diagnostics.Error({m_path, number, *heading}, "the heading is given twice");
        }
    }
    for (const auto& heading : needed)
    {
        if (std::find(m_headings.begin(), m_headings.end(), heading) == m_headings.end())
        {
            diagnostics.Error({m_path, number, heading},
                              "the heading is missing; given are " + JoinWords(m_headings));
        }
    }
}

const std::vector<std::string>&
CsvTable::GetHeadings() const
{
    return m_headings;
}

const std::vector<CsvTable::Line>&
CsvTable::GetLines() const
{
    return m_lines;
}

std::string
CsvTable::Get(const Line& line, const std::string& heading) const
{
    const auto found = std::find(m_headings.begin(), m_headings.end(), heading);
    return found == m_headings.end() ? "" : line.cells[found - m_headings.begin()];
}

Diagnostics::Place
CsvTable::GetPlace(const Line& line, const std::string& key) const
{
    return {m_path, line.number, key};
}

} // namespace mlcluster
} // namespace ns3
