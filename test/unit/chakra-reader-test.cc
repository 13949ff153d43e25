/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-bytes.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-trace.h"

#include <algorithm>
#include <random>
#include <zlib.h>

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::bytes;

namespace
{

using Texts = std::vector<std::string>; ///< messages

/// What became of a file.
struct Outcome
{
    std::shared_ptr<const ExecutionGraph> graph; ///< the graph
    Texts errors;                                ///< without the path
    Texts warnings;                              ///< without the path
};

/// @param texts messages @param path what they begin with @return the rest
Texts
Strip(Texts texts, const std::string& path)
{
    for (auto& text : texts)
    {
        text = text.rfind(path + ": ", 0) == 0 ? text.substr(path.size() + 2) : text;
    }
    return texts;
}

/// Tests of one file.
class ChakraReaderTest : public FolderTest
{
  protected:
    /// @param content bytes of a file @param options how to read @param name file name @return what
    /// became of it
    Outcome Read(const std::string& content,
                 const ChakraOptions& options = {},
                 const std::string& name = "a.0.et") const
    {
        const std::string path = Write(name, content);
        Diagnostics diagnostics;
        const auto graph = ReadChakraGraph(path, options, diagnostics);
        return {graph,
                Strip(diagnostics.GetErrors(), path),
                Strip(diagnostics.GetWarnings(), path)};
    }

    /// @param node a node's message @param options how to read @return the node of a file with only
    /// it
    ExecutionNode ReadNode(const std::string& node, const ChakraOptions& options = {}) const
    {
        const auto outcome = Read(File({node}), options);
        EXPECT_EQ(outcome.errors, Texts{});
        return outcome.graph ? outcome.graph->GetNode(0) : ExecutionNode();
    }

    /// @param node a node's message @param options how to read @return the errors of a file with
    /// only it
    Texts ReadErrors(const std::string& node, const ChakraOptions& options = {}) const
    {
        return Read(File({node}), options).errors;
    }
};

/// @param rest further fields @return an all-reduce that lacks only a size
std::string
AllReduce(const std::string& rest)
{
    return Node(1, "c", 7, Int64("comm_type", 0) + rest);
}

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

/// @param content bytes of a file, not on disk @param options how to read @return what became of it
Outcome
ReadContent(const std::string& content, const ChakraOptions& options = {})
{
    Diagnostics diagnostics;
    MessageTally warnings(diagnostics);
    const auto trace = ReadChakraTrace(content, "a.0.et", options, diagnostics, warnings);
    return {trace.graph, Strip(diagnostics.GetErrors(), "a.0.et"), {}};
}

/// @return a file with every kind of node and several encodings
std::string
MakeRichFile()
{
    return File(
        {Node(3,
              "coll",
              7,
              Int64("comm_type", 2) + Int64("comm_size", 1 << 20) + String("pg_name", "tp") +
                  Packed(5, {1, 2})),
         Node(1, "comp", 4, Number(7, 12) + Int64("num_ops", 5) + Int64("tensor_size", 6)),
         Node(2, "load", 2, Attribute("tensor_size", Number(13, 300)) + Packed(4, {1})),
         Node(4,
              "send",
              5,
              Int64("comm_size", 7) + Int64("comm_dst", 1) + Int64("comm_tag", 9) + Number(5, 3)),
         Node(5,
              "recv",
              6,
              Int64("comm_size", 7) + Int64("comm_src", 1) +
                  Attribute("comm_tag", Tag(21, 1) + Fixed(9, 8))),
         Node(6, "meta", 1, Text(8, Text(1, "[]") + Text(3, "['x']")))});
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
    const auto& node = outcome.graph->GetNode(0);
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
    EXPECT_EQ(graph.GetNode(0).durationPs, 12000000);
    EXPECT_EQ(graph.GetNode(0).operations, 5u);
    EXPECT_EQ(graph.GetNode(0).tensorBytes, 6u);
    EXPECT_EQ(graph.GetNode(1).kind, NodeKind::MemoryLoad);
    EXPECT_EQ(graph.GetNode(1).tensorBytes, 300u);
    EXPECT_EQ(graph.GetNode(2).collective, CollectiveType::AllGather);
    EXPECT_EQ(graph.GetNode(2).group, "tp");
    EXPECT_EQ(graph.GetNode(2).dependencies, (std::vector<uint64_t>{1, 2}));
    EXPECT_EQ(graph.GetNode(3).kind, NodeKind::Send);
    EXPECT_EQ(graph.GetNode(3).peer, 1u);
    EXPECT_EQ(graph.GetNode(3).tag, 9u);
    EXPECT_EQ(graph.GetNode(4).kind, NodeKind::Receive);
    EXPECT_EQ(graph.GetNode(4).tag, 9u);
    EXPECT_EQ(graph.GetNode(5).kind, NodeKind::Metadata);
}

TEST_F(ChakraReaderTest, AnyIntegerKindServes)
{
    // bug log 20: 3000 in each of the twelve integer kinds, numbered as their fields
    const std::vector<std::string> encodings{Number(7, 3000),
                                             Number(9, 3000),
                                             Number(11, 3000),
                                             Number(13, 3000),
                                             Number(15, 6000),
                                             Number(17, 6000),
                                             Tag(19, 5) + Fixed(3000, 4),
                                             Tag(21, 1) + Fixed(3000, 8),
                                             Tag(23, 5) + Fixed(3000, 4),
                                             Tag(25, 1) + Fixed(3000, 8)};
    for (const auto& encoding : encodings)
    {
        EXPECT_EQ(ReadNode(AllReduce(Attribute("comm_size", encoding))).bytes, 3000u);
    }
    EXPECT_EQ(ReadNode(AllReduce(Attribute("comm_size", Number(27, 1)))).bytes, 1u);
    EXPECT_EQ(ReadNode(AllReduce(Attribute("comm_size", Number(13, ~0ULL)))).bytes, ~0ULL);
}

TEST_F(ChakraReaderTest, ASizeIsNeverBothErrorAndNothing)
{
    // bug log 20: zero is legal and costs nothing, missing or unreadable sizes are errors
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 0))).bytes, 0u);
    const auto error = [&](const std::string& rest) { return ReadErrors(AllReduce(rest)); };
    const std::string needed = "; an integer from 0 to 18446744073709551615 is needed";
    const std::string place = "node 1 \"c\": ";
    EXPECT_EQ(error(""), Texts{place + "attribute comm_size is missing"});
    EXPECT_EQ(error(Attribute("comm_size", "")), Texts{place + "attribute comm_size is missing"});
    EXPECT_EQ(error(String("comm_size", "big")),
              Texts{place + "comm_size is the text \"big\"" + needed});
    EXPECT_EQ(error(Int64("comm_size", -5)), Texts{place + "comm_size is -5" + needed});
    EXPECT_EQ(error(Attribute("comm_size", Number(15, 1))),
              Texts{place + "comm_size is -1" + needed});
    EXPECT_EQ(error(Attribute("comm_size", Tag(23, 5) + Fixed(-1, 4))),
              Texts{place + "comm_size is -1" + needed});
    EXPECT_EQ(error(Attribute("comm_size", Tag(3, 1) + Fixed(0x3ff8000000000000, 8))),
              Texts{place + "comm_size is the real number 1.500000" + needed});
    EXPECT_EQ(error(Attribute("comm_size", Tag(5, 5) + Fixed(0x3fc00000, 4))),
              Texts{place + "comm_size is the real number 1.500000" + needed});
    EXPECT_EQ(error(Attribute("comm_size", Text(10, Packed(1, {1, 2, 3})))),
              Texts{place + "comm_size is a list of 3 integers" + needed});
    EXPECT_EQ(error(Attribute("comm_size", Text(30, Text(1, "x")))),
              Texts{place + "comm_size is a list" + needed});
    EXPECT_EQ(error(Attribute("comm_size", Text(4, Text(1, Fixed(0, 8))))),
              Texts{place + "comm_size is a list" + needed});
}

TEST_F(ChakraReaderTest, Int32IsReadInItsOwnWidth)
{
    // a negative int32 is sign-extended to ten bytes on the wire
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8) + Attribute("comm_priority", Number(7, -7))))
                  .priority,
              -7);
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8) + Int64("comm_priority", 7))).priority, 7);
    EXPECT_EQ(ReadErrors(AllReduce(Int64("comm_size", 8) + Int64("comm_priority", 1ULL << 31))),
              Texts{"node 1 \"c\": comm_priority is 2147483648; an integer from 0 to 2147483647 is "
                    "needed"});
}

TEST_F(ChakraReaderTest, TheLastMemberOfAOneofWins)
{
    const std::string value = Number(9, 1) + Text(29, "x") + Number(13, 77);
    EXPECT_EQ(ReadNode(AllReduce(Attribute("comm_size", value))).bytes, 77u);
}

TEST_F(ChakraReaderTest, TheLastOfARepeatedFieldWins)
{
    const std::string node =
        Node(9, "x", 4, Number(7, 1)) + Number(1, 3) + Text(2, "y") + Number(7, 2);
    EXPECT_EQ(ReadNode(node).id, 3u);
    EXPECT_EQ(ReadNode(node).name, "y");
    EXPECT_EQ(ReadNode(node).durationPs, 2000000);
}

TEST_F(ChakraReaderTest, TheLastOfARepeatedAttributeWinsWithAWarning)
{
    const auto outcome = Read(File(
        {AllReduce(Int64("comm_size", 1) + Int64("comm_size", 2) + Int64("comm_size", 3)),
         Node(2, "d", 7, Int64("comm_type", 0) + Int64("comm_size", 1) + Int64("comm_size", 2))}));
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0).bytes, 3u);
    EXPECT_EQ(
        outcome.warnings,
        Texts{"node 1 \"c\": attribute comm_size is given more than once; the last one counts (2 "
              "cases, this is the first)"});
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
        return outcome.graph->GetNode(1).dependencies;
    };
    const std::vector<uint64_t> both{1, 300};
    EXPECT_EQ(dependencies(Packed(5, {300, 1})), both);
    EXPECT_EQ(dependencies(Number(5, 300) + Number(5, 1)), both);
    EXPECT_EQ(dependencies(Number(5, 1) + Packed(5, {300}) + Packed(5, {})), both);
    EXPECT_EQ(dependencies(Packed(5, {1, 1, 300, 1}) + Packed(4, {1, 300})), both);
}

TEST_F(ChakraReaderTest, MaskMayBeFlagsOrIntegers)
{
    const auto mask = [&](const std::string& list) {
        return ReadNode(AllReduce(Int64("comm_size", 8) + Attribute("involved_dim", list)))
            .involvedDimensions;
    };
    const std::vector<bool> expected{true, false, true};
    EXPECT_EQ(mask(Text(28, Packed(1, {1, 0, 1}))), expected);
    EXPECT_EQ(mask(Text(28, Number(1, 1) + Number(1, 0) + Number(1, 1))), expected);
    EXPECT_EQ(mask(Text(28, Number(1, 1) + Packed(1, {0, 1}))), expected);
    EXPECT_EQ(mask(Text(10, Packed(1, {1, 0, 1}))), expected);
    EXPECT_EQ(mask(Text(18, Packed(1, {2, 0, 2}))), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(mask(Text(20, Text(1, Fixed(1, 4) + Fixed(0, 4)))), (std::vector<bool>{true, false}));
    EXPECT_EQ(mask(Text(22, Text(1, Fixed(1, 8) + Fixed(0, 8)))), (std::vector<bool>{true, false}));
    EXPECT_EQ(mask(Text(28, "")), std::vector<bool>{});
    // bug log 32: no mask means all dimensions
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8))).involvedDimensions, std::vector<bool>{});
}

TEST_F(ChakraReaderTest, MaskOfOtherValuesIsRefused)
{
    const auto errors = [&](const std::string& value) {
        return ReadErrors(AllReduce(Int64("comm_size", 8) + Attribute("involved_dim", value)));
    };
    const std::string needed = "; a list of flags, or of the integers 0 and 1, is needed";
    EXPECT_EQ(errors(Text(10, Packed(1, {0, 2}))),
              Texts{"node 1 \"c\": involved_dim is a list of 2 integers" + needed});
    EXPECT_EQ(errors(Number(27, 1)), Texts{"node 1 \"c\": involved_dim is 1" + needed});
    EXPECT_EQ(errors(Text(20, Text(1, "abc"))), Texts{"byte 8: packed field 1 is cut off"});
}

TEST_F(ChakraReaderTest, GroupIsATextOrAnInteger)
{
    const auto group = [&](const std::string& attribute) {
        return ReadNode(AllReduce(Int64("comm_size", 8) + attribute)).group;
    };
    // bug log 17: any string is a name
    for (const std::string name : {"tp0", "0", "-1", ""})
    {
        EXPECT_EQ(group(String("pg_name", name)), name);
    }
    EXPECT_EQ(group(Int64("comm_group", 3)), "3");
    EXPECT_EQ(group(Attribute("comm_group", Number(7, -1))), "-1");
    EXPECT_EQ(group(Int64("comm_group", 3) + String("pg_name", "7")), "7");
    EXPECT_EQ(
        ReadErrors(
            AllReduce(Int64("comm_size", 8) + Attribute("pg_name", Text(28, Packed(1, {1}))))),
        Texts{"node 1 \"c\": pg_name is a list of 1 integers; a text or an integer is needed"});
}

TEST_F(ChakraReaderTest, AHostFlagIsOffUnlessSet)
{
    EXPECT_FALSE(ReadNode(Node(1, "x", 4)).onHost);
    EXPECT_FALSE(ReadNode(Node(1, "x", 4, Attribute("is_cpu_op", Number(27, 0)))).onHost);
    EXPECT_TRUE(ReadNode(Node(1, "x", 4, Attribute("is_cpu_op", Number(27, 1)))).onHost);
    EXPECT_TRUE(ReadNode(Node(1, "x", 4, Attribute("is_cpu_op", Number(7, 1)))).onHost);
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, String("is_cpu_op", "true"))).size(), 1u);
}

TEST_F(ChakraReaderTest, CommunicationAlwaysRuns)
{
    // bug log 28: neither a missing nor a wrong host flag takes a collective out
    const auto plain = Read(File({AllReduce(Int64("comm_size", 8))}));
    EXPECT_EQ(plain.warnings, Texts{});
    EXPECT_EQ(plain.graph->GetNode(0).kind, NodeKind::Collective);
    const auto host =
        Read(File({AllReduce(Int64("comm_size", 8) + Attribute("is_cpu_op", Number(27, 1)))}));
    EXPECT_EQ(host.graph->GetNode(0).kind, NodeKind::Collective);
    EXPECT_FALSE(host.graph->GetNode(0).onHost);
    EXPECT_EQ(
        host.warnings,
        Texts{"node 1 \"c\": is_cpu_op is set on a communication node, which is run all the same"});
}

TEST_F(ChakraReaderTest, AHostLaunchOfACollectiveTakesNoTime)
{
    const auto outcome =
        Read(File({Node(1, "c10d::allreduce_", 7, Attribute("is_cpu_op", Number(27, 1)))}));
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0).kind, NodeKind::Metadata);
    ASSERT_EQ(outcome.warnings.size(), 1u);
    EXPECT_NE(outcome.warnings[0].find("a launch of no time"), std::string::npos);
}

TEST_F(ChakraReaderTest, EachKindNeedsItsAttributes)
{
    EXPECT_EQ(ReadErrors(Node(1, "c", 7)),
              (Texts{"node 1 \"c\": attribute comm_type is missing",
                     "node 1 \"c\": attribute comm_size is missing"}));
    EXPECT_EQ(ReadErrors(Node(1, "c", 7, Int64("comm_type", 10) + Int64("comm_size", 1))),
              Texts{"node 1 \"c\": comm_type is 10; an integer from 0 to 9 is needed"});
    EXPECT_EQ(ReadErrors(Node(1, "s", 5)),
              (Texts{"node 1 \"s\": attribute comm_size is missing",
                     "node 1 \"s\": attribute comm_tag is missing",
                     "node 1 \"s\": attribute comm_dst is missing"}));
    EXPECT_EQ(ReadErrors(Node(1, "r", 6, Int64("comm_size", 1) + Int64("comm_tag", 1))),
              Texts{"node 1 \"r\": attribute comm_src is missing"});
    EXPECT_EQ(
        ReadErrors(
            Node(1, "r", 6, Int64("comm_size", 1) + Int64("comm_tag", 1) + Int64("comm_src", -1))),
        Texts{"node 1 \"r\": comm_src is -1; an integer from 0 to 4294967295 is needed"});
    EXPECT_EQ(ReadErrors(Node(1, "m", 2)), Texts{"node 1 \"m\": attribute tensor_size is missing"});
    EXPECT_EQ(ReadErrors(Node(1, "m", 3)), Texts{"node 1 \"m\": attribute tensor_size is missing"});
    EXPECT_EQ(ReadErrors(Node(1, "x", 8)), Texts{"node 1 \"x\": type is 8; 0 to 7 are known"});
    EXPECT_EQ(ReadErrors(Node(1, "x", 42)), Texts{"node 1 \"x\": type is 42; 0 to 7 are known"});
}

TEST_F(ChakraReaderTest, ANodeOfTypeZeroIsReadWithAWarning)
{
    const auto outcome = Read(File({Node(1, "x", 0)}));
    EXPECT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0).kind, NodeKind::Invalid);
    EXPECT_EQ(outcome.warnings, Texts{"node 1 \"x\": a node of type 0 (invalid) does nothing"});
}

TEST_F(ChakraReaderTest, RootedCollectivesAndBarriersAreRead)
{
    const std::string broadcast = Int64("comm_type", 5) + Int64("comm_size", 8);
    EXPECT_EQ(ReadNode(Node(1, "b", 7, broadcast)).collective, CollectiveType::Broadcast);
    EXPECT_EQ(ReadNode(Node(1, "b", 7, broadcast)).peer, 0u);
    EXPECT_EQ(ReadNode(Node(1, "b", 7, broadcast + Int64("comm_src", 2))).peer, 2u);
    EXPECT_EQ(ReadNode(Node(1, "b", 7, broadcast + Int64("comm_src", 2) + Int64("root", 3))).peer,
              3u);
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8) + Int64("comm_src", 2))).peer, 0u);
    EXPECT_EQ(ReadNode(Node(1, "b", 7, Int64("comm_type", 9))).collective, CollectiveType::Barrier);
}

TEST_F(ChakraReaderTest, RooflineNeedsOperationsAndBytes)
{
    ChakraOptions roofline;
    roofline.roofline = true;
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Number(7, 5)), roofline),
              (Texts{"node 1 \"x\": attribute num_ops is missing",
                     "node 1 \"x\": attribute tensor_size is missing"}));
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Number(7, 5))), Texts{});
    const auto host = Node(1, "x", 4, Attribute("is_cpu_op", Number(27, 1)));
    EXPECT_EQ(ReadErrors(host, roofline), Texts{});
    const auto zero = Node(1, "x", 4, Int64("num_ops", 0) + Int64("tensor_size", 0));
    EXPECT_EQ(ReadErrors(zero, roofline), Texts{});
}

TEST_F(ChakraReaderTest, ADurationBeyondTheClockIsRefused)
{
    EXPECT_EQ(ReadNode(Node(1, "x", 4, Number(7, 9223372036854))).durationPs, 9223372036854000000);
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Number(7, 9223372036855))),
              Texts{"node 1 \"x\": duration_micros is 9223372036855; at most 9223372036854 can be "
                    "simulated"});
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Number(7, ~0ULL))).size(), 1u);
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

TEST_F(ChakraReaderTest, FramingFaultsNameTheByte)
{
    const std::string start = Record(Text(1, "0.0.4")); // 8 bytes
    const auto error = [&](const std::string& rest) { return Read(start + rest).errors; };
    EXPECT_EQ(error("\x09"
                    "abc"),
              Texts{"byte 8: the record is cut off: 9 bytes are announced and 3 are left"});
    EXPECT_EQ(error("\x80"), Texts{"byte 8: a field is cut off"});
    EXPECT_EQ(error("\x80\x80\x80\x80\x80\x01"),
              Texts{"byte 8: the length of a record takes at most 5 bytes"});
    EXPECT_EQ(error(std::string(11, '\xff')), Texts{"byte 8: a number is longer than 10 bytes"});
    EXPECT_EQ(error(Record("") + Record(Node(1, "x", 4))),
              Texts{"byte 8: the record is empty, though others follow"});
    EXPECT_EQ(error(Record(Node(1, "x", 4)) + Record("")), Texts{});
}

TEST_F(ChakraReaderTest, FaultsInARecordNameItsByteAndTheNextIsRead)
{
    const auto error = [&](const std::string& node) {
        auto errors = Read(File({node, Node(2, "y", 9)})).errors;
        EXPECT_EQ(errors.size(), 2u);
        return errors[0];
    };
    EXPECT_EQ(error(Text(1, "a")), "byte 8: field 1 has wire type 2 instead of 0");
    EXPECT_EQ(error(Number(1, 1) + Number(2, 1)), "byte 8: field 2 has wire type 0 instead of 2");
    EXPECT_EQ(error(Number(1, 1) + Tag(5, 5) + Fixed(1, 4)),
              "byte 8: field 5 has wire type 5 instead of 0");
    EXPECT_EQ(error(Number(1, 1) + Tag(9, 3)), "byte 8: a field has an unknown wire type");
    EXPECT_EQ(error(Number(1, 1) + Tag(9, 7)), "byte 8: a field has an unknown wire type");
    EXPECT_EQ(error(Number(1, 1) + Tag(0, 0)), "byte 8: malformed protobuf: invalid tag exception");
    EXPECT_EQ(error(Number(1, 1) + Tag(2, 2) +
                    "\x05"
                    "ab"),
              "byte 8: a field is cut off");
    EXPECT_EQ(error(Number(1, 1) + Text(10, Text(1, "comm_size") + Text(9, "x"))),
              "byte 8: field 9 has wire type 2 instead of 0");
    EXPECT_EQ(error(Number(1, 1) + Text(10, Number(1, 5))),
              "byte 8: field 1 has wire type 0 instead of 2");
    EXPECT_EQ(error(Number(1, 1) + Text(5, "\x80")), "byte 8: a field is cut off");
}

TEST_F(ChakraReaderTest, WhatIsNoTraceIsRefused)
{
    EXPECT_EQ(Read("").errors, Texts{"byte 0: the file is empty; a Chakra trace is expected"});
    EXPECT_EQ(Read("hello world\n").errors,
              Texts{"byte 0: the record is cut off: 104 bytes are announced and 11 are left"});
    EXPECT_FALSE(Read("{\"nodes\": []}\n").errors.empty());
    Diagnostics diagnostics;
    EXPECT_EQ(ReadChakraGraph(Path("none.et"), {}, diagnostics), nullptr);
    EXPECT_EQ(diagnostics.GetErrors(),
              Texts{Path("none.et") + ": cannot be read: No such file or directory"});
    std::filesystem::create_directory(Path("folder.et"));
    Diagnostics second;
    EXPECT_EQ(ReadChakraGraph(Path("folder.et"), {}, second), nullptr);
    EXPECT_EQ(second.GetErrors(), Texts{Path("folder.et") + ": cannot be read: Is a directory"});
}

TEST_F(ChakraReaderTest, OlderSchemasAreRefusedWithTheReason)
{
    const std::string reason = "byte 0: the file has a schema of Chakra before 0.0.4, whose fields "
                               "mean other things; convert it with Chakra's tools";
    // 0.0.1: integers in fields 12 and 8; 0.0.2: an attribute in field 11, texts in 5 to 10
    EXPECT_EQ(Read(Record(Node(1, "x", 3, Number(6, 838860800) + Number(12, 10)))).errors,
              Texts{reason});
    EXPECT_EQ(Read(Record(Node(1, "x", 3, Number(8, 1)))).errors, Texts{reason});
    EXPECT_EQ(
        Read(Record(Node(1, "x", 4, Text(5, "[1]\xff") + Text(11, Text(1, "num_ops"))))).errors,
        Texts{reason});
    EXPECT_EQ(
        Read(Record(Node(1, "x", 3)), {}, "b.0.eg").errors,
        Texts{"cannot be read: files .eg have schema 0.0.1; 0.0.4 and later (.et) are supported"});
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
    EXPECT_EQ(known.graph->GetNode(1).dependencies, (std::vector<uint64_t>{1}));
    options.controlDependencies = ControlDependencies::Ignore;
    const auto ignored = Read(content, options);
    EXPECT_EQ(ignored.warnings, Texts{});
    EXPECT_TRUE(ignored.graph->GetNode(1).dependencies.empty());
    EXPECT_EQ(ignored.graph->GetNode(2).dependencies, (std::vector<uint64_t>{1}));
    options.controlDependencies = ControlDependencies::Strict;
    const auto strict = Read(content, options);
    ASSERT_EQ(strict.errors.size(), 3u);
    EXPECT_EQ(strict.errors[0], "node 2 \"b\": depends on node 99, which does not exist");
    EXPECT_EQ(strict.errors[1], "node 3 \"c\": depends on node 98, which does not exist");
    EXPECT_NE(strict.errors[2].find("better ignored"), std::string::npos);
}

TEST_F(ChakraReaderTest, AMissingDataDependencyIsAnErrorUnlessIgnored)
{
    // bug log 29: the node is kept
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
    EXPECT_EQ(outcome.graph->GetNode(1).dependencies, (std::vector<uint64_t>{1}));
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
    // bug log 83: each field dropped or misspelt names node and attribute, and the reader stays in
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

TEST_F(ChakraReaderTest, GzipIsUnpackedWhateverTheName)
{
    const std::string content = MakeRichFile();
    const std::string path = Path("packed.0.et");
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), content.size());
    gzclose(file);
    const std::string packed = ReadBack(path);
    ASSERT_NE(packed, content);
    EXPECT_EQ(Read(packed).errors, Texts{});
    EXPECT_EQ(Read(packed).graph->GetNNodes(), 6u);
    for (std::size_t size = 2; size < packed.size(); size += 7)
    {
        EXPECT_FALSE(Read(packed.substr(0, size)).errors.empty()) << size;
    }
    std::string damaged = packed;
    damaged[packed.size() / 2] ^= 0x10;
    EXPECT_FALSE(Read(damaged).errors.empty());
}

TEST_F(ChakraReaderTest, EveryPrefixOfAFileIsAnErrorOrHasFewerNodes)
{
    ChakraOptions options;
    options.ignoreMissingDependencies = true;
    const std::string content = MakeRichFile();
    std::vector<std::size_t> boundaries; // ends of records
    for (std::size_t i = 0; i < content.size();)
    {
        std::size_t length = 0;
        int shift = 0;
        for (; content[i] & 0x80; ++i, shift += 7)
        {
            length |= static_cast<std::size_t>(content[i] & 0x7f) << shift;
        }
        length |= static_cast<std::size_t>(content[i++]) << shift;
        i += length;
        boundaries.push_back(i);
    }
    ASSERT_EQ(boundaries.size(), 7u);
    ASSERT_EQ(boundaries.back(), content.size());
    for (std::size_t size = 0; size < content.size(); ++size)
    {
        const auto outcome = ReadContent(content.substr(0, size), options);
        const auto found = std::find(boundaries.begin(), boundaries.end(), size);
        ASSERT_EQ(outcome.errors.empty(), found != boundaries.end()) << size;
        if (outcome.errors.empty())
        {
            EXPECT_EQ(outcome.graph->GetNNodes(), found - boundaries.begin());
        }
    }
}

TEST_F(ChakraReaderTest, DamagedFilesNeverCrash)
{
    std::mt19937 random(4);
    const std::string content = MakeRichFile();
    int refused = 0;
    for (int round = 0; round < 3000; ++round)
    {
        std::string damaged = content;
        for (int flips = 1 + random() % 3; flips > 0; --flips)
        {
            damaged[random() % damaged.size()] ^= 1 << random() % 8;
        }
        const auto outcome = ReadContent(damaged);
        refused += outcome.errors.empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 1000);
    for (int round = 0; round < 1000; ++round)
    {
        std::string noise(random() % 200, '\0');
        for (auto& byte : noise)
        {
            byte = static_cast<char>(random());
        }
        const auto outcome = ReadContent(noise);
        EXPECT_TRUE(outcome.graph || !outcome.errors.empty());
    }
}
