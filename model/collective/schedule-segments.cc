/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-segments.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace mlcluster
{

namespace
{

uint32_t
CountSegments(const CollectiveRequest& request, uint32_t nShares)
{
    const uint64_t bytes =
        std::accumulate(request.pieces.begin(), request.pieces.end(), uint64_t{0}) / nShares;
    return static_cast<uint32_t>(std::clamp<uint64_t>(bytes / ScheduleSegments::MIN_BYTES,
                                                      1,
                                                      ScheduleSegments::MAX_SEGMENTS));
}

} // namespace

ScheduleSegments::ScheduleSegments(const CollectiveRequest& request, uint32_t nShares)
    : m_nSegments(CountSegments(request, nShares)),
      m_partsPerPiece(nShares * m_nSegments / std::gcd(nShares * m_nSegments, request.size)),
      m_nParts(request.size * m_partsPerPiece / (nShares * m_nSegments)),
      m_sizes(request.pieces, m_partsPerPiece)
{
}

uint32_t
ScheduleSegments::GetPartsPerPiece() const
{
    return m_partsPerPiece;
}

uint32_t
ScheduleSegments::GetNSegments() const
{
    return m_nSegments;
}

Transfer
ScheduleSegments::GetTransfer(uint32_t share, uint32_t segment) const
{
    const uint32_t first = (share * m_nSegments + segment) * m_nParts;
    return {0, 0, m_sizes.GetBytes(first, m_nParts), false, 0, first, m_nParts};
}

} // namespace mlcluster
} // namespace ns3
