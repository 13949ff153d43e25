/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "page-budget.h"
#include "temporary-folder.h"
#include "workload-cases.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-writer.h"
#include "ns3/communication-index.h"
#include "ns3/execution-graph.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>

using namespace ns3::mlcluster;

namespace
{

/// @param random source of numbers @return a number of any size, often 0
uint64_t
Draw(std::mt19937_64& random)
{
    const uint64_t number = random();
    const uint64_t shift = random() % 80;
    return shift < 64 ? number >> shift : 0;
}

/// @param random source of numbers @param id id @param earlier ids it may depend on @return a node
/// with any content
ExecutionNode
DrawNode(std::mt19937_64& random, uint64_t id, const std::vector<uint64_t>& earlier)
{
    ExecutionNode node;
    node.id = id;
    node.name = random() % 2 ? "name " + std::to_string(random() % 5) : std::to_string(random());
    node.kind = static_cast<NodeKind>(random() % 8);
    node.onHost = random() % 2;
    node.peerIsOffset = random() % 2;
    node.collective = static_cast<CollectiveType>(random() % 10);
    node.durationPs = static_cast<int64_t>(Draw(random) >> 1);
    node.operations = Draw(random);
    node.tensorBytes = Draw(random);
    node.bytes = Draw(random);
    node.peer = static_cast<uint32_t>(Draw(random));
    node.location = random() % 64;
    node.priority = static_cast<int32_t>(Draw(random));
    node.tag = Draw(random);
    node.group = std::string(random() % 3, 'g');
    node.stream = static_cast<int64_t>(random() % 4) - 1;
    node.repetition = static_cast<int32_t>(random() % 3) - 1;
    for (uint64_t k = random() % 8; k > 5; --k)
    {
        node.peerBytes.push_back(Draw(random));
        node.involvedDimensions.push_back(random() % 2);
    }
    for (uint64_t k = random() % 4; k > 0 && !earlier.empty(); --k)
    {
        const uint64_t back = 1 + random() % (random() % 2 ? 3 : earlier.size());
        node.dependencies.push_back(earlier[earlier.size() - std::min(back, earlier.size())]);
    }
    return node;
}

/// @param random source of numbers @param nNodes how many @param gap most that is left out between
/// ids @return nodes that depend on earlier ones
std::vector<ExecutionNode>
DrawNodes(std::mt19937_64& random, uint64_t nNodes, uint64_t gap)
{
    std::vector<ExecutionNode> nodes;
    std::vector<uint64_t> ids;
    uint64_t id = random() % 1000;
    for (uint64_t i = 0; i < nNodes; ++i)
    {
        nodes.push_back(DrawNode(random, id, ids));
        ids.push_back(id);
        id += 1 + random() % (gap + 1);
    }
    return nodes;
}

/// Checks that two nodes are equal. @param a a node @param b a node
void
ExpectEqual(const ExecutionNode& a, const ExecutionNode& b)
{
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.onHost, b.onHost);
    EXPECT_EQ(a.peerIsOffset, b.peerIsOffset);
    EXPECT_EQ(a.collective, b.collective);
    EXPECT_EQ(a.durationPs, b.durationPs);
    EXPECT_EQ(a.operations, b.operations);
    EXPECT_EQ(a.tensorBytes, b.tensorBytes);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_EQ(a.peer, b.peer);
    EXPECT_EQ(a.priority, b.priority);
    EXPECT_EQ(a.tag, b.tag);
    EXPECT_EQ(a.group, b.group);
    EXPECT_EQ(a.stream, b.stream);
    EXPECT_EQ(a.repetition, b.repetition);
    EXPECT_EQ(a.location, b.location);
    EXPECT_EQ(a.peerBytes, b.peerBytes);
    EXPECT_EQ(a.involvedDimensions, b.involvedDimensions);
    EXPECT_EQ(a.dependencies, b.dependencies);
}

/// Checks that a node and its links are equal in two graphs. @param a a graph @param b a graph
/// @param index the node
void
ExpectEqual(const ExecutionGraph& a, const ExecutionGraph& b, uint32_t index)
{
    const NodeHandle node = a.GetNode(index);
    const NodeHandle other = b.GetNode(index);
    ExpectEqual(*node, *other);
    const auto children = a.GetChildren(index);
    const auto others = b.GetChildren(index);
    EXPECT_TRUE(std::equal(children.begin(), children.end(), others.begin(), others.end()));
    EXPECT_EQ(a.GetNDependencies(index), b.GetNDependencies(index));
    EXPECT_EQ(a.GetPreviousOnStream(index), b.GetPreviousOnStream(index));
    EXPECT_EQ(a.GetNextOnStream(index), b.GetNextOnStream(index));
    EXPECT_EQ(a.GetOrdinal(index), b.GetOrdinal(index));
    EXPECT_EQ(a.GetGroupNumber(index), b.GetGroupNumber(index));
    EXPECT_EQ(a.GetNextOfGroup(index), b.GetNextOfGroup(index));
    EXPECT_EQ(a.FindNode(node->id), index);
    EXPECT_EQ(b.FindNode(node->id), index);
}

} // namespace

TEST(PagedGraphTest, RandomGraphsAreEqualWhateverTheBudget)
{
    std::mt19937_64 random(41);
    for (int round = 0; round < 12; ++round)
    {
        auto nodes = DrawNodes(random, 1 + random() % 1500, round % 3);
        if (round % 4 == 1)
        {
            std::reverse(nodes.begin(), nodes.end());
        }
        if (round % 4 == 2)
        {
            std::shuffle(nodes.begin(), nodes.end(), random);
        }
        Diagnostics diagnostics;
        const ExecutionGraph whole(nodes, "a", diagnostics);
        const PageBudget budget(1);
        const ExecutionGraph paged(nodes, "a", diagnostics);
        ASSERT_EQ(diagnostics.GetErrors(), Errors{});
        ASSERT_EQ(paged.GetNNodes(), nodes.size());
        EXPECT_EQ(paged.GetRoots(), whole.GetRoots());
        EXPECT_EQ(paged.GetGroups(), whole.GetGroups());
        EXPECT_EQ(paged.GetIssueOrder(), whole.GetIssueOrder());
        std::sort(nodes.begin(), nodes.end(), [](const auto& a, const auto& b) {
            return a.id < b.id;
        });
        for (uint32_t i = 0; i < nodes.size(); ++i)
        {
            const std::set<uint64_t> ids(nodes[i].dependencies.begin(),
                                         nodes[i].dependencies.end());
            nodes[i].dependencies.assign(ids.begin(), ids.end());
            ExpectEqual(*paged.GetNode(i), nodes[i]);
        }
        for (int k = 0; k < 2000; ++k)
        {
            ExpectEqual(whole, paged, random() % nodes.size());
        }
    }
}

TEST(PagedGraphTest, NothingIsWrittenWhileAllFits)
{
    std::mt19937_64 random(42);
    const PageBudget budget(uint64_t{1} << 30);
    Diagnostics diagnostics;
    const ExecutionGraph graph(DrawNodes(random, 3000, 0), "a", diagnostics);
    EXPECT_EQ(budget.GetBytesInFile(), 0u);
    EXPECT_EQ(budget.GetNFetches(), 0u);
    EXPECT_GT(GraphPagePool::Get().GetBytesHere(), 3000 * sizeof(ExecutionNode));
}

TEST(PagedGraphTest, MemoryKeepsToTheBudget)
{
    std::mt19937_64 random(43);
    const uint64_t bytes = 300000;
    const PageBudget budget(bytes);
    Diagnostics diagnostics;
    const ExecutionGraph graph(DrawNodes(random, 20000, 0), "a", diagnostics);
    for (uint32_t i = 0; i < graph.GetNNodes(); i += 100)
    {
        EXPECT_EQ(graph.GetNDependencies(i), graph.GetNode(i)->dependencies.size());
        EXPECT_LE(GraphPagePool::Get().GetBytesHere(), bytes);
    }
    EXPECT_GT(budget.GetBytesInFile(), 20000 * 10u);
}

TEST(PagedGraphTest, APageIsWrittenOnce)
{
    std::mt19937_64 random(44);
    const PageBudget budget(1);
    Diagnostics diagnostics;
    const ExecutionGraph graph(DrawNodes(random, 3000, 0), "a", diagnostics);
    const auto visit = [&] {
        for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
        {
            EXPECT_EQ(graph.GetNDependencies(i), graph.GetNode(i)->dependencies.size());
        }
    };
    visit();
    const uint64_t written = budget.GetBytesInFile();
    const uint64_t fetched = budget.GetNFetches();
    visit();
    EXPECT_EQ(budget.GetBytesInFile(), written);
    EXPECT_GT(budget.GetNFetches(), fetched);
}

TEST(PagedGraphTest, AHandleKeepsItsNodeInMemory)
{
    std::mt19937_64 random(45);
    const auto nodes = DrawNodes(random, 4000, 0);
    const PageBudget budget(1);
    Diagnostics diagnostics;
    const ExecutionGraph graph(nodes, "a", diagnostics);
    const NodeHandle first = graph.GetNode(7);
    NodeHandle moving = first;
    const auto children = graph.GetChildren(7);
    const std::vector<uint32_t> before(children.begin(), children.end());
    const ExecutionNode* const address = &*first;
    for (uint32_t i = 0; i < nodes.size(); i += 50)
    {
        moving = graph.GetNode(i);
        EXPECT_EQ(moving->id, nodes[i].id);
        EXPECT_EQ(graph.GetNDependencies(i), moving->dependencies.size());
    }
    const NodeHandle again = graph.GetNode(7);
    EXPECT_EQ(&*again, address);
    EXPECT_EQ(first->name, nodes[7].name);
    EXPECT_EQ(std::vector<uint32_t>(children.begin(), children.end()), before);
}

TEST(PagedGraphTest, GraphsShareTheBudgetAndGiveItBack)
{
    std::mt19937_64 random(46);
    const uint64_t before = GraphPagePool::Get().GetBytesHere();
    const uint64_t bytes = 400000;
    {
        const PageBudget budget(bytes);
        Diagnostics diagnostics;
        const auto nodes = DrawNodes(random, 6000, 1);
        auto first = std::make_unique<ExecutionGraph>(nodes, "a", diagnostics);
        const ExecutionGraph second(nodes, "b", diagnostics);
        for (uint32_t i = 0; i < nodes.size(); i += 37)
        {
            ExpectEqual(*first, second, i);
            EXPECT_LE(GraphPagePool::Get().GetBytesHere(), bytes + 300000);
        }
        EXPECT_GT(budget.GetBytesInFile(), 0u);
        first = nullptr;
        EXPECT_GT(budget.GetBytesInFile(), 0u);
        EXPECT_EQ(second.GetNode(5999)->id, nodes[5999].id);
    }
    EXPECT_EQ(GraphPagePool::Get().GetBytesInFile(), 0u);
    EXPECT_EQ(GraphPagePool::Get().GetBytesHere(), before);
}

TEST(PagedGraphTest, AFolderThatCannotBeWrittenIsNamed)
{
    std::mt19937_64 random(47);
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before ? before : "";
    setenv("TMPDIR", "/nowhere/at all", 1);
    try
    {
        const PageBudget budget(1);
        Diagnostics diagnostics;
        const ExecutionGraph graph(DrawNodes(random, 3000, 0), "a", diagnostics);
        ADD_FAILURE() << "no error";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "nodes beyond workload.node-memory go to a temporary file, but in folder "
                     "/nowhere/at all a file cannot be made: No such file or directory (after 0B); "
                     "set TMPDIR to a folder with more room, or raise workload.node-memory");
    }
    before ? setenv("TMPDIR", kept.c_str(), 1) : unsetenv("TMPDIR");
}

TEST(PagedGraphTest, AReaderStopsWhereNothingCanBeWritten)
{
    Nodes nodes;
    for (uint64_t id = 0; id < 3000; ++id)
    {
        nodes.push_back(Collective(id, "", 8));
    }
    const TemporaryFolder folder;
    const std::string path = (folder.GetPath() / "a.0.et").string();
    WriteChakraGraph(nodes, path);
    const char* const before = std::getenv("TMPDIR");
    const std::string kept = before ? before : "";
    setenv("TMPDIR", "/nowhere", 1);
    Diagnostics diagnostics;
    {
        const PageBudget budget(1);
        ReadChakraGraph(path, {}, diagnostics);
    }
    before ? setenv("TMPDIR", kept.c_str(), 1) : unsetenv("TMPDIR");
    EXPECT_EQ(diagnostics.GetErrors().size(), 1u);
}

TEST(PagedGraphTest, RanksAreCheckedPageByPage)
{
    Nodes ranks[2];
    for (uint64_t id = 0; id < 3000; ++id)
    {
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            const bool isSend = (rank + id) % 2 == 0;
            const auto kind = isSend ? NodeKind::Send : NodeKind::Receive;
            ranks[rank].push_back(id % 3 == 0 ? Collective(id, "", id)
                                              : Message(kind, id, 1 - rank, id % 7, id));
        }
    }
    const PageBudget budget(1);
    EXPECT_EQ(Check({ranks[0], ranks[1]}), Errors{});
    ranks[1][2999 / 3 * 3].bytes = 1;
    ranks[1][2000].bytes = 1;
    EXPECT_EQ(
        Check({ranks[0], ranks[1]}),
        (Errors{"w.1.et: rank 1 node 2997 \"c2997\": collective 999 of the group of all ranks "
                "is all-reduce of 1 bytes, but on rank 0 node 2997 \"c2997\" it is all-reduce "
                "of 2997 bytes",
                "w.0.et: rank 0 node 2000 \"m2000\": sends 2000 bytes, but rank 1 node 2000 "
                "\"m2000\" expects 1"}));
}

TEST(PagedGraphTest, AnIndexListsWhatIsMatchedByTheSame)
{
    Nodes nodes{Collective(0, "b", 10),
                Message(NodeKind::Send, 1, 1, 7, 20),
                Collective(2, "a", 30),
                Collective(3, "b", 40),
                Message(NodeKind::Send, 4, 1, 7, 50)};
    nodes[0].dependencies = {3};
    const auto graph = MakeGraphs({nodes})[0];
    const CommunicationIndex index(*graph);
    ASSERT_EQ(index.GetNRuns(), 3u);
    const auto sends = index.GetRun(0);
    EXPECT_EQ(std::vector<uint32_t>(sends.begin, sends.end), (std::vector<uint32_t>{1, 4}));
    EXPECT_EQ(sends.bytes[1], 50u);
    EXPECT_EQ(index.GetKey(1).group, "a");
    const auto last = index.Find(CommunicationKey(nodes[0]));
    EXPECT_EQ(std::vector<uint32_t>(last.begin, last.end), (std::vector<uint32_t>{3, 0}));
    EXPECT_EQ(index.Find(CommunicationKey(Collective(9, "c", 1))).GetSize(), 0u);
}
