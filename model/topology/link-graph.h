/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINK_GRAPH_H
#define ML_CLUSTER_LINK_GRAPH_H

#include "cluster-topology.h"
#include "graph-attachment.h"

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
    uint32_t dimension; ///< network dimension it belongs to; their number if it is attached
};

/**
 * @ingroup ml-cluster
 * What exists of a network: vertices (first all ranks, then switches, then what is attached) and
 * directed links, with one route per pair of ranks, between a switch and its members, and between
 * a rank and an attached end. Every backend that knows congestion is built from it, so they cannot
 * disagree about what exists.
 *
 * Links of a block (see the manual, "Topology"): Ring: both ways between
 * neighbours (size 2: one link each way; size 1: none); FullyConnected: one for every ordered pair;
 * Switch: one up and one down per member, and one switch vertex per block instance.
 *
 * Routes go dimension by dimension, lowest first: round a ring the shorter way (up, that is
 * towards higher digits, if both are equal), direct, or through the switch. They are computed
 * digit by digit, so memory is linear in ranks and links. To and from attached ends they go through
 * the switch that the end is linked to and that of the rank in dimension 0.
 */
class LinkGraph
{
  public:
    /**
     * @param topology the shape
     * @param attachment what is attached to it
     * @throw InputError if there are more links than can be numbered, or something is attached and
     *        dimension 0 is no Switch of at least 2
     */
    explicit LinkGraph(const ClusterTopology& topology, GraphAttachment attachment = {});

    const ClusterTopology& GetTopology() const; ///< @return the shape it was built from
    uint32_t GetNRanks() const;    ///< @return number of ranks; these are vertices 0 ... N-1
    uint32_t GetNVertices() const; ///< @return ranks, switches and what is attached
    uint32_t GetNLinks() const;    ///< @return directed links
    /// @param link index @return the link
    const DirectedLink& GetLink(uint32_t link) const;
    /// @param link index @return index of the link of the opposite direction
    uint32_t GetReverseLink(uint32_t link) const;
    /// @param vertex a vertex @return indices of the links that leave it
    const std::vector<uint32_t>& GetLinksFrom(uint32_t vertex) const;
    /**
     * @param vertex where a message is
     * @param destination rank it goes to, switch of which vertex is a member, or attached end; not
     *        equal to vertex
     * @return index of the link to take next
     */
    uint32_t GetNextLink(uint32_t vertex, uint32_t destination) const;
    /**
     * @param source a rank, a switch, or an attached end
     * @param destination another rank, or a switch of which the source is a member, or, from a
     *        rank, an attached end
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

    /// @param rank a rank @param vertex a switch of the topology @return whether the rank is linked
    /// to it
    bool IsMember(uint32_t rank, uint32_t vertex) const;
    /// @param vertex a vertex @return its dimension if it is a switch of the topology, -1 otherwise
    int32_t GetSwitchDimension(uint32_t vertex) const;
    /// @param vertex a vertex @return whether messages may end there: a rank, a switch that reduces
    /// in the network, an attached end
    bool IsEnd(uint32_t vertex) const;
    /// @param vertex a vertex @return whether it is an attached end
    bool IsAttachedEnd(uint32_t vertex) const;
    uint32_t GetFirstAttachedEnd()
        const; ///< @return the first of them, which are the last vertices
    /// @param vertex a vertex @return "npu 3", "switch 1.0" (dimension, instance), or the name of
    /// what is attached
    std::string GetVertexName(uint32_t vertex) const;
    uint64_t GetMemoryBytes() const; ///< @return memory that it takes

  private:
    uint32_t GetFirstAttached() const; ///< @return the first vertex behind those of the topology
    /// @return switches of dimension 0 @throw InputError if it is no Switch of at least 2
    uint32_t CountFirstSwitches() const;
    /// @param dimension index; appends its links, by rank and port
    void AddLinks(uint32_t dimension);
    void AddAttachedLinks(); ///< Appends them: by attached switch, by attached end.
    /// @param vertex where a message is @param destination where it goes, one of both attached
    /// @return as GetNextLink
    uint32_t GetNextAttachedLink(uint32_t vertex, uint32_t destination) const;
    /// @param vertex a switch @param destination a rank @return the link to the member with the
    /// destination's digit
    uint32_t GetLinkDown(uint32_t vertex, uint32_t destination) const;

    ClusterTopology m_topology;                     ///< shape
    GraphAttachment m_attachment;                   ///< what is attached
    uint32_t m_nFirstSwitches;                      ///< of dimension 0; 0 if nothing is attached
    std::vector<uint32_t> m_firstLink;              ///< index of the first link, per dimension, of
                                                    ///< attached switches, of attached ends
    std::vector<DirectedLink> m_links;              ///< by dimension, rank, port (Switch: up,
                                                    ///< down); then attached ones, both ways each
    std::vector<std::vector<uint32_t>> m_linksFrom; ///< per vertex
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINK_GRAPH_H
