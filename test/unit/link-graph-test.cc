/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/diagnostics.h"
#include "ns3/link-graph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>

using namespace ns3::mlcluster;

namespace
{

LinkGraph
MakeGraph(const std::string& notation, const GraphAttachment& attachment = {})
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (std::size_t k = 0; k < dimensions.size(); ++k)
    {
        dimensions[k].linkBitRate = 1000 * (k + 1);
        dimensions[k].latencyPs = static_cast<int64_t>(k + 1);
    }
    return LinkGraph(ClusterTopology(dimensions), attachment);
}

/// @return a graph with two switches and two ends at each attached
LinkGraph
MakeAttachedGraph(const std::string& notation)
{
    return MakeGraph(
        notation,
        {{{"hub 0", 700, 7}, {"hub 1", 700, 7}},
         {{"end 0", 0, 500, 5}, {"end 1", 1, 500, 5}, {"end 2", 0, 500, 5}, {"end 3", 1, 500, 5}}});
}

/// Links a route crosses per dimension, from the digits alone.
uint32_t
ExpectedHops(const ClusterTopology& topology, uint32_t dimension, uint32_t a, uint32_t b)
{
    const auto& shape = topology.GetDimension(dimension);
    const uint32_t x = topology.GetDigit(a, dimension);
    const uint32_t y = topology.GetDigit(b, dimension);
    if (x == y)
    {
        return 0;
    }
    const uint32_t distance = x > y ? x - y : y - x;
    switch (shape.block)
    {
    case BuildingBlock::Ring:
        return std::min(distance, shape.size - distance);
    case BuildingBlock::Switch:
        return 2;
    default:
        return 1;
    }
}

const char* const NOTATIONS[] = {"R(1)",
                                 "R(2)",
                                 "R(3)",
                                 "R(8)",
                                 "FC(1)",
                                 "FC(2)",
                                 "FC(5)",
                                 "SW(1)",
                                 "SW(2)",
                                 "SW(7)",
                                 "R(4)_FC(3)_SW(5)",
                                 "SW(3)_SW(1)_SW(4)",
                                 "SW(2)_R(2)_SW(3)_FC(2)",
                                 "R(5)_R(4)_R(3)",
                                 "FC(4)_R(1)_FC(3)"};

} // namespace

TEST(LinkGraph, CountsLinksAndSwitches)
{
    const struct
    {
        const char* notation;
        uint32_t vertices;
        uint32_t links;
    } cases[] = {{"R(1)", 1, 0},
                 {"R(2)", 2, 2},
                 {"R(3)", 3, 6},
                 {"FC(1)", 1, 0},
                 {"FC(5)", 5, 20},
                 {"SW(1)", 1, 0},
                 {"SW(7)", 8, 14},
                 {"R(4)_SW(2)", 8 + 4, 16 + 16},
                 {"SW(4)_SW(2)", 8 + 2 + 4, 16 + 16},
                 {"FC(4)_R(2)", 8, 24 + 8}};

    for (const auto& c : cases)
    {
        const auto graph = MakeGraph(c.notation);
        EXPECT_EQ(graph.GetNVertices(), c.vertices) << c.notation;
        EXPECT_EQ(graph.GetNLinks(), c.links) << c.notation;
    }
}

TEST(LinkGraph, LinksAreConsistent)
{
    for (const std::string notation : NOTATIONS)
    {
        const auto graph = MakeGraph(notation);
        std::set<std::pair<uint32_t, uint32_t>> pairs;
        uint32_t fromTotal = 0;
        for (uint32_t link = 0; link < graph.GetNLinks(); ++link)
        {
            const auto& forward = graph.GetLink(link);
            EXPECT_NE(forward.from, forward.to);
            EXPECT_TRUE(pairs.emplace(forward.from, forward.to).second) << notation;
            EXPECT_EQ(forward.bitRate, 1000 * (forward.dimension + 1));
            EXPECT_EQ(forward.latencyPs, forward.dimension + 1);
            const auto& reverse = graph.GetLink(graph.GetReverseLink(link));
            EXPECT_EQ(reverse.from, forward.to) << notation;
            EXPECT_EQ(reverse.to, forward.from) << notation;
            EXPECT_EQ(reverse.dimension, forward.dimension);
        }
        for (uint32_t vertex = 0; vertex < graph.GetNVertices(); ++vertex)
        {
            for (const uint32_t link : graph.GetLinksFrom(vertex))
            {
                EXPECT_EQ(graph.GetLink(link).from, vertex);
                ++fromTotal;
            }
        }
        EXPECT_EQ(fromTotal, graph.GetNLinks()) << notation;
    }
}

TEST(LinkGraph, RoutesAreShortestAndGoUpTheDimensions)
{
    for (const std::string notation : NOTATIONS)
    {
        const auto graph = MakeGraph(notation);
        const auto& topology = graph.GetTopology();
        for (uint32_t a = 0; a < graph.GetNRanks(); ++a)
        {
            for (uint32_t b = 0; b < graph.GetNRanks(); ++b)
            {
                std::map<uint32_t, uint32_t> hops;
                uint32_t at = a;
                uint32_t dimension = 0;
                for (const uint32_t link : graph.GetRoute(a, b))
                {
                    EXPECT_EQ(graph.GetLink(link).from, at);
                    at = graph.GetLink(link).to;
                    EXPECT_GE(graph.GetLink(link).dimension, dimension);
                    dimension = graph.GetLink(link).dimension;
                    ++hops[dimension];
                }
                EXPECT_EQ(at, b);
                for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
                {
                    EXPECT_EQ(hops[k], ExpectedHops(topology, k, a, b)) << notation;
                }
            }
        }
    }
}

TEST(LinkGraph, HalfwayRoundARingGoesUp)
{
    const auto graph = MakeGraph("R(8)");
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        const auto route = graph.GetRoute(rank, (rank + 4) % 8);
        ASSERT_EQ(route.size(), 4);
        EXPECT_EQ(graph.GetLink(route[0]).to, (rank + 1) % 8);
    }
}

TEST(LinkGraph, NamesVertices)
{
    const auto graph = MakeGraph("SW(2)_R(3)_SW(2)");
    EXPECT_EQ(graph.GetVertexName(3), "npu 3");
    EXPECT_EQ(graph.GetVertexName(12), "switch 0.0");
    EXPECT_EQ(graph.GetVertexName(17), "switch 0.5");
    EXPECT_EQ(graph.GetVertexName(18), "switch 2.0");
    EXPECT_EQ(graph.GetVertexName(23), "switch 2.5");
}

TEST(LinkGraph, RefusesMoreLinksThanItCanNumber)
{
    const ClusterTopology topology({{BuildingBlock::FullyConnected, 1U << 16, 1, 0}});
    EXPECT_THROW(LinkGraph{topology}, InputError);
}

TEST(LinkGraph, LinksWhatIsAttachedWithSwitchesOfDimension0)
{
    const auto graph = MakeAttachedGraph("SW(4)_R(3)");
    const uint32_t first = 12 + 3;
    ASSERT_EQ(graph.GetNVertices(), first + 2 + 4);
    EXPECT_EQ(graph.GetFirstAttachedEnd(), first + 2);
    const uint32_t firstLink = MakeGraph("SW(4)_R(3)").GetNLinks();
    ASSERT_EQ(graph.GetNLinks(), firstLink + 2 * 2 * 3 + 2 * 4);
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t link = firstLink; link < graph.GetNLinks(); ++link)
    {
        const auto& forward = graph.GetLink(link);
        EXPECT_TRUE(pairs.emplace(forward.from, forward.to).second);
        const uint32_t outer = std::max(forward.from, forward.to);
        EXPECT_EQ(forward.bitRate, graph.IsAttachedEnd(outer) ? 500 : 700);
        EXPECT_EQ(forward.latencyPs, graph.IsAttachedEnd(outer) ? 5 : 7);
        EXPECT_EQ(forward.dimension, 2);
        const auto& reverse = graph.GetLink(graph.GetReverseLink(link));
        EXPECT_EQ(reverse.from, forward.to);
        EXPECT_EQ(reverse.to, forward.from);
        const auto& from = graph.GetLinksFrom(forward.from);
        EXPECT_EQ(std::count(from.begin(), from.end(), link), 1);
    }
    for (uint32_t attached = first; attached < first + 2; ++attached)
    {
        for (uint32_t hub = 12; hub < first; ++hub)
        {
            EXPECT_EQ(pairs.count({attached, hub}), 1);
        }
    }
    for (uint32_t end = 0; end < 4; ++end)
    {
        EXPECT_EQ(pairs.count({first + 2 + end, first + end % 2}), 1);
    }
}

TEST(LinkGraph, RoutesToAndFromWhatIsAttached)
{
    const auto graph = MakeAttachedGraph("SW(4)_R(3)");
    const uint32_t first = 12 + 3;
    for (uint32_t end = graph.GetFirstAttachedEnd(); end < graph.GetNVertices(); ++end)
    {
        const uint32_t attached = first + (end - first) % 2;
        for (uint32_t rank = 0; rank < 12; ++rank)
        {
            const std::vector<uint32_t> expected = {end, attached, 12 + rank / 4, rank};
            const auto load = graph.GetRoute(end, rank);
            const auto store = graph.GetRoute(rank, end);
            ASSERT_EQ(load.size(), 3U);
            ASSERT_EQ(store.size(), 3U);
            for (uint32_t hop = 0; hop < 3; ++hop)
            {
                EXPECT_EQ(graph.GetLink(load[hop]).from, expected[hop]);
                EXPECT_EQ(graph.GetLink(load[hop]).to, expected[hop + 1]);
                EXPECT_EQ(store[2 - hop], graph.GetReverseLink(load[hop]));
            }
        }
    }
    EXPECT_EQ(graph.GetRoute(1, 9), MakeGraph("SW(4)_R(3)").GetRoute(1, 9));
}

TEST(LinkGraph, TellsAttachedVertices)
{
    const auto graph = MakeAttachedGraph("SW(4)_R(3)");
    EXPECT_EQ(graph.GetVertexName(14), "switch 0.2");
    EXPECT_EQ(graph.GetVertexName(15), "hub 0");
    EXPECT_EQ(graph.GetVertexName(20), "end 3");
    EXPECT_EQ(graph.GetSwitchDimension(15), -1);
    EXPECT_EQ(graph.GetSwitchDimension(20), -1);
    EXPECT_TRUE(graph.IsEnd(11));
    EXPECT_FALSE(graph.IsEnd(14));
    EXPECT_FALSE(graph.IsEnd(16));
    EXPECT_TRUE(graph.IsEnd(17));
    EXPECT_FALSE(graph.IsAttachedEnd(16));
}

TEST(LinkGraph, AttachesToNothingButASwitch)
{
    for (const std::string notation : {"R(4)", "FC(3)_SW(2)", "SW(1)_SW(4)"})
    {
        EXPECT_THROW(MakeAttachedGraph(notation), InputError) << notation;
    }
}
