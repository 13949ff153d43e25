/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

NS_OBJECT_ENSURE_REGISTERED(MessageHeader);

namespace
{

constexpr uint8_t OPCODE_SEND_ONLY = 0x04;       ///< reliable connection, SEND Only
constexpr uint8_t OPCODE_ACKNOWLEDGE = 0x11;     ///< reliable connection, Acknowledge
constexpr uint16_t DEFAULT_PARTITION = 0xffff;   ///< partition key
constexpr uint32_t BASE_HEADER_BYTES = 12;       ///< base transport header
constexpr uint32_t MESSAGE_BYTES = 68;           ///< message fields of data
constexpr uint32_t ACKNOWLEDGE_BYTES = 16;       ///< ACK extended header, source, sequence
constexpr uint32_t SYNDROME_ACK = 0x1f000000;    ///< acknowledged, no statement about credits
constexpr uint32_t INVARIANT_CRC_BYTES = 4;      ///< after the payload
constexpr uint32_t FIRST_ADDRESS = 0x0a000001;   ///< 10.0.0.1, rank 0
constexpr uint16_t SOURCE_PORT = 0xc000;         ///< UDP source port
constexpr uint64_t MAX_CAPTURED_PAYLOAD = 65000; ///< with headers below IPv4's 65535
constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;      ///< IPv4 in Ethernet
constexpr uint8_t PROTOCOL_UDP = 17;             ///< UDP in IPv4

} // namespace

TypeId
MessageHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::mlcluster::MessageHeader")
                            .SetParent<Header>()
                            .SetGroupName("MlCluster")
                            .AddConstructor<MessageHeader>();
    return tid;
}

void
MessageHeader::SetFields(const PacketFields& fields)
{
    m_fields = fields;
}

const PacketFields&
MessageHeader::GetFields() const
{
    return m_fields;
}

TypeId
MessageHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

void
MessageHeader::Print(std::ostream& os) const
{
    os << (m_fields.isAcknowledgement ? "ACK " : "DATA ") << m_fields.message.source << " > "
       << m_fields.message.destination << " sequence " << m_fields.sequence;
    if (!m_fields.isAcknowledgement)
    {
        os << " payload " << m_fields.payloadBytes << " of " << m_fields.message.bytes;
    }
}

uint32_t
MessageHeader::GetSerializedSize() const
{
    return BASE_HEADER_BYTES + (m_fields.isAcknowledgement ? ACKNOWLEDGE_BYTES : MESSAGE_BYTES);
}

void
MessageHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteU8(m_fields.isAcknowledgement ? OPCODE_ACKNOWLEDGE : OPCODE_SEND_ONLY);
    start.WriteU8(0);
    start.WriteHtonU16(DEFAULT_PARTITION);
    start.WriteHtonU32(m_fields.message.destination & 0xffffff);
    start.WriteHtonU32((m_fields.requestAcknowledgement ? 0x80000000 : 0) |
                       (m_fields.number & 0xffffff));
    if (m_fields.isAcknowledgement)
    {
        start.WriteHtonU32(SYNDROME_ACK);
        start.WriteHtonU32(m_fields.message.source);
        start.WriteHtonU64(m_fields.sequence);
        return;
    }
    start.WriteHtonU32(m_fields.message.source);
    start.WriteHtonU32(m_fields.isLast ? 1 : 0);
    start.WriteHtonU64(m_fields.sequence);
    start.WriteHtonU64(m_fields.message.bytes);
    start.WriteHtonU64(m_fields.message.tag.context);
    start.WriteHtonU64(m_fields.message.tag.index);
    start.WriteHtonU64(m_fields.message.tag.order);
    start.WriteHtonU64(m_fields.message.nodeId);
    start.WriteHtonU32(m_fields.message.atSwitch.nMembers);
    start.WriteHtonU64(m_fields.message.atSwitch.answerBytes);
}

uint32_t
MessageHeader::Deserialize(Buffer::Iterator start)
{
    m_fields = PacketFields();
    m_fields.isAcknowledgement = start.ReadU8() == OPCODE_ACKNOWLEDGE;
    start.Next(3);
    m_fields.message.destination = start.ReadNtohU32();
    const uint32_t number = start.ReadNtohU32();
    m_fields.requestAcknowledgement = (number & 0x80000000) != 0;
    m_fields.number = number & 0xffffff;
    start.Next(m_fields.isAcknowledgement ? 4 : 0);
    m_fields.message.source = start.ReadNtohU32();
    if (m_fields.isAcknowledgement)
    {
        m_fields.sequence = start.ReadNtohU64();
        return GetSerializedSize();
    }
    m_fields.isLast = start.ReadNtohU32() != 0;
    m_fields.sequence = start.ReadNtohU64();
    m_fields.message.bytes = start.ReadNtohU64();
    m_fields.message.tag.context = start.ReadNtohU64();
    m_fields.message.tag.index = start.ReadNtohU64();
    m_fields.message.tag.order = start.ReadNtohU64();
    m_fields.message.nodeId = start.ReadNtohU64();
    m_fields.message.atSwitch.nMembers = start.ReadNtohU32();
    m_fields.message.atSwitch.answerBytes = start.ReadNtohU64();
    return GetSerializedSize();
}

Ptr<Packet>
MessageHeader::MakePacket(const PacketFields& fields, Mac48Address from, Mac48Address to)
{
    Ptr<Packet> packet =
        Create<Packet>(std::min(fields.payloadBytes, MAX_CAPTURED_PAYLOAD) + INVARIANT_CRC_BYTES);
    MessageHeader header;
    header.SetFields(fields);
    packet->AddHeader(header);

    UdpHeader udp;
    udp.SetSourcePort(SOURCE_PORT);
    udp.SetDestinationPort(UDP_PORT);
    packet->AddHeader(udp);

    Ipv4Header ip;
    ip.SetSource(Ipv4Address(FIRST_ADDRESS + fields.message.source));
    ip.SetDestination(Ipv4Address(FIRST_ADDRESS + fields.message.destination));
    ip.SetProtocol(PROTOCOL_UDP);
    ip.SetTtl(64);
    ip.SetDontFragment();
    ip.SetPayloadSize(packet->GetSize());
    ip.EnableChecksum();
    packet->AddHeader(ip);

    EthernetHeader ethernet(false);
    ethernet.SetSource(from);
    ethernet.SetDestination(to);
    ethernet.SetLengthType(ETHERTYPE_IPV4);
    packet->AddHeader(ethernet);
    return packet;
}

} // namespace mlcluster
} // namespace ns3
