/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-checker.h"

#include "ns3/shown-text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param node a node @return its dimension mask, empty if it leaves out no dimension
std::vector<bool>
GetMask(const ExecutionNode& node)
{
    const std::vector<bool>& mask = node.involvedDimensions;
    const bool all = std::find(mask.begin(), mask.end(), false) == mask.end();
    return all ? std::vector<bool>{} : mask;
}

/// @param node a collective @return what all members must agree on
std::string
DescribeOperation(const ExecutionNode& node)
{
    std::string text = ToString(node.collective) + " of " +
                       (node.peerBytes.empty() ? std::to_string(node.bytes) + " bytes"
                                               : std::string("unequal parts (comm_sizes)"));
    if (IsRooted(node.collective))
    {
        text += " with root " + std::to_string(node.peer);
    }
    const auto mask = GetMask(node);
    for (std::size_t i = 0; i < mask.size(); ++i)
    {
        text += (i == 0 ? " over dimensions " : ",") + std::string(mask[i] ? "1" : "0");
    }
    return text;
}

/// @param a a collective @param b another @return whether they can be parts of one
bool
Agree(const ExecutionNode& a, const ExecutionNode& b)
{
    const bool isUneven = !a.peerBytes.empty();
    return a.collective == b.collective && isUneven == !b.peerBytes.empty() &&
           (isUneven || a.bytes == b.bytes) && GetMask(a) == GetMask(b) &&
           (!IsRooted(a.collective) || a.peer == b.peer);
}

/// @param n a number @return ", and n more" unless it is 0
std::string
AndMore(uint64_t n)
{
    return n == 0 ? "" : " (and " + std::to_string(n) + " more after it)";
}

} // namespace

WorkloadChecker::WorkloadChecker(const ClusterWorkload& workload, Diagnostics& diagnostics)
    : m_workload(workload),
      m_groupTally(diagnostics),
      m_collectiveTally(diagnostics),
      m_messageTally(diagnostics)
{
    std::unordered_map<const ExecutionGraph*, uint32_t> known;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const auto& graph = workload.GetGraph(rank);
        const auto [entry, isNew] = known.emplace(&graph, m_indices.size());
        if (isNew)
        {
            m_indices.emplace_back(graph);
        }
        m_graphOf.push_back(entry->second);
    }
}

void
WorkloadChecker::Check()
{
    CheckGroups();
    CheckCollectives();
    CheckMessages();
}

void
WorkloadChecker::CheckGroups()
{
    for (const auto& [group, members] : m_workload.GetGroups())
    {
        CheckGroup(group, members);
    }
}

void
WorkloadChecker::CheckGroup(const std::string& group, const std::vector<uint32_t>& members)
{
    const Diagnostics::Place place{"", 0, DescribeGroup(group)};
    if (members.empty())
    {
        m_groupTally.Error(place, "has no ranks; a group needs at least one");
    }
    std::vector<bool> seen(m_workload.GetNRanks(), false);
    for (const uint32_t rank : members)
    {
        if (rank >= m_workload.GetNRanks())
        {
            m_groupTally.Error(place,
                               "contains rank " + std::to_string(rank) + ", but ranks are 0 to " +
                                   std::to_string(m_workload.GetNRanks() - 1));
        }
        else if (seen[rank])
        {
            m_groupTally.Error(place, "contains rank " + std::to_string(rank) + " twice");
        }
        else
        {
            seen[rank] = true;
        }
    }
}

void
WorkloadChecker::CheckCollectives()
{
    std::map<std::string, std::vector<uint32_t>> users;
    for (uint32_t rank = 0; rank < m_workload.GetNRanks(); ++rank)
    {
        for (const auto& run : m_indices[m_graphOf[rank]].GetRuns())
        {
            const auto& node = GetNode({rank, run}, 0);
            if (node.kind == NodeKind::Collective)
            {
                users[m_workload.ResolveGroup(rank, node.group)].push_back(rank);
            }
        }
    }
    for (const auto& [group, ranks] : users)
    {
        CheckCollectivesOf(group, ranks);
    }
}

void
WorkloadChecker::CheckCollectivesOf(const std::string& group, const std::vector<uint32_t>& users)
{
    const auto* members = FindGroup(group, users.front());
    if (!members)
    {
        return;
    }
    std::vector<bool> isMember(m_workload.GetNRanks(), false);
    std::map<uint32_t, uint32_t> rankOf;
    for (const uint32_t rank : *members)
    {
        if (rank < m_workload.GetNRanks())
        {
            isMember[rank] = true;
            rankOf.emplace(m_graphOf[rank], rank);
        }
    }
    CheckUsersAreMembers(group, isMember, users);
    std::vector<uint32_t> graphs;
    std::vector<End> ends;
    for (const auto& [graph, rank] : rankOf)
    {
        graphs.push_back(graph);
        ends.push_back(FindCollectives(rank, group));
    }
    const std::string& name = m_workload.GetNameInGraphs(group);
    if (name != group && !m_compared.emplace(name, members->size(), graphs).second)
    {
        return;
    }
    const auto longest = std::max_element(ends.begin(), ends.end(), [](const End& a, const End& b) {
        return a.run.GetSize() < b.run.GetSize();
    });
    for (const auto& end : ends)
    {
        CompareCollectives(group, *longest, end);
        CheckParts(end, members->size());
    }
}

const std::vector<uint32_t>*
WorkloadChecker::FindGroup(const std::string& group, uint32_t user)
{
    try
    {
        return &m_workload.GetGroup(group);
    }
    catch (const InputError&)
    {
        std::vector<std::string> names;
        for (const auto& entry : m_workload.GetGroups())
        {
            names.push_back(ShowName(entry.first));
        }
        names.resize(std::min<std::size_t>(names.size(), 20));
        const std::string defined =
            names.empty() ? "none is defined" : "defined are " + JoinWords(names);
        m_groupTally.Error(GetPlace(FindCollectives(user, group), 0),
                           DescribeGroup(group) + " is not defined; " + defined);
        return nullptr;
    }
}

void
WorkloadChecker::CheckUsersAreMembers(const std::string& group,
                                      const std::vector<bool>& isMember,
                                      const std::vector<uint32_t>& users)
{
    for (const uint32_t rank : users)
    {
        if (!isMember[rank])
        {
            m_groupTally.Error(GetPlace(FindCollectives(rank, group), 0),
                               DescribeGroup(group) + " does not contain this rank");
        }
    }
}

void
WorkloadChecker::CompareCollectives(const std::string& group, const End& longest, const End& other)
{
    const uint64_t common = other.run.GetSize();
    for (uint64_t i = 0; i < common; ++i)
    {
        if (!Agree(GetNode(longest, i), GetNode(other, i)))
        {
            m_collectiveTally.Error(
                GetPlace(other, i),
                "collective " + std::to_string(i) + " of " + DescribeGroup(group) + " is " +
                    DescribeOperation(GetNode(other, i)) + ", but on " + Describe(longest, i) +
                    " it is " + DescribeOperation(GetNode(longest, i)));
        }
    }
    if (common < longest.run.GetSize())
    {
        const auto& graph = m_workload.GetGraph(other.rank);
        m_collectiveTally.Error(
            {graph.GetFile(), 0, "rank " + std::to_string(other.rank)},
            "lacks collective " + std::to_string(common) + " of " + DescribeGroup(group) +
                ", which is " + DescribeOperation(GetNode(longest, common)) + " on " +
                Describe(longest, common) + AndMore(longest.run.GetSize() - common - 1));
    }
}

void
WorkloadChecker::CheckParts(const End& end, std::size_t nMembers)
{
    for (uint64_t i = 0; i < end.run.GetSize(); ++i)
    {
        const ExecutionNode& node = GetNode(end, i);
        long double sum = 0;
        for (const uint64_t bytes : node.peerBytes)
        {
            sum += bytes;
        }
        const std::size_t nParts = node.peerBytes.size();
        if (nParts > 0 && (nParts != nMembers || node.collective != CollectiveType::AllToAll ||
                           sum > std::numeric_limits<int64_t>::max()))
        {
            m_collectiveTally.Error(GetPlace(end, i),
                                    "comm_sizes has " + std::to_string(nParts) +
                                        " sizes; allowed are one for each of the " +
                                        std::to_string(nMembers) +
                                        " members of an all-to-all, in all below 2^63");
        }
    }
}

void
WorkloadChecker::CheckMessages()
{
    for (uint32_t rank = 0; rank < m_workload.GetNRanks(); ++rank)
    {
        for (const auto& run : m_indices[m_graphOf[rank]].GetRuns())
        {
            if (GetNode({rank, run}, 0).kind != NodeKind::Collective)
            {
                CheckPeer({rank, run});
            }
        }
    }
}

void
WorkloadChecker::CheckPeer(const End& end)
{
    const auto& node = GetNode(end, 0);
    uint32_t peer = 0;
    try
    {
        peer = m_workload.GetPeer(end.rank, node);
    }
    catch (const InputError& error)
    {
        m_messageTally.Error(GetPlace(end, 0), error.what());
        return;
    }
    if (peer >= m_workload.GetNRanks())
    {
        m_messageTally.Error(GetPlace(end, 0),
                             "the peer is rank " + std::to_string(peer) + ", but ranks are 0 to " +
                                 std::to_string(m_workload.GetNRanks() - 1));
        return;
    }
    if (peer == end.rank)
    {
        m_messageTally.Error(GetPlace(end, 0), "the peer is the rank itself");
        return;
    }
    ExecutionNode like;
    like.kind = node.kind == NodeKind::Send ? NodeKind::Receive : NodeKind::Send;
    like.tag = node.tag;
    like.peer = end.rank;
    if (node.peerIsOffset)
    {
        const auto& members = m_workload.GetGroup(m_workload.ResolveGroup(end.rank, node.group));
        like.peerIsOffset = true;
        like.peer = members.size() - node.peer % members.size();
        like.group = node.group;
    }
    CompareMessages(end, Find(peer, like));
}

void
WorkloadChecker::CompareMessages(const End& end, const End& other)
{
    const auto& first = GetNode(end, 0);
    const uint64_t common = std::min(end.run.GetSize(), other.run.GetSize());
    for (uint64_t i = 0; i < common && first.kind == NodeKind::Send; ++i)
    {
        const uint64_t sent = GetNode(end, i).bytes;
        const uint64_t expected = GetNode(other, i).bytes;
        if (sent != expected)
        {
            m_messageTally.Error(GetPlace(end, i),
                                 "sends " + std::to_string(sent) + " bytes, but " +
                                     Describe(other, i) + " expects " + std::to_string(expected));
        }
    }
    if (common < end.run.GetSize())
    {
        const std::string missing = first.kind == NodeKind::Send ? "receive from" : "send to";
        m_messageTally.Error(GetPlace(end, common),
                             "rank " + std::to_string(other.rank) + " has no matching " + missing +
                                 " rank " + std::to_string(end.rank) + " with tag " +
                                 std::to_string(first.tag) +
                                 AndMore(end.run.GetSize() - common - 1));
    }
}

const ExecutionNode&
WorkloadChecker::GetNode(const End& end, uint64_t i) const
{
    return m_workload.GetGraph(end.rank).GetNode(end.run.begin[i]);
}

Diagnostics::Place
WorkloadChecker::GetPlace(const End& end, uint64_t i) const
{
    return {m_workload.GetGraph(end.rank).GetFile(), 0, Describe(end, i)};
}

std::string
WorkloadChecker::Describe(const End& end, uint64_t i) const
{
    return "rank " + std::to_string(end.rank) + " " + mlcluster::Describe(GetNode(end, i));
}

std::string
WorkloadChecker::DescribeGroup(const std::string& group) const
{
    const bool isDefined = m_workload.GetGroups().count(group) > 0;
    return !isDefined && (group.empty() || group == "0") ? "the group of all ranks"
                                                         : "group \"" + group + "\"";
}

WorkloadChecker::End
WorkloadChecker::Find(uint32_t rank, const ExecutionNode& like) const
{
    return {rank, m_indices[m_graphOf[rank]].Find(like)};
}

WorkloadChecker::End
WorkloadChecker::FindCollectives(uint32_t rank, const std::string& group) const
{
    ExecutionNode like;
    like.kind = NodeKind::Collective;
    like.group = m_workload.GetNameInGraphs(group);
    return Find(rank, like);
}

} // namespace mlcluster
} // namespace ns3
