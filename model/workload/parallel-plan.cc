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

uint64_t
ParallelPlan::GetNRanks() const
{
    return uint64_t{tensor} * context * pipeline * data;
}

uint64_t
ParallelPlan::GetExpertTensor() const
{
    return expertTensor == 0 ? tensor : expertTensor;
}

uint64_t
ParallelPlan::GetDataGroupSize() const
{
    return uint64_t{context} * data;
}

uint64_t
ParallelPlan::GetExpertDataGroupSize() const
{
    return uint64_t{tensor} * context * data / (expert * GetExpertTensor());
}

std::vector<uint32_t>
ParallelPlan::GetPartLayers(uint32_t layers) const
{
    if (!stageLayers.empty())
    {
        return stageLayers;
    }
    const uint32_t parts = pipeline * chunks;
    std::vector<uint32_t> split(parts, layers / parts);
    for (uint32_t i = 0; i < layers % parts; ++i)
    {
        ++split[i];
    }
    return split;
}

} // namespace mlcluster
} // namespace ns3
