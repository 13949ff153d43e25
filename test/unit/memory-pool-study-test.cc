/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-cases.h"

#include "ns3/memory-pool-time.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::mlcluster;

// The tables of the manual's case of 256 GPUs, recomputed by the classes.

namespace
{

/// Plain load of each GPU: an expert of 2 B a parameter, one of 256 in each of 24 layers, which
/// have 2048 of 2060 parts of 10^12 parameters.
constexpr uint64_t EXPERT_BYTES = 2 * 1'000'000'000'000 / (256 * 24) * 2048 / 2060;
constexpr uint32_t GPUS = 256; ///< of the pool

/// @param shape a pool @param bytes of each GPU @return its plain load
MemoryPoolTime
LoadPlain(const MemoryPoolShape& shape, uint64_t bytes)
{
    return ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, false, bytes));
}

/// @param shape a pool @param bytes of the tensor @return its gather by all GPUs
MemoryPoolTime
Gather(const MemoryPoolShape& shape, uint64_t bytes)
{
    return ComputeMemoryPoolTime(shape, MemoryPoolAccess::OfAll(shape, false, bytes, 16, 16));
}

/// @param value a figure @param decimals to keep @return it, rounded
double
Round(double value, int decimals)
{
    const double scale = std::pow(10, decimals);
    return std::round(value * scale) / scale;
}

TEST(MemoryPoolStudyTest, SpeedUpOfPlainLoads)
{
    // against a memory of 100 GB/s of each GPU's own
    const double own = EXPERT_BYTES * 10.0;
    const double expected[4][5] = {{0.999, 1.997, 2.556, 2.557, 2.557},
                                   {1.000, 1.999, 2.997, 3.995, 4.992},
                                   {1.000, 1.999, 2.998, 3.997, 4.996},
                                   {1.000, 2.000, 2.999, 3.999, 4.998}};
    for (uint32_t row = 0; row < 4; ++row)
    {
        for (uint32_t column = 0; column < 5; ++column)
        {
            auto shape = MakeLargePool(100 * (column + 1), 256 << row, 256 * KIB);
            const auto time = LoadPlain(shape, EXPERT_BYTES);
            EXPECT_EQ(Round(own / (time.totalPs - time.latencyPs), 3), expected[row][column])
                << row << " " << column;
        }
    }
}

TEST(MemoryPoolStudyTest, SpeedUpOfPlainLoadsWithInNodeLinksAlone)
{
    const double own = EXPERT_BYTES * 10.0;
    const double expected[3][4] = {{1.998, 2.557, 2.558, 2.558},
                                   {1.998, 2.558, 2.558, 2.558},
                                   {1.998, 2.558, 2.558, 2.559}};
    for (uint32_t row = 0; row < 3; ++row)
    {
        for (uint32_t column = 0; column < 4; ++column)
        {
            auto shape = MakeLargePool(200 + 100 * column, 256, 256 * KIB);
            shape.gpuLinkBitRate = (512 << row) * GBYTES_PER_S;
            const auto time = LoadPlain(shape, EXPERT_BYTES);
            EXPECT_EQ(Round(own / (time.totalPs - time.latencyPs), 3), expected[row][column])
                << row << " " << column;
        }
    }
}

TEST(MemoryPoolStudyTest, FillByChunk)
{
    struct Row
    {
        uint64_t chunk;
        uint64_t rounds;
        double fill;     // per cent
        double lockStep; // per cent
    };

    const double bandwidth = EXPERT_BYTES * 10.0;
    for (const Row& row : {Row{64 * KIB, 4'939, 0.017, 0.08},
                           Row{256 * KIB, 1'235, 0.068, 0.28},
                           Row{MIB, 309, 0.27, 1.1},
                           Row{4 * MIB, 78, 1.1, 5.0}})
    {
        const auto time = LoadPlain(MakeLargePool(100, 256, row.chunk), EXPERT_BYTES);
        EXPECT_EQ(time.rounds, row.rounds);
        EXPECT_EQ(time.bandwidthPs, bandwidth);
        const double part = 0.0625 + 2 * 100.0 / 256;
        EXPECT_NEAR(time.fillPs / bandwidth, part / time.rounds, 1e-9);
        EXPECT_EQ(Round(100 * time.fillPs / bandwidth,
                        row.fill < 0.1 ? 3
                        : row.fill < 1 ? 2
                                       : 1),
                  row.fill);
        auto shape = MakeLargePool(100, 256, row.chunk);
        shape.rounds = PoolRoundPolicy::ShortLast;
        const auto shortLast = LoadPlain(shape, EXPERT_BYTES);
        const double behind = shortLast.lockStepPs - shortLast.latencyPs - bandwidth;
        EXPECT_EQ(Round(100 * behind / bandwidth, row.lockStep < 1 ? 2 : 1), row.lockStep);
    }
}

TEST(MemoryPoolStudyTest, GatherInSwitchesAgainstLoadAndAllGatherOnTheSameFabric)
{
    struct Row
    {
        uint64_t memory;
        uint64_t fabric;
        double ratio;
    };

    for (const Row& row : {Row{100, 256, 1.0061}, Row{500, 512, 1.0001}, Row{500, 2048, 1.0121}})
    {
        const auto shape = MakeLargePool(row.memory, row.fabric, 256 * KIB);
        const double allGather = 255.0 / 256 * GIB * 1000 / row.fabric;
        const double separate = LoadPlain(shape, GIB / GPUS).bandwidthPs + allGather;
        EXPECT_EQ(Round(separate / Gather(shape, GIB).bandwidthPs, 4), row.ratio);
    }
}

TEST(MemoryPoolStudyTest, GatherInSwitchesAgainstCollectivesOfAnotherNetwork)
{
    struct Row
    {
        double network; // GB/s
        double ratios[2];
    };

    for (const Row& row : {Row{50, {10.2, 40.9}},
                           Row{100, {5.12, 20.5}},
                           Row{111.3, {4.60, 18.4}},
                           Row{128, {4.00, 16.0}},
                           Row{200, {2.57, 10.3}},
                           Row{256, {2.01, 8.05}},
                           Row{512, {1.02, 4.06}}})
    {
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto shape = MakeLargePool(500, i == 0 ? 512 : 2048, 256 * KIB);
            const double separate =
                GIB / GPUS * 1000.0 / 100 + 255.0 / 256 * GIB * 1000 / row.network;
            const double ratio = separate / Gather(shape, GIB).bandwidthPs;
            EXPECT_EQ(Round(ratio, row.ratios[i] < 10 ? 2 : 1), row.ratios[i]) << row.network;
        }
    }
}

TEST(MemoryPoolStudyTest, GatherOfOneSizeWithTheBestChunks)
{
    // the separate all-gather is direct, a ring over GPUs and then one over nodes, or one ring; it
    // crosses so many links one after the other
    constexpr uint32_t HOPS[] = {4, 15 * 4 + 15 * 2, 255 * 4};
    constexpr uint64_t SIZES[] = {MIB, 64 * MIB, GIB};

    struct Row
    {
        uint64_t memory;
        uint64_t fabric;
        double ratios[3][3];
    };

    for (const Row& row :
         {Row{100, 256, {{1.33, 8.4, 85}, {1.014, 1.18, 2.9}, {1.007, 1.017, 1.13}}},
          Row{500, 512, {{1.49, 12, 127}, {1.015, 1.34, 4.8}, {1.001, 1.022, 1.24}}},
          Row{500, 2048, {{1.80, 19, 204}, {1.069, 2.3, 15.7}, {1.016, 1.10, 2.0}}}})
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            double load = INFINITY;
            double gather = INFINITY;
            for (uint64_t chunk = 16; chunk <= 4 * KIB; chunk *= 2)
            {
                const auto shape = MakeLargePool(row.memory, row.fabric, chunk);
                load = std::min<double>(load, LoadPlain(shape, SIZES[i] / GPUS).totalPs);
                gather = std::min<double>(gather, Gather(shape, SIZES[i]).totalPs);
            }
            for (uint32_t j = 0; j < 3; ++j)
            {
                const double allGather =
                    HOPS[j] * 500e3 + 255.0 / 256 * SIZES[i] * 1000 / row.fabric;
                EXPECT_NEAR((load + allGather) / gather / row.ratios[i][j], 1, 0.025)
                    << SIZES[i] << " bytes, " << HOPS[j] << " links";
            }
        }
    }
}

} // namespace
