/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "temporary-folder.h"

#include "ns3/aicb-log.h"
#include "ns3/csv-rows.h"

using namespace ns3::mlcluster;

namespace
{

using Errors = std::vector<std::string>; ///< expected texts
using Ranks = std::vector<uint32_t>;     ///< expected ranks
using Cells = std::vector<std::string>;  ///< expected cells

/// First lines of a log of 8 ranks.
const std::string HEAD = "[rank0 ~ rank7]\r\n"
                         "comm_type,comm_group,comm_group_size,msg_size,stage,dst,src,additional,"
                         "_elapsed_time,algbw,busbw,count\r\n";

/// @param type of an operation @param group its group and size @param bytes its size @param stage
/// its stage @param source its root @return its row
std::string
Row(const std::string& type,
    const std::string& group,
    const std::string& bytes,
    const std::string& stage = "forward",
    const std::string& source = "None")
{
    return "CommType." + type + ",CommGroup." + group + "," + bytes + "," + stage + ",None," +
           source + ",,None,None,None,1\n";
}

/// Reads logs.
class AicbLogTest : public FolderTest
{
  protected:
    /// @param text a log @param withInitialisation whether to keep that @return its workload
    std::shared_ptr<const ClusterWorkload> Read(const std::string& text,
                                                bool withInitialisation = true)
    {
        m_diagnostics = {};
        const auto workload = ReadAicbLog(Write("l.csv", text), withInitialisation, m_diagnostics);
        if (workload)
        {
            workload->Check(m_diagnostics);
        }
        EXPECT_EQ(!workload, m_diagnostics.HasErrors());
        return workload;
    }

    /// @param text a log @return its errors, without the path
    Errors GetErrors(const std::string& text)
    {
        Read(text);
        Errors errors;
        for (const std::string& error : m_diagnostics.GetErrors())
        {
            errors.push_back(Replace(error, Path(""), ""));
        }
        return errors;
    }

    Diagnostics m_diagnostics; ///< of the log read last
};

} // namespace

TEST_F(AicbLogTest, OperationsFollowEachOther)
{
    const auto workload = Read(
        HEAD + Row("all_gather", "tp_group,2", "9") + Row("reduce_scatter", "dp_group,4", "64") +
        Row("epoch_end", "None,None", "0") + Row("all_reduce", "ep_group,2", "16", "backward") +
        Row("all_to_all", "ep_dp_group,2", "32") + Row("barrier", "all,8", "0") +
        "CommType.computation,None,None,\"((1, 2), (2, 4))\",forward.mlp,None,None,,1.5,None,"
        "None,1\n");
    ASSERT_NE(workload, nullptr);
    const ExecutionGraph& graph = workload->GetGraph(0);
    ASSERT_EQ(graph.GetNNodes(), 6u);
    for (uint32_t i = 1; i < graph.GetNNodes(); ++i)
    {
        EXPECT_EQ(graph.GetNode(i)->dependencies, (std::vector<uint64_t>{i - 1}));
    }
    EXPECT_EQ(&workload->GetGraph(7), &graph);
    EXPECT_EQ(graph.GetNode(0)->name, "forward all_gather");
    EXPECT_EQ(graph.GetNode(0)->bytes, 5u);
    EXPECT_EQ(graph.GetNode(1)->bytes, 64u);
    EXPECT_EQ(graph.GetNode(2)->collective, CollectiveType::AllReduce);
    EXPECT_EQ(graph.GetNode(4)->collective, CollectiveType::Barrier);
    EXPECT_EQ(graph.GetNode(4)->group, "");
    EXPECT_EQ(graph.GetNode(5)->durationPs, 1500000000);
    const auto members = [&](const std::string& family) {
        return workload->GetGroup(workload->ResolveGroup(5, family));
    };
    EXPECT_EQ(members("tensor"), (Ranks{4, 5}));
    EXPECT_EQ(members("data"), (Ranks{1, 3, 5, 7}));
    EXPECT_EQ(members("expert"), (Ranks{5, 7}));
    EXPECT_EQ(members("expert-data"), (Ranks{1, 5}));
}

TEST_F(AicbLogTest, RootsArePositionsInTheGroup)
{
    const auto workload = Read(HEAD + Row("broadcast", "tp_group,2", "8", "init", "1") +
                               Row("reduce", "dp_group,4", "8", "step"));
    ASSERT_NE(workload, nullptr);
    EXPECT_EQ(workload->GetGraph(4).GetNode(0)->peer, 5u);
    EXPECT_EQ(workload->GetGraph(4).GetNode(1)->peer, 0u);
    EXPECT_EQ(workload->GetGraph(7).GetNode(0)->peer, 7u);
    EXPECT_EQ(workload->GetGraph(7).GetNode(1)->peer, 1u);
    const auto step = Read(HEAD + Row("broadcast", "all,8", "8", "init", "1") +
                               Row("reduce", "all,8", "8", "step"),
                           false);
    EXPECT_EQ(step->GetGraph(0).GetNNodes(), 1u);
    EXPECT_EQ(&step->GetGraph(0), &step->GetGraph(7));
}

TEST_F(AicbLogTest, WhatIsNoLogIsRefused)
{
    EXPECT_EQ(
        GetErrors("train_iter:10\n"),
        (Errors{"l.csv: log: is no log of AICB: needed are a line such as [rank0 ~ rank127] and "
                "a heading"}));
    EXPECT_EQ(GetErrors("[rank8 ~ rank15]\na,b\n"),
              (Errors{"l.csv: log: line 1 does not state all ranks from 0, such as [rank0 ~ "
                      "rank127]"}));
    EXPECT_EQ(GetErrors("[rank0 ~ rank7]\ncomm_type,comm_group\n"),
              (Errors{"l.csv: log: the heading in line 2 lacks the column comm_group_size"}));
    EXPECT_EQ(GetErrors("[rank0 ~ rank99999999]\na,b\n").size(), 1u);
    EXPECT_FALSE(Read("[rank0 ~ rank7]\n"));
}

TEST_F(AicbLogTest, WrongRowsAreToldWithLineAndColumn)
{
    const std::string good = Row("all_reduce", "tp_group,2", "8");
    const std::string types = "allowed are all_gather, all_reduce, all_to_all, barrier, broadcast, "
                              "reduce, reduce_scatter, computation, epoch_end, isend, irecv";
    EXPECT_EQ(
        GetErrors(HEAD + Row("all_redduce", "tp_group,2", "8") + Row("isend", "pp_group,2", "8") +
                  Row("all_reduce", "pp_group,2", "8") + Row("all_reduce", "tp_group,9", "8") +
                  good + Row("all_reduce", "tp_group,4", "8") +
                  Row("all_reduce", "tp_group,2", "x") +
                  Row("broadcast", "tp_group,2", "8", "step", "2") +
                  Row("computation", "None,None", "0") + "CommType.all_reduce\n" +
                  Replace(good, ",1\n", ",2\n")),
        (Errors{
            "l.csv:3: comm_type: \"all_redduce\" is no comm_type, did you mean all_reduce?; " +
                types,
            "l.csv:4: comm_type: isend belongs to a pipeline, of which one log for all ranks does "
            "not say who sends to whom; allowed are collectives and computations",
            "l.csv:5: comm_group: \"pp_group\" is no comm_group, did you mean dp_group?; allowed "
            "are all, dp_group, ep_dp_group, ep_group, tp_group",
            "l.csv:6: comm_group_size: '9' is too large; the most is 8",
            "l.csv:8: comm_group_size: 4 ranks are in the tp_group; allowed are from 1, always as "
            "many, before 2",
            "l.csv:9: msg_size: 'x' is no whole number; allowed are digits without sign, leading "
            "zero or unit, for example 4",
            "l.csv:10: src: '2' is too large; the most is 1",
            "l.csv:11: _elapsed_time: a computation has no time; needed are measured ones, in ms",
            "l.csv:12: stage: is missing",
            "l.csv:13: count: 2 is given; allowed is 1, one operation a row"}));
    EXPECT_EQ(GetErrors(HEAD + "CommType.computation,None,None,0,f,None,None,,-1,None,None,1\n"),
              (Errors{"l.csv:3: _elapsed_time: '-1' is no time; allowed are ms from 0 to 9e9"}));
    EXPECT_EQ(GetErrors(HEAD + Row("all_reduce", "tp_group,3", "8")),
              (Errors{"l.csv: log: groups of 3 ranks, 1 apart, do not divide 8 ranks evenly"}));
    EXPECT_EQ(GetErrors(HEAD + Row("barrier", "all,4", "0")),
              (Errors{"l.csv: log: the group all has 4 ranks, but there are 8"}));
}

TEST(CsvRowsTest, CutsRows)
{
    const auto rows = CutCsvRows("a, b ,,c\r\n\n\"x, \"\"y\"\"\",z\n\"open, b\n,");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_EQ(rows[0].line, 1);
    EXPECT_EQ(rows[0].cells, (Cells{"a", "b", "", "c"}));
    EXPECT_EQ(rows[1].line, 3);
    EXPECT_EQ(rows[1].cells, (Cells{"x,\"y\"", "z"}));
    EXPECT_EQ(rows[2].cells, (Cells{"\"open,b"}));
    EXPECT_EQ(rows[3].cells, (Cells{"", ""}));
}
