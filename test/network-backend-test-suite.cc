/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-harness.h"
#include "network-shapes.h"
#include "test-tools.h"

#include "ns3/analytical-channel.h"
#include "ns3/boolean.h"
#include "ns3/test.h"

#include <functional>
#include <limits>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400'000'000'000; ///< of the links, bit/s
constexpr uint64_t BYTES = 1'000;          ///< of a message
constexpr int64_t BUSY = 20'000;           ///< time of a message at that rate, ps
constexpr int64_t LATENCY = 5'000;         ///< of the links, ps

/// @return two ranks, linked both ways
std::vector<TopologyDimension>
Pair()
{
    return {Dimension(BuildingBlock::Ring, 2, RATE, LATENCY)};
}

/**
 * @ingroup ml-cluster-tests
 * A backend that does to a message, and says of its links, whatever a test wants.
 */
class CheatingBackend : public NetworkBackend
{
  public:
    /// What becomes of a message: it calls deliver for each message that shall arrive.
    using Delivery =
        std::function<void(NetworkMessage, std::function<void(NetworkMessage)> deliver)>;

    /// @param delivery what becomes of messages @param usage what link 0 claims to have carried
    CheatingBackend(Delivery delivery, LinkUsage usage)
        : m_delivery(delivery),
          m_usage(usage)
    {
    }

    void Build(std::shared_ptr<const LinkGraph> graph, const NodeContainer&) override
    {
        SetGraph(graph);
    }

    std::vector<LinkUsage> GetLinkUsage() const override
    {
        return {m_usage};
    }

    std::string Describe() const override
    {
        return "CheatingBackend";
    }

    bool IsSharing() const override
    {
        return true;
    }

  protected:
    std::optional<int64_t> DoSend(const NetworkMessage& message) override
    {
        m_delivery(message, [this](const NetworkMessage& arriving) {
            Simulator::Schedule(PicoSeconds(BUSY + LATENCY),
                                [this, arriving] { NotifyArrived(arriving); });
        });
        return std::nullopt;
    }

  private:
    Delivery m_delivery; ///< what becomes of messages
    LinkUsage m_usage;   ///< of link 0
};

/**
 * @ingroup ml-cluster-tests
 * Every kind of cheating is found by the accounts, and honest work is not.
 */
class AccountsCase : public TestCase
{
  public:
    AccountsCase()
        : TestCase("accounts that do not close are violations")
    {
    }

  private:
    void DoRun() override;

    /// Honest delivery. @param message what was sent @param deliver what it is passed to
    static void PassOn(NetworkMessage message, std::function<void(NetworkMessage)> deliver)
    {
        deliver(message);
    }

    /// @param usage of link 0 @param expected parts of the violations, one each @param delivery
    /// what becomes of one message from 0 to 1 @param bytes its size
    void Check(LinkUsage usage,
               const std::vector<std::string>& expected,
               CheatingBackend::Delivery delivery = PassOn,
               uint64_t bytes = BYTES);
};

void
AccountsCase::Check(LinkUsage usage,
                    const std::vector<std::string>& expected,
                    CheatingBackend::Delivery delivery,
                    uint64_t bytes)
{
    MessageHarness harness(Pair(), CreateObject<CheatingBackend>(delivery, usage));
    harness.Send(0, 1, bytes);
    harness.Run();
    const auto violations = harness.GetBackend().CheckAccounts();
    NS_TEST_ASSERT_MSG_EQ(violations.size(), expected.size(), "number of violations");
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(Contains(violations[i], expected[i]), true, violations[i]);
    }
}

void
AccountsCase::DoRun()
{
    const LinkUsage honest{0, BYTES, BYTES, BUSY, BYTES};
    Check(honest, {});
    Check({0, BYTES, BYTES, BUSY + LATENCY + 1, BYTES}, {"link from npu 0 to npu 1: 1000 bytes"});
    Check({0, BYTES, BYTES, BUSY - 1, BYTES},
          {"which need 20000 ps at 400Gbps, in a busy time of 19999 ps"});
    Check({0, BYTES, BYTES + 1, BUSY, BYTES}, {"1001 bytes, which need 20020 ps"});

    Check({}, {"rank 0 to rank 1: sent less arrived is 1 messages, 1000 bytes"}, [](auto, auto) {});
    Check({}, {"sent less arrived is 1 messages, 0 bytes"}, [](auto, auto) {}, 0);
    Check(honest, {"is -1 messages, -1000 bytes"}, [](auto message, auto deliver) {
        deliver(message);
        deliver(message);
    });
    Check(honest, {"is 0 messages, 1 bytes"}, [](auto message, auto deliver) {
        --message.bytes;
        deliver(message);
    });
    Check(honest,
          {"rank 0 to rank 1: sent", "rank 1 to rank 0: sent"},
          [](auto message, auto deliver) {
              std::swap(message.source, message.destination);
              deliver(message);
          });
}

/**
 * @ingroup ml-cluster-tests
 * What a script or a workload can do wrong is an InputError that says what.
 */
class MisuseCase : public TestCase
{
  public:
    MisuseCase()
        : TestCase("wrong use is refused with the reason")
    {
    }

  private:
    void DoRun() override;
    /// @param source rank @param destination rank @param bytes size @return the error of sending
    /// that between two ranks
    std::string SendAndGetError(uint32_t source, uint32_t destination, uint64_t bytes = 1);
    /// @param action what to try @param part of the error it must give
    void Expect(const std::function<void()>& action, const std::string& part);
};

std::string
MisuseCase::SendAndGetError(uint32_t source, uint32_t destination, uint64_t bytes)
{
    MessageHarness harness(Pair(), "ns3::mlcluster::AnalyticalChannel");
    NetworkMessage message;
    message.source = source;
    message.destination = destination;
    message.bytes = bytes;
    return GetErrorOf([&] { harness.GetBackend().Send(message); });
}

void
MisuseCase::Expect(const std::function<void()>& action, const std::string& part)
{
    const std::string error = GetErrorOf(action);
    NS_TEST_EXPECT_MSG_EQ(Contains(error, part),
                          true,
                          "\"" << error << "\" holds \"" << part << "\"");
}

void
MisuseCase::DoRun()
{
    NS_TEST_EXPECT_MSG_EQ(SendAndGetError(0, 1), "", "right use");
    NS_TEST_EXPECT_MSG_EQ(Contains(SendAndGetError(0, 2), "from rank 0 to rank 2"),
                          true,
                          "receiver");
    NS_TEST_EXPECT_MSG_EQ(Contains(SendAndGetError(7, 1), "from rank 7 to rank 1"), true, "sender");
    NS_TEST_EXPECT_MSG_EQ(Contains(SendAndGetError(1, 1), "and differ"), true, "to itself");
    const auto tooLarge = SendAndGetError(0, 1, std::numeric_limits<uint64_t>::max());
    NS_TEST_EXPECT_MSG_EQ(Contains(tooLarge, "18446744073709551615B over a link of 400Gbps"),
                          true,
                          tooLarge);

    MessageHarness harness(Pair(), "ns3::mlcluster::AnalyticalChannel");
    NetworkBackend& backend = harness.GetBackend();
    NetworkMessage message;
    message.destination = 1;
    backend.SetEndpoint(1, nullptr);
    Expect([&] { backend.Send(message); }, "both must be connected ranks below 2");
    Expect([&] { backend.SetEndpoint(2, nullptr); }, "the network has 2 ranks");

    const auto graph = std::make_shared<LinkGraph>(ClusterTopology(Pair()));
    NodeContainer npus;
    npus.Create(3);
    Expect([&] { CreateObject<AnalyticalChannel>()->Build(graph, npus); },
           "3 nodes for the 2 ranks");
    const auto firstOnly = CreateObject<AnalyticalChannel>();
    firstOnly->SetAttribute("FirstDimensionOnly", BooleanValue(true));
    Expect([&] { firstOnly->Build(graph, npus); }, "needs Congestion=None");
    const NodeContainer two(npus.Get(0), npus.Get(1));
    Expect([&] { backend.Build(graph, two); }, "built already");
    for (const std::string name : {"Congestion", "Rounding"})
    {
        const auto channel = CreateObject<AnalyticalChannel>();
        channel->SetAttribute(name, StringValue("links"));
        Expect([&] { channel->Build(graph, two); }, name + ": \"links\" is none of ");
    }
}

/**
 * @ingroup ml-cluster-tests
 * Trace sources tell of every message, also to a script that knows them by path only.
 */
class TraceCase : public TestCase
{
  public:
    TraceCase()
        : TestCase("MessageSent and MessageArrived")
    {
    }

  private:
    void DoRun() override;
};

void
TraceCase::DoRun()
{
    MessageHarness harness(Pair(), "ns3::mlcluster::AnalyticalChannel");
    std::vector<std::pair<int64_t, uint64_t>> sent;
    std::vector<std::pair<int64_t, uint64_t>> arrived;
    const auto record = [](std::vector<std::pair<int64_t, uint64_t>>* list,
                           const NetworkMessage& message) {
        list->emplace_back(Simulator::Now().GetPicoSeconds(), message.bytes);
    };
    using Function = void (*)(std::vector<std::pair<int64_t, uint64_t>>*, const NetworkMessage&);
    NetworkBackend& backend = harness.GetBackend();
    backend.TraceConnectWithoutContext("MessageSent",
                                       MakeBoundCallback(static_cast<Function>(record), &sent));
    backend.TraceConnectWithoutContext("MessageArrived",
                                       MakeBoundCallback(static_cast<Function>(record), &arrived));
    harness.Send(0, 1, BYTES, 7);
    harness.Send(1, 0, 0, 9);
    harness.Run();
    const std::vector<std::pair<int64_t, uint64_t>> expectedSent = {{7, BYTES}, {9, 0}};
    const std::vector<std::pair<int64_t, uint64_t>> expectedArrived = {{9 + LATENCY, 0},
                                                                       {7 + LATENCY + BUSY, BYTES}};
    NS_TEST_EXPECT_MSG_EQ((sent == expectedSent), true, "sent");
    NS_TEST_EXPECT_MSG_EQ((arrived == expectedArrived), true, "arrived");
    NS_TEST_EXPECT_MSG_EQ(backend.GetMessagesSent(), 2, "sent");
    NS_TEST_EXPECT_MSG_EQ(backend.GetMessagesArrived(), 2, "arrived");
    NS_TEST_EXPECT_MSG_EQ(backend.GetNDevices(), 0, "no devices");
}

/**
 * @ingroup ml-cluster-tests
 * At the end of a simulation channels may be disposed of before the nodes: endpoints disconnect all
 * the same.
 */
class EndCase : public TestCase
{
  public:
    EndCase()
        : TestCase("endpoints outlive the network")
    {
    }

  private:
    void DoRun() override
    {
        MessageHarness harness(Pair(), CreateObject<CheatingBackend>(nullptr, LinkUsage{}));
        NetworkBackend& backend = harness.GetBackend();
        backend.Dispose();
        NS_TEST_EXPECT_MSG_EQ(GetErrorOf([&] { backend.SetEndpoint(0, nullptr); }), "", "rank 0");
        NS_TEST_EXPECT_MSG_EQ(GetErrorOf([&] { backend.SetEndpoint(2, nullptr); }).empty(),
                              false,
                              "there is no rank 2");
    }
};

/**
 * @ingroup ml-cluster-tests
 * A process that counts nanoseconds is told how to count picoseconds. The resolution can be set
 * once in a process, so this case is a suite of its own.
 */
class ResolutionCase : public TestCase
{
  public:
    ResolutionCase()
        : TestCase("a network needs picoseconds")
    {
    }

  private:
    void DoRun() override;
};

void
ResolutionCase::DoRun()
{
    const auto graph = std::make_shared<LinkGraph>(ClusterTopology(Pair()));
    const auto backend = CreateObject<CheatingBackend>(nullptr, LinkUsage{});
    const bool counted = Time::GetResolution() == Time::PS;
    const std::string before = GetErrorOf([&] { backend->Build(graph, NodeContainer()); });
    NS_TEST_EXPECT_MSG_EQ(Contains(before, "Time::SetResolution(Time::PS)"), !counted, before);
    UsePicoseconds();
    const auto other = CreateObject<CheatingBackend>(nullptr, LinkUsage{});
    NS_TEST_EXPECT_MSG_EQ(GetErrorOf([&] { other->Build(graph, NodeContainer()); }),
                          "",
                          "picoseconds");
}

/**
 * @ingroup ml-cluster-tests
 * The suite of what all backends share.
 */
class NetworkBackendTestSuite : public TestSuite
{
  public:
    NetworkBackendTestSuite()
        : TestSuite("ml-cluster-network-backend", Type::UNIT)
    {
        AddTestCase(new AccountsCase);
        AddTestCase(new MisuseCase);
        AddTestCase(new TraceCase);
        AddTestCase(new EndCase);
    }
};

/**
 * @ingroup ml-cluster-tests
 * The suite of the clock.
 */
class ResolutionTestSuite : public TestSuite
{
  public:
    ResolutionTestSuite()
        : TestSuite("ml-cluster-resolution", Type::UNIT)
    {
        AddTestCase(new ResolutionCase);
    }
};

/// The suites.
NetworkBackendTestSuite g_networkBackendTestSuite;
ResolutionTestSuite g_resolutionTestSuite; ///< likewise

} // namespace
