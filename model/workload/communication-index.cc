/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-index.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace ns3
{
namespace mlcluster
{

uint64_t
CommunicationIndex::Run::GetSize() const
{
    return end - begin;
}

CommunicationIndex::CommunicationIndex(const ExecutionGraph& graph)
{
    struct Place
    {
        uint32_t key;      // in order of appearance
        uint32_t position; // in the graph
        uint64_t bytes;    // of the node
    };

    std::unordered_map<CommunicationKey, uint32_t, CommunicationKeyHash> known;
    std::vector<Place> places;
    for (uint32_t position = 0; position < graph.GetNNodes(); ++position)
    {
        const NodeHandle node = graph.GetNode(position);
        if (node->kind >= NodeKind::Send)
        {
            const auto [entry, isNew] = known.try_emplace(CommunicationKey(*node), known.size());
            places.push_back({entry->second, position, node->bytes});
            if (isNew)
            {
                m_keys.push_back(entry->first);
            }
        }
    }
    std::vector<uint32_t> order(m_keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return m_keys[a] < m_keys[b];
    });
    std::sort(m_keys.begin(), m_keys.end());
    std::vector<uint32_t> runOf(order.size());
    for (uint32_t run = 0; run < order.size(); ++run)
    {
        runOf[order[run]] = run;
    }
    m_first.assign(m_keys.size() + 1, 0);
    for (const auto& place : places)
    {
        ++m_first[runOf[place.key] + 1];
    }
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    m_positions.resize(places.size());
    m_bytes.resize(places.size());
    for (const auto& place : places)
    {
        const uint32_t slot = m_first[runOf[place.key]] + graph.GetOrdinal(place.position);
        m_positions[slot] = place.position;
        m_bytes[slot] = place.bytes;
    }
}

uint32_t
CommunicationIndex::GetNRuns() const
{
    return m_keys.size();
}

CommunicationIndex::Run
CommunicationIndex::GetRun(uint32_t number) const
{
    return {m_positions.data() + m_first[number],
            m_positions.data() + m_first[number + 1],
            m_bytes.data() + m_first[number]};
}

const CommunicationKey&
CommunicationIndex::GetKey(uint32_t number) const
{
    return m_keys[number];
}

CommunicationIndex::Run
CommunicationIndex::Find(const CommunicationKey& key) const
{
    const auto found = std::lower_bound(m_keys.begin(), m_keys.end(), key);
    return found != m_keys.end() && *found == key ? GetRun(found - m_keys.begin())
                                                  : Run{nullptr, nullptr, nullptr};
}

} // namespace mlcluster
} // namespace ns3
