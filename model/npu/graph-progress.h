/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_PROGRESS_H
#define ML_CLUSTER_GRAPH_PROGRESS_H

#include "ns3/execution-graph.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * How far a rank is in its execution graph: which nodes wait, are ready, have started, have
 * finished. A node is ready when all that it depends on has finished, and the node before it on its
 * stream. If each communicator is a queue, a collective waits also for the one before it, in issue
 * order, of its group; since dependencies and streams agree with the issue order, no rank comes to
 * a standstill by itself.
 *
 * Nodes are named by their position, which ascends with their id. Cost: O(log n) a node. Memory is
 * that of the nodes around those that are going on: states are kept in pages of nodes that follow
 * each other, from the first of them that something is known of until the last has finished.
 */
class GraphProgress
{
  public:
    /// Nodes by position, lowest first.
    using Queue = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>;

    /// @param graph the graph, which must outlive this @param queuesCollectives whether each
    /// communicator is a queue
    explicit GraphProgress(const ExecutionGraph& graph, bool queuesCollectives = false);

    bool HasReady() const; ///< @return whether a node is ready that TakeReady has not given yet
    uint32_t TakeReady();  ///< @return the ready node of lowest id, which must exist
    /// @param index a node that starts
    void Start(uint32_t index);
    /// @param index a node that ends; nodes that waited for it alone become ready
    void Finish(uint32_t index);

    uint32_t GetNFinished() const; ///< @return nodes that have finished
    bool IsFinished() const;       ///< @return whether all have
    /// @return the node of lowest id that has started and not finished; if none, the one of lowest
    /// id that has not started; if none, the number of nodes
    uint32_t GetOldest() const;
    /// @param index a node @return whether it has started
    bool HasStarted(uint32_t index) const;
    /// @param index a node @return ids of its dependencies that have not finished
    std::vector<uint64_t> GetUnmetDependencies(uint32_t index) const;
    /// @param index a node @return the node that waits behind it, on its stream or for its
    /// communicator, and for no dependency; the number of nodes if there is none
    uint32_t GetWaitingBehind(uint32_t index) const;

    /// @param nNodes of a graph @return memory, while few of them are going on
    static uint64_t GetMemoryBytes(uint64_t nNodes);

  private:
    /// States of a node.
    enum State : uint8_t
    {
        WAITING,
        STARTED,
        FINISHED
    };

    static constexpr uint32_t PAGE_SIZE = 64; ///< nodes of a page

    /// States of nodes that follow each other.
    struct Page
    {
        std::array<uint32_t, PAGE_SIZE> waitingFor; ///< what has not finished, by node
        std::array<State, PAGE_SIZE> states;        ///< by node
        uint32_t nUnfinished;                       ///< nodes
    };

    /// @param index a node of an unfinished page @return the page, made if there is none yet
    Page& GetPage(uint32_t index);
    /// @param index a node @return its state
    State GetState(uint32_t index) const;
    /// @param index a node @return what it waits for at the beginning
    uint32_t CountAwaited(uint32_t index) const;
    /// @param index a node @return the collective behind it in its communicator, if that is a
    /// queue, or the number of nodes
    uint32_t GetNextOfGroup(uint32_t index) const;
    /// @param index a node, may be the number of nodes; one that it waits for has finished
    void Release(uint32_t index);

    const ExecutionGraph& m_graph;              ///< the graph
    bool m_queuesCollectives;                   ///< whether each communicator is a queue
    std::vector<std::unique_ptr<Page>> m_pages; ///< null where all nodes wait, or have finished
    std::vector<bool> m_isFinished;             ///< by page
    Queue m_ready;                              ///< ready nodes
    uint32_t m_nFinished{0};                    ///< nodes finished
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_PROGRESS_H
