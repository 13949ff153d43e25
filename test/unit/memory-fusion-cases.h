/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_FUSION_CASES_H
#define ML_CLUSTER_MEMORY_FUSION_CASES_H

#include "workload-cases.h"

#include "ns3/memory-fusion.h"

#include <vector>

namespace ns3
{
namespace mlcluster
{

/// @param nodes N @param gpus G @return a pool of so many GPUs
inline MemoryPoolShape
MakePool(uint32_t nodes, uint32_t gpus)
{
    MemoryPoolShape shape;
    shape.nodes = nodes;
    shape.gpusPerNode = gpus;
    return shape;
}

/// @param id id @param kind MemoryLoad or MemoryStore @param bytes accessed @return such a node
inline ExecutionNode
Memory(uint64_t id, NodeKind kind, uint64_t bytes)
{
    ExecutionNode node;
    node.id = id;
    node.name = "m" + std::to_string(id);
    node.kind = kind;
    node.tensorBytes = bytes;
    return node;
}

/// @param node a node @param ids what it waits for @return it
inline ExecutionNode
After(ExecutionNode node, const std::vector<uint64_t>& ids)
{
    node.dependencies = ids;
    return node;
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_FUSION_CASES_H
