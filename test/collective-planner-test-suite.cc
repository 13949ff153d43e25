/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-shapes.h"

#include "ns3/collective-planner.h"
#include "ns3/diagnostics.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;

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
    const auto plan = planner->GetPlan(all, {}, CollectiveType::AllReduce, 800);
    NS_TEST_EXPECT_MSG_EQ(plan->GetNChunks(), 3, "attribute Chunks");
    NS_TEST_EXPECT_MSG_EQ(plan->GetChunksInFlight(), 2, "attribute ChunksInFlight");
    NS_TEST_EXPECT_MSG_EQ(plan->GetNDimensions(), 2, "topology");

    const std::vector<std::shared_ptr<const CollectivePlan>> others = {
        planner->GetPlan(reversed, {}, CollectiveType::AllReduce, 800),
        planner->GetPlan({0, 1, 2, 3}, {}, CollectiveType::AllReduce, 800),
        planner->GetPlan(all, {true, false}, CollectiveType::AllReduce, 800),
        planner->GetPlan(all, {}, CollectiveType::ReduceScatter, 800),
        planner->GetPlan(all, {}, CollectiveType::AllReduce, 801),
    };
    NS_TEST_EXPECT_MSG_EQ(planner->GetPlan(all, {}, CollectiveType::AllReduce, 800), plan, "again");
    for (std::size_t i = 0; i < others.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_NE(others[i], plan, "other arguments, case " << i);
    }
    NS_TEST_EXPECT_MSG_EQ((others[0]->GetGroup() == reversed), true, "group order");
    NS_TEST_EXPECT_MSG_EQ(others[2]->GetNDimensions(), 1, "one dimension involved");
    NS_TEST_EXPECT_MSG_EQ(others[4]->GetBytes(), 801, "size");

    planner->SetTopology(MakeTopology());
    NS_TEST_EXPECT_MSG_NE(planner->GetPlan(all, {}, CollectiveType::AllReduce, 800), plan, "anew");
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
    const auto plan = planner->GetPlan({0, 1, 2, 3, 4, 5, 6, 7}, {}, CollectiveType::AllReduce, 80);
    NS_TEST_EXPECT_MSG_EQ(plan->GetPhase(0).algorithm->GetName(), "direct", "as asked");
    NS_TEST_EXPECT_MSG_EQ(plan->GetPhase(1).algorithm->GetName(), "halving-doubling", "auto");
    NS_TEST_EXPECT_MSG_EQ(planner->GetOptions().allGather.size(), 0, "auto for all");

    planner->SetAttribute("AllReduce", StringValue("direct"));
    planner->SetAttribute("AllGather", StringValue("dirct,ring"));
    planner->SetAttribute("AllToAll", StringValue("direct,"));
    std::string error;
    try
    {
        planner->SetTopology(MakeTopology());
    }
    catch (const InputError& thrown)
    {
        error = thrown.what();
    }
    for (const std::string part :
         {"AllReduce: \"direct\" has 1 entries, and Ring(4)_Switch(2) has 2 dimensions",
          "AllGather: \"dirct\" is no algorithm, did you mean direct? Allowed: auto, ",
          "AllToAll: \"\" is no algorithm"})
    {
        NS_TEST_EXPECT_MSG_EQ((error.find(part) != std::string::npos), true, error);
    }
    NS_TEST_EXPECT_MSG_EQ(planner->SetAttributeFailSafe("Chunks", UintegerValue(0)), false, "min");
    NS_TEST_EXPECT_MSG_EQ(planner->SetAttributeFailSafe("ChunksInFlight", UintegerValue(0)),
                          false,
                          "min");
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
    }
};

/// The suite.
CollectivePlannerTestSuite g_collectivePlannerTestSuite;

} // namespace
