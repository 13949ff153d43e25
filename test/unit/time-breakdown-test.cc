/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/time-breakdown.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <tuple>

#if __has_include(<boost/icl/interval_set.hpp>)
#include <boost/icl/interval_set.hpp>
#endif

using namespace ns3::mlcluster;

namespace
{

/// A node that is going on.
struct Activity
{
    int64_t fromPs;     ///< start, ps
    int64_t toPs;       ///< end, ps
    ExecutionNode node; ///< what
};

/// @param kind kind @param group group @param onHost whether on the host @return a node
ExecutionNode
MakeNode(NodeKind kind, const std::string& group = "", bool onHost = false)
{
    ExecutionNode node;
    node.kind = kind;
    node.group = group;
    node.onHost = onHost;
    return node;
}

/// @return an access to local memory
ExecutionNode
MakeLocalAccess()
{
    ExecutionNode node = MakeNode(NodeKind::MemoryLoad);
    node.location = MemoryLocation::LOCAL;
    return node;
}

/// Nodes of every activity; of communication, of two kinds and several groups.
const std::vector<ExecutionNode> NODES{MakeNode(NodeKind::Compute),
                                       MakeNode(NodeKind::Compute, "", true),
                                       MakeNode(NodeKind::MemoryLoad),
                                       MakeNode(NodeKind::MemoryStore),
                                       MakeLocalAccess(),
                                       MakeNode(NodeKind::Send),
                                       MakeNode(NodeKind::Receive),
                                       MakeNode(NodeKind::Send, "pipeline"),
                                       MakeNode(NodeKind::Collective),
                                       MakeNode(NodeKind::Collective, "tensor"),
                                       MakeNode(NodeKind::Collective, "data")};

/// @param random source @param n how many @param endPs latest end @param longestPs longest time
/// @return random activities, in any order
std::vector<Activity>
MakeActivities(std::mt19937_64& random, uint32_t n, int64_t endPs, int64_t longestPs)
{
    std::vector<Activity> activities;
    for (uint32_t i = 0; i < n; ++i)
    {
        const int64_t from = random() % endPs;
        const int64_t length = random() % longestPs;
        const auto& node = NODES[random() % NODES.size()];
        activities.push_back({from, std::min(from + length, endPs), node});
    }
    return activities;
}

/// @param activities what goes on @param endPs end of the run @return the report of a breakdown
/// that is told of their starts and ends
RunReport
Report(const std::vector<Activity>& activities, int64_t endPs)
{
    std::vector<std::tuple<int64_t, bool, const ExecutionNode*>> changes;
    for (const auto& activity : activities)
    {
        changes.emplace_back(activity.fromPs, false, &activity.node);
        changes.emplace_back(activity.toPs, true, &activity.node);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    TimeBreakdown breakdown;
    for (const auto& [time, isEnd, node] : changes)
    {
        isEnd ? breakdown.End(*node, time) : breakdown.Begin(*node, time);
    }
    RunReport report;
    report.finishTimePs = endPs;
    breakdown.AddTo(3, endPs - 1, report);
    return report;
}

/// @param rank a report @return its exclusive parts in the order of their importance, then what is
/// overlapped
std::vector<int64_t>
GetParts(const RankReport& rank)
{
    return {rank.computePs,
            rank.exposedCommunicationPs,
            rank.exposedMemoryPs,
            rank.exposedLocalMemoryPs,
            rank.hostPs,
            rank.idlePs,
            rank.overlappedCommunicationPs};
}

} // namespace

TEST(TimeBreakdown, CountsHostCommunicationAndComputeInSeries)
{
    // work of the host is no exposed communication
    constexpr int64_t MS = 1000000000;
    const RunReport report =
        Report({{0, 5 * MS, NODES[1]}, {5 * MS, 15 * MS, NODES[0]}, {15 * MS, 18 * MS, NODES[9]}},
               18 * MS);
    EXPECT_EQ(GetParts(report.ranks[0]),
              (std::vector<int64_t>{10 * MS, 3 * MS, 0, 0, 5 * MS, 0, 0}));
    ASSERT_EQ(report.communication.size(), 1u);
    EXPECT_EQ(report.communication[0].rank, 3u);
    EXPECT_EQ(report.communication[0].group, "tensor");
    EXPECT_EQ(report.communication[0].GetKind(), "collectives");
    EXPECT_EQ(report.communication[0].exposedPs, 3 * MS);
}

TEST(TimeBreakdown, ClosesWhatIsGoingOnAtTheEnd)
{
    TimeBreakdown breakdown;
    breakdown.Begin(NODES[9], 10);
    breakdown.Begin(NODES[0], 40);
    RunReport report;
    report.finishTimePs = 100;
    breakdown.AddTo(0, 0, report);
    EXPECT_EQ(GetParts(report.ranks[0]), (std::vector<int64_t>{60, 30, 0, 0, 0, 10, 60}));
    EXPECT_EQ(report.communication[0].busyPs, 90);
    EXPECT_EQ(report.communication[0].exposedPs, 30);
}

TEST(TimeBreakdown, AgreesWithCountingEveryPicosecond)
{
    const auto rankOf = [](const ExecutionNode& node) {
        return node.kind >= NodeKind::Send      ? 1
               : node.kind != NodeKind::Compute ? 2 + node.location
               : node.onHost                    ? 4
                                                : 0;
    };
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        std::mt19937_64 random(seed);
        constexpr int64_t END = 1000;
        const auto activities = MakeActivities(random, 12, END, 500);
        std::vector<int64_t> expected(7);
        for (int64_t t = 0; t < END; ++t)
        {
            std::vector<bool> isOn(6);
            isOn[5] = true;
            for (const auto& activity : activities)
            {
                if (activity.fromPs <= t && t < activity.toPs)
                {
                    isOn[rankOf(activity.node)] = true;
                }
            }
            ++expected[std::find(isOn.begin(), isOn.end(), true) - isOn.begin()];
            expected[6] += isOn[0] && isOn[1];
        }
        const RunReport report = Report(activities, END);
        EXPECT_EQ(report.ranks[0].rank, 3u);
        EXPECT_EQ(report.ranks[0].finishTimePs, END - 1);
        EXPECT_EQ(GetParts(report.ranks[0]), expected);
    }
}

#if __has_include(<boost/icl/interval_set.hpp>)

TEST(TimeBreakdown, AgreesWithSetsOfIntervals)
{
    using Intervals = boost::icl::interval_set<int64_t>;
    for (uint32_t seed = 0; seed < 100; ++seed)
    {
        std::mt19937_64 random(seed);
        constexpr int64_t END = 1000000000000;
        const uint32_t n = 1 + random() % 300;
        const int64_t longest = END / (1 + random() % 200);
        const auto activities = MakeActivities(random, n, END, longest);
        Intervals compute;
        Intervals communication;
        Intervals memory;
        Intervals local;
        Intervals host;
        std::map<std::pair<bool, std::string>, Intervals> groups;
        for (const auto& [from, to, node] : activities)
        {
            const auto interval = Intervals::interval_type::right_open(from, to);
            if (node.kind >= NodeKind::Send)
            {
                communication.add(interval);
                groups[{node.kind == NodeKind::Collective, node.group}].add(interval);
            }
            else
            {
                auto& own = node.onHost ? host : compute;
                auto& accesses = node.location == MemoryLocation::LOCAL ? local : memory;
                (node.kind == NodeKind::Compute ? own : accesses).add(interval);
            }
        }
        const auto length = [](const Intervals& set) { return boost::icl::length(set); };
        const Intervals two = compute + communication;
        const Intervals three = two + memory;
        const Intervals four = three + local;
        const RunReport report = Report(activities, END);
        EXPECT_EQ(GetParts(report.ranks[0]),
                  (std::vector<int64_t>{length(compute),
                                        length(communication - compute),
                                        length(memory - two),
                                        length(local - three),
                                        length(host - four),
                                        END - length(four + host),
                                        length(communication & compute)}));
        ASSERT_EQ(report.communication.size(), groups.size());
        for (const auto& group : report.communication)
        {
            const Intervals& set = groups.at({group.isCollective, group.group});
            EXPECT_EQ(group.busyPs, length(set));
            EXPECT_EQ(group.exposedPs, length(set - compute));
        }
    }
}

#endif
