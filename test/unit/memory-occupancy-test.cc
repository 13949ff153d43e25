/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/memory-occupancy.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// @param id node id @param kind kind @param bytes how much @param dependencies ids waited for
/// @return the node
ExecutionNode
MakeNode(uint64_t id, NodeKind kind, uint64_t bytes = 0, std::vector<uint64_t> dependencies = {})
{
    ExecutionNode node;
    node.id = id;
    node.name = "n";
    node.kind = kind;
    node.tensorBytes = bytes;
    node.bytes = bytes;
    node.collective = CollectiveType::AllGather;
    node.dependencies = std::move(dependencies);
    return node;
}

/// @param nodes of a rank @return their graph
ExecutionGraph
MakeGraph(const std::vector<ExecutionNode>& nodes)
{
    Diagnostics diagnostics;
    return ExecutionGraph(nodes, "", diagnostics);
}

/// @param graph the work of rank 5 @param capacity of its memory @param overflow rule @param
/// resident bytes @return what it holds; collectives have four members
MemoryOccupancy
MakeOccupancy(const ExecutionGraph& graph,
              uint64_t capacity,
              MemoryOverflow overflow = MemoryOverflow::Error,
              uint64_t resident = 0)
{
    return MemoryOccupancy(5, graph, {capacity, resident, overflow}, [](const ExecutionNode&) {
        return 4;
    });
}

constexpr auto LOAD = NodeKind::MemoryLoad;       ///< short
constexpr auto STORE = NodeKind::MemoryStore;     ///< short
constexpr auto COMPUTE = NodeKind::Compute;       ///< short
constexpr auto COLLECTIVE = NodeKind::Collective; ///< short

} // namespace

TEST(MemoryOccupancy, HoldsLoadsUntilTheirLastUserHasEnded)
{
    const auto graph = MakeGraph({MakeNode(1, LOAD, 10),
                                  MakeNode(2, COMPUTE, 99, {1}),
                                  MakeNode(3, COMPUTE, 99, {1}),
                                  MakeNode(4, STORE, 7, {2}),
                                  MakeNode(5, LOAD, 3)});
    MemoryOccupancy memory = MakeOccupancy(graph, 100, MemoryOverflow::Error, 20);
    const auto start = [&](uint32_t index, uint64_t used) {
        memory.Start(index);
        EXPECT_EQ(memory.GetUsed(), used);
    };
    const auto end = [&](uint32_t index, uint64_t used) {
        memory.End(index);
        EXPECT_EQ(memory.GetUsed(), used);
    };
    EXPECT_EQ(memory.GetUsed(), 20u);
    start(0, 30);
    end(0, 30);
    start(1, 30);
    start(2, 30);
    end(1, 30);
    start(3, 37);
    end(3, 30);
    end(2, 20);
    start(4, 23);
    end(4, 20);
    EXPECT_EQ(memory.GetPeak(), 37u);
    EXPECT_EQ(memory.GetSpilled(), 0u);
}

TEST(MemoryOccupancy, HoldsWhatAnAllGatherMakesOfALoad)
{
    auto local = MakeNode(4, LOAD, 50);
    local.location = MemoryLocation::LOCAL;
    const auto graph = MakeGraph({MakeNode(1, LOAD, 10),
                                  MakeNode(2, COLLECTIVE, 10, {1}),
                                  MakeNode(3, COMPUTE, 0, {2}),
                                  local,
                                  MakeNode(5, COLLECTIVE, 10, {4})});
    MemoryOccupancy memory = MakeOccupancy(graph, 100);
    const std::vector<std::pair<uint32_t, uint64_t>> used{{0, 10},
                                                          {1, 50},
                                                          {2, 40},
                                                          {3, 0},
                                                          {4, 0}};
    for (const auto& [index, bytes] : used)
    {
        memory.Start(index);
        EXPECT_EQ(memory.GetUsed(), bytes) << index;
        memory.End(index);
    }
    EXPECT_EQ(memory.GetUsed(), 0u);
    EXPECT_EQ(memory.GetPeak(), 50u);
}

TEST(MemoryOccupancy, StoresInPlaceWhatWasLoaded)
{
    const auto graph = MakeGraph({MakeNode(1, LOAD, 60),
                                  MakeNode(2, LOAD, 50),
                                  MakeNode(3, STORE, 60, {1}),
                                  MakeNode(4, STORE, 120, {1, 2}),
                                  MakeNode(5, STORE, 7)});
    MemoryOccupancy memory = MakeOccupancy(graph, 100, MemoryOverflow::Spill);
    memory.Start(0);
    memory.Start(1);
    EXPECT_EQ(memory.GetSpilled(), 10u);
    memory.Start(2);
    EXPECT_EQ(memory.GetUsed(), 100u);
    memory.End(2);
    EXPECT_NE(ErrorOf([&] { memory.Start(3); }), "") << "10 more than was loaded";
    memory.End(3);
    EXPECT_EQ(memory.GetUsed(), 0u);
}

TEST(MemoryOccupancy, SpillsWhatLoadsBringBeyondTheCapacity)
{
    const auto graph = MakeGraph({MakeNode(1, LOAD, 60),
                                  MakeNode(2, LOAD, 60),
                                  MakeNode(3, LOAD, 5),
                                  MakeNode(4, COMPUTE, 0, {1, 2, 3}),
                                  MakeNode(5, STORE, 1)});
    MemoryOccupancy memory = MakeOccupancy(graph, 100, MemoryOverflow::Spill);
    memory.Start(0);
    memory.Start(1);
    memory.Start(2);
    EXPECT_EQ(memory.GetUsed(), 100u);
    EXPECT_EQ(memory.GetExtraBytes(0), 0u);
    EXPECT_EQ(memory.GetExtraBytes(1), 40u);
    EXPECT_EQ(memory.GetExtraBytes(2), 10u);
    EXPECT_EQ(memory.GetSpilled(), 25u);
    EXPECT_NE(ErrorOf([&] { memory.Start(4); }), "") << "a store cannot";
    for (const uint32_t index : {0, 1, 2, 3, 4})
    {
        memory.End(index);
    }
    EXPECT_EQ(memory.GetUsed(), 0u);
    EXPECT_EQ(memory.GetPeak(), 100u);
}

TEST(MemoryOccupancy, NamesWhatDoesNotFitAndWhatHoldsMost)
{
    const auto graph = MakeGraph({MakeNode(1, LOAD, 10),
                                  MakeNode(2, LOAD, 30),
                                  MakeNode(3, LOAD, 20),
                                  MakeNode(4, LOAD, 5),
                                  MakeNode(5, COLLECTIVE, 10, {1}),
                                  MakeNode(6, LOAD, UINT64_MAX)});
    for (const auto overflow : {MemoryOverflow::Error, MemoryOverflow::Spill})
    {
        MemoryOccupancy memory = MakeOccupancy(graph, 100, overflow, 1);
        for (const uint32_t index : {0, 1, 2, 3})
        {
            memory.Start(index);
        }
        EXPECT_EQ(ErrorOf([&] { memory.Start(4); }),
                  "rank 5 node 5 \"n\": needs 40B of local memory, which holds 66B and has 100B "
                  "(MemoryCapacity, cluster.npu.memory-capacity); most of it: 1B are resident, "
                  "30B of node 2 \"n\", 20B of node 3 \"n\", 10B of node 1 \"n\"");
    }
    MemoryOccupancy ignoring = MakeOccupancy(graph, 100, MemoryOverflow::Ignore, 1);
    ignoring.Start(0);
    ignoring.Start(4);
    ignoring.Start(1);
    ignoring.Start(2);
    EXPECT_EQ(ignoring.GetPeak(), 101u);
    EXPECT_NE(ErrorOf([&] { ignoring.Start(5); }), "") << "more than can be counted";
    MemoryOccupancy unknown = MakeOccupancy(graph, 0, MemoryOverflow::Ignore, 7);
    unknown.Start(0);
    EXPECT_EQ(unknown.GetPeak(), 0u);
    EXPECT_EQ(unknown.GetExtraBytes(0), 0u);
}

TEST(MemoryOccupancy, HoldsNothingAfterTheRunOfAnyGraph)
{
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        std::mt19937_64 random(seed);
        std::vector<ExecutionNode> nodes;
        const NodeKind kinds[] = {LOAD, STORE, COMPUTE, COLLECTIVE};
        for (uint64_t id = 1; id <= 40; ++id)
        {
            std::set<uint64_t> dependencies;
            while (id > 1 && random() % 3 > 0)
            {
                dependencies.insert(1 + random() % (id - 1));
            }
            nodes.push_back(MakeNode(id,
                                     kinds[random() % 4],
                                     random() % 100,
                                     {dependencies.begin(), dependencies.end()}));
        }
        const auto graph = MakeGraph(nodes);
        MemoryOccupancy memory = MakeOccupancy(graph, 1, MemoryOverflow::Ignore, 11);
        std::vector<uint32_t> running;
        std::set<uint64_t> ended;
        for (uint32_t next = 0; next < graph.GetNNodes() || !running.empty();)
        {
            const auto& waited = nodes[std::min<uint32_t>(next, 39)].dependencies;
            const bool isReady =
                next < graph.GetNNodes() && std::all_of(
                                                waited.begin(),
                                                waited.end(),
                                                [&](uint64_t id) { return ended.count(id) > 0; });
            if (isReady && (running.empty() || random() % 2))
            {
                memory.Start(next);
                running.push_back(next++);
                continue;
            }
            std::swap(running[random() % running.size()], running.back());
            memory.End(running.back());
            ended.insert(nodes[running.back()].id);
            running.pop_back();
        }
        EXPECT_EQ(memory.GetUsed(), 11u);
    }
}
