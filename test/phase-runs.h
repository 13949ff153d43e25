/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PHASE_RUNS_H
#define ML_CLUSTER_PHASE_RUNS_H

#include "test-tools.h"

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{
namespace tests
{

inline constexpr uint64_t RATE = 400'000'000'000; ///< of a member in each dimension, bit/s
inline constexpr int64_t LATENCY = 500'000;       ///< of a link, ps

/// What a run is made of.
struct Setup
{
    ClusterTopology topology;
    std::shared_ptr<const ClusterWorkload> workload;
    std::vector<std::pair<std::string, std::string>> planner{}; ///< attributes of the planner
    int64_t delayPs{0};                                         ///< endpoint delay
};

/// @param setup of a run @param granularity of the analytical channel @return its report
inline RunReport
RunWith(const Setup& setup, const std::string& granularity)
{
    return RunCluster(setup.topology, setup.workload, [&](ClusterHelper& cluster) {
        cluster.SetBackendAttribute("Granularity", StringValue(granularity));
        cluster.SetNpuAttribute("EndpointDelay", TimeValue(PicoSeconds(setup.delayPs)));
        for (const auto& [name, value] : setup.planner)
        {
            cluster.SetCollectiveAttribute(name, StringValue(value));
        }
    });
}

/// @param report of a run @return everything that both granularities must agree about
inline auto
GetResults(const RunReport& report)
{
    std::vector<std::tuple<int64_t, int64_t, int64_t>> ranks;
    for (const auto& rank : report.ranks)
    {
        ranks.emplace_back(rank.finishTimePs, rank.exposedCommunicationPs, rank.idlePs);
    }
    std::vector<std::tuple<uint64_t, int64_t, uint64_t>> links;
    for (const auto& link : report.links)
    {
        links.emplace_back(link.payloadBytes, link.busyPs, link.maxQueueBytes);
    }
    std::vector<std::tuple<std::string, int64_t, int64_t>> collectives;
    for (const auto& collective : report.collectives)
    {
        collectives.emplace_back(collective.name, collective.startPs, collective.endPs);
    }
    return std::make_tuple(report.finishTimePs, ranks, links, collectives);
}

} // namespace tests
} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PHASE_RUNS_H
