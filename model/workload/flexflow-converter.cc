/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flexflow-converter.h"

#include "ns3/plain-number.h"
#include "ns3/quantity.h"
#include "ns3/shown-text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr uint32_t MOST_RANKS = 1 << 20; ///< devices that are believed

/// @param task a task @return how messages call it
std::string
Describe(const FlexflowTask& task)
{
    return "node" + std::to_string(task.id) + " " + ShowName(task.name);
}

} // namespace

FlexflowConverter::FlexflowConverter(const FlexflowGraph& graph, const FlexflowOptions& options)
    : m_graph(graph),
      m_options(options)
{
    CheckWord("time unit", options.timeUnit, {"s", "ms", "us", "ns"});
    if (options.parityMhz == 0)
    {
        throw InputError("the clock is 0 MHz; it must be above 0");
    }
}

std::vector<std::vector<ExecutionNode>>
FlexflowConverter::Convert(Diagnostics& diagnostics)
{
    std::vector<std::vector<ExecutionNode>> ranks;
    const std::size_t nErrors = diagnostics.GetErrors().size();
    diagnostics.Collect({m_graph.file, 0, ""}, [&] { ranks.resize(CountRanks()); });
    CheckCycles(diagnostics);
    if (diagnostics.GetErrors().size() > nErrors)
    {
        return {};
    }
    MessageTally errors(diagnostics);
    if (m_options.parity)
    {
        CheckEnds(errors);
    }
    const auto tags = NumberTransfers();
    for (std::size_t i = 0; i < m_graph.tasks.size(); ++i)
    {
        const FlexflowTask& task = m_graph.tasks[i];
        try
        {
            AddNodes(task, tags[i], ranks);
        }
        catch (const InputError& error)
        {
            errors.Error({m_graph.file, task.line, Describe(task)}, error.what());
        }
    }
    for (auto& nodes : ranks)
    {
        std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) {
            return a.id < b.id;
        });
    }
    KeepBooks();
    return ranks;
}

void
FlexflowConverter::CheckEnds(MessageTally& tally) const
{
    std::set<uint32_t> ranks;
    for (const auto& task : m_graph.tasks)
    {
        if (!task.isTransfer)
        {
            ranks.insert(task.device);
        }
    }
    for (const auto& task : m_graph.tasks)
    {
        for (const uint32_t device : {task.source, task.target})
        {
            if (task.isTransfer && ranks.count(device) == 0)
            {
                tally.Error({m_graph.file, task.line, Describe(task)},
                            "is from or to device " + std::to_string(device) +
                                ", which has no compute node; with parity only devices that have "
                                "one are ranks");
            }
        }
    }
}

std::vector<uint64_t>
FlexflowConverter::NumberTransfers() const
{
    const auto& tasks = m_graph.tasks;
    std::vector<std::size_t> transfers;
    for (std::size_t i = 0; i < tasks.size(); ++i)
    {
        if (tasks[i].isTransfer)
        {
            transfers.push_back(i);
        }
    }
    std::stable_sort(transfers.begin(), transfers.end(), [&](std::size_t a, std::size_t b) {
        return std::min(tasks[a].source, tasks[a].target) <
               std::min(tasks[b].source, tasks[b].target);
    });
    std::vector<uint64_t> tags(tasks.size(), 0);
    for (std::size_t tag = 0; tag < transfers.size(); ++tag)
    {
        tags[transfers[tag]] = tag;
    }
    return tags;
}

void
FlexflowConverter::AddNodes(const FlexflowTask& task,
                            uint64_t tag,
                            std::vector<std::vector<ExecutionNode>>& ranks) const
{
    if (!task.isTransfer)
    {
        ExecutionNode node = MakeCompute(task);
        node.dependencies = GetDependencies(task, task.device);
        ranks[task.device].push_back(std::move(node));
    }
    else if (!IsLocal(task))
    {
        ExecutionNode send = MakeMessage(task, NodeKind::Send, tag);
        send.dependencies = GetDependencies(task, task.source);
        ranks[task.source].push_back(std::move(send));
        ranks[task.target].push_back(MakeMessage(task, NodeKind::Receive, tag));
    }
}

bool
FlexflowConverter::IsOn(const FlexflowTask& task, uint32_t device)
{
    return task.isTransfer ? task.source == device || task.target == device : task.device == device;
}

bool
FlexflowConverter::IsLocal(const FlexflowTask& task)
{
    return task.isTransfer && task.source == task.target;
}

void
FlexflowConverter::CheckCycles(Diagnostics& diagnostics) const
{
    std::vector<ExecutionNode> nodes;
    for (const auto& task : m_graph.tasks)
    {
        nodes.emplace_back();
        nodes.back().id = task.id;
        nodes.back().name = task.name;
        for (const uint32_t parent : task.parents)
        {
            nodes.back().dependencies.push_back(m_graph.tasks[parent].id);
        }
    }
    ExecutionGraph(std::move(nodes), m_graph.file, diagnostics);
}

uint32_t
FlexflowConverter::CountRanks() const
{
    uint32_t last = 0;
    for (const auto& task : m_graph.tasks)
    {
        last = task.isTransfer ? std::max({last, task.source, task.target})
                               : std::max(last, task.device);
    }
    if (m_graph.tasks.empty())
    {
        throw InputError("the graph has no nodes");
    }
    if (last >= MOST_RANKS)
    {
        throw InputError("a device has the number " + std::to_string(last) +
                         "; the most that is allowed is " + std::to_string(MOST_RANKS - 1));
    }
    return last + 1;
}

ExecutionNode
FlexflowConverter::MakeCompute(const FlexflowTask& task) const
{
    ExecutionNode node;
    node.id = task.id;
    node.kind = NodeKind::Compute;
    node.durationPs = ParsePicoseconds(task.runTime + m_options.timeUnit);
    if (!m_options.parity)
    {
        node.name = task.name == task.phase ? task.name : task.name + " " + task.phase;
        return node;
    }
    constexpr double CYCLES_PER_MEGACYCLE = 1e6;
    const double cycles =
        std::trunc(ParseNumber(task.runTime) * (m_options.parityMhz * CYCLES_PER_MEGACYCLE));
    node.name = "COMP_NODE_" + task.name;
    node.durationPs = ParsePicoseconds(FormatNumber(cycles) + "us");
    return node;
}

ExecutionNode
FlexflowConverter::MakeMessage(const FlexflowTask& task, NodeKind kind, uint64_t tag) const
{
    const bool isSend = kind == NodeKind::Send;
    ExecutionNode node;
    node.id = task.id;
    node.kind = kind;
    node.name = task.name;
    if (m_options.parity)
    {
        node.name = (isSend ? "COMM_SEND_NODE_" : "COMM_RECV_NODE_") + task.name;
    }
    node.peer = isSend ? task.target : task.source;
    node.bytes = task.bytes;
    node.tag = tag;
    return node;
}

std::vector<uint64_t>
FlexflowConverter::GetDependencies(const FlexflowTask& task, uint32_t device) const
{
    std::vector<uint64_t> ids;
    std::vector<uint32_t> parents = task.parents;
    for (std::size_t i = 0; i < parents.size(); ++i)
    {
        const FlexflowTask& parent = m_graph.tasks[parents[i]];
        if (!IsOn(parent, device))
        {
            throw InputError("waits for " + Describe(parent) + " (line " +
                             std::to_string(parent.line) + "), which has no part on device " +
                             std::to_string(device) + "; a transfer has to be between them");
        }
        if (!IsLocal(parent))
        {
            ids.push_back(parent.id);
            continue;
        }
        for (const uint32_t ancestor : parent.parents)
        {
            if (std::find(parents.begin(), parents.end(), ancestor) == parents.end())
            {
                parents.push_back(ancestor);
            }
        }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

void
FlexflowConverter::KeepBooks()
{
    for (const auto& task : m_graph.tasks)
    {
        const std::string kind = task.isTransfer ? "transfers" : "compute nodes";
        if (IsLocal(task))
        {
            m_ledger.LeaveOut(kind, "within a device", "node" + std::to_string(task.id));
        }
        else
        {
            m_ledger.Keep(kind);
        }
        for (const uint32_t position : task.parents)
        {
            const FlexflowTask& parent = m_graph.tasks[position];
            if (IsLocal(task) || IsLocal(parent))
            {
                m_ledger.LeaveOut("edges",
                                  "of a transfer within a device; what it linked is linked",
                                  std::to_string(parent.id) + " -> " + std::to_string(task.id));
            }
            else
            {
                m_ledger.Keep("edges");
            }
        }
    }
}

const ConversionLedger&
FlexflowConverter::GetLedger() const
{
    return m_ledger;
}

} // namespace mlcluster
} // namespace ns3
