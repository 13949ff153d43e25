/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-hop.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace mlcluster
{

std::string
GetPoolHopName(PoolHopKind kind)
{
    static const char* const NAMES[N_POOL_HOP_KINDS] = {"memory",
                                                        "group link",
                                                        "out-node backplane",
                                                        "out-node adder",
                                                        "node link",
                                                        "in-node backplane",
                                                        "in-node adder",
                                                        "GPU link"};
    return NAMES[static_cast<uint32_t>(kind)];
}

std::vector<MemoryPoolHop>
GetMemoryPoolHops(const MemoryPoolShape& shape, const MemoryPoolAccess& access)
{
    const uint64_t groups = shape.groups;
    const uint64_t switches = shape.outSwitches;
    const uint64_t nodes = access.nNodes;
    const uint64_t nodeBlocks = access.GetNodeBlocks();
    const uint64_t outInput = access.isStore ? access.nodeCopies : 1;
    const uint64_t inInput = access.isStore ? access.gpuCopies : 1;
    const uint64_t outAdder = access.isStore && outInput > 1 ? shape.outAdderBitRate : 0;
    const uint64_t inAdder = access.isStore && inInput > 1 ? shape.inAdderBitRate : 0;
    const MemoryPoolHop all[] = {
        {PoolHopKind::Memory, groups, shape.memoryBitRate, shape.memoryLatencyPs, 1, groups},
        {PoolHopKind::GroupLink,
         groups * switches,
         shape.groupLinkBitRate,
         shape.groupLinkLatencyPs,
         1,
         groups * switches},
        {PoolHopKind::OutAdder, switches, outAdder, 0, outInput, switches},
        {PoolHopKind::OutBackplane, switches, shape.outBackplaneBitRate, 0, outInput, switches},
        {PoolHopKind::NodeLink,
         switches * nodes,
         shape.nodeLinkBitRate,
         shape.nodeLinkLatencyPs,
         1,
         switches * nodeBlocks},
        {PoolHopKind::InAdder, nodes, inAdder, 0, inInput, nodeBlocks},
        {PoolHopKind::InBackplane, nodes, shape.inBackplaneBitRate, 0, inInput, nodeBlocks},
        {PoolHopKind::GpuLink,
         nodes * access.nGpus,
         shape.gpuLinkBitRate,
         shape.gpuLinkLatencyPs,
         1,
         nodeBlocks * access.GetGpuBlocks()},
    };
    std::vector<MemoryPoolHop> hops;
    std::copy_if(std::begin(all),
                 std::end(all),
                 std::back_inserter(hops),
                 [](const MemoryPoolHop& hop) { return hop.bitRate != 0; });
    if (access.isStore)
    {
        std::reverse(hops.begin(), hops.end());
    }
    return hops;
}

} // namespace mlcluster
} // namespace ns3
