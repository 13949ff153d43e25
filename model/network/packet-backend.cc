/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-backend.h"

#include "packet-costs.h"

#include "ns3/data-rate.h"
#include "ns3/diagnostics.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/memory-size.h"
#include "ns3/quantity.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterPacketBackend");
NS_OBJECT_ENSURE_REGISTERED(PacketBackend);

namespace
{

constexpr uint64_t MAX_PAYLOAD_BYTES = uint64_t{1} << 40; ///< keeps windows within 64 bits
constexpr double MAX_WINDOW_BDP = 1e6;                    ///< likewise

} // namespace

TypeId
PacketBackend::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::PacketBackend")
            .SetParent<NetworkBackend>()
            .SetGroupName("MlCluster")
            .AddConstructor<PacketBackend>()
            .AddAttribute("PayloadBytes",
                          "Message bytes in a full packet.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&PacketBackend::m_payloadBytes),
                          MakeUintegerChecker<uint64_t>(1, MAX_PAYLOAD_BYTES))
            .AddAttribute("HeaderBytes",
                          "Further bytes of a data packet on the wire. Default: RoCEv2 with "
                          "preamble and gap 20, Ethernet 14, IPv4 20, UDP 8, base transport "
                          "header 12, invariant CRC 4, frame check sequence 4.",
                          UintegerValue(82),
                          MakeUintegerAccessor(&PacketBackend::m_headerBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AckBytes",
                          "Bytes of an acknowledgement on the wire. Default: as HeaderBytes and 4 "
                          "of the ACK extended transport header. 0: only latency and queues.",
                          UintegerValue(86),
                          MakeUintegerAccessor(&PacketBackend::m_ackBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("AckInterval",
                          "Packets per acknowledgement at most. 0: a quarter of the window.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PacketBackend::m_ackInterval),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SourcePackets",
                          "Packets of its own that an NPU has in one port at most.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&PacketBackend::m_sourcePackets),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("WindowBytes",
                          "Payload in flight between two NPUs at most; one packet may always be. "
                          "0: by WindowBdp.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PacketBackend::m_windowBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("WindowBdp",
                          "Window in bandwidth-delay products of the route, if WindowBytes is 0.",
                          DoubleValue(2.0),
                          MakeDoubleAccessor(&PacketBackend::m_windowBdp),
                          MakeDoubleChecker<double>(0.0, MAX_WINDOW_BDP));
    return tid;
}

PacketBackend::PacketBackend() = default;

PacketBackend::~PacketBackend() = default;

void
PacketBackend::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_nodes = NodeContainer();
    m_devices.clear();
    m_forwarders.clear();
    m_transports.clear();
    NetworkBackend::DoDispose();
}

void
PacketBackend::Build(std::shared_ptr<const LinkGraph> graph, const NodeContainer& npus)
{
    NS_LOG_FUNCTION(this << graph.get());
    SetGraph(graph);
    if (npus.GetN() != graph->GetNRanks())
    {
        throw InputError("the network has " + std::to_string(graph->GetNRanks()) + " ranks, and " +
                         std::to_string(npus.GetN()) + " nodes were given");
    }
    m_nodes = npus;
    m_nodes.Create(graph->GetNVertices() - graph->GetNRanks());
    for (uint32_t vertex = 0; vertex < graph->GetNVertices(); ++vertex)
    {
        m_forwarders.push_back(std::make_unique<PacketForwarder>(graph->GetNRanks()));
    }
    m_devices.resize(graph->GetNLinks());
    for (uint32_t link = 0; link < graph->GetNLinks(); ++link)
    {
        if (!m_devices[link])
        {
            AddLink(link);
        }
    }
    for (uint32_t vertex = 0; vertex < graph->GetNVertices(); ++vertex)
    {
        AddRoutes(vertex);
    }
    for (uint32_t vertex = 0; vertex < graph->GetNVertices(); ++vertex)
    {
        AddTransport(vertex);
    }
}

void
PacketBackend::AddLink(uint32_t link)
{
    auto channel = CreateObject<ClusterLinkChannel>();
    channel->SetAttribute("Delay", TimeValue(PicoSeconds(GetGraph().GetLink(link).latencyPs)));
    for (const uint32_t direction : {link, GetGraph().GetReverseLink(link)})
    {
        m_devices[direction] = MakeDevice(direction);
        m_devices[direction]->Attach(channel);
    }
}

Ptr<ClusterNetDevice>
PacketBackend::MakeDevice(uint32_t link)
{
    const DirectedLink& directed = GetGraph().GetLink(link);
    auto device = CreateObject<ClusterNetDevice>();
    device->SetAttribute("DataRate", DataRateValue(DataRate(directed.bitRate)));
    device->SetAddress(Mac48Address::Allocate());
    m_nodes.Get(directed.from)->AddDevice(device);
    device->SetForwarder(m_forwarders[directed.from].get());
    return device;
}

void
PacketBackend::AddRoutes(uint32_t vertex)
{
    for (uint32_t rank = 0; rank < GetGraph().GetNRanks(); ++rank)
    {
        if (rank != vertex)
        {
            const uint32_t link = GetGraph().GetNextLink(vertex, rank);
            m_forwarders[vertex]->SetRoute(rank, PeekPointer(m_devices[link]));
        }
    }
    for (const uint32_t link : GetGraph().GetLinksFrom(vertex))
    {
        const uint32_t neighbour = GetGraph().GetLink(link).to;
        if (neighbour >= GetGraph().GetNRanks())
        {
            m_forwarders[vertex]->SetRoute(neighbour, PeekPointer(m_devices[link]));
        }
    }
    const bool leadsToEnds =
        vertex < GetGraph().GetNRanks() || GetGraph().GetSwitchDimension(vertex) == 0;
    for (uint32_t end = GetGraph().GetFirstAttachedEnd();
         leadsToEnds && end < GetGraph().GetNVertices();
         ++end)
    {
        const uint32_t link = GetGraph().GetNextLink(vertex, end);
        m_forwarders[vertex]->SetRoute(end, PeekPointer(m_devices[link]));
    }
}

void
PacketBackend::AddTransport(uint32_t vertex)
{
    if (!GetGraph().IsEnd(vertex))
    {
        m_transports.push_back(nullptr);
        return;
    }
    PacketForwarder* forwarder = m_forwarders[vertex].get();
    m_transports.push_back(std::make_unique<PacketTransport>(
        GetParameters(),
        forwarder,
        [this, vertex](uint32_t destination) { return GetWindow(vertex, destination); },
        [this](const NetworkMessage& message) { NotifyLeft(message); },
        [this](const NetworkMessage& message) { NotifyArrived(message); }));
    forwarder->SetTransport(m_transports.back().get());
}

PacketParameters
PacketBackend::GetParameters() const
{
    return {m_payloadBytes,
            m_headerBytes,
            m_ackBytes,
            m_ackInterval,
            m_sourcePackets,
            m_windowBytes,
            m_windowBdp};
}

std::unique_ptr<const MessageCosts>
PacketBackend::GetCosts(std::shared_ptr<const LinkGraph> graph) const
{
    const uint64_t nRanks = graph->GetNRanks();
    const uint64_t nVertices = graph->GetNVertices();
    const uint64_t devices =
        graph->GetNLinks() * (GetHeapBytes(sizeof(ClusterNetDevice)) + 2 * sizeof(void*) +
                              GetHeapBytes(sizeof(ClusterLinkChannel)) / 2);
    const uint64_t tables = nVertices * (GetHeapBytes(sizeof(PacketForwarder)) +
                                         GetHeapBytes(nRanks * sizeof(ClusterNetDevice*)));
    const uint64_t ends = nVertices * GetHeapBytes(sizeof(PacketTransport));
    const uint64_t nodes = (nVertices - nRanks) * GetHeapBytes(sizeof(Node));
    const uint64_t message = m_sourcePackets * GetHeapBytes(sizeof(PacketFrame));
    return std::make_unique<PacketCosts>(std::move(graph),
                                         GetParameters(),
                                         MessageCosts::Memory{devices + tables + ends + nodes,
                                                              PacketTransport::GetPairBytes(),
                                                              message});
}

std::optional<int64_t>
PacketBackend::DoSend(const NetworkMessage& message)
{
    m_transports[message.source]->Send(message);
    return std::nullopt;
}

uint64_t
PacketBackend::GetWindow(uint32_t source, uint32_t destination) const
{
    return GetParameters().GetWindow(GetGraph(), source, destination);
}

std::vector<LinkUsage>
PacketBackend::GetLinkUsage() const
{
    NS_LOG_FUNCTION(this);
    std::vector<LinkUsage> usage(m_devices.size());
    for (uint32_t link = 0; link < usage.size(); ++link)
    {
        const auto& arrivals = m_devices[link]->GetPeer()->GetArrivals();
        usage[link] = {link,
                       arrivals.payloadBytes,
                       arrivals.wireBytes,
                       m_devices[link]->GetBusyPicoseconds(),
                       m_devices[link]->GetMaxQueueBytes()};
    }
    return usage;
}

std::string
PacketBackend::Describe() const
{
    std::ostringstream text;
    text << "PacketBackend PayloadBytes=" << m_payloadBytes << " HeaderBytes=" << m_headerBytes
         << " AckBytes=" << m_ackBytes << " AckInterval=" << m_ackInterval
         << " SourcePackets=" << m_sourcePackets << " WindowBytes=" << m_windowBytes
         << " WindowBdp=" << m_windowBdp;
    return text.str();
}

bool
PacketBackend::IsSharing() const
{
    return true;
}

std::size_t
PacketBackend::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
PacketBackend::GetDevice(std::size_t i) const
{
    return m_devices[i];
}

Ptr<ClusterNetDevice>
PacketBackend::GetLinkDevice(uint32_t link) const
{
    return m_devices[link];
}

const NodeContainer&
PacketBackend::GetNodes() const
{
    return m_nodes;
}

uint64_t
PacketBackend::GetPacketHops() const
{
    uint64_t hops = 0;
    for (const auto& device : m_devices)
    {
        hops += device->GetArrivals().dataPackets;
    }
    return hops;
}

} // namespace mlcluster
} // namespace ns3
