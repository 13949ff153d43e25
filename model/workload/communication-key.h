/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COMMUNICATION_KEY_H
#define ML_CLUSTER_COMMUNICATION_KEY_H

#include "execution-node.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What communication nodes are matched by: a collective by its group, a send or receive by peer and
 * tag, and by group if that tells the peer.
 */
struct CommunicationKey
{
    NodeKind kind;     ///< Send, Receive or Collective
    bool peerIsOffset; ///< messages: as the node has it
    SharedText group;  ///< of collectives, and if it tells the peer; else ""
    uint32_t peer;     ///< messages: as the node has it
    uint64_t tag;      ///< messages: as the node has it

    /// @param node a communication node
    explicit CommunicationKey(const ExecutionNode& node);
};

/// @param a a key @param b a key @return whether they are equal
bool operator==(const CommunicationKey& a, const CommunicationKey& b);
/// @param a a key @param b a key @return whether a comes before b: by kind first, then as the
/// members stand
bool operator<(const CommunicationKey& a, const CommunicationKey& b);

/**
 * @ingroup ml-cluster
 * Hashes keys.
 */
struct CommunicationKeyHash
{
    /// @param key a key @return a hash of it
    std::size_t operator()(const CommunicationKey& key) const;
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMMUNICATION_KEY_H
