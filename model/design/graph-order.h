/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_GRAPH_ORDER_H
#define ML_CLUSTER_GRAPH_ORDER_H

#include "joined-graphs.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * An order in which the nodes of joined graphs can run, each after what it waits for, and in which
 * what runs one node at a time takes them in issue order. Where ranks would wait for each other for
 * ever that way, a node that is ready goes before those that are not.
 */
class GraphOrder
{
  public:
    using Place = JoinedGraphs::Place; ///< a node

    static constexpr uint32_t NONE = UINT32_MAX; ///< no node

    /// @param graphs the graphs @param queued by joint, the joint that is to run before it, or NONE
    /// @throw InputError naming a node that can never run
    GraphOrder(const JoinedGraphs& graphs, const std::vector<uint32_t>& queued);

    /// @return the nodes, a collective told by its last member only
    const std::vector<Place>& Get() const;
    /// @param number of a node among all @return position, in its part, of the node that runs
    /// before it on what runs one node at a time, or NONE
    uint32_t GetBefore(uint64_t number) const;

  private:
    /// What runs one node of a part at a time. Its nodes are told by their place in issue order.
    struct Lane
    {
        /// Nodes, first one first.
        using Queue = std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>>;

        uint32_t next{0};           ///< the node whose turn it is
        Queue ready{};              ///< nodes that could run
        std::set<uint32_t> early{}; ///< nodes that have run before their turn
        uint32_t last{NONE};        ///< position of the node that has run last
    };

    /// What is derived of an outline.
    struct Links
    {
        std::vector<uint32_t> first; ///< by node, offset of those that wait for it
        std::vector<uint32_t> after; ///< positions of them
        std::vector<uint32_t> turns; ///< by node, its place in its lane
    };

    /// @param outline a graph @return what is derived of it
    static Links MakeLinks(const GraphOutline& outline);
    void Begin();          ///< Finds what nodes wait for, and those that wait for nothing.
    bool GoAhead();        ///< Lets a node run before its turn. @return whether there is one
    void CheckAll() const; ///< @throw InputError if not all nodes have run
    /// @param place a node, all that it waits for has ended
    void Ready(const Place& place);
    /// @param part index @param lane of it; runs those whose turn has come
    void Advance(uint32_t part, Lane& lane);
    /// @param part index @param lane of it @param turn the node that runs
    void Take(uint32_t part, Lane& lane, uint32_t turn);
    /// @param place a node that has ended
    void End(const Place& place);
    /// @param place a node; something that it waits for has ended
    void Release(const Place& place);
    /// @param place a node in a lane @return the lane
    Lane& GetLane(const Place& place);

    const JoinedGraphs& m_graphs;                 ///< the graphs, while this is made
    std::map<const GraphOutline*, Links> m_links; ///< by graph
    std::vector<const Links*> m_linksOf;          ///< by part
    std::vector<uint32_t> m_nAwaited;             ///< by node
    std::vector<uint32_t> m_nMissing;             ///< by joint, members that have not come, and 1
                                                  ///< for a joint before it
    std::vector<uint32_t> m_next;                 ///< by joint, the one that it is before, or NONE
    std::vector<Lane> m_lanes;                    ///< by part and kind
    std::queue<Place> m_running;                  ///< nodes that end next
    std::vector<Place> m_order;                   ///< see Get
    std::vector<uint32_t> m_before;               ///< see GetBefore
    uint64_t m_nEnded{0};                         ///< nodes
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_GRAPH_ORDER_H
