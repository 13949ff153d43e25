/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ML_CLUSTER_MESSAGE_HEADER_H
#define ML_CLUSTER_MESSAGE_HEADER_H

#include "network-message.h"

#include "ns3/header.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <ostream>

namespace ns3
{
namespace mlcluster
{

/**
 * @ingroup ml-cluster
 * What a packet of the PacketBackend tells its receiver.
 */
struct PacketFields
{
    /**
     * The message it belongs to, with all the receiver needs to know of it. In an acknowledgement
     * only source (who acknowledges) and destination (who sent the data) count.
     */
    NetworkMessage message;
    /**
     * Position in the window of the pair: data: what was sent before this packet; acknowledgement:
     * what has been received without gap. A packet takes its payload bytes of it, one without
     * payload takes 1.
     */
    uint64_t sequence{0};
    uint64_t payloadBytes{0}; ///< bytes of the message in this packet
    uint32_t number{
        0}; ///< data: packets of the pair before; acknowledgement: of the packet that caused it
    bool isAcknowledgement{false};      ///< acknowledgement, not data
    bool isLast{false};                 ///< data: ends its message
    bool requestAcknowledgement{false}; ///< data: the receiver acknowledges at once

    /// @return what a data packet takes of the window
    uint64_t GetWindowBytes() const
    {
        return payloadBytes > 0 ? payloadBytes : 1;
    }
};

/**
 * @ingroup ml-cluster
 * The header of a packet as bytes, for packet captures and trace sinks, in the form of RoCEv2
 * (InfiniBand Architecture Specification, annex A17): base transport header (12 bytes) with opcode
 * RC SEND Only or RC Acknowledge, the destination's rank as queue pair, the acknowledge request bit
 * and the lower 24 bits of the packet's number as packet sequence number. Data go on with 68 bytes,
 * the other fields, which protocol analysers show as the beginning of the payload; an
 * acknowledgement with the ACK extended transport header (4 bytes) and 12 bytes for the source's
 * rank and the sequence.
 */
class MessageHeader : public Header
{
  public:
    static constexpr uint16_t UDP_PORT = 4791; ///< RoCEv2's port

    static TypeId GetTypeId(); ///< @return the TypeId

    /// @param fields what the header says
    void SetFields(const PacketFields& fields);
    const PacketFields& GetFields() const; ///< @return what the header says

    TypeId GetInstanceTypeId() const override;
    void Print(std::ostream& os) const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;

    /**
     * Makes a packet with Ethernet, IPv4 (rank r is 10.0.0.1 + r), UDP and this header before zeros
     * as payload and a zero invariant CRC after it.
     * @param fields what the header says
     * @param from address of the device that sends on this link
     * @param to address of the device at its far end
     * @return the packet; payload beyond what IPv4's 16-bit length holds is left out
     */
    static Ptr<Packet> MakePacket(const PacketFields& fields, Mac48Address from, Mac48Address to);

  private:
    PacketFields m_fields; ///< what the header says
};

} // namespace mlcluster
} // namespace ns3

#endif // ML_CLUSTER_MESSAGE_HEADER_H
