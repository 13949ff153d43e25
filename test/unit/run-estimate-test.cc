/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/analytical-costs.h"
#include "ns3/collective-costs.h"
#include "ns3/packet-costs.h"
#include "ns3/repeat-skipper.h"
#include "ns3/run-estimate.h"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>

using namespace ns3::mlcluster;

namespace
{

constexpr uint64_t LARGEST = std::numeric_limits<uint64_t>::max();

std::shared_ptr<const LinkGraph>
MakeGraph(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.SetMemberBitRate(400'000'000'000);
        dimension.latencyPs = 500'000;
    }
    return std::make_shared<const LinkGraph>(ClusterTopology(dimensions));
}

CollectivePlan
MakePlan(const LinkGraph& graph, CollectiveType type, uint64_t bytes)
{
    std::vector<uint32_t> group(graph.GetNRanks());
    std::iota(group.begin(), group.end(), 0);
    CollectiveOptions options;
    options.chunks = 1;
    return CollectivePlan(graph.GetTopology(), options, group, {type, bytes});
}

/// Events of one collective.
CountRange
CountEvents(const std::string& notation, CollectiveType type, const AnalyticalCosts::Rules& rules)
{
    const auto graph = MakeGraph(notation);
    const AnalyticalCosts messages(graph, rules, {0, 0, 0});
    const CollectivePlan plan = MakePlan(*graph, type, 1 << 20);
    return CollectiveCosts(graph, messages, {false, false}).Get(plan).events;
}

/// Counts acknowledgements packet by packet, as the transport's rules say.
uint64_t
CountMarks(uint64_t bytes, uint64_t payload, uint64_t interval, uint64_t window)
{
    uint64_t marks = 0;
    uint64_t unmarked = 0;
    uint64_t since = 0;
    uint64_t offset = 0;
    do
    {
        const uint64_t now = std::min(payload, bytes - offset);
        offset += now;
        unmarked += std::max<uint64_t>(now, 1);
        ++since;
        if (offset == bytes || since >= interval || unmarked + payload > window)
        {
            ++marks;
            unmarked = 0;
            since = 0;
        }
    } while (offset < bytes);
    return marks;
}

} // namespace

TEST(LargeCount, StaysAtTheLargest)
{
    EXPECT_EQ((LargeCount(3) * LargeCount(4) + LargeCount(5)).Get(), 17);
    EXPECT_EQ((LargeCount(LARGEST - 1) + LargeCount(0)).Get(), LARGEST - 1);
    EXPECT_TRUE((LargeCount(LARGEST - 1) + LargeCount(0)).IsCounted());
    EXPECT_FALSE((LargeCount(LARGEST - 1) + LargeCount(1)).IsCounted());
    EXPECT_FALSE((LargeCount(LARGEST - 1) + LargeCount(7)).IsCounted());
    EXPECT_FALSE((LargeCount(uint64_t{1} << 33) * LargeCount(uint64_t{1} << 31)).IsCounted());
    EXPECT_TRUE((LargeCount(uint64_t{1} << 32) * LargeCount(uint64_t{1} << 31)).IsCounted());
    EXPECT_FALSE((LargeCount(LARGEST) - LargeCount(5)).IsCounted());
    EXPECT_EQ((LargeCount(LARGEST) * LargeCount(0)).Get(), 0);
}

TEST(PacketParameters, CountsAcknowledgementsAsTheTransportMarks)
{
    std::mt19937_64 random(1);
    for (uint32_t round = 0; round < 2000; ++round)
    {
        const uint64_t payload = 1 + random() % 40;
        const uint64_t interval = 1 + random() % 9;
        const uint64_t window = 1 + random() % 400;
        const uint64_t bytes = random() % 1000;
        const PacketParameters parameters{payload, 82, 86, interval, 8, window, 2};
        EXPECT_EQ(parameters.CountAcknowledgements(bytes, window),
                  CountMarks(bytes, payload, interval, window))
            << bytes << " B in " << payload << ", every " << interval << ", window " << window;
        EXPECT_EQ(parameters.CountPackets(bytes),
                  std::max<uint64_t>(1, (bytes + payload - 1) / payload));
    }
}

TEST(PacketCosts, CountsPacketsAndLinks)
{
    const auto graph = MakeGraph("Ring(4)_Switch(2)");
    const PacketCosts costs(graph, {4096, 82, 86, 8, 8, 0, 2}, {0, 0, 0});
    // 100 packets over two links of the ring and two of the switch; 13 acknowledgements, 13 bursts
    const MessageCost cost = costs.GetCost(0, 6, 100 * 4096);
    EXPECT_EQ(cost.packets.Get(), 100);
    EXPECT_EQ(cost.packetHops.Get(), 400);
    EXPECT_EQ(cost.events.expected.Get(), 4 * 113 + 13);
    EXPECT_EQ(cost.events.most.Get(), 4 * 113 + 13 + 13);
    EXPECT_EQ(costs.GetSetupEvents(), graph->GetNLinks() + 4);
}

TEST(PacketCosts, SaysWhereNumbersAreTooLarge)
{
    const PacketCosts costs(MakeGraph("Switch(2)"), {1, 82, 86, 1, 8, 1, 2}, {0, 0, 0});
    const MessageCost cost = costs.GetCost(0, 1, uint64_t{1} << 62);
    EXPECT_EQ(cost.packets.Get(), uint64_t{1} << 62);
    EXPECT_EQ(cost.packetHops.Get(), uint64_t{1} << 63);
    EXPECT_FALSE(cost.events.expected.IsCounted());
}

TEST(CollectiveCosts, CountsByHand)
{
    // an all-reduce over n members by rings in both directions: 2 x 2 (n - 1) messages of each
    const AnalyticalCosts::Rules links{true, false, false};
    const CountRange ring = CountEvents("Ring(8)", CollectiveType::AllReduce, links);
    EXPECT_EQ(ring.fewest.Get(), 8 * 2 * 2 * 7);
    // at most each waits, and each of 2 phases on 8 members ends with a message that leaves
    EXPECT_EQ(ring.most.Get(), 2 * 8 * 2 * 2 * 7 + 2 * 8);
    // halving and doubling: 2 log n messages, each over two links, stored or not
    EXPECT_EQ(CountEvents("Switch(8)", CollectiveType::AllReduce, links).fewest.Get(),
              8 * 2 * 3 * 2);
    const CountRange whole =
        CountEvents("Switch(8)", CollectiveType::AllReduce, {true, true, false});
    EXPECT_TRUE(whole.IsExact());
    EXPECT_EQ(whole.fewest.Get(), 8 * 2 * 3 * 2 * 2);
    // without congestion one event a message, and a root that only sends waits for its last one
    const AnalyticalCosts::Rules none{false, false, false};
    const CountRange scatter = CountEvents("Switch(8)", CollectiveType::Scatter, none);
    EXPECT_TRUE(scatter.IsExact());
    EXPECT_EQ(scatter.fewest.Get(), 7 + 1);
}

TEST(CollectiveCosts, CountsComputedPhases)
{
    const AnalyticalCosts::Rules phases{true, false, true};
    const CountRange events = CountEvents("Ring(8)", CollectiveType::AllReduce, phases);
    EXPECT_EQ(events.fewest.Get(), 8);
    EXPECT_EQ(events.most.Get(), 3 * 8 * 2 * 2 * 7 + 2 * 8 + 8);
}

TEST(RepeatSkipper, TellsItsRuns)
{
    const RepeatSkipper skipper(100, 2, 5);
    EXPECT_EQ(skipper.GetExpectedRuns(), (std::vector<uint64_t>{6, 8}));
    EXPECT_EQ(skipper.GetLongestRuns(), (std::vector<uint64_t>{6, 12, 24, 48, 100}));
    const RepeatSkipper few(12, 2, 5);
    EXPECT_EQ(few.GetExpectedRuns(), (std::vector<uint64_t>{12}));
    EXPECT_EQ(few.GetLongestRuns(), (std::vector<uint64_t>{12}));
}

TEST(RunEstimate, AddsRepeats)
{
    RunEstimate first;
    first.events = CountRange(LargeCount(100), LargeCount(110), LargeCount(150));
    first.messages = 10;
    RunEstimate second = first;
    second.events = CountRange(LargeCount(140), LargeCount(150), LargeCount(200));
    second.messages = 14;
    second.memory.graphs = 7;
    first.memory.results = 100;
    second.memory.results = 120;
    const RunEstimate both = CombineRepeats(first, second, {6, 8}, {6, 12, 100});
    EXPECT_EQ(both.events.fewest.Get(), 240);
    EXPECT_EQ(both.events.expected.Get(), 260);
    EXPECT_EQ(both.events.most.Get(), 150 + (150 + 3 * 50) + (150 + 47 * 50));
    EXPECT_EQ(both.messages.Get(), 24);
    EXPECT_EQ(both.memory.graphs, 7);
    EXPECT_EQ(both.memory.results, 220);
    EXPECT_EQ(both.repeats->simulated.expected.Get(), 14);
    EXPECT_EQ(both.repeats->simulated.most.Get(), 118);
    EXPECT_EQ(both.repeats->total, 100);
    EXPECT_EQ(both.repeats->events.expected.Get(), 110 + 47 * 40);
}

TEST(RunEstimate, IsPrintedAndWritten)
{
    RunEstimate estimate;
    estimate.backend = "packet";
    estimate.events = CountRange(LargeCount(1000), LargeCount(1200), LargeCount(LARGEST));
    estimate.messages = 5;
    estimate.packets = 50;
    estimate.packetHops = 100;
    estimate.memory.process = 2'000'000;
    estimate.memory.live = 500'000;
    estimate.eventsPerSecond = 400;
    estimate.remarks = {"a remark"};
    std::ostringstream table;
    PrintEstimates(table, {estimate, estimate});
    EXPECT_NE(table.str().find("over 1.8e19"), std::string::npos) << table.str();
    EXPECT_NE(table.str().find("3.0 s"), std::string::npos) << table.str();
    EXPECT_EQ(table.str().find("a remark"), table.str().rfind("a remark")) << table.str();
    std::ostringstream csv;
    WriteEstimateTable(csv, {estimate});
    EXPECT_EQ(csv.str(),
              "backend,events,events_at_least,events_at_most,messages,packets,packet_hops,"
              "repetitions_simulated,repetitions,events_of_all,memory_bytes,process_bytes,"
              "graphs_bytes,collectives_bytes,npus_bytes,network_bytes,live_bytes,results_bytes,"
              "events_per_s,wall_s\n"
              "packet,1200,1000,inf,5,50,100,1,1,1200,2500000,2000000,0,0,0,0,500000,0,400,3\n");
}
