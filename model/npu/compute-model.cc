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

namespace
{

/// @param efficiency of one of the roofs @throw InputError if it is no share
void
CheckEfficiency(double efficiency)
{
    if (!(efficiency > 0 && efficiency <= 1))
    {
        throw InputError("NpuApplication: ComputeEfficiency and MemoryEfficiency are shares above "
                         "0 and at most 1; given " +
                         FormatNumber(efficiency));
    }
}

} // namespace

ComputeModel::ComputeModel(double peakFlops,
                           uint64_t memoryBitRate,
                           double computeEfficiency,
                           double memoryEfficiency)
    : m_roofline(true),
      m_peakFlops(peakFlops * computeEfficiency)
{
    CheckEfficiency(computeEfficiency);
    m_memoryBitRate = GetReachedBitRate(memoryBitRate, memoryEfficiency);
    if (m_peakFlops < 1 || m_memoryBitRate == 0)
    {
        throw InputError("NpuApplication: Roofline needs PeakFlops of at least 1 FLOP/s and "
                         "MemoryBandwidth above 0, times their efficiencies; given " +
                         std::to_string(m_peakFlops) + " FLOP/s and " +
                         FormatBitRate(m_memoryBitRate));
    }
}

uint64_t
ComputeModel::GetReachedBitRate(uint64_t bitRate, double efficiency)
{
    CheckEfficiency(efficiency);
    return std::round(bitRate * static_cast<long double>(efficiency));
}

bool
ComputeModel::MovesBytes(const ExecutionNode& node) const
{
    return m_roofline && !node.onHost;
}

int64_t
ComputeModel::GetOperationPicoseconds(const ExecutionNode& node) const
{
    const long double operations = std::ceil(node.operations * 1e12L / m_peakFlops);
    constexpr int64_t longest = std::numeric_limits<int64_t>::max();
    return operations < longest ? static_cast<int64_t>(operations) : longest;
}

int64_t
ComputeModel::GetPicoseconds(const ExecutionNode& node) const
{
    return MovesBytes(node) ? std::max(GetOperationPicoseconds(node),
                                       SerialisationPicoseconds(node.tensorBytes, m_memoryBitRate))
                            : node.durationPs;
}

void
ComputeModel::Check(const ExecutionGraph& graph) const
{
    constexpr long double SAFE = std::numeric_limits<int64_t>::max() / 2;
    const GraphLinks::Totals& totals = graph.GetTotals();
    const long double mostPs = m_roofline ? totals.operations * 1e12L / m_peakFlops +
                                                totals.tensorBytes * 8e12L / m_memoryBitRate +
                                                2 * totals.nCompute
                                          : totals.acceleratorTimePs;
    if (mostPs < SAFE && totals.hostTimePs < SAFE)
    {
        return;
    }
    int64_t acceleratorPs = 0;
    int64_t hostPs = 0;
    for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
    {
        const NodeHandle node = graph.GetNode(i);
        if (node->kind == NodeKind::Compute)
        {
            int64_t& endPs = node->onHost ? hostPs : acceleratorPs;
            endPs = GetEnd(endPs, GetPicoseconds(*node), [&] { return Describe(*node); });
        }
    }
}

} // namespace mlcluster
} // namespace ns3
