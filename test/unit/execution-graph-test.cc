/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/execution-graph.h"

#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace ns3::mlcluster;

namespace
{

/// @param id id @param dependencies what it waits for @return a compute node named after its id
ExecutionNode
MakeNode(uint64_t id, std::vector<uint64_t> dependencies = {})
{
    ExecutionNode node;
    node.id = id;
    node.name = "n" + std::to_string(id);
    node.kind = NodeKind::Compute;
    node.dependencies = std::move(dependencies);
    return node;
}

/// @param nodes nodes @return the errors of their graph
std::vector<std::string>
GetErrors(std::vector<ExecutionNode> nodes)
{
    Diagnostics diagnostics;
    ExecutionGraph(std::move(nodes), "a.0.et", diagnostics);
    return diagnostics.GetErrors();
}

/// @param graph a graph @return ids in issue order
std::vector<uint64_t>
GetIssueIds(const ExecutionGraph& graph)
{
    std::vector<uint64_t> ids;
    for (const uint32_t index : graph.GetIssueOrder())
    {
        ids.push_back(graph.GetNode(index)->id);
    }
    return ids;
}

/// @param graph a graph @param index a node @return those that wait for it
std::vector<uint32_t>
GetChildren(const ExecutionGraph& graph, uint32_t index)
{
    const auto children = graph.GetChildren(index);
    return {children.begin(), children.end()};
}

/// @param id id @param stream its stream @param dependencies what it waits for @return a node
ExecutionNode
MakeStreamNode(uint64_t id, int64_t stream, std::vector<uint64_t> dependencies = {})
{
    ExecutionNode node = MakeNode(id, std::move(dependencies));
    node.stream = stream;
    return node;
}

/// The definition of the issue order, taken literally. @param nodes nodes @return ids, until no
/// node is ready
std::vector<uint64_t>
IssueLiterally(const std::vector<ExecutionNode>& nodes)
{
    std::set<uint64_t> finished;
    std::vector<uint64_t> order;
    while (order.size() < nodes.size())
    {
        const ExecutionNode* next = nullptr;
        for (const auto& node : nodes)
        {
            const bool isFree = std::all_of(node.dependencies.begin(),
                                            node.dependencies.end(),
                                            [&](uint64_t id) { return finished.count(id) > 0; });
            const bool isFirst = std::none_of(nodes.begin(), nodes.end(), [&](const auto& other) {
                return node.stream >= 0 && other.stream == node.stream && other.id < node.id &&
                       finished.count(other.id) == 0;
            });
            if (isFree && isFirst && finished.count(node.id) == 0 && (!next || node.id < next->id))
            {
                next = &node;
            }
        }
        if (!next)
        {
            break;
        }
        finished.insert(next->id);
        order.push_back(next->id);
    }
    return order;
}

} // namespace

TEST(ExecutionGraphTest, AnEmptyGraphIsLegal)
{
    Diagnostics diagnostics;
    const ExecutionGraph graph({}, "", diagnostics);
    EXPECT_FALSE(diagnostics.HasErrors());
    EXPECT_EQ(graph.GetNNodes(), 0u);
    EXPECT_TRUE(graph.GetIssueOrder().empty());
}

TEST(ExecutionGraphTest, SortsByIdAndResolvesForwardReferences)
{
    Diagnostics diagnostics;
    const ExecutionGraph graph({MakeNode(30, {7}), MakeNode(5, {30}), MakeNode(7)},
                               "a.0.et",
                               diagnostics);
    ASSERT_FALSE(diagnostics.HasErrors());
    EXPECT_EQ(graph.GetFile(), "a.0.et");
    EXPECT_EQ(graph.GetNode(0)->id, 5u);
    EXPECT_EQ(graph.GetNode(2)->name, "n30");
    EXPECT_EQ(GetIssueIds(graph), (std::vector<uint64_t>{7, 30, 5}));
    EXPECT_EQ(GetChildren(graph, 1), std::vector<uint32_t>{2});
}

TEST(ExecutionGraphTest, IssuesTheReadyNodeOfLowestId)
{
    Diagnostics diagnostics;
    const ExecutionGraph graph({MakeNode(1, {4}), MakeNode(2), MakeNode(4), MakeNode(9)},
                               "",
                               diagnostics);
    EXPECT_EQ(GetIssueIds(graph), (std::vector<uint64_t>{2, 4, 1, 9}));
}

TEST(ExecutionGraphTest, ADependencyGivenTwiceCountsOnce)
{
    Diagnostics diagnostics;
    const ExecutionGraph graph({MakeNode(1), MakeNode(2, {1, 1, 1})}, "", diagnostics);
    EXPECT_FALSE(diagnostics.HasErrors());
    EXPECT_EQ(graph.GetNDependencies(1), 1u);
    EXPECT_EQ(graph.GetNode(1)->dependencies, (std::vector<uint64_t>{1}));
    EXPECT_EQ(GetChildren(graph, 0), std::vector<uint32_t>{1});
}

TEST(ExecutionGraphTest, FindsTheFirstAccessToAMemory)
{
    std::vector<ExecutionNode> nodes{MakeNode(1), MakeNode(2), MakeNode(3), MakeNode(4)};
    nodes[0].location = 5;
    nodes[2].kind = NodeKind::MemoryStore;
    nodes[2].location = 5;
    nodes[3] = nodes[2];
    nodes[3].id = 4;
    Diagnostics diagnostics;
    const ExecutionGraph graph(nodes, "", diagnostics);
    EXPECT_EQ(graph.FindAccess(5), 2u);
    EXPECT_EQ(graph.FindAccess(0), 4u);
}

TEST(ExecutionGraphTest, RandomGraphsMatchTheLiteralDefinition)
{
    std::mt19937 random(20261);
    for (int round = 0; round < 200; ++round)
    {
        const uint64_t n = 1 + random() % 40;
        std::vector<uint64_t> ids;
        for (std::set<uint64_t> taken; ids.size() < n;)
        {
            const uint64_t id = random() % 1000;
            if (taken.insert(id).second)
            {
                ids.push_back(id);
            }
        }
        std::vector<ExecutionNode> nodes;
        for (uint64_t i = 0; i < n; ++i)
        {
            nodes.push_back(MakeNode(ids[i]));
            for (uint64_t k = random() % 4; i > 0 && k > 0; --k)
            {
                nodes.back().dependencies.push_back(ids[random() % i]);
            }
        }
        std::shuffle(nodes.begin(), nodes.end(), random);
        Diagnostics diagnostics;
        const ExecutionGraph graph(nodes, "", diagnostics);
        ASSERT_FALSE(diagnostics.HasErrors());
        EXPECT_EQ(GetIssueIds(graph), IssueLiterally(nodes));
        std::multiset<std::pair<uint64_t, uint64_t>> edges;
        std::multiset<std::pair<uint64_t, uint64_t>> expected;
        for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
        {
            for (const uint32_t child : graph.GetChildren(i))
            {
                edges.emplace(graph.GetNode(i)->id, graph.GetNode(child)->id);
            }
        }
        for (const auto& node : nodes)
        {
            const std::set<uint64_t> distinct(node.dependencies.begin(), node.dependencies.end());
            for (const uint64_t id : distinct)
            {
                expected.emplace(id, node.id);
            }
        }
        EXPECT_EQ(edges, expected);
    }
}

TEST(ExecutionGraphTest, StreamsRunByAscendingId)
{
    Diagnostics diagnostics;
    const ExecutionGraph graph({MakeStreamNode(1, 7, {6}),
                                MakeStreamNode(2, 7),
                                MakeStreamNode(3, 0),
                                MakeStreamNode(4, -1),
                                MakeStreamNode(5, 7),
                                MakeStreamNode(6, 0)},
                               "",
                               diagnostics);
    ASSERT_FALSE(diagnostics.HasErrors());
    EXPECT_EQ(GetIssueIds(graph), (std::vector<uint64_t>{3, 4, 6, 1, 2, 5}));
    EXPECT_EQ(graph.GetPreviousOnStream(0), 6u);
    EXPECT_EQ(graph.GetNextOnStream(0), 1u);
    EXPECT_EQ(graph.GetPreviousOnStream(4), 1u);
    EXPECT_EQ(graph.GetNextOnStream(4), 6u);
    EXPECT_EQ(graph.GetNextOnStream(3), 6u);
    EXPECT_EQ(graph.GetNextOnStream(2), 5u);
    EXPECT_EQ(graph.GetNDependencies(1), 0u) << "the stream is no dependency";
}

TEST(ExecutionGraphTest, HostOperationsAndNodesWithoutEffectAreOnNoStream)
{
    ExecutionNode node = MakeStreamNode(1, 3);
    EXPECT_TRUE(RunsOnStream(node));
    node.onHost = true;
    EXPECT_FALSE(RunsOnStream(node));
    for (const auto kind : {NodeKind::MemoryLoad,
                            NodeKind::MemoryStore,
                            NodeKind::Send,
                            NodeKind::Receive,
                            NodeKind::Collective})
    {
        node.kind = kind;
        EXPECT_TRUE(RunsOnStream(node)) << ToString(kind);
    }
    for (const auto kind : {NodeKind::Invalid, NodeKind::Metadata})
    {
        node.kind = kind;
        EXPECT_FALSE(RunsOnStream(node)) << ToString(kind);
    }
    node.kind = NodeKind::Send;
    node.stream = -1;
    EXPECT_FALSE(RunsOnStream(node));
}

TEST(ExecutionGraphTest, AStreamThatContradictsDependenciesIsACycle)
{
    // on stream 7 node 1 comes before node 3, but waits for node 2, which waits for node 3
    EXPECT_EQ(
        GetErrors({MakeStreamNode(1, 7, {2}), MakeNode(2, {3}), MakeStreamNode(3, 7)}),
        (std::vector<std::string>{
            "a.0.et: node 1 \"n1\": depends on itself by way of node 2 \"n2\", node 3 \"n3\" (a "
            "cycle of 3 nodes; node 1 comes before node 3 on stream 7, where nodes run by "
            "ascending id)"}));
    EXPECT_EQ(GetErrors({MakeStreamNode(1, 7, {4}),
                         MakeStreamNode(2, 8, {3}),
                         MakeStreamNode(3, 7),
                         MakeStreamNode(4, 8)})
                  .size(),
              1u)
        << "by way of two streams";
}

TEST(ExecutionGraphTest, RandomStreamsMatchTheLiteralDefinition)
{
    std::mt19937 random(5);
    uint32_t nCycles = 0;
    for (int round = 0; round < 300; ++round)
    {
        std::vector<ExecutionNode> nodes;
        for (uint64_t id = 0; id < 30; ++id)
        {
            const auto stream = static_cast<int64_t>(random() % 4) - 1;
            nodes.push_back(MakeStreamNode(id, stream));
            const bool hasDependency = random() % 3 == 0;
            const bool maybeLater = random() % 20 == 0;
            const uint64_t dependency = random() % (maybeLater ? 30 : id + 1);
            if (hasDependency && dependency != id)
            {
                nodes.back().dependencies = {dependency};
            }
        }
        Diagnostics diagnostics;
        const ExecutionGraph graph(nodes, "", diagnostics);
        const auto order = IssueLiterally(nodes);
        EXPECT_EQ(GetIssueIds(graph), order);
        EXPECT_EQ(diagnostics.GetErrors().size(), order.size() < nodes.size() ? 1 : 0);
        nCycles += diagnostics.HasErrors();
    }
    EXPECT_GT(nCycles, 10u);
    EXPECT_LT(nCycles, 290u);
}

TEST(ExecutionGraphTest, NamesBothNodesOfADuplicateId)
{
    auto twin = MakeNode(5);
    twin.name = "twin";
    EXPECT_EQ(GetErrors({MakeNode(5), twin}),
              (std::vector<std::string>{"a.0.et: node 5 \"twin\": the id is already that of node 5 "
                                        "\"n5\"; ids must be unique in a file"}));
}

TEST(ExecutionGraphTest, NamesMissingAndOwnDependenciesAllAtOnce)
{
    EXPECT_EQ(GetErrors({MakeNode(1, {999}), MakeNode(2, {2}), MakeNode(3, {0, 1})}),
              (std::vector<std::string>{
                  "a.0.et: node 1 \"n1\": depends on node 999, which does not exist",
                  "a.0.et: node 2 \"n2\": depends on itself",
                  "a.0.et: node 3 \"n3\": depends on node 0, which does not exist"}));
}

TEST(ExecutionGraphTest, NamesTheNodesOfACycle)
{
    // 1 -> 2 -> 3 -> 4 -> 2 with a tail 5 behind the cycle
    EXPECT_EQ(GetErrors({MakeNode(1),
                         MakeNode(2, {1, 4}),
                         MakeNode(3, {2}),
                         MakeNode(4, {3}),
                         MakeNode(5, {4})}),
              (std::vector<std::string>{"a.0.et: node 2 \"n2\": depends on itself by way of node 4 "
                                        "\"n4\", node 3 \"n3\" (a cycle of 3 nodes)"}));
}

TEST(ExecutionGraphTest, FindsACycleUpstreamOfTheFirstStuckNode)
{
    const auto errors = GetErrors(
        {MakeNode(1, {3}), MakeNode(3, {8}), MakeNode(8, {9, 10}), MakeNode(9, {8}), MakeNode(10)});
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].find("node 8 \"n8\": depends on itself by way of node 9 \"n9\""),
              std::string::npos);
}

TEST(ExecutionGraphTest, ALongCycleIsAbbreviated)
{
    std::vector<ExecutionNode> nodes;
    for (uint64_t i = 0; i < 1000; ++i)
    {
        nodes.push_back(MakeNode(i, {(i + 1) % 1000}));
    }
    const auto errors = GetErrors(nodes);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].find(", ... (a cycle of 1000 nodes)"), std::string::npos);
    EXPECT_LT(errors[0].size(), 400u);
}

TEST(ExecutionGraphTest, ACycleBesideMissingAndDuplicateNodesIsFoundToo)
{
    const auto errors =
        GetErrors({MakeNode(1, {2, 77}), MakeNode(2, {1}), MakeNode(3), MakeNode(3, {88})});
    ASSERT_EQ(errors.size(), 4u);
    EXPECT_NE(errors[3].find("a cycle of 2 nodes"), std::string::npos);
}

TEST(ExecutionGraphTest, ManyEqualFaultsAreCounted)
{
    std::vector<ExecutionNode> nodes;
    for (uint64_t i = 0; i < 5000; ++i)
    {
        nodes.push_back(MakeNode(i, {100000 + i}));
    }
    const auto errors = GetErrors(nodes);
    ASSERT_EQ(errors.size(), 21u);
    EXPECT_EQ(errors[20], "and 4980 more errors");
}

TEST(ExecutionGraphTest, CostIsNotQuadratic)
{
    const uint64_t n = 80000;
    std::vector<ExecutionNode> independent;
    std::vector<ExecutionNode> chain;
    std::vector<ExecutionNode> star;
    for (uint64_t i = 0; i < n; ++i)
    {
        independent.push_back(MakeNode(n - i));
        chain.push_back(
            MakeNode(i, i > 0 ? std::vector<uint64_t>{i - 1} : std::vector<uint64_t>{}));
        star.push_back(MakeNode(i, i > 0 ? std::vector<uint64_t>{0} : std::vector<uint64_t>{}));
    }
    const std::clock_t start = std::clock();
    for (auto* nodes : {&independent, &chain, &star})
    {
        Diagnostics diagnostics;
        const ExecutionGraph graph(std::move(*nodes), "", diagnostics);
        EXPECT_EQ(graph.GetIssueOrder().size(), n);
    }
    // 0.1 s in an optimized build; n^2 = 6.4e9 operations would take several seconds
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 2.0);
}

TEST(ExecutionGraphTest, ControlCharactersOfNamesAreShown)
{
    ExecutionNode node = MakeNode(3);
    node.name = std::string("a\x1b[31m\n\0b", 9);
    EXPECT_EQ(Describe(node), "node 3 \"a\\x1b[31m\\n\\x00b\"");
}
