/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINK_GRAPH_H
#define ML_CLUSTER_LINK_GRAPH_H

#include "cluster-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One direction of a link.
 */
struct DirectedLink
{
    uint32_t from;      ///< vertex that sends
    uint32_t to;        ///< vertex that receives
    uint64_t bitRate;   ///< bit/s
    int64_t latencyPs;  ///< propagation delay, ps
    uint32_t dimension; ///< network dimension it belongs to
};

/**
 * @ingroup ml-cluster
 * What exists of a network: vertices (first all ranks, then switches) and directed links, with
 * one route per pair of ranks, and between a switch and its members. Every backend that knows
 * congestion is built from it, so they cannot disagree about what exists.
 *
 * Links of a block (see the manual, "Topology"): Ring: both ways between
 * neighbours (size 2: one link each way; size 1: none); FullyConnected: one for every ordered pair;
 * Switch: one up and one down per member, and one switch vertex per block instance.
 *
 * Routes go dimension by dimension, lowest first: round a ring the shorter way (up, that is
 * towards higher digits, if both are equal), direct, or through the switch. They are computed
 * digit by digit, so memory is linear in ranks and links.
 */
class LinkGraph
{
  public:
    /// @param topology the shape
    explicit LinkGraph(const ClusterTopology& topology);

    const ClusterTopology& GetTopology() const; ///< @return the shape it was built from
    uint32_t GetNRanks() const;    ///< @return number of ranks; these are vertices 0 ... N-1
    uint32_t GetNVertices() const; ///< @return ranks and switches
    uint32_t GetNLinks() const;    ///< @return directed links
    /// @param link index @return the link
    const DirectedLink& GetLink(uint32_t link) const;
    /// @param link index @return index of the link of the opposite direction
    uint32_t GetReverseLink(uint32_t link) const;
    /// @param vertex a vertex @return indices of the links that leave it
    const std::vector<uint32_t>& GetLinksFrom(uint32_t vertex) const;
    /**
     * @param vertex where a message is
     * @param destination rank it goes to, or switch of which vertex is a member; not equal to
     *        vertex
     * @return index of the link to take next
     */
    uint32_t GetNextLink(uint32_t vertex, uint32_t destination) const;
    /**
     * @param source a rank, or a switch
     * @param destination another rank, or a switch of which the source is a member
     * @return the links of the route in order; empty if both are equal
     */
    std::vector<uint32_t> GetRoute(uint32_t source, uint32_t destination) const;

    /// @tparam Visit callable with the index of a link @param source as GetRoute @param destination
    /// likewise @param visit called for each link of the route in order
    template <typename Visit>
    void VisitRoute(uint32_t source, uint32_t destination, const Visit& visit) const
    {
        for (uint32_t vertex = source; vertex != destination;)
        {
            const uint32_t link = GetNextLink(vertex, destination);
            visit(link);
            vertex = m_links[link].to;
        }
    }

    /// @param rank a rank @param vertex a switch @return whether the rank is linked to it
    bool IsMember(uint32_t rank, uint32_t vertex) const;
    /// @param vertex a vertex @return its dimension if it is a switch, -1 if it is a rank
    int32_t GetSwitchDimension(uint32_t vertex) const;
    /// @param vertex a vertex @return "npu 3" or "switch 1.0" (dimension, instance)
    std::string GetVertexName(uint32_t vertex) const;
    uint64_t GetMemoryBytes() const; ///< @return memory that it takes

  private:
    /// @param dimension index; appends its links, by rank and port
    void AddLinks(uint32_t dimension);
    /// @param vertex a switch @param destination a rank @return the link to the member with the
    /// destination's digit
    uint32_t GetLinkDown(uint32_t vertex, uint32_t destination) const;

    ClusterTopology m_topology;                     ///< shape
    std::vector<uint32_t> m_firstLink;              ///< index of the first link, per dimension
    std::vector<DirectedLink> m_links;              ///< by dimension, rank, port (Switch: up, down)
    std::vector<std::vector<uint32_t>> m_linksFrom; ///< per vertex
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINK_GRAPH_H
