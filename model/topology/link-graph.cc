/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-graph.h"

#include "ns3/diagnostics.h"
#include "ns3/memory-size.h"

#include <algorithm>
#include <limits>
#include <utility>

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

LinkGraph::LinkGraph(const ClusterTopology& topology, GraphAttachment attachment)
    : m_topology(topology),
      m_attachment(std::move(attachment)),
      m_nFirstSwitches(CountFirstSwitches())
{
    const uint64_t nSwitches = m_attachment.switches.size();
    const uint64_t nEnds = m_attachment.ends.size();
    uint64_t nLinks = 0;
    const auto addLinks = [&](uint64_t count) {
        m_firstLink.push_back(static_cast<uint32_t>(nLinks));
        nLinks += count;
        if (nLinks > std::numeric_limits<int32_t>::max())
        {
            throw InputError("topology " + topology.GetNotation() +
                             " has more links than the 2147483647 allowed");
        }
    };
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        addLinks(CountLinks(topology, k));
    }
    addLinks(2 * nSwitches * m_nFirstSwitches);
    addLinks(2 * nEnds);
    m_links.reserve(nLinks);
    for (uint32_t k = 0; k < topology.GetNDimensions(); ++k)
    {
        AddLinks(k);
    }
    AddAttachedLinks();
    m_linksFrom.resize(topology.GetNVertices() + nSwitches + nEnds);
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

uint32_t
LinkGraph::CountFirstSwitches() const
{
    if (m_attachment.ends.empty())
    {
        return 0;
    }
    const auto& shape = m_topology.GetDimension(0);
    if (shape.block != BuildingBlock::Switch || shape.size < 2)
    {
        throw InputError("topology " + m_topology.GetNotation() + ": " +
                         m_attachment.ends.front().name +
                         " is to be attached to the switches of dimension 0, which is no Switch of "
                         "at least 2");
    }
    return m_topology.GetNRanks() / shape.size;
}

void
LinkGraph::AddAttachedLinks()
{
    const uint32_t dimension = m_topology.GetNDimensions();
    const auto add = [&](uint32_t one, uint32_t other, uint64_t bitRate, int64_t latencyPs) {
        m_links.push_back({one, other, bitRate, latencyPs, dimension});
        m_links.push_back({other, one, bitRate, latencyPs, dimension});
    };
    const auto firstSwitch = static_cast<uint32_t>(m_topology.GetFirstSwitch(0));
    uint32_t vertex = GetFirstAttached();
    for (const auto& attached : m_attachment.switches)
    {
        for (uint32_t i = 0; i < m_nFirstSwitches; ++i)
        {
            add(vertex, firstSwitch + i, attached.bitRate, attached.latencyPs);
        }
        ++vertex;
    }
    for (const auto& end : m_attachment.ends)
    {
        add(vertex++, GetFirstAttached() + end.atSwitch, end.bitRate, end.latencyPs);
    }
}

uint32_t
LinkGraph::GetFirstAttached() const
{
    return static_cast<uint32_t>(m_topology.GetNVertices());
}

uint32_t
LinkGraph::GetFirstAttachedEnd() const
{
    return GetFirstAttached() + static_cast<uint32_t>(m_attachment.switches.size());
}

bool
LinkGraph::IsAttachedEnd(uint32_t vertex) const
{
    return vertex >= GetFirstAttachedEnd();
}

bool
LinkGraph::IsEnd(uint32_t vertex) const
{
    const int32_t dimension = GetSwitchDimension(vertex);
    return vertex < GetNRanks() || IsAttachedEnd(vertex) ||
           (dimension >= 0 && m_topology.GetDimension(dimension).inNetwork.enabled);
}

int32_t
LinkGraph::GetSwitchDimension(uint32_t vertex) const
{
    const bool isSwitch = vertex >= GetNRanks() && vertex < GetFirstAttached();
    int32_t dimension = isSwitch ? m_topology.GetNDimensions() - 1 : -1;
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
    const uint32_t firstAttached = m_firstLink[m_topology.GetNDimensions()];
    if (link >= firstAttached)
    {
        return firstAttached + ((link - firstAttached) ^ 1);
    }
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
    if (std::max(vertex, destination) >= GetFirstAttached())
    {
        return GetNextAttachedLink(vertex, destination);
    }
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
LinkGraph::GetNextAttachedLink(uint32_t vertex, uint32_t destination) const
{
    const uint32_t firstOfSwitches = m_firstLink[m_topology.GetNDimensions()];
    const uint32_t firstOfEnds = m_firstLink[m_topology.GetNDimensions() + 1];
    const uint32_t nodeSize = m_topology.GetDimension(0).size;
    if (IsAttachedEnd(vertex))
    {
        return firstOfEnds + 2 * (vertex - GetFirstAttachedEnd());
    }
    if (vertex < GetNRanks())
    {
        return m_firstLink[0] + 2 * vertex;
    }
    const auto between = [&](uint32_t attached, uint32_t node) {
        return firstOfSwitches + 2 * (attached * m_nFirstSwitches + node);
    };
    if (!IsAttachedEnd(destination))
    {
        return between(vertex - GetFirstAttached(), destination / nodeSize);
    }
    const uint32_t end = destination - GetFirstAttachedEnd();
    return vertex >= GetFirstAttached()
               ? firstOfEnds + 2 * end + 1
               : between(m_attachment.ends[end].atSwitch,
                         vertex - static_cast<uint32_t>(m_topology.GetFirstSwitch(0))) +
                     1;
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
    if (IsAttachedEnd(vertex))
    {
        return m_attachment.ends[vertex - GetFirstAttachedEnd()].name;
    }
    if (vertex >= GetFirstAttached())
    {
        return m_attachment.switches[vertex - GetFirstAttached()].name;
    }
    const uint32_t dimension = GetSwitchDimension(vertex);
    return "switch " + std::to_string(dimension) + "." +
           std::to_string(vertex - m_topology.GetFirstSwitch(dimension));
}

uint64_t
LinkGraph::GetMemoryBytes() const
{
    uint64_t bytes = GetContentBytes(m_links) + GetContentBytes(m_linksFrom) +
                     GetContentBytes(m_attachment.switches) + GetContentBytes(m_attachment.ends);
    for (const auto& links : m_linksFrom)
    {
        bytes += GetContentBytes(links);
    }
    return bytes;
}

} // namespace mlcluster
} // namespace ns3
