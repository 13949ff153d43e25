/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_PACKET_TRANSPORT_H
#define ML_CLUSTER_PACKET_TRANSPORT_H

#include "network-message.h"
#include "packet-forwarder.h"
#include "packet-parameters.h"
#include "priority-line.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * One NPU's end of the PacketBackend: cuts messages into packets, bounds what is in flight to each
 * destination by a window, acknowledges what arrives.
 *
 * Sending. Messages to one destination form a pair: they go one after the other, and at most
 * the pair's window of payload is sent but not acknowledged (one packet always may be). Every port
 * takes packets from the message of largest priority, of equals from the oldest, whose pair has an
 * open window; a message that has begun counts as much as the ones that wait for it in its pair. At
 * most SourcePackets
 * of one message wait in the port at a time, the next ones follow when they have left, so that the
 * port never idles while it may send, and forwarded packets and acknowledgements do not wait behind
 * whole windows.
 *
 * Acknowledging. The sender marks the packets to be acknowledged: the last one of every
 * message, every AckInterval-th, and any after which the bytes sent since the last mark leave no
 * room for a full packet in the window. The last rule makes sure that the window opens again
 * whatever the parameters: once all acknowledgements asked for are back, only bytes after the last
 * mark are in flight.
 *
 * The network neither loses nor reorders packets of a pair, which an assertion checks. Left out:
 * retransmission, congestion control (SendState is its place), time for handling packets.
 */
class PacketTransport
{
  public:
    using MessageFunction = std::function<void(const NetworkMessage&)>; ///< told of a message
    using WindowFunction =
        std::function<uint64_t(uint32_t destination)>; ///< bytes in flight allowed to a rank

    /**
     * @param parameters sizes and limits
     * @param forwarder the node's forwarding, which must outlive this
     * @param window asked once per destination for its window in bytes
     * @param left told of messages whose last byte has left the port
     * @param arrived told of messages whose last byte has arrived
     */
    PacketTransport(const PacketParameters& parameters,
                    PacketForwarder* forwarder,
                    WindowFunction window,
                    MessageFunction left,
                    MessageFunction arrived);

    /// @param message a message from this rank; the callbacks follow later, never from within this
    /// call
    void Send(const NetworkMessage& message);

    /// @param fields header of a packet for this rank that has arrived
    void Receive(const PacketFields& fields);

    /// @return memory of a pair of NPUs, at both its ends
    static uint64_t GetPairBytes();

  private:
    struct SendState;

    using Place = std::pair<int64_t, uint64_t>; ///< of a pair at its port: minus priority, and age
                                                ///< of its next message; lowest first

    /// A port of this NPU and who wants to send through it.
    struct Port
    {
        ClusterNetDevice* device{nullptr};      ///< the port
        bool isSending{false};                  ///< own packets wait in it or are being sent
        std::optional<NetworkMessage> finished; ///< message whose last packet is among these
        std::map<Place, SendState*> ready;      ///< pairs that may send
    };

    /// A message that is not sent entirely.
    struct Pending
    {
        NetworkMessage message; ///< what to send
        uint64_t age;           ///< number of the message at this NPU
    };

    /// Sending state towards one destination.
    struct SendState
    {
        Port* port{nullptr};           ///< where its packets leave
        uint64_t windowBytes{0};       ///< most that may be in flight
        uint64_t ackInterval{0};       ///< most packets between marks
        PriorityLine<Pending> pending; ///< messages not begun
        std::optional<Pending> begun;  ///< message that is partly sent
        std::optional<Place> place;    ///< its place at the port, if it may send
        uint64_t offset{0};            ///< bytes of the message begun that are sent
        uint32_t packets{0};           ///< packets sent
        uint64_t sent{0};              ///< window bytes sent
        uint64_t acknowledged{0};      ///< window bytes acknowledged
        uint64_t marked{0};            ///< window bytes sent up to the last mark
        uint64_t sinceMark{0};         ///< packets sent since the last mark
    };

    /// @param destination a rank @return the state towards it, made on first use
    SendState& GetSendState(uint32_t destination);
    /// @param state a pair with something to send @return the message of its next packet
    const Pending& GetNext(const SendState& state) const;
    /// @param state a pair with something to send @return its place at the port
    Place GetPlace(const SendState& state) const;
    /// @param state a pair @return payload of its next packet, bytes
    uint64_t GetNextPayload(const SendState& state) const;
    /// @param state a pair @return whether its next packet may be sent now
    bool MaySend(const SendState& state) const;
    /// @param state a pair; gives it its place at the port if it may send, and fills the port
    void Wake(SendState& state);
    /// @param port a port; if it has sent all before, sends more
    void Fill(Port& port);
    /// @param state a pair that may send @return time from now until the packet has left, ps
    int64_t SendPacket(SendState& state);
    /// @param state a pair @param fields its next packet @return whether to ask for an
    /// acknowledgement, accounted for
    bool Mark(SendState& state, const PacketFields& fields);
    /// @param port a port whose own packets have left
    void PortLeft(Port* port);
    /// @param fields a data packet that has arrived
    void ReceiveData(const PacketFields& fields);
    /// @param fields an acknowledgement that has arrived
    void ReceiveAcknowledgement(const PacketFields& fields);
    /// @param data the packet that asks for it @param sequence what has arrived from its source
    void SendAcknowledgement(const PacketFields& data, uint64_t sequence);
    /// @param fields header @param wireBytes bytes on the wire @return time from now until it has
    /// left, ps
    int64_t Transmit(const PacketFields& fields, uint64_t wireBytes);

    PacketParameters m_parameters;                     ///< sizes and limits
    PacketForwarder* m_forwarder;                      ///< the node's forwarding
    WindowFunction m_window;                           ///< window of a destination
    MessageFunction m_left;                            ///< told of messages that have left
    MessageFunction m_arrived;                         ///< told of messages that have arrived
    uint64_t m_nMessages{0};                           ///< messages sent so far
    std::unordered_map<uint32_t, SendState> m_sending; ///< by destination
    std::unordered_map<uint32_t, uint64_t>
        m_received; ///< window bytes that have arrived, by source
    std::unordered_map<ClusterNetDevice*, Port> m_ports; ///< by device
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_PACKET_TRANSPORT_H
