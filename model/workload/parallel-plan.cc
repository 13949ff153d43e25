/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parallel-plan.h"

namespace ns3
{
namespace mlcluster
{

uint32_t
ParallelPlan::GetExpertTensor() const
{
    return expertTensor == 0 ? tensor : expertTensor;
}

std::vector<ParallelPlan::LayerRange>
ParallelPlan::GetLayersOfStage(uint32_t layers, uint32_t stage) const
{
    const uint32_t parts = pipeline * chunks;
    std::vector<LayerRange> ranges;
    uint32_t first = 0;
    for (uint32_t i = 0; i < parts; ++i)
    {
        const uint32_t size =
            stageLayers.empty() ? layers / parts + (i < layers % parts ? 1 : 0) : stageLayers[i];
        if (i % pipeline == stage)
        {
            ranges.push_back({first, first + size});
        }
        first += size;
    }
    return ranges;
}

} // namespace mlcluster
} // namespace ns3
