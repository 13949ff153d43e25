/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "workload-cases.h"

#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <random>
#include <tuple>

using namespace ns3::mlcluster;

namespace
{

/// @param graph a graph @return ordinals by node
std::vector<uint32_t>
GetOrdinals(const ExecutionGraph& graph)
{
    std::vector<uint32_t> ordinals;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        ordinals.push_back(graph.GetOrdinal(i));
    }
    return ordinals;
}

} // namespace

TEST(ClusterWorkloadTest, UndefinedEmptyAndZeroMeanAllRanks)
{
    const ClusterWorkload workload(MakeGraphs({{}, {}, {}}), {{"tp0", {2, 0}}});
    EXPECT_EQ(workload.GetNRanks(), 3u);
    EXPECT_EQ(workload.GetGroup(""), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(workload.GetGroup("0"), (std::vector<uint32_t>{0, 1, 2}));
    EXPECT_EQ(workload.GetGroup("tp0"), (std::vector<uint32_t>{2, 0}));
    EXPECT_THROW(workload.GetGroup("-1"), InputError);
}

TEST(ClusterWorkloadTest, ADefinedNameWinsWhateverItIs)
{
    // any string is a name, and no name is magic once it is defined
    const CommunicatorGroups groups{{"", {0}}, {"0", {1}}, {"-1", {0, 1}}, {"tp0", {1, 0}}};
    const ClusterWorkload workload(MakeGraphs({{}, {}}), groups);
    EXPECT_EQ(workload.GetGroup(""), (std::vector<uint32_t>{0}));
    EXPECT_EQ(workload.GetGroup("0"), (std::vector<uint32_t>{1}));
    EXPECT_EQ(
        Check({{Collective(1, "", 8), Collective(2, "-1", 8)},
               {Collective(1, "0", 8), Collective(2, "-1", 8), Collective(3, "tp0", 8)}},
              groups),
        (Errors{
            "w.0.et: rank 0: lacks collective 0 of group \"tp0\", which is all-reduce of 8 bytes "
            "on rank 1 node 3 \"c3\""}));
}

TEST(ClusterWorkloadTest, OrdinalsCountInIssueOrder)
{
    Nodes nodes{Collective(1, "a", 8),
                Collective(2, "a", 8),
                Collective(3, "b", 8),
                Message(NodeKind::Send, 4, 1, 7, 8),
                Message(NodeKind::Send, 5, 1, 7, 8),
                Message(NodeKind::Send, 6, 1, 8, 8),
                Message(NodeKind::Send, 7, 2, 7, 8),
                Message(NodeKind::Receive, 8, 1, 7, 8),
                Message(NodeKind::Receive, 9, 1, 7, 8)};
    nodes[0].dependencies = {2}; // so 2 is issued first
    nodes[7].dependencies = {9};
    const ClusterWorkload workload(MakeGraphs({nodes}), {});
    EXPECT_EQ(GetOrdinals(workload.GetGraph(0)),
              (std::vector<uint32_t>{1, 0, 0, 0, 1, 0, 0, 1, 0}));
}

TEST(ClusterWorkloadTest, OrdinalsOfRandomGraphsMatchCounting)
{
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round)
    {
        Nodes nodes;
        for (uint64_t id = 0; id < 60; ++id)
        {
            const std::string group(random() % 3, 'g');
            const auto kind = random() % 2 ? NodeKind::Send : NodeKind::Receive;
            const uint64_t peer = random() % 3;
            nodes.push_back(random() % 2 ? Collective(id, group, 8)
                                         : Message(kind, id, peer, random() % 3, 8));
            if (id > 0 && random() % 2)
            {
                nodes.back().dependencies = {random() % id};
            }
        }
        for (auto& node : nodes)
        {
            node.id = 59 - node.id;
            for (auto& id : node.dependencies)
            {
                id = 59 - id;
            }
        }
        const ClusterWorkload workload(MakeGraphs({nodes}), {});
        const auto& graph = workload.GetGraph(0);
        const auto key = [&](uint32_t i) {
            const auto& node = *graph.GetNode(i);
            const bool isCollective = node.kind == NodeKind::Collective;
            return std::make_tuple(node.kind,
                                   isCollective ? node.group : SharedText(),
                                   isCollective ? 0 : node.peer,
                                   isCollective ? 0 : node.tag);
        };
        std::vector<uint32_t> expected(60);
        const auto order = graph.GetIssueOrder();
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            expected[order[i]] = std::count_if(order.begin(), order.begin() + i, [&](uint32_t j) {
                return key(j) == key(order[i]);
            });
        }
        EXPECT_EQ(GetOrdinals(graph), expected);
    }
}

TEST(ClusterWorkloadTest, GroupsMustHoldDistinctRanksThatExist)
{
    EXPECT_EQ(Check({{}, {}}, {{"a", {0, 2}}, {"b", {1, 1}}, {"c", {}}, {"d", {1}}}),
              (Errors{"group \"a\": contains rank 2, but ranks are 0 to 1",
                      "group \"b\": contains rank 1 twice",
                      "group \"c\": has no ranks; a group needs at least one"}));
}

TEST(ClusterWorkloadTest, AnUndefinedGroupNamesNodeAndDefinedOnes)
{
    EXPECT_EQ(Check({{}, {Collective(3, "tp", 8)}}, {{"dp", {0}}, {"tp0", {1}}}),
              (Errors{"w.1.et: rank 1 node 3 \"c3\": group \"tp\" is not defined; defined are "
                      "\"dp\", \"tp0\""}));
    EXPECT_EQ(
        Check({{Collective(3, "tp", 8)}}),
        (Errors{"w.0.et: rank 0 node 3 \"c3\": group \"tp\" is not defined; none is defined"}));
}

TEST(ClusterWorkloadTest, ARankMustBeInTheGroupItUses)
{
    EXPECT_EQ(Check({{Collective(1, "a", 8)}, {Collective(5, "a", 8)}}, {{"a", {0}}}),
              (Errors{"w.1.et: rank 1 node 5 \"c5\": group \"a\" does not contain this rank"}));
}

TEST(ClusterWorkloadTest, EveryRankMustTakePartInCollectivesOfAllRanks)
{
    EXPECT_EQ(Check({{Collective(1, "", 8), Collective(2, "", 8), Collective(9, "", 8)},
                     {Collective(4, "", 8)},
                     {}}),
              (Errors{"w.1.et: rank 1: lacks collective 1 of the group of all ranks, which is "
                      "all-reduce of 8 bytes on rank 0 node 2 \"c2\" (and 1 more after it)",
                      "w.2.et: rank 2: lacks collective 0 of the group of all ranks, which is "
                      "all-reduce of 8 bytes on rank 0 node 1 \"c1\" (and 2 more after it)"}));
}

TEST(ClusterWorkloadTest, TypeSizeMaskAndRootMustAgree)
{
    auto masked = Collective(3, "", 8);
    masked.involvedDimensions = {true, false};
    auto rooted = Collective(4, "", 8, CollectiveType::Broadcast);
    auto otherRoot = rooted;
    otherRoot.peer = 1;
    EXPECT_EQ(
        Check({{Collective(1, "", 8), Collective(2, "", 8), Collective(3, "", 8), rooted},
               {Collective(1, "", 8, CollectiveType::AllGather),
                Collective(2, "", 9),
                masked,
                otherRoot}}),
        (Errors{"w.1.et: rank 1 node 1 \"c1\": collective 0 of the group of all ranks is "
                "all-gather of 8 bytes, but on rank 0 node 1 \"c1\" it is all-reduce of 8 bytes",
                "w.1.et: rank 1 node 2 \"c2\": collective 1 of the group of all ranks is "
                "all-reduce of 9 bytes, but on rank 0 node 2 \"c2\" it is all-reduce of 8 bytes",
                "w.1.et: rank 1 node 3 \"c3\": collective 2 of the group of all ranks is "
                "all-reduce of 8 bytes over dimensions 1,0, but on rank 0 node 3 \"c3\" it is "
                "all-reduce of 8 bytes",
                "w.1.et: rank 1 node 4 \"c4\": collective 3 of the group of all ranks is "
                "broadcast of 8 bytes with root 1, but on rank 0 node 4 \"c4\" it is "
                "broadcast of 8 bytes with root 0"}));
}

TEST(ClusterWorkloadTest, AMaskOfAllDimensionsIsNoMask)
{
    auto all = Collective(1, "", 8);
    all.involvedDimensions = {true, true, true, true};
    auto two = all;
    two.involvedDimensions = {true, true};
    EXPECT_EQ(Check({{Collective(1, "", 8)}, {all}, {two}}), Errors{});
}

TEST(ClusterWorkloadTest, GroupsOfOneAreFine)
{
    std::vector<Nodes> ranks;
    CommunicatorGroups groups;
    for (uint32_t rank = 0; rank < 16; ++rank)
    {
        const std::string name = "alone" + std::to_string(rank);
        ranks.push_back({Collective(rank, name, 8 + rank)});
        groups[name] = {rank};
    }
    EXPECT_EQ(Check(ranks, groups), Errors{});
}

TEST(ClusterWorkloadTest, EachCollectiveBelongsToItsOwnGroup)
{
    // three groups, one overlapping both others
    const CommunicatorGroups groups{{"a", {0, 1, 2, 3}}, {"b", {4, 5, 6, 7}}, {"c", {0, 4}}};
    std::vector<Nodes> ranks;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        ranks.push_back({Collective(1, rank < 4 ? "a" : "b", 8 << 20)});
        if (rank % 4 == 0)
        {
            ranks.back().push_back(Collective(0, "c", 8 << 20));
        }
    }
    EXPECT_EQ(Check(ranks, groups), Errors{});
    ranks[4].pop_back();
    EXPECT_EQ(Check(ranks, groups).size(), 1u);
}

TEST(ClusterWorkloadTest, NamesWithEqualMembersAreDifferentGroups)
{
    const CommunicatorGroups groups{{"a", {0, 1}}, {"b", {0, 1}}};
    EXPECT_EQ(Check({{Collective(1, "a", 8), Collective(2, "b", 16)},
                     {Collective(1, "b", 16), Collective(2, "a", 8)}},
                    groups),
              Errors{});
}

TEST(ClusterWorkloadTest, SendsNeedReceivesOfTheSameSize)
{
    const auto send = NodeKind::Send;
    const auto receive = NodeKind::Receive;
    EXPECT_EQ(Check({{Message(send, 1, 1, 5, 100), Message(send, 2, 1, 5, 200)},
                     {Message(receive, 8, 0, 5, 100), Message(receive, 9, 0, 5, 200)}}),
              Errors{});
    EXPECT_EQ(Check({{Message(send, 1, 1, 5, 1048576)}, {Message(receive, 9, 0, 5, 1048575)}}),
              (Errors{"w.0.et: rank 0 node 1 \"m1\": sends 1048576 bytes, but rank 1 node 9 "
                      "\"m9\" expects 1048575"}));
    EXPECT_EQ(
        Check({{Message(send, 1, 1, 5, 100)}, {Message(receive, 9, 0, 6, 100)}}),
        (Errors{
            "w.0.et: rank 0 node 1 \"m1\": rank 1 has no matching receive from rank 0 with tag 5",
            "w.1.et: rank 1 node 9 \"m9\": rank 0 has no matching send to rank 1 with tag 6"}));
    EXPECT_EQ(
        Check({{Message(send, 1, 1, 5, 100)},
               {Message(receive, 7, 0, 5, 100),
                Message(receive, 8, 0, 5, 100),
                Message(receive, 9, 0, 5, 100)}}),
        (Errors{
            "w.1.et: rank 1 node 8 \"m8\": rank 0 has no matching send to rank 1 with tag 5 (and 1 "
            "more after it)"}));
}

TEST(ClusterWorkloadTest, PeersMustExistAndBeOthers)
{
    EXPECT_EQ(
        Check({{Message(NodeKind::Send, 1, 2, 0, 8), Message(NodeKind::Receive, 2, 0, 0, 8)}, {}}),
        (Errors{"w.0.et: rank 0 node 1 \"m1\": the peer is rank 2, but ranks are 0 to 1",
                "w.0.et: rank 0 node 2 \"m2\": the peer is the rank itself"}));
}

TEST(ClusterWorkloadTest, ASharedGraphWithMessagesIsCheckedForEachRank)
{
    // ranks 1 and 2 share one graph that receives from 0; rank 0 sends to 1 only
    const auto graphs = MakeGraphs(
        {{Message(NodeKind::Send, 1, 1, 0, 8)}, {Message(NodeKind::Receive, 1, 0, 0, 8)}});
    Diagnostics diagnostics;
    ClusterWorkload({graphs[0], graphs[1], graphs[1]}, {}).Check(diagnostics);
    EXPECT_EQ(
        diagnostics.GetErrors(),
        (Errors{"w.1.et: rank 2 node 1 \"m1\": rank 0 has no matching send to rank 2 with tag 0"}));
}

TEST(ClusterWorkloadTest, ManyEqualFaultsAreCounted)
{
    std::vector<Nodes> ranks(2);
    for (uint64_t id = 0; id < 1000; ++id)
    {
        ranks[0].push_back(Collective(id, "", 8));
        ranks[1].push_back(Collective(id, "", 9));
    }
    const auto errors = Check(ranks);
    ASSERT_EQ(errors.size(), 21u);
    EXPECT_EQ(errors.back(), "and 980 more errors");
}

TEST(ClusterWorkloadTest, RandomWorkloadsFitUntilOneNodeIsChanged)
{
    std::mt19937 random(99);
    for (int round = 0; round < 200; ++round)
    {
        const uint32_t nRanks = 2 + random() % 6;
        CommunicatorGroups groups;
        for (uint32_t g = 0; g < 3; ++g)
        {
            std::vector<uint32_t> members(nRanks);
            for (uint32_t i = 0; i < nRanks; ++i)
            {
                members[i] = i;
            }
            std::shuffle(members.begin(), members.end(), random);
            members.resize(2 + random() % (nRanks - 1));
            groups["g" + std::to_string(g)] = members;
        }
        std::vector<Nodes> ranks(nRanks);
        for (int step = 0; step < 30; ++step)
        {
            const uint64_t bytes = random() % 1000;
            if (random() % 2)
            {
                const std::string name = "g" + std::to_string(random() % 3);
                const auto type =
                    random() % 2 ? CollectiveType::AllReduce : CollectiveType::AllToAll;
                for (const uint32_t rank : groups[name])
                {
                    ranks[rank].push_back(Collective(ranks[rank].size(), name, bytes, type));
                }
                continue;
            }
            const uint32_t from = random() % nRanks;
            const uint32_t to = (from + 1 + random() % (nRanks - 1)) % nRanks;
            const uint64_t tag = random() % 2;
            ranks[from].push_back(Message(NodeKind::Send, ranks[from].size(), to, tag, bytes));
            ranks[to].push_back(Message(NodeKind::Receive, ranks[to].size(), from, tag, bytes));
        }
        ASSERT_EQ(Check(ranks, groups), Errors{});
        auto& nodes = ranks[random() % nRanks];
        if (nodes.empty())
        {
            continue;
        }
        auto& node = nodes[random() % nodes.size()];
        if (random() % 2)
        {
            node.bytes += 1;
        }
        else
        {
            node.kind = NodeKind::Compute;
        }
        EXPECT_FALSE(Check(ranks, groups).empty());
    }
}

TEST(ClusterWorkloadTest, ManyRanksWithOneGraphAreCheckedFast)
{
    Nodes nodes;
    for (uint64_t id = 0; id < 1000; ++id)
    {
        nodes.push_back(Collective(id, id % 2 ? "" : "0", 1 << 20));
    }
    const auto graph = MakeGraphs({nodes})[0];
    const std::clock_t start = std::clock();
    Diagnostics diagnostics;
    ClusterWorkload(std::vector<std::shared_ptr<const ExecutionGraph>>(4096, graph), {})
        .Check(diagnostics);
    EXPECT_FALSE(diagnostics.HasErrors());
    // 1 ms in an optimized build; comparing 4096 x 1000 nodes would take longer than the limit
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 0.25);
}

TEST(ClusterWorkloadTest, UnequalSizesMustFitTheGroup)
{
    auto node = Collective(1, "", 0, CollectiveType::AllToAll);
    node.peerBytes = {1, 2};
    auto other = node;
    other.peerBytes = {3, 0};
    EXPECT_EQ(Check({{node}, {other}}), Errors{}) << "sizes may differ between ranks";
    EXPECT_EQ(Check({{node}, {Collective(1, "", 3, CollectiveType::AllToAll)}}),
              (Errors{"w.1.et: rank 1 node 1 \"c1\": collective 0 of the group of all ranks is "
                      "all-to-all of 3 "
                      "bytes, but on rank 0 node 1 \"c1\" it is all-to-all of unequal parts "
                      "(comm_sizes)"}));
    const auto refused = [](const ExecutionNode& wrong) {
        const std::string errors = JoinWords(Check({{wrong}, {wrong}}));
        return errors.find("one for each of the 2 members of an all-to-all, in all below 2^63") !=
               std::string::npos;
    };
    other.peerBytes = {1, 2, 3};
    EXPECT_TRUE(refused(other)) << "too many";
    other.peerBytes = {uint64_t{1} << 62, uint64_t{1} << 62};
    EXPECT_TRUE(refused(other)) << "too large";
    node.collective = CollectiveType::AllGather;
    EXPECT_TRUE(refused(node)) << "no all-to-all";
}
