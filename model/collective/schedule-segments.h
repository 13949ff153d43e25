/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_SCHEDULE_SEGMENTS_H
#define ML_CLUSTER_SCHEDULE_SEGMENTS_H

#include "collective-algorithm.h"
#include "part-sizes.h"

#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How a pipelined algorithm cuts the buffer of a request: into equal shares, one for each tree or
 * direction, and each share into equal segments, which follow each other.
 *
 * A share has as many segments as it has times MIN_BYTES, at least 1 and at most MAX_SEGMENTS. The
 * rule looks at nothing but the size, so that all members agree: with 64 KiB, about what one link
 * takes in a microsecond, more segments would cost as much latency as they save.
 */
class ScheduleSegments
{
  public:
    static constexpr uint32_t MAX_SEGMENTS = 16;        ///< most segments of a share
    static constexpr uint64_t MIN_BYTES = 64ULL * 1024; ///< what more than one segment must have

    /// @param request the buffer @param nShares equal shares, at least 1
    ScheduleSegments(const CollectiveRequest& request, uint32_t nShares);

    uint32_t GetPartsPerPiece() const; ///< @return parts a piece must be cut into
    uint32_t GetNSegments() const;     ///< @return segments of a share

    /**
     * @param share which share
     * @param segment which of its segments
     * @return the message that carries it; peer and tag are not set
     */
    Transfer GetTransfer(uint32_t share, uint32_t segment) const;

  private:
    uint32_t m_nSegments;     ///< of a share
    uint32_t m_partsPerPiece; ///< parts a piece is cut into
    uint32_t m_nParts;        ///< parts of a segment
    PartSizes m_sizes;        ///< of the parts
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_SCHEDULE_SEGMENTS_H
