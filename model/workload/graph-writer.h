/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_WRITER_H
#define ML_CLUSTER_GRAPH_WRITER_H

#include "layer-program.h"
#include "rank-layout.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * Writes the execution graph that the ranks of one pipeline stage share, node by node in the order
 * of the program, ids from 0: a node depends on nodes of lower ids only.
 *
 * An accelerator has one stream of computation that runs in the order of the program, so a compute
 * node depends on the one before it too. Communication runs beside it as soon as what it depends on
 * is there. Collectives of groups of one are left out.
 */
class GraphWriter
{
  public:
    using Ids = std::vector<uint64_t>; ///< ids of nodes

    /// Which steps of a program are run.
    enum class Part
    {
        All,           ///< all
        Input,         ///< those that are not of weight gradients
        WeightGradient ///< those that are, after the others have been
    };

    /// A message along a pipeline.
    struct Transfer
    {
        std::string name; ///< after the prefix
        bool isForward;   ///< goes to the next stage, else to the one before
        uint64_t tag;     ///< equal at both ends
        uint64_t bytes;   ///< size
    };

    /**
     * @param layout the ranks, must outlive this
     * @param firstRingTag tag of the first message that a program sends round a ring; those below
     *        are the pipeline's
     */
    GraphWriter(const RankLayout& layout, uint64_t firstRingTag);

    /// @param prefix put before names of nodes that follow @param repetition of nodes that follow
    /// (see ExecutionNode)
    void SetScope(const std::string& prefix, int32_t repetition);
    const std::string& GetPrefix() const; ///< @return put before names now

    /**
     * Runs a program, or a part of it.
     * @param program the program
     * @param part the part
     * @param input what steps without dependencies wait for
     * @param ids per step its node; filled in for the steps run, kept for the part that follows
     * @return the node whose end is what goes out; `input` if that is not in the part
     */
    Ids Run(const LayerProgram& program, Part part, const Ids& input, Ids& ids);

    /**
     * @param name of the collective, after the prefix
     * @param type operation
     * @param family of its groups; "" for all ranks
     * @param bytes size as Chakra has it
     * @param after nodes it waits for
     * @return the node; none in a group of one
     */
    Ids Collective(const std::string& name,
                   CollectiveType type,
                   const std::string& family,
                   uint64_t bytes,
                   const Ids& after);

    /// @param transfer a message @param after nodes it waits for, beside the last compute node
    void Send(const Transfer& transfer, const Ids& after);
    /// @param transfer a message @return the node, which waits for the last compute node
    Ids Receive(const Transfer& transfer);

    /// @param ids nodes that the next compute node is to wait for too
    void DelayCompute(const Ids& ids);
    /// @return the last compute node; none if there is none yet
    const Ids& GetLastCompute() const;

    const std::set<std::string>& GetFamilies() const; ///< @return families in use so far
    NodeStore TakeNodes();                            ///< @return all nodes; this is empty then

  private:
    /// @param node a node without id @param name its name after the prefix @param after nodes it
    /// waits for @return its id
    uint64_t Add(ExecutionNode node, const std::string& name, const Ids& after);
    /// @param family of groups @param kind Send or Receive @param isForward whether the message
    /// goes to the next member @param tag its tag @param bytes its size @return such a node
    ExecutionNode MakeMessage(const std::string& family,
                              NodeKind kind,
                              bool isForward,
                              uint64_t tag,
                              uint64_t bytes) const;

    const RankLayout& m_layout;       ///< the ranks
    uint64_t m_firstRingTag;          ///< tag of a program's first send
    std::string m_prefix;             ///< before names
    int32_t m_repetition{-1};         ///< of nodes
    Ids m_lastCompute;                ///< last compute node
    Ids m_beforeCompute;              ///< what the next one waits for
    std::set<std::string> m_families; ///< in use
    NodeStore m_nodes;                ///< so far
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_WRITER_H
