/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-messenger.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

const uint64_t REQUEST_BYTES = 8192;
const uint64_t REQUEST_CONTEXT = 1ULL << 63;

/// @param actions a queue, not empty @return its first entry, taken out
ParityMessenger::Action
TakeFirst(std::deque<ParityMessenger::Action>& actions)
{
    ParityMessenger::Action first = std::move(actions.front());
    actions.pop_front();
    return first;
}

} // namespace

bool
ParityMessenger::Key::operator==(const Key& o) const
{
    return source == o.source && destination == o.destination && bytes == o.bytes && tag == o.tag;
}

std::size_t
ParityMessenger::KeyHash::operator()(const Key& key) const
{
    uint64_t hash = 0;
    for (uint64_t part : {static_cast<uint64_t>(key.source) << 32 | key.destination,
                          key.bytes,
                          key.tag.context,
                          key.tag.index,
                          key.tag.order})
    {
        hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 32;
    }
    return hash;
}

ParityMessenger::ParityMessenger(Ptr<NetworkBackend> network, uint32_t nRanks, bool rendezvous)
    : m_network(network),
      m_nRanks(nRanks),
      m_rendezvous(rendezvous)
{
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        network->SetEndpoint(rank, this);
    }
}

ParityMessenger::~ParityMessenger()
{
    for (uint32_t rank = 0; rank < m_nRanks; ++rank)
    {
        m_network->SetEndpoint(rank, nullptr);
    }
}

ParityMessenger::Key
ParityMessenger::MakeKey(const NetworkMessage& message)
{
    return {message.source, message.destination, message.bytes, message.tag};
}

NetworkMessage
ParityMessenger::MakeRequest(const NetworkMessage& message)
{
    NetworkMessage request = message;
    std::swap(request.source, request.destination);
    request.bytes = REQUEST_BYTES;
    request.tag.context |= REQUEST_CONTEXT;
    return request;
}

void
ParityMessenger::Send(const NetworkMessage& message, Action arrived)
{
    if (!m_rendezvous)
    {
        Start(message, std::move(arrived));
        return;
    }
    Post(MakeRequest(message), [this, message, arrived] { Start(message, arrived); });
}

void
ParityMessenger::Receive(const NetworkMessage& message, Action received)
{
    if (!m_rendezvous)
    {
        Post(message, std::move(received));
        return;
    }
    Start(MakeRequest(message), [this, message, received] { Post(message, received); });
}

void
ParityMessenger::Start(const NetworkMessage& message, Action arrived)
{
    m_pending[MakeKey(message)].sends.push_back(std::move(arrived));
    m_network->Send(message);
}

void
ParityMessenger::Post(const NetworkMessage& message, Action received)
{
    const Key key = MakeKey(message);
    Pending& pending = m_pending[key];
    if (pending.unclaimed == 0)
    {
        pending.receives.push_back(std::move(received));
        return;
    }
    if (--pending.unclaimed == 0 && pending.sends.empty())
    {
        m_pending.erase(key);
    }
    Simulator::ScheduleNow(std::move(received));
}

void
ParityMessenger::MessageLeft(const NetworkMessage&)
{
}

void
ParityMessenger::MessageArrived(const NetworkMessage& message)
{
    const Key key = MakeKey(message);
    Pending& pending = m_pending.at(key);
    const Action arrived = TakeFirst(pending.sends);
    Action received;
    if (pending.receives.empty())
    {
        ++pending.unclaimed;
    }
    else
    {
        received = TakeFirst(pending.receives);
        if (pending.receives.empty() && pending.sends.empty())
        {
            m_pending.erase(key);
        }
    }
    arrived();
    if (received)
    {
        received();
    }
}

} // namespace mlcluster
} // namespace ns3
