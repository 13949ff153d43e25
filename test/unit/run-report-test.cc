/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/run-report.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;

namespace
{

/// @param type operation @param bytes size @param ranks members @return a collective of 1 ms
CollectiveReport
MakeCollective(CollectiveType type, uint64_t bytes, uint32_t ranks)
{
    CollectiveReport collective;
    collective.type = type;
    collective.bytes = bytes;
    collective.ranks = ranks;
    collective.startPs = 5;
    collective.endPs = 1'000'000'005;
    return collective;
}

/// @param backend name @param finishTimePs finish time @return a run
RunReport
MakeRun(const std::string& backend, int64_t finishTimePs)
{
    RunReport run;
    run.backend = backend;
    run.finishTimePs = finishTimePs;
    return run;
}

TEST(RunReport, BandwidthsAreThoseOfNcclTests)
{
    const uint64_t bytes = 8'000'000;

    const struct
    {
        CollectiveType type;
        uint64_t busBytes;
        double algorithmBandwidth;
        double busBandwidth;
    } cases[] = {
        {CollectiveType::AllReduce, bytes, 8, 14},
        {CollectiveType::ReduceScatter, bytes, 8, 7},
        {CollectiveType::AllGather, 8 * bytes, 64, 56},
        {CollectiveType::AllToAll, bytes, 8, 7},
        {CollectiveType::Gather, 8 * bytes, 64, 56},
        {CollectiveType::Scatter, bytes, 8, 7},
        {CollectiveType::Broadcast, bytes, 8, 8},
        {CollectiveType::Reduce, bytes, 8, 8},
    };

    for (const auto& expected : cases)
    {
        const CollectiveReport collective = MakeCollective(expected.type, bytes, 8);
        EXPECT_EQ(collective.GetBusBytes(), expected.busBytes) << ToString(expected.type);
        EXPECT_DOUBLE_EQ(collective.GetAlgorithmBandwidth(), expected.algorithmBandwidth);
        EXPECT_DOUBLE_EQ(collective.GetBusBandwidth(), expected.busBandwidth);
    }
}

TEST(RunReport, SizesBeyond32BitsStayWhole)
{
    const uint64_t shard = uint64_t{1} << 31;
    EXPECT_EQ(MakeCollective(CollectiveType::AllGather, shard, 4096).GetBusBytes(), shard * 4096);
}

TEST(RunReport, NothingToDoIsZeroAndNotAnError)
{
    CollectiveReport instant = MakeCollective(CollectiveType::AllReduce, 100, 1);
    EXPECT_EQ(instant.GetBusBandwidth(), 0);
    instant.endPs = instant.startPs;
    EXPECT_EQ(instant.GetAlgorithmBandwidth(), 0);
    EXPECT_EQ(instant.GetBusBandwidth(), 0);
    EXPECT_EQ(MakeCollective(CollectiveType::Barrier, 0, 8).GetBusBandwidth(), 0);
}

TEST(RunReport, ComparesEveryFurtherRunWithTheFirst)
{
    EXPECT_TRUE(CompareRuns({MakeRun("analytical", 7)}).empty());
    const auto comparisons =
        CompareRuns({MakeRun("analytical", 200), MakeRun("packet", 201), MakeRun("fluid", 150)});
    ASSERT_EQ(comparisons.size(), 2);
    EXPECT_EQ(comparisons[0].backend, "packet");
    EXPECT_EQ(comparisons[0].reference, "analytical");
    EXPECT_DOUBLE_EQ(comparisons[0].finishRelativeError, 0.005);
    EXPECT_DOUBLE_EQ(comparisons[1].finishRelativeError, -0.25);
}

TEST(RunReport, TrainingRatesFollowTheirDefinition)
{
    // Narayanan et al. 2021, table 1: a GPT of 175 billion parameters, batch 1536, sequences of
    // 2048, 140 TFLOP/s per GPU of 312 with recomputation, of which 3/4 are the model's
    RunReport run = MakeRun("analytical", 31'500'000'000'000);
    run.ranks.resize(1024);
    run.training = TrainingFigures{3.38620e18, 1536, 1536 * 2048, 312e12, 1};
    run.operations = 4.51097e18;
    const TrainingRates rates(run);
    EXPECT_DOUBLE_EQ(rates.stepPs, 31.5e12);
    EXPECT_NEAR(rates.tokensPerSecond, 99864.4, 0.1);
    EXPECT_NEAR(rates.tokensPerSecondPerNpu, 97.52, 0.01);
    EXPECT_NEAR(rates.modelUtilisation, 0.3365, 0.0001);
    EXPECT_NEAR(rates.hardwareUtilisation * 312, 139.8, 0.1);
}

TEST(RunReport, WhatIsNotKnownOfTrainingIsZero)
{
    RunReport run = MakeRun("analytical", 0);
    run.training = TrainingFigures{1e9, 10, 100, 1e12, 0};
    const TrainingRates rates(run);
    EXPECT_EQ(rates.stepPs, 0);
    EXPECT_EQ(rates.tokensPerSecond, 0);
    EXPECT_EQ(rates.modelUtilisation, 0);
    EXPECT_EQ(rates.hardwareUtilisation, 0);
}

TEST(RunReport, RunsThatTakeNoTimeAreEqual)
{
    const auto comparisons = CompareRuns({MakeRun("analytical", 0), MakeRun("packet", 0)});
    EXPECT_EQ(comparisons[0].finishRelativeError, 0);
}

} // namespace

TEST(PhaseReport, SaysWhatFellBackAndWhy)
{
    PhaseReport report;
    report.computed = 12;
    EXPECT_EQ(report.Describe(), "12 phases computed, 0 fell back to messages");
    report.overlapped = 4;
    report.byMessages = {{"a root", 3}, {"other traffic", 5}};
    EXPECT_EQ(report.GetFallenBack(), 8);
    EXPECT_EQ(report.Describe(),
              "12 phases computed, 4 of them beside other traffic, which is not exact, 8 fell back "
              "to messages; 3: a root; 5: other traffic");
}
