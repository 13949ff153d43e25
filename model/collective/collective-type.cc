/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-type.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Names by number.
constexpr std::array NAMES{"all-reduce",
                           "reduce",
                           "all-gather",
                           "gather",
                           "scatter",
                           "broadcast",
                           "all-to-all",
                           "reduce-scatter",
                           "reduce-scatter-block",
                           "barrier"};

} // namespace

std::string
ToString(CollectiveType type)
{
    return NAMES.at(static_cast<std::size_t>(type));
}

bool
IsRooted(CollectiveType type)
{
    return type == CollectiveType::Reduce || type == CollectiveType::Gather ||
           type == CollectiveType::Scatter || type == CollectiveType::Broadcast;
}

bool
IsFromRoot(CollectiveType type)
{
    return type == CollectiveType::Broadcast || type == CollectiveType::Scatter;
}

std::optional<CollectiveType>
ParseCollectiveType(const std::string& name)
{
    const auto found = std::find(NAMES.begin(), NAMES.end(), name);
    if (found == NAMES.end())
    {
        return std::nullopt;
    }
    return static_cast<CollectiveType>(found - NAMES.begin());
}

} // namespace mlcluster
} // namespace ns3
