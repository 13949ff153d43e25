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
    : m_topology(topology),
      m_type(type),
      m_isScattered(type == CollectiveType::AllReduce && options.localBandwidthAware),
      m_isMirrored(options.chunkOrder != ChunkOrderPolicy::Ascending &&
                   options.chunkOrder != ChunkOrderPolicy::RoundRobin)
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
    if (group.size() < topology.GetNRanks())
    {
        m_group = group;
    }
    CutChunks(options, bytes);
    ChooseDimensions(configured->second, involved);
    CheckAlgorithms();
}

void
ParityPlan::CutChunks(const ParityOptions& options, uint64_t bytes)
{
    const uint64_t least = m_type == CollectiveType::AllGather ? 1 : m_topology.GetNRanks();
    const uint64_t share = bytes / options.splits;
    m_chunkBytes = std::max(share, least);
    m_bytes = share < least ? least * options.splits : bytes;
}

void
ParityPlan::ChooseDimensions(const std::vector<ParityAlgorithm>& algorithms,
                             const std::vector<bool>& involved)
{
    m_isOne = !IsFlat() && algorithms[0].isOne;
    m_algorithms = IsFlat() && algorithms.size() > 1 ? std::vector<ParityAlgorithm>(1) : algorithms;
    for (uint32_t k = 0; k < m_topology.GetNDimensions(); ++k)
    {
        const bool isAsked = IsFlat() || k >= involved.size() || involved[k];
        m_involved.push_back(isAsked && k < m_algorithms.size() && GetSize(k) > 1);
        if (m_involved[k])
        {
            m_order.push_back(k);
        }
    }
    if (m_type == CollectiveType::AllGather)
    {
        std::reverse(m_order.begin(), m_order.end());
    }
}

void
ParityPlan::CheckAlgorithms() const
{
    for (const uint32_t dimension : m_order)
    {
        const std::string reason =
            m_algorithms[dimension].WhyNot(m_type, GetSize(dimension), IsFlat());
        if (!reason.empty())
        {
            throw InputError(reason);
        }
    }
}

std::vector<ParityPhase>
ParityPlan::Compose(const std::vector<uint32_t>& order) const
{
    std::vector<ParityPhase> phases;
    const auto add = [&](uint32_t dimension, CollectiveType type, ParityQueueRule rule) {
        const ParityAlgorithm& algorithm = m_algorithms[dimension];
        const bool isTree = algorithm.kind == ParityAlgorithm::Kind::DoubleBinaryTree;
        phases.push_back({isTree ? CollectiveType::AllReduce : type, algorithm, dimension, rule});
    };
    if (!m_isScattered)
    {
        for (const uint32_t dimension : order)
        {
            add(dimension, m_type, ParityQueueRule::Any);
        }
        return phases;
    }
    const std::size_t nScattered = order.size() - (m_isMirrored ? 0 : 1);
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        add(order[i],
            i < nScattered ? CollectiveType::ReduceScatter : CollectiveType::AllReduce,
            ParityQueueRule::FirstHalf);
    }
    for (std::size_t i = nScattered; i > 0; --i)
    {
        add(order[i - 1], CollectiveType::AllGather, ParityQueueRule::LastHalf);
    }
    return phases;
}

CollectiveType
ParityPlan::GetType() const
{
    return m_type;
}

uint64_t
ParityPlan::GetBytes() const
{
    return m_bytes;
}

uint64_t
ParityPlan::GetChunkBytes() const
{
    return m_chunkBytes;
}

bool
ParityPlan::IsFlat() const
{
    return !m_group.empty();
}

bool
ParityPlan::HasDimensions() const
{
    return !IsFlat() && !m_isOne;
}

const std::vector<bool>&
ParityPlan::GetInvolved() const
{
    return m_involved;
}

const std::vector<uint32_t>&
ParityPlan::GetOrder() const
{
    return m_order;
}

uint32_t
ParityPlan::GetSize(uint32_t dimension) const
{
    const uint32_t nAll =
        m_isOne ? m_topology.GetNRanks() : m_topology.GetDimension(dimension).size;
    return IsFlat() ? static_cast<uint32_t>(m_group.size()) : nAll;
}

ParityRing
ParityPlan::GetRing(uint32_t rank, const ParityPhase& phase) const
{
    ParityRing ring;
    ring.size = GetSize(phase.dimension);
    ring.position = rank;
    if (IsFlat())
    {
        ring.members = &m_group;
        ring.position = static_cast<uint32_t>(std::find(m_group.begin(), m_group.end(), rank) -
                                              m_group.begin());
    }
    else if (!m_isOne)
    {
        ring.stride = m_topology.GetStride(phase.dimension);
        ring.position = m_topology.GetDigit(rank, phase.dimension);
        ring.base = m_topology.WithDigit(rank, phase.dimension, 0);
    }
    return ring;
}

uint64_t
ParityPlan::GetOutputBytes(const ParityPhase& phase, uint64_t bytes) const
{
    switch (phase.type)
    {
    case CollectiveType::ReduceScatter:
        return bytes / GetSize(phase.dimension);
    case CollectiveType::AllGather:
        return bytes * GetSize(phase.dimension);
    default:
        return bytes;
    }
}

} // namespace mlcluster
} // namespace ns3
