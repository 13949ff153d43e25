/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ml-cluster
 * How fast packets go: packet-hops (a data packet over one link) per second of processor time, on a
 * chain of 6 links, in three ways with equal links and packets in flight:
 *
 * 1. PacketBackend as used, with window, acknowledgements and headers, trace sources not connected;
 * 2. ns-3's PointToPointNetDevice, each node handing packets to its next device, no IP;
 * 3. UDP over IPv4 on the same devices, global routing, no queue disc.
 *
 * In 2 and 3 the receiver lets the sender send the next packet without a packet of its own. Rounds
 * are interleaved and the best of each counts.
 */

#include "ns3/config.h"
#include "ns3/diagnostics.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node-container.h"
#include "ns3/packet-backend.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/program-options.h"
#include "ns3/run-control.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>

using namespace ns3;
using namespace ns3::mlcluster;

namespace
{

constexpr uint32_t LINKS = 6;               ///< links of the chain
constexpr uint32_t PAYLOAD = 4096;          ///< bytes
constexpr uint64_t BIT_RATE = 400000000000; ///< of every link
constexpr int64_t LATENCY_PS = 500000;      ///< of every link
constexpr uint32_t IN_FLIGHT = 160; ///< packets in flight, as the automatic window of the backend

/// What a run counted.
struct Count
{
    uint64_t hops{0};   ///< data packets over links
    uint64_t events{0}; ///< simulator events
};

/// Packets of ways 2 and 3: sends at first IN_FLIGHT of them and one more for each that arrives.
struct Source
{
    uint64_t left{0};           ///< packets to send
    uint64_t hops{0};           ///< packets over links so far
    std::function<void()> send; ///< sends one

    /// Sends a packet if there is one.
    void SendNext()
    {
        if (left > 0)
        {
            --left;
            send();
        }
    }

    /// Sends the first packets.
    void Start()
    {
        for (uint32_t i = 0; i < IN_FLIGHT; ++i)
        {
            SendNext();
        }
    }
};

/// Ignores what a backend says.
class SilentEndpoint : public MessageEndpoint
{
  public:
    void MessageLeft(const NetworkMessage&) override
    {
    }

    void MessageArrived(const NetworkMessage&) override
    {
    }
};

/// @param packets packets to send @return what PacketBackend counted
Count
RunPacketBackend(uint64_t packets)
{
    const ClusterTopology ring({{BuildingBlock::Ring, 2 * LINKS, BIT_RATE, LATENCY_PS}});
    NodeContainer nodes(2 * LINKS);
    SilentEndpoint endpoint;
    auto backend = CreateObject<PacketBackend>();
    backend->Build(std::make_shared<LinkGraph>(ring), nodes);
    backend->SetEndpoint(0, &endpoint);
    backend->SetEndpoint(LINKS, &endpoint);
    NetworkMessage message;
    message.destination = LINKS;
    message.bytes = packets * PAYLOAD;
    backend->Send(message);
    Simulator::Run();
    return {backend->GetPacketHops(), Simulator::GetEventCount()};
}

/// @param nodes empty nodes @return devices of the chain: 0-1, 1-2, ...
std::array<NetDeviceContainer, LINKS>
MakeChain(const NodeContainer& nodes)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(BIT_RATE)));
    link.SetDeviceAttribute("Mtu", UintegerValue(9000));
    link.SetChannelAttribute("Delay", TimeValue(PicoSeconds(LATENCY_PS)));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(std::to_string(IN_FLIGHT) + "p"));
    std::array<NetDeviceContainer, LINKS> chain;
    for (uint32_t i = 0; i < LINKS; ++i)
    {
        chain[i] = link.Install(nodes.Get(i), nodes.Get(i + 1));
    }
    return chain;
}

/// @param packets packets to send @return what the devices counted
Count
RunPointToPoint(uint64_t packets)
{
    constexpr uint16_t IPV4 = 0x0800;
    NodeContainer nodes(LINKS + 1);
    const auto chain = MakeChain(nodes);
    Source source;
    source.left = packets;
    source.send = [&] {
        chain[0].Get(0)->Send(Create<Packet>(PAYLOAD), chain[0].Get(1)->GetAddress(), IPV4);
    };
    for (uint32_t i = 0; i < LINKS; ++i)
    {
        const Ptr<NetDevice> next = i + 1 < LINKS ? chain[i + 1].Get(0) : nullptr;
        chain[i].Get(1)->SetReceiveCallback(NetDevice::ReceiveCallback(
            [&source,
             next](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t protocol, const Address&) {
                ++source.hops;
                if (next)
                {
                    return next->Send(packet->Copy(), next->GetBroadcast(), protocol);
                }
                source.SendNext();
                return true;
            }));
    }
    source.Start();
    Simulator::Run();
    return {source.hops, Simulator::GetEventCount()};
}

/// @param packets packets to send @return what the receiver counted
Count
RunUdp(uint64_t packets)
{
    constexpr uint16_t PORT = 9;
    NodeContainer nodes(LINKS + 1);
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    for (const auto& devices : MakeChain(nodes))
    {
        addresses.Assign(devices);
        TrafficControlHelper().Uninstall(devices);
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const auto sender = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
    const auto receiver = Socket::CreateSocket(nodes.Get(LINKS), UdpSocketFactory::GetTypeId());
    receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
    const Ipv4Address address = nodes.Get(LINKS)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
    sender->Connect(InetSocketAddress(address, PORT));
    Source source;
    source.left = packets;
    source.send = [&] { sender->Send(Create<Packet>(PAYLOAD)); };
    receiver->SetRecvCallback(Callback<void, Ptr<Socket>>([&source](Ptr<Socket> socket) {
        while (socket->Recv())
        {
            source.hops += LINKS;
            source.SendNext();
        }
    }));
    source.Start();
    Simulator::Run();
    return {source.hops, Simulator::GetEventCount()};
}

/// One of the three ways and its best round.
struct Way
{
    const char* name;                           ///< for the table
    std::function<Count(uint64_t packets)> run; ///< simulates
    Count count;                                ///< of the last round
    double hopsPerSecond{0};                    ///< best round

    /// @param packets packets to send; runs a round
    void Measure(uint64_t packets)
    {
        const std::clock_t start = std::clock();
        count = run(packets);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        Simulator::Destroy();
        hopsPerSecond = std::max(hopsPerSecond, count.hops / seconds);
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    Time::SetResolution(Time::PS);
    uint64_t packets = 30000;
    uint32_t rounds = 5;
    ProgramOptions cmd(__FILE__);
    cmd.AddValue("packets", "packets sent in each round", packets);
    cmd.AddValue("rounds", "rounds, of which the best counts", rounds);

    return GuardMain([&] {
        cmd.Parse(argc, argv);
        if (packets == 0 || rounds == 0)
        {
            throw InputError("--packets and --rounds: must be above 0");
        }
        GlobalValue::Bind("SchedulerType", StringValue("ns3::HeapScheduler"));
        std::array<Way, 3> ways{{{"PacketBackend", RunPacketBackend, {}},
                                 {"point-to-point device", RunPointToPoint, {}},
                                 {"UDP over IPv4", RunUdp, {}}}};
        for (uint32_t round = 0; round < rounds; ++round)
        {
            for (Way& way : ways)
            {
                way.Measure(packets);
            }
        }
        std::cout << packets << " packets of " << PAYLOAD << " B over " << LINKS
                  << " links, HeapScheduler, best of " << rounds << " rounds\n"
                  << std::left << std::setw(24) << "way" << std::right << std::setw(12) << "hops"
                  << std::setw(12) << "events" << std::setw(12) << "Mhops/s" << std::setw(12)
                  << "ratio"
                  << "\n"
                  << std::fixed << std::setprecision(2);
        for (const Way& way : ways)
        {
            std::cout << std::left << std::setw(24) << way.name << std::right << std::setw(12)
                      << way.count.hops << std::setw(12) << way.count.events << std::setw(12)
                      << way.hopsPerSecond / 1e6 << std::setw(12)
                      << ways[0].hopsPerSecond / way.hopsPerSecond << "\n";
        }
        return 0;
    });
}
