/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-shapes.h"
#include "test-tools.h"

#include "ns3/collective-planner.h"
#include "ns3/collective-table.h"
#include "ns3/diagnostics.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// @return Ring(4)_Switch(2)
ClusterTopology
MakeTopology()
{
    return ClusterTopology({Dimension(BuildingBlock::Ring, 4, 200'000'000'000, 500'000),
                            Dimension(BuildingBlock::Switch, 2, 100'000'000'000, 500'000)});
}

/**
 * @ingroup ml-cluster-tests
 * A plan is made once for each set of arguments, and is what CollectivePlan makes of them.
 */
class PlanCacheCase : public TestCase
{
  public:
    PlanCacheCase()
        : TestCase("one plan for equal arguments")
    {
    }

  private:
    void DoRun() override;
};

void
PlanCacheCase::DoRun()
{
    const auto planner = CreateObject<CollectivePlanner>();
    planner->SetAttribute("Chunks", UintegerValue(3));
    planner->SetAttribute("ChunksInFlight", UintegerValue(2));
    planner->SetTopology(MakeTopology());
    const std::vector<uint32_t> all = {0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<uint32_t> reversed(all.rbegin(), all.rend());
    const auto plan = planner->GetPlan(all, {CollectiveType::AllReduce, 800});
    NS_TEST_EXPECT_MSG_EQ(plan->GetNChunks(), 3, "attribute Chunks");
    NS_TEST_EXPECT_MSG_EQ(plan->GetChunksInFlight(0), 2, "attribute ChunksInFlight");
    NS_TEST_EXPECT_MSG_EQ(plan->GetNDimensions(), 2, "topology");

    const std::vector<std::shared_ptr<const CollectivePlan>> others = {
        planner->GetPlan(reversed, {CollectiveType::AllReduce, 800}),
        planner->GetPlan({0, 1, 2, 3}, {CollectiveType::AllReduce, 800}),
        planner->GetPlan(all, {CollectiveType::AllReduce, 800, {true, false}}),
        planner->GetPlan(all, {CollectiveType::ReduceScatter, 800}),
        planner->GetPlan(all, {CollectiveType::AllReduce, 801}),
    };
    NS_TEST_EXPECT_MSG_EQ(planner->GetPlan(all, {CollectiveType::AllReduce, 800}), plan, "again");
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_NE(others[i], plan, "other arguments, case " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((others[0]->GetGroup() == reversed), true, "group order");
    NS_TEST_EXPECT_MSG_EQ(others[2]->GetNDimensions(), 1, "one dimension involved");
    NS_TEST_EXPECT_MSG_EQ(others[4]->GetBytes(), 801, "size");

    planner->SetTopology(MakeTopology());
    NS_TEST_EXPECT_MSG_NE(planner->GetPlan(all, {CollectiveType::AllReduce, 800}), plan, "anew");
}

/**
 * @ingroup ml-cluster-tests
 * The lists of algorithms reach the plan, or are refused, all at once.
 */
class AlgorithmListCase : public TestCase
{
  public:
    AlgorithmListCase()
        : TestCase("algorithms per dimension")
    {
    }

  private:
    void DoRun() override;
};

void
AlgorithmListCase::DoRun()
{
    const auto planner = CreateObject<CollectivePlanner>();
    planner->SetAttribute("AllReduce", StringValue("direct,auto"));
    planner->SetTopology(MakeTopology());
    const auto plan = planner->GetPlan({0, 1, 2, 3, 4, 5, 6, 7}, {CollectiveType::AllReduce, 80});
    NS_TEST_EXPECT_MSG_EQ(plan->GetPhase(0, 0).algorithm->GetName(), "direct", "as asked");
    NS_TEST_EXPECT_MSG_EQ(plan->GetPhase(0, 1).algorithm->GetName(), "halving-doubling", "auto");
    NS_TEST_EXPECT_MSG_EQ(planner->GetOptions().algorithms.at(CollectiveType::AllGather).size(),
                          0,
                          "auto for all");

    planner->SetAttribute("AllReduce", StringValue("direct"));
    planner->SetAttribute("Barrier", StringValue("direct,one-ring"));
    planner->SetAttribute("AllGather", StringValue("dirct,ring"));
    planner->SetAttribute("AllToAll", StringValue("direct,"));
    const std::string error = GetErrorOf([&] { planner->SetTopology(MakeTopology()); });
    for (const std::string part :
         {"AllReduce: 1 algorithms, and Ring(4)_Switch(2) has 2 dimensions",
          "AllGather: \"dirct\" is not a collective algorithm, did you mean \"direct\"?; allowed",
          "AllToAll: \"\" is not a collective algorithm",
          "Barrier: \"direct,one-ring\": an algorithm over all members (one-) stands alone"})
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error);
    }
    NS_TEST_EXPECT_MSG_EQ(planner->SetAttributeFailSafe("Chunks", UintegerValue(0)), false, "min");
    NS_TEST_EXPECT_MSG_EQ(planner->SetAttributeFailSafe("ChunksInFlight", UintegerValue(0)),
                          false,
                          "min");
}

/**
 * @ingroup ml-cluster-tests
 * The table of a workload's collectives: contexts by group and ordinal, one remark for many groups
 * that run alike, few errors for many nodes that cannot run.
 */
class TableCase : public TestCase
{
  public:
    TableCase()
        : TestCase("plans of a workload")
    {
    }

  private:
    void DoRun() override;
};

void
TableCase::DoRun()
{
    const auto planner = CreateObject<CollectivePlanner>();
    planner->SetTopology(MakeTopology());
    CommunicatorGroups groups;
    std::vector<std::vector<ExecutionNode>> nodes;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        const std::string group = "pair" + std::to_string(rank / 2);
        groups[group].push_back(rank);
        nodes.push_back({CollectiveNode(1, CollectiveType::AllReduce, 64, {}, group),
                         CollectiveNode(2, CollectiveType::AllReduce, 64, {}, group),
                         CollectiveNode(3, CollectiveType::AllReduce, 64, {}, "0"),
                         CollectiveNode(4, CollectiveType::AllReduce, 64)});
    }
    const auto workload = MakeWorkload(nodes, groups);
    Diagnostics diagnostics;
    const CollectiveTable table(*workload, *planner, diagnostics);
    NS_TEST_EXPECT_MSG_EQ(JoinWords(diagnostics.GetErrors()), "", "all can run");
    NS_TEST_EXPECT_MSG_EQ(
        JoinWords(diagnostics.GetWarnings()),
        "the group of ranks 0, 1: is a part of dimension 0, Ring(4): it runs as a "
        "smaller block of that kind, in group order; between its members lies 50 % of that "
        "dimension's bandwidth, so that a model which grants it all (LIBRA) is 2 times as fast "
        "(4 cases, this is the first)",
        "one remark");
    std::map<uint64_t, uint32_t> users;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        for (uint32_t node = 0; node < 4; ++node)
        {
            ++users[table.Get(rank, node).context];
        }
    }
    NS_TEST_ASSERT_MSG_EQ(users.size(), 4 * 2 + 2, "two of each pair, two of all ranks");
    for (const auto& [context, nRanks] : users)
    {
        NS_TEST_EXPECT_MSG_EQ((nRanks == 2 || nRanks == 8), true, "context " << context);
    }

    std::vector<ExecutionNode> impossible;
    for (uint32_t id = 0; id < 30; ++id)
    {
        impossible.push_back(CollectiveNode(id, CollectiveType::Broadcast, 8));
        impossible.back().peer = 8;
    }
    CollectiveTable(*MakeEqualWorkload(8, impossible), *planner, diagnostics);
    NS_TEST_ASSERT_MSG_EQ(diagnostics.GetErrors().size(), 21, "errors");
    NS_TEST_EXPECT_MSG_EQ(diagnostics.GetErrors().back(), "and 10 more errors", "the rest");
}

/**
 * @ingroup ml-cluster-tests
 * The suite of CollectivePlanner.
 */
class CollectivePlannerTestSuite : public TestSuite
{
  public:
    CollectivePlannerTestSuite()
        : TestSuite("ml-cluster-collective-planner", Type::UNIT)
    {
        AddTestCase(new PlanCacheCase);
        AddTestCase(new AlgorithmListCase);
        AddTestCase(new TableCase);
    }
};

/// The suite.
CollectivePlannerTestSuite g_collectivePlannerTestSuite;

} // namespace
