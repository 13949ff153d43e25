/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Every kind of collective over every kind of group on every engine (others have had an engine that
// did not know the all-to-all of an expert group).

#include "test-tools.h"

#include "ns3/test.h"

#include <map>
#include <numeric>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

constexpr uint64_t RATE = 400'000'000'000; ///< 400 Gb/s
constexpr int64_t LATENCY = 500'000;       ///< 500 ns
constexpr uint64_t BYTES = 240'000;        ///< size of a collective, of 1 to 6 equal parts and more

/// Kinds of group of Ring(4)_FullyConnected(3)_Switch(2).
const std::map<std::string, std::vector<uint32_t>> GROUPS{
    {"a whole ring", {0, 1, 2, 3}},
    {"a whole fully connected", {1, 5, 9}},
    {"a whole switch", {2, 14}},
    {"a ring, in another order", {3, 1, 2, 0}},
    {"part of a ring", {4, 6, 7}},
    {"part of a fully connected", {0, 8}},
    {"two whole dimensions", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
    {"two dimensions with one between", {1, 2, 13, 14, 0, 3, 12, 15}},
    {"parts of two dimensions", {0, 2, 4, 6}},
    {"all", {}},
    {"arbitrary ranks", {17, 3, 8, 22, 5}},
    {"one rank", {13}},
};

/// @param type operation @param isUneven whether its parts are unequal @param members group @return
/// the node of each rank
std::vector<std::vector<ExecutionNode>>
MakeRanks(CollectiveType type, bool isUneven, const std::vector<uint32_t>& members)
{
    std::vector<std::vector<ExecutionNode>> ranks(24);
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        auto node = CollectiveNode(1, type, type == CollectiveType::Barrier ? 0 : BYTES, {}, "g");
        node.peer = IsRooted(type) ? members.back() : 0;
        for (std::size_t j = 0; isUneven && j < members.size(); ++j)
        {
            node.peerBytes.push_back(1000 * (i + 2 * j));
        }
        ranks[members[i]] = {node};
    }
    return ranks;
}

/// @param type operation @param n members @return bytes that must be moved at least, all together
uint64_t
GetLeastMoved(CollectiveType type, uint64_t n)
{
    switch (type)
    {
    case CollectiveType::AllReduce:
        return 2 * (n - 1) * BYTES;
    case CollectiveType::AllGather:
        return n * (n - 1) * BYTES;
    case CollectiveType::Scatter:
        return (n - 1) * (BYTES / n);
    case CollectiveType::Barrier:
        return 0;
    default:
        return (n - 1) * BYTES;
    }
}

/// @param n members @return bytes that the unequal all-to-all moves
uint64_t
GetUnevenMoved(uint64_t n)
{
    uint64_t bytes = 0;
    for (uint64_t i = 0; i < n; ++i)
    {
        for (uint64_t j = 0; j < n; ++j)
        {
            bytes += i == j ? 0 : 1000 * (i + 2 * j);
        }
    }
    return bytes;
}

/// @param report of a run @return message bytes by link
std::vector<uint64_t>
GetPayload(const RunReport& report)
{
    std::vector<uint64_t> payload;
    for (const auto& link : report.links)
    {
        payload.push_back(link.payloadBytes);
    }
    return payload;
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * One kind of collective. Expectation: all engines run it over all groups and put the same bytes on
 * the same links, no fewer than the operation needs; none is faster than the lower bounds; phases
 * take the time of messages, packets little more.
 */
class GroupKindsTestCase : public TestCase
{
  public:
    /// @param type operation @param isUneven whether its parts are unequal
    explicit GroupKindsTestCase(CollectiveType type, bool isUneven = false)
        : TestCase((isUneven ? "unequal " : "") + ToString(type) + " over every kind of group"),
          m_type(type),
          m_isUneven(isUneven)
    {
    }

  private:
    void DoRun() override
    {
        for (auto [name, members] : GROUPS)
        {
            if (members.empty())
            {
                members.resize(24);
                std::iota(members.begin(), members.end(), 0);
            }
            const auto messages = RunOn("Message", members);
            const auto phases = RunOn("Phase", members);
            const auto packets = RunOn("", members);
            Check(messages, members, name + ", messages");
            Check(packets, members, name + ", packets");
            NS_TEST_EXPECT_MSG_EQ(phases.finishTimePs, messages.finishTimePs, name << ", phases");
            const bool isEqual = GetPayload(packets) == GetPayload(messages);
            NS_TEST_EXPECT_MSG_EQ(isEqual, true, name << ": bytes by link differ");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(packets.finishTimePs,
                                        1.35 * messages.finishTimePs,
                                        name << ", packets");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(packets.finishTimePs,
                                        0.95 * messages.finishTimePs,
                                        name << ", packets");
        }
    }

    /// @param granularity of the analytical channel; "": packets @param members group @return
    /// report
    RunReport RunOn(const std::string& granularity, const std::vector<uint32_t>& members)
    {
        return RunCluster(
            MakeTopology("Ring(4)_FullyConnected(3)_Switch(2)", RATE, LATENCY),
            MakeWorkload(MakeRanks(m_type, m_isUneven, members), {{"g", members}}),
            [&](ClusterHelper& cluster) {
                if (!granularity.empty())
                {
                    cluster.SetBackendAttribute("Granularity", StringValue(granularity));
                }
            },
            granularity.empty() ? "packet" : "analytical");
    }

    /// @param report of a run @param members group @param text what it was
    void Check(const RunReport& report,
               const std::vector<uint32_t>& members,
               const std::string& text)
    {
        const auto& collective = report.collectives.at(0);
        NS_TEST_EXPECT_MSG_EQ(report.collectives.size(), 1, text);
        NS_TEST_EXPECT_MSG_EQ(collective.ranks, members.size(), text);
        const int64_t time = collective.endPs - collective.startPs;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(time, collective.bandwidthBoundPs, text);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(time, collective.latencyBoundPs, text);
        NS_TEST_EXPECT_MSG_EQ((time > 0), (members.size() > 1), text);
        const auto payload = GetPayload(report);
        const uint64_t moved = std::accumulate(payload.begin(), payload.end(), uint64_t{0});
        const uint64_t least =
            m_isUneven ? GetUnevenMoved(members.size()) : GetLeastMoved(m_type, members.size());
        NS_TEST_EXPECT_MSG_GT_OR_EQ(moved, least, text);
    }

    CollectiveType m_type; ///< operation
    bool m_isUneven;       ///< whether its parts are unequal
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of every kind of collective over every kind of group.
 */
class GroupKindsTestSuite : public TestSuite
{
  public:
    GroupKindsTestSuite()
        : TestSuite("ml-cluster-group-kinds", Type::SYSTEM)
    {
        for (uint32_t type = 0; type <= static_cast<uint32_t>(CollectiveType::Barrier); ++type)
        {
            AddTestCase(new GroupKindsTestCase(static_cast<CollectiveType>(type)));
        }
        AddTestCase(new GroupKindsTestCase(CollectiveType::AllToAll, true));
    }
};

static GroupKindsTestSuite g_groupKindsTestSuite; ///< registers the suite
