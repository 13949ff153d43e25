/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-mailbox.h"

#include "ns3/diagnostics.h"

#include <algorithm>
#include <string>
#include <tuple>

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
    const auto arrived = m_arrived.find({expectation.source, expectation.tag});
    if (arrived == m_arrived.end())
    {
        m_expected.emplace(Key{expectation.source, expectation.tag}, expectation);
        return;
    }
    const NetworkMessage message = arrived->second;
    m_arrived.erase(arrived);
    CheckSize(expectation, message);
    expectation.receiver->Received(expectation.cookie, message);
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
    CheckSize(expectation, message);
    expectation.receiver->Received(expectation.cookie, message);
}

std::vector<MessageMailbox::Expectation>
MessageMailbox::GetWaiting() const
{
    std::vector<Expectation> waiting;
    for (const auto& [key, expectation] : m_expected)
    {
        waiting.push_back(expectation);
    }
    const auto order = [](const Expectation& e) {
        return std::make_tuple(e.nodeId, e.source, e.tag.context, e.tag.index, e.tag.order);
    };
    std::sort(waiting.begin(), waiting.end(), [&](const auto& a, const auto& b) {
        return order(a) < order(b);
    });
    return waiting;
}

void
MessageMailbox::CheckSize(const Expectation& expectation, const NetworkMessage& message) const
{
    if (expectation.bytes != message.bytes)
    {
        throw InputError("sizes differ: node " + std::to_string(message.nodeId) + " of rank " +
                         std::to_string(message.source) + " sends " +
                         std::to_string(message.bytes) + " B to node " +
                         std::to_string(expectation.nodeId) + " of rank " + std::to_string(m_rank) +
                         ", which receives " + std::to_string(expectation.bytes) +
                         " B; both must be equal");
    }
}

} // namespace mlcluster
} // namespace ns3
