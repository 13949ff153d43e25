/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-transport.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/memory-size.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterPacketTransport");

PacketTransport::PacketTransport(const PacketParameters& parameters,
                                 PacketForwarder* forwarder,
                                 WindowFunction window,
                                 MessageFunction left,
                                 MessageFunction arrived)
    : m_parameters(parameters),
      m_forwarder(forwarder),
      m_window(std::move(window)),
      m_left(std::move(left)),
      m_arrived(std::move(arrived))
{
}

uint64_t
PacketTransport::GetPairBytes()
{
    return GetHashNodeBytes(sizeof(uint64_t) + sizeof(SendState)) +
           GetHashNodeBytes(2 * sizeof(uint64_t)) + GetHeapBytes(sizeof(Pending));
}

PacketTransport::SendState&
PacketTransport::GetSendState(uint32_t destination)
{
    const auto [entry, isNew] = m_sending.try_emplace(destination);
    SendState& state = entry->second;
    if (isNew)
    {
        PacketFields fields;
        fields.message.destination = destination;
        ClusterNetDevice* device = m_forwarder->GetNextDevice(fields);
        state.port = &m_ports[device];
        state.port->device = device;
        state.windowBytes = m_window(destination);
        state.ackInterval = m_parameters.GetAckInterval(state.windowBytes);
    }
    return state;
}

void
PacketTransport::Send(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.source << message.destination << message.bytes);
    SendState& state = GetSendState(message.destination);
    state.pending.Push({message, m_nMessages++}, message.priority);
    Wake(state);
}

const PacketTransport::Pending&
PacketTransport::GetNext(const SendState& state) const
{
    return state.begun ? *state.begun : state.pending.GetFirst();
}

PacketTransport::Place
PacketTransport::GetPlace(const SendState& state) const
{
    const Pending& next = GetNext(state);
    const int32_t waiting =
        state.pending.IsEmpty() ? next.message.priority : state.pending.GetFirst().message.priority;
    return {-int64_t{std::max(waiting, next.message.priority)}, next.age};
}

uint64_t
PacketTransport::GetNextPayload(const SendState& state) const
{
    return std::min(GetNext(state).message.bytes - state.offset, m_parameters.payloadBytes);
}

bool
PacketTransport::MaySend(const SendState& state) const
{
    if (!state.begun && state.pending.IsEmpty())
    {
        return false;
    }
    const uint64_t inFlight = state.sent - state.acknowledged;
    const uint64_t next = std::max<uint64_t>(GetNextPayload(state), 1);
    return inFlight == 0 || inFlight + next <= state.windowBytes;
}

void
PacketTransport::Wake(SendState& state)
{
    const auto place = MaySend(state) ? std::optional(GetPlace(state)) : std::nullopt;
    if (place != state.place)
    {
        if (state.place)
        {
            state.port->ready.erase(*state.place);
        }
        if (place)
        {
            state.port->ready.emplace(*place, &state);
        }
        state.place = place;
    }
    Fill(*state.port);
}

void
PacketTransport::Fill(Port& port)
{
    if (port.isSending || port.ready.empty())
    {
        return;
    }
    port.isSending = true;
    SendState& state = *port.ready.begin()->second;
    int64_t leavesPs = 0;
    for (uint32_t i = 0; i < m_parameters.sourcePackets && !port.finished && MaySend(state); ++i)
    {
        leavesPs = SendPacket(state);
    }
    Wake(state);
    Simulator::Schedule(TimeStep(leavesPs), &PacketTransport::PortLeft, this, &port);
}

int64_t
PacketTransport::SendPacket(SendState& state)
{
    if (!state.begun)
    {
        state.begun = state.pending.Pop();
    }
    const NetworkMessage& message = state.begun->message;
    PacketFields fields;
    fields.message = message;
    fields.payloadBytes = GetNextPayload(state);
    fields.sequence = state.sent;
    fields.number = state.packets++;
    state.offset += fields.payloadBytes;
    state.sent += fields.GetWindowBytes();
    fields.isLast = state.offset == message.bytes;
    fields.requestAcknowledgement = Mark(state, fields);
    if (fields.isLast)
    {
        state.port->finished = message;
        state.begun.reset();
        state.offset = 0;
    }
    return Transmit(fields, fields.payloadBytes + m_parameters.headerBytes);
}

bool
PacketTransport::Mark(SendState& state, const PacketFields& fields)
{
    const uint64_t unmarked = state.sent - state.marked;
    ++state.sinceMark;
    const bool mark = fields.isLast || state.sinceMark >= state.ackInterval ||
                      unmarked + m_parameters.payloadBytes > state.windowBytes;
    if (mark)
    {
        state.marked = state.sent;
        state.sinceMark = 0;
    }
    return mark;
}

void
PacketTransport::PortLeft(Port* port)
{
    NS_LOG_FUNCTION(this << port->device);
    const auto finished = std::exchange(port->finished, std::nullopt);
    port->isSending = false;
    Fill(*port);
    if (finished)
    {
        m_left(*finished);
    }
}

void
PacketTransport::Receive(const PacketFields& fields)
{
    if (fields.isAcknowledgement)
    {
        ReceiveAcknowledgement(fields);
    }
    else
    {
        ReceiveData(fields);
    }
}

void
PacketTransport::ReceiveData(const PacketFields& fields)
{
    uint64_t& received = m_received[fields.message.source];
    NS_ASSERT_MSG(fields.sequence == received, "packets of a pair arrive in order");
    received += fields.GetWindowBytes();
    if (fields.requestAcknowledgement)
    {
        SendAcknowledgement(fields, received);
    }
    if (fields.isLast)
    {
        m_arrived(fields.message);
    }
}

void
PacketTransport::SendAcknowledgement(const PacketFields& data, uint64_t sequence)
{
    PacketFields fields;
    fields.message.source = data.message.destination;
    fields.message.destination = data.message.source;
    fields.isAcknowledgement = true;
    fields.sequence = sequence;
    fields.number = data.number;
    Transmit(fields, m_parameters.ackBytes);
}

void
PacketTransport::ReceiveAcknowledgement(const PacketFields& fields)
{
    SendState& state = m_sending.at(fields.message.source);
    state.acknowledged = fields.sequence;
    Wake(state);
}

int64_t
PacketTransport::Transmit(const PacketFields& fields, uint64_t wireBytes)
{
    const Ptr<PacketFrame> frame = Create<PacketFrame>();
    frame->fields = fields;
    frame->wireBytes = wireBytes;
    return m_forwarder->GetNextDevice(fields)->Transmit(PeekPointer(frame));
}

} // namespace mlcluster
} // namespace ns3
