/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "test-tools.h"

#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400000000000; ///< 400 Gb/s per NPU
constexpr int64_t LATENCY = 500000;     ///< 500 ns per link
constexpr uint64_t SIZE = 64ULL << 20;  ///< bytes per rank
constexpr uint64_t PAYLOAD = 4096;      ///< bytes of a packet

/// Runs one collective of SIZE over all ranks with the default algorithms and 4 chunks.
RunReport
RunCollective(const std::string& notation,
              CollectiveType type,
              const std::string& backend,
              const std::function<void(ClusterHelper&)>& configure)
{
    const auto topology = MakeTopology(notation, RATE, LATENCY);
    return RunCluster(topology,
                      MakeEqualWorkload(topology.GetNRanks(), {CollectiveNode(1, type, SIZE)}),
                      configure,
                      backend);
}

/// Sets the packet backend's header and ACK sizes.
std::function<void(ClusterHelper&)>
WithHeader(uint32_t header)
{
    return [header](ClusterHelper& cluster) {
        cluster.SetBackendAttribute("PayloadBytes", UintegerValue(PAYLOAD));
        cluster.SetBackendAttribute("HeaderBytes", UintegerValue(header));
        cluster.SetBackendAttribute("AckBytes", UintegerValue(0));
    };
}

/// Leaves attributes alone but for those of one collective.
std::function<void(ClusterHelper&)>
WithDirectAllToAll(const std::function<void(ClusterHelper&)>& further)
{
    return [further](ClusterHelper& cluster) {
        cluster.SetCollectiveAttribute("AllToAll", StringValue("direct"));
        if (further)
        {
            further(cluster);
        }
    };
}

void
WithoutSharing(ClusterHelper& cluster)
{
    cluster.SetBackendAttribute("Congestion", StringValue("None"));
}

/// Data packets x links, from what the links carried.
uint64_t
CountPacketHops(const RunReport& report)
{
    uint64_t hops = 0;
    for (const auto& link : report.links)
    {
        hops += link.payloadBytes / PAYLOAD;
    }
    return hops;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * The packet backend against the analytical one where theory says they agree. Expectation: without
 * headers under 2 % apart (packets are stored whole at each hop and the pipe is filled packet by
 * packet); a header of h bytes on packets of p lengthens the run by (1 + h/p) within 0.5 %
 * (latencies do not stretch); at least one event for each packet and link.
 */
class PacketAgainstAnalyticalTestCase : public TestCase
{
  public:
    /// @param notation topology
    explicit PacketAgainstAnalyticalTestCase(const std::string& notation)
        : TestCase("Packets against the analytical channel on " + notation),
          m_notation(notation)
    {
    }

  private:
    void DoRun() override
    {
        for (const auto type : {CollectiveType::AllReduce,
                                CollectiveType::AllGather,
                                CollectiveType::ReduceScatter,
                                CollectiveType::AllToAll})
        {
            const auto model = RunCollective(m_notation, type, "analytical", {});
            const auto bare = RunCollective(m_notation, type, "packet", WithHeader(0));
            const auto full = RunCollective(m_notation, type, "packet", WithHeader(82));
            const double error = static_cast<double>(bare.finishTimePs) / model.finishTimePs - 1;
            const double ratio = static_cast<double>(full.finishTimePs) / bare.finishTimePs;
            NS_TEST_EXPECT_MSG_LT(std::abs(error), 0.02, ToString(type) << " without headers");
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio,
                                      1 + 82.0 / PAYLOAD,
                                      0.005,
                                      ToString(type) << " with headers");
            NS_TEST_EXPECT_MSG_EQ((bare.events >= CountPacketHops(bare)),
                                  true,
                                  ToString(type) << " events");
            NS_TEST_EXPECT_MSG_GT(CountPacketHops(bare), 0, ToString(type) << " packets");
        }
    }

    std::string m_notation; ///< topology
};

/**
 * @ingroup ml-cluster-tests
 * Where formulas without sharing must fail: direct all-to-all on a ring, and seven senders to one
 * port. Expectation: packets within 2 % of Congestion=Links, and at least twice Congestion=None.
 */
class CongestionTestCase : public TestCase
{
  public:
    CongestionTestCase()
        : TestCase("Congestion that a model without sharing cannot see")
    {
    }

  private:
    void DoRun() override
    {
        const auto allToAll = [](const std::string& backend, const auto& configure) {
            return RunCollective("Ring(8)",
                                 CollectiveType::AllToAll,
                                 backend,
                                 WithDirectAllToAll(configure))
                .finishTimePs;
        };
        Check("direct all-to-all on Ring(8)",
              allToAll("analytical", std::function<void(ClusterHelper&)>()),
              allToAll("analytical", WithoutSharing),
              allToAll("packet", WithHeader(0)));

        std::vector<std::vector<ExecutionNode>> ranks(8);
        for (uint32_t sender = 1; sender < 8; ++sender)
        {
            ranks[0].push_back(PeerNode(NodeKind::Receive, sender, sender, 1 << 20));
            ranks[sender].push_back(PeerNode(NodeKind::Send, 1, 0, 1 << 20));
        }
        const auto incast = [&](const std::string& backend,
                                const std::function<void(ClusterHelper&)>& configure) {
            return RunCluster(MakeTopology("Switch(8)", RATE, LATENCY),
                              MakeWorkload(ranks),
                              configure,
                              backend)
                .finishTimePs;
        };
        Check("seven senders to one port",
              incast("analytical", {}),
              incast("analytical", WithoutSharing),
              incast("packet", WithHeader(0)));
    }

    /// @param what case @param links Congestion=Links @param none Congestion=None @param packets
    /// packet backend, ps
    void Check(const std::string& what, int64_t links, int64_t none, int64_t packets)
    {
        NS_TEST_EXPECT_MSG_LT(std::abs(static_cast<double>(packets) / links - 1),
                              0.02,
                              what << ": packets " << packets << " links " << links);
        NS_TEST_EXPECT_MSG_EQ((packets >= 2 * none),
                              true,
                              what << ": packets " << packets << " none " << none);
    }
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of one backend against the other.
 */
class ValidationTestSuite : public TestSuite
{
  public:
    ValidationTestSuite()
        : TestSuite("ml-cluster-validation", Type::SYSTEM)
    {
        for (const std::string notation :
             {"Ring(8)", "FullyConnected(8)", "Switch(8)", "Ring(4)_Switch(4)"})
        {
            AddTestCase(new PacketAgainstAnalyticalTestCase(notation));
        }
        AddTestCase(new CongestionTestCase);
    }
};

static ValidationTestSuite g_validationTestSuite; ///< registers the suite
