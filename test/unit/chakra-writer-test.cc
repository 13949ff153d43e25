/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-bytes.h"
#include "error-of.h"
#include "temporary-folder.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-writer.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::bytes;

namespace
{

using Integers = ChakraEncoding::Integers; ///< short

constexpr Integers ALL_INTEGERS[] = {Integers::Int64,
                                     Integers::Uint64,
                                     Integers::Int32,
                                     Integers::Uint32,
                                     Integers::Sint64,
                                     Integers::Fixed64}; ///< every kind

/// Tests of files written.
class ChakraWriterTest : public FolderTest
{
  protected:
    /// @param nodes nodes @param encoding choices @return the bytes of the file
    std::string WriteAndRead(const std::vector<ExecutionNode>& nodes,
                             const ChakraEncoding& encoding = {}) const
    {
        WriteChakraGraph(nodes, Path("a.et"), encoding);
        return ReadBack(Path("a.et"));
    }
};

/// @return an all-reduce with all optional parts
ExecutionNode
MakeCollective()
{
    ExecutionNode node;
    node.id = 300;
    node.name = "ar";
    node.kind = NodeKind::Collective;
    node.bytes = 3000;
    node.priority = -2;
    node.group = "tp";
    node.involvedDimensions = {true, false};
    node.dependencies = {1, 200};
    node.durationPs = 5000000;
    return node;
}

/// @param a a node @param b another @return whether the parts that a file holds are equal
bool
AreEqual(const ExecutionNode& a, const ExecutionNode& b)
{
    const auto parts = [](const ExecutionNode& n) {
        return std::tie(n.id,
                        n.name,
                        n.kind,
                        n.onHost,
                        n.durationPs,
                        n.operations,
                        n.tensorBytes,
                        n.collective,
                        n.bytes,
                        n.peer,
                        n.tag,
                        n.priority,
                        n.group,
                        n.stream,
                        n.location,
                        n.peerBytes,
                        n.involvedDimensions,
                        n.dependencies);
    };
    return parts(a) == parts(b);
}

/// A random node, only with what its kind can have. @param random source @param id id @return the
/// node
ExecutionNode
MakeRandomNode(std::mt19937_64& random, uint64_t id)
{
    const auto size = [&] {
        const uint64_t shift = random() % 64;
        return random() >> shift;
    };
    ExecutionNode node;
    node.id = id;
    node.name = std::string(random() % 20, 'x');
    node.kind = static_cast<NodeKind>(1 + random() % 7);
    const int64_t unit = random() % 2 ? 1000000 : 1000;
    node.durationPs = static_cast<int64_t>(random() % 10000) * unit;
    node.stream = random() % 2 ? -1 : static_cast<int64_t>(size() >> 1);
    switch (node.kind)
    {
    case NodeKind::Compute:
        node.onHost = random() % 2;
        node.stream = node.onHost ? -1 : node.stream;
        node.operations = size();
        node.tensorBytes = size();
        break;
    case NodeKind::MemoryLoad:
    case NodeKind::MemoryStore:
        node.tensorBytes = size();
        node.location = random() % (1 + MemoryLocation::LAST);
        break;
    case NodeKind::Send:
    case NodeKind::Receive:
        node.bytes = size();
        node.tag = size();
        node.peer = static_cast<uint32_t>(size());
        break;
    case NodeKind::Collective:
        node.collective = static_cast<CollectiveType>(random() % 10);
        node.bytes = size();
        node.peer = IsRooted(node.collective) ? random() % 100 : 0;
        node.priority = static_cast<int32_t>(random());
        for (uint32_t i = random() % 4; i > 0; --i)
        {
            node.peerBytes.push_back(size() >> 1);
        }
        node.group = std::string(random() % 3, 'g');
        for (uint64_t k = random() % 4; k > 0; --k)
        {
            node.involvedDimensions.push_back(random() % 2);
        }
        break;
    default:
        break;
    }
    return node;
}

} // namespace

TEST_F(ChakraWriterTest, WritesTheWireFormat)
{
    const std::string deps = Packed(5, {1, 200});
    const std::string expected = Number(1, 300) + Text(2, "ar") + Number(3, 7) + deps +
                                 Number(7, 5) + Attribute("is_cpu_op", Number(27, 0)) +
                                 Int64("comm_type", 0) + Int64("comm_size", 3000) +
                                 Int64("comm_priority", -2) + String("pg_name", "tp") +
                                 Attribute("involved_dim", Text(28, Packed(1, {1, 0})));
    EXPECT_EQ(WriteAndRead({MakeCollective()}), File({expected}));
}

TEST_F(ChakraWriterTest, WritesUnpackedListsAndNoMetadataIfAsked)
{
    ChakraEncoding encoding;
    encoding.packed = false;
    encoding.metadata = false;
    const std::string expected =
        Number(1, 300) + Text(2, "ar") + Number(3, 7) + Number(5, 1) + Number(5, 200) +
        Number(7, 5) + Attribute("is_cpu_op", Number(27, 0)) + Int64("comm_type", 0) +
        Int64("comm_size", 3000) + Int64("comm_priority", -2) + String("pg_name", "tp") +
        Attribute("involved_dim", Text(28, Number(1, 1) + Number(1, 0)));
    EXPECT_EQ(WriteAndRead({MakeCollective()}, encoding), Record(expected));
}

TEST_F(ChakraWriterTest, AValueTakesTheKindAskedForIfItFits)
{
    const auto encoded = [&](Integers integers, uint64_t bytes) {
        ExecutionNode node;
        node.kind = NodeKind::MemoryLoad;
        node.tensorBytes = bytes;
        ChakraEncoding encoding;
        encoding.integers = integers;
        const std::string file = WriteAndRead({node}, encoding);
        const auto value = file.find("tensor_size");
        EXPECT_NE(value, std::string::npos);
        return file.substr(value + std::string("tensor_size").size());
    };
    const uint64_t large = 1ULL << 40;
    const uint64_t huge = ~0ULL;
    EXPECT_EQ(encoded(Integers::Int64, 300), Number(9, 300));
    EXPECT_EQ(encoded(Integers::Uint64, 300), Number(13, 300));
    EXPECT_EQ(encoded(Integers::Int32, 300), Number(7, 300));
    EXPECT_EQ(encoded(Integers::Uint32, 300), Number(11, 300));
    EXPECT_EQ(encoded(Integers::Sint64, 300), Number(17, 600));
    EXPECT_EQ(encoded(Integers::Fixed64, 300), Tag(21, 1) + Fixed(300, 8));
    EXPECT_EQ(encoded(Integers::Int32, large), Number(9, large));
    EXPECT_EQ(encoded(Integers::Uint32, large), Number(13, large));
    EXPECT_EQ(encoded(Integers::Uint32, 4294967295), Number(11, 4294967295));
    EXPECT_EQ(encoded(Integers::Int64, huge), Number(13, huge));
    EXPECT_EQ(encoded(Integers::Sint64, huge), Number(13, huge));
    EXPECT_EQ(encoded(Integers::Fixed64, huge), Tag(21, 1) + Fixed(huge, 8));
}

TEST_F(ChakraWriterTest, RandomGraphsAreReadBackFromEveryEncoding)
{
    std::mt19937_64 random(31);
    for (const auto integers : ALL_INTEGERS)
    {
        for (int choices = 0; choices < 8; ++choices)
        {
            ChakraEncoding encoding;
            encoding.integers = integers;
            encoding.packed = choices & 1;
            encoding.gzip = choices & 2;
            encoding.metadata = choices & 4;
            std::vector<ExecutionNode> nodes;
            for (uint64_t id = 0; id < 50; ++id)
            {
                nodes.push_back(MakeRandomNode(random, 3 * id));
                for (uint64_t other = 0; other < id; ++other)
                {
                    if (random() % 20 == 0)
                    {
                        nodes.back().dependencies.push_back(3 * other);
                    }
                }
            }
            WriteChakraGraph(nodes, Path("a.et"), encoding);
            EXPECT_EQ(ReadBack(Path("a.et")).substr(0, 2) == "\x1f\x8b", encoding.gzip);
            Diagnostics diagnostics;
            const auto graph = ReadChakraGraph(Path("a.et"), {}, diagnostics);
            ASSERT_EQ(diagnostics.GetErrors(), std::vector<std::string>{});
            ASSERT_EQ(graph->GetNNodes(), nodes.size());
            std::vector<ExecutionNode> again;
            for (std::size_t i = 0; i < nodes.size(); ++i)
            {
                EXPECT_TRUE(AreEqual(*graph->GetNode(i), nodes[i])) << Describe(nodes[i]);
                again.push_back(*graph->GetNode(i));
            }
            const std::string bytes = ReadBack(Path("a.et"));
            EXPECT_EQ(WriteAndRead(again, encoding), bytes) << "written again it is the same";
        }
    }
}

TEST_F(ChakraWriterTest, EqualGraphsGiveEqualBytes)
{
    ChakraEncoding encoding;
    encoding.gzip = true;
    EXPECT_EQ(WriteAndRead({MakeCollective()}, encoding),
              WriteAndRead({MakeCollective()}, encoding));
}

TEST_F(ChakraWriterTest, DurationsFinerThanMicrosecondsGoToAnAttribute)
{
    const auto check =
        [&](int64_t durationPs, uint64_t microseconds, const std::string& attribute) {
            ExecutionNode node;
            node.kind = NodeKind::Metadata;
            node.durationPs = durationPs;
            const std::string end =
                Number(7, microseconds) + Attribute("is_cpu_op", Number(27, 0)) + attribute;
            const std::string file = WriteAndRead({node});
            EXPECT_EQ(file.substr(file.size() - end.size()), end) << durationPs;
        };
    check(5000000, 5, "");
    check(1000, 1, Int64("duration_ns", 1));
    check(1499000, 1, Int64("duration_ns", 1499));
    check(1500000, 2, Int64("duration_ns", 1500));
    check(9223372036854775000, 9223372036855, Int64("duration_ns", 9223372036854775));
}

TEST_F(ChakraWriterTest, WritesWhatElseAFileCanHold)
{
    ExecutionNode node;
    node.id = 5;
    node.name = "op";
    node.kind = NodeKind::Compute;
    node.dependencies = {3};
    ChakraExtras extras;
    extras.metadata = {{"schema", std::string("1.0.1")}, {"pid", int64_t{42}}};
    extras.nodes = {{{2, 300}, 77, {"[1]", "[[]]", "['Int']"}, {"[]", "", ""}, {}}};
    extras.nodes[0].attributes = {{"seq_id", int64_t{-1}}, {"op_schema", std::string("op(x)")}};
    WriteChakraGraph({node}, Path("a.et"), {}, extras);
    const std::string metadata = Text(1, "0.0.4") + Text(2, Text(1, "schema") + Text(29, "1.0.1")) +
                                 Text(2, Text(1, "pid") + Number(9, 42));
    const std::string message = Number(1, 5) + Text(2, "op") + Number(3, 4) + Packed(4, {2, 300}) +
                                Packed(5, {3}) + Number(6, 77) + Number(7, 0) +
                                Text(8, Text(1, "[1]") + Text(2, "[[]]") + Text(3, "['Int']")) +
                                Text(9, Text(1, "[]") + Text(2, "") + Text(3, "")) +
                                Int64("seq_id", UINT64_MAX) + String("op_schema", "op(x)") +
                                Attribute("is_cpu_op", Number(27, 0));
    EXPECT_EQ(ReadBack(Path("a.et")), Record(metadata) + Record(message))
        << "without num_ops and tensor_size, which are not known";
}

TEST_F(ChakraWriterTest, WhatAFileCannotHoldIsRefused)
{
    const auto error = [&](const ExecutionNode& node) {
        return ErrorOf([&] { WriteChakraGraph({node}, Path("a.et")); });
    };
    auto node = MakeCollective();
    node.durationPs = 5000001;
    EXPECT_EQ(error(node),
              "node 300 \"ar\": the duration of 5000001 ps is no whole number of nanoseconds, "
              "which a Chakra file needs");
    node.durationPs = -1000000;
    EXPECT_NE(error(node), "");
    ExecutionNode send;
    send.name = "s";
    send.kind = NodeKind::Send;
    send.peer = 3;
    send.peerIsOffset = true;
    EXPECT_EQ(error(send),
              "node 0 \"s\": the peer is 3 ranks further on; a Chakra file needs the rank itself");
    EXPECT_FALSE(std::filesystem::exists(Path("a.et")));
}

TEST_F(ChakraWriterTest, WhatCannotBeWrittenIsAnErrorWithThePath)
{
    try
    {
        WriteChakraGraph({MakeCollective()}, Path("none/a.et"));
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_EQ(error.what(),
                  Path("none/a.et") + ": cannot be written: No such file or directory");
    }
    const std::vector<ExecutionNode> many(100000, MakeCollective());
    EXPECT_THROW(WriteChakraGraph(many, "/dev/full"), InputError);
}

TEST_F(ChakraWriterTest, DurationsAreRoundedToWhatAFileHolds)
{
    std::vector<ExecutionNode> nodes(6);
    const std::vector<int64_t> given{0, 1, 1499, 1500, 7000, INT64_MAX};
    const std::vector<int64_t> expected{0, 1000, 1000, 2000, 7000, 9223372036854775000};
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        nodes[i].durationPs = given[i];
    }
    EXPECT_EQ(RoundToNanoseconds(nodes), 4u);
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        EXPECT_EQ(nodes[i].durationPs, expected[i]);
    }
}
