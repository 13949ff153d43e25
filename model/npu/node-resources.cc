/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-resources.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

NodeResources::NodeResources(bool concurrentStreams, uint32_t hostThreads)
    : m_concurrentStreams(concurrentStreams)
{
    m_resources[STREAMS].nFree = std::numeric_limits<uint32_t>::max();
    m_resources[LOCAL_MEMORY].nFree = std::numeric_limits<uint32_t>::max();
    m_resources[HOST].nFree = hostThreads;
}

NodeResources::Kind
NodeResources::GetKind(const ExecutionNode& node) const
{
    if (node.kind != NodeKind::Compute)
    {
        return IsLocalAccess(node) ? LOCAL_MEMORY : REMOTE_MEMORY;
    }
    if (node.onHost)
    {
        return HOST;
    }
    return m_concurrentStreams && RunsOnStream(node) ? STREAMS : ACCELERATOR;
}

void
NodeResources::Add(uint32_t index, const ExecutionNode& node)
{
    m_resources[GetKind(node)].ready.push(index);
}

std::optional<uint32_t>
NodeResources::TakeNext()
{
    for (Resource& resource : m_resources)
    {
        if (resource.nFree > 0 && !resource.ready.empty())
        {
            const uint32_t index = resource.ready.top();
            resource.ready.pop();
            --resource.nFree;
            return index;
        }
    }
    return std::nullopt;
}

void
NodeResources::End(const ExecutionNode& node)
{
    ++m_resources[GetKind(node)].nFree;
}

} // namespace mlcluster
} // namespace ns3
