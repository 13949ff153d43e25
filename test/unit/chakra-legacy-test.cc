/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader-fixture.h"
#include "error-of.h"

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::bytes;

namespace
{

/// Tests of files of older schemas.
class ChakraLegacyTest : public ChakraReaderTest
{
  protected:
    /// @param schema name of a schema @param records nodes @param name file name @return what
    /// became of the file
    Outcome ReadAs(const std::string& schema,
                   const Texts& records,
                   const std::string& name = "a.0.et") const
    {
        std::string content;
        for (const auto& record : records)
        {
            content += Record(record);
        }
        ChakraOptions options;
        options.schema = ParseChakraSchema(schema);
        return Read(content, options, name);
    }
};

/// @param name name of an attribute @param type number of its type @param value field of its value
/// @return field 11 of a node
std::string
OldAttribute(const std::string& name, uint64_t type, const std::string& value)
{
    return Text(11, Text(1, name) + Number(2, type) + value);
}

} // namespace

TEST_F(ChakraLegacyTest, ReadsFieldsOf0001)
{
    const auto outcome =
        ReadAs("0.0.1",
               {Node(1, "c", 3, Number(6, 300) + Number(7, 5) + Number(12, 10)),
                Node(2, "l", 1, Number(4, 1) + Number(5, 1) + Number(6, 7) + Number(9, 1)),
                Node(3, "st", 2, Number(4, 1) + Number(4, 2) + Number(6, 8)),
                Node(4,
                     "coll",
                     6,
                     Number(13, 3) + Number(14, 1) + Number(14, 0) + Number(15, 2) +
                         Number(18, 64) + Number(20, 3)),
                Node(5, "s", 4, Number(17, 1) + Number(18, 8) + Number(19, 6)),
                Node(6, "r", 5, Number(16, 1) + Number(18, 8) + Number(19, 6))},
               "a.0.eg");
    ASSERT_EQ(outcome.errors, Texts{});
    EXPECT_EQ(outcome.warnings, Texts{});
    const auto& graph = *outcome.graph;
    EXPECT_EQ(graph.GetNode(0)->kind, NodeKind::Compute);
    EXPECT_EQ(graph.GetNode(0)->durationPs, 5000);
    EXPECT_EQ(graph.GetNode(0)->operations, 10u);
    EXPECT_EQ(graph.GetNode(0)->tensorBytes, 300u);
    EXPECT_EQ(graph.GetNode(1)->kind, NodeKind::MemoryLoad);
    EXPECT_EQ(graph.GetNode(1)->tensorBytes, 7u);
    EXPECT_EQ(graph.GetNode(1)->location, MemoryLocation::LOCAL);
    EXPECT_EQ(graph.GetNode(2)->location, MemoryLocation::DEFAULT);
    EXPECT_EQ(graph.GetNode(2)->kind, NodeKind::MemoryStore);
    EXPECT_EQ(graph.GetNode(2)->dependencies, (std::vector<uint64_t>{1, 2}));
    EXPECT_EQ(graph.GetNode(3)->collective, CollectiveType::AllGather);
    EXPECT_EQ(graph.GetNode(3)->bytes, 64u);
    EXPECT_EQ(graph.GetNode(3)->group, "2");
    EXPECT_EQ(graph.GetNode(3)->priority, 3);
    EXPECT_EQ(graph.GetNode(3)->involvedDimensions, (std::vector<bool>{true, false}));
    EXPECT_EQ(graph.GetNode(4)->kind, NodeKind::Send);
    EXPECT_EQ(graph.GetNode(4)->tag, 6u);
    EXPECT_EQ(graph.GetNode(5)->kind, NodeKind::Receive);
    EXPECT_EQ(graph.GetNode(5)->peer, 1u);
}

TEST_F(ChakraLegacyTest, ReadsAttributesOf0002And0003)
{
    // fields of the values: f 4, i 5, s 6, floats 7, ints 8, strings 9; from 0.0.3 on b 4, f 5, ...
    for (const uint32_t shift : {0, 1})
    {
        const std::string schema = shift == 0 ? "0.0.2" : "0.0.3";
        const auto integer = [&](const std::string& name, uint64_t value) {
            return OldAttribute(name, 1 + shift, Number(5 + shift, value));
        };
        const uint32_t ints = shift == 0 ? 8 : 10;
        const std::string mask = shift == 0
                                     ? OldAttribute("involved_dim", 4, Number(8, 0) + Number(8, 1))
                                     : OldAttribute("involved_dim", 4, Number(8, 0) + Number(8, 1));
        const std::string host =
            shift == 0 ? integer("is_host_op", 1) : OldAttribute("is_host_op", 0, Number(4, 1));
        const auto outcome = ReadAs(
            schema,
            {Node(1,
                  "c",
                  3 + shift,
                  Text(5, "[1]") + Text(6, "[[]]") + integer("runtime", 3) + integer("num_ops", 9) +
                      integer("tensor_size", 4) + host +
                      OldAttribute("f", 0, Tag(4 + shift, 5) + Fixed(0x3fc00000, 4)) +
                      OldAttribute("fs", 3, Tag(ints - 1, 5) + Fixed(0x3fc00000, 4))),
             Node(2,
                  "coll",
                  6 + shift,
                  Number(4, 1) + integer("comm_type", 1) + integer("comm_size", 64) + mask +
                      OldAttribute("pg_name", 2 + shift, Text(6 + shift, "tp")) +
                      OldAttribute("comm_sizes", 4, Packed(ints, {60, 4}))),
             Node(3,
                  "s",
                  4 + shift,
                  integer("comm_dst", 1) + integer("comm_size", 8) + integer("comm_tag", 6))});
        ASSERT_EQ(outcome.errors, Texts{}) << schema;
        const auto& graph = *outcome.graph;
        EXPECT_EQ(graph.GetNode(0)->kind, NodeKind::Compute);
        EXPECT_EQ(graph.GetNode(0)->durationPs, 3000000);
        EXPECT_EQ(graph.GetNode(0)->operations, 9u);
        EXPECT_TRUE(graph.GetNode(0)->onHost);
        EXPECT_EQ(graph.GetNode(1)->collective, CollectiveType::AllToAll);
        EXPECT_EQ(graph.GetNode(1)->bytes, 64u);
        EXPECT_EQ(graph.GetNode(1)->group, "tp");
        EXPECT_EQ(graph.GetNode(1)->involvedDimensions, (std::vector<bool>{false, true}));
        EXPECT_EQ(graph.GetNode(1)->peerBytes, (std::vector<uint64_t>{60, 4}));
        EXPECT_EQ(graph.GetNode(1)->dependencies, std::vector<uint64_t>{1});
        EXPECT_EQ(graph.GetNode(2)->kind, NodeKind::Send);
    }
}

TEST_F(ChakraLegacyTest, ProcessGroupsAreRead)
{
    const std::string groups = R"(['[{"pg_name": "tp", "ranks": [0]}]'])";
    Write("w.0.et", Record(Node(1, "g", 1, Text(5, groups))));
    ChakraOptions options;
    options.schema = ParseChakraSchema("0.0.3");
    Diagnostics diagnostics;
    const auto workload = ReadChakraWorkload(Path("w"), 1, {}, options, diagnostics);
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->GetGroup("tp"), std::vector<uint32_t>{0});
}

TEST_F(ChakraLegacyTest, NumbersThatASchemaDoesNotHaveAreErrors)
{
    EXPECT_EQ(ReadAs("0.0.1", {Node(1, "x", 7)}).errors,
              Texts{"byte 0: type is 7; 0 to 6 are known to schema 0.0.1"});
    EXPECT_EQ(ReadAs("0.0.2", {Node(1, "x", ~0ULL)}).errors.size(), 1u);
    EXPECT_EQ(ReadAs("0.0.3", {Node(1, "x", 8)}).errors,
              Texts{"byte 0: type is 8; 0 to 7 are known to schema 0.0.3"});
    EXPECT_EQ(ReadAs("0.0.1", {Node(1, "x", 6, Number(13, 0) + Number(18, 1))}).errors,
              Texts{"byte 0: comm_type is 0; an integer from 1 to 4 is needed"});
    EXPECT_EQ(ReadAs("0.0.1", {Node(1, "x", 6, Number(13, 5) + Number(18, 1))}).errors.size(), 1u);
    EXPECT_EQ(ReadAs("0.0.3", {Node(1, "x", 7, OldAttribute("comm_type", 2, Number(6, 5)))}).errors,
              Texts{"byte 0: comm_type is 5; an integer from 0 to 4 is needed"});
    EXPECT_EQ(ReadAs("0.0.1", {Node(1, "x", 6, Number(13, 1))}).errors,
              Texts{"node 1 \"x\": attribute comm_size is missing"});
    EXPECT_EQ(
        ReadAs("0.0.1", {Node(1, "x", 3, Number(7, 9223372036854776))}).errors,
        Texts{"node 1 \"x\": the duration is 9223372036854776 ns; at most 9223372036854775 ns "
              "can be simulated"});
    EXPECT_EQ(ReadAs("0.0.1", {Node(1, "x", 3, Text(12, "x"))}).errors,
              Texts{"byte 0: field 12 has wire type 2 instead of 0"});
    EXPECT_EQ(ReadAs("0.0.3", {Node(1, "x", 4, Text(11, Text(1, "f") + Number(5, 1)))}).errors,
              Texts{"byte 0: field 5 has wire type 0 instead of 5"});
}

TEST_F(ChakraLegacyTest, TheNewSchemaCanBeAskedFor)
{
    // such fields are unknown to 0.0.4
    EXPECT_EQ(ReadAs("0.0.4", {Node(1, "x", 4, Number(12, 10))}).errors, Texts{});
    EXPECT_EQ(ReadAs("auto", {Node(1, "x", 4, Number(12, 10))}).errors.size(), 1u);
    EXPECT_EQ(ReadAs("0.0.4", {Text(1, "0.0.4"), Node(1, "x", 4)}).graph->GetNNodes(), 1u);
    EXPECT_EQ(ErrorOf([] { ParseChakraSchema("0.0.5"); }).substr(0, 7), "\"0.0.5\"");
}
