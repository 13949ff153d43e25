/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEST_TOOLS_H
#define ML_CLUSTER_TEST_TOOLS_H

#include "ns3/cluster-helper.h"
#include "ns3/cluster-topology.h"
#include "ns3/cluster-workload.h"
#include "ns3/execution-graph.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/**
 * @ingroup ml-cluster-tests
 * @param id node id @param durationPs measured duration, ps @param dependencies ids waited for
 * @return a compute node
 */
inline ExecutionNode
ComputeNode(uint64_t id, int64_t durationPs, std::vector<uint64_t> dependencies = {})
{
    ExecutionNode node;
    node.id = id;
    node.name = "compute " + std::to_string(id);
    node.kind = NodeKind::Compute;
    node.durationPs = durationPs;
    node.dependencies = std::move(dependencies);
    return node;
}

/**
 * @ingroup ml-cluster-tests
 * @param id node id @param type operation @param bytes size @param dependencies ids waited for
 * @param group communicator group
 * @return a collective node
 */
inline ExecutionNode
CollectiveNode(uint64_t id,
               CollectiveType type,
               uint64_t bytes,
               std::vector<uint64_t> dependencies = {},
               const std::string& group = "")
{
    ExecutionNode node;
    node.id = id;
    node.name = ToString(type) + " " + std::to_string(id);
    node.kind = NodeKind::Collective;
    node.collective = type;
    node.bytes = bytes;
    node.group = group;
    node.dependencies = std::move(dependencies);
    return node;
}

/**
 * @ingroup ml-cluster-tests
 * @param kind Send or Receive @param id node id @param peer other rank @param bytes size
 * @param tag tag @param dependencies ids waited for
 * @return a send or receive node
 */
inline ExecutionNode
PeerNode(NodeKind kind,
         uint64_t id,
         uint32_t peer,
         uint64_t bytes,
         uint64_t tag = 0,
         std::vector<uint64_t> dependencies = {})
{
    ExecutionNode node;
    node.id = id;
    node.name = ToString(kind) + " " + std::to_string(id);
    node.kind = kind;
    node.peer = peer;
    node.bytes = bytes;
    node.tag = tag;
    node.dependencies = std::move(dependencies);
    return node;
}

/**
 * @ingroup ml-cluster-tests
 * @param perRank nodes of each rank @param groups communicator groups
 * @return the workload
 * @throw InputError if a graph is not valid
 */
inline std::shared_ptr<const ClusterWorkload>
MakeWorkload(const std::vector<std::vector<ExecutionNode>>& perRank, CommunicatorGroups groups = {})
{
    Diagnostics diagnostics;
    std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
    for (const auto& nodes : perRank)
    {
        graphs.push_back(std::make_shared<const ExecutionGraph>(nodes, "", diagnostics));
    }
    diagnostics.ThrowIfErrors();
    return std::make_shared<const ClusterWorkload>(graphs, std::move(groups));
}

/**
 * @ingroup ml-cluster-tests
 * @param nRanks ranks @param nodes what each does
 * @return the workload; the ranks share one graph
 */
inline std::shared_ptr<const ClusterWorkload>
MakeEqualWorkload(uint32_t nRanks, const std::vector<ExecutionNode>& nodes)
{
    Diagnostics diagnostics;
    const auto graph = std::make_shared<const ExecutionGraph>(nodes, "", diagnostics);
    diagnostics.ThrowIfErrors();
    return std::make_shared<const ClusterWorkload>(
        std::vector<std::shared_ptr<const ExecutionGraph>>(nRanks, graph),
        CommunicatorGroups());
}

/**
 * @ingroup ml-cluster-tests
 * @param notation blocks and sizes @param bitRate rate of a member in each dimension, bit/s
 * @param latencyPs latency of each link, ps
 * @return the topology
 */
inline ClusterTopology
MakeTopology(const std::string& notation, uint64_t bitRate, int64_t latencyPs)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.SetMemberBitRate(bitRate);
        dimension.latencyPs = latencyPs;
    }
    return ClusterTopology(dimensions);
}

/**
 * @ingroup ml-cluster-tests
 * @param call what may throw
 * @return the text of the InputError it throws, "" if it throws none
 */
inline std::string
GetErrorOf(const std::function<void()>& call)
{
    try
    {
        call();
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * @ingroup ml-cluster-tests
 * @param text a text @param part another
 * @return whether the text holds it
 */
inline bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/**
 * @ingroup ml-cluster-tests
 * Sets the resolution of time, which a process may do once.
 */
inline void
UsePicoseconds()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
}

/**
 * @ingroup ml-cluster-tests
 * Builds and runs a cluster.
 * @param topology the shape @param workload the work @param configure sets attributes
 * @param backend name of the backend
 * @return the report
 */
inline RunReport
RunCluster(const ClusterTopology& topology,
           const std::shared_ptr<const ClusterWorkload>& workload,
           const std::function<void(ClusterHelper&)>& configure = {},
           const std::string& backend = "analytical")
{
    UsePicoseconds();
    ClusterHelper cluster(topology);
    cluster.SetBackend(backend);
    if (configure)
    {
        configure(cluster);
    }
    cluster.Install(workload);
    return cluster.Run();
}

/**
 * @ingroup ml-cluster-tests
 * Runs one collective over all ranks on the analytical channel.
 * @param topology the shape @param type operation @param bytes size
 * @param algorithm used in every phase @param chunks chunks, one after the other
 * @return the report
 */
inline RunReport
RunCollective(const ClusterTopology& topology,
              CollectiveType type,
              uint64_t bytes,
              const std::string& algorithm,
              uint32_t chunks = 1)
{
    return RunCluster(
        topology,
        MakeEqualWorkload(topology.GetNRanks(), {CollectiveNode(1, type, bytes)}),
        [&](ClusterHelper& cluster) {
            cluster.SetCollectiveAttribute("Chunks", UintegerValue(chunks));
            const bool swap = type == CollectiveType::AllToAll;
            cluster.SetCollectiveAttribute(swap ? "AllToAll" : "AllReduce", StringValue(algorithm));
            cluster.SetCollectiveAttribute("ReduceScatter", StringValue(swap ? "auto" : algorithm));
            cluster.SetCollectiveAttribute("AllGather", StringValue(swap ? "auto" : algorithm));
        });
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEST_TOOLS_H
