/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-harness.h"

#include "ns3/test.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

using Attributes = std::initializer_list<std::pair<std::string, std::string>>;

const std::string ANALYTICAL = "ns3::mlcluster::AnalyticalChannel";
const std::string PACKET = "ns3::mlcluster::PacketBackend";
constexpr uint64_t GBPS = 1'000'000'000;
constexpr uint32_t FIRST_END = 8 + 2 + 4 + 2; ///< behind ranks, switches and attached switches

/// @return two nodes of four, and a dimension over them: dimension 0 has links of 100 Gbit/s and
/// 100 ns
std::vector<TopologyDimension>
MakeDimensions()
{
    auto dimensions = ClusterTopology::ParseNotation("Switch(4)_Switch(2)");
    for (auto& dimension : dimensions)
    {
        dimension.SetMemberBitRate(100 * GBPS);
        dimension.latencyPs = 100'000;
    }
    return dimensions;
}

/// @return two switches with links of 200 Gbit/s and 300 ns to nodes, and two ends at each with
/// links of 50 Gbit/s and 20 ns
GraphAttachment
MakeAttachment()
{
    GraphAttachment attachment;
    attachment.switches = {{"hub 0", 200 * GBPS, 300'000}, {"hub 1", 200 * GBPS, 300'000}};
    for (const uint32_t atSwitch : {0, 1, 0, 1})
    {
        attachment.ends.push_back({"end", atSwitch, 50 * GBPS, 20'000});
    }
    return attachment;
}

/**
 * @ingroup ml-cluster-tests
 * Messages between ranks and attached ends take the time of their links, and only those.
 */
class AttachedMessagesCase : public TestCase
{
  public:
    AttachedMessagesCase()
        : TestCase("messages alone")
    {
    }

  private:
    void DoRun() override;
    /// @param type of the backend @param attributes its attributes @param perPacketPs further time
    /// of a message of one packet, ps
    void Check(const std::string& type, Attributes attributes, int64_t perPacketPs);
};

void
AttachedMessagesCase::Check(const std::string& type, Attributes attributes, int64_t perPacketPs)
{
    MessageHarness harness(MakeDimensions(), type, attributes, MakeAttachment());
    for (uint32_t end = 0; end < 4; ++end)
    {
        harness.Send(FIRST_END + end, 7 - end, 4000, end * 10'000'000);
        harness.Send(end, FIRST_END + 3 - end, 4000, end * 10'000'000 + 5'000'000);
    }
    for (const auto& record : harness.Run())
    {
        NS_TEST_EXPECT_MSG_EQ(record.arrivals, 1, "arrives once");
        NS_TEST_EXPECT_MSG_EQ(record.toldTo, "attached end", "and not the rank is told");
        NS_TEST_EXPECT_MSG_EQ(record.arrivedPs - record.sentPs,
                              420'000 + 640'000 + perPacketPs,
                              "latencies and the slowest link");
        const int64_t leaves = record.source < FIRST_END && type == PACKET ? 320'000 : 640'000;
        NS_TEST_EXPECT_MSG_EQ((record.leftPs - record.sentPs <= leaves && record.leftPs >= 0),
                              true,
                              "leaves");
    }
    uint64_t attachedBytes = 0;
    uint64_t innerBytes = 0;
    for (const auto& usage : harness.GetBackend().GetLinkUsage())
    {
        const auto& link = harness.GetGraph().GetLink(usage.link);
        (link.dimension == 2 ? attachedBytes : innerBytes) += usage.payloadBytes;
        NS_TEST_EXPECT_MSG_EQ((link.dimension == 1 && usage.payloadBytes > 0), false, "route");
    }
    NS_TEST_EXPECT_MSG_EQ(attachedBytes, 8 * 2 * 4000, "two attached links each");
    NS_TEST_EXPECT_MSG_EQ(innerBytes, 8 * 4000, "one link of dimension 0 each");
    NS_TEST_EXPECT_MSG_EQ(harness.GetBackend().CheckAccounts().empty(), true, "accounts close");
}

void
AttachedMessagesCase::DoRun()
{
    Check(ANALYTICAL, {}, 0);
    Check(ANALYTICAL, {{"Congestion", "None"}}, 0);
    Check(ANALYTICAL, {{"ForwardWhole", "true"}}, 160'000 + 320'000);
    Check(PACKET, {{"HeaderBytes", "0"}}, 160'000 + 320'000);
}

/**
 * @ingroup ml-cluster-tests
 * Messages from attached ends share the links of dimension 0 with those of ranks.
 */
class AttachedContentionCase : public TestCase
{
  public:
    AttachedContentionCase()
        : TestCase("messages that meet")
    {
    }

  private:
    void DoRun() override;
};

void
AttachedContentionCase::DoRun()
{
    MessageHarness harness(MakeDimensions(), ANALYTICAL, {}, MakeAttachment());
    harness.Send(0, 1, 40'000, 0);
    harness.Send(FIRST_END, 1, 4000, 0);
    harness.Send(FIRST_END + 1, 1, 4000, 0);
    const auto& records = harness.Run();
    NS_TEST_EXPECT_MSG_EQ(records[0].arrivedPs, 3'200'000 + 200'000, "first come");
    NS_TEST_EXPECT_MSG_EQ(records[0].toldTo, "rank", "of a message between ranks");
    NS_TEST_EXPECT_MSG_EQ(records[1].arrivedPs, 3'400'000 + 320'000, "waits");
    NS_TEST_EXPECT_MSG_EQ(records[2].arrivedPs, 3'400'000 + 640'000, "waits longer");
}

/**
 * @ingroup ml-cluster-tests
 * What cannot be sent, or computed, is refused.
 */
class AttachedRefusalsCase : public TestCase
{
  public:
    AttachedRefusalsCase()
        : TestCase("refusals")
    {
    }

  private:
    void DoRun() override;
};

void
AttachedRefusalsCase::DoRun()
{
    {
        MessageHarness harness(MakeDimensions(), ANALYTICAL, {}, MakeAttachment());
        NetworkBackend& backend = harness.GetBackend();
        const auto send = [&](uint32_t source, uint32_t destination) {
            NetworkMessage message;
            message.source = source;
            message.destination = destination;
            return GetErrorOf([&] { backend.Send(message); });
        };
        NS_TEST_EXPECT_MSG_EQ(Contains(send(FIRST_END, FIRST_END + 1), "from end to end"),
                              true,
                              "between attached ends");
        NS_TEST_EXPECT_MSG_EQ(Contains(send(0, FIRST_END - 1), "to hub 1"), true, "to a switch");
        for (const uint32_t vertex : {FIRST_END - 1, FIRST_END + 4})
        {
            const auto set = [&] { backend.SetEndpoint(vertex, nullptr); };
            NS_TEST_EXPECT_MSG_EQ(Contains(GetErrorOf(set), "cannot be connected"), true, "no end");
        }
    }
    const auto phases = [] {
        MessageHarness(MakeDimensions(), ANALYTICAL, {{"Granularity", "Phase"}}, MakeAttachment());
    };
    NS_TEST_EXPECT_MSG_EQ(Contains(GetErrorOf(phases), "set Granularity=Message"), true, "phases");
}

/**
 * @ingroup ml-cluster-tests
 * Messages from and to what is attached to a network.
 */
class AttachedEndsTestSuite : public TestSuite
{
  public:
    AttachedEndsTestSuite()
        : TestSuite("ml-cluster-attached-ends", Type::UNIT)
    {
        AddTestCase(new AttachedMessagesCase);
        AddTestCase(new AttachedContentionCase);
        AddTestCase(new AttachedRefusalsCase);
    }
};

AttachedEndsTestSuite g_attachedEndsTestSuite; ///< registers itself

} // namespace
