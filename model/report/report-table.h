/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_REPORT_TABLE_H
#define ML_CLUSTER_REPORT_TABLE_H

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A table for the console: text columns to the left, then numbers, every column as wide as its
 * longest cell.
 */
class ReportTable
{
  public:
    /**
     * @param headings of the columns, units in them
     * @param nTextColumns how many of the first columns are text (set left); others are set right
     */
    ReportTable(std::vector<std::string> headings, std::size_t nTextColumns);

    /// @param cells one per column
    void AddRow(std::vector<std::string> cells);

    /// @param os where to
    void Print(std::ostream& os) const;
    /// @param os where to, as CSV (RFC 4180, but lines end in a newline)
    void WriteCsv(std::ostream& os) const;

  private:
    std::vector<std::vector<std::string>> m_rows; ///< the headings, then the rows
    std::size_t m_nTextColumns;                   ///< columns set left
};

/**
 * @ingroup ml-cluster
 * @param text a cell of a CSV table
 * @return the text, in quotes if it needs them
 */
std::string CsvText(const std::string& text);

/**
 * @ingroup ml-cluster
 * @param picoseconds a time
 * @return microseconds with three decimals, rounded to nearest, such as "93.750"
 */
std::string FormatMicroseconds(int64_t picoseconds);

/**
 * @ingroup ml-cluster
 * @param value a number
 * @param decimals digits after the point
 * @return such as "46.67"; "-" if it is not finite
 */
std::string FormatFixed(double value, int decimals);

/**
 * @ingroup ml-cluster
 * @param value a number
 * @param decimals digits after the point
 * @return as FormatFixed has it, but with four digits of what would have less than two, down to
 * 1e-9
 */
std::string FormatSmall(double value, int decimals);

/**
 * @ingroup ml-cluster
 * @param value a number, at least 0
 * @param unit of it, may be empty
 * @return four digits with a decimal prefix, such as "50.33 MB"
 */
std::string FormatRounded(double value, const std::string& unit);

/**
 * @ingroup ml-cluster
 * @param numbers some, ascending
 * @param most ranges to write, "..." stands for others
 * @return such as "0, 2 to 5"
 */
std::string FormatRanges(const std::vector<uint32_t>& numbers, std::size_t most);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_REPORT_TABLE_H
