/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-access.h"

#include "ns3/amount.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param what "nodes" or "GPUs of a node" @param first of the rectangle @param count likewise
/// @param copies of a block @param all there are
void
CheckSpan(const std::string& what, uint64_t first, uint64_t count, uint32_t copies, uint32_t all)
{
    if (count == 0 || first + count > all)
    {
        throw InputError("a memory access of " + std::to_string(count) + " " + what + " from " +
                         std::to_string(first) + " on; the pool has " + std::to_string(all));
    }
    if (copies == 0 || count % copies != 0)
    {
        throw InputError("a memory access of " + std::to_string(count) + " " + what +
                         " does not fall into blocks of " + std::to_string(copies) +
                         "; allowed are divisors of " + std::to_string(count));
    }
}

} // namespace

MemoryPoolAccess
MemoryPoolAccess::OfAll(const MemoryPoolShape& shape,
                        bool isStore,
                        uint64_t bytes,
                        uint32_t nodeCopies,
                        uint32_t gpuCopies)
{
    MemoryPoolAccess access;
    access.isStore = isStore;
    access.nNodes = shape.nodes;
    access.nGpus = shape.gpusPerNode;
    access.nodeCopies = nodeCopies;
    access.gpuCopies = gpuCopies;
    access.Check(shape);
    access.uniqueBytes = (Amount(bytes) * access.GetNodeBlocks() * access.GetGpuBlocks())
                             .Get("bytes of a memory access of all GPUs");
    return access;
}

MemoryPoolAccess
MemoryPoolAccess::OfRank(const MemoryPoolShape& shape, bool isStore, uint64_t bytes, uint32_t rank)
{
    MemoryPoolAccess access;
    access.isStore = isStore;
    access.uniqueBytes = bytes;
    access.firstNode = rank / shape.gpusPerNode;
    access.firstGpu = rank % shape.gpusPerNode;
    access.Check(shape);
    return access;
}

std::optional<MemoryPoolAccess>
MemoryPoolAccess::OfBlock(const MemoryPoolShape& shape, std::vector<uint32_t> members)
{
    std::sort(members.begin(), members.end());
    const uint32_t first = members.front();
    const uint32_t last = members.back();
    const uint32_t width = shape.gpusPerNode;
    MemoryPoolAccess access;
    access.firstNode = first / width;
    access.firstGpu = first % width;
    access.nNodes = last / width - access.firstNode + 1;
    access.nGpus = last % width - access.firstGpu + 1;
    access.nodeCopies = access.nNodes;
    access.gpuCopies = access.nGpus;
    if (last / width >= shape.nodes || last % width < access.firstGpu ||
        members.size() != uint64_t{access.nNodes} * access.nGpus)
    {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        if (members[i] != first + i / access.nGpus * width + i % access.nGpus)
        {
            return std::nullopt;
        }
    }
    return access;
}

void
MemoryPoolAccess::Check(const MemoryPoolShape& shape) const
{
    CheckSpan("nodes", firstNode, nNodes, nodeCopies, shape.nodes);
    CheckSpan("GPUs of a node", firstGpu, nGpus, gpuCopies, shape.gpusPerNode);
}

uint64_t
MemoryPoolAccess::GetRoundBytes(const MemoryPoolShape& shape) const
{
    __extension__ typedef unsigned __int128 Wide;
    return static_cast<uint64_t>(Wide{shape.GetRoundBytes()} * nNodes * nGpus /
                                 (Wide{shape.nodes} * shape.gpusPerNode));
}

} // namespace mlcluster
} // namespace ns3
