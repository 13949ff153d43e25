/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-writer.h"

#include <array>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param ids nodes @param more other nodes; added to the former
void
Append(GraphWriter::Ids& ids, const GraphWriter::Ids& more)
{
    ids.insert(ids.end(), more.begin(), more.end());
}

} // namespace

GraphWriter::GraphWriter(const RankLayout& layout, uint64_t firstRingTag)
    : m_layout(layout),
      m_firstRingTag(firstRingTag)
{
}

void
GraphWriter::SetScope(const std::string& prefix, int32_t repetition)
{
    m_prefix = prefix;
    m_repetition = repetition;
}

const std::string&
GraphWriter::GetPrefix() const
{
    return m_prefix;
}

GraphWriter::Ids
GraphWriter::Run(const LayerProgram& program, Part part, const Ids& input, Ids& ids)
{
    std::array<uint64_t, 2> nMessages{0, 0};
    ids.resize(program.steps.size());
    Ids output = input;
    for (std::size_t i = 0; i < program.steps.size(); ++i)
    {
        const ProgramStep& step = program.steps[i];
        const bool isMessage = step.kind == NodeKind::Send || step.kind == NodeKind::Receive;
        const uint64_t number = isMessage ? nMessages.at(step.kind == NodeKind::Send ? 0 : 1)++ : 0;
        if (part != Part::All && step.isWeightGradient != (part == Part::WeightGradient))
        {
            continue;
        }
        Ids after;
        for (const uint32_t dependency : step.dependencies)
        {
            after.push_back(ids[dependency]);
        }
        if (after.empty() || part == Part::WeightGradient)
        {
            Append(after, input);
        }
        ExecutionNode node =
            isMessage
                ? MakeMessage(step.family, step.kind, true, m_firstRingTag + number, step.bytes)
                : ExecutionNode{};
        node.kind = step.kind;
        node.operations = step.operations;
        node.tensorBytes = step.tensorBytes;
        node.location = step.location;
        node.collective = step.collective;
        node.bytes = step.bytes;
        node.peerBytes = step.peerBytes;
        node.group = step.family;
        ids[i] = Add(std::move(node), step.name, after);
        output = i == program.output ? Ids{ids[i]} : output;
    }
    return output;
}

GraphWriter::Ids
GraphWriter::Collective(const std::string& name,
                        CollectiveType type,
                        const std::string& family,
                        uint64_t bytes,
                        const Ids& after)
{
    if (m_layout.GetGroupSize(family) == 1)
    {
        return {};
    }
    ExecutionNode node;
    node.kind = NodeKind::Collective;
    node.collective = type;
    node.group = family;
    node.bytes = bytes;
    return {Add(std::move(node), name, after)};
}

void
GraphWriter::Send(const Transfer& transfer, const Ids& after)
{
    Ids all = m_lastCompute;
    Append(all, after);
    Add(MakeMessage("pipeline", NodeKind::Send, transfer.isForward, transfer.tag, transfer.bytes),
        transfer.name,
        all);
}

GraphWriter::Ids
GraphWriter::Receive(const Transfer& transfer)
{
    return {Add(MakeMessage("pipeline",
                            NodeKind::Receive,
                            transfer.isForward,
                            transfer.tag,
                            transfer.bytes),
                transfer.name,
                m_lastCompute)};
}

void
GraphWriter::DelayCompute(const Ids& ids)
{
    Append(m_beforeCompute, ids);
}

const GraphWriter::Ids&
GraphWriter::GetLastCompute() const
{
    return m_lastCompute;
}

const std::set<std::string>&
GraphWriter::GetFamilies() const
{
    return m_families;
}

NodeStore
GraphWriter::TakeNodes()
{
    return std::exchange(m_nodes, NodeStore());
}

uint64_t
GraphWriter::Add(ExecutionNode node, const std::string& name, const Ids& after)
{
    const uint64_t id = m_nodes.GetSize();
    node.id = id;
    node.name = m_prefix + name;
    node.repetition = m_repetition;
    node.dependencies = after;
    if (!node.group.empty())
    {
        m_families.insert(node.group);
    }
    if (node.kind == NodeKind::Compute)
    {
        Append(node.dependencies, m_lastCompute);
        Append(node.dependencies, std::exchange(m_beforeCompute, {}));
        m_lastCompute = {id};
    }
    m_nodes.Add(std::move(node));
    return id;
}

ExecutionNode
GraphWriter::MakeMessage(const std::string& family,
                         NodeKind kind,
                         bool isForward,
                         uint64_t tag,
                         uint64_t bytes) const
{
    ExecutionNode node;
    node.kind = kind;
    node.group = family;
    node.peerIsOffset = true;
    node.peer = isForward == (kind == NodeKind::Send) ? 1 : m_layout.GetGroupSize(family) - 1;
    node.tag = tag;
    node.bytes = bytes;
    return node;
}

} // namespace mlcluster
} // namespace ns3
