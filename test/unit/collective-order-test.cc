/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-cases.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

/// @param id id @param type operation @param bytes size @param stream its stream @return a
/// collective of all ranks
ExecutionNode
OnStream(uint64_t id, CollectiveType type, uint64_t bytes, int64_t stream)
{
    ExecutionNode node = Collective(id, "", bytes, type);
    node.stream = stream;
    return node;
}

} // namespace

TEST(CollectiveOrderTest, AnotherOrderNamesBothRanksAndBothCollectives)
{
    const Nodes usual{Collective(1, "", 8), Collective(2, "", 16, CollectiveType::AllGather)};
    const Nodes other{Collective(1, "", 16, CollectiveType::AllGather), Collective(2, "", 8)};
    EXPECT_EQ(Check({usual, usual, other}),
              (Errors{"w.2.et: rank 2 node 1 \"c1\": collective 0 of the group of all ranks is "
                      "all-gather of 16 bytes, but on rank 0 node 1 \"c1\" it is all-reduce of 8 "
                      "bytes",
                      "w.2.et: rank 2 node 2 \"c2\": collective 1 of the group of all ranks is "
                      "all-reduce of 8 bytes, but on rank 0 node 2 \"c2\" it is all-gather of 16 "
                      "bytes"}));
}

TEST(CollectiveOrderTest, TheOrderOfAGroupIsThatOfItsStreams)
{
    const auto make = [](int64_t stream) {
        Nodes nodes{OnStream(1, CollectiveType::AllReduce, 8, stream),
                    OnStream(2, CollectiveType::AllGather, 16, stream)};
        ExecutionNode compute;
        compute.id = 3;
        compute.kind = NodeKind::Compute;
        nodes[0].dependencies = {3};
        nodes.push_back(compute);
        return nodes;
    };
    const Nodes plain{Collective(1, "", 8), Collective(2, "", 16, CollectiveType::AllGather)};
    EXPECT_EQ(Check({make(20), plain}), Errors{}) << "node 2 waits behind node 1";
    EXPECT_EQ(Check({make(-1), plain}).size(), 2u) << "node 2 is issued first";
}

TEST(CollectiveOrderTest, SizesForEachMemberAreGivenByAllRanksOrNone)
{
    ExecutionNode uneven = Collective(1, "", 8, CollectiveType::AllToAll);
    uneven.peerBytes = {4, 4};
    EXPECT_EQ(Check({{uneven}, {Collective(1, "", 8, CollectiveType::AllToAll)}}),
              (Errors{"w.1.et: rank 1 node 1 \"c1\": collective 0 of the group of all ranks is "
                      "all-to-all of 8 bytes, but on rank 0 node 1 \"c1\" it is all-to-all of "
                      "unequal parts (comm_sizes)"}));
    ExecutionNode other = uneven;
    other.peerBytes = {0, 9};
    EXPECT_EQ(Check({{uneven}, {other}}), Errors{}) << "each rank tells what it sends";
}

TEST(CollectiveOrderTest, AGroupThatSomeMembersDoNotUseIsTold)
{
    EXPECT_EQ(Check({{Collective(1, "a", 8)}, {}, {Collective(7, "a", 8)}}, {{"a", {0, 1, 2}}}),
              (Errors{"w.1.et: rank 1: lacks collective 0 of group \"a\", which is all-reduce of 8 "
                      "bytes on rank 0 node 1 \"c1\""}));
}
