/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-bytes.h"
#include "temporary-folder.h"

#include "ns3/chakra-reader.h"
#include "ns3/chakra-writer.h"

#include <gtest/gtest.h>

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::bytes;

namespace
{

using Texts = std::vector<std::string>; ///< messages

/// Tests of the files of several ranks.
class ChakraWorkloadTest : public FolderTest
{
  protected:
    /// @param contents bytes of the files of rank 0, 1, ...
    void WriteRanks(const Texts& contents) const
    {
        for (std::size_t rank = 0; rank < contents.size(); ++rank)
        {
            Write("w." + std::to_string(rank) + ".et", contents[rank]);
        }
    }

    /// @param nRanks ranks expected @param groups groups of the group file @return the workload
    std::shared_ptr<const ClusterWorkload> Read(uint32_t nRanks,
                                                const CommunicatorGroups& groups = {})
    {
        Diagnostics diagnostics;
        const auto workload = ReadChakraWorkload(Path("w"), nRanks, groups, {}, diagnostics);
        EXPECT_EQ(diagnostics.HasErrors(), workload == nullptr);
        m_errors = Shorten(diagnostics.GetErrors());
        m_warnings = Shorten(diagnostics.GetWarnings());
        return workload;
    }

    Texts m_errors;   ///< of the last reading, without the folder
    Texts m_warnings; ///< likewise

  private:
    /// @param texts messages @return them without the folder
    Texts Shorten(Texts texts) const
    {
        const std::string folder = Path("");
        for (auto& text : texts)
        {
            for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
            {
                text.erase(at, folder.size());
            }
        }
        return texts;
    }
};

/// @param id id @param rest further fields @return a file with one all-reduce
std::string
AllReduceFile(uint64_t id, const std::string& rest = "")
{
    return File({Node(id, "ar", 7, Int64("comm_type", 0) + Int64("comm_size", 8) + rest)});
}

/// @param groups JSON text @return a METADATA node that defines groups
std::string
MetadataNode(const std::string& groups)
{
    return Node(100, "process_group:init", 1, Text(8, Text(1, "['" + groups + "']")));
}

} // namespace

TEST_F(ChakraWorkloadTest, EqualFilesShareOneGraph)
{
    WriteRanks({AllReduceFile(1), AllReduceFile(2), AllReduceFile(1)});
    const auto workload = Read(3);
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->GetNRanks(), 3u);
    EXPECT_EQ(&workload->GetGraph(0), &workload->GetGraph(2));
    EXPECT_NE(&workload->GetGraph(0), &workload->GetGraph(1));
    EXPECT_EQ(workload->GetGraph(1).GetFile(), Path("w.1.et"));
    Diagnostics diagnostics;
    workload->Check(diagnostics);
    EXPECT_FALSE(diagnostics.HasErrors());
}

TEST_F(ChakraWorkloadTest, PackedAndPlainFilesOfEqualContentShareOneGraph)
{
    ExecutionNode node;
    node.kind = NodeKind::Compute;
    ChakraEncoding gzip;
    gzip.gzip = true;
    WriteChakraGraph({node}, Path("w.0.et"));
    WriteChakraGraph({node}, Path("w.1.et"), gzip);
    const auto workload = Read(2);
    ASSERT_TRUE(workload);
    EXPECT_EQ(&workload->GetGraph(0), &workload->GetGraph(1));
}

TEST_F(ChakraWorkloadTest, CountsTheRanksOfAPrefix)
{
    EXPECT_EQ(CountChakraRanks(Path("w")), 0u);
    WriteRanks({"", "", ""});
    Write("w.4.et", "");
    EXPECT_EQ(CountChakraRanks(Path("w")), 3u);
}

TEST_F(ChakraWorkloadTest, AllMissingRanksAreNamedInOneLine)
{
    for (const int rank : {0, 2, 3, 8})
    {
        Write("w." + std::to_string(rank) + ".et", AllReduceFile(1));
    }
    Read(9);
    EXPECT_EQ(m_errors,
              Texts{"w.<rank>.et: there is no file for rank 1, 4-7, neither .et nor .json; files "
                    "of 9 ranks are expected"});
}

TEST_F(ChakraWorkloadTest, AMissingFolderAndOldFilesAreTold)
{
    Diagnostics diagnostics;
    EXPECT_EQ(ReadChakraWorkload(Path("none/w"), 2, {}, {}, diagnostics), nullptr);
    ASSERT_EQ(diagnostics.GetErrors().size(), 1u);
    EXPECT_NE(
        diagnostics.GetErrors()[0].find(
            "no file for rank 0-1, neither .et nor .json; files of 2 ranks are expected; folder " +
            Path("none") + " does not exist"),
        std::string::npos);
    Write("w.0.eg", "");
    Read(1);
    ASSERT_EQ(m_errors.size(), 1u);
    EXPECT_NE(m_errors[0].find("the .eg files have schema 0.0.1"), std::string::npos);
}

TEST_F(ChakraWorkloadTest, MoreFilesThanRanksAreAnError)
{
    WriteRanks({AllReduceFile(1), AllReduceFile(1), AllReduceFile(1)});
    Read(2);
    EXPECT_EQ(m_errors, Texts{"w.<rank>.et: there are files of 3 ranks, but 2 ranks are expected"});
}

TEST_F(ChakraWorkloadTest, FaultsOfAllFilesAreToldUpToALimit)
{
    WriteRanks({AllReduceFile(1), "", AllReduceFile(1).substr(0, 20)});
    std::filesystem::create_directory(Path("w.3.et"));
    Read(4);
    EXPECT_EQ(
        m_errors,
        (Texts{"w.1.et: the file is empty; a Chakra trace is expected",
               "w.2.et: byte 8: the record is cut off: 38 bytes are announced and 11 are left",
               "w.3.et: cannot be read: Is a directory"}));
    std::filesystem::remove(Path("w.3.et"));
    Texts files;
    for (int rank = 0; rank < 100; ++rank)
    {
        files.push_back("text " + std::to_string(rank));
    }
    WriteRanks(files);
    Read(100);
    ASSERT_EQ(m_errors.size(), 21u);
    EXPECT_EQ(m_errors[20], "the files of further ranks were not read");
}

TEST_F(ChakraWorkloadTest, ARankWithoutNodesIdlesButNotAll)
{
    const std::string nothing = File({});
    WriteRanks({nothing, AllReduceFile(1, String("pg_name", "one"))});
    const auto workload = Read(2, {{"one", {1}}});
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->GetGraph(0).GetNNodes(), 0u);
    Diagnostics diagnostics;
    workload->Check(diagnostics);
    EXPECT_FALSE(diagnostics.HasErrors());
    WriteRanks({nothing, nothing});
    Read(2);
    EXPECT_EQ(m_errors, Texts{"w.<rank>.et: no rank has any node"});
}

TEST_F(ChakraWorkloadTest, AStatedRankIsCheckedForEachRankOfASharedFile)
{
    const std::string send = File({Node(1,
                                        "s",
                                        5,
                                        Int64("comm_size", 8) + Int64("comm_tag", 0) +
                                            Int64("comm_dst", 2) + Int64("comm_src", 0))});
    WriteRanks({send, send, File({})});
    Read(3);
    EXPECT_EQ(
        m_errors,
        Texts{"w.1.et: node 1 \"s\": states rank 0 as its own (comm_src of a send, comm_dst of a "
              "receive), but the file is that of rank 1"});
}

TEST_F(ChakraWorkloadTest, MetadataNodesDefineGroups)
{
    const std::string meta = MetadataNode(
        "[{\"pg_name\": \"0\", \"ranks\": []}, {\"pg_name\": \"tp\", \"ranks\": [1, 0]}]");
    const std::string file =
        File({meta,
              Node(1,
                   "ar",
                   7,
                   Int64("comm_type", 0) + Int64("comm_size", 8) + String("pg_name", "tp"))});
    WriteRanks({file, file, File({MetadataNode("[{\"pg_name\": \"last\", \"ranks\": [2]}]")})});
    const auto workload = Read(3);
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->GetGroups(),
              (CommunicatorGroups{{"0", {0, 1, 2}}, {"tp", {1, 0}}, {"last", {2}}}));
    Diagnostics diagnostics;
    workload->Check(diagnostics);
    EXPECT_FALSE(diagnostics.HasErrors());
}

TEST_F(ChakraWorkloadTest, TheGroupFileWinsOverMetadataNodes)
{
    const std::string file = File({MetadataNode("[{\"pg_name\": \"tp\", \"ranks\": [1, 0]}]")});
    WriteRanks({file, file});
    const auto workload = Read(2, {{"tp", {0, 1}}});
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->GetGroup("tp"), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(
        m_warnings,
        Texts{"w.0.et: group \"tp\": the group file gives the group other ranks, which count"});
}

TEST_F(ChakraWorkloadTest, MetadataNodesMustAgree)
{
    WriteRanks({File({MetadataNode("[{\"pg_name\": \"tp\", \"ranks\": [0]}]")}),
                File({MetadataNode("[{\"pg_name\": \"tp\", \"ranks\": [1]}]")})});
    Read(2);
    EXPECT_EQ(m_errors, Texts{"w.1.et: group \"tp\": has other ranks than in w.0.et"});
    const std::string twice =
        "[{\"pg_name\": \"tp\", \"ranks\": [0]}, {\"pg_name\": \"tp\", \"ranks\": [1]}]";
    WriteRanks({File({MetadataNode(twice)}), File({MetadataNode("[{\"pg_name\"]")})});
    Read(2);
    ASSERT_EQ(m_errors.size(), 2u);
    EXPECT_NE(m_errors[0].find("group \"tp\" is defined twice, with other ranks"),
              std::string::npos);
    EXPECT_NE(m_errors[1].find(
                  "node 100 \"process_group:init\": the process groups cannot be understood"),
              std::string::npos);
}

TEST_F(ChakraWorkloadTest, MetadataNodesOfOneFileMustAgree)
{
    WriteRanks({File(
        {MetadataNode("[{\"pg_name\": \"tp\", \"ranks\": [0]}]"),
         Node(7, "again", 1, Text(8, Text(1, "['[{\"pg_name\": \"tp\", \"ranks\": []}]']")))})});
    Read(1);
    EXPECT_EQ(m_errors,
              Texts{"w.0.et: node 7 \"again\": defines group \"tp\" anew with other ranks"});
}

TEST_F(ChakraWorkloadTest, WarningsAreSummedUpOverFiles)
{
    Texts files;
    for (uint64_t rank = 0; rank < 50; ++rank)
    {
        files.push_back(
            AllReduceFile(rank, Attribute("is_cpu_op", Number(27, 1)) + Packed(4, {999})));
    }
    WriteRanks(files);
    ASSERT_TRUE(Read(50));
    EXPECT_EQ(
        m_warnings,
        (Texts{
            "w.0.et: node 0 \"ar\": is_cpu_op is set on a communication node, which is run all the "
            "same (50 cases, this is the first)",
            "w.0.et: node 0 \"ar\" -> node 999: control dependency on a missing node is dropped "
            "(50 "
            "cases, this is the first)"}));
}

TEST_F(ChakraWorkloadTest, ThousandsOfRanksAreReadWithoutKeepingFilesOpen)
{
    const uint32_t nRanks = 4096;
    Write("w.0.et", AllReduceFile(1));
    for (uint32_t rank = 1; rank < nRanks; ++rank)
    {
        std::filesystem::create_hard_link(Path("w.0.et"),
                                          Path("w." + std::to_string(rank) + ".et"));
    }
    const auto workload = Read(nRanks);
    ASSERT_TRUE(workload);
    EXPECT_EQ(&workload->GetGraph(0), &workload->GetGraph(nRanks - 1));
}

TEST_F(ChakraWorkloadTest, FilesMayBeJsonButOneARank)
{
    Write("w.0.et", AllReduceFile(1));
    Write("w.1.json",
          R"([{"id": 1, "type": 7, "attr": [{"name": "comm_type", "int64Val": 0},
             {"name": "comm_size", "int64Val": 8}]}])");
    const auto workload = Read(2);
    ASSERT_TRUE(workload);
    EXPECT_EQ(workload->GetGraph(1).GetFile(), Path("w.1.json"));
    EXPECT_EQ(CountChakraRanks(Path("w")), 2u);
    EXPECT_EQ(FindChakraFile(Path("w"), 0), Path("w.0.et"));
    EXPECT_EQ(FindChakraFile(Path("w"), 2), "");
    Write("w.1.et", AllReduceFile(1));
    Read(2);
    EXPECT_EQ(m_errors, Texts{"rank 1 has two files, w.1.et and w.1.json; keep one"});
    EXPECT_THROW(CountChakraRanks(Path("w")), InputError);
}

TEST_F(ChakraWorkloadTest, FilesOfTheFirstSchemaHaveAnotherEnding)
{
    Write("w.0.eg", Record(Node(1, "x", 3)));
    ChakraOptions options;
    options.schema = ChakraSchema::V0001;
    Diagnostics diagnostics;
    EXPECT_TRUE(ReadChakraWorkload(Path("w"), 1, {}, options, diagnostics));
    EXPECT_EQ(CountChakraRanks(Path("w"), ChakraSchema::V0001), 1u);
    EXPECT_EQ(CountChakraRanks(Path("w")), 0u);
}
