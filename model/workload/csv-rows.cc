/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-rows.h"

#include "ns3/word-list.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param cell a cell @return it without quotes around it
std::string
Unquote(const std::string& cell)
{
    if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"')
    {
        return cell;
    }
    std::string text;
    for (std::size_t i = 1; i + 1 < cell.size(); ++i)
    {
        text += cell[i];
        i += cell[i] == '"' && cell[i + 1] == '"' && i + 2 < cell.size() ? 1 : 0;
    }
    return text;
}

/// @param line a line @return its cells
std::vector<std::string>
CutLine(const std::string& line)
{
    std::vector<std::string> cells;
    std::string open;
    for (const std::string& part : SplitWords(line, ','))
    {
        open += open.empty() ? part : "," + part;
        const bool isClosed = std::count(open.begin(), open.end(), '"') % 2 == 0;
        if (isClosed || open.front() != '"')
        {
            cells.push_back(Unquote(open));
            open.clear();
        }
    }
    if (!open.empty())
    {
        cells.push_back(open);
    }
    return cells;
}

} // namespace

std::vector<CsvRow>
CutCsvRows(const std::string& content)
{
    std::vector<CsvRow> rows;
    int number = 0;
    for (const std::string& line : SplitWords(content, '\n'))
    {
        ++number;
        if (!line.empty())
        {
            rows.push_back({number, CutLine(line)});
        }
    }
    return rows;
}

} // namespace mlcluster
} // namespace ns3
