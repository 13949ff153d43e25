/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-report.h"

#include "ns3/quantity.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

double
GetBusFactor(CollectiveType type, uint32_t ranks)
{
    const double others = ranks > 0 ? (ranks - 1.0) / ranks : 0;
    switch (type)
    {
    case CollectiveType::AllReduce:
        return 2 * others;
    case CollectiveType::AllGather:
    case CollectiveType::ReduceScatter:
    case CollectiveType::ReduceScatterBlock:
    case CollectiveType::AllToAll:
    case CollectiveType::Gather:
    case CollectiveType::Scatter:
        return others;
    default:
        return 1;
    }
}

} // namespace

std::string
CommunicationReport::GetKind() const
{
    return isCollective ? "collectives" : "messages";
}

std::string
GetGroupFamily(const std::string& group)
{
    const std::size_t point = group.rfind('.');
    const bool isNumbered = point != std::string::npos && point + 1 < group.size() &&
                            group.find_first_not_of("0123456789", point + 1) == std::string::npos;
    return isNumbered ? group.substr(0, point) + ".*" : group;
}

uint64_t
CollectiveReport::GetBusBytes() const
{
    const bool isShard = type == CollectiveType::AllGather || type == CollectiveType::Gather;
    return isShard ? ranks * bytes : bytes;
}

double
CollectiveReport::GetAlgorithmBandwidth() const
{
    constexpr double PS_PER_BYTE_TO_GB = 1000;
    return endPs > startPs ? PS_PER_BYTE_TO_GB * GetBusBytes() / (endPs - startPs) : 0;
}

double
CollectiveReport::GetBusBandwidth() const
{
    return GetAlgorithmBandwidth() * GetBusFactor(type, ranks);
}

uint64_t
PhaseReport::GetFallenBack() const
{
    uint64_t phases = 0;
    for (const auto& [reason, count] : byMessages)
    {
        phases += count;
    }
    return phases;
}

std::string
PhaseReport::Describe() const
{
    std::string text = std::to_string(computed) + " phases computed";
    if (overlapped > 0)
    {
        text +=
            ", " + std::to_string(overlapped) + " of them beside other traffic, which is not exact";
    }
    text += ", " + std::to_string(GetFallenBack()) + " fell back to messages";
    for (const auto& [reason, count] : byMessages)
    {
        text += "; " + std::to_string(count) + ": " + reason;
    }
    return text;
}

std::string
RepeatReport::Describe() const
{
    if (periodPs == 0)
    {
        return "stopped while it was tried whether " + std::to_string(simulated) + " of " +
               std::to_string(simulated + skipped) + " repetitions tell the rest";
    }
    return std::to_string(simulated) + " of " + std::to_string(simulated + skipped) +
           " repetitions simulated; from then on " +
           (unit == 1 ? std::string("each adds") : "every " + std::to_string(unit) + " add") + " " +
           FormatPicoseconds(periodPs);
}

int64_t
RankReport::GetSumPs() const
{
    return computePs + exposedCommunicationPs + exposedMemoryPs + exposedLocalMemoryPs + hostPs +
           idlePs;
}

bool
MemoryReport::IsUsed() const
{
    return loadedBytes > 0 || storedBytes > 0 || computedBytes > 0;
}

void
RunReport::AddLocalMemory(const MemoryReport& usage)
{
    if (!usage.IsUsed())
    {
        return;
    }
    if (memory.empty() || memory[0].name != usage.name)
    {
        memory.insert(memory.begin(), MemoryReport{usage.name});
    }
    memory[0].loadedBytes += usage.loadedBytes;
    memory[0].storedBytes += usage.storedBytes;
    memory[0].computedBytes += usage.computedBytes;
}

std::vector<RunComparison>
CompareRuns(const std::vector<RunReport>& runs)
{
    std::vector<RunComparison> comparisons;
    for (std::size_t i = 1; i < runs.size() && !runs[0].partial; ++i)
    {
        if (runs[i].partial)
        {
            continue;
        }
        const int64_t reference = runs[0].finishTimePs;
        const int64_t difference = runs[i].finishTimePs - reference;
        const double error = difference == 0 ? 0 : static_cast<double>(difference) / reference;
        comparisons.push_back({runs[i].backend, runs[0].backend, error});
    }
    return comparisons;
}

} // namespace mlcluster
} // namespace ns3
