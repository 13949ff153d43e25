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

namespace
{

/// @param hops some @return those whose rate is limited
std::vector<MemoryPoolHop>
GetLimited(const std::vector<MemoryPoolHop>& hops)
{
    std::vector<MemoryPoolHop> limited;
    std::copy_if(hops.begin(),
                 hops.end(),
                 std::back_inserter(limited),
                 [](const MemoryPoolHop& hop) { return hop.bitRate != 0; });
    return limited;
}

/// @param shape a pool @param access an exchange @return the hops it passes
std::vector<MemoryPoolHop>
GetExchangeHops(const MemoryPoolShape& shape, const MemoryPoolAccess& access)
{
    const uint64_t nodes = access.nNodes;
    const uint64_t gpus = nodes * access.nGpus;
    const uint64_t others = std::max<uint64_t>(1, gpus - 1);
    const uint64_t switches = shape.outSwitches;
    MemoryPoolHop gpuLink{PoolHopKind::GpuLink,
                          gpus,
                          shape.gpuLinkBitRate,
                          shape.gpuLinkLatencyPs,
                          1,
                          gpus,
                          true};
    MemoryPoolHop nodeLink{PoolHopKind::NodeLink,
                           switches * nodes,
                           shape.nodeLinkBitRate,
                           shape.nodeLinkLatencyPs,
                           1,
                           switches * nodes,
                           true,
                           gpus - access.nGpus,
                           others};
    MemoryPoolHop outBackplane = nodeLink;
    outBackplane.kind = PoolHopKind::OutBackplane;
    outBackplane.servers = outBackplane.denominator = switches;
    outBackplane.bitRate = shape.outBackplaneBitRate;
    outBackplane.latencyPs = 0;
    const MemoryPoolHop inBackplane{PoolHopKind::InBackplane,
                                    nodes,
                                    shape.inBackplaneBitRate,
                                    0,
                                    1,
                                    nodes,
                                    true,
                                    others + gpus - access.nGpus,
                                    others};
    std::vector<MemoryPoolHop> hops{gpuLink, inBackplane};
    if (nodes > 1)
    {
        hops.insert(hops.end(), {nodeLink, outBackplane});
        nodeLink.isUp = false;
        hops.push_back(nodeLink);
    }
    gpuLink.isUp = false;
    hops.push_back(gpuLink);
    return GetLimited(hops);
}

} // namespace

std::vector<MemoryPoolHop>
GetMemoryPoolHops(const MemoryPoolShape& shape, const MemoryPoolAccess& access)
{
    if (access.isExchange)
    {
        return GetExchangeHops(shape, access);
    }
    const uint64_t groups = shape.groups;
    const uint64_t switches = shape.outSwitches;
    const uint64_t nodes = access.nNodes;
    const uint64_t nodeBlocks = access.GetNodeBlocks();
    const uint64_t outInput = access.isStore ? access.nodeCopies : 1;
    const uint64_t inInput = access.isStore ? access.gpuCopies : 1;
    const uint64_t outAdder = access.isStore && outInput > 1 ? shape.outAdderBitRate : 0;
    const uint64_t inAdder = access.isStore && inInput > 1 ? shape.inAdderBitRate : 0;
    auto hops = GetLimited({
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
    });
    for (MemoryPoolHop& hop : hops)
    {
        hop.isUp = access.isStore;
    }
    if (access.isStore)
    {
        std::reverse(hops.begin(), hops.end());
    }
    return hops;
}

} // namespace mlcluster
} // namespace ns3
