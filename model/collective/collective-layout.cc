/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-layout.h"

#include "collective-algorithm.h"

namespace ns3
{
namespace mlcluster
{

CollectiveLayout
MakeInPlaceLayout(const CollectiveRequest& request, uint32_t partsPerPiece)
{
    CollectiveLayout layout;
    for (const uint64_t whole : request.matrix.empty() ? request.pieces : request.matrix)
    {
        const auto parts = SplitEvenly(whole, partsPerPiece);
        layout.partBytes.insert(layout.partBytes.end(), parts.begin(), parts.end());
    }
    for (uint32_t piece = 0; piece < request.size; ++piece)
    {
        layout.partPieces.insert(layout.partPieces.end(), partsPerPiece, piece);
    }
    const bool byOrigin = request.type == CollectiveType::AllToAll;
    const auto nParts = static_cast<uint32_t>(layout.partPieces.size());
    layout.sizes.assign(request.size, std::vector<uint32_t>(byOrigin ? request.size : 1, nParts));
    using Place = CollectiveLayout::Place;
    layout.input = [byOrigin](uint32_t member, uint32_t part) {
        return Place{byOrigin ? member : 0, part};
    };
    layout.output = [byOrigin](uint32_t, uint32_t origin, uint32_t part) {
        return Place{byOrigin ? origin : 0, part};
    };
    return layout;
}

} // namespace mlcluster
} // namespace ns3
