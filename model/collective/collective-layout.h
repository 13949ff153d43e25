/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COLLECTIVE_LAYOUT_H
#define ML_CLUSTER_COLLECTIVE_LAYOUT_H

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace mlcluster
{

struct CollectiveRequest;

/**
 * @ingroup ml-cluster
 * Where the data of a collective lies in the members' buffers, before and after: what the places
 * named by an algorithm's transfers (see Transfer) mean. What a member starts with and must end
 * with is not said here, the collective says it.
 */
struct CollectiveLayout
{
    /// Where one part of the data can lie.
    struct Place
    {
        uint32_t buffer; ///< buffer of a member
        uint32_t index;  ///< place in the buffer, one part each
    };

    std::vector<uint64_t> partBytes;          ///< of each part, or by origin and part
    std::vector<uint32_t> partPieces;         ///< piece of the request each part belongs to
    std::vector<std::vector<uint32_t>> sizes; ///< places by member and buffer
    /// (member, part): where the member has the part before, if it contributes it
    std::function<Place(uint32_t, uint32_t)> input;
    /// (member, origin, part): where the member must have the part behind; the origin is whose data
    /// it is in an all-to-all
    std::function<Place(uint32_t, uint32_t, uint32_t)> output;
};

/**
 * @ingroup ml-cluster
 * The layout of native algorithms, in place: buffer 0 has a place for each part; for an all-to-all
 * each member has as many buffers as there are members, the one of each member's data.
 * @param request what to do
 * @param partsPerPiece parts each piece is cut into
 * @return the layout
 */
CollectiveLayout MakeInPlaceLayout(const CollectiveRequest& request, uint32_t partsPerPiece);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COLLECTIVE_LAYOUT_H
