/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-planner.h"

#include "ns3/chakra-algorithm.h"
#include "ns3/message-tally.h"
#include "ns3/schedule-graph.h"

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param type operation @return whether ASTRA-sim sends messages for it
bool
SendsMessages(CollectiveType type)
{
    return type == CollectiveType::AllReduce || type == CollectiveType::AllGather ||
           type == CollectiveType::AllToAll || type == CollectiveType::ReduceScatter;
}

} // namespace

ParityPlanner::ParityPlanner(const ClusterTopology& topology,
                             const ParityOptions& options,
                             const ClusterWorkload& workload,
                             Diagnostics& diagnostics)
    : m_topology(topology),
      m_options(options),
      m_workload(workload)
{
    for (const auto& [name, members] : workload.GetGroups())
    {
        m_groupNumbers.emplace(name, static_cast<uint32_t>(m_groupNumbers.size() + 1));
    }
    if (options.replayOnly)
    {
        return;
    }
    MessageTally tally(diagnostics);
    std::set<const ExecutionGraph*> seen;
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        if (!seen.insert(&graph).second)
        {
            continue;
        }
        for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
        {
            const NodeHandle node = graph.GetNode(i);
            Check(*node, graph.GetFile(), tally);
        }
    }
    CheckNodesNamed(diagnostics);
}

void
ParityPlanner::Check(const ExecutionNode& node, const std::string& file, MessageTally& tally)
{
    if (node.kind != NodeKind::Collective)
    {
        return;
    }
    if (node.collective == CollectiveType::Broadcast)
    {
        tally.Warning("a broadcast takes its measured time, or 1 ns, without traffic, as in "
                      "ASTRA-sim",
                      {file, 0, Describe(node)});
        return;
    }
    if (!SendsMessages(node.collective))
    {
        tally.Error({file, 0, Describe(node)},
                    ToString(node.collective) +
                        " is unknown to ASTRA-sim; parity has all-reduce, all-gather, "
                        "reduce-scatter, all-to-all, and broadcast as a timer");
        return;
    }
    if (const std::string* prefix = FindPrefix(node))
    {
        const auto size = static_cast<uint32_t>(m_workload.GetGroup(node.group).size());
        const auto [custom, isNew] = m_customs.try_emplace({*prefix, size});
        if (isNew)
        {
            custom->second = ReadCustom(*prefix, node.collective, size);
        }
        m_nodesFound.insert(node.id);
        if (!custom->second.error.empty())
        {
            tally.Error({file, 0, Describe(node)}, custom->second.error);
        }
        return;
    }
    std::unique_ptr<ParityPlan>& plan = m_plans[MakeKey(node)];
    if (plan)
    {
        return;
    }
    try
    {
        plan = std::make_unique<ParityPlan>(m_topology,
                                            m_options,
                                            m_workload.GetGroup(node.group),
                                            node.involvedDimensions,
                                            node.collective,
                                            node.bytes);
    }
    catch (const InputError& error)
    {
        tally.Error({file, 0, Describe(node)}, error.what());
    }
}

const std::string*
ParityPlanner::FindPrefix(const ExecutionNode& node) const
{
    const auto ofNode = m_options.customOfNode.find(node.id);
    if (ofNode != m_options.customOfNode.end())
    {
        return &ofNode->second;
    }
    const auto ofType = m_options.customOfType.find(node.collective);
    return ofType == m_options.customOfType.end() ? nullptr : &ofType->second;
}

ParityPlanner::Custom
ParityPlanner::ReadCustom(const std::string& prefix, CollectiveType type, uint32_t size)
{
    Custom custom;
    if (size == 1)
    {
        custom.schedules.resize(1);
        return custom;
    }
    try
    {
        const ChakraAlgorithm algorithm(prefix);
        const std::string reason = algorithm.WhyNot(type, size);
        if (!reason.empty())
        {
            throw InputError(reason);
        }
        for (uint32_t position = 0; position < size; ++position)
        {
            custom.schedules.push_back(algorithm.Build({}, position));
        }
        std::vector<std::string> violations;
        const ScheduleGraph graph(custom.schedules, violations);
        for (const std::string& violation : violations)
        {
            custom.error += (custom.error.empty() ? prefix + ": " : "; ") + violation;
        }
    }
    catch (const InputError& error)
    {
        custom.error = error.what();
    }
    return custom;
}

void
ParityPlanner::CheckNodesNamed(Diagnostics& diagnostics) const
{
    for (const auto& [node, prefix] : m_options.customOfNode)
    {
        if (m_nodesFound.count(node) == 0)
        {
            diagnostics.Warning({"", 0, "node " + std::to_string(node)},
                                "the files " + prefix +
                                    ".POSITION.et are given for it, but no collective of the trace "
                                    "that sends messages has this id");
        }
    }
}

const std::vector<RankSchedule>*
ParityPlanner::GetCustom(const ExecutionNode& node) const
{
    const std::string* prefix = FindPrefix(node);
    const auto size = static_cast<uint32_t>(m_workload.GetGroup(node.group).size());
    return prefix ? &m_customs.at({*prefix, size}).schedules : nullptr;
}

ParityPlanner::Key
ParityPlanner::MakeKey(const ExecutionNode& node) const
{
    return {GetGroupNumber(node.group), node.involvedDimensions, node.collective, node.bytes};
}

const ParityPlan&
ParityPlanner::GetPlan(const ExecutionNode& node) const
{
    return *m_plans.at(MakeKey(node));
}

uint32_t
ParityPlanner::GetGroupNumber(const std::string& group) const
{
    const auto number = m_groupNumbers.find(group);
    return number == m_groupNumbers.end() ? 0 : number->second;
}

std::vector<uint32_t>
ParityPlanner::GetGroupSizes() const
{
    std::vector<uint32_t> sizes{m_topology.GetNRanks()};
    for (const auto& [name, members] : m_workload.GetGroups())
    {
        sizes.push_back(static_cast<uint32_t>(members.size()));
    }
    return sizes;
}

} // namespace mlcluster
} // namespace ns3
