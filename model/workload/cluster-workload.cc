/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-workload.h"

#include "workload-checker.h"

#include "ns3/memory-size.h"
#include "ns3/shown-text.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

ClusterWorkload::ClusterWorkload(std::vector<std::shared_ptr<const ExecutionGraph>> graphs,
                                 CommunicatorGroups groups,
                                 const GroupFamilies& families)
    : m_graphs(std::move(graphs)),
      m_groups(std::move(groups)),
      m_allRanks(m_graphs.size())
{
    std::iota(m_allRanks.begin(), m_allRanks.end(), 0);
    for (const auto& [family, numbers] : families)
    {
        if (m_groups.count(family) > 0 || numbers.size() != m_graphs.size())
        {
            throw InputError("the family of groups \"" + family + "\" has " +
                             std::to_string(numbers.size()) + " numbers for " +
                             std::to_string(m_graphs.size()) + " ranks, or the name of a group");
        }
        for (const uint32_t number : numbers)
        {
            const auto group = m_groups.find(family + "." + std::to_string(number));
            if (group == m_groups.end())
            {
                throw InputError("communicator group \"" + family + "." + std::to_string(number) +
                                 "\" is not defined");
            }
            m_families[family].push_back(&group->first);
            m_familyOf[group->first] = family;
        }
    }
}

void
ClusterWorkload::Check(Diagnostics& diagnostics) const
{
    WorkloadChecker(*this, diagnostics).Check();
}

uint32_t
ClusterWorkload::GetNRanks() const
{
    return m_graphs.size();
}

const ExecutionGraph&
ClusterWorkload::GetGraph(uint32_t rank) const
{
    return *m_graphs.at(rank);
}

const std::vector<uint32_t>&
ClusterWorkload::GetGroup(const std::string& name) const
{
    const auto found = m_groups.find(name);
    if (found != m_groups.end())
    {
        return found->second;
    }
    if (name.empty() || name == "0")
    {
        return m_allRanks;
    }
    throw InputError("communicator group " + ShowName(name) + " is not defined");
}

std::string
ClusterWorkload::ResolveGroup(uint32_t rank, const std::string& name) const
{
    const auto found = m_families.find(name);
    return found == m_families.end() ? name : *found->second.at(rank);
}

const std::string&
ClusterWorkload::GetNameInGraphs(const std::string& group) const
{
    const auto found = m_familyOf.find(group);
    return found == m_familyOf.end() ? group : found->second;
}

uint32_t
ClusterWorkload::GetPeer(uint32_t rank, const ExecutionNode& node) const
{
    return node.peerIsOffset ? GetPeer(rank, node.peer, node.group) : node.peer;
}

uint32_t
ClusterWorkload::GetPeer(uint32_t rank, uint32_t offset, const std::string& name) const
{
    const std::string group = ResolveGroup(rank, name);
    const auto& members = GetGroup(group);
    const auto own = &members == &m_allRanks ? members.begin() + rank
                                             : std::find(members.begin(), members.end(), rank);
    if (own == members.end())
    {
        throw InputError("communicator group \"" + group + "\" does not contain this rank");
    }
    return members[(uint64_t(own - members.begin()) + offset) % members.size()];
}

ExecutionNode
ClusterWorkload::GetResolvedNode(uint32_t rank, uint32_t index) const
{
    ExecutionNode node = *GetGraph(rank).GetNode(index);
    node.peer = GetPeer(rank, node);
    node.peerIsOffset = false;
    node.group = ResolveGroup(rank, node.group);
    return node;
}

const CommunicatorGroups&
ClusterWorkload::GetGroups() const
{
    return m_groups;
}

uint64_t
ClusterWorkload::GetGroupBytes() const
{
    uint64_t bytes = GetContentBytes(m_graphs) + GetContentBytes(m_allRanks);
    for (const auto& [name, members] : m_groups)
    {
        bytes += GetMapNodeBytes(sizeof(name) + sizeof(members)) + GetContentBytes(name) +
                 GetContentBytes(members);
    }
    for (const auto& [name, groups] : m_families)
    {
        bytes += GetMapNodeBytes(sizeof(name) + sizeof(groups)) + GetContentBytes(groups);
    }
    return bytes + m_familyOf.size() * GetMapNodeBytes(2 * sizeof(std::string));
}

} // namespace mlcluster
} // namespace ns3
