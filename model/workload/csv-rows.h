/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_CSV_ROWS_H
#define ML_CLUSTER_CSV_ROWS_H

#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One row of a table of comma-separated values.
 */
struct CsvRow
{
    int line;                       ///< in the file, from 1
    std::vector<std::string> cells; ///< without blanks around them and without their quotes
};

/**
 * @ingroup ml-cluster
 * Cuts a table of comma-separated values. Empty lines are left out. A cell in double quotes may
 * have commas in it, and a double quote written twice; it ends in its line.
 * @param content the text
 * @return the rows
 */
std::vector<CsvRow> CutCsvRows(const std::string& content);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_CSV_ROWS_H
