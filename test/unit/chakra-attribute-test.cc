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

using ChakraAttributeTest = ChakraReaderTest; ///< its name in this file

} // namespace

TEST_F(ChakraAttributeTest, AnyIntegerKindServes)
{
    // 3000 in each of the twelve integer kinds, numbered as their fields
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

TEST_F(ChakraAttributeTest, ASizeIsNeverBothErrorAndNothing)
{
    // zero is legal and costs nothing, missing or unreadable sizes are errors
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

TEST_F(ChakraAttributeTest, Int32IsReadInItsOwnWidth)
{
    // a negative int32 is sign-extended to ten bytes on the wire
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8) + Attribute("comm_priority", Number(7, -7))))
                  .priority,
              -7);
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8) + Int64("comm_priority", 7))).priority, 7);
    EXPECT_EQ(ReadErrors(AllReduce(Int64("comm_size", 8) + Int64("comm_priority", 1ULL << 31))),
              Texts{"node 1 \"c\": comm_priority is 2147483648; an integer from -2147483648 to "
                    "2147483647 is needed"});
}

TEST_F(ChakraAttributeTest, TheLastMemberOfAOneofWins)
{
    const std::string value = Number(9, 1) + Text(29, "x") + Number(13, 77);
    EXPECT_EQ(ReadNode(AllReduce(Attribute("comm_size", value))).bytes, 77u);
}

TEST_F(ChakraAttributeTest, TheLastOfARepeatedAttributeWinsWithAWarning)
{
    const auto outcome = Read(File(
        {AllReduce(Int64("comm_size", 1) + Int64("comm_size", 2) + Int64("comm_size", 3)),
         Node(2, "d", 7, Int64("comm_type", 0) + Int64("comm_size", 1) + Int64("comm_size", 2))}));
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0)->bytes, 3u);
    EXPECT_EQ(outcome.warnings,
              Texts{"node 1 \"c\": comm_size: is given more than once; the last one counts (2 "
                    "cases, this is the first)"});
}

TEST_F(ChakraAttributeTest, MaskMayBeFlagsOrIntegers)
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
    // no mask means all dimensions
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8))).involvedDimensions, std::vector<bool>{});
}

TEST_F(ChakraAttributeTest, MaskOfOtherValuesIsRefused)
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

TEST_F(ChakraAttributeTest, GroupIsATextOrAnInteger)
{
    const auto group = [&](const std::string& attribute) {
        return ReadNode(AllReduce(Int64("comm_size", 8) + attribute)).group;
    };
    // any string is a name
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

TEST_F(ChakraAttributeTest, AHostFlagIsOffUnlessSet)
{
    EXPECT_FALSE(ReadNode(Node(1, "x", 4)).onHost);
    EXPECT_FALSE(ReadNode(Node(1, "x", 4, Attribute("is_cpu_op", Number(27, 0)))).onHost);
    EXPECT_TRUE(ReadNode(Node(1, "x", 4, Attribute("is_cpu_op", Number(27, 1)))).onHost);
    EXPECT_TRUE(ReadNode(Node(1, "x", 4, Attribute("is_cpu_op", Number(7, 1)))).onHost);
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, String("is_cpu_op", "true"))).size(), 1u);
}

TEST_F(ChakraAttributeTest, CommunicationAlwaysRuns)
{
    // neither a missing nor a wrong host flag takes a collective out
    const auto plain = Read(File({AllReduce(Int64("comm_size", 8))}));
    EXPECT_EQ(plain.warnings, Texts{});
    EXPECT_EQ(plain.graph->GetNode(0)->kind, NodeKind::Collective);
    const auto host =
        Read(File({AllReduce(Int64("comm_size", 8) + Attribute("is_cpu_op", Number(27, 1)))}));
    EXPECT_EQ(host.graph->GetNode(0)->kind, NodeKind::Collective);
    EXPECT_FALSE(host.graph->GetNode(0)->onHost);
    EXPECT_EQ(
        host.warnings,
        Texts{"node 1 \"c\": is_cpu_op is set on a communication node, which is run all the same"});
}

TEST_F(ChakraAttributeTest, AHostLaunchOfACollectiveTakesNoTime)
{
    const auto outcome =
        Read(File({Node(1, "c10d::allreduce_", 7, Attribute("is_cpu_op", Number(27, 1)))}));
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0)->kind, NodeKind::Metadata);
    ASSERT_EQ(outcome.warnings.size(), 1u);
    EXPECT_NE(outcome.warnings[0].find("a launch of no time"), std::string::npos);
}

TEST_F(ChakraAttributeTest, EachKindNeedsItsAttributes)
{
    EXPECT_EQ(ReadErrors(Node(1, "c", 7)),
              (Texts{"node 1 \"c\": attribute comm_type is missing",
                     "node 1 \"c\": attribute comm_size is missing"}));
    EXPECT_EQ(ReadErrors(Node(1, "c", 7, Int64("comm_type", 10) + Int64("comm_size", 1))),
              Texts{"node 1 \"c\": comm_type is 10; an integer from 0 to 9 is needed"});
    EXPECT_EQ(ReadErrors(Node(1, "s", 5)),
              (Texts{"node 1 \"s\": attribute comm_size is missing",
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

TEST_F(ChakraAttributeTest, RootedCollectivesAndBarriersAreRead)
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

TEST_F(ChakraAttributeTest, RooflineNeedsOperationsAndBytes)
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

TEST_F(ChakraAttributeTest, ADurationBeyondTheClockIsRefused)
{
    EXPECT_EQ(ReadNode(Node(1, "x", 4, Number(7, 9223372036854))).durationPs, 9223372036854000000);
    EXPECT_EQ(
        ReadErrors(Node(1, "x", 4, Number(7, 9223372036855))),
        Texts{"node 1 \"x\": the duration is 9223372036855 us; at most 9223372036854 us can be "
              "simulated"});
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Number(7, ~0ULL))).size(), 1u);
}

TEST_F(ChakraAttributeTest, ADurationInNanosecondsCountsBeforeMicroseconds)
{
    const auto node = [](const std::string& attribute) {
        return Node(1, "x", 4, Number(7, 2) + attribute);
    };
    EXPECT_EQ(ReadNode(node(Int64("duration_ns", 1501))).durationPs, 1501000);
    EXPECT_EQ(ReadNode(node(Attribute("duration_ns", Number(13, 0)))).durationPs, 0);
    EXPECT_EQ(ReadNode(node(Int64("duration_ns", 9223372036854775))).durationPs,
              9223372036854775000);
    EXPECT_EQ(ReadErrors(node(Int64("duration_ns", 9223372036854776))),
              Texts{"node 1 \"x\": duration_ns is 9223372036854776; an integer from 0 to "
                    "9223372036854775 is needed"});
    EXPECT_EQ(ReadErrors(node(Int64("duration_ns", -1))).size(), 1u);
    ChakraOptions parity;
    parity.wholeMicroseconds = true;
    EXPECT_EQ(ReadNode(node(Int64("duration_ns", 1501)), parity).durationPs, 2000000);
}

TEST_F(ChakraAttributeTest, AStreamIsThatOfNodesOffTheHost)
{
    const auto stream = [&](const std::string& attributes) {
        return ReadNode(Node(1, "x", 4, attributes)).stream;
    };
    EXPECT_EQ(stream(""), -1);
    EXPECT_EQ(stream(Int64("stream", 7)), 7);
    EXPECT_EQ(stream(Attribute("stream", Number(11, 0))), 0);
    EXPECT_EQ(stream(Int64("stream", -1)), -1);
    EXPECT_EQ(stream(Int64("stream", 7) + Attribute("is_cpu_op", Number(27, 1))), -1);
    EXPECT_EQ(ReadNode(AllReduce(Int64("comm_size", 8) + Int64("stream", 20))).stream, 20);
    ChakraOptions options;
    options.streams = false;
    EXPECT_EQ(ReadNode(Node(1, "x", 4, Int64("stream", 7)), options).stream, -1);
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Int64("stream", -2))),
              Texts{"node 1 \"x\": stream is -2; an integer from -1 to 9223372036854775807 is "
                    "needed"});
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Attribute("stream", Number(13, ~0ULL)))).size(), 1u);
}

TEST_F(ChakraAttributeTest, MessagesWithoutTagMeetInTheirOrder)
{
    const auto outcome =
        Read(File({Node(1, "s", 5, Int64("comm_size", 8) + Int64("comm_dst", 1))}));
    EXPECT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.graph->GetNode(0)->tag, 0u);
    EXPECT_EQ(
        outcome.warnings,
        Texts{"node 1 \"s\": comm_tag is missing; messages between two ranks without tags are "
              "matched in their order"});
}

TEST_F(ChakraAttributeTest, TensorsOfMemoryNodesHaveLocations)
{
    const auto access = [](int64_t location) {
        return Node(1, "m", 3, Int64("tensor_size", 5) + Int64("tensor_loc", location));
    };
    EXPECT_EQ(ReadNode(access(1)).location, MemoryLocation::LOCAL);
    EXPECT_EQ(ReadNode(access(63)).location, MemoryLocation::LAST);
    EXPECT_EQ(ReadNode(Node(1, "m", 3, Int64("tensor_size", 5))).location, MemoryLocation::DEFAULT);
    EXPECT_EQ(ReadErrors(access(64)),
              Texts{"node 1 \"m\": tensor_loc is 64; an integer from 0 to 63 is needed"});
    EXPECT_EQ(ReadErrors(access(-1)),
              Texts{"node 1 \"m\": tensor_loc is -1; an integer from 0 to 63 is needed"});
    ChakraOptions ignoring;
    ignoring.locations = false;
    EXPECT_EQ(ReadNode(access(1), ignoring).location, MemoryLocation::DEFAULT);
    EXPECT_EQ(ReadErrors(access(64), ignoring), Texts{});
    const auto compute = Node(1, "x", 4, Int64("tensor_loc", 64));
    EXPECT_EQ(ReadErrors(compute), Texts{}) << "of memory nodes alone";
}

TEST_F(ChakraAttributeTest, SizesAndOperationsAreScaled)
{
    ChakraOptions options;
    options.elementBytes = 2;
    options.flopsPerOperation = 3;
    const auto compute =
        ReadNode(Node(1, "x", 4, Int64("num_ops", 5) + Int64("tensor_size", 7)), options);
    EXPECT_EQ(compute.operations, 15u);
    EXPECT_EQ(compute.tensorBytes, 14u);
    const auto collective = ReadNode(
        AllReduce(Int64("comm_size", 8) + Attribute("comm_sizes", Text(14, Packed(1, {1, 2})))),
        options);
    EXPECT_EQ(collective.bytes, 16u);
    EXPECT_EQ(collective.peerBytes, (std::vector<uint64_t>{2, 4}));
    const auto send = Node(1, "s", 5, Int64("comm_size", 9) + Int64("comm_dst", 1));
    EXPECT_EQ(ReadNode(send, options).bytes, 18u);
    EXPECT_EQ(ReadErrors(AllReduce(Attribute("comm_size", Number(13, 1ULL << 63))), options),
              Texts{"node 1 \"c\": comm_size is 9223372036854775808 times 2, more than 2^64 - 1"});
    EXPECT_EQ(ReadErrors(Node(1, "x", 4, Attribute("num_ops", Number(13, ~0ULL))), options).size(),
              1u);
    EXPECT_EQ(ReadErrors(AllReduce(Int64("comm_size", 8) +
                                   Attribute("comm_sizes", Text(14, Packed(1, {1, INT64_MAX})))),
                         options),
              Texts{});
}
