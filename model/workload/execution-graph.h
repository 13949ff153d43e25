/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXECUTION_GRAPH_H
#define ML_CLUSTER_EXECUTION_GRAPH_H

#include "dependency-rules.h"
#include "execution-node.h"
#include "graph-links.h"
#include "node-children.h"
#include "node-handle.h"
#include "node-store.h"

#include "ns3/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The work of one rank: a directed acyclic graph of nodes, sorted by id. Immutable once built, so
 * that ranks with equal work share one.
 *
 * Streams are those of CUDA, strictly in order: a node that runs on one starts when the node before
 * it there, the one of next lower id, has finished, and all that it depends on. So ids must ascend
 * in the order in which the work of a stream was issued. A stream whose order contradicts
 * dependencies, by way of other streams or not, is a cycle.
 *
 * A graph may be larger than memory: nodes and what ties them to others lie in pages, of which
 * those in use are in memory (see GraphPagePool). Nothing else is held for each node.
 */
class ExecutionGraph
{
  public:
    /**
     * Sorts the nodes, checks them and resolves dependencies.
     * @param nodes the nodes, any order; a dependency given twice counts once
     * @param file name of the source for messages, "" if none
     * @param diagnostics receives duplicate ids, dependencies on missing nodes or on itself, and
     *        cycles of dependencies and streams (with the ids on one cycle); the graph is unusable
     *        if it gained errors
     */
    ExecutionGraph(std::vector<ExecutionNode> nodes,
                   const std::string& file,
                   Diagnostics& diagnostics);

    /**
     * Takes the nodes from where they were gathered.
     * @param nodes the nodes
     * @param rules what is done about dependencies on missing nodes
     * @param file as above
     * @param diagnostics as above
     */
    ExecutionGraph(NodeStore nodes,
                   const DependencyRules& rules,
                   const std::string& file,
                   Diagnostics& diagnostics);

    uint32_t GetNNodes() const; ///< @return number of nodes

    /// @param index position by ascending id @return the node, to be held while it is used; its
    /// dependencies are distinct and ascend
    NodeHandle GetNode(uint32_t index) const
    {
        return m_nodes.Get(index);
    }

    /// @param index position @return positions of the nodes that wait for it
    NodeChildren GetChildren(uint32_t index) const;
    /// @param index position @return number of distinct dependencies
    uint32_t GetNDependencies(uint32_t index) const;
    /// @param index position @return position of the node before it on its stream, or the number of
    /// nodes if there is none
    uint32_t GetPreviousOnStream(uint32_t index) const;
    /// @param index position @return position of the node behind it on its stream, or the number of
    /// nodes if there is none
    uint32_t GetNextOnStream(uint32_t index) const;
    /// @return positions of the nodes without dependencies and without a node before them on their
    /// stream, ascending
    const std::vector<uint32_t>& GetRoots() const;
    /**
     * The order in which nodes would be issued if each took no time: repeatedly the ready node of
     * lowest id, streams counted. The k-th collective of a group, or send with a tag to a peer, in
     * this order is the k-th on the other ranks too.
     * @return positions; not stored, so it takes time and memory
     */
    std::vector<uint32_t> GetIssueOrder() const;
    /**
     * @param index position
     * @return for a collective the number of collectives of the same group before it, for a send or
     * receive that of the same kind, peer and tag before it, in issue order; 0 for others
     */
    uint32_t GetOrdinal(uint32_t index) const;
    /// @return the groups that collectives name, as nodes have them
    const std::vector<SharedText>& GetGroups() const;
    /// @param index position of a collective @return index of its group among GetGroups
    uint32_t GetGroupNumber(uint32_t index) const;
    /// @param index position @return position of the collective behind it in its group, in issue
    /// order; the number of nodes if there is none, or it is no collective
    uint32_t GetNextOfGroup(uint32_t index) const;
    /// @param location see MemoryLocation @return position of the first memory node whose tensor
    /// lies there, or the number of nodes
    uint32_t FindAccess(uint32_t location) const;
    const GraphLinks::Totals& GetTotals() const; ///< @return sums over all nodes
    /// @param id an id @return position of the first node with at least this id
    uint32_t FindNode(uint64_t id) const;
    const std::string& GetFile() const; ///< @return name of the source

  private:
    /// @param index position @return its links, good up to the next page that is touched
    const LinkPage& Touch(uint32_t index) const;

    NodeStore m_nodes;  ///< by ascending id
    GraphLinks m_links; ///< between them
    std::string m_file; ///< source
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXECUTION_GRAPH_H
