/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "converted-traces.h"

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

using Ids = std::vector<uint64_t>;

using PytorchConverterTest = ConvertedTracesTest; ///< converts traces

/// One thread: a calls b, then launches k2; b launches k1. @return the execution trace
std::vector<Node>
Calls()
{
    return {{1, PROCESS, 1, 0},
            {2, THREAD, 1},
            {3, "a", 2, 1, 1},
            {4, "b", 3, 1, 2},
            {5, "Optimizer.step#SGD.step", 2, 1, 3},
            {7, THREAD, 1, 2},
            {8, "d", 7, 2, 4}};
}

/// @return the Kineto trace that goes with it
std::vector<std::string>
CallEvents()
{
    return {Operator("a", 100, 1000, 100, 1),
            Operator("b", 100, 1010, 30, 2),
            Operator("Optimizer.step#SGD.step", 100, 1200, 100, 3),
            Operator("d", 200, 3000, 100, 4),
            Call("cudaLaunchKernel", 100, 1020, 5, 71),
            Call("cudaLaunchKernel", 100, 1090, 5, 72),
            traces::Event("kernel", "k1", {0, 7}, {"1030.25", "10.5"}, "\"correlation\": 71"),
            Kernel("k2", 7, 1100, 10, 72)};
}

TEST_F(PytorchConverterTest, IdsAscendInTimeAndDependenciesFollowTheCalls)
{
    const auto converted = Convert(Calls(), CallEvents());
    EXPECT_EQ(m_errors, "");

    struct Expected
    {
        std::string name;
        bool onHost;
        int64_t durationNs;
        Ids dependencies;
        Ids control;
    };

    const std::vector<Expected> expected{{THREAD, true, 0, {}, {}},
                                         {"a", true, 70000, {0}, {0}},
                                         {"b", true, 30000, {1}, {1}},
                                         {"k1", false, 10500, {2}, {2}},
                                         {"k2", false, 10000, {2, 3}, {1}},
                                         {"Optimizer.step#SGD.step", true, 100000, {2}, {0}},
                                         {THREAD, true, 0, {}, {}},
                                         {"d", true, 100000, {5, 6}, {6}}};
    ASSERT_EQ(converted.nodes.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        const auto& node = converted.nodes[i];
        EXPECT_EQ(node.id, i);
        EXPECT_EQ(node.name, expected[i].name);
        EXPECT_EQ(node.kind, NodeKind::Compute);
        EXPECT_EQ(node.onHost, expected[i].onHost) << node.name;
        EXPECT_EQ(node.durationPs, 1000 * expected[i].durationNs) << node.name;
        EXPECT_EQ(node.stream, expected[i].onHost ? -1 : 7) << node.name;
        Ids dependencies = node.dependencies;
        std::sort(dependencies.begin(), dependencies.end());
        EXPECT_EQ(dependencies, expected[i].dependencies) << node.name;
        EXPECT_EQ(converted.extras.nodes[i].controlDependencies, expected[i].control) << node.name;
    }
    EXPECT_EQ(m_ledger.GetAccount("host nodes").leftOut[0].ids,
              std::vector<std::string>{"0 \"" + std::string(PROCESS) + "\""});
}

TEST_F(PytorchConverterTest, StreamOrderIsOptional)
{
    m_options.streamOrderEdges = false;
    const auto converted = Convert(Calls(), CallEvents());
    EXPECT_EQ(converted.nodes[4].dependencies, Ids{2});
}

TEST_F(PytorchConverterTest, ParityNumbersDeviceNodesBehindTheirHosts)
{
    m_options.parity = true;
    const auto converted = Convert(Calls(), CallEvents());
    EXPECT_EQ(m_errors, "");
    std::vector<std::string> names;
    Ids ids;
    for (const auto& node : converted.nodes)
    {
        names.push_back(node.name);
        ids.push_back(node.id);
    }
    EXPECT_EQ(
        names,
        (std::vector<
            std::string>{THREAD, "a", "b", "k1", "k2", "Optimizer.step#SGD.step", THREAD, "d"}))
        << "k2 belongs to b, which started last";
    EXPECT_EQ(ids, (Ids{1, 2, 3, 4, 5, 6, 7, 8})) << "the process was 0";
    EXPECT_EQ(converted.nodes[3].durationPs, 10000000) << "whole microseconds";
    EXPECT_EQ(converted.nodes[4].dependencies, Ids{3}) << "no order of streams";
    EXPECT_EQ(converted.nodes[5].durationPs, 0) << "a fault of Chakra's";
    EXPECT_EQ(converted.extras.nodes[0].controlDependencies, Ids{0}) << "though 0 is left out";
    EXPECT_EQ(converted.extras.nodes[1].startMicroseconds, 0U);
}

TEST_F(PytorchConverterTest, KeepsWhatTracesSay)
{
    const auto converted = Convert(Calls(), CallEvents());
    const auto& extras = converted.extras.nodes[3];
    using Attribute = std::pair<std::string, std::variant<int64_t, std::string>>;
    const ChakraExtraAttributes expected{Attribute{"rf_id", int64_t{2}},
                                         Attribute{"fw_parent", int64_t{0}},
                                         Attribute{"seq_id", int64_t{-1}},
                                         Attribute{"scope", int64_t{7}},
                                         Attribute{"tid", int64_t{1}},
                                         Attribute{"fw_tid", int64_t{0}},
                                         Attribute{"op_schema", std::string("b(...)")}};
    EXPECT_EQ(extras.attributes, expected);
    EXPECT_EQ(extras.startMicroseconds, 1030U);
    EXPECT_EQ(extras.inputs.values, "[]");
    const ChakraExtraAttributes metadata{Attribute{"schema", std::string("1.0.2-chakra.0.0.4")},
                                         Attribute{"pid", int64_t{42}},
                                         Attribute{"time", std::string("2024-01-01 00:00:00")},
                                         Attribute{"start_ts", int64_t{5}},
                                         Attribute{"finish_ts", int64_t{9}}};
    EXPECT_EQ(converted.extras.metadata, metadata);
    m_options.values = false;
    EXPECT_EQ(Convert(Calls(), CallEvents()).extras.nodes[3].inputs.values, "");
}

TEST_F(PytorchConverterTest, GroupDefinitionsBecomeMetadata)
{
    const auto converted = Convert({{1, PROCESS, 1, 0},
                                    {2, THREAD, 1},
                                    {3,
                                     "## process_group:init ##",
                                     2,
                                     1,
                                     1,
                                     R"(["[{\"pg_name\": \"0\", \"ranks\": [0, 1]}]"])"}},
                                   {Operator("## process_group:init ##", 100, 1000, 100, 1)});
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(converted.nodes[1].kind, NodeKind::Metadata);
    EXPECT_EQ(ParseProcessGroups(converted.extras.nodes[1].inputs.values),
              (CommunicatorGroups{{"0", {0, 1}}}));
}

TEST_F(PytorchConverterTest, GroupsAreDefinedOnceAndWithDistinctRanks)
{
    const auto expect = [this](const std::string& groups, const std::string& message) {
        m_errors.clear();
        Node node{3, "## process_group:init ##", 2};
        node.values = "[\"[" + groups + "]\"]";
        Convert({{2, THREAD, 1}, node, {4, "x", 2, 1, 1}}, {Operator("x", 100, 1000, 100, 1)});
        EXPECT_NE(m_errors.find(message), std::string::npos) << m_errors;
    };
    const auto group = [](const std::string& ranks) {
        return R"({\"pg_name\": \"0\", \"ranks\": [)" + ranks + "]}";
    };
    expect(group("0, 0"), "rank 0 is given twice");
    expect(group("0, 1") + ", " + group("0, 2"), "is defined twice, with other ranks");
    expect(R"({\"pg_name\": \"0\"})", "process group 0 has no list of ranks");
}

TEST_F(PytorchConverterTest, SeveralDevicesAreWarnedOf)
{
    auto events = CallEvents();
    events.back() = traces::Event("kernel", "k2", {1, 7}, {"1100", "10"}, "\"correlation\": 72");
    Convert(Calls(), events);
    EXPECT_EQ(m_errors, "");
    EXPECT_NE(m_warnings.find("is on another device"), std::string::npos);
}

TEST_F(PytorchConverterTest, ATooLongDurationIsAnError)
{
    PytorchTrace trace;
    trace.nodes.emplace_back();
    trace.nodes[0].exclusiveNs = INT64_MAX / 1000 + 1;
    Convert(trace);
    EXPECT_NE(m_errors.find("below 2^63 ps can be simulated"), std::string::npos);
}

} // namespace
} // namespace mlcluster
} // namespace ns3
