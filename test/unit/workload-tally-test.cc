/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-cases.h"

#include "ns3/workload-tally.h"

#include <sstream>

using namespace ns3::mlcluster;

namespace
{

/// @param notation of a network @return it
ClusterTopology
MakeTopology(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.linkBitRate = 1;
    }
    return ClusterTopology(dimensions);
}

/// @param id id @param operations of it @param bytes of it @return a compute node
ExecutionNode
Compute(uint64_t id, uint64_t operations, uint64_t bytes)
{
    ExecutionNode node;
    node.id = id;
    node.name = "x";
    node.kind = NodeKind::Compute;
    node.operations = operations;
    node.tensorBytes = bytes;
    node.durationPs = 1500000;
    return node;
}

/// @param tally a tally @return what it prints
std::string
Print(const WorkloadTally& tally)
{
    std::ostringstream os;
    tally.Print(os, "pass");
    return os.str();
}

} // namespace

TEST(WorkloadTally, CountsBytesByGroupAndOperation)
{
    ExecutionNode inRings = Collective(3, "", 100, CollectiveType::AllGather);
    inRings.involvedDimensions = {true, false};
    ExecutionNode alone = Collective(4, "", 7);
    alone.involvedDimensions = {false, false};
    ExecutionNode all = Collective(5, "0", 11);
    all.involvedDimensions = {true, true};
    const Nodes even{Compute(0, 10, 20),
                     Collective(1, "g", 1000, CollectiveType::AllGather),
                     Message(NodeKind::Send, 2, 1, 0, 50),
                     inRings,
                     alone,
                     all};
    const Nodes odd{Collective(1, "h", 30),
                    Message(NodeKind::Receive, 2, 0, 0, 50),
                    inRings,
                    alone,
                    all,
                    Collective(6, "h", 40)};
    const auto graphs = MakeGraphs({even, odd});
    std::vector<std::shared_ptr<const ExecutionGraph>> ofRanks;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        ofRanks.push_back(graphs[rank % 2]);
    }
    const ClusterWorkload workload(ofRanks, {{"g", {0, 2, 4, 6}}, {"h", {1, 3, 5, 7}}});
    const auto topology = MakeTopology("Ring(4)_Switch(2)");
    const WorkloadTally tally(workload, &topology);
    EXPECT_EQ(
        Print(tally),
        "Groups\n"
        "family        where a group lies                                     groups  members\n"
        "all ranks     dimension 0 (whole) and dimension 1 (whole)                 1        8\n"
        "dimension 0   dimension 0 (whole)                                         2        4\n"
        "g             dimension 0 (2 of 4, 2 apart) and dimension 1 (whole)       1        4\n"
        "h             dimension 0 (2 of 4, 2 apart) and dimension 1 (whole)       1        4\n"
        "no dimension  one rank                                                    8        1\n"
        "\n"
        "Communication and accesses to memory in a pass\n"
        "family        operation   fewest  most  bytes of a rank  bytes of all ranks\n"
        "all ranks     all-reduce       1     1             11 B                88 B\n"
        "all ranks     send             1     1             50 B               200 B\n"
        "dimension 0   all-gather       1     1            100 B               800 B\n"
        "g             all-gather       1     1         1.000 kB            4.000 kB\n"
        "h             all-reduce       2     2             70 B               280 B\n"
        "no dimension  all-reduce       1     1              7 B                56 B\n"
        "Bytes of a collective: buffer of a rank, of an all-gather the shard of a rank\n"
        "\n"
        "Ranks, in a pass\n"
        "ranks       nodes  work of a rank  memory traffic  compute time(us)\n"
        "0, 2, 4, 6      6         10 FLOP            20 B             1.500\n"
        "1, 3, 5, 7      6               -               -                 -\n");
    EXPECT_EQ(tally.GetShares()[1].ranks, (std::vector<uint32_t>{1, 3, 5, 7}));
}

TEST(WorkloadTally, CountsAccessesByMemory)
{
    Nodes nodes;
    for (const uint32_t location : {0, 1, 2, 3})
    {
        ExecutionNode node;
        node.id = location;
        node.kind = location == 3 ? NodeKind::MemoryStore : NodeKind::MemoryLoad;
        node.tensorBytes = 10 + location;
        node.location = location;
        nodes.push_back(node);
    }
    const auto graphs = MakeGraphs({nodes});
    const WorkloadTally tally(ClusterWorkload({graphs[0], graphs[0]}, {}), nullptr);
    EXPECT_TRUE(tally.GetFamilies().empty());
    const auto traffic = tally.GetTraffic();
    EXPECT_EQ(traffic.size(), 3);
    EXPECT_EQ(traffic.at({"remote memory", ToString(NodeKind::MemoryLoad)}).bytes, 2 * (10 + 12));
    EXPECT_EQ(traffic.at({"own memory", ToString(NodeKind::MemoryLoad)}).bytesPerRank, 11);
    EXPECT_EQ(traffic.at({"memory 3", ToString(NodeKind::MemoryStore)}).most, 1);
}

TEST(WorkloadTally, TellsGroupsOfUnequalSizeAndUnknownNetworks)
{
    const auto graphs = MakeGraphs({{Collective(0, "f", 10)}});
    const ClusterWorkload workload({graphs[0], graphs[0], graphs[0]},
                                   {{"f.0", {0, 1}}, {"f.1", {2}}},
                                   {{"f", {0, 0, 1}}});
    const WorkloadTally tally(workload, nullptr);
    const auto& family = tally.GetFamilies().at("f");
    EXPECT_EQ(family.nGroups, 2U);
    EXPECT_EQ(family.GetMembers(), "1 to 2");
    EXPECT_EQ(family.where, "");
    EXPECT_EQ(tally.GetTraffic().at({"f", "all-reduce"}).bytes, 30);
}

TEST(WorkloadTally, AddsEqualParts)
{
    const auto once = MakeGraphs({{Compute(0, 5, 3), Collective(1, "", 10)}});
    const auto twice = MakeGraphs(
        {{Compute(0, 5, 3), Collective(1, "", 10), Compute(2, 7, 4), Collective(3, "", 20)}});
    WorkloadTally tally(ClusterWorkload({once[0], once[0]}, {}), nullptr);
    tally.Extrapolate(WorkloadTally(ClusterWorkload({twice[0], twice[0]}, {}), nullptr), 10);
    const auto traffic = tally.GetTraffic().at({"", "all-reduce"});
    EXPECT_EQ(traffic.most, 11);
    EXPECT_EQ(traffic.bytesPerRank, 210);
    EXPECT_EQ(traffic.bytes, 420);
    const auto& work = tally.GetShares()[0].work;
    EXPECT_EQ(work.nodes, 22);
    EXPECT_EQ(work.operations, 75);
    EXPECT_EQ(work.tensorBytes, 43);
    EXPECT_EQ(work.computePs, 11 * 1500000.0);
}

TEST(WorkloadTally, NamesSixteenKindsOfRanks)
{
    std::vector<Nodes> ranks;
    for (uint64_t rank = 0; rank < 20; ++rank)
    {
        ranks.push_back({Compute(0, rank + 1, 0)});
    }
    const std::string text = Print(WorkloadTally(ClusterWorkload(MakeGraphs(ranks), {}), nullptr));
    EXPECT_NE(text.find("... and 4 more kinds of ranks\n"), std::string::npos) << text;
    ranks.assign(20, {Compute(0, 1, 0)});
    for (uint64_t rank = 0; rank < 20; rank += 2)
    {
        ranks[rank] = {Compute(0, 2, 0)};
    }
    const std::string few = Print(WorkloadTally(ClusterWorkload(MakeGraphs(ranks), {}), nullptr));
    EXPECT_NE(few.find("\n0, 2, 4, 6, 8, 10, 12, 14, ... "), std::string::npos) << few;
}
