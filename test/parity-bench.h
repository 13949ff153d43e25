/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PARITY_BENCH_H
#define ML_CLUSTER_PARITY_BENCH_H

#include "test-tools.h"

#include "ns3/analytical-channel.h"
#include "ns3/astra-parity-options.h"
#include "ns3/astra-system.h"
#include "ns3/boolean.h"
#include "ns3/cluster-workload.h"
#include "ns3/link-graph.h"
#include "ns3/node-container.h"
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
            algorithms.push_back(MakeParityAlgorithm(ParseAstraAlgorithm(name)));
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
        UsePicoseconds();
        const ClusterTopology shape = MakeTopology();
        options.bandwidths = bandwidth;
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

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PARITY_BENCH_H
