/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "analytical-channel.h"

#include "analytical-costs.h"

#include "ns3/boolean.h"
#include "ns3/diagnostics.h"
#include "ns3/event-impl.h"
#include "ns3/log.h"
#include "ns3/memory-size.h"
#include "ns3/node.h"
#include "ns3/quantity.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <array>
#include <string>

namespace ns3
{
namespace mlcluster
{

NS_LOG_COMPONENT_DEFINE("MlClusterAnalyticalChannel");
NS_OBJECT_ENSURE_REGISTERED(AnalyticalChannel);

namespace
{

__extension__ typedef unsigned __int128 uint128;

constexpr uint64_t BITS_PS = 8'000'000'000'000; // a byte's bits, times the picoseconds of a second
constexpr int64_t PS_PER_NS = 1000;

int64_t
Now()
{
    return Simulator::Now().GetPicoSeconds();
}

int64_t
Add(int64_t time, int64_t duration, uint64_t bytes, uint64_t bitRate)
{
    return GetEnd(time, duration, [=] {
        return "a message of " + FormatBytes(bytes) + " over a link of " + FormatBitRate(bitRate);
    });
}

bool
IsSecond(const std::string& attribute,
         const std::string& value,
         const std::array<std::string, 2>& allowed)
{
    if (value != allowed[0] && value != allowed[1])
    {
        throw InputError("ns3::mlcluster::AnalyticalChannel::" + attribute + ": \"" + value +
                         "\" is none of " + allowed[0] + ", " + allowed[1]);
    }
    return value == allowed[1];
}

} // namespace

/**
 * @ingroup ml-cluster
 * A message on its way, and its next event.
 */
class AnalyticalChannel::Flight : public EventImpl
{
  public:
    /// @param c the channel, which outlives its events @param m the message, at its source
    Flight(AnalyticalChannel* c, const NetworkMessage& m)
        : channel(c),
          message(m),
          vertex(m.source)
    {
    }

    AnalyticalChannel* const channel; ///< where it flies
    const NetworkMessage message;     ///< what flies
    uint32_t vertex;                  ///< where its head is, or will be at its next event
    int64_t tailAt{0};                ///< when its tail is at vertex, ps

  protected:
    void Notify() override
    {
        channel->Proceed(this);
    }
};

TypeId
AnalyticalChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::mlcluster::AnalyticalChannel")
            .SetParent<NetworkBackend>()
            .SetGroupName("MlCluster")
            .AddConstructor<AnalyticalChannel>()
            .AddAttribute("Congestion",
                          "Links: each link serves messages first come, first served; None: no "
                          "message waits.",
                          StringValue("Links"),
                          MakeStringAccessor(&AnalyticalChannel::m_congestion),
                          MakeStringChecker())
            .AddAttribute("ForwardWhole",
                          "Whether a message is stored whole at each vertex of its route.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AnalyticalChannel::m_forwardWhole),
                          MakeBooleanChecker())
            .AddAttribute("FirstDimensionOnly",
                          "Whether a message pays for the lowest dimension of its route only. "
                          "Needs Congestion=None, ForwardWhole=false.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&AnalyticalChannel::m_firstDimensionOnly),
                          MakeBooleanChecker())
            .AddAttribute("Rounding",
                          "UpPicosecond: bytes / rate is rounded up to 1 ps once per message and "
                          "link; DownNanosecond: the time of a message is rounded down to 1 ns.",
                          StringValue("UpPicosecond"),
                          MakeStringAccessor(&AnalyticalChannel::m_rounding),
                          MakeStringChecker())
            .AddAttribute("Granularity",
                          "Message: an event for each message and link; Phase: collectives are "
                          "computed phase by phase where that gives the same times. Phase needs "
                          "Congestion=Links, ForwardWhole=false, Rounding=UpPicosecond.",
                          StringValue("Message"),
                          MakeStringAccessor(&AnalyticalChannel::m_granularity),
                          MakeStringChecker());
    return tid;
}

AnalyticalChannel::AnalyticalChannel() = default;

AnalyticalChannel::~AnalyticalChannel() = default;

void
AnalyticalChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_busy.clear();
    NetworkBackend::DoDispose();
}

AnalyticalChannel::Rules
AnalyticalChannel::ReadRules(const LinkGraph& graph) const
{
    Rules rules;
    rules.queues = IsSecond("Congestion", m_congestion, {"None", "Links"});
    rules.roundsDown = IsSecond("Rounding", m_rounding, {"UpPicosecond", "DownNanosecond"});
    if (m_firstDimensionOnly && (rules.queues || m_forwardWhole))
    {
        throw InputError("ns3::mlcluster::AnalyticalChannel: FirstDimensionOnly=true needs "
                         "Congestion=None and ForwardWhole=false");
    }
    rules.computesPhases = IsSecond("Granularity", m_granularity, {"Message", "Phase"});
    if (rules.computesPhases && (!rules.queues || m_forwardWhole || rules.roundsDown))
    {
        throw InputError("ns3::mlcluster::AnalyticalChannel: Granularity=Phase needs "
                         "Congestion=Links, ForwardWhole=false and Rounding=UpPicosecond");
    }
    if (rules.computesPhases && graph.GetFirstAttachedEnd() < graph.GetNVertices())
    {
        throw InputError("ns3::mlcluster::AnalyticalChannel: Granularity=Phase does not count the "
                         "messages of memory that is attached to the network; set "
                         "Granularity=Message");
    }
    return rules;
}

std::unique_ptr<const MessageCosts>
AnalyticalChannel::GetCosts(std::shared_ptr<const LinkGraph> graph) const
{
    const Rules rules = ReadRules(*graph);
    const uint64_t books = graph->GetNLinks() * LinkBooks::GetBytesPerLink();
    return std::make_unique<AnalyticalCosts>(
        std::move(graph),
        AnalyticalCosts::Rules{rules.queues, m_forwardWhole, rules.computesPhases},
        MessageCosts::Memory{books, 0, GetHeapBytes(sizeof(Flight))});
}

void
AnalyticalChannel::Build(std::shared_ptr<const LinkGraph> graph, const NodeContainer& npus)
{
    NS_LOG_FUNCTION(this << npus.GetN());
    m_rules = ReadRules(*graph);
    if (npus.GetN() != graph->GetNRanks())
    {
        throw InputError("ns3::mlcluster::AnalyticalChannel: " + std::to_string(npus.GetN()) +
                         " nodes for the " + std::to_string(graph->GetNRanks()) +
                         " ranks of the topology");
    }
    m_contexts.assign(graph->GetNVertices(), Simulator::NO_CONTEXT);
    std::transform(npus.Begin(), npus.End(), m_contexts.begin(), [](const Ptr<Node>& node) {
        return node->GetId();
    });
    m_books.emplace(graph, m_rules.queues);
    SetGraph(graph);
}

std::optional<int64_t>
AnalyticalChannel::DoSend(const NetworkMessage& message)
{
    const Ptr<Flight> flight = Create<Flight>(this, message);
    if (m_rules.queues || m_forwardWhole)
    {
        return Enter(flight);
    }
    return SendUnshared(*flight);
}

int64_t
AnalyticalChannel::SendUnshared(Flight& flight)
{
    const NetworkMessage& message = flight.message;
    const LinkGraph& graph = GetGraph();
    const DirectedLink& first =
        graph.GetLink(graph.GetNextLink(message.source, message.destination));
    int64_t latency = 0;
    uint64_t slowest = first.bitRate;
    while (flight.vertex != message.destination)
    {
        const uint32_t index = graph.GetNextLink(flight.vertex, message.destination);
        const DirectedLink& link = graph.GetLink(index);
        if (m_firstDimensionOnly && link.dimension != first.dimension)
        {
            break;
        }
        m_books->Book(index, message.bytes, GetDuration(0, message.bytes, link.bitRate), Now());
        latency = Add(latency, link.latencyPs, message.bytes, link.bitRate);
        slowest = std::min(slowest, link.bitRate);
        flight.vertex = link.to;
    }
    flight.vertex = message.destination;
    ScheduleNext(flight,
                 Add(Now(), GetDuration(latency, message.bytes, slowest), message.bytes, slowest));
    return Now() + GetDuration(0, message.bytes, first.bitRate);
}

std::optional<int64_t>
AnalyticalChannel::Enter(const Ptr<Flight>& flight)
{
    const NetworkMessage& message = flight->message;
    const uint32_t link = GetGraph().GetNextLink(flight->vertex, message.destination);
    const int64_t freeAt = m_books->GetFreeAt(link);
    const int64_t duration = GetDuration(0, message.bytes, GetGraph().GetLink(link).bitRate);
    m_books->Book(link, message.bytes, duration, Now());
    auto busy = m_busy.find(link);
    const bool isFree = busy == m_busy.end() && freeAt <= Now();
    if (!m_rules.queues || (isFree && !m_forwardWhole))
    {
        return Cross(*flight, link, duration);
    }
    if (busy == m_busy.end())
    {
        busy = m_busy.try_emplace(link).first;
        if (isFree)
        {
            Serve(link, busy->second, flight);
            return std::nullopt;
        }
        ScheduleRelease(link, freeAt);
    }
    busy->second.line.Push(flight, flight->vertex == message.source ? message.priority : 0);
    return std::nullopt;
}

int64_t
AnalyticalChannel::Cross(Flight& flight, uint32_t link, int64_t duration)
{
    const uint64_t bytes = flight.message.bytes;
    const DirectedLink& crossed = GetGraph().GetLink(link);
    const uint64_t bitRate = crossed.bitRate;
    const int64_t leaves = std::max(Now() + duration, flight.tailAt);
    flight.tailAt = m_forwardWhole
                        ? Add(Now(), GetDuration(crossed.latencyPs, bytes, bitRate), bytes, bitRate)
                        : Add(leaves, crossed.latencyPs, bytes, bitRate);
    flight.vertex = crossed.to;
    const bool isWhole = m_forwardWhole || crossed.to == flight.message.destination;
    ScheduleNext(flight, isWhole ? flight.tailAt : Now() + crossed.latencyPs);
    return leaves;
}

void
AnalyticalChannel::Serve(uint32_t link, BusyLink& busy, const Ptr<Flight>& flight)
{
    const uint64_t bitRate = GetGraph().GetLink(link).bitRate;
    const int64_t duration = GetDuration(0, flight->message.bytes, bitRate);
    busy.sending = flight;
    Cross(*flight, link, duration);
    ScheduleRelease(link, Now() + duration);
}

void
AnalyticalChannel::ServeNext(uint32_t link, BusyLink& busy)
{
    const uint64_t bytes = busy.line.GetFirst()->message.bytes;
    const int64_t duration = GetDuration(0, bytes, GetGraph().GetLink(link).bitRate);
    const int64_t turn = m_books->GetTurn(link, duration, Now());
    if (turn > Now())
    {
        busy.sending = nullptr;
        ScheduleRelease(link, turn);
    }
    else
    {
        Serve(link, busy, busy.line.Pop());
    }
}

void
AnalyticalChannel::Release(uint32_t link)
{
    const auto busy = m_busy.find(link);
    const Ptr<Flight> left = busy->second.sending;
    if (busy->second.line.IsEmpty())
    {
        m_busy.erase(busy);
    }
    else
    {
        ServeNext(link, busy->second);
    }
    if (left && GetGraph().GetLink(link).from == left->message.source)
    {
        NotifyLeft(left->message);
    }
}

void
AnalyticalChannel::ScheduleRelease(uint32_t link, int64_t timePs)
{
    Simulator::Schedule(PicoSeconds(timePs - Now()), &AnalyticalChannel::Release, this, link);
}

void
AnalyticalChannel::Proceed(const Ptr<Flight>& flight)
{
    if (flight->vertex == flight->message.destination)
    {
        NotifyArrived(flight->message);
    }
    else
    {
        Enter(flight);
    }
}

void
AnalyticalChannel::ScheduleNext(Flight& flight, int64_t timePs)
{
    flight.Ref();
    Simulator::ScheduleWithContext(m_contexts[flight.vertex],
                                   PicoSeconds(timePs - Now()),
                                   static_cast<EventImpl*>(&flight));
}

int64_t
AnalyticalChannel::GetDuration(int64_t latency, uint64_t bytes, uint64_t bitRate) const
{
    const int64_t upwards = Add(latency, SerialisationPicoseconds(bytes, bitRate), bytes, bitRate);
    if (!m_rules.roundsDown)
    {
        return upwards;
    }
    const uint128 exact =
        static_cast<uint128>(latency) * bitRate + static_cast<uint128>(bytes) * BITS_PS;
    return static_cast<int64_t>(exact / bitRate) / PS_PER_NS * PS_PER_NS;
}

std::vector<LinkUsage>
AnalyticalChannel::GetLinkUsage() const
{
    return m_books->GetUsage(Now());
}

std::string
AnalyticalChannel::Describe() const
{
    return "AnalyticalChannel: Congestion=" + m_congestion +
           ", ForwardWhole=" + (m_forwardWhole ? "true" : "false") +
           ", FirstDimensionOnly=" + (m_firstDimensionOnly ? "true" : "false") +
           ", Rounding=" + m_rounding + ", Granularity=" + m_granularity;
}

LinkBooks*
AnalyticalChannel::GetPhaseBooks()
{
    return m_rules.computesPhases ? &*m_books : nullptr;
}

bool
AnalyticalChannel::IsSharing() const
{
    return m_rules.queues && !m_rules.roundsDown;
}

} // namespace mlcluster
} // namespace ns3
