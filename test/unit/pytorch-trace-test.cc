/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "temporary-folder.h"
#include "trace-texts.h"

#include "ns3/pytorch-trace.h"

#include <gtest/gtest.h>

namespace ns3
{
namespace mlcluster
{
namespace
{

using traces::ExecutionTrace;
using traces::Node;

/// Reads execution traces.
class PytorchTraceTest : public FolderTest
{
  protected:
    /// @param text content of the file @return the trace; m_errors receives what is wrong
    PytorchTrace Read(const std::string& text)
    {
        Diagnostics diagnostics;
        PytorchTrace trace = ReadPytorchTrace(Write("et.json", text), diagnostics);
        m_errors.clear();
        for (const auto& error : diagnostics.GetErrors())
        {
            m_errors += error + "\n";
        }
        m_warnings = diagnostics.GetWarnings();
        return trace;
    }

    /// @param values inputs of a record_param_comms node @param types their types @param attributes
    /// further attrs @return the record
    CommunicationRecord ReadRecord(const std::string& values,
                                   const std::string& types = "[]",
                                   const std::string& attributes = "")
    {
        Node node{3, "record_param_comms", 2, 1, 0, values, types};
        node.attributes = attributes;
        const auto trace = Read(ExecutionTrace({node}));
        EXPECT_EQ(m_errors, "");
        return trace.records.empty() ? CommunicationRecord() : trace.records.begin()->second;
    }

    std::string m_errors;                ///< errors of the trace read last
    std::vector<std::string> m_warnings; ///< its warnings
};

TEST_F(PytorchTraceTest, BothLayoutsSayTheSame)
{
    Node node{7, "aten::add", 5, 3, 11, R"([[1, 2, 0, 6, 4, "cuda:0"], 1, true])"};
    node.types = R"j(["Tensor(float)", "Int", "Bool"])j";
    node.forwardParent = 2;
    for (const bool flat : {false, true})
    {
        const auto trace = Read(ExecutionTrace({node}, flat));
        EXPECT_EQ(m_errors, "");
        ASSERT_EQ(trace.nodes.size(), 1U);
        const auto& read = trace.nodes[0];
        EXPECT_EQ(read.id, 7U);
        EXPECT_EQ(read.name, "aten::add");
        EXPECT_EQ(read.parent, 5U);
        EXPECT_EQ(read.thread, 3);
        EXPECT_EQ(read.recordId, 11);
        EXPECT_EQ(read.forwardParent, 2);
        EXPECT_EQ(read.sequence, -1);
        EXPECT_EQ(read.scope, 7);
        EXPECT_EQ(read.schema, "aten::add(...)");
        EXPECT_EQ(read.inputs.values, "[[1, 2, 0, 6, 4, 'cuda:0'], 1, True]");
        EXPECT_EQ(read.inputs.types, "['Tensor(float)', 'Int', 'Bool']");
        EXPECT_EQ(read.inputBytes, 24U);
        EXPECT_EQ(read.startNs, -1);
        EXPECT_FALSE(trace.isLinked);
    }
}

TEST_F(PytorchTraceTest, SortsNodesAndFindsThem)
{
    const auto trace = Read(ExecutionTrace({{9, "c", 4}, {4, "b", 1}, {1, "a", 1}}));
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(trace.Find(1), 0U);
    EXPECT_EQ(trace.Find(9), 2U);
    EXPECT_EQ(trace.Find(5), PytorchTrace::NONE);
    EXPECT_EQ(trace.GetParent(2), 1U);
    EXPECT_EQ(trace.GetParent(0), PytorchTrace::NONE) << "the process is its own parent";
    EXPECT_EQ(trace.header[0].second.GetText(), "1.0.2-chakra.0.0.4");
}

TEST_F(PytorchTraceTest, ReadsWhatChakrasLinkerAdds)
{
    const auto trace = Read(R"({"schema": "1.0.3-chakra.0.0.4", "nodes": [
        {"id": 0, "name": "op", "ctrl_deps": 0, "ts": 10.5, "inclusive_dur": 7, "exclusive_dur": 2.25,
         "inter_thread_dep": 4, "inputs": {"values": []}, "outputs": {}, "attrs": []},
        {"id": 1, "name": "kernel", "ctrl_deps": 0, "cat": "kernel", "ph": "X", "stream": 7,
         "inter_thread_dep": null, "sync_dep": [3, 2], "pg_name": "0", "inputs": {}, "attrs": []}]})");
    EXPECT_EQ(m_errors, "");
    EXPECT_TRUE(trace.isLinked);
    EXPECT_EQ(trace.nodes[0].startNs, 10500);
    EXPECT_EQ(trace.nodes[0].inclusiveNs, 7000);
    EXPECT_EQ(trace.nodes[0].exclusiveNs, 2250);
    EXPECT_TRUE(trace.nodes[0].hasEarlierThread);
    EXPECT_EQ(trace.nodes[0].earlierThread, 4U);
    EXPECT_EQ(trace.nodes[0].category, "");
    EXPECT_EQ(trace.nodes[1].category, "kernel");
    EXPECT_EQ(trace.nodes[1].stream, 7);
    EXPECT_EQ(trace.nodes[1].group, "0");
    EXPECT_FALSE(trace.nodes[1].hasEarlierThread);
    EXPECT_EQ(trace.nodes[1].synchronisations, (std::vector<uint64_t>{3, 2}));
}

TEST_F(PytorchTraceTest, ReadsOldRecords)
{
    const auto record = ReadRecord(
        R"([[5, 6, 0, 16, 8, "cuda:0"], 150, 945941, 0, "all_to_allv", [2, 6, 8], [1, 2, 3]])");
    EXPECT_EQ(record.operation, "all_to_allv");
    EXPECT_TRUE(record.hasTensor);
    EXPECT_EQ(record.inputBytes, 128U);
    EXPECT_EQ(record.sequence, 150);
    EXPECT_EQ(record.group, "945941");
    EXPECT_EQ(record.inSplits, (std::vector<uint64_t>{2, 6, 8}));
    EXPECT_EQ(record.outSplits, (std::vector<uint64_t>{1, 2, 3}));
    EXPECT_EQ(record.groupSize, 0U);
    const auto wait = ReadRecord(R"([141, 0, 0, "wait", [], []])");
    EXPECT_EQ(wait.operation, "wait");
    EXPECT_FALSE(wait.hasTensor);
    EXPECT_EQ(wait.sequence, 141);
    EXPECT_EQ(wait.group, "");
}

TEST_F(PytorchTraceTest, ReadsNewRecords)
{
    const auto record = ReadRecord(
        R"([[[1, 2, 0, 10, 4, "cuda:0"], [3, 4, 0, 5, 2, "cuda:0"]], [33, 1], ["1", "tp"], 3, "send",
            [], [], 8, 2, 4])");
    EXPECT_EQ(record.inputBytes, 50U);
    EXPECT_EQ(record.sequence, 33);
    EXPECT_EQ(record.group, "1");
    EXPECT_EQ(record.peer, 3);
    EXPECT_EQ(record.firstRank, 8);
    EXPECT_EQ(record.rankStride, 2);
    EXPECT_EQ(record.groupSize, 4U);
    EXPECT_EQ(ReadRecord(R"([12, ["", ""], 0, "wait", [], [], 2])").group, "");
    EXPECT_EQ(ReadRecord(R"([12, ["", ""], 0, "wait", [], [], 2])").groupSize, 2U);
}

TEST_F(PytorchTraceTest, AttributesFillInWhatInputsLack)
{
    const std::string attributes =
        R"(, {"name": "dtype", "type": "string", "value": "BFloat16"},
             {"name": "in_msg_nelems", "type": "uint64", "value": 10},
             {"name": "out_msg_nelems", "type": "uint64", "value": 80},
             {"name": "pg_name", "type": "string", "value": "7"},
             {"name": "pg_size", "type": "uint64", "value": 8},
             {"name": "global_rank_start", "type": "uint64", "value": 16},
             {"name": "global_rank_stride", "type": "uint64", "value": 1})";
    const auto record = ReadRecord(R"([5, ["", ""], 0, "all_gather"])", "[]", attributes);
    EXPECT_EQ(record.inputBytes, 20U);
    EXPECT_EQ(record.outputBytes, 160U);
    EXPECT_EQ(record.group, "7");
    EXPECT_EQ(record.groupSize, 8U);
    EXPECT_EQ(record.firstRank, 16);
    EXPECT_EQ(record.rankStride, 1);
}

TEST_F(PytorchTraceTest, TakesElementSizesFromTypes)
{
    const auto read = [&](const std::string& type) {
        return ReadRecord(R"([[[1, 2, 0, 3, 0, "cpu"]], 1, 5, 0, "allreduce"])",
                          "[\"GenericList[Tensor(" + type + ")]\", \"Int\"]")
            .inputBytes;
    };
    EXPECT_EQ(read("unsigned char"), 3U);
    EXPECT_EQ(read("c10::Float8_e4m3fn"), 3U);
    EXPECT_EQ(read("c10::Half"), 6U);
    EXPECT_EQ(read("float"), 12U);
    EXPECT_EQ(read("long int"), 24U);
    EXPECT_EQ(read("ComplexDouble"), 48U);
    Read(ExecutionTrace(
        {{3, "op", 2, 1, 0, R"([[1, 2, 0, 3, 0, "cpu"]])", R"j(["Tensor(odd)"])j"}}));
    EXPECT_NE(m_errors.find("node 3 \"op\": a tensor of type Tensor(odd) has no element size"),
              std::string::npos)
        << m_errors;
}

TEST_F(PytorchTraceTest, ReadsProcessGroups)
{
    Node node{3, "## process_group:init ##", 2};
    node.values =
        R"(["[{\"pg_name\": \"0\", \"backend_id\": 821, \"ranks\": [], \"group_size\": 2},)"
        R"( {\"pg_name\": \"1\", \"ranks\": [4, 5]}]"])";
    const auto trace = Read(ExecutionTrace({node}));
    EXPECT_EQ(m_errors, "");
    ASSERT_EQ(trace.groups.size(), 2U);
    EXPECT_EQ(trace.groups[0].name, "0");
    EXPECT_EQ(trace.groups[0].handle, "821");
    EXPECT_EQ(trace.groups[0].size, 2U);
    EXPECT_TRUE(trace.groups[0].ranks.empty());
    EXPECT_EQ(trace.groups[1].ranks, (std::vector<uint32_t>{4, 5}));
}

TEST_F(PytorchTraceTest, FindsTheRecordAroundANode)
{
    const auto trace =
        Read(ExecutionTrace({{3, "record_param_comms", 2, 1, 0, R"([1, 5, 0, "barrier"])"},
                             {4, "nccl:x", 3},
                             {5, "y", 2}}));
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(trace.FindRecord(0), 0U);
    EXPECT_EQ(trace.FindRecord(1), 0U);
    EXPECT_EQ(trace.FindRecord(2), PytorchTrace::NONE);
}

TEST_F(PytorchTraceTest, ErrorsTeach)
{
    const auto expect = [this](const std::string& text, const std::string& message) {
        Read(text);
        EXPECT_NE(m_errors.find(message), std::string::npos) << m_errors;
    };
    const std::string begin = R"({"schema": "1.0.1", "nodes": [)";
    expect("{}", "has no schema and nodes");
    expect(R"({"traceEvents": []})", "has no schema and nodes");
    expect("[]", "has no schema and nodes");
    expect(begin + "]", "is not JSON");
    expect(begin + "{}]}", "node without id: id is missing");
    expect(begin + R"({"id": 3}]})", "node 3: name is missing");
    expect(begin + R"({"id": -3, "name": "a"}]})", "id is -3; an integer from 0 is needed");
    expect(begin + R"({"id": 3, "name": "a"}]})", "node 3 \"a\": parent is missing");
    expect(begin + R"({"id": 3, "name": "a", "parent": 1, "tid": "x"}]})",
           "tid is 'x'; an integer");
    expect(begin + R"({"id": 3, "name": "a", "parent": 1, "ts": -1}]})", "ts is -1; microseconds");
    expect(ExecutionTrace({{3, "a", 1}, {3, "b", 1}}), "node 3: is there twice: \"a\" and \"b\"");
    expect(ExecutionTrace({{3, "a", 4}, {4, "b", 3}}), "is called by itself, through its parents");
    expect(ExecutionTrace({{3, "record_param_comms", 1, 1, 0, "[4]"}}), "needed are a tensor");
    expect(ExecutionTrace({{3, "a", 1, 1, 0, R"([[1, 2, 0, 9223372036854775807, 2, "cpu"]])"}}),
           "is too large");
    Diagnostics diagnostics;
    ReadPytorchTrace(Path("missing.json"), diagnostics);
    ASSERT_EQ(diagnostics.GetErrors().size(), 1U);
    EXPECT_NE(diagnostics.GetErrors()[0].find("No such file"), std::string::npos);
}

TEST_F(PytorchTraceTest, TracesWithoutNodesAreErrors)
{
    for (const std::string nodes : {"[]", "{}", "3", "null", "\"x\""})
    {
        Read("{\"schema\": \"1.1.1-chakra.0.0.4\", \"nodes\": " + nodes + "}");
        EXPECT_NE(m_errors.find("nodes has no node in it; a list with at least one is needed"),
                  std::string::npos)
            << nodes << m_errors;
    }
}

TEST_F(PytorchTraceTest, WarnsOfMissingParents)
{
    Read(ExecutionTrace({{1, "a", 1}, {3, "b", 2}, {4, "c", 3}, {5, "d", 2}}));
    EXPECT_EQ(m_errors, "");
    ASSERT_EQ(m_warnings.size(), 1U);
    EXPECT_NE(
        m_warnings[0].find("node 3: has a parent that is not in the trace; taken as called by "
                           "none (2 cases"),
        std::string::npos)
        << m_warnings[0];
}

TEST_F(PytorchTraceTest, WarnsOfUnknownSchemas)
{
    std::string text = ExecutionTrace({{1, "a", 1}});
    text.replace(text.find("1.0.2-chakra.0.0.4"), 18, "9.0");
    Read(text);
    EXPECT_EQ(m_errors, "");
    ASSERT_EQ(m_warnings.size(), 1U);
    EXPECT_NE(m_warnings[0].find("schema 9.0"), std::string::npos);
}

} // namespace
} // namespace mlcluster
} // namespace ns3
