/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-graph.h"

#include "ns3/diagnostics.h"
#include "ns3/memory-size.h"

#include <limits>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @return directed links of a dimension
uint64_t
CountLinks(const ClusterTopology& topology, uint32_t dimension)
{
    const auto& shape = topology.GetDimension(dimension);
    const uint64_t ends = shape.block == BuildingBlock::Switch ? 2 : 1;
    return ends * shape.GetLinksPerMember() * topology.GetNRanks();
}

} // namespace

LinkGraph::LinkGraph(const ClusterTopology& topology)
    : m_topology(topology)
{
    uint64_t nLinks = 0;
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        m_firstLink.push_back(static_cast<uint32_t>(nLinks));
        nLinks += CountLinks(topology, k);
        if (nLinks > std::numeric_limits<int32_t>::max())
        {
            throw InputError("topology " + topology.GetNotation() +
                             " has more links than the 2147483647 allowed");
        }
    }
    m_links.reserve(nLinks);
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        AddLinks(k);
    }
    m_linksFrom.resize(topology.GetNVertices());
    for (uint32_t link = 0; link < nLinks; ++link)
    {
        m_linksFrom[m_links[link].from].push_back(link);
    }
}

void
LinkGraph::AddLinks(uint32_t dimension)
{
    const auto& shape = m_topology.GetDimension(dimension);
    const auto add = [&](uint32_t from, uint32_t to) {
        m_links.push_back({from, to, shape.linkBitRate, shape.latencyPs, dimension});
    };
    for (uint32_t rank = 0; rank < m_topology.GetNRanks() && shape.size > 1; ++rank)
    {
        if (shape.block == BuildingBlock::Switch)
        {
            const uint32_t hub = m_topology.GetSwitch(rank, dimension);
            add(rank, hub);
            add(hub, rank);
            continue;
        }
        const uint32_t digit = m_topology.GetDigit(rank, dimension);
        for (uint32_t i = 0; i < shape.GetLinksPerMember(); ++i)
        {
            const bool down = shape.block == BuildingBlock::Ring && i == 1;
            const uint32_t offset = down ? shape.size - 1 : i + 1;
            add(rank, m_topology.WithDigit(rank, dimension, (digit + offset) % shape.size));
        }
    }
}

int32_t
LinkGraph::GetSwitchDimension(uint32_t vertex) const
{
    int32_t dimension = vertex < GetNRanks() ? -1 : m_topology.GetNDimensions() - 1;
    while (dimension >= 0 && vertex < m_topology.GetFirstSwitch(dimension))
    {
        --dimension;
    }
    return dimension;
}

bool
LinkGraph::IsMember(uint32_t rank, uint32_t vertex) const
{
    return m_topology.GetSwitch(rank, GetSwitchDimension(vertex)) == vertex;
}

const ClusterTopology&
LinkGraph::GetTopology() const
{
    return m_topology;
}

uint32_t
LinkGraph::GetNRanks() const
{
    return m_topology.GetNRanks();
}

uint32_t
LinkGraph::GetNVertices() const
{
    return static_cast<uint32_t>(m_linksFrom.size());
}

uint32_t
LinkGraph::GetNLinks() const
{
    return static_cast<uint32_t>(m_links.size());
}

const DirectedLink&
LinkGraph::GetLink(uint32_t link) const
{
    return m_links[link];
}

uint32_t
LinkGraph::GetReverseLink(uint32_t link) const
{
    const DirectedLink& forward = m_links[link];
    if (forward.to >= GetNRanks())
    {
        return link + 1;
    }
    return forward.from >= GetNRanks() ? link - 1 : GetNextLink(forward.to, forward.from);
}

const std::vector<uint32_t>&
LinkGraph::GetLinksFrom(uint32_t vertex) const
{
    return m_linksFrom[vertex];
}

uint32_t
LinkGraph::GetNextLink(uint32_t vertex, uint32_t destination) const
{
    if (vertex >= GetNRanks())
    {
        return GetLinkDown(vertex, destination);
    }
    if (destination >= GetNRanks())
    {
        return m_firstLink[GetSwitchDimension(destination)] + 2 * vertex;
    }
    uint32_t dimension = 0;
    while (m_topology.GetDigit(vertex, dimension) == m_topology.GetDigit(destination, dimension))
    {
        ++dimension;
    }
    const auto& shape = m_topology.GetDimension(dimension);
    const uint32_t first = m_firstLink[dimension];
    if (shape.block == BuildingBlock::Switch)
    {
        return first + 2 * vertex;
    }
    const uint32_t offset = (m_topology.GetDigit(destination, dimension) + shape.size -
                             m_topology.GetDigit(vertex, dimension)) %
                            shape.size;
    const uint32_t port =
        shape.block == BuildingBlock::Ring ? (offset > shape.size / 2 ? 1 : 0) : offset - 1;
    return first + vertex * shape.GetLinksPerMember() + port;
}

uint32_t
LinkGraph::GetLinkDown(uint32_t vertex, uint32_t destination) const
{
    const uint32_t dimension = GetSwitchDimension(vertex);
    const uint32_t stride = m_topology.GetStride(dimension);
    const uint32_t instance = vertex - static_cast<uint32_t>(m_topology.GetFirstSwitch(dimension));
    const uint32_t firstMember =
        instance / stride * stride * m_topology.GetDimension(dimension).size + instance % stride;
    const uint32_t member =
        m_topology.WithDigit(firstMember, dimension, m_topology.GetDigit(destination, dimension));
    return m_firstLink[dimension] + 2 * member + 1;
}

std::vector<uint32_t>
LinkGraph::GetRoute(uint32_t source, uint32_t destination) const
{
    std::vector<uint32_t> route;
    VisitRoute(source, destination, [&](uint32_t link) { route.push_back(link); });
    return route;
}

std::string
LinkGraph::GetVertexName(uint32_t vertex) const
{
    if (vertex < GetNRanks())
    {
        return "npu " + std::to_string(vertex);
    }
    const uint32_t dimension = GetSwitchDimension(vertex);
    return "switch " + std::to_string(dimension) + "." +
           std::to_string(vertex - m_topology.GetFirstSwitch(dimension));
}

uint64_t
LinkGraph::GetMemoryBytes() const
{
    uint64_t bytes = GetContentBytes(m_links) + GetContentBytes(m_linksFrom);
    for (const auto& links : m_linksFrom)
    {
        bytes += GetContentBytes(links);
    }
    return bytes;
}

} // namespace mlcluster
} // namespace ns3
