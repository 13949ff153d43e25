/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"

#include "ns3/collective-plan.h"
#include "ns3/phase-order.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

using Item = std::pair<uint32_t, uint32_t>; ///< chunk, phase
using List = std::vector<Item>;

List
ListOf(const std::vector<PhaseOrder::ChunkPhase>& order)
{
    List list;
    for (const auto& entry : order)
    {
        list.emplace_back(entry.chunk, entry.phase);
    }
    return list;
}

/// Adds what comes directly before each entry: in its dimension, and in its chunk.
void
AddEdges(const List& order, std::map<Item, std::set<Item>>& before)
{
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const auto [entry, isNew] = before.insert({order[i], {}});
        EXPECT_TRUE(isNew);
        if (i > 0)
        {
            entry->second.insert(order[i - 1]);
        }
        if (order[i].second > 0)
        {
            entry->second.emplace(order[i].first, order[i].second - 1);
        }
    }
}

/// Takes away what has nothing before it, as long as there is such.
void
RemoveFree(std::map<Item, std::set<Item>>& before)
{
    for (std::size_t size = before.size() + 1; before.size() < size;)
    {
        size = before.size();
        for (auto entry = before.begin(); entry != before.end();)
        {
            const auto& list = entry->second;
            const bool isFree = std::none_of(list.begin(), list.end(), [&](const Item& item) {
                return before.count(item) > 0;
            });
            entry = isFree ? before.erase(entry) : std::next(entry);
        }
    }
}

/// The order of chunks that all go through the same dimensions, first come, first served.
PhaseOrder
OrderOf(uint32_t nChunks,
        const std::vector<uint32_t>& dimensions,
        const std::vector<uint32_t>& limits,
        const std::function<int64_t(uint32_t, uint32_t)>& time)
{
    return PhaseOrder(nChunks, dimensions.size(), limits, [&](uint32_t chunk, uint32_t phase) {
        return PhaseOrder::Visit{dimensions[phase], time(chunk, phase), 0};
    });
}

ClusterTopology
MakeRandomTopology(std::mt19937& random)
{
    std::vector<TopologyDimension> dimensions(random() % 4 + 1);
    for (auto& dimension : dimensions)
    {
        dimension = {static_cast<BuildingBlock>(random() % 3),
                     static_cast<uint32_t>(random() % 4 + 1),
                     random() % 1'000'000'000'000 + 1,
                     static_cast<int64_t>(random() % 1'000'000)};
    }
    return ClusterTopology(dimensions);
}

} // namespace

TEST(PhaseOrder, HoldsEveryChunkPhaseOnceAndHasNoCycle)
{
    std::mt19937 random(3);
    for (uint32_t round = 0; round < 200; ++round)
    {
        const auto topology = MakeRandomTopology(random);
        const uint32_t nChunks = random() % 20 + 1;
        const uint32_t nInFlight = random() % 4 + 1;
        const CollectivePlan plan(topology,
                                  WithChunks(nChunks, nInFlight),
                                  AllRanks(topology),
                                  {TYPES[round % 4], random() % 100'000});
        std::map<Item, std::set<Item>> before;
        for (uint32_t k = 0; k < plan.GetNDimensions(); ++k)
        {
            for (const auto& entry : plan.GetOrder(k))
            {
                EXPECT_EQ(plan.GetPhase(entry.chunk, entry.phase).dimension, k);
            }
            AddEdges(ListOf(plan.GetOrder(k)), before);
        }
        EXPECT_EQ(before.size(), plan.GetNChunks() * plan.GetNPhases());
        RemoveFree(before);
        EXPECT_TRUE(before.empty()) << topology.GetNotation();
    }
}

TEST(PhaseOrder, CheckSeesCycles)
{
    std::map<Item, std::set<Item>> before;
    AddEdges({{0, 1}, {1, 0}}, before);
    AddEdges({{1, 1}, {0, 0}}, before);
    RemoveFree(before);
    EXPECT_EQ(before.size(), 4);
}

TEST(PhaseOrder, FirstComeFirstServed)
{
    const auto time = [](uint32_t, uint32_t phase) { return phase == 0 || phase == 3 ? 2 : 1; };
    const PhaseOrder order = OrderOf(4, {0, 1, 1, 0}, {1, 1}, time);
    EXPECT_EQ(ListOf(order.GetOrders()[0]),
              (List{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}, {1, 3}, {2, 3}, {3, 3}}));
    EXPECT_EQ(ListOf(order.GetOrders()[1]),
              (List{{0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 1}, {3, 2}}));
}

TEST(PhaseOrder, LongPhasesLetOthersPass)
{
    const auto time = [](uint32_t chunk, uint32_t) { return chunk == 0 ? 10 : 1; };
    EXPECT_EQ(ListOf(OrderOf(3, {0, 1}, {1, 1}, time).GetOrders()[1]),
              (List{{0, 1}, {1, 1}, {2, 1}}));
    EXPECT_EQ(ListOf(OrderOf(3, {0, 1}, {2, 2}, time).GetOrders()[1]),
              (List{{1, 1}, {2, 1}, {0, 1}}));
}

TEST(PhaseOrder, EqualTimesGoToTheLowerChunk)
{
    const auto time = [](uint32_t, uint32_t phase) { return phase == 1 ? 3 : 0; };
    EXPECT_EQ(ListOf(OrderOf(3, {0, 1, 0}, {3, 3}, time).GetOrders()[0]),
              (List{{0, 0}, {1, 0}, {2, 0}, {0, 2}, {1, 2}, {2, 2}}));
    EXPECT_TRUE(OrderOf(3, {}, {}, time).GetOrders().empty());
}

TEST(PhaseOrder, UrgentPhasesPassWaitingOnes)
{
    // chunk 0 is in dimension 0 until 2; the second phases come back while chunks 1 and 2 wait
    const PhaseOrder order(3, 3, {1, 1}, [](uint32_t, uint32_t phase) {
        return PhaseOrder::Visit{phase == 1 ? 1U : 0U, 2 - phase % 2, phase == 2 ? 1U : 5U};
    });
    EXPECT_EQ(ListOf(order.GetOrders()[0]), (List{{0, 0}, {1, 0}, {0, 2}, {1, 2}, {2, 0}, {2, 2}}));
}
