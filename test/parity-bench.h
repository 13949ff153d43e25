/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_BENCH_H
#define ML_CLUSTER_PARITY_BENCH_H

#include "ns3/analytical-channel.h"
#include "ns3/boolean.h"
#include "ns3/cluster-workload.h"
#include "ns3/link-graph.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/parity-executor.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

/// A parity run without input files. GB/s is 2^30 B/s for links, as in ASTRA-sim's files.
struct ParityBench
{
    std::string topology;                          ///< notation
    std::vector<double> bandwidth;                 ///< per dimension, GB/s
    std::vector<double> latency;                   ///< per dimension, ns
    bool aware{false};                             ///< congestion-aware network
    ParityOptions options;                         ///< parameters
    std::vector<std::vector<ExecutionNode>> nodes; ///< of each rank; one entry: the same for all
    CommunicatorGroups groups;                     ///< groups
    bool isStuck{false};                           ///< receives whether some rank did not finish

    /// @param text names, comma separated, one per dimension, for all operations alike
    void SetAlgorithms(const std::string& text)
    {
        std::vector<ParityAlgorithm> algorithms;
        std::istringstream is(text);
        for (std::string name; std::getline(is, name, ',');)
        {
            algorithms.push_back(ParityAlgorithm::Parse(name));
        }
        for (const auto type : {CollectiveType::AllReduce,
                                CollectiveType::AllGather,
                                CollectiveType::ReduceScatter,
                                CollectiveType::AllToAll})
        {
            options.algorithms[type] = algorithms;
        }
    }

    /// @return the network's shape
    ClusterTopology MakeTopology() const
    {
        auto dimensions = ClusterTopology::ParseNotation(topology);
        for (std::size_t k = 0; k < dimensions.size(); ++k)
        {
            dimensions[k].linkBitRate =
                static_cast<uint64_t>(std::llround(bandwidth[k] * 8 * 1073741824.0));
            dimensions[k].latencyPs = std::llround(latency[k] * 1000);
        }
        return ClusterTopology(dimensions);
    }

    /// @return one entry per finished rank, by rank
    std::vector<ParityFinish> Run()
    {
        if (Time::GetResolution() != Time::PS)
        {
            Time::SetResolution(Time::PS);
        }
        const ClusterTopology shape = MakeTopology();
        Diagnostics diagnostics;
        std::vector<std::shared_ptr<const ExecutionGraph>> graphs;
        for (const auto& list : nodes)
        {
            graphs.push_back(std::make_shared<const ExecutionGraph>(list, "", diagnostics));
        }
        diagnostics.ThrowIfErrors();
        graphs.resize(shape.GetNRanks(), graphs.back());
        NodeContainer npus;
        npus.Create(shape.GetNRanks());
        auto channel = CreateObject<AnalyticalChannel>();
        channel->SetAttribute("Rounding", StringValue("DownNanosecond"));
        channel->SetAttribute("Congestion", StringValue(aware ? "Links" : "None"));
        channel->SetAttribute("ForwardWhole", BooleanValue(aware));
        channel->SetAttribute("FirstDimensionOnly", BooleanValue(!aware));
        channel->Build(std::make_shared<const LinkGraph>(shape), npus);
        std::vector<ParityFinish> finishes;
        {
            ParityExecutor executor(channel,
                                    shape,
                                    options,
                                    std::make_shared<const ClusterWorkload>(graphs, groups),
                                    diagnostics);
            diagnostics.ThrowIfErrors();
            executor.Start();
            Simulator::Run();
            finishes = executor.GetFinishes();
            isStuck = !executor.DescribeStuckRanks().empty();
        }
        Simulator::Destroy();
        std::sort(finishes.begin(), finishes.end(), [](const auto& a, const auto& b) {
            return a.rank < b.rank;
        });
        return finishes;
    }
};

/**
 * @param id node id
 * @param type operation
 * @param bytes size
 * @param group group name
 * @return a collective
 */
inline ExecutionNode
MakeCollective(uint64_t id, CollectiveType type, uint64_t bytes, const std::string& group = "")
{
    ExecutionNode node;
    node.id = id;
    node.name = ToString(type);
    node.kind = NodeKind::Collective;
    node.collective = type;
    node.bytes = bytes;
    node.group = group;
    return node;
}

/**
 * @param id node id
 * @param isSend send or receive
 * @param peer other rank
 * @param bytes size
 * @param tag tag
 * @return a send or receive
 */
inline ExecutionNode
MakeMessage(uint64_t id, bool isSend, uint32_t peer, uint64_t bytes, uint64_t tag)
{
    ExecutionNode node;
    node.id = id;
    node.name = isSend ? "send" : "receive";
    node.kind = isSend ? NodeKind::Send : NodeKind::Receive;
    node.peer = peer;
    node.bytes = bytes;
    node.tag = tag;
    return node;
}

/// @param id node id @param microseconds duration @return a compute node of the accelerator
inline ExecutionNode
MakeCompute(uint64_t id, int64_t microseconds)
{
    ExecutionNode node;
    node.id = id;
    node.name = "compute";
    node.kind = NodeKind::Compute;
    node.durationPs = microseconds * 1000000;
    return node;
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_BENCH_H
