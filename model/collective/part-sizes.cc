/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-sizes.h"

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

PartSizes::PartSizes(const std::vector<uint64_t>& pieces, uint32_t partsPerPiece)
    : m_ends{0}
{
    m_ends.reserve(pieces.size() * partsPerPiece + 1);
    for (const uint64_t piece : pieces)
    {
        for (uint32_t part = 0; part < partsPerPiece; ++part)
        {
            m_ends.push_back(m_ends.back() + GetEvenPart(piece, partsPerPiece, part));
        }
    }
}

uint64_t
PartSizes::GetBytes(uint32_t first, uint32_t count) const
{
    const std::size_t nParts = m_ends.size() - 1;
    const std::size_t end = static_cast<std::size_t>(first) + count;
    return end <= nParts ? m_ends[end] - m_ends[first]
                         : m_ends[nParts] - m_ends[first] + m_ends[end - nParts];
}

} // namespace mlcluster
} // namespace ns3
