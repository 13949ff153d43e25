/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "msccl-writer.h"
#include "temporary-folder.h"

#include "ns3/chakra-algorithm.h"
#include "ns3/chakra-writer.h"
#include "ns3/custom-collectives.h"
#include "ns3/quantity.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3::mlcluster;

namespace
{

constexpr uint64_t TAG = 40; ///< of the messages in the files

/// @param kind send or receive @param id of the node @param peer position @param bytes of the
/// message @param dependencies of the node @return the node
ExecutionNode
Message(NodeKind kind,
        uint64_t id,
        uint32_t peer,
        uint64_t bytes,
        std::vector<uint64_t> dependencies = {})
{
    ExecutionNode node;
    node.id = id;
    node.name = "message";
    node.kind = kind;
    node.peer = peer;
    node.tag = TAG;
    node.bytes = bytes;
    node.dependencies = std::move(dependencies);
    return node;
}

/// Chakra and MSCCL files of the test.
class CustomCollectivesTest : public FolderTest
{
  protected:
    /// Writes a one-way ring all-reduce as Chakra files. @param name of the prefix @param n members
    /// @param bytes of a message @return the prefix
    std::string WriteChakraRing(const std::string& name, uint32_t n, uint64_t bytes) const
    {
        for (uint32_t position = 0; position < n; ++position)
        {
            WriteMember(name, position, MakeRing(n, position, bytes));
        }
        return Path(name);
    }

    /// @param n members @param position of one @param bytes of a message @return its nodes
    static std::vector<ExecutionNode> MakeRing(uint32_t n, uint32_t position, uint64_t bytes)
    {
        std::vector<ExecutionNode> nodes;
        std::vector<uint64_t> last;
        for (uint32_t step = 0; step < 2 * (n - 1); ++step)
        {
            const uint64_t id = 3 * step;
            nodes.push_back(Message(NodeKind::Send, id, (position + 1) % n, bytes, last));
            nodes.push_back(
                Message(NodeKind::Receive, id + 1, (position + n - 1) % n, bytes, last));
            ExecutionNode compute;
            compute.id = id + 2;
            compute.name = "add";
            compute.kind = NodeKind::Compute;
            compute.durationPs = 7'000'000;
            compute.dependencies = {id + 1};
            nodes.push_back(compute);
            last = {id + 2};
        }
        return nodes;
    }

    /// @param name of the prefix @param position of a member @param nodes of its file
    void WriteMember(const std::string& name,
                     uint32_t position,
                     const std::vector<ExecutionNode>& nodes) const
    {
        WriteChakraGraph(nodes, Path(name + "." + std::to_string(position) + ".et"));
    }

    /// @param type operation @param n members @param bytes of the buffer @return the request
    static CollectiveRequest Request(CollectiveType type, uint32_t n, uint64_t bytes)
    {
        return {type, n, SplitEvenly(bytes, n)};
    }
};

} // namespace

TEST_F(CustomCollectivesTest, ChakraFilesBecomeSchedules)
{
    const std::string prefix = WriteChakraRing("ring", 4, 250);
    const ChakraAlgorithm algorithm(prefix);
    EXPECT_EQ(algorithm.GetName(), prefix);
    const auto schedule = algorithm.Build(Request(AR, 4, 1000), 1);
    ASSERT_EQ(schedule.GetSteps().size(), 18U);
    EXPECT_EQ(schedule.GetSteps()[2].workPs, 7'000'000);
    EXPECT_EQ(schedule.GetSends()[3].tag, 3U);
    EXPECT_EQ(schedule.GetSends()[3].peer, 2U);
    EXPECT_EQ(schedule.GetReceives()[0].bytes, 250U);
    const auto proof = RequireProof(algorithm, Request(AR, 4, 1000));
    EXPECT_FALSE(proof.isOwnershipProven);
    EXPECT_EQ(proof.depth, 6U);
    EXPECT_EQ(proof.GetBytesSent(2), 1500U);
    const auto tooLarge = ErrorOf([&] { RequireProof(algorithm, Request(AR, 4, 1501)); });
    EXPECT_NE(tooLarge.find("member 0 receives 1500 bytes and needs at least 1501"),
              std::string::npos)
        << tooLarge;
    EXPECT_EQ(algorithm.WhyNot(AG, 4), "");
    EXPECT_EQ(ChakraAlgorithm(prefix, AR).WhyNot(AG, 4), prefix + " is for all-reduce");
    EXPECT_EQ(algorithm.WhyNot(AR, 8),
              "there are files " + prefix + ".POSITION.et for a group of 4 members, not of 8");
}

TEST_F(CustomCollectivesTest, ChakraMessagesPairInOrder)
{
    WriteMember("pair",
                0,
                {Message(NodeKind::Send, 1, 1, 10), Message(NodeKind::Send, 2, 1, 20, {1})});
    WriteMember("pair",
                1,
                {Message(NodeKind::Receive, 9, 0, 10), Message(NodeKind::Receive, 7, 0, 20, {9})});
    EXPECT_EQ(
        RequireProof(ChakraAlgorithm(Path("pair")), {CollectiveType::Broadcast, 2, {15, 15}, 0})
            .pairBytes[1],
        30U);
    WriteMember("pair",
                1,
                {Message(NodeKind::Receive, 9, 0, 10, {7}), Message(NodeKind::Receive, 7, 0, 20)});
    const auto text = ErrorOf([&] {
        RequireProof(ChakraAlgorithm(Path("pair")), {CollectiveType::Broadcast, 2, {15, 15}, 0});
    });
    EXPECT_NE(text.find("member 0, step 0: the message with tag 0 to member 1 has 10 bytes, its "
                        "receive in step 0 expects 20"),
              std::string::npos)
        << text;
}

TEST_F(CustomCollectivesTest, ChakraFilesAreRefusedWithAllReasons)
{
    const std::string prefix = WriteChakraRing("ring", 3, 10);
    auto nodes = MakeRing(3, 1, 10);
    nodes[2].kind = NodeKind::Collective;
    nodes[5].kind = NodeKind::MemoryLoad;
    WriteMember("ring", 1, nodes);
    EXPECT_EQ(ErrorOf([&] { ChakraAlgorithm{prefix}; }),
              prefix +
                  ".1.et: node 2 \"add\": is of kind collective; a collective's schedule has send, "
                  "receive and compute nodes only\n" +
                  prefix +
                  ".1.et: node 5 \"add\": is of kind memory load; a collective's schedule has "
                  "send, receive and compute nodes only");
    nodes = MakeRing(3, 1, 10);
    nodes.pop_back();
    nodes.pop_back();
    nodes.pop_back();
    WriteMember("ring", 1, nodes);
    EXPECT_EQ(ErrorOf([&] { ChakraAlgorithm{prefix}; }),
              prefix +
                  ".0.et: has 4 sends to member 1 with tag 40, the file of that member 3 "
                  "receives of them; there are files of 3 members\n" +
                  prefix +
                  ".1.et: has 3 sends to member 2 with tag 40, the file of that member 4 "
                  "receives of them; there are files of 3 members");
    EXPECT_EQ(ErrorOf([&] { LoadSchedule(Path("none")); }),
              Path("none") +
                  ": is no schedule; allowed are an MSCCL file (.xml, .xml.gz) and the "
                  "prefix of Chakra files, but there is no " +
                  Path("none.0.et"));
}

TEST_F(CustomCollectivesTest, FirstRuleThatMatchesCounts)
{
    const std::string small = Write("small.xml", WriteRing(4, true, false));
    const std::string large = Write("large.xml", WriteRing(4, false, true));
    const std::string other = WriteChakraRing("ring", 4, 1000);
    CustomCollectives custom(CustomCollectives::Parse(small + ";max-size=1KiB;group=tp," + other +
                                                      ";node=17;collective=all-reduce," + large +
                                                      ";min-size=1025B;max-size=1MiB"));
    const auto find = [&](CollectiveType type,
                          uint64_t bytes,
                          const std::string& group,
                          std::optional<uint64_t> node) {
        const auto found = custom.Find(Request(type, 4, bytes), group, node);
        return found ? found->GetName() : "";
    };
    EXPECT_EQ(find(AR, 1024, "tp", 17), small);
    EXPECT_EQ(find(AR, 1024, "tp", 17), small);
    EXPECT_EQ(find(AR, 1025, "tp", 17), other);
    EXPECT_EQ(find(AR, 1024, "", 17), other);
    EXPECT_EQ(find(AR, 1024, "", 16), "");
    EXPECT_EQ(find(AR, 1025, "", std::nullopt), large);
    EXPECT_EQ(find(AR, 1 << 20, "tp", std::nullopt), large);
    EXPECT_EQ(find(AR, (1 << 20) + 1, "tp", std::nullopt), "");
    EXPECT_EQ(find(AG, 1024, "tp", 17), "");
    EXPECT_EQ(custom.Find(Request(AR, 1, 100), "tp", 17), nullptr);
    EXPECT_EQ(CustomCollectives().Find(Request(AR, 4, 100), "tp", 17), nullptr);
}

TEST_F(CustomCollectivesTest, SizesOfTheFileCountUnlessTheRuleSaysOtherwise)
{
    const std::string path =
        Write("range.xml",
              Replace(WriteRing(2, true, false), "coll=", "minBytes=\"10\" maxBytes=\"20\" coll="));
    const auto finds = [&](const std::string& rule, uint64_t bytes) {
        return CustomCollectives(CustomCollectives::Parse(path + rule))
                   .Find(Request(AR, 2, bytes), "", std::nullopt) != nullptr;
    };
    EXPECT_FALSE(finds("", 9));
    EXPECT_TRUE(finds("", 10));
    EXPECT_TRUE(finds("", 20));
    EXPECT_FALSE(finds("", 21));
    EXPECT_TRUE(finds(";max-size=21B", 21));
    EXPECT_FALSE(finds(";max-size=21B", 9));
    EXPECT_TRUE(finds(";min-size=0", 9));
    const std::string empty =
        Write("empty.xml",
              Replace(WriteRing(2, true, false), "coll=", "minBytes=\"20\" maxBytes=\"10\" coll="));
    EXPECT_NE(ErrorOf([&] {
                  CustomCollectives(CustomCollectives::Parse(empty));
              }).find("maxBytes is below minBytes"),
              std::string::npos);
}

TEST_F(CustomCollectivesTest, GroupsOfOtherSizesAreRefused)
{
    const std::string of4 = Write("four.xml", WriteRing(4, true, false));
    const std::string of8 = Write("eight.xml", WriteRing(8, true, false));
    CustomCollectives custom(CustomCollectives::Parse(of4 + "," + of8));
    EXPECT_EQ(custom.Find(Request(AR, 8, 64), "dp", 3)->GetName(), of8);
    EXPECT_EQ(ErrorOf([&] { custom.Find(Request(AR, 6, 64), "dp", 3); }),
              of4 + " is for a group of 4 members, not of 6\n" + of8 +
                  " is for a group of 8 members, not of 6");
    EXPECT_EQ(custom.Find(Request(AG, 6, 64), "dp", 3), nullptr);
    const CollectiveRequest unequal{A2A, 2, {}, 0, {1, 2, 3, 4}};
    EXPECT_EQ(custom.Find(unequal, "dp", 3), nullptr);
    EXPECT_EQ(ErrorOf([&] { LoadVerifiedSchedule(of4, unequal); }),
              of4 + ": a schedule cannot do an all-to-all of unequal sizes");
}

TEST_F(CustomCollectivesTest, WrongSchedulesAreRefusedWhenTheyAreToBeUsed)
{
    const std::string path =
        Write("wrong.xml", Replace(WriteRing(3, true, false), "type=\"rrc\"", "type=\"r\""));
    CustomCollectives custom(CustomCollectives::Parse(path));
    EXPECT_NE(ErrorOf([&] {
                  custom.Find(Request(AR, 3, 64), "", std::nullopt);
              }).find("wrong.xml: is no all-reduce of 64B in a group of 3:\n"),
              std::string::npos);
}

TEST_F(CustomCollectivesTest, TextIsReadAndWritten)
{
    const std::string text =
        "a.xml,b/c;collective=all-gather;min-size=1MiB;max-size=64MiB;group=tp "
        "0;node=17,d;group=";
    const auto rules = CustomCollectives::Parse(text);
    ASSERT_EQ(rules.size(), 3U);
    EXPECT_EQ(rules[1].maxSize, uint64_t{64} << 20);
    EXPECT_EQ(rules[2].group, "");
    EXPECT_EQ(CustomCollectives::Format(rules), text);
    EXPECT_TRUE(CustomCollectives::Parse("").empty());
}

TEST_F(CustomCollectivesTest, TellsAllProblemsOfTheText)
{
    EXPECT_EQ(ErrorOf([] {
                  CustomCollectives::Parse("a;colective=all-reduce,b;collective=all;node=x;group,"
                                           "c;node=1;node=2;min-size=5");
              }),
              "schedule \"a\", \"colective=all-reduce\": the key is not known, did you mean "
              "\"collective\"?; allowed are collective, min-size, max-size, group, node\n"
              "schedule \"b\", \"collective=all\": \"all\" is no collective; allowed are "
              "all-reduce, reduce, all-gather, gather, scatter, broadcast, all-to-all, "
              "reduce-scatter, reduce-scatter-block, barrier\n"
              "schedule \"b\", \"node=x\": " +
                  ErrorOf([] { ParseCount("x"); }) +
                  "\nschedule \"b\", \"group\": KEY=VALUE is expected\n"
                  "schedule \"c\", \"node=2\": it is given twice\n"
                  "schedule \"c\", \"min-size=5\": " +
                  ErrorOf([] { ParseBytes("5"); }));
}

TEST_F(CustomCollectivesTest, TellsAllProblemsOfTheFiles)
{
    const std::string ring = Write("ring.xml", WriteRing(3, true, false));
    EXPECT_EQ(ErrorOf([&] {
                  CustomCollectives(CustomCollectives::Parse("none," + ring +
                                                             ";collective=all-gather," + ring +
                                                             ";min-size=2B;max-size=1B"));
              }),
              ErrorOf([] { LoadSchedule("none"); }) + "\n" + ring +
                  ": is for all-reduce, not for all-gather\nschedule \"" + ring +
                  "\": min-size is above max-size");
}
