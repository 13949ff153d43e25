/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-statement.h"

#include "csv-table.h"

#include "ns3/plain-number.h"
#include "ns3/quantity.h"

#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param table the table @param line of it @return the statement
StudyStatement
Parse(const CsvTable& table, const CsvTable::Line& line)
{
    StudyStatement statement;
    statement.text = table.Get(line, "statement");
    statement.figure = {table.Get(line, "quantity"),
                        table.Get(line, "system"),
                        table.Get(line, "scheduler"),
                        0,
                        table.Get(line, "source")};
    statement.figure.Check();
    if (statement.figure.IsTime())
    {
        throw InputError("\"" + statement.figure.quantity +
                         "\" is a time; needed is a share or a ratio");
    }
    const std::string least = table.Get(line, "least");
    const std::string most = table.Get(line, "most");
    statement.least = least.empty() ? statement.least : ParseNumber(least);
    statement.most = most.empty() ? statement.most : ParseNumber(most);
    if ((least.empty() && most.empty()) || statement.most < statement.least)
    {
        throw InputError("the limits are '" + least + "' and '" + most +
                         "'; needed is one of them, or the least first");
    }
    return statement;
}

} // namespace

std::string
StudyStatement::Judge(double ours) const
{
    return std::isnan(ours)                ? "was not run"
           : least <= ours && ours <= most ? "holds"
                                           : "does not hold";
}

std::string
StudyStatement::FormatLimits() const
{
    return std::isinf(least)  ? "at most " + FormatNumber(most)
           : std::isinf(most) ? "at least " + FormatNumber(least)
                              : FormatNumber(least) + " to " + FormatNumber(most);
}

std::vector<StudyStatement>
ReadStudyStatements(const std::string& path, Diagnostics& diagnostics)
{
    const CsvTable table(
        path,
        {"statement", "quantity", "system", "scheduler", "least", "most", "source"},
        diagnostics);
    std::vector<StudyStatement> statements;
    for (const auto& line : table.GetLines())
    {
        diagnostics.Collect(table.GetPlace(line, ""),
                            [&] { statements.push_back(Parse(table, line)); });
    }
    return statements;
}

} // namespace mlcluster
} // namespace ns3
