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
        for (const SharedText& group : m_workload.GetGraph(rank).GetGroups())
        {
            users[m_workload.ResolveGroup(rank, group)].push_back(rank);
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
        const NodeHandle expected = GetNode(longest, i);
        const NodeHandle node = GetNode(other, i);
        if (!Agree(*expected, *node))
        {
            m_collectiveTally.Error(GetPlace(other, i),
                                    "collective " + std::to_string(i) + " of " +
                                        DescribeGroup(group) + " is " + DescribeOperation(*node) +
                                        ", but on " + Describe(longest, i) + " it is " +
                                        DescribeOperation(*expected));
        }
    }
    if (common < longest.run.GetSize())
    {
        const auto& graph = m_workload.GetGraph(other.rank);
        m_collectiveTally.Error(
            {graph.GetFile(), 0, "rank " + std::to_string(other.rank)},
            "lacks collective " + std::to_string(common) + " of " + DescribeGroup(group) +
                ", which is " + DescribeOperation(*GetNode(longest, common)) + " on " +
                Describe(longest, common) + AndMore(longest.run.GetSize() - common - 1));
    }
}

void
WorkloadChecker::CheckParts(const End& end, std::size_t nMembers)
{
    const bool hasParts = m_workload.GetGraph(end.rank).GetTotals().hasPeerBytes;
    for (uint64_t i = 0; hasParts && i < end.run.GetSize(); ++i)
    {
        const NodeHandle node = GetNode(end, i);
        long double sum = 0;
        for (const uint64_t bytes : node->peerBytes)
        {
            sum += bytes;
        }
        const std::size_t nParts = node->peerBytes.size();
        if (nParts > 0 && (nParts != nMembers || node->collective != CollectiveType::AllToAll ||
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
        const CommunicationIndex& index = m_indices[m_graphOf[rank]];
        for (uint32_t run = 0; run < index.GetNRuns(); ++run)
        {
            if (index.GetKey(run).kind != NodeKind::Collective)
            {
                CheckPeer({rank, index.GetRun(run)}, index.GetKey(run));
            }
        }
    }
}

void
WorkloadChecker::CheckPeer(const End& end, const CommunicationKey& key)
{
    uint32_t peer = 0;
    try
    {
        peer = key.peerIsOffset ? m_workload.GetPeer(end.rank, key.peer, key.group) : key.peer;
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
    CommunicationKey like = key;
    like.kind = key.kind == NodeKind::Send ? NodeKind::Receive : NodeKind::Send;
    like.peer = end.rank;
    if (key.peerIsOffset)
    {
        const auto& members = m_workload.GetGroup(m_workload.ResolveGroup(end.rank, key.group));
        like.peer = members.size() - key.peer % members.size();
    }
    CompareMessages(end, Find(peer, like), key);
}

void
WorkloadChecker::CompareMessages(const End& end, const End& other, const CommunicationKey& key)
{
    const uint64_t common = std::min(end.run.GetSize(), other.run.GetSize());
    for (uint64_t i = 0; i < common && key.kind == NodeKind::Send; ++i)
    {
        const uint64_t sent = end.run.bytes[i];
        const uint64_t expected = other.run.bytes[i];
        if (sent != expected)
        {
            m_messageTally.Error(GetPlace(end, i),
                                 "sends " + std::to_string(sent) + " bytes, but " +
                                     Describe(other, i) + " expects " + std::to_string(expected));
        }
    }
    if (common < end.run.GetSize())
    {
        const std::string missing = key.kind == NodeKind::Send ? "receive from" : "send to";
        m_messageTally.Error(GetPlace(end, common),
                             "rank " + std::to_string(other.rank) + " has no matching " + missing +
                                 " rank " + std::to_string(end.rank) + " with tag " +
                                 std::to_string(key.tag) + AndMore(end.run.GetSize() - common - 1));
    }
}

NodeHandle
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
    return "rank " + std::to_string(end.rank) + " " + mlcluster::Describe(*GetNode(end, i));
}

std::string
WorkloadChecker::DescribeGroup(const std::string& group) const
{
    const bool isDefined = m_workload.GetGroups().count(group) > 0;
    return !isDefined && (group.empty() || group == "0") ? "the group of all ranks"
                                                         : "group \"" + group + "\"";
}

WorkloadChecker::End
WorkloadChecker::Find(uint32_t rank, const CommunicationKey& key) const
{
    return {rank, m_indices[m_graphOf[rank]].Find(key)};
}

WorkloadChecker::End
WorkloadChecker::FindCollectives(uint32_t rank, const std::string& group) const
{
    ExecutionNode like;
    like.kind = NodeKind::Collective;
    like.group = m_workload.GetNameInGraphs(group);
    return Find(rank, CommunicationKey(like));
}

} // namespace mlcluster
} // namespace ns3
