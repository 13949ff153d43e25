/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MEMORY_POOL_TOOLS_H
#define ML_CLUSTER_MEMORY_POOL_TOOLS_H

#include "test-tools.h"
#include "unit/memory-pool-cases.h"

#include "ns3/hierarchical-memory-pool.h"

#include <functional>
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
 * @param id node id @param kind MemoryLoad or MemoryStore @param bytes accessed @param dependencies
 * ids waited for
 * @return a memory node
 */
inline ExecutionNode
MemoryNode(uint64_t id, NodeKind kind, uint64_t bytes, std::vector<uint64_t> dependencies = {})
{
    ExecutionNode node;
    node.id = id;
    node.name = ToString(kind) + " " + std::to_string(id);
    node.kind = kind;
    node.tensorBytes = bytes;
    node.dependencies = std::move(dependencies);
    return node;
}

/// @ingroup ml-cluster-tests
/// @return the pool of MakeSmallPool, which accesses share as in runs
inline MemoryPoolShape
MakeFairPool()
{
    MemoryPoolShape shape = MakeSmallPool();
    shape.sharing = PoolSharing::Fair;
    return shape;
}

/// @ingroup ml-cluster-tests
/// @return attributes of the pool of MakeSmallPool
inline std::vector<std::pair<std::string, std::string>>
GetSmallPoolAttributes()
{
    return {{"Groups", "2"},
            {"OutSwitches", "2"},
            {"GpusPerNode", "2"},
            {"MemoryBandwidth", "80Gbps"},
            {"GroupLinkBandwidth", "32Gbps"},
            {"NodeLinkBandwidth", "64Gbps"},
            {"GpuLinkBandwidth", "40Gbps"},
            {"MemoryLatency", "100ns"},
            {"GroupLinkLatency", "20ns"},
            {"NodeLinkLatency", "20ns"},
            {"GpuLinkLatency", "10ns"},
            {"Chunk", "1000"}};
}

/// @ingroup ml-cluster-tests
/// @return the pool of MakeSmallPool, ready for accesses
inline Ptr<HierarchicalMemoryPool>
CreatePool()
{
    const auto pool = CreateObject<HierarchicalMemoryPool>();
    for (const auto& [name, value] : GetSmallPoolAttributes())
    {
        pool->SetAttribute(name, StringValue(value));
    }
    Diagnostics diagnostics;
    pool->Build(4);
    pool->Prepare(MakeEqualWorkload(4, {}), diagnostics);
    diagnostics.ThrowIfErrors();
    return pool;
}

/**
 * @ingroup ml-cluster-tests
 * Runs a workload of four ranks on a Switch(4) of 100 GB/s without latency, with the pool of
 * MakeSmallPool.
 * @param workload the work @param configure sets further attributes
 * @return the report
 */
inline RunReport
RunOnPool(const std::shared_ptr<const ClusterWorkload>& workload,
          const std::function<void(ClusterHelper&)>& configure = {})
{
    return RunCluster(MakeTopology("Switch(4)", 800'000'000'000, 0),
                      workload,
                      [&](ClusterHelper& cluster) {
                          cluster.SetMemoryModel("pool");
                          for (const auto& [name, value] : GetSmallPoolAttributes())
                          {
                              cluster.SetMemoryAttribute(name, StringValue(value));
                          }
                          if (configure)
                          {
                              configure(cluster);
                          }
                      });
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MEMORY_POOL_TOOLS_H
