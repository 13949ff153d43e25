/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "graph-step-cases.h"

using namespace ns3::mlcluster;

TEST(GraphStepQueueTest, DimensionsTakeCollectivesOneAfterTheOther)
{
    GraphStepTime::Options options;
    options.resources.serialisesCollectives = false;
    // 80 and 40 bytes, 40 and 40 bytes
    const Nodes both{Collective(0, "", 80), Collective(1, "", 80, CollectiveType::AllToAll)};
    const Nodes later{both[0], Compute(1, 10, {0}), After(both[1], {1})};
    const auto getTime = [&](const Nodes& nodes, const Numbers& bandwidths) {
        ExecutionNode last = nodes.back();
        last.id = nodes.size() - 1;
        Nodes own(nodes.begin(), nodes.end() - 1);
        own.push_back(last);
        auto step = MakeStepTime({MakeGraphs({own, own, own, own}), {}}, "SW(2)_SW(2)", options);
        const double time = step.Evaluate(bandwidths);
        EXPECT_DOUBLE_EQ(GetKnown(step, bandwidths), time);
        return time;
    };
    EXPECT_DOUBLE_EQ(getTime(both, {1, 0.5}), 160) << "80, 80 in the second dimension";
    EXPECT_DOUBLE_EQ(getTime(both, {1, 0.8}), 120) << "80, 40 in the first; 50, 50 in the second";
    EXPECT_DOUBLE_EQ(getTime(later, {1, 0.5}), 90 + 80) << "the first has ended before";
    EXPECT_DOUBLE_EQ(getTime(later, {1, 4}), 90 + 40);
}

TEST(GraphStepQueueTest, QueuesOfRandomGraphs)
{
    GraphStepTime::Options options;
    options.resources.serialisesCollectives = false;
    uint32_t nFaster = 0;
    uint32_t nCompared = 0;
    for (uint32_t seed = 0; seed < 600; ++seed)
    {
        RandomStep random(seed, 40);
        auto step = MakeStepTime(random.MakeWorkload(), "R(2)_SW(2)", options);
        auto serial = MakeStepTime(random.MakeWorkload(), "R(2)_SW(2)");
        for (const double outer : {0.55, 0.65, 0.75, 0.95, 3.})
        {
            const Numbers at{1, outer}; // some collectives wait for the first dimension
            const double expected = random.GetQueuedTime(at);
            if (expected == 0)
            {
                continue;
            }
            ++nCompared;
            EXPECT_LE(GetKnown(step, at), expected * (1 + 1e-12)) << seed;
            ASSERT_NEAR(step.Evaluate(at), expected, expected * 1e-12) << seed;
            EXPECT_NEAR(GetKnown(step, at), expected, expected * 1e-12) << seed;
            nFaster += expected < serial.Evaluate(at) * (1 - 1e-6) ? 1 : 0;
        }
    }
    EXPECT_GT(nCompared, 300);
    EXPECT_GT(nFaster, 30) << "hardly any collectives overlap";
}
