/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parity-exchange.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

namespace
{

/// @param size a power of two @return its logarithm
uint32_t
Log2(uint32_t size)
{
    uint32_t result = 0;
    while (size > 1)
    {
        size /= 2;
        ++result;
    }
    return result;
}

/// @param type operation @param steps messages of half an all-reduce @return messages of the
/// operation
uint64_t
CountMessages(CollectiveType type, uint64_t steps)
{
    return type == CollectiveType::AllReduce ? 2 * steps : steps;
}

} // namespace

ParityExchange::ParityExchange(const Endpoint& endpoint,
                               const Task& task,
                               std::function<void()> finished)
    : ParityPhaseRun(endpoint, task, std::move(finished))
{
    Prepare();
}

void
ParityExchange::Prepare()
{
    const CollectiveType type = m_task.phase.type;
    const ParityAlgorithm algorithm = m_task.phase.algorithm;
    const uint64_t n = m_task.ring.size;
    const bool gathers = type == CollectiveType::AllGather;
    m_messageBytes = gathers ? m_task.bytes : m_task.bytes / n;
    m_messagesLeft = CountMessages(type, n - 1);
    m_reducedPerRound = n - 1;
    m_to = GetNeighbour(1, true);
    m_from = GetNeighbour(1, false);
    switch (algorithm.kind)
    {
    case ParityAlgorithm::Kind::Ring:
        if (type == CollectiveType::AllToAll)
        {
            m_messagesLeft = n * (n - 1) / 2;
        }
        break;
    case ParityAlgorithm::Kind::Direct:
        m_window = algorithm.window == 0 ? n - 1 : std::min<uint64_t>(algorithm.window, n - 1);
        m_reducedPerRound = m_task.flat ? (n - 1) * m_window : m_window;
        break;
    case ParityAlgorithm::Kind::HalvingDoubling:
        m_messageBytes = gathers ? m_task.bytes : m_task.bytes / 2;
        m_messagesLeft = CountMessages(type, Log2(m_task.ring.size));
        m_reducedPerRound = Log2(m_task.ring.size) - 1;
        m_doubling = gathers;
        m_distance = gathers ? m_task.ring.size / 2 : 1;
        TakePartner();
        break;
    case ParityAlgorithm::Kind::DoubleBinaryTree:
        break;
    }
}

void
ParityExchange::Start()
{
    for (uint64_t i = 0; i < m_window; ++i)
    {
        Insert();
    }
}

void
ParityExchange::Insert()
{
    if (m_unreduced == 0 && m_reduced == 0)
    {
        m_unreduced = m_window;
        m_reduced = m_reducedPerRound;
        m_oddRound = !m_oddRound;
    }
    m_packets.push_back({m_to, m_from, m_messageBytes});
    bool reduces = false;
    if (m_unreduced > 0)
    {
        --m_unreduced;
    }
    else
    {
        --m_reduced;
        const CollectiveType type = m_task.phase.type;
        reduces = type == CollectiveType::ReduceScatter ||
                  (type == CollectiveType::AllReduce && m_oddRound);
    }
    After(m_messageBytes, reduces, [this] { Ready(); });
    Advance();
}

void
ParityExchange::Ready()
{
    ++m_credits;
    const uint64_t others = m_task.ring.size - 1;
    const bool secondHalf = m_task.phase.algorithm.kind == ParityAlgorithm::Kind::Direct &&
                            m_task.phase.type == CollectiveType::AllReduce &&
                            m_messagesLeft <= others;
    if (secondHalf && m_received < others)
    {
        return;
    }
    const uint64_t tries = secondHalf ? m_window : 1;
    for (uint64_t i = 0; i < tries; ++i)
    {
        TrySend();
    }
    if (m_messagesLeft == 0 && m_credits == m_window)
    {
        Finish();
    }
}

void
ParityExchange::TrySend()
{
    if (m_packets.empty() || m_messagesLeft == 0 || m_credits == 0)
    {
        return;
    }
    const Packet packet = m_packets.front();
    m_packets.pop_front();
    --m_messagesLeft;
    --m_credits;
    Send(packet.to, packet.bytes);
    Receive(packet.from, packet.bytes, [this] {
        ++m_received;
        Insert();
    });
}

void
ParityExchange::Advance()
{
    switch (m_task.phase.algorithm.kind)
    {
    case ParityAlgorithm::Kind::Ring:
    case ParityAlgorithm::Kind::DoubleBinaryTree:
        break;
    case ParityAlgorithm::Kind::Direct:
        m_toSteps = m_toSteps % (m_task.ring.size - 1) + 1;
        m_to = GetNeighbour(m_toSteps, true);
        m_from = GetNeighbour(m_toSteps, false);
        break;
    case ParityAlgorithm::Kind::HalvingDoubling:
        m_distance = m_doubling ? m_distance / 2 : m_distance * 2;
        m_messageBytes = m_doubling ? m_messageBytes * 2 : m_messageBytes / 2;
        if (m_distance == m_task.ring.size && m_task.phase.type == CollectiveType::AllReduce)
        {
            m_doubling = true;
            m_distance /= 2;
            m_messageBytes *= 2;
        }
        TakePartner();
        break;
    }
}

void
ParityExchange::TakePartner()
{
    const uint32_t n = m_task.ring.size;
    if (m_distance > 0 && m_distance < n)
    {
        m_to = m_task.ring.GetRank(m_task.ring.position ^ m_distance);
        m_from = m_to;
    }
}

uint32_t
ParityExchange::GetNeighbour(uint32_t steps, bool forward) const
{
    const uint32_t n = m_task.ring.size;
    const uint32_t upwards = forward == m_task.clockwise ? steps : n - steps;
    return m_task.ring.GetRank((m_task.ring.position + upwards) % n);
}

} // namespace mlcluster
} // namespace ns3
