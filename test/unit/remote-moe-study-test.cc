/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-cases.h"

#include "ns3/memory-fusion.h"
#include "ns3/memory-pool-time.h"
#include "ns3/remote-moe-generator.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace ns3::mlcluster;

// The step of the manual's case of 256 GPUs, one node after the other, on two systems.

namespace
{

constexpr double PS = 1e12;            ///< of a second
constexpr double START_UP = 2e-6;      ///< of a collective, s
constexpr double OTHERS = 255.0 / 256; ///< of the ranks

/// Parts of a step, s.
struct Breakdown
{
    double compute{0};       ///< computation
    double communication{0}; ///< collectives
    double remote{0};        ///< memory

    /// @return all
    double GetAll() const
    {
        return compute + communication + remote;
    }

    /// @return per cent of compute, communication and remote
    std::vector<double> GetShares() const
    {
        std::vector<double> shares;
        for (const double part : {compute, communication, remote})
        {
            shares.push_back(std::round(100 * part / GetAll()));
        }
        return shares;
    }
};

/// @param node a collective @param rate of a rank's network, byte/s @return its time, s
double
GetCollectiveTime(const ExecutionNode& node, double rate)
{
    const double whole =
        static_cast<double>(node.bytes) * (node.collective == CollectiveType::AllGather ? 256 : 1);
    return START_UP + whole * OTHERS / rate;
}

/// @param node a computation @param flops rate @return its time on a roofline, s
double
GetComputeTime(const ExecutionNode& node, double flops)
{
    return std::max(static_cast<double>(node.operations) / flops,
                    static_cast<double>(node.tensorBytes) / 4096e9);
}

/// @param workload a step @param flops rate @param rate of the network, byte/s @return it with a
/// memory of 100 GB/s of each GPU's own
Breakdown
RunOnOwnMemory(const ClusterWorkload& workload, double flops, double rate)
{
    Breakdown times;
    const auto& graph = workload.GetGraph(0);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = *graph.GetNode(i);
        if (node.kind == NodeKind::Compute)
        {
            times.compute += GetComputeTime(node, flops);
        }
        else if (node.kind == NodeKind::Collective)
        {
            times.communication += GetCollectiveTime(node, rate);
        }
        else if (node.kind != NodeKind::Metadata)
        {
            times.remote += 500e-9 + static_cast<double>(node.tensorBytes) / 100e9;
        }
    }
    return times;
}

/// @param workload a step @param flops rate @return it with a pool that gathers and reduces, whose
/// fabric has the other collectives too
Breakdown
RunOnPool(const ClusterWorkload& workload, double flops)
{
    Breakdown times;
    const auto pool = MakeLargePool(500, 512, 256 * KIB);
    const MemoryFusion fusion(workload, pool, true);
    const auto& graph = workload.GetGraph(0);
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = *graph.GetNode(i);
        const auto role = fusion.GetPart(0, i).role;
        const bool isMemory =
            node.kind == NodeKind::MemoryLoad || node.kind == NodeKind::MemoryStore;
        if (node.kind == NodeKind::Compute)
        {
            times.compute += GetComputeTime(node, flops);
        }
        else if (role == MemoryFusion::Role::First)
        {
            const auto time = ComputeMemoryPoolTime(pool, fusion.GetAccess(0, i));
            times.remote += time.totalPs / PS;
        }
        else if (role == MemoryFusion::Role::Alone && isMemory)
        {
            const auto access =
                MemoryPoolAccess::OfAll(pool, node.kind == NodeKind::MemoryStore, node.tensorBytes);
            times.remote += ComputeMemoryPoolTime(pool, access).totalPs / PS;
        }
        else if (role == MemoryFusion::Role::Alone && node.kind == NodeKind::Collective)
        {
            times.communication += GetCollectiveTime(node, 512e9);
        }
    }
    return times;
}

} // namespace

TEST(RemoteMoeStudyTest, SerialStepsTakeWhatTheFormulasSay)
{
    struct Row
    {
        uint64_t tokens;
        uint64_t optimizer;
        double speedUps[4];
        std::vector<double> shares[4];
    };

    // by 2,048 and 234 TFLOPS, and in each by 100 and 256 GB/s, worked out apart in real numbers
    const std::vector<Row> rows = {
        {128, 0, {4.59, 2.95, 3.91, 2.58}, {{2, 59, 39}, {4, 36, 61}, {7, 56, 37}, {11, 33, 56}}},
        {512, 0, {4.43, 2.86, 2.60, 1.87}, {{3, 58, 38}, {5, 35, 59}, {23, 46, 30}, {32, 25, 42}}},
        {2048,
         0,
         {3.42, 2.28, 1.59, 1.31},
         {{12, 55, 34}, {17, 32, 50}, {54, 29, 18}, {65, 14, 21}}},
        {8192, 0, {2.24, 1.60, 1.19, 1.09}, {{31, 47, 22}, {43, 25, 31}, {80, 14, 7}, {87, 6, 7}}},
        {512, 14, {4.78, 4.17, 3.62, 3.20}, {{1, 21, 78}, {1, 9, 89}, {10, 19, 71}, {11, 8, 81}}},
        {2048,
         14,
         {4.24, 3.68, 2.30, 2.08},
         {{5, 21, 74}, {5, 10, 85}, {29, 16, 55}, {33, 7, 61}}}};
    for (const Row& row : rows)
    {
        RemoteMoeModel model;
        model.tokens = row.tokens;
        model.optimizerBytes = row.optimizer;
        model.isSerial = true;
        const auto workload = MakeRemoteMoeWorkload(model);
        for (uint32_t i = 0; i < 4; ++i)
        {
            const double flops = i < 2 ? 2048e12 : 234e12;
            const double rate = i % 2 == 0 ? 100e9 : 256e9;
            const Breakdown own = RunOnOwnMemory(workload, flops, rate);
            const Breakdown pool = RunOnPool(workload, flops);
            EXPECT_NEAR(own.GetAll() / pool.GetAll(), row.speedUps[i], 0.0051)
                << row.tokens << " " << i;
            EXPECT_EQ(own.GetShares(), row.shares[i]) << row.tokens << " " << i;
        }
    }
}
