/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "execution-node.h"

#include "ns3/shown-text.h"

#include <array>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// Names by number.
constexpr std::array KIND_NAMES{"invalid",
                                "metadata",
                                "memory load",
                                "memory store",
                                "compute",
                                "send",
                                "receive",
                                "collective"};

/// Characters of a name that a message shows.
constexpr std::size_t NAME_CHARACTERS_SHOWN = 80;

} // namespace

std::string
ToString(NodeKind kind)
{
    return KIND_NAMES.at(static_cast<std::size_t>(kind));
}

std::string
Describe(const ExecutionNode& node)
{
    return "node " + std::to_string(node.id) + " " + ShowName(node.name, NAME_CHARACTERS_SHOWN);
}

bool
RunsOnStream(const ExecutionNode& node)
{
    const bool isHostCompute = node.kind == NodeKind::Compute && node.onHost;
    return node.stream >= 0 && node.kind >= NodeKind::MemoryLoad && !isHostCompute;
}

bool
IsMemoryAccess(const ExecutionNode& node)
{
    return node.kind == NodeKind::MemoryLoad || node.kind == NodeKind::MemoryStore;
}

bool
IsLocalAccess(const ExecutionNode& node)
{
    return IsMemoryAccess(node) && node.location == MemoryLocation::LOCAL;
}

} // namespace mlcluster
} // namespace ns3
