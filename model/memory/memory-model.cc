/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-model.h"

#include "ns3/log.h"

#include <map>
#include <set>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterMemoryModel");

namespace
{

/// @param node a node @return whether it accesses memory that is not the NPU's own
bool
IsAccess(const ExecutionNode& node)
{
    return (node.kind == NodeKind::MemoryLoad || node.kind == NodeKind::MemoryStore) &&
           node.location != MemoryLocation::LOCAL;
}

/// @param graph a graph @param location one that a memory node of it has @return the first such
std::string
DescribeUser(const ExecutionGraph& graph, uint32_t location)
{
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const NodeHandle node = graph.GetNode(i);
        const bool isAccess =
            node->kind == NodeKind::MemoryLoad || node->kind == NodeKind::MemoryStore;
        if (isAccess && node->location == location)
        {
            return Describe(*node);
        }
    }
    return "";
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(MemoryModel);

TypeId
MemoryModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::MemoryModel").SetParent<Object>().SetGroupName("MlCluster");
    return tid;
}

void
MemoryModel::Prepare(const std::shared_ptr<const ClusterWorkload>& workload,
                     Diagnostics& diagnostics)
{
    NS_LOG_FUNCTION(this);
    std::set<const ExecutionGraph*> seen;
    std::set<uint32_t> told;
    for (uint32_t rank = 0; rank < workload->GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload->GetGraph(rank);
        if (!seen.insert(&graph).second)
        {
            continue;
        }
        for (uint32_t location = 0; location <= MemoryLocation::LAST; ++location)
        {
            const bool isUsed = (graph.GetTotals().locations >> location & 1) != 0;
            const std::string obstacle =
                isUsed && location != MemoryLocation::LOCAL ? GetObstacle(location) : std::string();
            if (!obstacle.empty() && told.insert(location).second)
            {
                diagnostics.Error({},
                                  "rank " + std::to_string(rank) + " " +
                                      DescribeUser(graph, location) + ": " + obstacle);
            }
        }
    }
}

std::string
MemoryModel::GetObstacle(uint32_t location) const
{
    return location <= MemoryLocation::REMOTE
               ? ""
               : "its tensor lies in memory " + std::to_string(location) +
                     " (tensor_loc), which does not exist; allowed are 0 and 2, remote memory, "
                     "and 1, the NPU's own; or set workload.tensor-locations to false";
}

MemoryRole
MemoryModel::GetRole(uint32_t /* rank */, uint32_t /* index */) const
{
    return MemoryRole::Alone;
}

bool
MemoryModel::HasRoles() const
{
    return false;
}

void
MemoryModel::AccessTogether(uint32_t /* rank */,
                            uint32_t /* index */,
                            std::function<void()> /* done */)
{
    NS_FATAL_ERROR("a memory model that gives nodes a role must override AccessTogether");
}

std::vector<uint32_t>
MemoryModel::GetAwaitedRanks(uint32_t /* rank */, uint32_t /* index */) const
{
    return {};
}

CountRange
MemoryModel::CountEvents(const ClusterWorkload& workload) const
{
    std::map<const ExecutionGraph*, uint64_t> accesses;
    LargeCount events(0);
    for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
    {
        const ExecutionGraph& graph = workload.GetGraph(rank);
        const auto [entry, isNew] = accesses.try_emplace(&graph, 0);
        for (uint32_t i = 0; isNew && i < graph.GetNNodes(); ++i)
        {
            entry->second += IsAccess(*graph.GetNode(i)) ? 1 : 0;
        }
        events += LargeCount(entry->second);
    }
    return events;
}

std::vector<std::string>
MemoryModel::GetRemarks() const
{
    return {};
}

} // namespace mlcluster
} // namespace ns3
