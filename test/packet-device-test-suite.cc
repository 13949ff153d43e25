/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-test-network.h"

#include "ns3/cluster-pcap-helper.h"
#include "ns3/ethernet-header.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/message-header.h"
#include "ns3/node.h"
#include "ns3/pcap-file.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"
#include "ns3/udp-socket-factory.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;
using Network = PacketTestNetwork; ///< for short

/**
 * @ingroup ml-cluster-tests
 * Captures hold what crossed the link, as RoCEv2 packets with the fields of the messages.
 */
class PacketCaptureTestCase : public TestCase
{
  public:
    PacketCaptureTestCase()
        : TestCase("A capture file can be read back")
    {
    }

  private:
    static constexpr uint32_t PLAIN_BYTES = 14 + 20 + 8 + 12; ///< Ethernet to base transport header
    static constexpr uint32_t DATA_BYTES = PLAIN_BYTES + 68 + 4; ///< data packet without payload
    static constexpr uint32_t ACK_BYTES = PLAIN_BYTES + 16 + 4;  ///< acknowledgement

    /// A packet of a capture file.
    struct Captured
    {
        int64_t timeNs;      ///< time stamp
        uint32_t bytes;      ///< original length
        uint32_t address;    ///< IPv4 source
        PacketFields fields; ///< what the message header says
    };

    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("capture.pcap");
        {
            Network network(Network::Shape(BuildingBlock::Ring, 2, 40000000, 3000000000), {});
            const auto device = network.backend->GetLinkDevice(network.graph->GetNextLink(0, 1));
            ClusterPcapHelper().EnablePcap(file, device, true, true);
            network.Send(0, 1, 2 * 4096 + 1);
            Simulator::Run();
        }
        CheckUnwritable();
        const auto packets = ReadCapture(file);
        NS_TEST_ASSERT_MSG_EQ(packets.size(), 4, "three data packets, one acknowledgement");
        CheckData(packets);
        NS_TEST_EXPECT_MSG_EQ(packets[3].bytes, ACK_BYTES, "acknowledgement");
        NS_TEST_EXPECT_MSG_EQ(packets[3].fields.isAcknowledgement, true, "acknowledgement");
        NS_TEST_EXPECT_MSG_EQ(packets[3].fields.sequence, 2 * 4096 + 1, "all received");
        NS_TEST_EXPECT_MSG_EQ(packets[3].fields.number, 2, "of the last packet");
        NS_TEST_EXPECT_MSG_EQ(packets[3].fields.message.source, 1, "who acknowledges");
        NS_TEST_EXPECT_MSG_EQ(packets[3].address, 0x0a000002, "who acknowledges");
        const int64_t sendingPs = (2 * 4096 + 1 + 3 * 82 + 86) * int64_t{200000};
        NS_TEST_EXPECT_MSG_EQ(packets[3].timeNs, (sendingPs + 6000000000) / 1000, "arrival");
    }

    /// A file that cannot be written is the user's fault.
    void CheckUnwritable()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 2), {});
        const std::string text =
            GetErrorOf([&] { ClusterPcapHelper().EnablePcapAll("/no-such-folder/x"); });
        NS_TEST_EXPECT_MSG_EQ(text,
                              "packet capture \"/no-such-folder/x-0-0.pcap\" cannot be written",
                              "message");
    }

    /// @param packets a capture whose first three packets are those of the message
    void CheckData(const std::vector<Captured>& packets)
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            const PacketFields& fields = packets[i].fields;
            const uint64_t payload = i < 2 ? 4096 : 1;
            NS_TEST_EXPECT_MSG_EQ(packets[i].bytes, DATA_BYTES + payload, "length");
            NS_TEST_EXPECT_MSG_EQ(packets[i].address, 0x0a000001, "rank 0");
            NS_TEST_EXPECT_MSG_EQ(packets[i].timeNs, i * (4096 + 82) * 200000 / 1000, "start");
            NS_TEST_EXPECT_MSG_EQ(fields.sequence, i * 4096, "sequence");
            NS_TEST_EXPECT_MSG_EQ(fields.number, i, "packet sequence number");
            NS_TEST_EXPECT_MSG_EQ(fields.isAcknowledgement, false, "data");
            NS_TEST_EXPECT_MSG_EQ(fields.isLast, (i == 2), "last");
            NS_TEST_EXPECT_MSG_EQ(fields.requestAcknowledgement, (i == 2), "request");
            NS_TEST_EXPECT_MSG_EQ(fields.message.destination, 1, "destination");
            NS_TEST_EXPECT_MSG_EQ(fields.message.bytes, 2 * 4096 + 1, "size of the message");
            NS_TEST_EXPECT_MSG_EQ((fields.message.tag == MessageTag{8194, 8195, 8196}),
                                  true,
                                  "tag");
        }
    }

    /// @param name a capture file @return its packets
    std::vector<Captured> ReadCapture(const std::string& name)
    {
        constexpr uint32_t ETHERNET = 1;
        std::vector<Captured> packets;
        PcapFile file;
        file.Open(name, std::ios::in);
        NS_TEST_EXPECT_MSG_EQ(file.Fail(), false, "magic number");
        NS_TEST_EXPECT_MSG_EQ(file.IsNanoSecMode(), true, "time stamps");
        NS_TEST_EXPECT_MSG_EQ(file.GetDataLinkType(), ETHERNET, "link type");
        std::array<uint8_t, 9000> data;
        uint32_t seconds = 0;
        uint32_t nanoseconds = 0;
        uint32_t captured = 0;
        uint32_t original = 0;
        uint32_t read = 0;
        file.Read(data.data(), data.size(), seconds, nanoseconds, captured, original, read);
        while (!file.Eof())
        {
            NS_TEST_EXPECT_MSG_EQ(captured, original, "whole packets");
            packets.push_back(ReadPacket(data.data(), read));
            packets.back().timeNs = seconds * 1000000000LL + nanoseconds;
            file.Read(data.data(), data.size(), seconds, nanoseconds, captured, original, read);
        }
        return packets;
    }

    /// @param data bytes of a packet @param bytes how many @return what they say, but for the time
    Captured ReadPacket(const uint8_t* data, uint32_t bytes)
    {
        const auto packet = Create<Packet>(data, bytes);
        EthernetHeader ethernet(false);
        Ipv4Header ip;
        UdpHeader udp;
        MessageHeader header;
        ip.EnableChecksum();
        packet->RemoveHeader(ethernet);
        packet->RemoveHeader(ip);
        packet->RemoveHeader(udp);
        packet->RemoveHeader(header);
        NS_TEST_EXPECT_MSG_EQ(ethernet.GetLengthType(), 0x0800, "IPv4");
        NS_TEST_EXPECT_MSG_EQ(ip.IsChecksumOk(), true, "checksum");
        NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadSize() + 34U, bytes, "IPv4 length");
        NS_TEST_EXPECT_MSG_EQ(udp.GetDestinationPort(), 4791, "RoCEv2");
        return {0, bytes, ip.GetSource().Get(), header.GetFields()};
    }
};

/**
 * @ingroup ml-cluster-tests
 * Trace sources do not change what happens, and see each packet at both ends.
 */
class PacketTraceTestCase : public TestCase
{
  public:
    PacketTraceTestCase()
        : TestCase("Trace sources see every packet and change nothing")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ((Run(true) == Run(false)), true, "same records");
        const uint64_t acknowledgements = 8 * 2;
        NS_TEST_EXPECT_MSG_EQ(m_begun,
                              8 * 2 * 11 + acknowledgements * 2,
                              "both links of each route");
        NS_TEST_EXPECT_MSG_EQ(m_ended, m_begun, "what begins arrives");
    }

    /// @param trace whether to connect @return what arrived
    std::vector<Network::Record> Run(bool trace)
    {
        Network network(Network::Shape(BuildingBlock::Switch, 8), {});
        for (std::size_t i = 0; trace && i < network.backend->GetNDevices(); ++i)
        {
            const auto device = network.backend->GetDevice(i);
            device->TraceConnectWithoutContext("PhyTxBegin",
                                               MakeCallback(&PacketTraceTestCase::Begin, this));
            device->TraceConnectWithoutContext("PhyRxEnd",
                                               MakeCallback(&PacketTraceTestCase::End, this));
        }
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            network.Send(rank, (rank + 1) % 8, 40000);
            network.Send(rank, (rank + 2) % 8, 1);
        }
        Simulator::Run();
        return network.arrived;
    }

    /// Counts a packet that begins to leave.
    void Begin(Ptr<const Packet> /* packet */)
    {
        ++m_begun;
    }

    /// Counts a packet that has arrived.
    void End(Ptr<const Packet> /* packet */)
    {
        ++m_ended;
    }

    uint64_t m_begun{0}; ///< packets that began to leave
    uint64_t m_ended{0}; ///< packets that arrived
};

/**
 * @ingroup ml-cluster-tests
 * Other protocols use the device as any NetDevice, beside the backend's packets.
 */
class PacketForeignTestCase : public TestCase
{
  public:
    PacketForeignTestCase()
        : TestCase("Other protocols' packets cross the link")
    {
    }

  private:
    void DoRun() override
    {
        CheckSend();
        CheckDataRate();
        CheckEndOfTime();
        CheckInternetStack();
    }

    /// A raw packet: arrives at the peer, in the queue with a message, not above the MTU.
    void CheckSend()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 2), Network::Bare());
        const auto device = network.backend->GetLinkDevice(network.graph->GetNextLink(0, 1));
        device->GetPeer()->SetReceiveCallback(MakeCallback(&PacketForeignTestCase::Receive, this));
        network.Send(0, 1, 4096);
        const auto other = device->GetPeer()->GetAddress();
        NS_TEST_EXPECT_MSG_EQ(device->Send(Create<Packet>(9001), other, 0x88b5), false, "MTU");
        NS_TEST_EXPECT_MSG_EQ(device->Send(Create<Packet>(962), other, 0x88b5), true, "sent");
        Simulator::Run();
        const int64_t sendingPs = (962 + 14 + 24) * 20;
        NS_TEST_EXPECT_MSG_EQ(m_bytes, 962, "payload");
        NS_TEST_EXPECT_MSG_EQ(m_protocol, 0x88b5, "protocol");
        NS_TEST_EXPECT_MSG_EQ((m_from == device->GetAddress()), true, "sender");
        NS_TEST_EXPECT_MSG_EQ(m_timePs,
                              Network::PACKET_PS + sendingPs + Network::LATENCY_PS,
                              "after the message");
        NS_TEST_EXPECT_MSG_EQ(network.backend->GetPacketHops(), 1, "no packet of a message");
        NS_TEST_EXPECT_MSG_EQ(network.backend->CheckAccounts().size(), 0, "accounts close");
    }

    /// @param packet payload @param protocol number @param from address @return true
    bool Receive(Ptr<NetDevice> /* device */,
                 Ptr<const Packet> packet,
                 uint16_t protocol,
                 const Address& from)
    {
        m_timePs = Simulator::Now().GetPicoSeconds();
        m_bytes = packet->GetSize();
        m_protocol = protocol;
        m_from = from;
        return true;
    }

    /// A new rate holds for what is queued from then on; 0 is refused.
    void CheckDataRate()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 2), Network::Bare());
        const auto device = network.backend->GetLinkDevice(network.graph->GetNextLink(0, 1));
        network.Send(0, 1, 4096);
        device->SetAttribute("DataRate", StringValue("4Gbps"));
        network.Send(0, 1, 4096);
        const std::string text =
            GetErrorOf([&] { device->SetAttribute("DataRate", StringValue("0bps")); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(text, "the DataRate of a ClusterNetDevice must be above 0bps", "0");
        NS_TEST_ASSERT_MSG_EQ(network.arrived.size(), 2, "arrived");
        NS_TEST_EXPECT_MSG_EQ(network.arrived[1].timePs,
                              101 * Network::PACKET_PS + Network::LATENCY_PS,
                              "a hundredth of the rate");
    }

    /// What would be sent later than time can be counted is refused, also for a message.
    void CheckEndOfTime()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 2, 1), Network::Bare());
        const auto device = network.backend->GetLinkDevice(network.graph->GetNextLink(0, 1));
        const uint64_t packets = INT64_MAX / ((9000 + 14 + 24) * 8'000'000'000'000);
        const auto send = [&] { device->Send(Create<Packet>(9000), device->GetAddress(), 0x88b5); };
        for (uint64_t i = 0; i < packets; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(GetErrorOf(send), "", "packet " << i);
        }
        const std::string late = "ends later than time can be counted";
        NS_TEST_EXPECT_MSG_EQ(Contains(GetErrorOf(send), late), true, "packet");
        network.Send(1, 0, 1 << 20);
        const std::string text = GetErrorOf([&] {
            for (uint64_t i = 0; i < packets; ++i)
            {
                network.backend->GetLinkDevice(network.graph->GetNextLink(1, 0))
                    ->Send(Create<Packet>(9000), device->GetAddress(), 0x88b5);
            }
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(text, "a packet of 9038B at 1bps"), true, text);
    }

    /// UDP between two NPUs whose nodes have an internet stack.
    void CheckInternetStack()
    {
        Network network(Network::Shape(BuildingBlock::Ring, 2), {});
        const auto& nodes = network.backend->GetNodes();
        InternetStackHelper().Install(nodes);
        const auto device = network.backend->GetLinkDevice(network.graph->GetNextLink(0, 1));
        NetDeviceContainer devices(device);
        devices.Add(device->GetPeer());
        const auto interfaces = Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices);
        const auto sender = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        const auto receiver = Socket::CreateSocket(nodes.Get(1), UdpSocketFactory::GetTypeId());
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        sender->Connect(InetSocketAddress(interfaces.GetAddress(1), 9));
        sender->Send(Create<Packet>(1234));
        network.Send(0, 1, 100000);
        Simulator::Run();
        const auto packet = receiver->Recv();
        NS_TEST_ASSERT_MSG_NE(packet, nullptr, "UDP packet");
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 1234, "its size");
        NS_TEST_EXPECT_MSG_EQ(network.arrived.size(), 1, "and the message");
    }

    uint32_t m_bytes{0};    ///< size received
    uint16_t m_protocol{0}; ///< protocol received
    Address m_from;         ///< sender received
    int64_t m_timePs{0};    ///< when
};

/// @ingroup ml-cluster-tests Suite of the device as ns-3 sees it.
class PacketDeviceTestSuite : public TestSuite
{
  public:
    PacketDeviceTestSuite()
        : TestSuite("ml-cluster-packet-device", Type::UNIT)
    {
        AddTestCase(new PacketCaptureTestCase);
        AddTestCase(new PacketTraceTestCase);
        AddTestCase(new PacketForeignTestCase);
    }
};

static PacketDeviceTestSuite g_packetDeviceTestSuite; ///< registers the suite
