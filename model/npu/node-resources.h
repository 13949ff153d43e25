/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_NODE_RESOURCES_H
#define ML_CLUSTER_NODE_RESOURCES_H

#include "graph-progress.h"

#include <array>
#include <cstdint>
#include <optional>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What the compute and memory nodes of one rank run on. Each resource runs so many nodes at once
 * as it has places, and takes the ready node of lowest id next:
 *
 * - the accelerator has one place for nodes that are on no stream;
 * - nodes on streams run on the accelerator beside these and beside each other, one of each stream
 *   (GraphProgress sees to that), or, if streams are not concurrent, in that same one place;
 * - the host has a place for each of its threads;
 * - local memory serves all at once (see LocalMemory);
 * - remote memory has one.
 *
 * Left out: that operations of concurrent streams slow each other down, and which host thread runs
 * what.
 */
class NodeResources
{
  public:
    /// @param concurrentStreams whether nodes on different streams run at once @param hostThreads
    /// host operations at once
    NodeResources(bool concurrentStreams, uint32_t hostThreads);

    /// @param index position of a ready node @param node the node, of compute or memory
    void Add(uint32_t index, const ExecutionNode& node);
    /// @return position of a node that starts now, if any can
    std::optional<uint32_t> TakeNext();
    /// @param node has ended, its place is free
    void End(const ExecutionNode& node);

  private:
    /// Kinds of resource, in the order in which nodes start that can do so at one moment.
    enum Kind : uint32_t
    {
        ACCELERATOR,
        STREAMS,
        HOST,
        LOCAL_MEMORY,
        REMOTE_MEMORY,
        N_KINDS
    };

    /// Runs nodes.
    struct Resource
    {
        uint32_t nFree{1};            ///< places
        GraphProgress::Queue ready{}; ///< nodes that wait for one
    };

    /// @param node a node @return what it runs on
    Kind GetKind(const ExecutionNode& node) const;

    bool m_concurrentStreams;                    ///< whether STREAMS is used
    std::array<Resource, N_KINDS> m_resources{}; ///< by kind
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_NODE_RESOURCES_H
