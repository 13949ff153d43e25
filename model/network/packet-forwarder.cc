/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-forwarder.h"

#include "packet-transport.h"

namespace ns3
{
namespace mlcluster
{

PacketForwarder::PacketForwarder(uint32_t nRanks)
    : m_next(nRanks, nullptr)
{
}

void
PacketForwarder::SetTransport(PacketTransport* transport)
{
    m_transport = transport;
}

void
PacketForwarder::SetRoute(uint32_t destination, ClusterNetDevice* device)
{
    if (destination < m_next.size())
    {
        m_next[destination] = device;
    }
    else
    {
        m_switches[destination] = device;
    }
}

ClusterNetDevice*
PacketForwarder::GetNextDevice(const PacketFields& fields) const
{
    const uint32_t destination = fields.message.destination;
    if (destination < m_next.size())
    {
        return m_next[destination];
    }
    const auto found = m_switches.find(destination);
    return found == m_switches.end() ? nullptr : found->second;
}

void
PacketForwarder::Receive(PacketFrame* frame)
{
    ClusterNetDevice* next = GetNextDevice(frame->fields);
    if (next)
    {
        next->Transmit(frame);
    }
    else
    {
        m_transport->Receive(frame->fields);
    }
}

} // namespace mlcluster
} // namespace ns3
