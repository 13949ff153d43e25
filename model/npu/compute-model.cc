/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "compute-model.h"

#include "ns3/quantity.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{
namespace mlcluster
{

ComputeModel::ComputeModel(double peakFlops, uint64_t memoryBitRate)
    : m_roofline(true),
      m_peakFlops(peakFlops),
      m_memoryBitRate(memoryBitRate)
{
    if (peakFlops < 1 || memoryBitRate == 0)
    {
        throw InputError("NpuApplication: Roofline needs PeakFlops of at least 1 FLOP/s and "
                         "MemoryBandwidth above 0; given " +
                         std::to_string(peakFlops) + " FLOP/s and " + FormatBitRate(memoryBitRate));
    }
}

int64_t
ComputeModel::GetPicoseconds(const ExecutionNode& node) const
{
    if (!m_roofline || node.onHost)
    {
        return node.durationPs;
    }
    const long double operations = std::ceil(node.operations * 1e12L / m_peakFlops);
    constexpr int64_t longest = std::numeric_limits<int64_t>::max();
    return std::max(operations < longest ? static_cast<int64_t>(operations) : longest,
                    SerialisationPicoseconds(node.tensorBytes, m_memoryBitRate));
}

void
ComputeModel::Check(const ExecutionGraph& graph) const
{
    int64_t acceleratorPs = 0;
    int64_t hostPs = 0;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const ExecutionNode& node = graph.GetNode(i);
        if (node.kind == NodeKind::Compute)
        {
            int64_t& endPs = node.onHost ? hostPs : acceleratorPs;
            endPs = GetEnd(endPs, GetPicoseconds(node), [&] { return Describe(node); });
        }
    }
}

} // namespace mlcluster
} // namespace ns3
