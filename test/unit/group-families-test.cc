/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "workload-cases.h"

using namespace ns3::mlcluster;

TEST(GroupFamiliesTest, RanksOfAFamilyShareAGraph)
{
    ExecutionNode send = Message(NodeKind::Send, 1, 2, 7, 64);
    ExecutionNode receive = Message(NodeKind::Receive, 2, 2, 7, 64);
    send.peerIsOffset = receive.peerIsOffset = true;
    const auto shared = MakeGraphs({{send, receive, Collective(3, "pair", 8)}}).front();
    const CommunicatorGroups groups{{"pair.0", {0, 1}}, {"pair.1", {3, 2}}};
    const ClusterWorkload workload({4, shared}, groups, {{"pair", {0, 0, 1, 1}}});
    Diagnostics diagnostics;
    workload.Check(diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Errors{});
    EXPECT_EQ(workload.ResolveGroup(3, "pair"), "pair.1");
    EXPECT_EQ(workload.ResolveGroup(3, ""), "");
    EXPECT_EQ(workload.GetNameInGraphs("pair.1"), "pair");
    EXPECT_EQ(workload.GetPeer(1, *shared->GetNode(0)), 3u);
    EXPECT_EQ(workload.GetPeer(3, *shared->GetNode(0)), 1u);
    const ExecutionNode resolved = workload.GetResolvedNode(3, 1);
    EXPECT_EQ(resolved.peer, 1u);
    EXPECT_FALSE(resolved.peerIsOffset);
    EXPECT_EQ(workload.GetResolvedNode(2, 2).group, "pair.1");
}

TEST(GroupFamiliesTest, APeerCanBeAnOffsetInAGroup)
{
    ExecutionNode send = Message(NodeKind::Send, 1, 1, 7, 64);
    ExecutionNode receive = Message(NodeKind::Receive, 2, 2, 7, 64);
    send.peerIsOffset = receive.peerIsOffset = true;
    send.group = receive.group = "ring";
    const auto shared = MakeGraphs({{send, receive}}).front();
    const CommunicatorGroups groups{{"ring.0", {0, 2, 4}}, {"ring.1", {5, 3, 1}}};
    const ClusterWorkload workload({6, shared}, groups, {{"ring", {0, 1, 0, 1, 0, 1}}});
    Diagnostics diagnostics;
    workload.Check(diagnostics);
    EXPECT_EQ(diagnostics.GetErrors(), Errors{});
    EXPECT_EQ(workload.GetPeer(4, *shared->GetNode(0)), 0u);
    EXPECT_EQ(workload.GetPeer(1, *shared->GetNode(0)), 5u);
    EXPECT_EQ(workload.GetPeer(5, *shared->GetNode(1)), 1u);
    EXPECT_EQ(workload.GetResolvedNode(5, 0).peer, 3u);
}

TEST(GroupFamiliesTest, AnOffsetNeedsItsGroup)
{
    ExecutionNode send = Message(NodeKind::Send, 1, 1, 7, 64);
    ExecutionNode receive = Message(NodeKind::Receive, 2, 1, 7, 64);
    send.peerIsOffset = receive.peerIsOffset = true;
    send.group = "a";
    receive.group = "b";
    EXPECT_EQ(
        Check({{send, receive}, {send, receive}, {}}, {{"b", {1, 2}}}),
        (Errors{"w.0.et: rank 0 node 1 \"m1\": communicator group \"a\" is not defined",
                "w.0.et: rank 0 node 2 \"m2\": communicator group \"b\" does not contain this rank",
                "w.1.et: rank 1 node 1 \"m1\": communicator group \"a\" is not defined",
                "w.1.et: rank 1 node 2 \"m2\": rank 2 has no matching send to rank 1 with tag 7"}));
}

TEST(GroupFamiliesTest, MembersOfAFamilyAreCompared)
{
    ExecutionNode send = Message(NodeKind::Send, 1, 1, 7, 64);
    ExecutionNode receive = Message(NodeKind::Receive, 2, 1, 7, 64);
    send.peerIsOffset = receive.peerIsOffset = true;
    const auto first = MakeGraphs({{send, Collective(3, "pair", 8)}}).front();
    const auto second = MakeGraphs({{receive, Collective(3, "pair", 9)}}).front();
    const CommunicatorGroups groups{{"pair.0", {0, 1}}, {"pair.1", {2, 3}}};
    const ClusterWorkload workload({first, second, first, second},
                                   groups,
                                   {{"pair", {0, 0, 1, 1}}});
    Diagnostics diagnostics;
    workload.Check(diagnostics);
    EXPECT_EQ(
        diagnostics.GetErrors(),
        (Errors{
            "w.0.et: rank 1 node 3 \"c3\": collective 0 of group \"pair.0\" is all-reduce of 9 "
            "bytes, but on rank 0 node 3 \"c3\" it is all-reduce of 8 bytes",
            "w.0.et: rank 0 node 1 \"m1\": rank 1 has no matching receive from rank 0 with tag 7",
            "w.0.et: rank 1 node 2 \"m2\": rank 2 has no matching send to rank 1 with tag 7",
            "w.0.et: rank 2 node 1 \"m1\": rank 3 has no matching receive from rank 2 with tag 7",
            "w.0.et: rank 3 node 2 \"m2\": rank 0 has no matching send to rank 3 with tag 7"}));
}

TEST(GroupFamiliesTest, AFamilyNeedsItsGroupsAndAllRanks)
{
    const CommunicatorGroups groups{{"pair.0", {0}}, {"pair", {1}}, {"tensor.0", {0, 1}}};
    const auto graphs = MakeGraphs({{}, {}});
    EXPECT_EQ(ErrorOf([&] { ClusterWorkload(graphs, groups, {{"pair", {0, 0}}}); }),
              "the family of groups \"pair\" has 2 numbers for 2 ranks, or the name of a group");
    EXPECT_EQ(ErrorOf([&] { ClusterWorkload(graphs, groups, {{"tensor", {0}}}); }),
              "the family of groups \"tensor\" has 1 numbers for 2 ranks, or the name of a group");
    EXPECT_EQ(ErrorOf([&] { ClusterWorkload(graphs, groups, {{"tensor", {0, 1}}}); }),
              "communicator group \"tensor.1\" is not defined");
}
