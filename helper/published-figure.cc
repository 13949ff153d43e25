/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "published-figure.h"

#include "csv-table.h"

#include "ns3/plain-number.h"
#include "ns3/quantity.h"
#include "ns3/report-table.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr double PS_PER_US = 1e6;
constexpr double US_PER_S = 1e6;

/// @param table the table @param line of it @return the figure
PublishedFigure
Parse(const CsvTable& table, const CsvTable::Line& line)
{
    PublishedFigure figure{table.Get(line, "quantity"),
                           table.Get(line, "system"),
                           table.Get(line, "scheduler"),
                           0,
                           table.Get(line, "source"),
                           table.Get(line, "group")};
    figure.Check();
    const std::string value = table.Get(line, "value");
    figure.value = figure.IsTime() ? ParsePicoseconds(value) / PS_PER_US : ParseNumber(value);
    if (figure.value <= 0)
    {
        throw InputError("'" + value + "' is no figure to compare with; it must be above 0");
    }
    return figure;
}

} // namespace

const std::vector<std::string>&
PublishedFigure::GetQuantities()
{
    static const std::vector<std::string> QUANTITIES = {"time",
                                                        "exposed",
                                                        "utilisation",
                                                        "mfu",
                                                        "tokens",
                                                        "compute-share",
                                                        "communication-share",
                                                        "remote-memory-share",
                                                        "local-memory-share",
                                                        "idle-share",
                                                        "communication-lead",
                                                        "speed-up",
                                                        "ratio",
                                                        "exposed-ratio",
                                                        "mean-speed-up",
                                                        "max-speed-up"};
    return QUANTITIES;
}

void
PublishedFigure::Check() const
{
    CheckWord("quantity", quantity, GetQuantities());
    const bool isRatio = quantity == "ratio" || quantity == "exposed-ratio";
    if (isRatio && system.find('/') == std::string::npos)
    {
        throw InputError("\"" + system + "\" is no ratio of two systems, such as a/b");
    }
}

bool
PublishedFigure::IsTime() const
{
    return quantity == "time" || quantity == "exposed";
}

std::string
PublishedFigure::Format(double of) const
{
    const bool isLong = value >= US_PER_S;
    const std::string unit = IsTime() ? isLong ? " s" : " us" : "";
    return FormatFixed(IsTime() && isLong ? of / US_PER_S : of, 3) + unit;
}

std::vector<PublishedFigure>
ReadPublishedFigures(const std::string& path, Diagnostics& diagnostics)
{
    const CsvTable table(path, {"quantity", "system", "scheduler", "value", "source"}, diagnostics);
    std::vector<PublishedFigure> figures;
    for (const auto& line : table.GetLines())
    {
        diagnostics.Collect(table.GetPlace(line, ""),
                            [&] { figures.push_back(Parse(table, line)); });
    }
    return figures;
}

} // namespace mlcluster
} // namespace ns3
