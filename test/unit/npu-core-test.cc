/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/compute-model.h"
#include "ns3/graph-progress.h"
#include "ns3/node-resources.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

using namespace ns3::mlcluster;

namespace
{

/// A random acyclic graph; ids are shuffled, so that edges go up and down.
std::vector<ExecutionNode>
MakeRandomNodes(std::mt19937& random, uint32_t nNodes)
{
    std::vector<uint64_t> ids(nNodes);
    for (uint32_t i = 0; i < nNodes; ++i)
    {
        ids[i] = 10 * i + random() % 10;
    }
    std::shuffle(ids.begin(), ids.end(), random);
    std::vector<ExecutionNode> nodes(nNodes);
    for (uint32_t i = 0; i < nNodes; ++i)
    {
        nodes[i].id = ids[i];
        for (uint32_t d = 0; i > 0 && d < random() % 4; ++d)
        {
            nodes[i].dependencies.push_back(ids[random() % i]);
        }
        auto& dependencies = nodes[i].dependencies;
        std::sort(dependencies.begin(), dependencies.end());
        dependencies.erase(std::unique(dependencies.begin(), dependencies.end()),
                           dependencies.end());
    }
    return nodes;
}

} // namespace

TEST(GraphProgress, GivesTheLowestReadyNodeOfRandomGraphs)
{
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        std::mt19937 random(seed);
        const uint32_t nNodes = seed % 5 == 0 ? 300 : 60;
        const auto nodes = MakeRandomNodes(random, nNodes);
        Diagnostics diagnostics;
        const ExecutionGraph graph(nodes, "", diagnostics);
        ASSERT_FALSE(diagnostics.HasErrors());
        GraphProgress progress(graph);
        std::set<uint64_t> finished;
        std::set<uint64_t> given;
        std::vector<uint32_t> running;
        while (!progress.IsFinished())
        {
            if (progress.HasReady())
            {
                uint64_t lowest = std::numeric_limits<uint64_t>::max();
                for (const auto& node : nodes)
                {
                    const bool ready = std::all_of(node.dependencies.begin(),
                                                   node.dependencies.end(),
                                                   [&](uint64_t id) { return finished.count(id); });
                    lowest = ready && !given.count(node.id) ? std::min(lowest, node.id) : lowest;
                }
                const uint32_t index = progress.TakeReady();
                ASSERT_EQ(graph.GetNode(index)->id, lowest);
                ASSERT_EQ(graph.FindNode(lowest), index);
                given.insert(lowest);
                progress.Start(index);
                running.push_back(index);
            }
            else
            {
                std::shuffle(running.begin(), running.end(), random);
                ASSERT_EQ(progress.GetOldest(), *std::min_element(running.begin(), running.end()));
                finished.insert(graph.GetNode(running.back())->id);
                progress.Finish(running.back());
                running.pop_back();
            }
        }
        EXPECT_EQ(progress.GetNFinished(), nNodes);
        EXPECT_EQ(progress.GetOldest(), nNodes);
    }
}

TEST(GraphProgress, TellsUnmetDependencies)
{
    std::vector<ExecutionNode> nodes(3);
    nodes[0].id = 5;
    nodes[1].id = 7;
    nodes[2].id = 9;
    nodes[2].dependencies = {5, 7};
    Diagnostics diagnostics;
    const ExecutionGraph graph(nodes, "", diagnostics);
    GraphProgress progress(graph);
    progress.Start(progress.TakeReady());
    progress.Finish(0);
    EXPECT_EQ(progress.GetUnmetDependencies(2), std::vector<uint64_t>{7});
    EXPECT_FALSE(progress.HasStarted(1));
    EXPECT_EQ(progress.GetOldest(), 1u);
}

TEST(GraphProgress, KeepsStreamsAndCommunicatorsInOrder)
{
    for (uint32_t seed = 0; seed < 50; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<ExecutionNode> nodes(60);
        for (uint64_t id = 0; id < nodes.size(); ++id)
        {
            nodes[id].id = id;
            nodes[id].kind = random() % 2 ? NodeKind::Collective : NodeKind::Compute;
            nodes[id].stream = static_cast<int64_t>(random() % 4) - 1;
            nodes[id].group = std::string(random() % 3, 'g');
            const uint64_t dependency = random() % (id + 1);
            nodes[id].dependencies.assign(dependency < id, dependency);
        }
        Diagnostics diagnostics;
        const ExecutionGraph graph(nodes, "", diagnostics);
        ASSERT_FALSE(diagnostics.HasErrors());
        const bool queues = seed % 2;
        GraphProgress progress(graph, queues);
        std::set<uint64_t> finished;
        std::vector<uint32_t> running;
        const auto mustFinish = [&](const ExecutionNode& first, const ExecutionNode& node) {
            const auto& ids = node.dependencies;
            const bool isGroup = first.kind == NodeKind::Collective &&
                                 node.kind == NodeKind::Collective && first.group == node.group;
            const auto& order = graph.GetIssueOrder();
            const bool isEarlier = std::find(order.begin(), order.end(), first.id) <
                                   std::find(order.begin(), order.end(), node.id);
            return std::count(ids.begin(), ids.end(), first.id) > 0 ||
                   (node.stream >= 0 && node.stream == first.stream && first.id < node.id) ||
                   (queues && isGroup && isEarlier);
        };
        while (!progress.IsFinished())
        {
            while (progress.HasReady())
            {
                running.push_back(progress.TakeReady());
                progress.Start(running.back());
            }
            for (const auto& node : nodes)
            {
                const bool isReady =
                    std::all_of(nodes.begin(), nodes.end(), [&](const auto& first) {
                        return finished.count(first.id) || !mustFinish(first, node);
                    });
                ASSERT_EQ(progress.HasStarted(node.id), isReady) << seed << ", node " << node.id;
            }
            ASSERT_FALSE(running.empty());
            std::swap(running[random() % running.size()], running.back());
            finished.insert(running.back());
            progress.Finish(running.back());
            running.pop_back();
        }
    }
}

TEST(GraphProgress, TellsWhatWaitsBehindANode)
{
    std::vector<ExecutionNode> nodes(5);
    for (uint64_t id = 0; id < nodes.size(); ++id)
    {
        nodes[id].id = id;
        nodes[id].kind = NodeKind::Collective;
    }
    nodes[0].stream = nodes[3].stream = 2;
    nodes[3].dependencies = {1};
    nodes[1].group = nodes[4].group = "g";
    Diagnostics diagnostics;
    const ExecutionGraph graph(nodes, "", diagnostics);
    const GraphProgress streams(graph);
    EXPECT_EQ(streams.GetWaitingBehind(0), 5u) << "3 waits for 1 too";
    EXPECT_EQ(streams.GetWaitingBehind(1), 5u);
    GraphProgress queues(graph, true);
    EXPECT_EQ(queues.GetWaitingBehind(0), 2u) << "of the group of all ranks";
    EXPECT_EQ(queues.GetWaitingBehind(1), 4u);
    EXPECT_EQ(queues.GetWaitingBehind(2), 5u);
    queues.Finish(1);
    EXPECT_EQ(queues.GetWaitingBehind(0), 3u) << "on stream 2";
}

TEST(NodeResources, GiveOnePlaceToWhatIsOnNoStream)
{
    ExecutionNode compute;
    compute.kind = NodeKind::Compute;
    ExecutionNode onStream = compute;
    onStream.stream = 0;
    ExecutionNode host = onStream;
    host.onHost = true;
    ExecutionNode load = onStream;
    load.kind = NodeKind::MemoryLoad;
    for (const bool concurrent : {true, false})
    {
        NodeResources resources(concurrent, 2);
        resources.Add(1, load);
        resources.Add(0, load);
        resources.Add(4, host);
        resources.Add(3, host);
        resources.Add(2, host);
        resources.Add(6, onStream);
        resources.Add(5, compute);
        resources.Add(7, onStream);
        std::vector<uint32_t> started;
        while (const auto index = resources.TakeNext())
        {
            started.push_back(*index);
        }
        EXPECT_EQ(started,
                  concurrent ? std::vector<uint32_t>({5, 6, 7, 2, 3, 0})
                             : std::vector<uint32_t>({5, 2, 3, 0}));
        resources.End(load);
        EXPECT_EQ(resources.TakeNext(), 1u);
        resources.End(host);
        EXPECT_EQ(resources.TakeNext(), 4u);
        EXPECT_EQ(resources.TakeNext(), std::nullopt);
        resources.End(compute);
        EXPECT_EQ(resources.TakeNext(), concurrent ? std::nullopt : std::optional<uint32_t>(6));
    }
}

TEST(ComputeModel, TakesTheLargerOfComputeAndMemoryTime)
{
    const ComputeModel model(1e14, 8 * 100000000000ULL);
    ExecutionNode node;
    node.durationPs = 77;
    node.operations = 1000000000;
    node.tensorBytes = 100000000;
    EXPECT_EQ(model.GetPicoseconds(node), 1000000000);
    node.operations = 1000000000000;
    EXPECT_EQ(model.GetPicoseconds(node), 10000000000);
    EXPECT_EQ(ComputeModel().GetPicoseconds(node), 77);
    node.onHost = true;
    EXPECT_EQ(model.GetPicoseconds(node), 77) << "the host has no roofline";
    node.onHost = false;
    node.operations = std::numeric_limits<uint64_t>::max();
    EXPECT_EQ(ComputeModel(1, 8).GetPicoseconds(node), std::numeric_limits<int64_t>::max());
}

TEST(ComputeModel, RefusesARooflineWithoutHeight)
{
    EXPECT_THROW(ComputeModel(0, 8), InputError);
    EXPECT_THROW(ComputeModel(1, 0), InputError);
    EXPECT_THROW(ComputeModel(1, 8, 0.9), InputError) << "below 1 FLOP/s";
    EXPECT_THROW(ComputeModel(1, 1, 1, 0.4), InputError) << "no bit/s";
    for (const double efficiency : {0.0, -0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    {
        EXPECT_THROW(ComputeModel(1e12, 1000, efficiency), InputError);
        EXPECT_THROW(ComputeModel(1e12, 1000, 1, efficiency), InputError);
    }
}

TEST(ComputeModel, ReachesSharesOfBothRoofs)
{
    const ComputeModel model(1e14, 8 * 100000000000ULL, 0.5, 0.8);
    ExecutionNode node;
    node.operations = 1000000000000;
    node.tensorBytes = 100000000;
    EXPECT_EQ(model.GetPicoseconds(node), 20000000000) << "1e12 at 50 TFLOP/s";
    node.operations = 1;
    EXPECT_EQ(model.GetPicoseconds(node), 1250000000) << "1e8 B at 80 GB/s";
    node.operations = 62500000001;
    EXPECT_EQ(model.GetPicoseconds(node), 1250000001) << "just above the ridge";
    node.onHost = true;
    node.durationPs = 7;
    EXPECT_EQ(model.GetPicoseconds(node), 7);
}
