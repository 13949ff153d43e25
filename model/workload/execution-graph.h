/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_EXECUTION_GRAPH_H
#define ML_CLUSTER_EXECUTION_GRAPH_H

#include "rare-list.h"
#include "shared-text.h"

#include "ns3/collective-type.h"
#include "ns3/diagnostics.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class MessageTally;

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
    std::string group;      ///< communicator group, or family of groups (see ClusterWorkload), as
                            ///< written; "" if none
    int64_t stream{-1};     ///< device stream, see RunsOnStream; -1: none
    int32_t repetition{-1}; ///< which one of equal parts of a step, micro-batch or pass, it is of;
                            ///< -1: none
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
 * The work of one rank: a directed acyclic graph of nodes, sorted by id. Immutable once built, so
 * that ranks with equal work share one.
 *
 * Streams are those of CUDA, strictly in order: a node that runs on one starts when the node before
 * it there, the one of next lower id, has finished, and all that it depends on. So ids must ascend
 * in the order in which the work of a stream was issued. A stream whose order contradicts
 * dependencies, by way of other streams or not, is a cycle.
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

    uint32_t GetNNodes() const; ///< @return number of nodes
    /// @param index position by ascending id @return the node; its dependencies are distinct and
    /// ascend
    const ExecutionNode& GetNode(uint32_t index) const;
    /// @param index position @return positions of the nodes that wait for it
    const uint32_t* ChildrenBegin(uint32_t index) const;
    /// @param index position @return end of that list
    const uint32_t* ChildrenEnd(uint32_t index) const;
    /// @param index position @return number of distinct dependencies
    uint32_t GetNDependencies(uint32_t index) const;
    /// @param index position @return position of the node before it on its stream, or the number of
    /// nodes if there is none
    uint32_t GetPreviousOnStream(uint32_t index) const;
    /// @param index position @return position of the node behind it on its stream, or the number of
    /// nodes if there is none
    uint32_t GetNextOnStream(uint32_t index) const;
    /**
     * The order in which nodes would be issued if each took no time: repeatedly the ready node of
     * lowest id, streams counted. The k-th collective of a group, or send with a tag to a peer, in
     * this order is the k-th on the other ranks too.
     * @return positions
     */
    const std::vector<uint32_t>& GetIssueOrder() const;
    /// @param id an id @return position of the first node with at least this id
    uint32_t FindNode(uint64_t id) const;
    const std::string& GetFile() const; ///< @return name of the source

  private:
    /// @param tally receives duplicate ids
    void SortNodes(MessageTally& tally);
    /// @param tally receives dependencies on missing nodes or on itself
    void ResolveDependencies(MessageTally& tally);
    void LinkStreams(); ///< Finds the neighbours of nodes on their streams.
    /// @param tally receives one cycle, if there is any
    void ComputeIssueOrder(MessageTally& tally);
    /// @param unmet per node, what it waits for that was never met @return the nodes of one cycle
    std::vector<uint32_t> FindCycle(const std::vector<uint32_t>& unmet) const;
    /// @param cycle as FindCycle gives it @return the message for its first node
    std::string DescribeCycle(const std::vector<uint32_t>& cycle) const;
    /// @param index position, may be past the end @param id an id @return whether the node there
    /// has the id
    bool Holds(uint32_t index, uint64_t id) const;
    /// @param index position @return where the node is, for messages
    Diagnostics::Place GetPlace(uint32_t index) const;

    std::vector<ExecutionNode> m_nodes;    ///< by ascending id
    std::vector<uint32_t> m_firstChild;    ///< offsets into m_children, one more than nodes
    std::vector<uint32_t> m_children;      ///< positions
    std::vector<uint32_t> m_nDependencies; ///< per node
    std::vector<uint32_t> m_previous;      ///< GetPreviousOnStream; empty if no node has a stream
    std::vector<uint32_t> m_next;          ///< GetNextOnStream; likewise
    std::vector<uint32_t> m_issueOrder;    ///< positions
    std::string m_file;                    ///< source
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_EXECUTION_GRAPH_H
