/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "drawn-runs.h"

#include "ns3/collective-bounds.h"
#include "ns3/test.h"
#include "ns3/trace-source-accessor.h"

#include <map>
#include <tuple>

using namespace ns3;
using namespace ns3::mlcluster;
using namespace ns3::mlcluster::tests;

namespace
{

/// What a run showed.
struct Outcome
{
    bool isRefused{false};          ///< before time started
    RunReport report;               ///< of the run
    std::vector<uint64_t> sent;     ///< bytes by rank
    std::vector<uint64_t> received; ///< bytes by rank
};

/// @param outcome counts @param message that has arrived
void
Count(Outcome* outcome, const NetworkMessage& message)
{
    if (message.source < outcome->sent.size())
    {
        outcome->sent[message.source] += message.bytes;
    }
    if (message.destination < outcome->received.size())
    {
        outcome->received[message.destination] += message.bytes;
    }
}

/// @param drawn a case @param granularity of the analytical channel @return what happened
Outcome
RunCase(const DrawnCase& drawn, const std::string& granularity)
{
    UsePicoseconds();
    const uint32_t nRanks = drawn.topology.GetNRanks();
    Outcome outcome{false, {}, std::vector<uint64_t>(nRanks), std::vector<uint64_t>(nRanks)};
    ClusterHelper cluster(drawn.topology);
    Configure(cluster, drawn, granularity);
    try
    {
        cluster.Install(MakeWork(drawn));
    }
    catch (const InputError&)
    {
        outcome.isRefused = true;
        return outcome;
    }
    cluster.GetBackend()->TraceConnectWithoutContext("MessageArrived",
                                                     MakeBoundCallback(&Count, &outcome));
    outcome.report = cluster.Run();
    return outcome;
}

/// Everything of a report that runs of one case must agree about.
auto
GetResults(const RunReport& report)
{
    std::vector<std::tuple<int64_t, int64_t, int64_t>> ranks;
    for (const auto& rank : report.ranks)
    {
        ranks.emplace_back(rank.finishTimePs, rank.exposedCommunicationPs, rank.idlePs);
    }
    std::vector<std::tuple<uint64_t, uint64_t, int64_t, uint64_t>> links;
    for (const auto& link : report.links)
    {
        links.emplace_back(link.payloadBytes, link.wireBytes, link.busyPs, link.maxQueueBytes);
    }
    std::map<std::string, std::pair<int64_t, int64_t>> collectives;
    for (const auto& collective : report.collectives)
    {
        collectives[collective.name] = {collective.startPs, collective.endPs};
    }
    return std::make_tuple(report.finishTimePs, ranks, links, collectives);
}

/// Bytes that must pass a rank.
struct Needs
{
    uint64_t sent{0};           ///< at least
    uint64_t received{0};       ///< at least
    bool isSentExact{false};    ///< whether nothing more is sent
    bool isReceiveExact{false}; ///< whether nothing more is received
};

/// @param call with a matrix @param m index of a member @return what must pass it
Needs
GetMatrixNeeds(const DrawnCall& call, std::size_t m)
{
    const std::size_t n = call.members.size();
    Needs needs{0, 0, true, true};
    for (std::size_t other = 0; other < n; ++other)
    {
        needs.sent += other == m ? 0 : call.matrix[m * n + other];
        needs.received += other == m ? 0 : call.matrix[other * n + m];
    }
    return needs;
}

/// @param call a collective @param m index of a member @return what must pass it
Needs
GetNeeds(const DrawnCall& call, std::size_t m)
{
    const uint64_t n = call.nMeeting;
    const uint64_t bytes = call.bytes;
    const uint64_t others = n == 1 ? 0 : bytes - std::min(bytes, bytes / n + call.unevenBytes);
    const bool isRoot = call.members[m] == call.root;
    if (n == 1 || call.type == CollectiveType::Barrier)
    {
        return {0, 0, true, true};
    }
    if (!call.matrix.empty())
    {
        return GetMatrixNeeds(call, m);
    }
    switch (call.type)
    {
    case CollectiveType::AllReduce:
        return {bytes, bytes};
    case CollectiveType::AllGather:
        return {bytes, (n - 1) * bytes, false, true};
    case CollectiveType::Broadcast:
        return {isRoot ? bytes : 0, isRoot ? 0 : bytes, false, true};
    case CollectiveType::Reduce:
        return {isRoot ? 0 : bytes, isRoot ? bytes : 0, call.isPlain && !isRoot, false};
    case CollectiveType::Gather:
        return {isRoot ? 0 : bytes, isRoot ? (n - 1) * bytes : 0, isRoot, isRoot};
    case CollectiveType::Scatter:
        return {isRoot ? others : 0, 0, false, isRoot};
    case CollectiveType::ReduceScatter:
        return {others, 0};
    default:
        return {};
    }
}

/// @param call a collective @return bytes all members together must receive, and whether no more
std::pair<uint64_t, bool>
GetTotal(const DrawnCall& call)
{
    const uint64_t n = call.nMeeting;
    const uint64_t messages = (n - 1) * call.bytes * (call.members.size() / n);
    switch (call.type)
    {
    case CollectiveType::AllReduce:
        return {call.isPlain ? 2 * messages : 0, call.isPlain};
    case CollectiveType::ReduceScatter:
        return {call.isPlain ? messages : 0, call.isPlain};
    case CollectiveType::AllToAll:
        return {call.matrix.empty() ? messages : 0, false};
    default:
        return {0, false};
    }
}

} // namespace

/**
 * @ingroup ml-cluster-tests
 * Random collectives on random topologies, with all that can be chosen. Expectation: they are
 * refused before time starts, or end on all ranks, move the bytes that the operation needs, take no
 * less time than CollectiveBounds, load no link above its rate, and give the same again, also phase
 * by phase.
 */
class RandomCollectivesTestCase : public TestCase
{
  public:
    /// @param part so that each has its own seed
    explicit RandomCollectivesTestCase(uint32_t part)
        : TestCase("Random collectives end, conserve bytes and respect the bounds, part " +
                   std::to_string(part)),
          m_part(part)
    {
    }

  private:
    void DoRun() override
    {
        CollectiveLottery lottery(m_part);
        uint32_t nRefused = 0;
        for (uint32_t nRun = 0; nRun < N_CASES && nRefused < N_CASES / 3;)
        {
            const DrawnCase drawn = lottery.Draw((nRun + nRefused) % 8 == 0);
            const Outcome outcome = RunCase(drawn, "Message");
            if (outcome.isRefused)
            {
                ++nRefused;
                continue;
            }
            m_text = std::to_string(nRun++) + ": " + drawn.Describe();
            CheckBytes(drawn, outcome);
            CheckTimes(drawn, outcome.report);
            CheckLinks(outcome.report);
            CheckAgain(drawn, outcome.report);
        }
        NS_TEST_EXPECT_MSG_LT(nRefused, N_CASES / 3, "most combinations can be done");
    }

    /// @param drawn a case @param outcome of it
    void CheckBytes(const DrawnCase& drawn, const Outcome& outcome)
    {
        const std::size_t nRanks = outcome.sent.size();
        std::vector<Needs> needs(nRanks, {0, 0, true, true});
        std::pair<uint64_t, bool> total{0, true};
        for (const auto& call : drawn.calls)
        {
            for (std::size_t m = 0; m < call.members.size(); ++m)
            {
                const Needs more = GetNeeds(call, m);
                Needs& sum = needs[call.members[m]];
                sum = {sum.sent + more.sent,
                       sum.received + more.received,
                       sum.isSentExact && more.isSentExact,
                       sum.isReceiveExact && more.isReceiveExact};
            }
            const auto [bytes, isExact] = GetTotal(call);
            total = {total.first + bytes, total.second && isExact};
        }
        uint64_t received = 0;
        for (std::size_t rank = 0; rank < nRanks; ++rank)
        {
            const Needs& need = needs[rank];
            received += outcome.received[rank];
            NS_TEST_EXPECT_MSG_EQ((outcome.sent[rank] >= need.sent &&
                                   (!need.isSentExact || outcome.sent[rank] == need.sent)),
                                  true,
                                  m_text << ": rank " << rank << " sent " << outcome.sent[rank]
                                         << " of " << need.sent);
            NS_TEST_EXPECT_MSG_EQ(
                (outcome.received[rank] >= need.received &&
                 (!need.isReceiveExact || outcome.received[rank] == need.received)),
                true,
                m_text << ": rank " << rank << " received " << outcome.received[rank] << " of "
                       << need.received);
        }
        NS_TEST_EXPECT_MSG_EQ(
            (received >= total.first && (!total.second || received == total.first)),
            true,
            m_text << ": " << received << " of " << total.first);
    }

    /// @param drawn a case @param report of it
    void CheckTimes(const DrawnCase& drawn, const RunReport& report)
    {
        std::map<std::string, CollectiveReport> byName;
        for (const auto& collective : report.collectives)
        {
            byName[collective.name] = collective;
        }
        NS_TEST_ASSERT_MSG_EQ(byName.size(), drawn.calls.size(), m_text << ": all end");
        for (std::size_t i = 0; i < drawn.calls.size(); ++i)
        {
            const auto& call = drawn.calls[i];
            std::vector<int64_t> starts;
            for (const uint32_t rank : call.members)
            {
                starts.push_back(drawn.workPs[rank][0] + (i == 0 ? 0 : drawn.workPs[rank][1]));
            }
            CheckCall(drawn.topology, call, starts, byName[call.group]);
        }
    }

    /// @param topology shape @param call a collective @param starts by member, ps @param report of
    /// it
    void CheckCall(const ClusterTopology& topology,
                   const DrawnCall& call,
                   const std::vector<int64_t>& starts,
                   const CollectiveReport& report)
    {
        const int64_t first = *std::min_element(starts.begin(), starts.end());
        const int64_t last = *std::max_element(starts.begin(), starts.end());
        NS_TEST_EXPECT_MSG_EQ(report.startPs, first, m_text << ": start");
        NS_TEST_EXPECT_MSG_EQ(report.ranks, call.nMeeting, m_text << ": members");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.endPs, last, m_text << ": end");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(report.utilisation, 1, m_text << ": utilisation");
        std::vector<uint32_t> all(topology.GetNDimensions());
        std::iota(all.begin(), all.end(), 0);
        const CollectiveBounds whole(topology, all);
        for (std::size_t m = 0; m < starts.size(); ++m)
        {
            const Needs needs = GetNeeds(call, m);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(report.endPs - first,
                                        whole.GetIdealPs(std::max(needs.sent, needs.received)),
                                        m_text << ": rate of member " << m);
        }
        if (!call.isBox)
        {
            return;
        }
        const CollectiveBounds bounds(topology, call.dimensions);
        if (!call.matrix.empty())
        {
            CheckMatrix(topology, call, bounds, report);
            return;
        }
        const bool isShard =
            call.type == CollectiveType::AllGather || call.type == CollectiveType::Gather;
        const uint64_t buffer = isShard ? call.bytes * call.nMeeting : call.bytes;
        const int64_t bandwidth = bounds.GetBandwidthPs(call.type, buffer);
        const int64_t latency = bounds.GetLatencyPs(call.type, buffer);
        const auto root = std::find(call.members.begin(), call.members.end(), call.root);
        const int64_t from = !IsRooted(call.type) ? last : starts[root - call.members.begin()];
        const bool isScatter = call.type == CollectiveType::Scatter;
        const uint64_t least = buffer - (isScatter ? std::min(buffer, call.unevenBytes) : 0);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(report.endPs - first,
                                    bounds.GetBandwidthPs(call.type, least),
                                    m_text << ": bandwidth");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(
            report.endPs - (IsRooted(call.type) && !IsFromRoot(call.type) ? first : from),
            latency,
            m_text << ": latency");
        NS_TEST_EXPECT_MSG_EQ(report.bandwidthBoundPs, bandwidth, m_text << ": as reported");
        NS_TEST_EXPECT_MSG_EQ(report.latencyBoundPs, latency, m_text << ": as reported");
    }

    /// @param topology shape @param call of unequal sizes @param bounds of it @param report of it
    void CheckMatrix(const ClusterTopology& topology,
                     const DrawnCall& call,
                     const CollectiveBounds& bounds,
                     const CollectiveReport& report)
    {
        const int64_t latency = CollectiveBounds::GetLatencyPs(topology, call.members, call.matrix);
        const int64_t bandwidth = bounds.GetBandwidthPs(call.matrix);
        const int64_t time = report.endPs - report.startPs;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(time, std::max(latency, bandwidth), m_text << ": matrix");
        NS_TEST_EXPECT_MSG_EQ(report.bandwidthBoundPs, bandwidth, m_text << ": as reported");
        NS_TEST_EXPECT_MSG_EQ(report.latencyBoundPs, latency, m_text << ": as reported");
    }

    /// @param report of a run
    void CheckLinks(const RunReport& report)
    {
        const auto getTime = [](uint64_t bytes, uint64_t bitRate) {
            return static_cast<int64_t>(TestInt128{bytes} * 8 * 1'000'000'000'000 / bitRate);
        };
        for (const auto& link : report.links)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(link.busyPs,
                                        getTime(link.wireBytes, link.bitRate),
                                        m_text << ": " << link.from);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(report.finishTimePs,
                                        getTime(link.payloadBytes, link.bitRate),
                                        m_text << ": " << link.from);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(link.wireBytes, link.payloadBytes, m_text);
        }
    }

    /// @param drawn a case @param report of a run with messages
    void CheckAgain(const DrawnCase& drawn, const RunReport& report)
    {
        const RunReport again = RunCase(drawn, drawn.granularity).report;
        const bool isSame =
            !again.phases || again.phases->overlapped == 0 || drawn.backend == "packet";
        NS_TEST_EXPECT_MSG_EQ((!isSame || GetResults(again) == GetResults(report)),
                              true,
                              m_text << ": again " << again.finishTimePs << " not "
                                     << report.finishTimePs);
    }

    static constexpr uint32_t N_CASES = 250; ///< that run

    uint32_t m_part;    ///< number of the part
    std::string m_text; ///< what is being checked
};

/**
 * @ingroup ml-cluster-tests
 * TestSuite of random collectives.
 */
class CollectiveRandomTestSuite : public TestSuite
{
  public:
    CollectiveRandomTestSuite()
        : TestSuite("ml-cluster-collective-random", Type::SYSTEM)
    {
        for (const uint32_t part : {0, 1, 63, 182})
        {
            AddTestCase(new RandomCollectivesTestCase(part));
        }
    }
};

static CollectiveRandomTestSuite g_collectiveRandomTestSuite; ///< registers the suite
