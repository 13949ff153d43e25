/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-shapes.h"
#include "phase-runs.h"

#include "ns3/test.h"

#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

/**
 * @ingroup ml-cluster-tests
 * Groups that are parts of Switches and FullyConnecteds, in one dimension or several, beside each
 * other in the same blocks: computed, with the times and bytes of messages.
 */
class PhaseOfPartsTestCase : public TestCase
{
  public:
    PhaseOfPartsTestCase()
        : TestCase("Phase granularity gives the times of messages in parts of blocks")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937_64 random(2);
        uint64_t computed = 0;
        uint32_t nParts = 0;
        for (uint32_t round = 0; round < 100; ++round)
        {
            const ClusterTopology topology(RandomDimensions(random, 40));
            const auto names = MakeGroups(topology, random);
            CommunicatorGroups groups;
            for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
            {
                groups[names[rank]].push_back(rank);
            }
            nParts += groups.size() > 1 ? 1 : 0;
            const Setup setup{topology, MakeWorkload(MakeWork(names, random), groups)};
            const RunReport phases = RunWith(setup, "Phase");
            computed += groups.size() > 1 ? phases.phases->computed : 0;
            const std::string what = "round " + std::to_string(round) + " on " +
                                     topology.GetNotation() + ": " + phases.phases->Describe();
            NS_TEST_EXPECT_MSG_EQ(phases.phases->overlapped, 0, what);
            NS_TEST_EXPECT_MSG_EQ(
                phases.phases->byMessages.count("a group whose messages pass other members' links"),
                0,
                what);
            NS_TEST_ASSERT_MSG_EQ((GetResults(phases) == GetResults(RunWith(setup, "Message"))),
                                  true,
                                  what);
        }
        NS_TEST_EXPECT_MSG_GT(nParts, 40, "rounds with several groups");
        NS_TEST_EXPECT_MSG_GT(computed, 1200, "phases computed of these");
    }

    /// Cuts each dimension in equal parts, in a row or apart; a Ring in ranks or not at all.
    /// @param topology a shape @param random source @return the name of each rank's group
    static std::vector<std::string> MakeGroups(const ClusterTopology& topology,
                                               std::mt19937_64& random)
    {
        std::vector<std::string> names(topology.GetNRanks());
        for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
        {
            const auto& dimension = topology.GetDimension(k);
            uint32_t nParts = 1 + random() % dimension.size;
            const bool isRing = dimension.block == BuildingBlock::Ring;
            const bool isInARow = random() % 2 == 0;
            while (dimension.size % nParts != 0 || (isRing && nParts != 1))
            {
                nParts = isRing ? 1 : nParts - 1;
            }
            for (uint32_t rank = 0; rank < topology.GetNRanks(); ++rank)
            {
                const uint32_t digit = topology.GetDigit(rank, k);
                const uint32_t part = isInARow ? digit / (dimension.size / nParts) : digit % nParts;
                names[rank] += "." + std::to_string(part);
            }
        }
        return names;
    }

    /// @param groups of the ranks @param random source @return two collectives of each group, whose
    /// members start together or apart
    static std::vector<std::vector<ExecutionNode>> MakeWork(const std::vector<std::string>& groups,
                                                            std::mt19937_64& random)
    {
        const CollectiveType types[] = {CollectiveType::AllReduce,
                                        CollectiveType::ReduceScatter,
                                        CollectiveType::AllGather,
                                        CollectiveType::AllToAll};
        const CollectiveType first = types[random() % 4];
        const CollectiveType second = types[random() % 4];
        const uint64_t bytes = 1 + random() % 1'000'000;
        const int64_t spread = random() % 2 == 0 ? 1 : 1'000'000;
        std::vector<std::vector<ExecutionNode>> nodes;
        for (const auto& group : groups)
        {
            const auto work = static_cast<int64_t>(random() % spread);
            nodes.push_back({ComputeNode(0, work),
                             CollectiveNode(1, first, bytes, {0}, group),
                             CollectiveNode(2, second, bytes / 3, {1}, group)});
        }
        return nodes;
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of phase granularity for groups that are parts of blocks.
 */
class PhasePartsTestSuite : public TestSuite
{
  public:
    PhasePartsTestSuite()
        : TestSuite("ml-cluster-phase-parts", Type::UNIT)
    {
        AddTestCase(new PhaseOfPartsTestCase);
    }
};

/// The suite.
static PhasePartsTestSuite g_phasePartsTestSuite;
