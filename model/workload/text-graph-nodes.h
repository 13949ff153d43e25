/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_TEXT_GRAPH_NODES_H
#define ML_CLUSTER_TEXT_GRAPH_NODES_H

#include "execution-graph.h"
#include "text-graph-options.h"
#include "text-scopes.h"
#include "text-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * The nodes of a graph made from a text workload, numbered from 0 in the order they are added, with
 * times and sizes scaled: cycles times the compute scale times the time of a cycle, and bytes times
 * the communication scale, rounded to nearest. SimAI's ALLGATHER, which counts the whole result,
 * becomes the shard of one rank, rounded up.
 */
class TextGraphNodes
{
  public:
    using Ids = std::vector<uint64_t>; ///< ids of nodes

    /// @param workload the workload @param options how to read it; both must outlive this
    TextGraphNodes(const TextWorkload& workload, const TextGraphOptions& options);

    /// @param pass of the nodes that follow, which is their repetition (see ExecutionNode)
    void SetPass(uint64_t pass);

    /**
     * @param name its name
     * @param cycles its time
     * @param dependencies what it waits for
     * @param stream its stream, -1: none
     * @return its id
     * @throw InputError if its time is beyond what can be counted
     */
    uint64_t AddCompute(const std::string& name,
                        double cycles,
                        const Ids& dependencies,
                        int64_t stream = -1);
    /**
     * Adds time after a collective that keeps no stream busy.
     * @param name its name
     * @param cycles its time, which is not scaled
     * @param dependencies what it waits for
     * @return its id
     */
    uint64_t AddDelay(const std::string& name, double cycles, const Ids& dependencies);
    /**
     * @param name its name
     * @param pass what is communicated; nothing counts as an all-reduce of no bytes
     * @param scope who takes part
     * @param priority as ExecutionNode has it
     * @param dependencies what it waits for
     * @return its id
     * @throw InputError if its size is beyond what can be counted
     */
    uint64_t AddCollective(const std::string& name,
                           const TextPass& pass,
                           const TextScopes::Scope& scope,
                           int32_t priority,
                           const Ids& dependencies);
    /**
     * @param kind Send or Receive
     * @param name its name
     * @param peer the other rank, as an offset
     * @param dependencies what it waits for
     * @return its id; its size is the workload's pipelineBytes
     */
    uint64_t AddTransfer(NodeKind kind,
                         const std::string& name,
                         uint32_t peer,
                         const Ids& dependencies);

    /// @param pass what is communicated @param scope who takes part @return whether there is
    /// something to do: a collective, bytes that scaling leaves, and more than one rank
    bool IsNeeded(const TextPass& pass, const TextScopes::Scope& scope) const;

    const std::vector<ExecutionNode>& Get() const; ///< @return the nodes

  private:
    /// @param kind a kind @param name a name @param dependencies what it waits for @return the new
    /// node
    ExecutionNode& Add(NodeKind kind, const std::string& name, const Ids& dependencies);
    /// @param node a node @param cycles a time @param scale factor @return it in ps
    int64_t ToPicoseconds(const ExecutionNode& node, double cycles, double scale) const;
    /// @param bytes a size @return it scaled
    uint64_t ScaleBytes(uint64_t bytes) const;

    const TextWorkload& m_workload;     ///< the workload
    const TextGraphOptions& m_options;  ///< how to read it
    std::vector<ExecutionNode> m_nodes; ///< the nodes
    int32_t m_pass{-1};                 ///< of nodes
    int64_t m_nDelays{0};               ///< delays so far; each has a stream of its own
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_TEXT_GRAPH_NODES_H
