/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-planner.h"

#include "ns3/message-tally.h"

#include <set>

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
            Check(graph.GetNode(i), graph.GetFile(), tally);
        }
    }
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
