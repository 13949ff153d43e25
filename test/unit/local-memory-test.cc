/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"

#include "ns3/local-hardware.h"
#include "ns3/local-memory.h"
#include "ns3/quantity.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

constexpr uint64_t GBYTES_PER_S = 8'000'000'000;                 ///< bit/s
constexpr int64_t US = 1'000'000;                                ///< ps
constexpr int64_t FOREVER = std::numeric_limits<int64_t>::max(); ///< ps

/// Work to do.
struct Job
{
    int64_t startPs;      ///< when, in ascending order
    uint64_t bytes;       ///< how much it moves
    int64_t operationsPs; ///< time of its operations; -1: an access
};

/// @param memory does them @param jobs what @param moments receives how often it was advanced
/// @return their ends, ps, found by asking the memory when to go on
std::vector<int64_t>
GetEnds(LocalMemory memory, const std::vector<Job>& jobs, uint32_t* moments = nullptr)
{
    std::vector<int64_t> ends(jobs.size(), -1);
    const auto advance = [&](int64_t until) {
        for (auto next = memory.GetNextMoment(); next && *next <= until;
             next = memory.GetNextMoment())
        {
            for (const uint32_t job : memory.Advance(*next))
            {
                ends[job] = *next;
            }
            if (moments)
            {
                ++*moments;
            }
        }
    };
    for (uint32_t i = 0; i < jobs.size(); ++i)
    {
        const Job& job = jobs[i];
        advance(job.startPs);
        if (job.operationsPs < 0)
        {
            memory.StartAccess(i, job.bytes, job.startPs);
        }
        else
        {
            memory.StartComputing(i, job.bytes, job.startPs, job.startPs + job.operationsPs);
        }
    }
    advance(FOREVER);
    return ends;
}

/// @param bitRate shared @param latencyPs of accesses @param jobs what @return their ends, from
/// SharedBandwidth alone
std::vector<int64_t>
GetEndsByHand(uint64_t bitRate, int64_t latencyPs, const std::vector<Job>& jobs)
{
    SharedBandwidth shared(bitRate);
    std::vector<int64_t> moved(jobs.size());
    const auto advance = [&](int64_t until) {
        for (auto next = shared.GetNextEnd(); next && *next <= until; next = shared.GetNextEnd())
        {
            for (const uint64_t job : shared.Advance(*next))
            {
                moved[job] = *next;
            }
        }
    };
    for (const Job& job : jobs)
    {
        advance(job.startPs);
        shared.Start(job.bytes, job.startPs);
    }
    advance(FOREVER);
    for (uint32_t i = 0; i < jobs.size(); ++i)
    {
        moved[i] = jobs[i].operationsPs < 0
                       ? moved[i] + latencyPs
                       : std::max(moved[i], jobs[i].startPs + jobs[i].operationsPs);
    }
    return moved;
}

} // namespace

TEST(LocalMemory, TakesLatencyAndBytesOverBandwidthAlone)
{
    for (const bool isShared : {false, true})
    {
        const LocalMemory memory(100 * GBYTES_PER_S, 300'000, isShared);
        EXPECT_EQ(
            GetEnds(memory,
                    {{0, 1'000'000, -1}, {20 * US, 0, -1}, {30 * US, 1, -1}, {40 * US, 0, 7}}),
            (std::vector<int64_t>{10'300'000, 20'300'000, 30'300'010, 40 * US + 7}));
        EXPECT_EQ(GetEnds(memory, {{5, 1'000'000, 3}, {30 * US, 100, 2 * US}}),
                  (std::vector<int64_t>{10 * US + 5, 32 * US}));
        EXPECT_EQ(memory.GetPicoseconds(1'000'000), 10'300'000);
    }
}

TEST(LocalMemory, DividesItsBandwidth)
{
    const LocalMemory memory(100 * GBYTES_PER_S, US, true);
    EXPECT_EQ(GetEnds(memory, {{0, 1'000'000, -1}, {0, 2'000'000, 0}, {0, 1'000'000, 90 * US}}),
              (std::vector<int64_t>{31 * US, 40 * US, 90 * US}));
    EXPECT_EQ(GetEnds(LocalMemory(100 * GBYTES_PER_S, US, false),
                      {{0, 1'000'000, -1}, {0, 2'000'000, 0}, {0, 1'000'000, 90 * US}}),
              (std::vector<int64_t>{11 * US, 20 * US, 90 * US}));
    EXPECT_EQ(GetEnds(memory, {{0, 1'000'000, 50 * US}, {20 * US, 1'000'000, 0}}),
              (std::vector<int64_t>{50 * US, 30 * US}))
        << "bytes that are through do not slow the second";
}

TEST(LocalMemory, TellsEndsInOrderOfStarts)
{
    LocalMemory memory(100 * GBYTES_PER_S, 0, true);
    for (const uint32_t name : {7, 3, 5})
    {
        memory.StartComputing(name, 1'000, 0, US);
    }
    memory.StartComputing(1, 0, 0, US);
    EXPECT_EQ(*memory.GetNextMoment(), 30'000);
    EXPECT_TRUE(memory.Advance(30'000).empty());
    EXPECT_EQ(*memory.GetNextMoment(), US);
    EXPECT_EQ(memory.Advance(US), (std::vector<uint32_t>{7, 3, 5, 1}));
    EXPECT_FALSE(memory.GetNextMoment());
}

TEST(LocalMemory, AloneIsTheRooflineAndOneMoment)
{
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        std::mt19937_64 random(seed);
        const double flops = 1e9 + random() % 1'000'000'000'000'000;
        const uint64_t bitRate = 1 + random() % (3000 * GBYTES_PER_S);
        const ComputeModel model(flops, bitRate);
        ExecutionNode node;
        node.kind = NodeKind::Compute;
        node.operations = random() % 1'000'000'000;
        node.tensorBytes = random() % 1'000'000;
        uint32_t moments = 0;
        const int64_t start = random() % US;
        EXPECT_EQ(GetEnds(LocalMemory(bitRate, 5, true),
                          {{start, node.tensorBytes, model.GetOperationPicoseconds(node)}},
                          &moments),
                  (std::vector<int64_t>{start + model.GetPicoseconds(node)}));
        EXPECT_EQ(moments, 1u);
    }
}

TEST(LocalMemory, AgreesWithSharedBandwidthRunByHand)
{
    for (uint32_t seed = 0; seed < 200; ++seed)
    {
        std::mt19937_64 random(seed);
        const uint64_t bitRate = 1'000 + random() % (300 * GBYTES_PER_S);
        std::vector<Job> jobs;
        int64_t start = 0;
        for (uint32_t i = 0; i < 30; ++i)
        {
            const uint64_t bytes = 1 + random() % 100'000;
            start += random() % 3 == 0 ? 0 : random() % SerialisationPicoseconds(60'000, bitRate);
            const int64_t operations =
                random() % 2 == 0 ? -1 : random() % SerialisationPicoseconds(200'000, bitRate);
            jobs.push_back({start, bytes, operations});
        }
        EXPECT_EQ(GetEnds(LocalMemory(bitRate, 777, true), jobs),
                  GetEndsByHand(bitRate, 777, jobs));
    }
}

TEST(LocalMemory, RefusesWhatCannotBeCounted)
{
    for (const bool isShared : {false, true})
    {
        const auto start = [=](uint64_t bytes, int64_t latencyPs) {
            LocalMemory memory(1, latencyPs, isShared);
            memory.StartAccess(0, bytes, 1);
            memory.GetNextMoment();
        };
        EXPECT_NE(ErrorOf([&] { start(UINT64_MAX, 0); }), "");
        EXPECT_NE(ErrorOf([&] { start(1, FOREVER); }), "");
    }
    EXPECT_EQ(LocalMemory(1, 1, true).GetPicoseconds(UINT64_MAX), FOREVER);
    EXPECT_EQ(LocalMemory(8, FOREVER, true).GetPicoseconds(1), FOREVER);
}

TEST(LocalMemory, ReachesAShareOfItsBandwidth)
{
    EXPECT_EQ(ComputeModel::GetReachedBitRate(1001, 0.5), 501u);
    EXPECT_EQ(ComputeModel::GetReachedBitRate(0, 1), 0u);
    for (const double efficiency : {0.0, 1.1, -1.0})
    {
        EXPECT_NE(ErrorOf([=] {
                      ComputeModel::GetReachedBitRate(1, efficiency);
                  }).find("shares above 0 and at most 1"),
                  std::string::npos);
    }
}

TEST(LocalHardware, ReducesWithTheBandwidthThatIsReached)
{
    LocalHardware hardware;
    hardware.memoryBitRate = 1000;
    hardware.memoryEfficiency = 0.25;
    hardware.reductionBitRate = 7;
    EXPECT_EQ(hardware.GetReductionBitRate(), 7u);
    hardware.reduceInMemory = true;
    EXPECT_EQ(hardware.GetReductionBitRate(), 250u);
    EXPECT_EQ(hardware.MakeMemory().GetPicoseconds(1), 32'000'000'000);
}
