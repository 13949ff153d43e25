/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_IN_NETWORK_CASES_H
#define ML_CLUSTER_IN_NETWORK_CASES_H

#include "test-tools.h"

#include "ns3/quantity.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s: a byte takes 20 ps
constexpr int64_t LATENCY = 500000;     ///< 500 ns per link
constexpr auto AR = CollectiveType::AllReduce;

/// @ingroup ml-cluster-tests
/// @param notation shape @param inNetwork per dimension, what its switches do @return the topology
inline ClusterTopology
WithSwitches(const std::string& notation, const std::vector<InNetworkCapability>& inNetwork)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (std::size_t k = 0; k < dimensions.size(); ++k)
    {
        dimensions[k].SetMemberBitRate(RATE);
        dimensions[k].latencyPs = LATENCY;
        dimensions[k].inNetwork = inNetwork[k];
    }
    return ClusterTopology(dimensions);
}

/// @ingroup ml-cluster-tests
/// @param bytes some @return their time on a link, ps
inline int64_t
Ser(uint64_t bytes)
{
    return SerialisationPicoseconds(bytes, RATE);
}

/// How a collective runs. @ingroup ml-cluster-tests
struct Setting
{
    uint32_t chunks{1};                ///< chunks
    uint32_t inFlight{1};              ///< chunks in flight
    std::string backend{"analytical"}; ///< backend
    uint32_t headerBytes{0};           ///< of packets
    uint32_t ackBytes{0};              ///< of acknowledgements
    std::string scheduler{"baseline"}; ///< chunk scheduler
};

/// @ingroup ml-cluster-tests
/// @param cluster configured as @param setting says
inline void
Configure(ClusterHelper& cluster, const Setting& setting)
{
    cluster.SetCollectiveAttribute("Chunks", UintegerValue(setting.chunks));
    cluster.SetCollectiveAttribute("ChunksInFlight", UintegerValue(setting.inFlight));
    cluster.SetCollectiveAttribute("Scheduler", StringValue(setting.scheduler));
    if (setting.backend == "packet")
    {
        cluster.SetBackendAttribute("HeaderBytes", UintegerValue(setting.headerBytes));
        cluster.SetBackendAttribute("AckBytes", UintegerValue(setting.ackBytes));
    }
}

/// @ingroup ml-cluster-tests
/// @param topology shape @param node what every rank does @param setting how @return the report
inline RunReport
RunNode(const ClusterTopology& topology, const ExecutionNode& node, const Setting& setting = {})
{
    return RunCluster(
        topology,
        MakeEqualWorkload(topology.GetNRanks(), {node}),
        [&](ClusterHelper& cluster) { Configure(cluster, setting); },
        setting.backend);
}

/// @ingroup ml-cluster-tests
/// @param topology shape @param type operation @param bytes size @param setting how @return time,
/// ps
inline int64_t
TimeOf(const ClusterTopology& topology,
       CollectiveType type,
       uint64_t bytes,
       const Setting& setting = {})
{
    return RunNode(topology, CollectiveNode(1, type, bytes), setting).finishTimePs;
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_IN_NETWORK_CASES_H
