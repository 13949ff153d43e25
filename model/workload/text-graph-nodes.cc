/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "text-graph-nodes.h"

#include "ns3/quantity.h"

#include <cmath>

namespace ns3
{
namespace mlcluster
{

namespace
{

constexpr long double LIMIT = 9223372036854775808.0L; // 2^63

} // namespace

TextGraphNodes::TextGraphNodes(const TextWorkload& workload, const TextGraphOptions& options)
    : m_workload(workload),
      m_options(options)
{
}

void
TextGraphNodes::SetPass(uint64_t pass)
{
    m_pass = static_cast<int32_t>(pass);
}

uint64_t
TextGraphNodes::AddCompute(const std::string& name,
                           double cycles,
                           const Ids& dependencies,
                           int64_t stream)
{
    ExecutionNode& node = Add(NodeKind::Compute, name, dependencies);
    node.durationPs = ToPicoseconds(node, cycles, m_options.computeScale);
    node.stream = stream;
    return node.id;
}

uint64_t
TextGraphNodes::AddDelay(const std::string& name, double cycles, const Ids& dependencies)
{
    ExecutionNode& node = Add(NodeKind::Compute, name, dependencies);
    node.durationPs = ToPicoseconds(node, cycles, 1);
    node.stream = ++m_nDelays;
    return node.id;
}

uint64_t
TextGraphNodes::AddCollective(const std::string& name,
                              const TextPass& pass,
                              const TextScopes::Scope& scope,
                              int32_t priority,
                              const Ids& dependencies)
{
    ExecutionNode& node = Add(NodeKind::Collective, name, dependencies);
    node.collective = pass.type.value_or(CollectiveType::AllReduce);
    node.bytes = pass.type ? ScaleBytes(pass.bytes) : 0;
    if (m_workload.dialect == TextDialect::SimAi && node.collective == CollectiveType::AllGather)
    {
        node.bytes = node.bytes / scope.size + (node.bytes % scope.size != 0 ? 1 : 0);
    }
    node.involvedDimensions = scope.involvedDimensions;
    node.group = scope.group;
    node.priority = priority;
    return node.id;
}

uint64_t
TextGraphNodes::AddTransfer(NodeKind kind,
                            const std::string& name,
                            uint32_t peer,
                            const Ids& dependencies)
{
    ExecutionNode& node = Add(kind, name, dependencies);
    node.bytes = ScaleBytes(m_workload.pipelineBytes);
    node.peer = peer;
    node.peerIsOffset = true;
    return node.id;
}

bool
TextGraphNodes::IsNeeded(const TextPass& pass, const TextScopes::Scope& scope) const
{
    return pass.type && scope.size > 1 && ScaleBytes(pass.bytes) > 0;
}

const std::vector<ExecutionNode>&
TextGraphNodes::Get() const
{
    return m_nodes;
}

ExecutionNode&
TextGraphNodes::Add(NodeKind kind, const std::string& name, const Ids& dependencies)
{
    ExecutionNode node;
    node.id = m_nodes.size();
    node.name = name;
    node.kind = kind;
    node.repetition = m_pass;
    node.dependencies = dependencies;
    m_nodes.push_back(node);
    return m_nodes.back();
}

int64_t
TextGraphNodes::ToPicoseconds(const ExecutionNode& node, double cycles, double scale) const
{
    const long double time =
        std::round(static_cast<long double>(cycles) * scale * m_options.cyclePs);
    if (time >= LIMIT)
    {
        RefuseEnd(m_workload.file + ": " + Describe(node));
    }
    return static_cast<int64_t>(time);
}

uint64_t
TextGraphNodes::ScaleBytes(uint64_t bytes) const
{
    const long double scaled =
        std::round(static_cast<long double>(bytes) * m_options.communicationScale);
    if (scaled >= LIMIT)
    {
        throw InputError(std::to_string(bytes) + " bytes times " +
                         FormatNumber(m_options.communicationScale) +
                         " are no size; allowed are sizes below 2^63 bytes");
    }
    return static_cast<uint64_t>(scaled);
}

} // namespace mlcluster
} // namespace ns3
