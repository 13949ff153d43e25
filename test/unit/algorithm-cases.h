/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_ALGORITHM_CASES_H
#define ML_CLUSTER_ALGORITHM_CASES_H

#include "collective-cases.h"
#include "link-simulator.h"

#include "ns3/collective-algorithm.h"

#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

// What the tests of collective algorithms share: all types, schedules of all members, and times on
// one block without a simulator.

constexpr auto BROADCAST = CollectiveType::Broadcast;
constexpr auto REDUCE = CollectiveType::Reduce;
constexpr auto GATHER = CollectiveType::Gather;
constexpr auto SCATTER = CollectiveType::Scatter;
constexpr auto BARRIER = CollectiveType::Barrier;
constexpr CollectiveType ALL_TYPES[] =
    {AR, RS, AG, A2A, BROADCAST, REDUCE, GATHER, SCATTER, BARRIER};

/// @return all algorithms, one with a window
inline std::vector<std::string>
AllAlgorithms()
{
    std::vector<std::string> names = CollectiveAlgorithm::GetNames();
    names.resize(names.size() + 1, "direct-3");
    return names;
}

/// @param algorithm what builds @param request for whom @return schedules of all members, and
/// of the switch in which they meet, if there is one
inline std::vector<RankSchedule>
BuildAll(const CollectiveAlgorithm& algorithm, const CollectiveRequest& request)
{
    std::vector<RankSchedule> schedules;
    const uint32_t nEnds = request.size + (algorithm.NeedsSwitch() ? 1 : 0);
    for (uint32_t position = 0; position < nEnds; ++position)
    {
        schedules.push_back(algorithm.Build(request, position));
    }
    return schedules;
}

/// @param transfers some @return their bytes
inline uint64_t
SumBytes(const std::vector<Transfer>& transfers)
{
    uint64_t bytes = 0;
    for (const Transfer& transfer : transfers)
    {
        bytes += transfer.bytes;
    }
    return bytes;
}

/// @return time of a request on one block, ps; RATE is that of a link
/// @param name algorithm @param block links @param request what to do @param latency of a link
inline int64_t
TimeOf(const std::string& name,
       BuildingBlock block,
       const CollectiveRequest& request,
       int64_t latency = LATENCY)
{
    const ClusterTopology topology({{block, request.size, RATE, latency}});
    const LinkGraph graph(topology);
    LinkSimulator links(graph);
    ScheduleRunner runner(links);
    std::vector<uint32_t> peers(request.size);
    std::iota(peers.begin(), peers.end(), 0);
    const auto schedules = BuildAll(*CollectiveAlgorithm::Create(name), request);
    if (schedules.size() > peers.size())
    {
        peers.push_back(topology.GetSwitch(0, 0));
    }
    uint32_t nDone = 0;
    for (uint32_t position = 0; position < peers.size(); ++position)
    {
        runner.Start(0, peers[position], peers, schedules[position], [&] { ++nDone; });
    }
    links.Run();
    EXPECT_EQ(nDone, peers.size());
    EXPECT_EQ(runner.nMismatches, 0);
    EXPECT_EQ(runner.GetNLeftOver(), 0);
    return links.Now();
}

/// @return the same for even pieces
/// @param name algorithm @param type operation @param block links @param n members
/// @param bytes of the buffer @param root of a rooted one
inline int64_t
TimeOf(const std::string& name,
       CollectiveType type,
       BuildingBlock block,
       uint32_t n,
       uint64_t bytes,
       uint32_t root = 0)
{
    return TimeOf(name, block, {type, n, SplitEvenly(bytes, n), root});
}

/// @param bytes some @return the time that a link is busy with them, ps
inline int64_t
Busy(uint64_t bytes)
{
    return SerialisationPicoseconds(bytes, RATE);
}

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_ALGORITHM_CASES_H
