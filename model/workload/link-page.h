/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_LINK_PAGE_H
#define ML_CLUSTER_LINK_PAGE_H

#include "graph-page.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace mlcluster
{

class PackedNumbers;

/**
 * @ingroup ml-cluster
 * How nodes that follow each other in an execution graph are tied to others: see ExecutionGraph for
 * the meaning. Nodes of the page go by their place in it, others by their position in the graph.
 */
class LinkPage : public GraphPage
{
  public:
    /// Neighbours of a node on its stream.
    struct OnStream
    {
        uint32_t previous; ///< the one before it, or the number of nodes
        uint32_t next;     ///< the one behind it, or the number of nodes
    };

    /// What a communication node is matched by.
    struct Match
    {
        uint32_t ordinal; ///< how many it is matched after
        uint32_t group;   ///< collective: number of its group; else 0
        uint32_t next;    ///< collective: the one behind it in its group, or the number of nodes
    };

    /// @param first position of the first node @param nNodes of the whole graph
    LinkPage(uint32_t first, uint32_t nNodes);

    /// @param nDependencies of the next node @param begin first of those that wait for it @param
    /// end past the last; before Close only, as are all that follow
    void Add(uint32_t nDependencies, const uint32_t* begin, const uint32_t* end);
    /// @param streams by node of the page; none of them on a stream if it is left out
    void SetStreams(std::vector<OnStream> streams);
    /// @param matches by node of the page; none of them communicates if it is left out
    void SetMatches(std::vector<Match> matches);

    /// @param i a node @return number of distinct dependencies
    uint32_t GetNDependencies(uint32_t i) const
    {
        return m_nDependencies[i];
    }

    /// @param i a node @return first of the nodes that wait for it
    const uint32_t* ChildrenBegin(uint32_t i) const
    {
        return m_children.data() + m_firstChild[i];
    }

    /// @param i a node @return past the last of them
    const uint32_t* ChildrenEnd(uint32_t i) const
    {
        return m_children.data() + m_firstChild[i + 1];
    }

    /// @param i a node @return its neighbours
    OnStream GetOnStream(uint32_t i) const
    {
        return m_streams.empty() ? OnStream{m_nNodes, m_nNodes} : m_streams[i];
    }

    /// @param i a node @return what it is matched by
    Match GetMatch(uint32_t i) const
    {
        return m_matches.empty() ? Match{0, 0, m_nNodes} : m_matches[i];
    }

  protected:
    std::size_t CountBytes() const override;
    void Pack(std::string& bytes) const override;
    void Unpack(const std::string& bytes) override;
    void Clear() override;

  private:
    /// @param bytes receives the neighbour @param i a node @param position of its neighbour, or the
    /// number of nodes
    void PutNeighbour(std::string& bytes, uint32_t i, uint32_t position) const;
    /// @param numbers what PutNeighbour put @param i the node @return the neighbour
    uint32_t TakeNeighbour(PackedNumbers& numbers, uint32_t i) const;

    uint32_t m_first;                      ///< position of the first node
    uint32_t m_nNodes;                     ///< of the graph
    std::vector<uint32_t> m_nDependencies; ///< by node
    std::vector<uint32_t> m_firstChild;    ///< offsets into m_children, one more than nodes
    std::vector<uint32_t> m_children;      ///< positions
    std::vector<OnStream> m_streams;       ///< by node; empty if none is on a stream
    std::vector<Match> m_matches;          ///< by node; empty if none communicates
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_LINK_PAGE_H
