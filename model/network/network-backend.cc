/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-backend.h"

#include "ns3/diagnostics.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterNetworkBackend");
NS_OBJECT_ENSURE_REGISTERED(NetworkBackend);

TypeId
NetworkBackend::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::NetworkBackend")
            .SetParent<Channel>()
            .SetGroupName("MlCluster")
            .AddTraceSource("MessageSent",
                            "A rank has handed a message to the network.",
                            MakeTraceSourceAccessor(&NetworkBackend::m_sentTrace),
                            "ns3::mlcluster::NetworkBackend::MessageTracedCallback")
            .AddTraceSource("MessageArrived",
                            "The last byte of a message has arrived at its destination.",
                            MakeTraceSourceAccessor(&NetworkBackend::m_arrivedTrace),
                            "ns3::mlcluster::NetworkBackend::MessageTracedCallback");
    return tid;
}

NetworkBackend::NetworkBackend() = default;

NetworkBackend::~NetworkBackend() = default;

void
NetworkBackend::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_endpoints.assign(m_endpoints.size(), nullptr);
    Channel::DoDispose();
}

void
NetworkBackend::SetGraph(std::shared_ptr<const LinkGraph> graph)
{
    NS_LOG_FUNCTION(this << graph.get());
    if (Time::GetResolution() != Time::PS)
    {
        throw InputError("ns-3 does not count time in picoseconds: write "
                         "Time::SetResolution(Time::PS); as the first line of main");
    }
    if (m_graph)
    {
        throw InputError("the network of this backend is built already: make one backend per run");
    }
    m_graph = std::move(graph);
    m_endpoints.assign(m_graph->GetNVertices(), nullptr);
    m_accounts = PairAccounts(m_graph->GetNVertices());
}

const LinkGraph&
NetworkBackend::GetGraph() const
{
    return *m_graph;
}

void
NetworkBackend::SetEndpoint(uint32_t vertex, MessageEndpoint* endpoint)
{
    NS_LOG_FUNCTION(this << vertex << endpoint);
    if (!m_graph || vertex >= m_graph->GetNVertices() || !m_graph->IsEnd(vertex))
    {
        throw InputError("rank " + std::to_string(vertex) +
                         " cannot be connected: the network has " +
                         std::to_string(m_graph ? m_graph->GetNRanks() : 0) +
                         " ranks, and it is no switch that reduces, nor attached");
    }
    m_endpoints[vertex] = endpoint;
}

bool
NetworkBackend::IsConnected(uint32_t vertex) const
{
    return vertex < m_endpoints.size() && m_endpoints[vertex];
}

MessageEndpoint*
NetworkBackend::GetEndpoint(uint32_t vertex, uint32_t other) const
{
    return m_endpoints[m_graph->IsAttachedEnd(other) ? other : vertex];
}

std::string
NetworkBackend::GetEndName(uint32_t vertex) const
{
    const bool isSwitch = vertex < m_endpoints.size() && vertex >= m_graph->GetNRanks();
    return isSwitch ? m_graph->GetVertexName(vertex) : "rank " + std::to_string(vertex);
}

std::optional<int64_t>
NetworkBackend::Send(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.source << message.destination << message.bytes);
    const auto [rank, other] = std::minmax(message.source, message.destination);
    const uint32_t nRanks = m_graph ? m_graph->GetNRanks() : 0;
    if (!IsConnected(rank) || !IsConnected(other) || rank == other || rank >= nRanks ||
        (other >= nRanks && !m_graph->IsAttachedEnd(other) && !m_graph->IsMember(rank, other)))
    {
        throw InputError("node " + std::to_string(message.nodeId) + " sends from " +
                         GetEndName(message.source) + " to " + GetEndName(message.destination) +
                         ": both must be connected ranks below " + std::to_string(nRanks) +
                         ", or one a connected switch of the other or attached, and differ");
    }
    ++m_messagesSent;
    m_accounts.Sent(message);
    m_sentTrace(message);
    return DoSend(message);
}

void
NetworkBackend::NotifyLeft(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.source << message.destination << message.bytes);
    if (MessageEndpoint* endpoint = GetEndpoint(message.source, message.destination))
    {
        endpoint->MessageLeft(message);
    }
}

void
NetworkBackend::NotifyArrived(const NetworkMessage& message)
{
    NS_LOG_FUNCTION(this << message.source << message.destination << message.bytes);
    ++m_messagesArrived;
    m_accounts.Arrived(message);
    m_arrivedTrace(message);
    if (MessageEndpoint* endpoint = GetEndpoint(message.destination, message.source))
    {
        endpoint->MessageArrived(message);
    }
}

std::vector<std::string>
NetworkBackend::CheckAccounts() const
{
    NS_LOG_FUNCTION(this);
    std::vector<std::string> violations;
    CheckPairs(violations);
    if (IsSharing())
    {
        CheckLinks(violations);
    }
    return violations;
}

void
NetworkBackend::CheckPairs(std::vector<std::string>& violations) const
{
    for (const auto& open : m_accounts.GetOpenPairs())
    {
        violations.push_back(GetEndName(open.source) + " to " + GetEndName(open.destination) +
                             ": sent less arrived is " + std::to_string(open.messages) +
                             " messages, " + std::to_string(open.bytes) + " bytes, and must be 0");
    }
}

void
NetworkBackend::CheckLinks(std::vector<std::string>& violations) const
{
    const int64_t now = Simulator::Now().GetPicoSeconds();
    for (const auto& usage : GetLinkUsage())
    {
        const DirectedLink& link = m_graph->GetLink(usage.link);
        const int64_t needed = SerialisationPicoseconds(usage.wireBytes, link.bitRate);
        if (usage.busyPs > now || needed > usage.busyPs)
        {
            violations.push_back("link from " + m_graph->GetVertexName(link.from) + " to " +
                                 m_graph->GetVertexName(link.to) + ": " +
                                 std::to_string(usage.wireBytes) + " bytes, which need " +
                                 std::to_string(needed) + " ps at " + FormatBitRate(link.bitRate) +
                                 ", in a busy time of " + std::to_string(usage.busyPs) + " ps of " +
                                 std::to_string(now) + " ps");
        }
    }
}

std::unique_ptr<const MessageCosts>
NetworkBackend::GetCosts(std::shared_ptr<const LinkGraph> /* graph */) const
{
    return nullptr;
}

LinkBooks*
NetworkBackend::GetPhaseBooks()
{
    return nullptr;
}

void
NetworkBackend::CountComputed(uint64_t messages)
{
    NS_LOG_FUNCTION(this << messages);
    m_messagesSent += messages;
    m_messagesArrived += messages;
}

uint64_t
NetworkBackend::GetMessagesSent() const
{
    return m_messagesSent;
}

uint64_t
NetworkBackend::GetMessagesArrived() const
{
    return m_messagesArrived;
}

std::size_t
NetworkBackend::GetNDevices() const
{
    return 0;
}

Ptr<NetDevice>
NetworkBackend::GetDevice(std::size_t i) const
{
    NS_LOG_FUNCTION(this << i);
    return nullptr;
}

} // namespace mlcluster
} // namespace ns3
