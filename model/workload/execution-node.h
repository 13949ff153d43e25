/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXECUTION_NODE_H
#define ML_CLUSTER_EXECUTION_NODE_H

#include "rare-list.h"
#include "shared-text.h"

#include "ns3/collective-type.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Kinds of node, numbered as Chakra's NodeType.
 */
enum class NodeKind : uint8_t
{
    Invalid = 0,
    Metadata = 1,
    MemoryLoad = 2,
    MemoryStore = 3,
    Compute = 4,
    Send = 5,
    Receive = 6,
    Collective = 7
};

/**
 * @ingroup ml-cluster
 * @param kind a kind
 * @return "compute", "send", ...
 */
std::string ToString(NodeKind kind);

/**
 * @ingroup ml-cluster
 * Where the tensor of a memory node lies, as Chakra's tensor_loc: memories that are not the
 * accelerator's own are numbered from REMOTE on, in the order in which the MemoryModel has them.
 */
struct MemoryLocation
{
    static constexpr uint32_t DEFAULT = 0; ///< not told: the first that is not the own one
    static constexpr uint32_t LOCAL = 1;   ///< the accelerator's own memory
    static constexpr uint32_t REMOTE = 2;  ///< the first that is not
    static constexpr uint32_t LAST = 63;   ///< largest number
};

/**
 * @ingroup ml-cluster
 * One node of an execution graph.
 */
struct ExecutionNode
{
    uint64_t id{0};                   ///< id in the file, unique in the graph
    SharedText name;                  ///< name in the file
    NodeKind kind{NodeKind::Invalid}; ///< what it does
    bool onHost{false};               ///< runs on the host stream instead of the accelerator
    bool peerIsOffset{false}; ///< send, receive: the other rank is the member of `group` (of all
                              ///< ranks if "") that comes `peer` places after the own one, the
                              ///< first after the last, so that ranks can share a graph
    CollectiveType collective{CollectiveType::AllReduce}; ///< operation (collective)
    int64_t durationPs{0};                                ///< measured duration, ps
    uint64_t operations{0};                               ///< floating-point operations (compute)
    uint64_t tensorBytes{0};                              ///< bytes moved (compute, memory)
    uint64_t bytes{0};      ///< communication size, bytes (collective, send, receive)
    uint32_t peer{0};       ///< other rank (send, receive); root (rooted collectives)
    int32_t priority{0};    ///< explicit priority (collective)
    uint64_t tag{0};        ///< matching tag (send, receive)
    SharedText group;       ///< communicator group, or family of groups (see ClusterWorkload), as
                            ///< written; "" if none
    int64_t stream{-1};     ///< device stream, see RunsOnStream; -1: none
    int32_t repetition{-1}; ///< which one of equal parts of a step, micro-batch or pass, it is of;
                            ///< -1: none
    uint32_t location{0};   ///< where the tensor lies (memory), numbered as MemoryLocation
    RareList<uint64_t> peerBytes;       ///< bytes for each member in group order, if they are not
                                        ///< equal parts of `bytes` (all-to-all)
    RareList<bool> involvedDimensions;  ///< network dimensions taking part; empty: all
    std::vector<uint64_t> dependencies; ///< ids of nodes that must finish first
};

/**
 * @ingroup ml-cluster
 * @param node a node
 * @return `node 5 "name"` for messages, a long name cut
 */
std::string Describe(const ExecutionNode& node);

/**
 * @ingroup ml-cluster
 * @param node a node
 * @return whether its stream counts: it has one, and is neither a host operation nor without effect
 */
bool RunsOnStream(const ExecutionNode& node);

/**
 * @ingroup ml-cluster
 * @param node a node
 * @return whether it is a load or a store
 */
bool IsMemoryAccess(const ExecutionNode& node);

/**
 * @ingroup ml-cluster
 * @param node a node
 * @return whether it is a load or a store in the accelerator's own memory
 */
bool IsLocalAccess(const ExecutionNode& node);

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXECUTION_NODE_H
