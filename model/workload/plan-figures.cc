/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-figures.h"

#include "workload-tally.h"

#include "ns3/quantity.h"
#include "ns3/report-table.h"

namespace ns3
{
namespace mlcluster
{

void
PlanFigures::AddTraffic(const std::string& family,
                        const std::string& operation,
                        const std::string& formula,
                        Amount bytes)
{
    if (0 < bytes)
    {
        m_traffic.push_back({family, operation, formula, bytes.Get("bytes of " + formula)});
    }
}

void
PlanFigures::AddMemory(const std::string& name, const std::string& formula, Amount bytes)
{
    if (0 < bytes)
    {
        m_memory.push_back({name, bytes.Get("bytes of " + name), formula});
    }
}

const std::vector<TrafficTerm>&
PlanFigures::GetTraffic() const
{
    return m_traffic;
}

const std::vector<MemoryPart>&
PlanFigures::GetMemory() const
{
    return m_memory;
}

uint64_t
PlanFigures::GetMemoryBytes() const
{
    Amount total;
    for (const auto& part : m_memory)
    {
        total += part.bytes;
    }
    return total.Get("memory of a rank");
}

void
PlanFigures::Print(std::ostream& os, uint64_t capacityBytes) const
{
    ReportTable table({"family", "operation", "formula", "bytes of a rank"}, 3);
    for (const auto& term : m_traffic)
    {
        table.AddRow({WorkloadTally::GetName(term.family),
                      term.operation,
                      term.formula,
                      FormatRounded(static_cast<double>(term.bytes), "B")});
    }
    os << "Most of a rank, by formula\n";
    table.Print(os);
    os << "\nMemory of the fullest rank\n";
    PrintMemoryParts(os, m_memory);
    const uint64_t bytes = GetMemoryBytes();
    os << "All: " << FormatRounded(static_cast<double>(bytes), "B");
    if (capacityBytes > 0)
    {
        const double share = 100 * static_cast<double>(bytes) / static_cast<double>(capacityBytes);
        os << ", " << FormatFixed(share, 1) << " % of " << FormatBytes(capacityBytes);
    }
    os << "\n\n" << symbols;
}

void
PrintMemoryParts(std::ostream& os, const std::vector<MemoryPart>& parts)
{
    ReportTable table({"part", "formula", "bytes"}, 2);
    for (const auto& part : parts)
    {
        table.AddRow(
            {part.name, part.formula, FormatRounded(static_cast<double>(part.bytes), "B")});
    }
    table.Print(os);
}

} // namespace mlcluster
} // namespace ns3
