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

using CommunicationConverterTest = ConvertedTracesTest; ///< converts communication

TEST_F(CommunicationConverterTest, CollectivesHaveChakrasSizes)
{
    using Type = CollectiveType;
    const auto expect = [this](const std::string& operation, Type type, uint64_t bytes) {
        const auto node = ConvertRecord(R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "world"], 2, ")" +
                                        operation + R"(", [], [], 0, 1, 4])");
        EXPECT_EQ(m_errors, "");
        EXPECT_EQ(node.kind, NodeKind::Collective) << operation;
        EXPECT_EQ(node.collective, type) << operation;
        EXPECT_EQ(node.bytes, bytes) << operation;
        EXPECT_EQ(node.group, "0");
        EXPECT_EQ(node.peer, IsRooted(type) ? 2U : 0U) << operation;
        EXPECT_EQ(node.stream, 20);
        EXPECT_FALSE(node.onHost);
    };
    expect("allreduce", Type::AllReduce, 40);
    expect("allreduce_coalesced", Type::AllReduce, 40);
    expect("broadcast", Type::Broadcast, 40);
    expect("reduce", Type::Reduce, 40);
    expect("all_gather", Type::AllGather, 40);
    expect("_allgather_base", Type::AllGather, 40);
    expect("allgather_into_tensor_coalesced", Type::AllGather, 40);
    expect("reduce_scatter", Type::ReduceScatter, 40);
    expect("_reduce_scatter_base", Type::ReduceScatter, 40);
    expect("reduce_scatter_tensor_coalesced", Type::ReduceScatter, 40);
    expect("all_to_all", Type::AllToAll, 40);
    expect("gather", Type::Gather, 40);
    expect("scatter", Type::Scatter, 40);
    expect("barrier", Type::Barrier, 0);
}

TEST_F(CommunicationConverterTest, SplitSizesBecomeBytes)
{
    const auto node = ConvertRecord(
        R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 0, "all_to_allv", [1, 2, 3, 4], [4, 0, 0, 1]])");
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(node.bytes, 40U);
    EXPECT_EQ(node.peerBytes, (Ids{4, 8, 12, 16}));
    ASSERT_EQ(m_exchanges.size(), 1U);
    EXPECT_EQ(m_exchanges[0].node, 3U);
    EXPECT_EQ(m_exchanges[0].receivedBytes, (Ids{16, 0, 0, 4}));
    const auto rows = ConvertRecord(
        R"([[1, 2, 0, 60, 4, "cuda:0"], 5, ["0", "w"], 0, "all_to_allv", [1, 2, 3, 0], [1, 1, 1, 1]])");
    EXPECT_EQ(rows.peerBytes, (Ids{40, 80, 120, 0})) << "splits count rows of 10 elements";
    const auto equal = ConvertRecord(
        R"([[1, 2, 0, 8, 4, "cuda:0"], 5, ["0", "w"], 0, "all_to_allv", [], [1, 3, 1, 3]])");
    EXPECT_EQ(equal.peerBytes, (Ids{8, 8, 8, 8}));
    ConvertRecord(
        R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 0, "all_to_allv", [1, 2, 4, 4], [1, 1, 1, 1]])");
    EXPECT_NE(m_errors.find("the split sizes add up to 11"), std::string::npos) << m_errors;
    ConvertRecord(R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 0, "all_to_allv",
                      [9223372036854775807, 9223372036854775807, 4, 4], [1, 1, 1, 1]])");
    EXPECT_NE(m_errors.find("the split sizes are too large"), std::string::npos) << m_errors;
}

TEST_F(CommunicationConverterTest, MessagesHavePeersAndTags)
{
    const std::string begin = R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["1", "pp"], )";
    const std::string end = R"(, [], [], 3, 2, 2])";
    std::vector<Node> nodes{{1, PROCESS, 1, 0}, {2, THREAD, 1}};
    std::vector<std::string> events;
    const auto add = [&](const std::string& operation, const std::string& values) {
        const auto i = static_cast<int64_t>(nodes.size());
        nodes.push_back({uint64_t(3 + i), "record_param_comms", 2, 1, i, values});
        events.push_back(Operator("record_param_comms", 100, 1000 * i, 100, i));
        events.push_back(Call("cudaLaunchKernel", 100, 1000 * i + 10, 5, 70 + i));
        events.push_back(Kernel(SEND_RECV, 20, 1000 * i + 20, 5, 70 + i));
        return operation;
    };
    add("send", begin + "1, \"send\"" + end);
    add("recv", begin + "1, \"recv\"" + end);
    add("send", begin + "1, \"send\"" + end);
    add("send", R"([[1, 2, 0, 3, 4, "cuda:0"], 5, ["2", "cp"], 0, "send", [], [], 5, 1, 2])");
    add("send", R"([[1, 2, 0, 3, 4, "cuda:0"], 5, ["2", "cp"], 1, "send", [], [], 5, 1, 2])");
    const auto converted = Convert(nodes, events);
    EXPECT_EQ(m_errors, "");
    std::vector<std::string> seen;
    for (const auto& node : converted.nodes)
    {
        if (!node.onHost)
        {
            seen.push_back(ToString(node.kind) + " " + std::to_string(node.peer) + " " +
                           std::to_string(node.tag) + " " + std::to_string(node.bytes) + " " +
                           node.group);
        }
    }
    EXPECT_EQ(seen,
              (std::vector<std::string>{"send 5 0 40 1",
                                        "receive 5 0 40 1",
                                        "send 5 2 40 1",
                                        "send 5 1 12 2",
                                        "send 6 0 12 2"}))
        << "with rank 5 messages go in two groups, so tags go up by two";
    EXPECT_EQ(converted.groups, (CommunicatorGroups{{"1", {3, 5}}, {"2", {5, 6}}}));
}

TEST_F(CommunicationConverterTest, ABatchBecomesOneNodeForEachRecord)
{
    const std::string send = R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 1, "send"])";
    const std::string receive = R"([[1, 2, 0, 20, 4, "cuda:0"], 5, ["0", "w"], 3, "recv"])";
    const auto converted = Convert({{1, PROCESS, 1, 0},
                                    {2, THREAD, 1},
                                    {3, "record_param_comms", 2, 1, 1, send},
                                    {4, "record_param_comms", 2, 1, 2, receive},
                                    {5, "nccl:coalesced", 2, 1, 3},
                                    {6, "x", 2, 1, 4}},
                                   {Operator("record_param_comms", 100, 1000, 10, 1),
                                    Operator("record_param_comms", 100, 1020, 10, 2),
                                    Operator("nccl:coalesced", 100, 1040, 50, 3),
                                    Operator("x", 100, 1100, 50, 4),
                                    Call("cudaLaunchKernel", 100, 1005, 1, 70),
                                    Kernel("before", 20, 1006, 5, 70),
                                    Call("cudaLaunchKernel", 100, 1050, 5, 71),
                                    Kernel(SEND_RECV, 20, 1060, 5, 71),
                                    Call("cudaLaunchKernel", 100, 1110, 5, 72),
                                    Kernel("after", 20, 1120, 5, 72)});
    EXPECT_EQ(m_errors, "");
    std::vector<ExecutionNode> device;
    for (const auto& node : converted.nodes)
    {
        if (!node.onHost)
        {
            device.push_back(node);
        }
    }
    ASSERT_EQ(device.size(), 4U);
    EXPECT_EQ(device[1].kind, NodeKind::Send);
    EXPECT_EQ(device[1].peer, 1U);
    EXPECT_EQ(device[1].bytes, 40U);
    EXPECT_EQ(device[2].kind, NodeKind::Receive);
    EXPECT_EQ(device[2].peer, 3U);
    EXPECT_EQ(device[2].bytes, 80U);
    EXPECT_EQ(device[1].stream, -1) << "they run beside each other";
    EXPECT_EQ(device[1].dependencies, device[2].dependencies);
    EXPECT_EQ(
        std::count(device[1].dependencies.begin(), device[1].dependencies.end(), device[0].id),
        1);
    for (const std::size_t i : {1, 2})
    {
        EXPECT_EQ(
            std::count(device[3].dependencies.begin(), device[3].dependencies.end(), device[i].id),
            1);
    }
    EXPECT_EQ(m_ledger.GetAccount("communication records").kept, 2U);
}

TEST_F(CommunicationConverterTest, FurtherKernelsOfARecordCompute)
{
    const std::string values = R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 0, "all_gather"])";
    const auto converted =
        Convert({{1, PROCESS, 1, 0}, {2, THREAD, 1}, {3, "record_param_comms", 2, 1, 1, values}},
                {Operator("record_param_comms", 100, 1000, 100, 1),
                 Call("cudaLaunchKernel", 100, 1010, 5, 71),
                 Kernel("ncclKernel_Broadcast", 20, 1060, 5, 71),
                 Call("cudaLaunchKernel", 100, 1020, 5, 72),
                 Kernel("ncclKernel_Broadcast", 20, 1070, 5, 72)});
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(converted.nodes[2].kind, NodeKind::Collective);
    EXPECT_EQ(converted.nodes[2].collective, CollectiveType::AllGather) << "what the record says";
    EXPECT_EQ(converted.nodes[3].kind, NodeKind::Compute);
    EXPECT_NE(m_warnings.find("is a further kernel of its operation"), std::string::npos);
}

TEST_F(CommunicationConverterTest, KernelsWithoutRecordsAreTakenByTheirNames)
{
    const auto convert = [this](const std::string& kernel) {
        m_errors.clear();
        return Convert({{1, PROCESS, 1, 0},
                        {2, THREAD, 1},
                        {3, "op", 2, 1, 1, R"([[1, 2, 0, 10, 4, "cuda:0"]])"}},
                       {Operator("op", 100, 1000, 100, 1),
                        Call("cudaLaunchKernel", 100, 1010, 5, 71),
                        Kernel(kernel, 20, 1060, 5, 71)})
            .nodes.back();
    };
    const auto node = convert("ncclKernel_ReduceScatter_RING_LL_Sum_float");
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(node.collective, CollectiveType::ReduceScatter);
    EXPECT_EQ(node.bytes, 40U);
    EXPECT_NE(m_warnings.find("has no record_param_comms around it; taken by its name"),
              std::string::npos);
    EXPECT_NE(m_warnings.find("its members are not recorded; taken to be all ranks"),
              std::string::npos);
    convert("ncclDevKernel_Generic");
    EXPECT_NE(m_errors.find("nothing tells what it communicates"), std::string::npos) << m_errors;
    convert(SEND_RECV);
    EXPECT_NE(m_errors.find("nothing tells what it communicates"), std::string::npos) << m_errors;
}

TEST_F(CommunicationConverterTest, CollectivesOfUnknownSizeAreErrorsOrLeftOut)
{
    const auto convert = [this](const std::string& kernel) {
        return Convert({{1, PROCESS, 1, 0}, {2, THREAD, 1}, {3, "op", 2, 1, 1}},
                       {Operator("op", 100, 1000, 100, 1),
                        Call("cudaLaunchKernel", 100, 1010, 5, 70),
                        Kernel("before", 20, 1050, 5, 70),
                        Call("cudaLaunchKernel", 100, 1020, 5, 71),
                        Kernel(kernel, 20, 1060, 5, 71),
                        Call("cudaLaunchKernel", 100, 1030, 5, 72),
                        Kernel("after", 20, 1070, 5, 72)});
    };
    const std::string kernel = "ncclKernel_AllReduce_RING_LL_Sum_float";
    convert(kernel);
    EXPECT_NE(m_errors.find("node 4 \"" + kernel +
                            "\": nothing tells what it communicates: it has no record_param_comms "
                            "around it, and node 2 \"op\" (rf_id 1), which launched it, has no "
                            "tensors that tell the size; --allow-fuzzy leaves it out"),
              std::string::npos)
        << m_errors;
    m_options.allowFuzzy = true;
    for (const auto& name : {kernel, std::string("ncclDevKernel_Generic")})
    {
        const auto converted = convert(name);
        EXPECT_EQ(m_errors, "");
        EXPECT_NE(m_warnings.find("is left out: nothing tells what it communicates"),
                  std::string::npos);
        const auto account = m_ledger.GetAccount("device nodes");
        EXPECT_EQ(account.kept, 2U);
        EXPECT_EQ(account.leftOut.at(0).ids, std::vector<std::string>{"4 " + ("\"" + name + "\"")});
        ASSERT_EQ(converted.nodes.size(), 4U);
        EXPECT_EQ(converted.nodes[3].name, "after");
        EXPECT_EQ(converted.nodes[3].dependencies, (std::vector<uint64_t>{1, 2}))
            << "the order of the stream stays";
    }
    m_options.allowFuzzy = false;
    m_errors.clear();
    EXPECT_EQ(convert("ncclKernel_Barrier").nodes.at(3).collective, CollectiveType::Barrier);
    EXPECT_EQ(m_errors, "");
}

TEST_F(CommunicationConverterTest, RecordsWithoutKernelsAreNamed)
{
    const std::string host = R"([[1, 2, 0, 10, 4, "cpu"], 5, ["0", "w"], 0, "allreduce"])";
    const std::string device = R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 0, "allreduce"])";
    Convert({{1, PROCESS, 1, 0},
             {2, THREAD, 1},
             {3, "record_param_comms", 2, 1, 1, host},
             {4, "record_param_comms", 2, 1, 2, device}},
            {Operator("record_param_comms", 100, 1000, 100, 1),
             Operator("record_param_comms", 100, 2000, 100, 2)});
    const auto account = m_ledger.GetAccount("communication records");
    EXPECT_EQ(account.kept, 0U);
    ASSERT_EQ(account.leftOut.size(), 1U);
    EXPECT_EQ(account.leftOut[0].ids, std::vector<std::string>{"3 \"allreduce\""});
}

TEST_F(CommunicationConverterTest, ParityTakesKernelsByTheirNames)
{
    m_options.parity = true;
    const std::string values = R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 3, "send"])";
    EXPECT_EQ(ConvertRecord(values, "ncclKernel_SendRecv_RING").collective,
              CollectiveType::AllToAll);
    EXPECT_EQ(ConvertRecord(values, "ncclKernel_AllGather_RING").collective,
              CollectiveType::AllGather);
    EXPECT_EQ(ConvertRecord(values, "ncclKernel_AllGather_RING").bytes, 0U)
        << "the tensors are those of the operator that launched it";
    ConvertRecord(values, "ncclKernel_Generic");
    EXPECT_NE(m_errors.find("the name is of no collective"), std::string::npos);
}

TEST_F(CommunicationConverterTest, MembersComeFromWhateverTellsThem)
{
    const auto group = [this](const std::string& values, std::vector<Node> definitions = {}) {
        m_errors.clear();
        std::vector<Node> nodes{{1, PROCESS, 1, 0},
                                {2, THREAD, 1},
                                {5, "record_param_comms", 2, 1, 1, values}};
        nodes.insert(nodes.end(), definitions.begin(), definitions.end());
        const auto converted = Convert(nodes,
                                       {Operator("record_param_comms", 100, 1000, 100, 1),
                                        Call("cudaLaunchKernel", 100, 1010, 5, 71),
                                        Kernel("ncclKernel_AllReduce", 20, 1060, 5, 71)});
        return converted.groups;
    };
    const auto record = [](const std::string& pg, const std::string& rest) {
        return R"([[1, 2, 0, 8, 4, "cuda:0"], 5, )" + pg + R"(, 0, "allreduce", [], [])" + rest +
               "]";
    };
    Node definition{3, "## process_group:init ##", 2};
    definition.values = R"(["[{\"pg_name\": \"7\", \"backend_id\": 82149, \"ranks\": [1, 3]},)"
                        R"( {\"pg_name\": \"8\", \"ranks\": [], \"group_size\": 2}]"])";
    using Groups = CommunicatorGroups;
    EXPECT_EQ(group(record("82149", ""), {definition}), (Groups{{"7", {1, 3}}}));
    EXPECT_EQ(group(record(R"(["7", "tp"])", ""), {definition}), (Groups{{"7", {1, 3}}}));
    EXPECT_EQ(group(record(R"(["8", "tp"])", ""), {definition}), (Groups{{"8", {0, 1}}}));
    EXPECT_EQ(group(record(R"(["9", "dp"])", ", 1, 2, 2")), (Groups{{"9", {1, 3}}}));
    EXPECT_EQ(m_errors, "");
    EXPECT_EQ(group(record("5551", ", 4")), Groups{}) << "all ranks need no definition";
    EXPECT_EQ(m_errors + m_warnings, "");
    EXPECT_EQ(group(record("5551", "")), Groups{});
    EXPECT_NE(m_warnings.find("its members are not recorded; taken to be all ranks"),
              std::string::npos);
    group(record("5551", ", 2"));
    EXPECT_NE(
        m_errors.find("members of process group 5551 are not recorded, only that there are 2"),
        std::string::npos)
        << m_errors;
    m_kinetoGroups = {{"9", "", {0, 2}, 0}};
    EXPECT_EQ(group(record(R"(["9", "dp"])", "")), (Groups{{"9", {0, 2}}}));
    m_warnings.clear();
    EXPECT_EQ(group(record(R"(["9", "dp"])", ", 1, 2, 2")), (Groups{{"9", {1, 3}}}));
    EXPECT_NE(
        m_warnings.find("has ranks 1, 3 by the execution trace, which counts, and 0, 2 by the "
                        "Kineto trace"),
        std::string::npos)
        << m_warnings;
    group(record(R"(["9", "dp"])", ", 1, 2, 99999999"));
    EXPECT_NE(m_errors.find("is too large"), std::string::npos);
}

TEST_F(CommunicationConverterTest, RootsAndPeersAreMembers)
{
    ConvertRecord(
        R"([[1, 2, 0, 10, 4, "cuda:0"], 5, ["0", "w"], 4, "broadcast", [], [], 0, 1, 4])");
    EXPECT_NE(m_errors.find("rank 4 of process group \"0\" is none of its 4 members"),
              std::string::npos)
        << m_errors;
}

} // namespace
} // namespace mlcluster
} // namespace ns3
