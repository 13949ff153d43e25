/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_COMMUNICATION_INDEX_H
#define ML_CLUSTER_COMMUNICATION_INDEX_H

#include "execution-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The communication nodes of one graph, ordered by what they are matched by (a collective by its
 * group, a send or receive by peer and tag, and by group if that tells the peer) and then by issue
 * order. Costs one integer a node.
 */
class CommunicationIndex
{
  public:
    /// Nodes that are matched by the same, in issue order, as positions in the graph.
    struct Run
    {
        const uint32_t* begin; ///< first
        const uint32_t* end;   ///< past the last
        /// @return number of nodes
        uint64_t GetSize() const;
    };

    /// @param graph the graph, must outlive this
    explicit CommunicationIndex(const ExecutionGraph& graph);

    CommunicationIndex(const CommunicationIndex&) = delete;            ///< not copied
    CommunicationIndex& operator=(const CommunicationIndex&) = delete; ///< not copied
    CommunicationIndex(CommunicationIndex&&) = default;                ///< moved

    const ExecutionGraph& GetGraph() const;  ///< @return the graph
    const std::vector<Run>& GetRuns() const; ///< @return all runs
    /// @param like a node with kind, group, peer and tag as asked for @return its run, maybe empty
    Run Find(const ExecutionNode& like) const;

  private:
    const ExecutionGraph& m_graph;     ///< the graph
    std::vector<uint32_t> m_positions; ///< positions, run after run
    std::vector<Run> m_runs;           ///< ranges of m_positions
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_COMMUNICATION_INDEX_H
