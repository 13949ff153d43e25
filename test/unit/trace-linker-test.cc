/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linked-traces.h"

#include "ns3/operator-timeline.h"

namespace ns3
{
namespace mlcluster
{
namespace
{

using traces::Call;
using traces::Kernel;
using traces::Node;
using traces::Operator;
using traces::PROCESS;
using traces::THREAD;

/// Two threads: a with b and c in it, and later d. @return the execution trace
std::vector<Node>
TwoThreads()
{
    return {{1, PROCESS, 1, 0},
            {2, THREAD, 1},
            {10, "a", 2, 1, 1},
            {14, "b", 10, 1, 2},
            {15, "c", 10, 1, 3},
            {20, THREAD, 1, 2},
            {21, "d", 20, 2, 4}};
}

/// @param hasIds whether operators have record-function ids @return the Kineto trace that goes with
/// it
std::vector<std::string>
TwoThreadEvents(bool hasIds = true)
{
    return {Operator("a", 100, 1000, 100, hasIds ? 1 : 0),
            Operator("b", 100, 1010, 30, hasIds ? 2 : 0),
            Operator("c", 100, 1050, 40, hasIds ? 3 : 0),
            Operator("d", 200, 3000, 100, hasIds ? 4 : 0),
            Call("cudaLaunchKernel", 100, 1020, 5, 71),
            Call("cudaLaunchKernel", 100, 1095, 4, 72),
            Kernel("k1", 7, 1030, 30, 71),
            Kernel("k2", 7, 1100, 10, 72)};
}

using TraceLinkerTest = LinkedTracesTest; ///< links traces

TEST_F(TraceLinkerTest, NodesGetTimesAndNewIds)
{
    for (const bool hasIds : {true, false})
    {
        const auto trace = Link(TwoThreads(), TwoThreadEvents(hasIds));
        EXPECT_EQ(m_errors, "");
        std::vector<std::string> names;
        for (const auto& node : trace.nodes)
        {
            EXPECT_EQ(node.id, names.size());
            names.push_back(node.name);
        }
        EXPECT_EQ(
            names,
            (std::vector<std::string>{PROCESS, THREAD, "a", "k2", "b", "k1", "c", THREAD, "d"}));
        EXPECT_EQ(Get(trace, "a").inclusiveNs, 100000);
        EXPECT_EQ(Get(trace, "a").exclusiveNs, 30000);
        EXPECT_EQ(Get(trace, "b").exclusiveNs, 30000);
        EXPECT_EQ(Get(trace, "a").startNs, 1000000);
        EXPECT_EQ(Get(trace, "c").parent, 2U);
        EXPECT_EQ(trace.nodes[1].parent, 0U);
        EXPECT_FALSE(Get(trace, "a").hasEarlierThread);
        EXPECT_TRUE(Get(trace, "d").hasEarlierThread);
        EXPECT_EQ(Get(trace, "d").earlierThread, Get(trace, "c").id);
    }
}

TEST_F(TraceLinkerTest, DeviceNodesAreCopiesOfTheirHosts)
{
    const auto trace = Link(TwoThreads(), TwoThreadEvents());
    const auto& kernel = Get(trace, "k1");
    EXPECT_EQ(kernel.parent, Get(trace, "b").id);
    EXPECT_EQ(kernel.recordId, 2);
    EXPECT_EQ(kernel.category, "kernel");
    EXPECT_EQ(kernel.stream, 7);
    EXPECT_EQ(kernel.startNs, 1030000);
    EXPECT_EQ(kernel.inclusiveNs, 30000);
    EXPECT_EQ(kernel.exclusiveNs, 30000);
    EXPECT_EQ(kernel.schema, "b(...)");
    EXPECT_EQ(Get(trace, "k2").parent, Get(trace, "a").id)
        << "the innermost operator around the call";
    EXPECT_EQ(m_ledger.GetAccount("device kernel").kept, 2U);
    EXPECT_EQ(m_ledger.GetAccount("operators timed").kept, 4U);
}

TEST_F(TraceLinkerTest, ParityTakesTheOperatorThatStartedLast)
{
    TraceLinkOptions options;
    options.parity = true;
    const auto trace = Link(TwoThreads(), TwoThreadEvents(), options);
    EXPECT_EQ(Get(trace, "k2").parent, Get(trace, "c").id) << "c has ended when k2 is launched";
    auto events = TwoThreadEvents();
    events.back().insert(events.back().find("\"correlation\""), "\"External id\": 1010, ");
    EXPECT_EQ(Get(Link(TwoThreads(), events, options), "k2").parent, Get(trace, "b").id);
    Link(TwoThreads(), TwoThreadEvents(false), options);
    EXPECT_NE(m_errors.find("no operator of the Kineto trace has one that is an rf_id"),
              std::string::npos);
}

TEST_F(TraceLinkerTest, ExclusiveTimesMergeWhatOverlaps)
{
    const auto times = [](const std::vector<std::pair<int64_t, int64_t>>& intervals, bool parity) {
        std::vector<KinetoEvent> operators;
        for (const auto& [start, duration] : intervals)
        {
            operators.emplace_back();
            operators.back().startNs = start;
            operators.back().durationNs = duration;
        }
        const OperatorTimeline timeline(operators);
        return parity ? timeline.GetChakraExclusiveTimes() : timeline.GetExclusiveTimes();
    };
    using Times = std::vector<int64_t>;
    EXPECT_EQ(times({{0, 100}, {10, 30}, {20, 10}, {30, 20}, {90, 20}}, false),
              (Times{60, 20, 10, 20, 20}))
        << "10 to 40 and 30 to 50 are 40; 90 to 110 does not lie inside";
    EXPECT_EQ(times({{0, 100}, {0, 40}}, false), (Times{60, 40}));
    EXPECT_EQ(times({{0, 100}, {0, 40}}, true), (Times{100, 40}));
}

TEST_F(TraceLinkerTest, IterationsArePassagesOfTheKinetoTrace)
{
    std::vector<std::string> events;
    for (int i = 0; i < 3; ++i)
    {
        const int64_t t = 10000 * i;
        events.push_back(Operator("a", 100, t + 1000, 100, 0));
        events.push_back(Operator("b", 100, t + 1010 + i, 30, 0));
        events.push_back(Operator("c", 100, t + 1050, 40, 0));
        events.push_back(Operator("d", 200, t + 3000, 100, 0));
        events.push_back(Call("cudaLaunchKernel", 100, t + 1020, 5, 71 + i));
        events.push_back(Kernel("k" + std::to_string(i), 7, t + 1030, 30, 71 + i));
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        TraceLinkOptions options;
        options.iteration = i;
        const auto trace = Link(TwoThreads(), events, options);
        EXPECT_EQ(m_errors, "");
        EXPECT_EQ(Get(trace, "b").startNs, 1000 * (10000 * i + 1010 + i));
        EXPECT_EQ(Get(trace, "k" + std::to_string(i)).parent, Get(trace, "b").id);
        EXPECT_EQ(m_ledger.GetAccount("device kernel").GetIn(), 3U);
        EXPECT_EQ(m_ledger.GetAccount("device kernel").kept, 1U);
        EXPECT_EQ(m_ledger.GetAccount("Kineto operators").leftOut[0].ids.size(), 8U);
    }
    TraceLinkOptions options;
    options.iteration = 3;
    Link(TwoThreads(), events, options);
    EXPECT_NE(m_errors.find("no thread there has passage 3 with the same 3 names"),
              std::string::npos);
}

TEST_F(TraceLinkerTest, TellsWhichFieldIsMissing)
{
    auto events = TwoThreadEvents(false);
    events[1] = Operator("other", 100, 1010, 30, 0);
    Link(TwoThreads(), events);
    for (const char* part :
         {"thread 1",
          "\"Record function id\" is missing or 0 in every operator",
          "begins with 1 equal ones, then \"other\" stands against node 14 \"b\"",
          "PyTorch 2.4 and newer write that field",
          "ExecutionTraceObserver"})
    {
        EXPECT_NE(m_errors.find(part), std::string::npos) << part << "\n" << m_errors;
    }
    events = TwoThreadEvents();
    for (int i = 0; i < 4; ++i)
    {
        events[i] = Operator(i == 0 ? "z" : "y", 100, 1000 + i, 1, 900 + i);
    }
    Link(TwoThreads(), events);
    EXPECT_NE(m_errors.find("\"Record function id\" is that of no node in every operator"),
              std::string::npos)
        << m_errors;
}

TEST_F(TraceLinkerTest, FuzzyMatchesOnlyIfAllowed)
{
    std::vector<Node> nodes{{2, THREAD, 1}};
    std::vector<std::string> events;
    for (int i = 0; i < 20; ++i)
    {
        nodes.push_back({static_cast<uint64_t>(10 + i), "op" + std::to_string(i % 7), 2});
        const std::string name = i == 5 ? "extra" : "op" + std::to_string(i % 7);
        events.push_back(Operator(name, 100, 1000 + 10 * i, 5, 0));
    }
    Link(nodes, events);
    EXPECT_NE(m_errors, "");
    TraceLinkOptions options;
    options.allowFuzzy = true;
    const auto trace = Link(nodes, events, options);
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(m_ledger.GetAccount("operators timed").kept, 19U);
    EXPECT_EQ(m_ledger.GetAccount("operators timed").leftOut[0].ids,
              std::vector<std::string>{"15 \"op5\""});
    EXPECT_EQ(trace.nodes[7].startNs, 1060000);
    events[7] = Operator("extra", 100, 1070, 5, 0);
    events[9] = Operator("extra", 100, 1090, 5, 0);
    Link(nodes, events, options);
    EXPECT_NE(m_errors, "") << "more than a tenth has no partner";
}

TEST_F(TraceLinkerTest, NamesWhatIsLeftOut)
{
    auto events = TwoThreadEvents();
    events.push_back(Kernel("lost", 7, 1200, 10, 99));
    events.push_back(Call("cudaLaunchKernel", 300, 1000, 5, 98));
    events.push_back(Kernel("stray", 7, 1300, 10, 98));
    events.push_back(Call("cudaMemsetAsync", 100, 1022, 1, 97));
    events.push_back(Kernel("Memset (Device)", 7, 1400, 10, 97, "gpu_memset"));
    TraceLinkOptions options;
    options.memset = false;
    Link(TwoThreads(), events, options);
    EXPECT_EQ(m_errors, "");
    const auto kernels = m_ledger.GetAccount("device kernel");
    EXPECT_EQ(kernels.GetIn(), 4U);
    EXPECT_EQ(kernels.kept, 2U);
    EXPECT_EQ(kernels.leftOut[0].reason, "no call launched it");
    EXPECT_EQ(kernels.leftOut[0].ids, std::vector<std::string>{"99 \"lost\""});
    EXPECT_EQ(kernels.leftOut[1].ids, std::vector<std::string>{"98 \"stray\""});
    EXPECT_EQ(m_ledger.GetAccount("device gpu_memset").leftOut[0].reason, "not asked for");
    options.memset = true;
    EXPECT_EQ(Get(Link(TwoThreads(), events, options), "Memset (Device)").stream, 7);
}

TEST_F(TraceLinkerTest, LaunchesOutsideOperatorsBelongToTheOneBefore)
{
    auto events = TwoThreadEvents();
    events.push_back(Call("cudaLaunchKernel", 100, 1200, 5, 90));
    events.push_back(Kernel("later", 7, 1210, 10, 90));
    EXPECT_EQ(Get(Link(TwoThreads(), events), "later").parent, 6U) << "c started last";
}

TEST_F(TraceLinkerTest, TwoCallsForOneOperationAreAnError)
{
    auto events = TwoThreadEvents();
    events.push_back(Call("cudaLaunchKernel", 100, 1096, 1, 72));
    Link(TwoThreads(), events);
    EXPECT_NE(m_errors.find("72 \"cudaLaunchKernel\": has the correlation of"), std::string::npos);
}

/// @param nNodes operators @param nRenamed of which so many have another name in the Kineto trace
/// @param nMissing and so many are not there @return the execution trace and the Kineto trace
std::pair<std::vector<Node>, std::vector<std::string>>
IdTraces(int nNodes, int nRenamed, int nMissing)
{
    std::vector<Node> nodes{{2, THREAD, 1}};
    std::vector<std::string> events;
    for (int i = 0; i < nNodes; ++i)
    {
        nodes.push_back({static_cast<uint64_t>(10 + i), "op" + std::to_string(i), 2, 1, 100 + i});
        if (i < nNodes - nMissing)
        {
            const std::string name = i < nRenamed ? "other" : "op" + std::to_string(i);
            events.push_back(Operator(name, 100, 1000 + 10 * i, 5, 100 + i));
        }
    }
    return {nodes, events};
}

TEST_F(TraceLinkerTest, OtherNamesAreWarnedOfUpToATenthAndRefusedAbove)
{
    const auto few = IdTraces(20, 2, 0);
    Link(few.first, few.second);
    EXPECT_EQ(m_errors, "");
    EXPECT_NE(m_warnings.find("node 10 \"op0\" = \"other\": has another name"), std::string::npos)
        << m_warnings;
    const auto many = IdTraces(20, 3, 0);
    Link(many.first, many.second);
    EXPECT_NE(m_errors.find("k.json: Record function id: the two traces are not of one run: 3 of "
                            "20 operators linked by record-function id have another name, more "
                            "than a tenth; first node 10 \"op0\", rf_id 100: the Kineto trace has "
                            "\"other\"; --allow-fuzzy"),
              std::string::npos)
        << m_errors;
    TraceLinkOptions options;
    options.allowFuzzy = true;
    Link(many.first, many.second, options);
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(m_ledger.GetAccount("operators timed").kept, 20U);
}

TEST_F(TraceLinkerTest, IdsThatFindNothingAreRefusedAboveATenth)
{
    const auto few = IdTraces(20, 0, 2);
    Link(few.first, few.second);
    EXPECT_EQ(m_errors, "");
    const auto many = IdTraces(20, 0, 3);
    Link(many.first, many.second);
    EXPECT_NE(m_errors.find("3 of 20 operators have no partner of their record-function id, more "
                            "than a tenth; first node 27 \"op17\", rf_id 117: no operator of the "
                            "Kineto trace has this id"),
              std::string::npos)
        << m_errors;
    TraceLinkOptions options;
    options.allowFuzzy = true;
    Link(many.first, many.second, options);
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(m_ledger.GetAccount("operators timed").kept, 17U);
}

TEST_F(TraceLinkerTest, SeveralOperationsOfOneLaunchAreWarnedOf)
{
    auto events = TwoThreadEvents();
    events.push_back(Kernel("k3", 7, 1200, 10, 72));
    EXPECT_EQ(Get(Link(TwoThreads(), events), "k3").parent, 2U);
    EXPECT_NE(m_warnings.find("72 \"cudaLaunchKernel\": is the one call with the correlation of "
                              "several operations"),
              std::string::npos)
        << m_warnings;
    events = TwoThreadEvents();
    events.push_back(Call("cudaGraphLaunch", 100, 1097, 1, 80));
    events.push_back(Kernel("k4", 7, 1200, 10, 80));
    events.push_back(Kernel("k5", 7, 1210, 10, 80));
    Link(TwoThreads(), events);
    EXPECT_EQ(m_warnings.find("is the one call"), std::string::npos) << "graphs launch many";
}

TEST_F(TraceLinkerTest, ControlCharactersOfNamesAreShown)
{
    auto events = TwoThreadEvents();
    events.push_back(Kernel("a\\u001b[31m\\nb\\u0000c", 7, 1200, 10, 99));
    Link(TwoThreads(), events);
    EXPECT_EQ(m_ledger.GetAccount("device kernel").leftOut.at(0).ids,
              std::vector<std::string>{"99 \"a\\x1b[31m\\nb\\x00c\""});
}

TEST_F(TraceLinkerTest, LinkedTracesAreRefused)
{
    Diagnostics diagnostics;
    PytorchTrace trace;
    trace.isLinked = true;
    MessageTally tally(diagnostics);
    LinkTraces(trace, KinetoTrace(), {}, m_ledger, tally);
    ASSERT_EQ(diagnostics.GetErrors().size(), 1U);
    EXPECT_NE(diagnostics.GetErrors()[0].find("is linked to a device trace already"),
              std::string::npos);
}

} // namespace
} // namespace mlcluster
} // namespace ns3
