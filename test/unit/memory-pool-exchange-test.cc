/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-cases.h"

#include "ns3/memory-pool-pipeline.h"
#include "ns3/memory-pool-time.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace ns3::mlcluster;

namespace
{

/// @param bytes all GPUs send @param nodes N @param gpus G @return the exchange of a rectangle
MemoryPoolAccess
MakeExchange(uint64_t bytes, uint32_t nodes, uint32_t gpus)
{
    MemoryPoolAccess access{false, bytes, 0, nodes, 0, gpus, nodes, gpus};
    access.isExchange = true;
    return access;
}

/// @param shape a pool @param access an access @param detail of the simulation @return its end, ps
int64_t
Simulate(const MemoryPoolShape& shape, const MemoryPoolAccess& access, PoolDetail detail)
{
    MemoryPoolPipeline pipeline(shape, detail);
    pipeline.Start(access, 0);
    return pipeline.Finish().at(0).endPs;
}

// Each of four GPUs sends 3000 B in six rounds of 500 B: 100 ns on a GPU link; two thirds of the
// bytes leave the node, 333 1/3 B on each of two links, 41 2/3 ns.
TEST(MemoryPoolExchangeTest, ByHand)
{
    const auto shape = MakeSmallPool();
    const auto exchange = MakeExchange(12'000, 2, 2);
    const auto time = ComputeMemoryPoolTime(shape, exchange);
    EXPECT_EQ(time.latencyPs, (10 + 20 + 20 + 10) * NS);
    EXPECT_EQ(time.bandwidthPs, 600 * NS) << "three quarters of 4000 B at 5 GB/s";
    EXPECT_EQ(time.rounds, 6);
    EXPECT_EQ(time.totalPs, 60 * NS + 283'334 + 5 * 100 * NS);
    EXPECT_EQ(time.wholeBytesPs, 60 * NS + 200 * NS + 2 * 41'750 + 5 * 100 * NS);
    ASSERT_EQ(time.hops.size(), 4);
    EXPECT_EQ(time.hops[0].kind, PoolHopKind::GpuLink);
    EXPECT_EQ(time.hops[1].kind, PoolHopKind::NodeLink);
    EXPECT_EQ(time.hops[0].bytes, 12'000);
    EXPECT_EQ(time.hops[1].bytes, 8'000);
    EXPECT_EQ(time.hops[2].bytes, 8'000);
    EXPECT_EQ(time.hops[3].bytes, 12'000);
}

TEST(MemoryPoolExchangeTest, WithinANodeItPassesGpuLinksOnly)
{
    const auto time = ComputeMemoryPoolTime(MakeSmallPool(), MakeExchange(2'000, 1, 2));
    EXPECT_EQ(time.hops.size(), 2);
    EXPECT_EQ(time.rounds, 2) << "half of the GPUs, half of a round";
    EXPECT_EQ(time.totalPs, 20 * NS + 3 * 100 * NS);
}

TEST(MemoryPoolExchangeTest, BackplanesTakeInWhatPasses)
{
    auto shape = MakeSmallPool();
    shape.inBackplaneBitRate = GBYTES_PER_S;
    shape.outBackplaneBitRate = GBYTES_PER_S;
    const auto time = ComputeMemoryPoolTime(shape, MakeExchange(12'000, 2, 2));
    ASSERT_EQ(time.hops.size(), 6);
    EXPECT_EQ(time.hops[1].kind, PoolHopKind::InBackplane);
    EXPECT_EQ(time.hops[1].bandwidthPs, 10'000 * NS) << "all that comes from GPUs and other nodes";
    EXPECT_EQ(time.hops[3].kind, PoolHopKind::OutBackplane);
    EXPECT_EQ(time.hops[3].bandwidthPs, 4'000 * NS) << "what leaves the nodes";
}

TEST(MemoryPoolExchangeTest, PipelineIsTheClosedForm)
{
    PoolDice dice(31);
    for (uint32_t i = 0; i < 400; ++i)
    {
        auto shape = dice.DrawShape(false);
        shape.rounds = i % 2 ? PoolRoundPolicy::ShortLast : PoolRoundPolicy::Balanced;
        shape.inBackplaneBitRate = i % 3 ? 0 : 50 * GBYTES_PER_S;
        const bool isAll = i % 5 < 2;
        auto exchange = MakeExchange(dice.Draw(1, 20 * shape.GetRoundBytes()),
                                     isAll ? shape.nodes : dice.Draw(1, shape.nodes),
                                     isAll ? shape.gpusPerNode : dice.Draw(1, shape.gpusPerNode));
        exchange.firstNode = dice.Draw(0, shape.nodes - exchange.nNodes);
        exchange.firstGpu = dice.Draw(0, shape.gpusPerNode - exchange.nGpus);
        const auto time = ComputeMemoryPoolTime(shape, exchange);
        for (const auto detail : {PoolDetail::EveryLink, PoolDetail::EveryGpu, PoolDetail::OneGpu})
        {
            ASSERT_EQ(Simulate(shape, exchange, detail), time.wholeBytesPs) << "pool " << i;
        }
        ASSERT_LE(time.totalPs, time.wholeBytesPs);
        ASSERT_LE(time.latencyPs + time.bandwidthPs, time.totalPs);
        const uint64_t gpus = exchange.nNodes * exchange.nGpus;
        ASSERT_EQ(time.hops.front().bytes, time.hops.back().bytes);
        ASSERT_EQ(time.hops.front().bytes, exchange.uniqueBytes);
        for (const auto& hop : time.hops)
        {
            if (hop.kind == PoolHopKind::NodeLink)
            {
                const uint64_t leaving = exchange.uniqueBytes * (gpus - exchange.nGpus);
                ASSERT_EQ(hop.bytes, (leaving + gpus - 2) / (gpus - 1)) << "pool " << i;
            }
        }
    }
}

TEST(MemoryPoolExchangeTest, LoadsAndExchangesMeetOnTheWayDown)
{
    const auto shape = MakeSmallPool();
    const auto load = MemoryPoolAccess::OfAll(shape, false, 60'000);
    const auto store = MemoryPoolAccess::OfAll(shape, true, 60'000);
    const auto exchange = MakeExchange(240'000, 2, 2);
    for (const auto detail : {PoolDetail::EveryLink, PoolDetail::OneGpu})
    {
        for (const auto& other : {load, store})
        {
            MemoryPoolPipeline pipeline(shape, detail);
            pipeline.Start(other, 0);
            pipeline.Start(exchange, 0);
            const auto ended = pipeline.Finish();
            ASSERT_EQ(ended.size(), 2);
            EXPECT_GE(ended[1].endPs, 24'000 * NS) << "one direction of a GPU link has both";
            EXPECT_GT(ended[0].endPs, ComputeMemoryPoolTime(shape, exchange).totalPs);
        }
    }
}

} // namespace
