/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-model.h"

#include "ns3/log.h"
#include "ns3/network-backend.h"

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
    return IsMemoryAccess(node) && !IsLocalAccess(node);
}

} // namespace

void
MemoryUsage::Add(const MemoryRequest& request)
{
    const uint64_t stored = request.isStore ? request.bytes : request.returnedBytes;
    storedBytes += stored;
    loadedBytes += request.bytes - stored;
}

NS_OBJECT_ENSURE_REGISTERED(MemoryModel);

TypeId
MemoryModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::MemoryModel").SetParent<Object>().SetGroupName("MlCluster");
    return tid;
}

GraphAttachment
MemoryModel::Attach(const ClusterTopology& /* topology */, Diagnostics& /* diagnostics */)
{
    NS_LOG_FUNCTION(this);
    return {};
}

void
MemoryModel::Connect(const Ptr<NetworkBackend>& backend, const LinkGraph& /* graph */)
{
    NS_LOG_FUNCTION(this << backend);
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
            const uint32_t user = graph.FindAccess(location);
            const bool isUsed = user < graph.GetNNodes() && location != MemoryLocation::LOCAL;
            const std::string obstacle = isUsed ? GetObstacle(location) : std::string();
            if (!obstacle.empty() && told.insert(location).second)
            {
                diagnostics.Error({},
                                  "rank " + std::to_string(rank) + " " +
                                      Describe(*graph.GetNode(user)) + ": " + obstacle);
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

AccessCosts
MemoryModel::CountCosts(const ClusterWorkload& workload, const MessageCosts& /* messages */) const
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
    return {events};
}

std::vector<std::string>
MemoryModel::GetRemarks() const
{
    return {};
}

} // namespace mlcluster
} // namespace ns3
