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
    for (uint32_t piece = 0; piece < request.size; ++piece)
    {
        for (const uint64_t bytes : SplitEvenly(request.pieces[piece], partsPerPiece))
        {
            layout.partBytes.push_back(bytes);
            layout.partPieces.push_back(piece);
        }
    }
    const bool byOrigin = request.type == CollectiveType::AllToAll;
    const auto nParts = static_cast<uint32_t>(layout.partBytes.size());
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
