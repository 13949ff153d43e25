/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CSV_TABLE_H
#define ML_CLUSTER_CSV_TABLE_H

#include "ns3/diagnostics.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * A table in a CSV file: a line of headings, then lines with a cell for each. Cells are separated
 * by commas, blanks around them do not count; one that begins with a double quote goes to the next
 * one, two of them in it stand for one (RFC 4180, but a cell ends where its line does). Empty lines
 * and those that begin with # are left out.
 */
class CsvTable
{
  public:
    /// A line below the headings.
    struct Line
    {
        int number;                     ///< in the file
        std::vector<std::string> cells; ///< one per heading
    };

    /**
     * Reads a file.
     * @param path the file
     * @param needed headings that it must have
     * @param diagnostics receives the problems; a line with one is left out
     */
    CsvTable(const std::string& path,
             const std::vector<std::string>& needed,
             Diagnostics& diagnostics);

    const std::vector<std::string>& GetHeadings() const; ///< @return headings in order
    const std::vector<Line>& GetLines() const;           ///< @return lines in order
    /// @param line a line @param heading a heading @return its cell; "" if there is no such heading
    std::string Get(const Line& line, const std::string& heading) const;
    /// @param line a line @param key of the place @return where it is
    Diagnostics::Place GetPlace(const Line& line, const std::string& key) const;

  private:
    /// @param text a line @return its cells @throw InputError if a quote is not closed, or
    /// something stands behind one
    static std::vector<std::string> Split(const std::string& text);
    /// @param number of the line @param needed headings @param diagnostics receives problems of
    /// the headings
    void CheckHeadings(int number,
                       const std::vector<std::string>& needed,
                       Diagnostics& diagnostics);

    std::string m_path;                  ///< the file
    std::vector<std::string> m_headings; ///< in order
    std::vector<Line> m_lines;           ///< in order
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CSV_TABLE_H
