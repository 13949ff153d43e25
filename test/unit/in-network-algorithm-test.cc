/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "algorithm-cases.h"
#include "error-of.h"

#include "ns3/collective-plan.h"
#include "ns3/running-phase.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// @param notation shape @param inNetwork per dimension, whether its switches reduce
/// @param slots of those @return the topology
ClusterTopology
WithSwitches(const std::string& notation, const std::vector<bool>& inNetwork, uint32_t slots = 0)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (std::size_t k = 0; k < dimensions.size(); ++k)
    {
        dimensions[k].linkBitRate = RATE;
        dimensions[k].latencyPs = LATENCY;
        dimensions[k].inNetwork = {inNetwork[k], 5000, slots};
    }
    return ClusterTopology(dimensions);
}

/// @param plan of a collective @param chunk index @return its phases as "type@dimension:algorithm"
std::vector<std::string>
PhasesOf(const CollectivePlan& plan, uint32_t chunk = 0)
{
    std::vector<std::string> phases;
    for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
    {
        const auto& at = plan.GetPhase(chunk, phase);
        phases.push_back(ToString(at.type) + "@" +
                         std::to_string(plan.GetTopologyDimension(at.dimension)) + ":" +
                         at.algorithm->GetName());
    }
    return phases;
}

/// @param topology shape @param type operation @param options how @return plan of all ranks
CollectivePlan
PlanOf(const ClusterTopology& topology, CollectiveType type, const CollectiveOptions& options = {})
{
    return CollectivePlan(topology,
                          options,
                          AllRanks(topology),
                          {type, type == BARRIER ? 0U : 960'000U});
}

using Phases = std::vector<std::string>;

} // namespace

TEST(InNetworkAlgorithm, TakesTwoLatenciesAndTwoMessages)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        const uint64_t bytes = 1'000'003;
        const auto time = [&](CollectiveType type, uint32_t root = 0) {
            const uint64_t held = type == BARRIER ? 0 : bytes;
            return TimeOf("in-network", type, BuildingBlock::Switch, n, held, root) - 2 * LATENCY;
        };
        const uint64_t largest = SplitEvenly(bytes, n).front();
        EXPECT_EQ(time(AR), 2 * Busy(bytes));
        EXPECT_EQ(time(RS), Busy(bytes) + Busy(largest));
        EXPECT_EQ(time(AG), Busy(largest) + Busy(bytes - SplitEvenly(bytes, n).back()));
        EXPECT_EQ(time(BROADCAST, n - 1), 2 * Busy(bytes));
        EXPECT_EQ(time(REDUCE, n / 2), 2 * Busy(bytes));
        EXPECT_EQ(time(BARRIER), 0);
    }
}

TEST(InNetworkAlgorithm, AsksTheSwitchForWhatTheSwitchSends)
{
    for (const auto type : {AR, RS, AG, BROADCAST, REDUCE, BARRIER})
    {
        const CollectiveRequest request{type,
                                        5,
                                        SplitEvenly(type == BARRIER ? 0 : 1001, 5),
                                        type == BROADCAST || type == REDUCE ? 3U : 0U};
        const auto schedules = BuildAll(*CollectiveAlgorithm::Create("in-network"), request);
        ASSERT_EQ(schedules.size(), 6U);
        for (uint32_t member = 0; member < 5; ++member)
        {
            ASSERT_EQ(schedules[member].GetSends().size(), 1U);
            ASSERT_EQ(schedules[member].GetReceives().size(), 1U);
            EXPECT_EQ(schedules[5].GetReceives()[member].bytes,
                      schedules[member].GetSends()[0].bytes);
            EXPECT_EQ(schedules[5].GetSends()[member].bytes,
                      schedules[member].GetReceives()[0].bytes);
        }
    }
}

TEST(InNetworkComposition, IsTheDefaultWhereSwitchesReduce)
{
    const auto topology = WithSwitches("R(4)_SW(8)", {false, true});
    EXPECT_EQ(PhasesOf(PlanOf(topology, AR)),
              (Phases{"reduce-scatter@0:ring", "all-reduce@1:in-network", "all-gather@0:ring"}));
    EXPECT_EQ(PhasesOf(PlanOf(topology, RS)),
              (Phases{"reduce-scatter@0:ring", "reduce-scatter@1:in-network"}));
    EXPECT_EQ(PhasesOf(PlanOf(topology, AG)),
              (Phases{"all-gather@1:in-network", "all-gather@0:ring"}));
    EXPECT_EQ(PhasesOf(PlanOf(topology, BROADCAST)),
              (Phases{"broadcast@1:in-network", "broadcast@0:ring"}));
    EXPECT_EQ(PhasesOf(PlanOf(topology, BARRIER)),
              (Phases{"barrier@0:recursive-doubling", "barrier@1:in-network"}));
    EXPECT_EQ(PhasesOf(PlanOf(topology, A2A)),
              (Phases{"all-to-all@0:relay", "all-to-all@1:direct"}));
    EXPECT_EQ(PhasesOf(PlanOf(topology, GATHER)), (Phases{"gather@0:direct", "gather@1:direct"}));
}

TEST(InNetworkComposition, InnerDimensionsScatterAndGatherThroughTheSwitch)
{
    EXPECT_EQ(PhasesOf(PlanOf(WithSwitches("SW(8)_R(4)", {true, false}), AR)),
              (Phases{"reduce-scatter@0:in-network",
                      "reduce-scatter@1:ring",
                      "all-gather@1:ring",
                      "all-gather@0:in-network"}));
    EXPECT_EQ(PhasesOf(PlanOf(WithSwitches("SW(8)_SW(4)", {true, true}), AR)),
              (Phases{"reduce-scatter@0:in-network",
                      "all-reduce@1:in-network",
                      "all-gather@0:in-network"}));
}

TEST(InNetworkComposition, PhasesDoNotDependOnTheChunk)
{
    CollectiveOptions options = WithChunks(16);
    options.scheduler = "themis";
    const auto plan = PlanOf(WithSwitches("SW(8)_SW(4)", {true, true}), AR, options);
    std::set<uint32_t> last;
    for (uint32_t chunk = 0; chunk < plan.GetNChunks(); ++chunk)
    {
        last.insert(plan.GetPhase(chunk, plan.GetNPhases() / 2 - 1).dimension);
        for (uint32_t phase = 0; phase < plan.GetNPhases(); ++phase)
        {
            EXPECT_EQ(plan.GetPhase(chunk, phase).type, phase < 2 ? RS : AG);
        }
    }
    EXPECT_EQ(plan.GetNPhases(), 4U);
    EXPECT_EQ(last.size(), 2U);
}

TEST(InNetworkComposition, NamesWhatIsMissing)
{
    CollectiveOptions options;
    options.algorithms[AR] = {"auto", "in-network"};
    const std::string text =
        ErrorOf([&] { PlanOf(WithSwitches("SW(4)_SW(8)", {true, false}), AR, options); });
    EXPECT_NE(text.find("dimension 1, Switch(8): algorithm \"in-network\" is not possible, it has "
                        "no switches that reduce in the network; possible are ring,"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("in-network", text.find("possible are")), std::string::npos) << text;
    options.algorithms[AR] = {"ring", "auto"};
    EXPECT_EQ(PhasesOf(PlanOf(WithSwitches("SW(4)_SW(8)", {true, false}), AR, options)).front(),
              "reduce-scatter@0:ring-one-way");
    options.algorithms[A2A] = {"in-network", "auto"};
    EXPECT_NE(ErrorOf([&] { PlanOf(WithSwitches("SW(4)_SW(8)", {true, false}), A2A, options); })
                  .find("it can do all-reduce, reduce-scatter, all-gather, broadcast, reduce, "
                        "barrier only"),
              std::string::npos);
}

TEST(InNetworkComposition, SlotsLimitItsOwnDimensionOnly)
{
    const auto limits = [](const CollectiveOptions& options) {
        const auto plan = PlanOf(WithSwitches("SW(4)_SW(8)", {true, false}, 2), AR, options);
        return std::pair(plan.GetChunksInFlight(0), plan.GetChunksInFlight(1));
    };
    CollectiveOptions options = WithChunks(16, 8);
    EXPECT_EQ(limits(options), std::pair(2U, 8U));
    EXPECT_EQ(limits(WithChunks(16, 1)), std::pair(1U, 1U));
    options.algorithms[AR] = {"ring", "auto"};
    EXPECT_EQ(limits(options), std::pair(8U, 8U));
}

TEST(InNetworkComposition, ThemisCountsAllThatIsSentToTheSwitch)
{
    ChunkScheduler::Level ring{4, RATE, 0, true, 1, 1};
    ChunkScheduler::Level hub{4, RATE, 0, true, 1, 1, true};
    const auto first = [](std::vector<ChunkScheduler::Level> levels) {
        return ChunkScheduler("themis", AR, std::move(levels)).Schedule(1 << 20, 3)[1].order[0];
    };
    // The first chunk leaves loads of 3/4 and 1/4 (not in-network 3/16), times 3.1 on a slower hub.
    EXPECT_EQ(first({ring, hub}), 1U);
    hub.bitRate = RATE * 10 / 31;
    EXPECT_EQ(first({ring, hub}), 0U);
    hub.isInNetwork = false;
    EXPECT_EQ(first({ring, hub}), 1U);
}

TEST(InNetworkPlan, MembersMeetInTheirSwitch)
{
    const auto topology = WithSwitches("SW(3)_R(2)_SW(4)", {false, false, true});
    const LinkGraph graph(topology);
    const auto plan = PlanOf(topology, RS);
    for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
    {
        EXPECT_EQ(plan.GetPeers(rank, 0, 1).size(), 2U);
        const auto peers = plan.GetPeers(rank, 0, 2);
        ASSERT_EQ(peers.size(), 5U);
        for (uint32_t i = 0; i < 4; ++i)
        {
            const uint32_t up = graph.GetNextLink(peers[i], peers[4]);
            EXPECT_EQ(graph.GetLink(up).from, peers[i]);
            EXPECT_EQ(graph.GetLink(up).to, peers[4]);
            EXPECT_EQ(graph.GetRoute(peers[i], peers[4]), std::vector<uint32_t>{up});
            EXPECT_EQ(graph.GetRoute(peers[4], peers[i]),
                      std::vector<uint32_t>{graph.GetReverseLink(up)});
            EXPECT_TRUE(graph.IsMember(peers[i], peers[4]));
        }
        EXPECT_EQ(graph.GetSwitchDimension(peers[4]), 2);
    }
    EXPECT_EQ(graph.GetSwitchDimension(topology.GetNRanks()), 0);
    EXPECT_EQ(graph.GetSwitchDimension(0), -1);
    EXPECT_FALSE(graph.IsMember(0, graph.GetNVertices() - 1));
    EXPECT_EQ(graph.GetNVertices(), topology.GetNVertices());
}

TEST(InNetworkPlan, PartOfABlockUsesItsSwitch)
{
    const auto topology = WithSwitches("SW(8)_R(2)", {true, false});
    const CollectivePlan plan(topology, {}, {9, 14, 12}, {AR, 300});
    EXPECT_EQ(PhasesOf(plan), Phases{"all-reduce@0:in-network"});
    EXPECT_EQ(plan.GetPeers(14, 0, 0), (std::vector<uint32_t>{9, 14, 12, 17}));
    const CollectivePlan across(topology, {}, {0, 9, 12}, {AR, 300});
    EXPECT_EQ(PhasesOf(across)[0], "reduce-scatter@2:ring");
}

TEST(InNetworkPlan, WhoWaitsForTheSwitchWaitsForAllOthers)
{
    const auto plan = PlanOf(WithSwitches("SW(4)", {true}), AR);
    RunningPhase phase;
    phase.Prepare(plan, 2, 0, 0);
    phase.awaited.at(0) = 1;
    std::set<uint32_t> ranks;
    phase.AddAwaitedRanks(ranks);
    EXPECT_EQ(ranks, (std::set<uint32_t>{0, 1, 3}));
}

TEST(InNetworkCapability, IsOfASwitchAndInRange)
{
    const auto refuse = [](BuildingBlock block, int64_t processingPs) {
        return ErrorOf(
            [&] { ClusterTopology({{block, 4, RATE, LATENCY, {true, processingPs, 0}}}); });
    };
    EXPECT_NE(refuse(BuildingBlock::Ring, 0)
                  .find("dimension 0: a Ring has no switches that could reduce in the network"),
              std::string::npos);
    EXPECT_NE(refuse(BuildingBlock::FullyConnected, 0).find("a FullyConnected has no switches"),
              std::string::npos);
    EXPECT_NE(refuse(BuildingBlock::Switch, -1).find("processing time of its switches is -1 ps"),
              std::string::npos);
    EXPECT_NE(refuse(BuildingBlock::Switch, int64_t{1} << 60).find("allowed are 0 to 1000 s"),
              std::string::npos);
    EXPECT_EQ(refuse(BuildingBlock::Switch, 1000), "");
}
