/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-table.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <locale>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

ReportTable::ReportTable(std::vector<std::string> headings, std::size_t nTextColumns)
    : m_rows{std::move(headings)},
      m_nTextColumns(nTextColumns)
{
}

void
ReportTable::AddRow(std::vector<std::string> cells)
{
    m_rows.push_back(std::move(cells));
}

void
ReportTable::Print(std::ostream& os) const
{
    std::vector<std::size_t> widths(m_rows[0].size(), 0);
    for (const auto& row : m_rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (const auto& row : m_rows)
    {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            const std::string blanks(widths[i] - row[i].size(), ' ');
            line += (i ? "  " : "") + (i < m_nTextColumns ? row[i] + blanks : blanks + row[i]);
        }
        os << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
    }
}

void
ReportTable::WriteCsv(std::ostream& os) const
{
    for (const auto& row : m_rows)
    {
        for (std::size_t i = 0; i < row.size(); ++i)
        {
            os << (i ? "," : "") << CsvText(row[i]);
        }
        os << "\n";
    }
}

std::string
CsvText(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (char c : text)
    {
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return quoted + "\"";
}

std::string
FormatMicroseconds(int64_t picoseconds)
{
    const int64_t nanoseconds = (picoseconds + 500) / 1000;
    const std::string fraction = std::to_string(nanoseconds % 1000);
    return std::to_string(nanoseconds / 1000) + "." + std::string(3 - fraction.size(), '0') +
           fraction;
}

std::string
FormatFixed(double value, int decimals)
{
    if (!std::isfinite(value))
    {
        return "-";
    }
    std::ostringstream os;
    os.imbue(std::locale::classic());
    os << std::fixed << std::setprecision(decimals) << value;
    return os.str();
}

std::string
FormatSmall(double value, int decimals)
{
    constexpr double LEAST = 1e-9;
    constexpr double BASE = 10;
    const double size = std::abs(value);
    if (size < LEAST || !(size < std::pow(BASE, 1 - decimals)))
    {
        return FormatFixed(value, decimals);
    }
    std::ostringstream os;
    os.imbue(std::locale::classic());
    os << std::setprecision(4) << value;
    return os.str();
}

std::string
FormatRounded(double value, const std::string& unit)
{
    constexpr std::array PREFIXES{"", "k", "M", "G", "T", "P", "E", "Z"};
    std::size_t i = 0;
    while (value >= 999.95 && i + 1 < PREFIXES.size())
    {
        value /= 1000;
        ++i;
    }
    const int decimals = i == 0 ? 0 : value < 9.9995 ? 3 : value < 99.995 ? 2 : 1;
    const std::string prefixed = PREFIXES.at(i) + unit;
    return FormatFixed(value, decimals) + (prefixed.empty() ? "" : " " + prefixed);
}

std::string
FormatRanges(const std::vector<uint32_t>& numbers, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < numbers.size();)
    {
        if (most-- == 0)
        {
            return text + ", ...";
        }
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
        {
            ++last;
        }
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]) +
                (last > i ? " to " + std::to_string(numbers[last]) : "");
        i = last + 1;
    }
    return text;
}

} // namespace mlcluster
} // namespace ns3
