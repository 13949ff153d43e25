/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stuck-report.h"

#include "ns3/diagnostics.h"
#include "ns3/npu-application.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <set>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Ranks described one by one; further ones are counted.
constexpr uint32_t MAX_RANKS = 16;

std::string
DescribeNode(const ExecutionNode& node)
{
    std::ostringstream os;
    os << "node " << node.id << " \"" << node.name << "\" (" << ToString(node.kind);
    switch (node.kind)
    {
    case NodeKind::Send:
        os << " to rank " << node.peer << ", tag " << node.tag << ", " << node.bytes << " B";
        break;
    case NodeKind::Receive:
        os << " from rank " << node.peer << ", tag " << node.tag << ", " << node.bytes << " B";
        break;
    case NodeKind::Collective:
        os << " " << ToString(node.collective) << ", group \"" << node.group << "\", " << node.bytes
           << " B";
        break;
    default:
        break;
    }
    os << ")";
    return os.str();
}

std::string
DescribeWait(const NpuApplication::WaitState& state)
{
    std::string text = DescribeNode(*state.node);
    text += state.started ? " has started" : " has not started";
    if (!state.unmet.empty())
    {
        text += "; unmet dependencies: node " + JoinNumbers(state.unmet);
    }
    if (!state.peers.empty())
    {
        const bool isAccess =
            state.node->kind == NodeKind::MemoryLoad || state.node->kind == NodeKind::MemoryStore;
        text += (isAccess ? "; to be done together with rank " : "; waits for a message of rank ") +
                JoinNumbers(state.peers);
    }
    if (state.behind)
    {
        const bool isOnStream = RunsOnStream(*state.node) && RunsOnStream(*state.behind) &&
                                state.node->stream == state.behind->stream;
        text += "; behind it " +
                (isOnStream ? "on stream " + std::to_string(state.node->stream)
                            : "in its communicator") +
                " waits " + DescribeNode(*state.behind);
    }
    return text;
}

std::string
DescribeChain(const ApplicationContainer& applications, uint32_t rank)
{
    std::string text = "wait-for chain: ";
    std::set<uint32_t> seen;
    while (true)
    {
        const auto state = DynamicCast<NpuApplication>(applications.Get(rank))->GetWaitState();
        text += "rank " + std::to_string(rank);
        if (!state.node)
        {
            return text + " (finished)";
        }
        text += " node " + std::to_string(state.node->id);
        if (!seen.insert(rank).second)
        {
            return text + " (again)";
        }
        if (state.peers.empty())
        {
            return text;
        }
        text += " -> ";
        rank = state.peers.front();
    }
}

} // namespace

std::string
DescribeStuckRanks(const ApplicationContainer& applications)
{
    std::ostringstream lines;
    uint32_t stuck = 0;
    uint32_t first = 0;
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        const auto state = DynamicCast<NpuApplication>(applications.Get(rank))->GetWaitState();
        if (!state.node)
        {
            continue;
        }
        if (stuck == 0)
        {
            first = rank;
        }
        if (++stuck <= MAX_RANKS)
        {
            lines << "  rank " << rank << ": " << DescribeWait(state) << "\n";
        }
    }
    if (stuck == 0)
    {
        return "";
    }
    std::ostringstream os;
    os << stuck << " of " << applications.GetN() << " ranks cannot finish; nothing more happens at "
       << FormatPicoseconds(Simulator::Now().GetTimeStep()) << ":\n"
       << lines.str();
    if (stuck > MAX_RANKS)
    {
        os << "  and " << stuck - MAX_RANKS << " more ranks\n";
    }
    os << "  " << DescribeChain(applications, first);
    return os.str();
}

} // namespace mlcluster
} // namespace ns3
