/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PART_SIZES_H
#define ML_CLUSTER_PART_SIZES_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Sizes of ranges of parts, for algorithms that write schedules (see RankSchedule): each piece of
 * a request is cut into equally many parts, larger first, numbered piece by piece.
 */
class PartSizes
{
  public:
    /// @param pieces bytes of each piece @param partsPerPiece parts each is cut into, at least 1
    PartSizes(const std::vector<uint64_t>& pieces, uint32_t partsPerPiece);

    /**
     * @param first index of the first part
     * @param count parts in the range, which goes on at part 0 behind the last one; at most all
     * @return bytes of the range
     */
    uint64_t GetBytes(uint32_t first, uint32_t count) const;

  private:
    std::vector<uint64_t> m_ends; ///< bytes of all parts before each part; last entry: all bytes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PART_SIZES_H
