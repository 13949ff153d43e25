/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-key.h"

#include <functional>
#include <string_view>
#include <tuple>

namespace ns3
{
namespace mlcluster
{

CommunicationKey::CommunicationKey(const ExecutionNode& node)
    : kind(node.kind),
      peerIsOffset(node.kind != NodeKind::Collective && node.peerIsOffset),
      group(node.kind == NodeKind::Collective || node.peerIsOffset ? node.group : SharedText()),
      peer(node.kind == NodeKind::Collective ? 0 : node.peer),
      tag(node.kind == NodeKind::Collective ? 0 : node.tag)
{
}

bool
operator==(const CommunicationKey& a, const CommunicationKey& b)
{
    return std::tie(a.kind, a.peerIsOffset, a.group, a.peer, a.tag) ==
           std::tie(b.kind, b.peerIsOffset, b.group, b.peer, b.tag);
}

bool
operator<(const CommunicationKey& a, const CommunicationKey& b)
{
    return std::tie(a.kind, a.peerIsOffset, a.group, a.peer, a.tag) <
           std::tie(b.kind, b.peerIsOffset, b.group, b.peer, b.tag);
}

std::size_t
CommunicationKeyHash::operator()(const CommunicationKey& key) const
{
    constexpr uint64_t FACTOR = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
    uint64_t hash = std::hash<std::string_view>()(key.group);
    for (const uint64_t part :
         {static_cast<uint64_t>(key.kind) * 2 + key.peerIsOffset, uint64_t{key.peer}, key.tag})
    {
        hash = (hash ^ part) * FACTOR;
        hash ^= hash >> 32;
    }
    return hash;
}

} // namespace mlcluster
} // namespace ns3
