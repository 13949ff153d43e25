/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "process-group-table.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint64_t MOST_RANKS = 1 << 24; ///< members that a group can have

} // namespace

ProcessGroupTable::ProcessGroupTable(const PytorchTrace& trace,
                                     const std::vector<ProcessGroup>& kinetoGroups,
                                     uint64_t nRanks,
                                     MessageTally& tally)
    : m_trace(trace),
      m_nRanks(nRanks),
      m_tally(tally)
{
    for (const auto& group : kinetoGroups)
    {
        m_kineto.emplace(group.name, group);
    }
    for (const auto& [id, record] : trace.records)
    {
        if (record.group.empty())
        {
            continue;
        }
        Evidence first;
        first.position = m_evidence.size();
        Evidence& evidence = m_evidence.emplace(record.group, first).first->second;
        evidence.isHandle = record.groupIsHandle;
        const uint64_t size = record.groupSize > 0 ? record.groupSize : record.inSplits.size();
        evidence.size = evidence.size > 0 ? evidence.size : size;
        if (evidence.firstRank < 0 && record.firstRank >= 0 && record.groupSize > 0)
        {
            evidence.firstRank = record.firstRank;
            evidence.rankStride = record.groupSize == 1 ? 1 : record.rankStride;
        }
    }
}

const ProcessGroupTable::Group&
ProcessGroupTable::Resolve(const std::string& key)
{
    const auto known = m_groups.find(key);
    if (known != m_groups.end())
    {
        return known->second;
    }
    const Group& group = m_groups.emplace(key, Find(key)).first->second;
    Compare(key, group);
    return group;
}

const ProcessGroup*
ProcessGroupTable::FindDefinition(const std::string& key) const
{
    const auto found = m_evidence.find(key);
    const bool isHandle = found != m_evidence.end() && found->second.isHandle;
    for (const auto& group : m_trace.groups)
    {
        if ((isHandle ? group.handle : group.name) == key)
        {
            return &group;
        }
    }
    return nullptr;
}

ProcessGroupTable::Group
ProcessGroupTable::Find(const std::string& key) const
{
    if (const ProcessGroup* definition = FindDefinition(key))
    {
        return {definition->name, GetMembers(*definition)};
    }
    const auto found = m_evidence.find(key);
    const Evidence evidence = found == m_evidence.end() ? Evidence() : found->second;
    if (evidence.firstRank >= 0 && evidence.rankStride > 0)
    {
        return {key, MakeMembers(evidence.firstRank, evidence.rankStride, evidence.size)};
    }
    const auto kineto = m_kineto.find(key);
    if (kineto != m_kineto.end() && !evidence.isHandle)
    {
        return {key, GetMembers(kineto->second)};
    }
    if (evidence.size > 0 && (m_nRanks == 0 || evidence.size == m_nRanks))
    {
        return MakeAll(key, evidence.size);
    }
    const std::string name = key.empty() ? "without a name" : key;
    if (evidence.size == 0 && m_evidence.size() <= 1)
    {
        m_tally.Warning("its members are not recorded; taken to be all ranks",
                        {m_trace.file, 0, "process group " + name});
        return MakeAll(key, m_nRanks);
    }
    throw InputError(
        "members of process group " + name + " are not recorded" +
        (evidence.size > 0 ? ", only that there are " + std::to_string(evidence.size) : "") +
        "; execution traces of PyTorch 2.2 and newer define them in a node "
        "\"## process_group:init ##\"");
}

std::vector<uint32_t>
ProcessGroupTable::GetMembers(const ProcessGroup& definition) const
{
    if (!definition.ranks.empty())
    {
        return definition.ranks;
    }
    return MakeMembers(0, 1, definition.size > 0 ? definition.size : m_nRanks);
}

std::vector<uint32_t>
ProcessGroupTable::MakeMembers(uint64_t first, uint64_t stride, uint64_t size) const
{
    const uint64_t most = std::numeric_limits<uint32_t>::max();
    if (size > MOST_RANKS || first > most || stride > most || first + size * stride > most)
    {
        throw InputError("a process group of " + std::to_string(size) + " ranks from " +
                         std::to_string(first) + " by " + std::to_string(stride) +
                         " is too large; ranks below 2^32 and groups of 2^24 are allowed");
    }
    std::vector<uint32_t> members;
    for (uint64_t i = 0; i < size; ++i)
    {
        members.push_back(first + i * stride);
    }
    return members;
}

ProcessGroupTable::Group
ProcessGroupTable::MakeAll(const std::string& key, uint64_t size) const
{
    std::size_t nHandles = 0;
    std::size_t position = 0;
    for (const auto& [other, evidence] : m_evidence)
    {
        nHandles += evidence.isHandle ? 1 : 0;
        position = other == key ? evidence.position : position;
    }
    const auto found = m_evidence.find(key);
    const bool isHandle = found != m_evidence.end() && found->second.isHandle;
    const std::string handle = nHandles > 1 ? "handle-" + std::to_string(position) : "";
    return {isHandle ? handle : key, MakeMembers(0, 1, size)};
}

void
ProcessGroupTable::Compare(const std::string& key, const Group& group) const
{
    const auto kineto = m_kineto.find(key);
    if (kineto != m_kineto.end() && GetMembers(kineto->second) != group.ranks)
    {
        m_tally.Warning("has ranks " + JoinNumbers(group.ranks) +
                            " by the execution trace, which counts, and " +
                            JoinNumbers(GetMembers(kineto->second)) + " by the Kineto trace",
                        {m_trace.file, 0, "process group " + key});
    }
}

uint32_t
ProcessGroupTable::GetRank(const Group& group, int64_t rank)
{
    const uint64_t size = group.ranks.empty() ? MOST_RANKS : group.ranks.size();
    if (rank < 0 || static_cast<uint64_t>(rank) >= size)
    {
        throw InputError("rank " + std::to_string(rank) + " of process group " +
                         ShowName(group.name) + " is none of its " + std::to_string(size) +
                         " members");
    }
    return group.ranks.empty() ? static_cast<uint32_t>(rank) : group.ranks[rank];
}

CommunicatorGroups
ProcessGroupTable::GetGroups() const
{
    CommunicatorGroups groups;
    for (const auto& [key, group] : m_groups)
    {
        if (!group.name.empty() && !group.ranks.empty())
        {
            groups[group.name] = group.ranks;
        }
    }
    return groups;
}

} // namespace mlcluster
} // namespace ns3
