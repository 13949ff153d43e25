/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NETWORK_MEMORY_TOOLS_H
#define ML_CLUSTER_NETWORK_MEMORY_TOOLS_H

#include "memory-pool-tools.h"

#include "ns3/memory-pool-shape.h"
#include "ns3/network-memory-pool.h"
#include "ns3/simulator.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/**
 * @ingroup ml-cluster-tests
 * @param gpuBytesPerNs bandwidth of dimension 0
 * @return four nodes of four GPUs, with a dimension of 50 GB/s between nodes; links of 500 ns
 */
inline ClusterTopology
MakeNodes(uint64_t gpuBytesPerNs = 100)
{
    auto dimensions = ClusterTopology::ParseNotation("Switch(4)_Switch(4)");
    for (auto& dimension : dimensions)
    {
        dimension.SetMemberBitRate(50 * 8'000'000'000);
        dimension.latencyPs = 500'000;
    }
    dimensions[0].SetMemberBitRate(gpuBytesPerNs * 8'000'000'000);
    return ClusterTopology(dimensions);
}

/**
 * @ingroup ml-cluster-tests
 * A pool of four groups and two out-node switches for MakeNodes; bandwidths in bytes per ns,
 * latencies 200 ns of memory and 300 ns and 400 ns of links. A round of one GPU is eight messages
 * of 8 KiB.
 */
struct NetworkPool
{
    uint64_t memory{200};                         ///< bandwidth of a group's memory
    uint64_t groupLink{200};                      ///< bandwidth of its links
    uint64_t nodeLink{200};                       ///< bandwidth of links to nodes
    uint64_t gpuLink{100};                        ///< bandwidth of dimension 0
    uint64_t chunkBytes{256 << 10};               ///< Chunk
    std::map<std::string, std::string> further{}; ///< attributes that replace these

    static constexpr uint64_t MESSAGE = 8 << 10;       ///< bytes of a message
    static constexpr uint64_t ROUND = 8 * MESSAGE;     ///< bytes of a round of one GPU
    static constexpr int64_t MEMORY_LATENCY = 200'000; ///< ps
    static constexpr int64_t LATENCY = 1'400'000;      ///< of all hops, ps

    /// @return the pool
    MemoryPoolShape GetShape() const
    {
        MemoryPoolShape shape;
        shape.groups = 4;
        shape.outSwitches = 2;
        shape.nodes = 4;
        shape.gpusPerNode = 4;
        shape.memoryBitRate = memory * 8'000'000'000;
        shape.groupLinkBitRate = groupLink * 8'000'000'000;
        shape.nodeLinkBitRate = nodeLink * 8'000'000'000;
        shape.gpuLinkBitRate = gpuLink * 8'000'000'000;
        shape.memoryLatencyPs = MEMORY_LATENCY;
        shape.groupLinkLatencyPs = 300'000;
        shape.nodeLinkLatencyPs = 400'000;
        shape.gpuLinkLatencyPs = 500'000;
        shape.chunkBytes = chunkBytes;
        return shape;
    }

    /// @return attributes of the pool
    std::map<std::string, std::string> GetAttributes() const
    {
        const auto rate = [](uint64_t bytesPerNs) {
            return std::to_string(8 * bytesPerNs) + "Gbps";
        };
        std::map<std::string, std::string> attributes = further;
        attributes.insert({{"Groups", "4"},
                           {"OutSwitches", "2"},
                           {"MemoryBandwidth", rate(memory)},
                           {"GroupLinkBandwidth", rate(groupLink)},
                           {"NodeLinkBandwidth", rate(nodeLink)},
                           {"MemoryLatency", "200ns"},
                           {"GroupLinkLatency", "300ns"},
                           {"NodeLinkLatency", "400ns"},
                           {"Chunk", std::to_string(chunkBytes)}});
        return attributes;
    }

    /// @param cluster gets the pool
    void Configure(ClusterHelper& cluster) const
    {
        cluster.SetMemoryModel("network-pool");
        for (const auto& [name, value] : GetAttributes())
        {
            cluster.SetMemoryAttribute(name, StringValue(value));
        }
    }

    /// @param workload the work of 16 ranks @param backend name @return the report
    RunReport Run(const std::shared_ptr<const ClusterWorkload>& workload,
                  const std::string& backend = "analytical") const
    {
        return RunCluster(
            MakeNodes(gpuLink),
            workload,
            [this](ClusterHelper& cluster) { Configure(cluster); },
            backend);
    }
};

/// @ingroup ml-cluster-tests
/// @param kind MemoryLoad or MemoryStore @param bytes accessed @return the work of 16 ranks, who
/// all do it at once
inline std::shared_ptr<const ClusterWorkload>
MakeAccessOfAll(NodeKind kind, uint64_t bytes)
{
    return MakeEqualWorkload(16, {MemoryNode(1, kind, bytes)});
}

/// @ingroup ml-cluster-tests
/// @param kind MemoryLoad or MemoryStore @param bytes accessed @return the work of 16 ranks, of
/// whom rank 5 does it
inline std::shared_ptr<const ClusterWorkload>
MakeAccessOfOne(NodeKind kind, uint64_t bytes)
{
    std::vector<std::vector<ExecutionNode>> perRank(16);
    perRank[5] = {MemoryNode(1, kind, bytes)};
    return MakeWorkload(perRank);
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NETWORK_MEMORY_TOOLS_H
