/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-mailbox.h"

#include "ns3/diagnostics.h"

#include <set>
#include <string>

namespace ns3
{
namespace mlcluster
{

std::size_t
MessageMailbox::KeyHash::operator()(const Key& key) const
{
    uint64_t hash = key.source;
    for (const uint64_t part : {key.tag.context, key.tag.index, key.tag.order})
    {
        hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
    }
    return hash;
}

MessageMailbox::MessageMailbox(uint32_t rank)
    : m_rank(rank)
{
}

void
MessageMailbox::Expect(const Expectation& expectation)
{
    const auto message = Take(expectation.source, expectation.tag);
    if (!message)
    {
        m_expected.emplace(Key{expectation.source, expectation.tag}, expectation);
        return;
    }
    CheckSize(*message, expectation.bytes, expectation.nodeId);
    expectation.receiver->Received(expectation.cookie, *message);
}

std::optional<NetworkMessage>
MessageMailbox::Take(uint32_t source, const MessageTag& tag)
{
    if (m_arrived.empty())
    {
        return std::nullopt;
    }
    const auto arrived = m_arrived.find({source, tag});
    if (arrived == m_arrived.end())
    {
        return std::nullopt;
    }
    const NetworkMessage message = arrived->second;
    m_arrived.erase(arrived);
    return message;
}

void
MessageMailbox::Arrive(const NetworkMessage& message)
{
    const auto expected = m_expected.find({message.source, message.tag});
    if (expected == m_expected.end())
    {
        m_arrived.emplace(Key{message.source, message.tag}, message);
        return;
    }
    const Expectation expectation = expected->second;
    m_expected.erase(expected);
    CheckSize(message, expectation.bytes, expectation.nodeId);
    expectation.receiver->Received(expectation.cookie, message);
}

std::vector<uint32_t>
MessageMailbox::GetAwaitedRanks(uint64_t nodeId) const
{
    std::set<uint32_t> ranks;
    for (const auto& [key, expectation] : m_expected)
    {
        if (expectation.nodeId == nodeId)
        {
            ranks.insert(key.source);
        }
    }
    return {ranks.begin(), ranks.end()};
}

void
MessageMailbox::CheckSize(const NetworkMessage& message, uint64_t bytes, uint64_t nodeId) const
{
    if (bytes != message.bytes)
    {
        throw InputError("sizes differ: node " + std::to_string(message.nodeId) + " of rank " +
                         std::to_string(message.source) + " sends " +
                         std::to_string(message.bytes) + " B to node " + std::to_string(nodeId) +
                         " of rank " + std::to_string(m_rank) + ", which receives " +
                         std::to_string(bytes) + " B; both must be equal");
    }
}

} // namespace mlcluster
} // namespace ns3
