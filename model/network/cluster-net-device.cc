/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-net-device.h"

#include "packet-forwarder.h"

#include "ns3/diagnostics.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterNetDevice");
NS_OBJECT_ENSURE_REGISTERED(ClusterNetDevice);

TypeId
ClusterNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::ClusterNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("MlCluster")
            .AddConstructor<ClusterNetDevice>()
            .AddAttribute("DataRate",
                          "Rate at which the port sends.",
                          DataRateValue(DataRate("400Gbps")),
                          MakeDataRateAccessor(&ClusterNetDevice::SetDataRate,
                                               &ClusterNetDevice::GetDataRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "Mtu",
                "Largest packet other protocols may hand to Send, in bytes.",
                UintegerValue(9000),
                MakeUintegerAccessor(&ClusterNetDevice::SetMtu, &ClusterNetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("Address",
                          "Address of the device.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&ClusterNetDevice::m_address),
                          MakeMac48AddressChecker())
            .AddTraceSource("PhyTxBegin",
                            "The first byte of a packet leaves.",
                            MakeTraceSourceAccessor(&ClusterNetDevice::m_phyTxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "The last byte of a packet has arrived.",
                            MakeTraceSourceAccessor(&ClusterNetDevice::m_phyRxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A packet, with all its headers, begins to leave or has arrived.",
                            MakeTraceSourceAccessor(&ClusterNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

ClusterNetDevice::ClusterNetDevice() = default;

ClusterNetDevice::~ClusterNetDevice() = default;

void
ClusterNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_channel = nullptr;
    m_forwarder = nullptr;
    m_node = nullptr;
    m_receiveCallback.Nullify();
    m_promiscCallback.Nullify();
    NetDevice::DoDispose();
}

void
ClusterNetDevice::Attach(Ptr<ClusterLinkChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    m_channel->Attach(this);
    m_linkChange();
}

void
ClusterNetDevice::SetDataRate(DataRate rate)
{
    NS_LOG_FUNCTION(this << rate);
    if (rate.GetBitRate() == 0)
    {
        throw InputError("the DataRate of a ClusterNetDevice must be above 0bps");
    }
    m_dataRate = rate;
    m_lastBytes = 0;
    m_lastSerialisationPs = 0;
}

DataRate
ClusterNetDevice::GetDataRate() const
{
    return m_dataRate;
}

void
ClusterNetDevice::SetForwarder(PacketForwarder* forwarder)
{
    NS_LOG_FUNCTION(this << forwarder);
    m_forwarder = forwarder;
}

int64_t
ClusterNetDevice::Transmit(PacketFrame* frame)
{
    NS_LOG_FUNCTION(this << frame);
    const int64_t now = Simulator::Now().GetTimeStep();
    const int64_t start = std::max(now, m_idlePs);
    const int64_t serialisation = GetSerialisation(frame->wireBytes);
    m_idlePs = GetEnd(start, serialisation, [&] {
        return "a packet of " + FormatBytes(frame->wireBytes) + " at " +
               FormatBitRate(m_dataRate.GetBitRate());
    });
    m_sentPs += serialisation;
    const int64_t backlog = m_idlePs - now;
    m_maxBacklogPs = std::max(m_maxBacklogPs, backlog);
    if (!m_promiscSnifferTrace.IsEmpty() || !m_phyTxBeginTrace.IsEmpty())
    {
        TraceTransmission(frame, start - now);
    }
    m_channel->Carry(this, frame, backlog);
    return backlog;
}

int64_t
ClusterNetDevice::GetSerialisation(uint64_t bytes)
{
    if (bytes != m_lastBytes)
    {
        m_lastBytes = bytes;
        m_lastSerialisationPs = SerialisationPicoseconds(bytes, m_dataRate.GetBitRate());
    }
    return m_lastSerialisationPs;
}

void
ClusterNetDevice::Receive(PacketFrame* frame)
{
    NS_LOG_FUNCTION(this << frame);
    m_arrivals.wireBytes += frame->wireBytes;
    if (!m_promiscSnifferTrace.IsEmpty() || !m_phyRxEndTrace.IsEmpty())
    {
        const Ptr<const Packet> packet = MakePacket(frame, GetPeer()->m_address, m_address);
        m_phyRxEndTrace(packet);
        m_promiscSnifferTrace(packet);
    }
    if (frame->foreign)
    {
        ReceiveForeign(frame);
        return;
    }
    m_arrivals.payloadBytes += frame->fields.payloadBytes;
    m_arrivals.dataPackets += frame->fields.isAcknowledgement ? 0 : 1;
    m_forwarder->Receive(frame);
}

void
ClusterNetDevice::ReceiveForeign(const PacketFrame* frame)
{
    NS_LOG_FUNCTION(this << frame);
    const Ptr<Packet> packet = frame->foreign->Copy();
    EthernetHeader header(false);
    packet->RemoveHeader(header);
    const uint16_t protocol = header.GetLengthType();
    if (!m_promiscCallback.IsNull())
    {
        m_promiscCallback(this,
                          packet,
                          protocol,
                          header.GetSource(),
                          header.GetDestination(),
                          NetDevice::PACKET_HOST);
    }
    if (!m_receiveCallback.IsNull())
    {
        m_receiveCallback(this, packet, protocol, header.GetSource());
    }
}

Ptr<const Packet>
ClusterNetDevice::MakePacket(const PacketFrame* frame, Mac48Address from, Mac48Address to)
{
    return frame->foreign ? frame->foreign : MessageHeader::MakePacket(frame->fields, from, to);
}

void
ClusterNetDevice::TraceTransmission(const PacketFrame* frame, int64_t startPs)
{
    const Ptr<const Packet> packet = MakePacket(frame, m_address, GetPeer()->m_address);
    Simulator::Schedule(TimeStep(startPs), &ClusterNetDevice::NotifyTransmission, this, packet);
}

void
ClusterNetDevice::NotifyTransmission(Ptr<const Packet> packet)
{
    m_phyTxBeginTrace(packet);
    m_promiscSnifferTrace(packet);
}

int64_t
ClusterNetDevice::GetBusyPicoseconds() const
{
    const int64_t waiting = m_idlePs - Simulator::Now().GetTimeStep();
    return m_sentPs - std::max<int64_t>(waiting, 0);
}

uint64_t
ClusterNetDevice::GetMaxQueueBytes() const
{
    __extension__ typedef unsigned __int128 Product;
    constexpr uint64_t PS_PER_BYTE_AND_BIT_RATE = 8000000000000;
    const Product work = static_cast<Product>(m_maxBacklogPs) * m_dataRate.GetBitRate();
    return static_cast<uint64_t>((work + PS_PER_BYTE_AND_BIT_RATE - 1) / PS_PER_BYTE_AND_BIT_RATE);
}

const ClusterNetDevice::Arrivals&
ClusterNetDevice::GetArrivals() const
{
    return m_arrivals;
}

Ptr<ClusterNetDevice>
ClusterNetDevice::GetPeer() const
{
    return m_channel ? m_channel->GetPeer(this) : nullptr;
}

bool
ClusterNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

bool
ClusterNetDevice::SendFrom(Ptr<Packet> packet,
                           const Address& source,
                           const Address& dest,
                           uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocolNumber);
    if (!IsLinkUp() || packet->GetSize() > m_mtu)
    {
        return false;
    }
    EthernetHeader header(false);
    header.SetSource(Mac48Address::ConvertFrom(source));
    header.SetDestination(Mac48Address::ConvertFrom(dest));
    header.SetLengthType(protocolNumber);
    const Ptr<PacketFrame> frame = Create<PacketFrame>();
    frame->foreign = packet->Copy();
    frame->foreign->AddHeader(header);
    frame->wireBytes = frame->foreign->GetSize() + ETHERNET_EXTRA_BYTES;
    Transmit(PeekPointer(frame));
    return true;
}

void
ClusterNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
ClusterNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
ClusterNetDevice::GetChannel() const
{
    return m_channel;
}

void
ClusterNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
ClusterNetDevice::GetAddress() const
{
    return m_address;
}

bool
ClusterNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
ClusterNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
ClusterNetDevice::IsLinkUp() const
{
    return GetPeer() != nullptr;
}

void
ClusterNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
ClusterNetDevice::IsBroadcast() const
{
    return true;
}

Address
ClusterNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
ClusterNetDevice::IsMulticast() const
{
    return true;
}

Address
ClusterNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
ClusterNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
ClusterNetDevice::IsBridge() const
{
    return false;
}

bool
ClusterNetDevice::IsPointToPoint() const
{
    return true;
}

Ptr<Node>
ClusterNetDevice::GetNode() const
{
    return m_node;
}

void
ClusterNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
ClusterNetDevice::NeedsArp() const
{
    return false;
}

void
ClusterNetDevice::SetReceiveCallback(ReceiveCallback cb)
{
    m_receiveCallback = cb;
}

void
ClusterNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscCallback = cb;
}

bool
ClusterNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace mlcluster
} // namespace ns3
