/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linked-traces.h"

namespace ns3
{
namespace mlcluster
{
namespace
{

using traces::Call;
using traces::Event;
using traces::Kernel;
using traces::Node;
using traces::Operator;
using traces::PROCESS;
using traces::THREAD;

using Names = std::vector<std::string>;

/// Finds who waits for whom.
class SynchronisationTest : public LinkedTracesTest
{
  protected:
    /// Thread 1 with operators a, b, c one after the other, each 100 us from 1000, 2000, 3000.
    static std::vector<Node> Nodes()
    {
        return {{1, PROCESS, 1, 0},
                {2, THREAD, 1},
                {3, "a", 2, 1, 1},
                {4, "b", 2, 1, 2},
                {5, "c", 2, 1, 3}};
    }

    /// @param more events @return the operators of Nodes, k1 launched in a on stream 7, and more
    static std::vector<std::string> Events(const std::vector<std::string>& more)
    {
        std::vector<std::string> events{Operator("a", 100, 1000, 100, 1),
                                        Operator("b", 100, 2000, 100, 2),
                                        Operator("c", 100, 3000, 100, 3),
                                        Call("cudaLaunchKernel", 100, 1010, 5, 71),
                                        Kernel("k1", 7, 1020, 1000, 71)};
        events.insert(events.end(), more.begin(), more.end());
        return events;
    }

    /// @param kind kind of synchronisation @param args args of a cuda_sync event @return it
    static std::string Exact(const std::string& kind, const std::string& args)
    {
        return Event("cuda_sync",
                     kind,
                     {0, -1},
                     {"1", "1"},
                     "\"cuda_sync_kind\": \"" + kind + "\", " + args);
    }

    /// @param kind of a synchronisation @return why the first one was left out, "" if none was
    std::string Reason(const std::string& kind) const
    {
        const auto account = m_ledger.GetAccount(kind);
        return account.leftOut.empty() ? "" : account.leftOut[0].reason;
    }
};

TEST_F(SynchronisationTest, AStreamIsWaitedFor)
{
    for (const bool isExact : {false, true})
    {
        auto events = Events({Call("cudaStreamSynchronize", 100, 2010, 60, 72)});
        if (isExact)
        {
            events.push_back(Exact("Stream Sync", R"("stream": 7, "correlation": 72)"));
        }
        const auto trace = Link(Nodes(), events);
        EXPECT_EQ(m_errors, "");
        EXPECT_EQ(WaitsFor(trace, "c"), Names{"k1"});
        EXPECT_TRUE(WaitsFor(trace, "b").empty());
        EXPECT_EQ(Get(trace, "b").exclusiveNs, 90000) << "k1 ended 10 us after the call began";
        EXPECT_EQ(m_warnings.find("taken to wait for the stream") == std::string::npos, isExact);
    }
}

TEST_F(SynchronisationTest, WaitingThatNothingEndsStaysInTheDuration)
{
    const auto events = Events({Call("cudaStreamSynchronize", 100, 3010, 60, 72)});
    const auto trace = Link(Nodes(), events);
    EXPECT_EQ(Get(trace, "c").exclusiveNs, 100000);
    EXPECT_EQ(Reason("cudaStreamSynchronize"), "nothing comes after it on its thread");
}

TEST_F(SynchronisationTest, OptionsTurnSynchronisationsOff)
{
    TraceLinkOptions options;
    options.synchronisations = false;
    const auto trace =
        Link(Nodes(), Events({Call("cudaStreamSynchronize", 100, 2010, 60, 72)}), options);
    EXPECT_TRUE(WaitsFor(trace, "c").empty());
    EXPECT_EQ(Get(trace, "b").exclusiveNs, 100000);
}

TEST_F(SynchronisationTest, AnAssumptionThatTimesContradictIsDropped)
{
    const auto events = Events({Call("cudaLaunchKernel", 100, 1050, 5, 73),
                                Kernel("k2", 7, 2020, 500, 73),
                                Call("cudaStreamSynchronize", 100, 2010, 60, 72)});
    const auto trace = Link(Nodes(), events);
    EXPECT_TRUE(WaitsFor(trace, "c").empty());
    EXPECT_EQ(Reason("cudaStreamSynchronize"), "it ended before what it is taken to wait for");
}

TEST_F(SynchronisationTest, ADeviceIsWaitedFor)
{
    const auto events = Events({Call("cudaLaunchKernel", 100, 1050, 5, 73),
                                Kernel("k2", 9, 2000, 5, 73),
                                Call("cudaDeviceSynchronize", 100, 2010, 60, 72),
                                Exact("Context Sync", R"("stream": -1, "correlation": 72)")});
    EXPECT_EQ(WaitsFor(Link(Nodes(), events), "c"), (Names{"k1", "k2"}));
}

TEST_F(SynchronisationTest, AnEventIsWaitedForByTheHost)
{
    const std::vector<std::string> more{Call("cudaLaunchKernel", 100, 1050, 1, 73),
                                        Kernel("k2", 7, 2020, 5, 73),
                                        Call("cudaEventRecord", 100, 1060, 1, 80),
                                        Call("cudaLaunchKernel", 100, 1070, 1, 74),
                                        Kernel("k3", 7, 2025, 5, 74),
                                        Call("cudaEventSynchronize", 100, 2010, 60, 81)};
    auto events = Events(more);
    EXPECT_EQ(WaitsFor(Link(Nodes(), events), "c"), Names{"k2"}) << "recorded before k3";
    events.push_back(Exact("Event Sync",
                           R"("stream": -1, "wait_on_stream": 7, "correlation": 81,
                              "wait_on_cuda_event_record_corr_id": 80)"));
    EXPECT_EQ(WaitsFor(Link(Nodes(), events), "c"), Names{"k2"});
    EXPECT_EQ(m_warnings, "");
    events.back() = Exact("Event Sync",
                          R"("stream": -1, "wait_on_stream": 7, "correlation": 81,
                             "wait_on_cuda_event_record_corr_id": 79)");
    EXPECT_TRUE(WaitsFor(Link(Nodes(), events), "c").empty());
    EXPECT_EQ(Reason("cudaEventSynchronize"), "nothing launched before is known");
}

TEST_F(SynchronisationTest, AStreamWaitsForAnEvent)
{
    const std::vector<std::string> more{Call("cudaEventRecord", 100, 1030, 1, 80),
                                        Call("cudaLaunchKernel", 100, 1040, 1, 73),
                                        Kernel("k2", 7, 2020, 5, 73),
                                        Call("cudaStreamWaitEvent", 100, 2005, 1, 81),
                                        Call("cudaLaunchKernel", 100, 2010, 1, 74),
                                        Kernel("k3", 9, 2100, 5, 74)};
    auto events = Events(more);
    EXPECT_EQ(WaitsFor(Link(Nodes(), events), "k3"), Names{"k1"}) << "recorded before k2";
    EXPECT_NE(m_warnings.find("the event recorded last on another stream"), std::string::npos);
    events.push_back(Event("cuda_sync",
                           "Stream Wait Event",
                           {0, 9},
                           {"1", "1"},
                           R"("cuda_sync_kind": "Stream Wait Event", "stream": 9, "correlation": 81,
                              "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 80)"));
    EXPECT_EQ(WaitsFor(Link(Nodes(), events), "k3"), Names{"k1"});
    EXPECT_EQ(m_warnings, "");
}

TEST_F(SynchronisationTest, WithoutRecordedEventsTheThreadsOtherStreamIsMeant)
{
    const auto events = Events({Call("cudaStreamWaitEvent", 100, 2005, 1, 81),
                                Call("cudaLaunchKernel", 100, 2010, 1, 74),
                                Kernel("k3", 9, 2100, 5, 74)});
    EXPECT_EQ(WaitsFor(Link(Nodes(), events), "k3"), Names{"k1"});
    EXPECT_NE(m_warnings.find("the last operation of its thread on another stream"),
              std::string::npos);
    const auto others = Events({Call("cudaLaunchKernel", 100, 1020, 1, 73),
                                Kernel("k2", 9, 2030, 5, 73),
                                Call("cudaLaunchKernel", 100, 1030, 1, 75),
                                Kernel("k4", 9, 2040, 5, 75),
                                Call("cudaStreamWaitEvent", 100, 2005, 1, 81),
                                Call("cudaLaunchKernel", 100, 2010, 1, 74),
                                Kernel("k3", 9, 2100, 5, 74)});
    EXPECT_EQ(WaitsFor(Link(Nodes(), others), "k3"), Names{"k1"}) << "k2 and k4 are on its stream";
}

TEST_F(SynchronisationTest, ABlockingCopyIsWaitedFor)
{
    const auto waits = [this](const std::string& call, const std::string& copy) {
        const auto events =
            Events({Call(call, 100, 2010, 60, 75), Kernel(copy, 7, 2030, 20, 75, "gpu_memcpy")});
        const auto trace = Link(Nodes(), events);
        const int64_t own = Get(trace, "b").exclusiveNs;
        return WaitsFor(trace, "c") == Names{copy} ? own : -own;
    };
    EXPECT_EQ(waits("cudaMemcpy", "Memcpy HtoD (Pageable -> Device)"), 60000);
    EXPECT_EQ(waits("cudaMemcpyAsync", "Memcpy DtoH (Device -> Pageable)"), 60000);
    EXPECT_EQ(waits("cudaMemcpyAsync", "Memcpy DtoH (Device -> Pinned)"), -100000);
    EXPECT_EQ(waits("hipMemcpyWithStream", "CopyHostToDevice"), -100000);
}

/// A collective in b on stream 20, with its record in node 4 and a wait in c. @return the nodes
std::vector<Node>
CollectiveNodes()
{
    return {
        {1, PROCESS, 1, 0},
        {2, THREAD, 1},
        {3, "a", 2, 1, 1},
        {4, "record_param_comms", 2, 1, 2, R"([[1, 2, 0, 8, 4, "cuda:0"], 5, 99, 0, "allreduce"])"},
        {6, "record_param_comms", 2, 1, 3, R"([5, 0, 0, "wait"])"},
        {7, "d", 2, 1, 4}};
}

/// @return events that go with CollectiveNodes
std::vector<std::string>
CollectiveEvents()
{
    return {Operator("a", 100, 1000, 100, 1),
            Operator("record_param_comms", 100, 2000, 100, 2),
            Operator("record_param_comms", 100, 3000, 100, 3),
            Operator("d", 100, 4000, 100, 4),
            Call("cudaLaunchKernel", 100, 1010, 5, 71),
            Kernel("k1", 7, 1020, 1000, 71),
            Call("cudaStreamWaitEvent", 100, 2010, 1, 60),
            Call("cudaLaunchKernel", 100, 2020, 5, 72),
            Kernel("ncclKernel_AllReduce_RING_LL_Sum_float", 20, 2030, 900, 72),
            Call("cudaStreamWaitEvent", 100, 2040, 1, 61),
            Call("cudaStreamWaitEvent", 100, 3010, 1, 62),
            Call("cudaLaunchKernel", 100, 2500, 5, 73),
            Kernel("k2", 7, 2600, 10, 73),
            Call("cudaLaunchKernel", 100, 4010, 5, 74),
            Kernel("k3", 7, 4020, 10, 74)};
}

TEST_F(SynchronisationTest, CollectivesWaitForTheStreamAndAreWaitedFor)
{
    const auto trace = Link(CollectiveNodes(), CollectiveEvents());
    EXPECT_EQ(m_errors, "");
    const std::string collective = "ncclKernel_AllReduce_RING_LL_Sum_float";
    EXPECT_EQ(WaitsFor(trace, collective), Names{"k1"});
    EXPECT_EQ(WaitsFor(trace, "k3"), Names{collective});
    EXPECT_TRUE(WaitsFor(trace, "k2").empty()) << "what runs beside the collective stays free";
    EXPECT_EQ(m_ledger.GetAccount("cudaStreamWaitEvent of torch.distributed").kept, 3U);
    EXPECT_EQ(m_ledger.GetAccount("wait on collective").kept, 1U);
    EXPECT_EQ(m_warnings, "");
}

TEST_F(SynchronisationTest, AWaitForWhatIsNotInTheTraceIsNamed)
{
    auto nodes = CollectiveNodes();
    nodes[4].values = R"([4, 0, 0, "wait"])";
    Link(nodes, CollectiveEvents());
    EXPECT_EQ(Reason("wait on collective"), "nothing launched before is known");
    EXPECT_EQ(m_ledger.GetAccount("wait on collective").leftOut[0].ids, Names{"node 6 seq 4"});
}

TEST_F(SynchronisationTest, BackwardPassesAreJoined)
{
    const std::vector<Node> nodes{{1, PROCESS, 1, 0},
                                  {2, THREAD, 1},
                                  {3, "backward", 2, 1, 1},
                                  {9, "optimizer", 2, 1, 4},
                                  {5, THREAD, 1, 2},
                                  {6, "grad", 5, 2, 2, "[]", "[]", 3},
                                  {7, "inner", 6, 2, 3}};
    const auto trace = Link(nodes,
                            {Operator("backward", 100, 1000, 500, 1),
                             Operator("optimizer", 100, 1600, 100, 4),
                             Operator("grad", 200, 1050, 400, 2),
                             Operator("inner", 200, 1100, 350, 3)});
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(WaitsFor(trace, "optimizer"), Names{"inner"});
    EXPECT_EQ(Get(trace, "backward").exclusiveNs, 100000)
        << "of 500 us it waited from 1050 to 1450";
    EXPECT_EQ(m_ledger.GetAccount("backward passes joined").kept, 1U);
}

} // namespace
} // namespace mlcluster
} // namespace ns3
