/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader-fixture.h"

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::bytes;

namespace
{

/// @param digits hexadecimal digits @return the bytes
std::string
FromHex(const std::string& digits)
{
    std::string text;
    for (std::size_t i = 0; i < digits.size(); i += 2)
    {
        text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
    }
    return text;
}

} // namespace

TEST_F(ChakraReaderTest, ReadsTheBytesOfAnotherWriter)
{
    // version 0.0.4, node 1000 "all-reduce" of type 7: is_cpu_op false, comm_type 0 and comm_size
    // 100,000 as uint32
    const auto outcome = Read(FromHex("070a05302e302e34"
                                      "4108e807120a616c6c2d7265647563651807"
                                      "520e0a0969735f6370755f6f70d80100"
                                      "520d0a09636f6d6d5f74797065"
                                      "6800520f0a09636f6d6d5f73697a6568a08d06"));
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.warnings, Texts{});
    ASSERT_EQ(outcome.graph->GetNNodes(), 1u);
    const auto& node = *outcome.graph->GetNode(0);
    EXPECT_EQ(node.id, 1000u);
    EXPECT_EQ(node.name, "all-reduce");
    EXPECT_EQ(node.kind, NodeKind::Collective);
    EXPECT_EQ(node.collective, CollectiveType::AllReduce);
    EXPECT_EQ(node.bytes, 100000u);
    EXPECT_FALSE(node.onHost);
    EXPECT_EQ(node.group, "");
    EXPECT_TRUE(node.involvedDimensions.empty());
}

TEST_F(ChakraReaderTest, ReadsAllKindsOfNode)
{
    const auto outcome = Read(MakeRichFile());
    ASSERT_EQ(outcome.errors, Texts{});
    const auto& graph = *outcome.graph;
    ASSERT_EQ(graph.GetNNodes(), 6u);
    EXPECT_EQ(graph.GetNode(0)->durationPs, 12000000);
    EXPECT_EQ(graph.GetNode(0)->operations, 5u);
    EXPECT_EQ(graph.GetNode(0)->tensorBytes, 6u);
    EXPECT_EQ(graph.GetNode(1)->kind, NodeKind::MemoryLoad);
    EXPECT_EQ(graph.GetNode(1)->tensorBytes, 300u);
    EXPECT_EQ(graph.GetNode(2)->collective, CollectiveType::AllGather);
    EXPECT_EQ(graph.GetNode(2)->group, "tp");
    EXPECT_EQ(graph.GetNode(2)->dependencies, (std::vector<uint64_t>{1, 2}));
    EXPECT_EQ(graph.GetNode(3)->kind, NodeKind::Send);
    EXPECT_EQ(graph.GetNode(3)->peer, 1u);
    EXPECT_EQ(graph.GetNode(3)->tag, 9u);
    EXPECT_EQ(graph.GetNode(4)->kind, NodeKind::Receive);
    EXPECT_EQ(graph.GetNode(4)->tag, 9u);
    EXPECT_EQ(graph.GetNode(5)->kind, NodeKind::Metadata);
}

TEST_F(ChakraReaderTest, TheLastOfARepeatedFieldWins)
{
    const std::string node =
        Node(9, "x", 4, Number(7, 1)) + Number(1, 3) + Text(2, "y") + Number(7, 2);
    EXPECT_EQ(ReadNode(node).id, 3u);
    EXPECT_EQ(ReadNode(node).name, "y");
    EXPECT_EQ(ReadNode(node).durationPs, 2000000);
}

TEST_F(ChakraReaderTest, UnknownFieldsAndAttributesAreSkipped)
{
    const std::string unknown = Number(99, 5) + Text(100, "x") + Tag(101, 1) + Fixed(0, 8) +
                                Tag(102, 5) + Fixed(0, 4) + Number(6, 1000);
    const std::string attribute =
        Text(10, Text(1, "comm_size") + Text(2, "documentation") + Number(13, 8) + Number(40, 1));
    const auto node = ReadNode(AllReduce(attribute + unknown + String("scope", "anything")));
    EXPECT_EQ(node.bytes, 8u);
}

TEST_F(ChakraReaderTest, DependenciesMayBePackedOrNotAndCountOnce)
{
    const auto dependencies = [&](const std::string& fields) {
        const auto outcome =
            Read(File({Node(1, "a", 4), Node(300, "b", 4), Node(7, "c", 4, fields)}));
        EXPECT_EQ(outcome.errors, Texts{});
        return outcome.graph->GetNode(1)->dependencies;
    };
    const std::vector<uint64_t> both{1, 300};
    EXPECT_EQ(dependencies(Packed(5, {300, 1})), both);
    EXPECT_EQ(dependencies(Number(5, 300) + Number(5, 1)), both);
    EXPECT_EQ(dependencies(Number(5, 1) + Packed(5, {300}) + Packed(5, {})), both);
    EXPECT_EQ(dependencies(Packed(5, {1, 1, 300, 1}) + Packed(4, {1, 300})), both);
}

TEST_F(ChakraReaderTest, ANodeOfTypeZeroIsReadWithAWarning)
{
    const auto outcome = Read(File({Node(1, "x", 0)}));
    EXPECT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0)->kind, NodeKind::Invalid);
    EXPECT_EQ(outcome.warnings, Texts{"node 1 \"x\": a node of type 0 (invalid) does nothing"});
}

TEST_F(ChakraReaderTest, TheFirstRecordIsMetadataOnlyIfItLooksLikeIt)
{
    const std::string node = Record(Node(1, "x", 4));
    const auto count = [&](const std::string& content) {
        const auto outcome = Read(content);
        EXPECT_EQ(outcome.errors, Texts{});
        return outcome.graph ? outcome.graph->GetNNodes() : 0;
    };
    EXPECT_EQ(count(node), 1u);
    EXPECT_EQ(count(Record("") + node), 1u);
    EXPECT_EQ(count(Record(Text(1, "0.0.4")) + node), 1u);
    const std::string attribute = Text(2, Text(1, "schema") + Text(29, "1.0.1"));
    EXPECT_EQ(count(Record(attribute + attribute) + node), 1u);
    EXPECT_EQ(count(Record(Node(0, "zero", 4)) + node), 2u); // fields 2 and 3
    EXPECT_EQ(count(Record(Text(2, "hello")) + node), 2u);   // a name, no attribute
    EXPECT_EQ(count(Record(Number(1, 5) + Text(2, "y")) + node), 2u);
    EXPECT_EQ(count(Record(Text(1, "0.0.4"))), 0u);
}

TEST_F(ChakraReaderTest, OlderSchemasAreRefusedWithTheReason)
{
    const auto reason = [](const std::string& schema) {
        return Texts{
            "byte 0: the file has a schema of Chakra before 0.0.4, whose fields mean other "
            "things; it looks like " +
            schema + ", which the option schema (workload.schema) selects"};
    };
    // 0.0.1: integers in fields 12 and 8; 0.0.2: an attribute in field 11, texts in 5 to 10
    EXPECT_EQ(Read(Record(Node(1, "x", 3, Number(6, 838860800) + Number(12, 10)))).errors,
              reason("0.0.1"));
    EXPECT_EQ(Read(Record(Node(1, "x", 3, Number(8, 1)))).errors, reason("0.0.1"));
    EXPECT_EQ(
        Read(Record(Node(1, "x", 4, Text(5, "[1]\xff") + Text(11, Text(1, "num_ops"))))).errors,
        reason("0.0.2 or 0.0.3"));
    EXPECT_EQ(Read(Record(Node(1, "x", 3)), {}, "b.0.eg").errors,
              Texts{"cannot be read: files .eg have schema 0.0.1, which the option schema "
                    "(workload.schema) selects"});
    // with a GlobalMetadata such fields are merely unknown
    EXPECT_EQ(Read(File({Node(1, "x", 4, Number(12, 10))})).errors, Texts{});
}

TEST_F(ChakraReaderTest, ControlDependenciesCountIfKnown)
{
    const std::string content = File({Node(1, "a", 4),
                                      Node(2, "b", 4, Packed(4, {1, 99})),
                                      Node(3, "c", 4, Packed(4, {98}) + Packed(5, {1}))});
    ChakraOptions options;
    const auto known = Read(content, options);
    ASSERT_EQ(known.errors, Texts{});
    EXPECT_EQ(
        known.warnings,
        Texts{"node 2 \"b\" -> node 99: control dependency on a missing node is dropped (2 cases, "
              "this is the first)"});
    EXPECT_EQ(known.graph->GetNode(1)->dependencies, (std::vector<uint64_t>{1}));
    options.controlDependencies = ControlDependencies::Ignore;
    const auto ignored = Read(content, options);
    EXPECT_EQ(ignored.warnings, Texts{});
    EXPECT_TRUE(ignored.graph->GetNode(1)->dependencies.empty());
    EXPECT_EQ(ignored.graph->GetNode(2)->dependencies, (std::vector<uint64_t>{1}));
    options.controlDependencies = ControlDependencies::Strict;
    const auto strict = Read(content, options);
    ASSERT_EQ(strict.errors.size(), 3u);
    EXPECT_EQ(strict.errors[0], "node 2 \"b\": depends on node 99, which does not exist");
    EXPECT_EQ(strict.errors[1], "node 3 \"c\": depends on node 98, which does not exist");
    EXPECT_NE(strict.errors[2].find("better ignored"), std::string::npos);
}

TEST_F(ChakraReaderTest, AControlDependencyOnItselfIsDroppedUnlessStrict)
{
    const std::string content = File({Node(1, "a", 4, Packed(4, {1}))});
    ChakraOptions options;
    EXPECT_EQ(Read(content, options).errors, Texts{});
    EXPECT_EQ(Read(content, options).warnings,
              Texts{"node 1 \"a\": control dependency on the node itself is dropped"});
    options.controlDependencies = ControlDependencies::Strict;
    EXPECT_EQ(Read(content, options).errors[0], "node 1 \"a\": depends on itself");
}

TEST_F(ChakraReaderTest, AMissingDataDependencyIsAnErrorUnlessIgnored)
{
    // the node is kept
    const std::string content = File(
        {Node(1, "a", 4),
         Node(2, "b", 7, Int64("comm_type", 0) + Int64("comm_size", 8) + Packed(5, {1, 999}))});
    EXPECT_EQ(Read(content).errors,
              Texts{"node 2 \"b\": depends on node 999, which does not exist"});
    ChakraOptions options;
    options.ignoreMissingDependencies = true;
    const auto outcome = Read(content, options);
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNNodes(), 2u);
    EXPECT_EQ(outcome.graph->GetNode(1)->dependencies, (std::vector<uint64_t>{1}));
    EXPECT_EQ(outcome.warnings,
              Texts{"node 2 \"b\" -> node 999: data dependency on a missing node is dropped"});
}

TEST_F(ChakraReaderTest, DuplicateIdsAndCyclesAreErrors)
{
    EXPECT_EQ(
        Read(File({Node(5, "a", 4), Node(5, "b", 4)})).errors,
        Texts{
            "node 5 \"b\": the id is already that of node 5 \"a\"; ids must be unique in a file"});
    EXPECT_EQ(Read(File({Node(1, "a", 4, Packed(5, {2})),
                         Node(2, "b", 4, Packed(5, {1})),
                         Node(3, "c", 4)}))
                  .errors,
              Texts{"node 1 \"a\": depends on itself by way of node 2 \"b\" (a cycle of 2 nodes)"});
    EXPECT_EQ(Read(File({Node(1, "a", 4, Packed(5, {1}))})).errors,
              Texts{"node 1 \"a\": depends on itself"});
}

TEST_F(ChakraReaderTest, AStatedRankMustBeThatOfTheFile)
{
    const std::string content = File({Node(1,
                                           "s",
                                           5,
                                           Int64("comm_size", 8) + Int64("comm_tag", 0) +
                                               Int64("comm_dst", 1) + Int64("comm_src", 3))});
    EXPECT_EQ(Read(content, {}, "a.3.et").errors, Texts{});
    EXPECT_EQ(Read(content, {}, "noRank.et").errors, Texts{});
    EXPECT_EQ(Read(content, {}, "a.4.et").errors,
              Texts{"node 1 \"s\": states rank 3 as its own (comm_src of a send, comm_dst of a "
                    "receive), but the file is that of rank 4"});
}

TEST_F(ChakraReaderTest, ManyFaultyNodesAreCounted)
{
    // each field dropped or misspelt names node and attribute, and the reader stays in
    // step
    Texts nodes;
    for (uint64_t id = 1; id <= 1000; ++id)
    {
        nodes.push_back(Node(id, "c", 7, Int64("comm_type", 0) + Int64("com_size", 8)));
    }
    const auto errors = Read(File(nodes)).errors;
    ASSERT_EQ(errors.size(), 21u);
    EXPECT_EQ(errors[19], "node 20 \"c\": attribute comm_size is missing");
    EXPECT_EQ(errors[20], "and 980 more errors");
}
