/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gemm-table.h"

#include "ns3/csv-rows.h"
#include "ns3/message-tally.h"
#include "ns3/plain-number.h"
#include "ns3/trace-file.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t LARGEST_SIZE = uint64_t{1} << 40;

const std::vector<std::string> HEADING{"Layer", "m", "n", "k", "CustomizedParallelization"};

/// @param cells of a row @param nColumns of the table @return its layer @throw InputError if it has
/// none
GemmLayer
ReadRow(const std::vector<std::string>& cells, std::size_t nColumns)
{
    if (cells.size() != nColumns)
    {
        throw InputError(std::to_string(cells.size()) + " columns are given; needed are " +
                         std::to_string(nColumns));
    }
    if (cells[0].empty() || cells[0].find_first_of(" \t") != std::string::npos)
    {
        throw InputError("the name \"" + cells[0] + "\" is empty or has blanks");
    }
    const GemmLayer layer{cells[0],
                          ParseLimitedCount(cells[1], LARGEST_SIZE),
                          ParseLimitedCount(cells[2], LARGEST_SIZE),
                          ParseLimitedCount(cells[3], LARGEST_SIZE),
                          nColumns == HEADING.size() ? cells[4] : ""};
    if (layer.m == 0 || layer.n == 0 || layer.k == 0)
    {
        throw InputError("m, n and k must be above 0");
    }
    if (nColumns == HEADING.size())
    {
        CheckWord("policy of a layer", layer.policy, GetGemmPolicies());
    }
    return layer;
}

} // namespace

const std::vector<std::string>&
GetGemmPolicies()
{
    static const std::vector<std::string> POLICIES{"DATA",
                                                   "MODEL",
                                                   "HYBRID_DATA_MODEL",
                                                   "HYBRID_MODEL_DATA"};
    return POLICIES;
}

void
ReadGemmTable(const std::string& path,
              std::optional<bool> hasPolicies,
              const std::function<void(const GemmLayer&)>& use,
              Diagnostics& diagnostics)
{
    const auto rows = CutCsvRows(ReadTraceFile(path));
    const std::size_t nGiven = rows.empty() ? 0 : rows[0].cells.size();
    const std::size_t nColumns =
        hasPolicies.value_or(nGiven == HEADING.size()) ? HEADING.size() : HEADING.size() - 1;
    const std::vector<std::string> heading(HEADING.begin(), HEADING.begin() + nColumns);
    if (rows.empty() || rows[0].cells != heading)
    {
        throw InputError("the first line must be " + JoinWords(heading));
    }
    MessageTally tally(diagnostics);
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        try
        {
            use(ReadRow(rows[i].cells, nColumns));
        }
        catch (const InputError& error)
        {
            tally.Error({path, rows[i].line, rows[i].cells[0]}, error.what());
        }
    }
}

} // namespace mlcluster
} // namespace ns3
