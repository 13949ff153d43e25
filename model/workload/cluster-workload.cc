/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-workload.h"

#include "communication-index.h"
#include "workload-checker.h"

#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param graph a graph @return per node how many nodes it is matched after
std::vector<uint32_t>
ComputeOrdinals(const ExecutionGraph& graph)
{
    std::vector<uint32_t> ordinals(graph.GetNNodes(), 0);
    const CommunicationIndex index(graph);
    for (const auto& run : index.GetRuns())
    {
        for (const uint32_t* position = run.begin; position != run.end; ++position)
        {
            ordinals[*position] = position - run.begin;
        }
    }
    return ordinals;
}

} // namespace

ClusterWorkload::ClusterWorkload(std::vector<std::shared_ptr<const ExecutionGraph>> graphs,
                                 CommunicatorGroups groups)
    : m_graphs(std::move(graphs)),
      m_groups(std::move(groups)),
      m_allRanks(m_graphs.size())
{
    std::iota(m_allRanks.begin(), m_allRanks.end(), 0);
    for (const auto& graph : m_graphs)
    {
        if (m_ordinals.count(graph.get()) == 0)
        {
            m_ordinals[graph.get()] = ComputeOrdinals(*graph);
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
    throw InputError("communicator group \"" + name + "\" is not defined");
}

const CommunicatorGroups&
ClusterWorkload::GetGroups() const
{
    return m_groups;
}

const std::vector<uint32_t>&
ClusterWorkload::GetOrdinals(uint32_t rank) const
{
    return m_ordinals.at(m_graphs.at(rank).get());
}

} // namespace mlcluster
} // namespace ns3
