/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "memory-pool-cases.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

/// @param change makes a fault in the small pool @param nRanks of the cluster @return the problems
std::vector<std::string>
CheckSmallPool(const std::function<void(MemoryPoolShape&)>& change, uint32_t nRanks = 4)
{
    MemoryPoolShape shape = MakeSmallPool();
    change(shape);
    Diagnostics diagnostics;
    shape.Check(nRanks, {"pool.yaml", 7, "memory.pool"}, diagnostics);
    return diagnostics.GetErrors();
}

TEST(MemoryPoolShapeTest, GoodPools)
{
    EXPECT_TRUE(CheckSmallPool([](MemoryPoolShape&) {}).empty());
    Diagnostics diagnostics;
    MakeLargePool(100, 256, 16).Check(256, {}, diagnostics);
    EXPECT_TRUE(diagnostics.GetErrors().empty());
}

TEST(MemoryPoolShapeTest, EveryFault)
{
    using Shape = MemoryPoolShape;

    struct Case
    {
        std::function<void(Shape&)> change;
        std::string problem;
    };

    const Case cases[] = {
        {[](Shape& s) { s.groups = 0; }, "groups: is 0; a memory pool needs at least 1"},
        {[](Shape& s) { s.outSwitches = 0; }, "out-switches: is 0;"},
        {[](Shape& s) { s.nodes = 0; }, "nodes: is 0;"},
        {[](Shape& s) { s.gpusPerNode = 0; }, "gpus-per-node: is 0;"},
        {[](Shape& s) { s.groups = 2'000'000'000; }, "groups: 2000000000, with out-switches of 2"},
        {[](Shape& s) { s.nodes = 1'500'000'000; },
         "out-switches: 2, with nodes of 1500000000, makes more than the 2147483647 links"},
        {[](Shape& s) { s.gpusPerNode = 1'500'000'000; }, "nodes: 2, with gpus-per-node of"},
        {[](Shape& s) { s.memoryBitRate = 0; },
         "memory-bandwidth: is 0, so that no access would end; give a rate, such as 100GB/s"},
        {[](Shape& s) { s.groupLinkBitRate = 0; }, "group-link-bandwidth: is 0"},
        {[](Shape& s) { s.nodeLinkBitRate = 0; }, "node-link-bandwidth: is 0"},
        {[](Shape& s) { s.gpuLinkBitRate = 0; }, "gpu-link-bandwidth: is 0"},
        {[](Shape& s) { s.memoryLatencyPs = -1; }, "memory-latency: -1ps is negative"},
        {[](Shape& s) { s.groupLinkLatencyPs = -1; }, "group-link-latency: -1ps"},
        {[](Shape& s) { s.nodeLinkLatencyPs = -1; }, "node-link-latency: -1ps"},
        {[](Shape& s) { s.gpuLinkLatencyPs = -1; }, "gpu-link-latency: -1ps"},
        {[](Shape& s) { s.nodes = 3; },
         "nodes: 3 of 2 GPUs are 6, but the cluster has 4 NPUs; nodes times gpus-per-node"},
        {[](Shape& s) { s.chunkBytes = 0; }, "chunk: is 0, so that no access would end"},
        {[](Shape& s) { s.chunkBytes = 1; },
         "chunk: 1B cannot be split over the 4 links of the widest layer of this pool; allowed is "
         "2B or more"},
        {[](Shape& s) { s.chunkBytes = UINT64_MAX; }, "of each of 2 groups are more bytes than"},
    };
    for (const Case& test : cases)
    {
        const auto errors = CheckSmallPool(test.change);
        ASSERT_EQ(errors.size(), 1) << test.problem;
        EXPECT_EQ(errors[0].find("pool.yaml:7: memory.pool."), 0) << errors[0];
        EXPECT_NE(errors[0].find(test.problem), std::string::npos) << errors[0];
    }
}

TEST(MemoryPoolShapeTest, AllFaultsAtOnce)
{
    Diagnostics diagnostics;
    MemoryPoolShape().Check(8, {}, diagnostics);
    EXPECT_EQ(diagnostics.GetErrors().size(), 6) << "four rates, the ranks and the chunk";
}

} // namespace
