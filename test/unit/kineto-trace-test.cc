/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "temporary-folder.h"
#include "trace-texts.h"

#include "ns3/kineto-trace.h"
#include "ns3/trace-file.h"

#include <gtest/gtest.h>

namespace ns3
{
namespace mlcluster
{
namespace
{

using traces::Event;
using traces::Kineto;

/// Reads Kineto traces.
class KinetoTraceTest : public FolderTest
{
  protected:
    /// @param text content of the file @return the trace; m_errors receives what is wrong
    KinetoTrace Read(const std::string& text)
    {
        Diagnostics diagnostics;
        KinetoTrace trace = ReadKinetoTrace(Write("kineto.json", text), diagnostics);
        m_errors.clear();
        for (const auto& error : diagnostics.GetErrors())
        {
            m_errors += error + "\n";
        }
        m_warnings = diagnostics.GetWarnings();
        return trace;
    }

    std::string m_errors;                ///< errors of the trace read last
    std::vector<std::string> m_warnings; ///< its warnings
};

TEST_F(KinetoTraceTest, SortsEventsByKindAndTime)
{
    const auto trace = Read(Kineto(
        {traces::Operator("late", 1, 20, 5, 4),
         traces::Operator("inner", 1, 10, 2, 3),
         traces::Operator("outer", 1, 10, 8, 2),
         Event("user_annotation", "ProfilerStep#3", {42, 1}, {"0", "99"}, ""),
         Event("user_annotation", "note", {42, 1}, {"5", "1"}, ""),
         Event("cuda_runtime", "cudaLaunchKernel", {42, 1}, {"11", "1"}, "\"correlation\": 77"),
         Event("cuda_driver", "cuLaunchKernel", {42, 1}, {"9.5", "1"}, "\"correlation\": 78"),
         Event("gpu_memset", "Memset", {0, 7}, {"14", "1"}, ""),
         Event("kernel", "k", {0, 7}, {"12.0005", "0.1234"}, "\"correlation\": 77"),
         Event("gpu_user_annotation", "note", {0, 7}, {"12", "1"}, ""),
         Event("python_function", "f", {42, 1}, {"12", "1"}, ""),
         R"({"ph": "s", "cat": "ac2g", "name": "ac2g", "pid": 0, "tid": 7, "ts": 3, "id": 1})",
         R"({"ph": "X", "cat": "Trace", "name": "span", "pid": "Spans", "tid": "Profiler"})",
         R"({"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}})"}));
    EXPECT_EQ(m_errors, "");
    ASSERT_EQ(trace.operators.size(), 4U);
    EXPECT_EQ(trace.operators[0].name, "note");
    EXPECT_EQ(trace.operators[1].name, "outer");
    EXPECT_EQ(trace.operators[2].name, "inner");
    EXPECT_EQ(trace.operators[2].recordId, 3);
    EXPECT_EQ(trace.operators[2].externalId, 10);
    EXPECT_EQ(trace.profilerSteps, 1U);
    ASSERT_EQ(trace.calls.size(), 2U);
    EXPECT_EQ(trace.calls[0].correlation, 78);
    ASSERT_EQ(trace.operations.size(), 2U);
    EXPECT_EQ(trace.operations[0].startNs, 12001);
    EXPECT_EQ(trace.operations[0].durationNs, 123);
    EXPECT_EQ(trace.operations[0].GetEndNs(), 12124);
    EXPECT_EQ(trace.operations[0].line, (KinetoEvent::Line{0, 7}));
    EXPECT_EQ(trace.operations[1].category, "gpu_memset");
}

TEST_F(KinetoTraceTest, TakesABareArrayOfEvents)
{
    const auto trace = Read("[" + traces::Operator("a", 1, 1, 1, 1) + "]");
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(trace.operators.size(), 1U);
    EXPECT_FALSE(trace.rank);
}

TEST_F(KinetoTraceTest, WarnsOfEventsWithoutDuration)
{
    const std::string event = R"(, "pid": 0, "tid": 7, "ts": 3})";
    const auto trace = Read(Kineto({R"({"ph": "X", "cat": "kernel", "name": "k1")" + event,
                                    R"({"ph": "X", "cat": "cpu_op", "name": "a")" + event}));
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(trace.operations.at(0).durationNs, 0);
    EXPECT_EQ(trace.operators.size(), 1U);
    ASSERT_EQ(m_warnings.size(), 1U);
    EXPECT_NE(
        m_warnings[0].find("kernel \"k1\": has no dur; taken as 0 (2 cases, this is the first)"),
        std::string::npos)
        << m_warnings[0];
}

TEST_F(KinetoTraceTest, ReadsGzip)
{
    Diagnostics diagnostics;
    WriteTraceFile(Path("k.json"), Kineto({traces::Operator("a", 1, 1, 1, 1)}), true);
    EXPECT_EQ(ReadKinetoTrace(Path("k.json"), diagnostics).operators.size(), 1U);
    EXPECT_FALSE(diagnostics.HasErrors());
}

TEST_F(KinetoTraceTest, ReadsSynchronisations)
{
    const auto trace =
        Read(Kineto({Event("cuda_sync",
                           "Event Sync",
                           {0, -1},
                           {"5", "1"},
                           R"("cuda_sync_kind": "Event Sync", "wait_on_stream": 7, "stream": -1,
                  "wait_on_cuda_event_record_corr_id": 1533, "correlation": 1536)"),
                     Event("cuda_sync",
                           "sync",
                           {0, 9},
                           {"4", "1"},
                           R"("cuda_sync_kind": "Stream Sync", "stream": 20, "correlation": 1)")}));
    EXPECT_EQ(m_errors, "");
    ASSERT_EQ(trace.synchronisations.size(), 2U);
    EXPECT_EQ(trace.synchronisations[0].event.name, "Stream Sync");
    EXPECT_EQ(trace.synchronisations[0].event.line, (KinetoEvent::Line{0, 20}));
    EXPECT_EQ(trace.synchronisations[0].waitOnStream, -1);
    EXPECT_EQ(trace.synchronisations[1].waitOnStream, 7);
    EXPECT_EQ(trace.synchronisations[1].recordCall, 1533);
}

TEST_F(KinetoTraceTest, ReadsTheJob)
{
    const auto trace = Read(Kineto({},
                                   R"("rank": 3, "world_size": 8, "pg_config": [
        {"pg_name": "0", "pg_size": 8, "ranks": []}, {"pg_name": "1", "pg_size": 2, "ranks": [3, 7]}])"));
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(trace.rank, 3U);
    EXPECT_EQ(trace.worldSize, 8U);
    ASSERT_EQ(trace.groups.size(), 2U);
    EXPECT_EQ(trace.groups[0].size, 8U);
    EXPECT_EQ(trace.groups[1].ranks, (std::vector<uint32_t>{3, 7}));
}

TEST_F(KinetoTraceTest, ErrorsTeach)
{
    const auto expect = [this](const std::string& text, const std::string& message) {
        Read(text);
        EXPECT_NE(m_errors.find(message), std::string::npos) << m_errors;
    };
    const std::string begin = R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k")";
    expect("{}", "has no traceEvents");
    expect(R"({"traceEvents": [)", "is not JSON");
    expect(begin + "}]}", "event 1 \"k\": pid is missing or no integer");
    expect(begin + R"(, "pid": 1, "tid": "x"}]})", "tid is missing or no integer");
    expect(begin + R"(, "pid": 1, "tid": 2}]})", "ts is missing");
    expect(begin + R"(, "pid": 1, "tid": 2, "ts": "now"}]})", "ts is 'now'; microseconds from 0");
    expect(begin + R"(, "pid": 1, "tid": 2, "ts": 1, "dur": -2}]})", "dur is -2; microseconds");
    expect(begin + R"(, "pid": 1, "tid": 2, "ts": 9e15, "dur": 9e14}]})", "together are too large");
    expect(R"({"traceEvents": [], "distributedInfo": {"pg_config": [{"ranks": []}]}})",
           "a process group has no pg_name");
    expect(R"({"traceEvents": [], "distributedInfo": {"pg_config": [{"pg_name": "0",
               "ranks": [99999999999]}]}})",
           "rank 99999999999 of group 0 is too large");
}

} // namespace
} // namespace mlcluster
} // namespace ns3
