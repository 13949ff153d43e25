/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-matrices.h"

#include "ns3/report-table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

namespace
{

using Row = ExperimentStudy::Row;

/// Figures by words down and across, both in order of their first.
class Matrix
{
  public:
    /// @param down what is down @param across what is across @param entry what is there
    void Set(const std::string& down, const std::string& across, const std::string& entry)
    {
        Note(m_down, down);
        Note(m_across, across);
        m_entries[{down, across}] = entry;
    }

    /// @param os receives the matrix @param corner what is in its corner
    void Print(std::ostream& os, const std::string& corner) const
    {
        std::vector<std::string> headings{corner};
        headings.insert(headings.end(), m_across.begin(), m_across.end());
        ReportTable table(headings, 1);
        for (const auto& down : m_down)
        {
            std::vector<std::string> cells{down};
            for (const auto& across : m_across)
            {
                const auto entry = m_entries.find({down, across});
                cells.push_back(entry == m_entries.end() ? "-" : entry->second);
            }
            table.AddRow(cells);
        }
        table.Print(os);
    }

  private:
    /// @param words some @param word one that is there then
    static void Note(std::vector<std::string>& words, const std::string& word)
    {
        if (std::find(words.begin(), words.end(), word) == words.end())
        {
            words.push_back(word);
        }
    }

    std::vector<std::string> m_down;                                      ///< words down
    std::vector<std::string> m_across;                                    ///< words across
    std::map<std::pair<std::string, std::string>, std::string> m_entries; ///< figures
};

/// @param row a run @return its figure in a matrix
std::string
FormatEntry(const Row& row)
{
    return row.reference.empty()   ? FormatMicroseconds(row.timePs)
           : row.overReference > 0 ? FormatFixed(row.overReference, 4)
                                   : "-";
}

/// @param row a run @return what matrices of it are of
std::string
DescribeEntry(const Row& row)
{
    return (row.reference.empty() ? "time us" : "speed-up over " + row.reference) + ", " +
           row.scheduler;
}

/// @param heading keys of a column @return their last words
std::string
ShortenHeading(const std::string& heading)
{
    std::string text;
    std::size_t first = 0;
    while (first != std::string::npos)
    {
        const std::size_t plus = heading.find('+', first);
        const std::string key =
            heading.substr(first, plus == std::string::npos ? plus : plus - first);
        const std::size_t end = key.find_last_not_of(' ');
        const std::string trimmed = key.substr(0, end == std::string::npos ? 0 : end + 1);
        text += (text.empty() ? "" : " + ") + trimmed.substr(trimmed.rfind('.') + 1);
        first = plus == std::string::npos ? plus : heading.find_first_not_of(' ', plus + 1);
    }
    return text;
}

} // namespace

void
PrintStudyBreakdown(std::ostream& os, const ExperimentStudy& study)
{
    ReportTable table({"system",
                       "scheduler",
                       "time us",
                       "compute %",
                       "communication %",
                       "remote memory %",
                       "local memory %",
                       "host %",
                       "idle %",
                       "reference",
                       "speed-up over it"},
                      2);
    bool isEmpty = true;
    for (const auto& row : study.GetRows())
    {
        if (row.bytes > 0 || !row.variant.empty() || !row.swept.empty())
        {
            continue;
        }
        isEmpty = false;
        std::vector<std::string> cells{row.system, row.scheduler, FormatMicroseconds(row.timePs)};
        for (const double part :
             {row.computePs, row.exposedPs, row.remotePs, row.localPs, row.hostPs, row.idlePs})
        {
            cells.push_back(FormatFixed(100 * part / static_cast<double>(row.timePs), 2));
        }
        cells.push_back(row.reference.empty() ? "-" : row.reference);
        cells.push_back(row.overReference > 0 ? FormatFixed(row.overReference, 4) : "-");
        table.AddRow(cells);
    }
    if (!isEmpty)
    {
        os << "\nWhere time goes; communication and memory: the exposed part\n";
        table.Print(os);
    }
}

void
PrintStudyMatrices(std::ostream& os, const ExperimentStudy& study)
{
    std::vector<std::pair<std::string, Matrix>> matrices;
    const auto get = [&](const std::string& title) -> Matrix& {
        const auto found = std::find_if(matrices.begin(), matrices.end(), [&](const auto& entry) {
            return entry.first == title;
        });
        return found == matrices.end() ? matrices.emplace_back(title, Matrix()).second
                                       : found->second;
    };
    const bool hasVariants = std::any_of(study.GetRows().begin(),
                                         study.GetRows().end(),
                                         [](const Row& row) { return !row.variant.empty(); });
    for (const auto& row : study.GetRows())
    {
        if (!row.swept.empty())
        {
            const bool isPair = row.swept.size() == 2;
            const std::string across = isPair ? ShortenHeading(row.swept[1].heading) : "";
            get(row.line + ": " + DescribeEntry(row) + "; down " +
                ShortenHeading(row.swept[0].heading) + (isPair ? ", across " + across : ""))
                .Set(row.swept[0].value, isPair ? row.swept[1].value : "", FormatEntry(row));
        }
        else if (hasVariants)
        {
            get("Variants: speed-up over the reference, or time us, " + row.scheduler)
                .Set(row.variant.empty() ? "as it is" : row.variant, row.line, FormatEntry(row));
        }
    }
    for (const auto& [title, matrix] : matrices)
    {
        os << "\n" << title << "\n";
        matrix.Print(os, "");
    }
}

void
PrintStudyStatements(std::ostream& os, const ExperimentStudy& study)
{
    if (study.GetStatements().empty())
    {
        return;
    }
    ReportTable table(
        {"statement", "source", "quantity", "system", "scheduler", "needed", "ours", ""},
        5);
    for (const auto& statement : study.GetStatements())
    {
        const double ours = study.GetOurs(statement.figure);
        table.AddRow({statement.text,
                      statement.figure.source,
                      statement.figure.quantity,
                      statement.figure.system,
                      statement.figure.scheduler,
                      statement.FormatLimits(),
                      std::isnan(ours) ? "-" : FormatFixed(ours, 4),
                      statement.Judge(ours)});
    }
    os << "\nStatements\n";
    table.Print(os);
}

} // namespace mlcluster
} // namespace ns3
