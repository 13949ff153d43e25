/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-algorithm.h"

#include "ns3/chakra-reader.h"
#include "ns3/message-tally.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

ChakraAlgorithm::ChakraAlgorithm(const std::string& prefix, std::optional<CollectiveType> type)
    : m_prefix(prefix),
      m_type(type)
{
    Diagnostics diagnostics;
    const uint32_t nMembers = CountChakraRanks(prefix);
    if (nMembers == 0)
    {
        diagnostics.Error({GetPath(0), 0, ""}, "there is no such file");
    }
    for (uint32_t position = 0; position < nMembers; ++position)
    {
        const std::size_t nErrors = diagnostics.GetErrors().size();
        const auto graph = ReadChakraGraph(GetPath(position), ChakraOptions(), diagnostics);
        m_schedules.emplace_back();
        if (diagnostics.GetErrors().size() == nErrors)
        {
            AddMember(*graph, position, diagnostics);
        }
    }
    if (!diagnostics.HasErrors())
    {
        CheckCounts(diagnostics);
    }
    diagnostics.ThrowIfErrors();
}

std::string
ChakraAlgorithm::GetPath(uint32_t position) const
{
    const std::string path = FindChakraFile(m_prefix, position);
    return path.empty() ? m_prefix + "." + std::to_string(position) + ".et" : path;
}

void
ChakraAlgorithm::AddMember(const ExecutionGraph& graph, uint32_t position, Diagnostics& diagnostics)
{
    MessageTally errors(diagnostics);
    std::vector<uint32_t> steps(graph.GetNNodes());
    for (const uint32_t index : graph.GetIssueOrder())
    {
        const NodeHandle node = graph.GetNode(index);
        const Diagnostics::Place place{graph.GetFile(), 0, Describe(*node)};
        std::vector<uint32_t> after;
        for (const uint64_t id : node->dependencies)
        {
            after.push_back(steps[graph.FindNode(id)]);
        }
        const bool isSend = node->kind == NodeKind::Send;
        const bool isReceive = node->kind == NodeKind::Receive;
        std::vector<Transfer> transfers;
        if (isSend || isReceive)
        {
            transfers.push_back(MakeTransfer(*node, position));
        }
        else if (node->kind != NodeKind::Compute)
        {
            errors.Error(place,
                         "is of kind " + ToString(node->kind) +
                             "; a collective's schedule has send, receive and compute nodes only");
        }
        steps[index] =
            m_schedules[position].AddStep(after,
                                          isSend ? transfers : std::vector<Transfer>(),
                                          isReceive ? transfers : std::vector<Transfer>(),
                                          node->kind == NodeKind::Compute ? node->durationPs : 0);
    }
}

Transfer
ChakraAlgorithm::MakeTransfer(const ExecutionNode& node, uint32_t position)
{
    const bool isSend = node.kind == NodeKind::Send;
    const Connection connection{isSend ? position : node.peer,
                                isSend ? node.peer : position,
                                node.tag};
    Count& count = m_counts[connection];
    const uint32_t order = isSend ? count.nSends++ : count.nReceives++;
    const auto [entry, isNew] = m_tags.try_emplace({connection, order});
    if (isNew)
    {
        entry->second = m_nTags[{std::get<0>(connection), std::get<1>(connection)}]++;
    }
    return {node.peer, entry->second, node.bytes, false};
}

void
ChakraAlgorithm::CheckCounts(Diagnostics& diagnostics) const
{
    MessageTally errors(diagnostics);
    for (const auto& [connection, count] : m_counts)
    {
        const auto [from, to, tag] = connection;
        if (count.nSends != count.nReceives)
        {
            errors.Error({GetPath(from), 0, ""},
                         "has " + std::to_string(count.nSends) + " sends to member " +
                             std::to_string(to) + " with tag " + std::to_string(tag) +
                             ", the file of that member " + std::to_string(count.nReceives) +
                             " receives of them; there are files of " +
                             std::to_string(m_schedules.size()) + " members");
        }
    }
}

std::string
ChakraAlgorithm::GetName() const
{
    return m_prefix;
}

std::string
ChakraAlgorithm::WhyNot(CollectiveType type, uint32_t size) const
{
    if (m_type && *m_type != type)
    {
        return m_prefix + " is for " + ToString(*m_type);
    }
    if (size != m_schedules.size())
    {
        return "there are files " + m_prefix + ".POSITION.et for a group of " +
               std::to_string(m_schedules.size()) + " members, not of " + std::to_string(size);
    }
    return "";
}

RankSchedule
ChakraAlgorithm::Build(const CollectiveRequest&, uint32_t position) const
{
    return m_schedules[position];
}

} // namespace mlcluster
} // namespace ns3
