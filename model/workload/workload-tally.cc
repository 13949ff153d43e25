/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-tally.h"

#include "group-mapping.h"

#include "ns3/report-table.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr std::size_t MAX_ROWS = 16;  // of the table of ranks
constexpr std::size_t MAX_RANGES = 8; // of ranks in a row
constexpr double PS_PER_US = 1e6;

} // namespace

std::string
WorkloadTally::Family::GetMembers() const
{
    return std::to_string(fewest) + (fewest < most ? " to " + std::to_string(most) : "");
}

WorkloadTally::WorkloadTally(const ClusterWorkload& workload, const ClusterTopology* topology)
{
    std::map<const ExecutionGraph*, std::size_t> known;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const auto [share, isNew] = known.emplace(&workload.GetGraph(rank), m_shares.size());
        if (isNew)
        {
            m_shares.push_back({{}, Count(workload.GetGraph(rank))});
        }
        m_shares[share->second].ranks.push_back(rank);
    }
    PlaceFamilies(workload, topology);
}

WorkloadTally::Work
WorkloadTally::Count(const ExecutionGraph& graph)
{
    Work work;
    work.nodes = graph.GetNNodes();
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const NodeHandle node = graph.GetNode(i);
        if (node->kind == NodeKind::Compute)
        {
            work.operations += static_cast<double>(node->operations);
            work.tensorBytes += static_cast<double>(node->tensorBytes);
            work.computePs += static_cast<double>(node->durationPs);
        }
        else if (node->kind == NodeKind::Collective || node->kind == NodeKind::Send)
        {
            const bool isSend = node->kind == NodeKind::Send;
            auto& amounts =
                work.traffic[{AddFamily(*node), isSend ? "send" : ToString(node->collective)}];
            amounts.nodes += 1;
            amounts.bytes += static_cast<double>(node->bytes);
        }
        else if (node->kind == NodeKind::MemoryLoad || node->kind == NodeKind::MemoryStore)
        {
            auto& amounts = work.traffic[{GetMemoryName(node->location), ToString(node->kind)}];
            amounts.nodes += 1;
            amounts.bytes += static_cast<double>(node->tensorBytes);
        }
    }
    return work;
}

std::string
WorkloadTally::AddFamily(const ExecutionNode& node)
{
    const std::vector<bool>& mask = node.involvedDimensions;
    std::string name = node.group == "0" ? "" : node.group;
    if (std::find(mask.begin(), mask.end(), false) == mask.end())
    {
        m_families[name].group = node.group;
        return name;
    }
    std::vector<uint32_t> involved;
    for (std::size_t i = 0; i < mask.size(); ++i)
    {
        if (mask[i])
        {
            involved.push_back(static_cast<uint32_t>(i));
        }
    }
    name += (name.empty() ? "" : " in ") +
            (involved.empty()
                 ? std::string("no dimension")
                 : (involved.size() == 1 ? "dimension " : "dimensions ") + JoinNumbers(involved));
    m_families[name].group = node.group;
    m_families[name].dimensions = mask;
    return name;
}

void
WorkloadTally::PlaceFamilies(const ClusterWorkload& workload, const ClusterTopology* topology)
{
    std::map<std::string, Groups> groupsOf;
    for (const auto& [name, members] : workload.GetGroups())
    {
        groupsOf[workload.GetNameInGraphs(name)].push_back(members);
    }
    for (auto& entry : m_families)
    {
        Family& family = entry.second;
        const auto found = groupsOf.find(family.group);
        Groups groups = found == groupsOf.end() ? Groups{workload.GetGroup("")} : found->second;
        if (!family.dimensions.empty() && topology)
        {
            groups = Cut(groups, family.dimensions, *topology);
        }
        family.nGroups = groups.size();
        family.fewest = groups.front().size();
        for (const auto& members : groups)
        {
            family.fewest = std::min(family.fewest, members.size());
            family.most = std::max(family.most, members.size());
        }
        family.where = topology ? DescribeMapping(groups, *topology) : "";
    }
}

WorkloadTally::Groups
WorkloadTally::Cut(const Groups& groups,
                   const std::vector<bool>& dimensions,
                   const ClusterTopology& topology)
{
    Groups parts;
    for (const auto& members : groups)
    {
        std::map<uint32_t, std::vector<uint32_t>> byFirst;
        for (const uint32_t rank : members)
        {
            uint32_t first = rank;
            for (uint32_t k = 0; k < dimensions.size() && k < topology.GetNDimensions(); ++k)
            {
                first -= dimensions[k] ? topology.GetDigit(rank, k) * topology.GetStride(k) : 0;
            }
            byFirst[first].push_back(rank);
        }
        for (auto& part : byFirst)
        {
            parts.push_back(std::move(part.second));
        }
    }
    return parts;
}

void
WorkloadTally::Extrapolate(const WorkloadTally& larger, double times)
{
    const auto add = [times](double& first, double second) { first += times * (second - first); };
    for (std::size_t i = 0; i < m_shares.size(); ++i)
    {
        Work& work = m_shares[i].work;
        const Work& more = larger.m_shares[i].work;
        add(work.nodes, more.nodes);
        add(work.operations, more.operations);
        add(work.tensorBytes, more.tensorBytes);
        add(work.computePs, more.computePs);
        for (auto& [key, amounts] : work.traffic)
        {
            add(amounts.nodes, more.traffic.at(key).nodes);
            add(amounts.bytes, more.traffic.at(key).bytes);
        }
    }
}

const std::vector<WorkloadTally::Share>&
WorkloadTally::GetShares() const
{
    return m_shares;
}

const std::map<std::string, WorkloadTally::Family>&
WorkloadTally::GetFamilies() const
{
    return m_families;
}

std::map<WorkloadTally::Key, WorkloadTally::Traffic>
WorkloadTally::GetTraffic() const
{
    std::map<Key, Traffic> all;
    for (const auto& share : m_shares)
    {
        for (const auto& [key, amounts] : share.work.traffic)
        {
            Traffic& traffic = all[key];
            traffic.fewest = std::min(traffic.fewest, amounts.nodes);
            traffic.most = std::max(traffic.most, amounts.nodes);
            traffic.bytesPerRank = std::max(traffic.bytesPerRank, amounts.bytes);
            traffic.bytes += amounts.bytes * static_cast<double>(share.ranks.size());
        }
    }
    return all;
}

void
WorkloadTally::Print(std::ostream& os, const std::string& period) const
{
    os << "Groups\n";
    PrintFamilies(os);
    os << "\nCommunication and accesses to memory in a " << period << "\n";
    PrintTraffic(os);
    os << "\nRanks, in a " << period << "\n";
    PrintRanks(os);
}

void
WorkloadTally::PrintFamilies(std::ostream& os) const
{
    ReportTable table({"family", "where a group lies", "groups", "members"}, 2);
    for (const auto& [name, family] : m_families)
    {
        table.AddRow(
            {GetName(name), family.where, std::to_string(family.nGroups), family.GetMembers()});
    }
    table.Print(os);
}

void
WorkloadTally::PrintTraffic(std::ostream& os) const
{
    ReportTable table(
        {"family", "operation", "fewest", "most", "bytes of a rank", "bytes of all ranks"},
        2);
    for (const auto& [key, traffic] : GetTraffic())
    {
        table.AddRow({GetName(key.first),
                      key.second,
                      FormatFixed(traffic.fewest, 0),
                      FormatFixed(traffic.most, 0),
                      FormatRounded(traffic.bytesPerRank, "B"),
                      FormatRounded(traffic.bytes, "B")});
    }
    table.Print(os);
    os << "Bytes of a collective: buffer of a rank, of an all-gather the shard of a rank\n";
}

void
WorkloadTally::PrintRanks(std::ostream& os) const
{
    std::vector<std::pair<std::vector<std::string>, std::vector<uint32_t>>> kinds;
    std::map<std::vector<std::string>, std::size_t> known;
    const auto orNone = [](double value, const std::string& text) {
        return value > 0 ? text : "-";
    };
    for (const auto& [ranks, work] : m_shares)
    {
        const std::vector<std::string> cells{
            FormatFixed(work.nodes, 0),
            orNone(work.operations, FormatRounded(work.operations, "FLOP")),
            orNone(work.tensorBytes, FormatRounded(work.tensorBytes, "B")),
            orNone(work.computePs, FormatFixed(work.computePs / PS_PER_US, 3))};
        const auto [kind, isNew] = known.emplace(cells, kinds.size());
        if (isNew)
        {
            kinds.push_back({cells, {}});
        }
        auto& all = kinds[kind->second].second;
        all.insert(all.end(), ranks.begin(), ranks.end());
    }
    ReportTable table({"ranks", "nodes", "work of a rank", "memory traffic", "compute time(us)"},
                      1);
    for (std::size_t i = 0; i < std::min(kinds.size(), MAX_ROWS); ++i)
    {
        auto& [cells, ranks] = kinds[i];
        std::sort(ranks.begin(), ranks.end());
        std::vector<std::string> row{FormatRanges(ranks, MAX_RANGES)};
        row.insert(row.end(), cells.begin(), cells.end());
        table.AddRow(row);
    }
    table.Print(os);
    if (kinds.size() > MAX_ROWS)
    {
        os << "... and " << kinds.size() - MAX_ROWS << " more kinds of ranks\n";
    }
}

std::string
WorkloadTally::GetName(const std::string& family)
{
    return family.empty() ? "all ranks" : family;
}

std::string
WorkloadTally::GetMemoryName(uint32_t location)
{
    return location == MemoryLocation::LOCAL    ? "own memory"
           : location <= MemoryLocation::REMOTE ? "remote memory"
                                                : "memory " + std::to_string(location);
}

} // namespace mlcluster
} // namespace ns3
