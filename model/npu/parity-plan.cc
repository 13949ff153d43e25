/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-plan.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace mlcluster
{

ParityPlan::ParityPlan(const ClusterTopology& topology,
                       const ParityOptions& options,
                       const std::vector<uint32_t>& group,
                       const std::vector<bool>& involved,
                       CollectiveType type,
                       uint64_t bytes)
    : m_topology(topology)
{
    const auto configured = options.algorithms.find(type);
    if (configured == options.algorithms.end() || configured->second.empty())
    {
        throw InputError("no algorithm is configured for " + ToString(type));
    }
    if (bytes > std::numeric_limits<uint64_t>::max() / 2 / topology.GetNRanks())
    {
        throw InputError(std::to_string(bytes) + " bytes on " +
                         std::to_string(topology.GetNRanks()) +
                         " ranks are too many to be counted");
    }
    CutChunks(options, type, bytes);
    if (group.size() < topology.GetNRanks())
    {
        m_group = group;
        ComposeFlat(options, configured->second, type);
    }
    else
    {
        Compose(options, configured->second, involved, type);
    }
    for (uint32_t phase = 0; phase < m_phases.size(); ++phase)
    {
        const std::string reason = m_phases[phase].algorithm.WhyNot(type, GetSize(phase));
        if (!reason.empty())
        {
            throw InputError(reason);
        }
    }
}

void
ParityPlan::CutChunks(const ParityOptions& options, CollectiveType type, uint64_t bytes)
{
    const uint64_t least = type == CollectiveType::AllGather ? 1 : m_topology.GetNRanks();
    m_chunkBytes = bytes / options.splits;
    if (m_chunkBytes >= least)
    {
        m_nChunks = bytes / m_chunkBytes + (bytes % m_chunkBytes != 0);
        return;
    }
    m_chunkBytes = least;
    m_nChunks = options.splits;
}

void
ParityPlan::ComposeFlat(const ParityOptions& options,
                        const std::vector<ParityAlgorithm>& algorithms,
                        CollectiveType type)
{
    const bool halved = type == CollectiveType::AllReduce && options.localBandwidthAware;
    if (m_group.size() > 1)
    {
        m_phases.push_back({type,
                            algorithms.size() == 1 ? algorithms[0] : ParityAlgorithm(),
                            0,
                            halved ? ParityQueueRule::FirstHalf : ParityQueueRule::Any});
    }
}

void
ParityPlan::Compose(const ParityOptions& options,
                    const std::vector<ParityAlgorithm>& algorithms,
                    const std::vector<bool>& involved,
                    CollectiveType type)
{
    const bool scattered = type == CollectiveType::AllReduce && options.localBandwidthAware;
    const uint32_t count =
        std::min<uint32_t>(m_topology.GetNDimensions(), static_cast<uint32_t>(algorithms.size()));
    for (uint32_t k = 0; k < count; ++k)
    {
        if (m_topology.GetDimension(k).size > 1 && (k >= involved.size() || involved[k]))
        {
            m_phases.push_back({scattered ? CollectiveType::ReduceScatter : type,
                                algorithms[k],
                                k,
                                scattered ? ParityQueueRule::FirstHalf : ParityQueueRule::Any});
        }
    }
    if (type == CollectiveType::AllGather)
    {
        std::reverse(m_phases.begin(), m_phases.end());
    }
    if (scattered && !m_phases.empty())
    {
        m_phases.back().type = CollectiveType::AllReduce;
        for (std::size_t i = m_phases.size() - 1; i > 0; --i)
        {
            ParityPhase gather = m_phases[i - 1];
            gather.type = CollectiveType::AllGather;
            gather.rule = ParityQueueRule::LastHalf;
            m_phases.push_back(gather);
        }
    }
}

uint64_t
ParityPlan::GetNChunks() const
{
    return m_nChunks;
}

uint64_t
ParityPlan::GetChunkBytes() const
{
    return m_chunkBytes;
}

const std::vector<ParityPhase>&
ParityPlan::GetPhases() const
{
    return m_phases;
}

bool
ParityPlan::IsFlat() const
{
    return !m_group.empty();
}

uint32_t
ParityPlan::GetSize(uint32_t phase) const
{
    return IsFlat() ? static_cast<uint32_t>(m_group.size())
                    : m_topology.GetDimension(m_phases[phase].dimension).size;
}

ParityRing
ParityPlan::GetRing(uint32_t rank, uint32_t phase) const
{
    ParityRing ring;
    ring.size = GetSize(phase);
    if (IsFlat())
    {
        ring.members = &m_group;
        ring.position = static_cast<uint32_t>(std::find(m_group.begin(), m_group.end(), rank) -
                                              m_group.begin());
        return ring;
    }
    const uint32_t dimension = m_phases[phase].dimension;
    ring.stride = m_topology.GetStride(dimension);
    ring.position = m_topology.GetDigit(rank, dimension);
    ring.base = m_topology.WithDigit(rank, dimension, 0);
    return ring;
}

uint64_t
ParityPlan::GetOutputBytes(uint32_t phase, uint64_t bytes) const
{
    switch (m_phases[phase].type)
    {
    case CollectiveType::ReduceScatter:
        return bytes / GetSize(phase);
    case CollectiveType::AllGather:
        return bytes * GetSize(phase);
    default:
        return bytes;
    }
}

} // namespace mlcluster
} // namespace ns3
