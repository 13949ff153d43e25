/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flexflow-cases.h"

#include <gtest/gtest.h>
#include <random>

using namespace ns3::mlcluster;
using namespace ns3::mlcluster::flexflow;

namespace
{

using Texts = std::vector<std::string>; ///< messages

/// @param statements statements @return the errors they give
Texts
GetErrors(const std::string& statements)
{
    Diagnostics diagnostics;
    Read(statements, diagnostics);
    return diagnostics.GetErrors();
}

/// @param text a whole file @return the errors it gives
Texts
GetFileErrors(const std::string& text)
{
    Diagnostics diagnostics;
    std::istringstream stream(text);
    ReadFlexflowGraph(stream, "g", diagnostics);
    return diagnostics.GetErrors();
}

/// @param label text of a label @return the error of a file with only that node
std::string
GetLabelError(const std::string& label)
{
    const auto errors = GetErrors("\nnode1 [label=\"" + label + "\"];");
    return errors.empty() ? "" : errors[0];
}

} // namespace

TEST(FlexflowGraphTest, ReadsTasksAndEdges)
{
    Diagnostics diagnostics;
    const auto graph =
        Read("  " + Compute(7, 2, "Dense_100", "0.0205856") + Edge(7, 3) + Edge(7, 3) + Edge(3, 1) +
                 Transfer(3, 2, 0, 1605632) + Compute(1, 0, "Update") + Edge(7, 1),
             diagnostics);
    ASSERT_EQ(diagnostics.GetErrors(), Texts{});
    ASSERT_EQ(graph.tasks.size(), 3u);
    EXPECT_EQ(graph.CountEdges(), 3u);
    const auto& dense = graph.tasks[0];
    EXPECT_EQ(dense.id, 7u);
    EXPECT_EQ(dense.line, 1);
    EXPECT_FALSE(dense.isTransfer);
    EXPECT_EQ(dense.device, 2u);
    EXPECT_EQ(dense.name, "Dense_100");
    EXPECT_EQ(dense.phase, "Forward");
    EXPECT_EQ(dense.runTime, "0.0205856");
    const auto& transfer = graph.tasks[1];
    EXPECT_TRUE(transfer.isTransfer);
    EXPECT_EQ(transfer.name, "Comm from A to B");
    EXPECT_EQ(transfer.source, 2u);
    EXPECT_EQ(transfer.target, 0u);
    EXPECT_EQ(transfer.bytes, 1605632u);
    EXPECT_EQ(transfer.parents, std::vector<uint32_t>{0});
    EXPECT_EQ(graph.tasks[2].line, 6);
    EXPECT_EQ(graph.tasks[2].parents, (std::vector<uint32_t>{0, 1}));
}

TEST(FlexflowGraphTest, FieldsAreFoundByTheirKeysWhateverTheOrder)
{
    Diagnostics diagnostics;
    const auto graph =
        Read("node0[shape=record,\r\nlabel=\"{ simulated_run_time = 1.5e-2 | n=1 | Update | "
             "device_id=3 | COMP_NODE }\" , color = \"light \\\"blue\\\"\"]\n;node1->node0;"
             "node1 [label=\"{COMM_A|Comm|COMM_SEND_RECV_NODE|comm_size=1|dst_device_id=0|"
             "src_device_id=1}\"];",
             diagnostics);
    ASSERT_EQ(diagnostics.GetErrors(), Texts{});
    EXPECT_EQ(graph.tasks[0].name, "n=1");
    EXPECT_EQ(graph.tasks[0].phase, "Update");
    EXPECT_EQ(graph.tasks[0].device, 3u);
    EXPECT_EQ(graph.tasks[0].runTime, "1.5e-2");
    EXPECT_EQ(graph.tasks[1].bytes, 1u);
    EXPECT_EQ(graph.tasks[0].parents, std::vector<uint32_t>{1});
}

TEST(FlexflowGraphTest, FaultsNameTheLineAndTheRestIsRead)
{
    EXPECT_EQ(GetErrors("\n" + Compute(1, 0, "a") + "mode2 [label=\"x\"];\n" + Edge(1, 5) +
                        "node3;\n" + Compute(1, 0, "b") +
                        "node4 label;\nnode5 -> 6;\nnode6 -> node1\nnode7 -> node1;"),
              (Texts{"g:3: \"mode2\" is no node, such as node7",
                     "g:5: [ is missing behind a node",
                     "g:6: node1 is already defined in line 2",
                     "g:7: [ is missing behind a node",
                     "g:8: \"6\" is no node, such as node7",
                     "g:9: ; is missing behind a node or an edge",
                     "g:4: the edge from node1 to node5 names node5, which is not defined",
                     "g:9: the edge from node6 to node1 names node6, which is not defined"}));
    EXPECT_EQ(GetErrors("node1x -> node2;").size(), 1u);
    EXPECT_EQ(GetErrors("node99999999999999999999 -> node2;").size(), 1u);
    EXPECT_EQ(GetErrors("node1 [label];"), Texts{"g:1: = is missing behind an attribute's name"});
    EXPECT_EQ(GetErrors("node1 [color=red];"),
              Texts{"g:1: the label is \"\"; {device_id=0|...} is needed"});
}

TEST(FlexflowGraphTest, FaultsOfLabelsSayWhatIsNeeded)
{
    const std::string place = "g:2: ";
    EXPECT_EQ(GetLabelError("x"), place + "the label is \"x\"; {device_id=0|...} is needed");
    EXPECT_EQ(GetLabelError("{device_id=0|a|Forward|COMP_NODE}"),
              place + "simulated_run_time is missing");
    EXPECT_EQ(GetLabelError("{a|Forward|COMP_NODE|simulated_run_time=1}"),
              place + "device_id is missing");
    EXPECT_EQ(GetLabelError("{device_id=x|a|Forward|COMP_NODE|simulated_run_time=1}").substr(0, 16),
              place + "device_id: ");
    EXPECT_EQ(GetLabelError("{device_id=4294967296|a|Forward|COMP_NODE|simulated_run_time=1}")
                  .substr(0, 16),
              place + "device_id: ");
    EXPECT_EQ(GetLabelError(
                  "{device_id=0|Comm|Comm|COMM_SEND_RECV_NODE|src_device_id=0|dst_device_id=1}"),
              place + "comm_size is missing");
    EXPECT_EQ(GetLabelError(
                  "{Comm|Comm|COMM_SEND_RECV_NODE|src_device_id=0|dst_device_id=1|comm_size=-5}")
                  .substr(0, 16),
              place + "comm_size: ");
    EXPECT_NE(GetLabelError("{device_id=0|a|COMP_NODE|simulated_run_time=1}")
                  .find("needs name, phase and type, which is COMP_NODE or COMM_SEND_RECV_NODE"),
              std::string::npos);
    EXPECT_NE(GetLabelError("{device_id=0|a|Forward|OTHER|simulated_run_time=1}"), "");
}

TEST(FlexflowGraphTest, SchedulesAreRefusedOnce)
{
    const std::string node = "node1 [label=\"{ Dense | FORWARD | { 0.0 | 1.5 } }\"];\n";
    EXPECT_EQ(
        GetErrors("\n" + node + node),
        Texts{"g:2: the label has the form { name | type | { start | end } }: this is a schedule "
              "that FlexFlow simulated, which has no sizes; the task graph itself is needed, with "
              "labels {device_id=...|...}"});
}

TEST(FlexflowGraphTest, WhatIsNoTaskGraphIsRefused)
{
    const Texts header{"g:1: a task graph of FlexFlow begins with \"digraph taskgraph {\""};
    EXPECT_EQ(GetFileErrors(""), header);
    EXPECT_EQ(GetFileErrors("graph g {}"), header);
    EXPECT_EQ(GetFileErrors("\"digraph\" g {}"), header);
    EXPECT_EQ(GetFileErrors("digraph g\n"), Texts{"g:2: { is missing behind the graph's name"});
    EXPECT_EQ(GetFileErrors("digraph g {\n" + Compute(1, 0, "a")),
              Texts({"g:3: \"\" is no node, such as node7", "g:3: the closing brace is missing"}));
    EXPECT_EQ(GetFileErrors("digraph g {\n}\nx"),
              Texts{"g:3: something follows the closing brace"});
    EXPECT_EQ(GetFileErrors("digraph g {\nnode1 [label=\"{device_id"),
              Texts({"g:2: the quotes opened in line 2 do not close",
                     "g:2: the closing brace is missing"}));
    EXPECT_EQ(GetFileErrors("\""), Texts{"g:1: the quotes opened in line 1 do not close"});
    EXPECT_EQ(GetFileErrors("digraph g {}"), Texts{});
}

TEST(FlexflowGraphTest, DamagedFilesNeverCrash)
{
    const std::string text = "digraph taskgraph {" + Compute(1, 0, "a") + Transfer(2, 0, 1) +
                             Edge(1, 2) + Compute(3, 1, "b") + Edge(2, 3) + "}\n";
    std::mt19937 random(3);
    const std::string signs = "{}[];=,->|\"\\ \nx0";
    int refused = 0;
    for (int round = 0; round < 3000; ++round)
    {
        std::string damaged = text.substr(0, text.size() - random() % 2);
        for (int changes = 1 + random() % 3; changes > 0; --changes)
        {
            const std::size_t at = random() % damaged.size();
            damaged[at] = signs[random() % signs.size()];
        }
        refused += GetFileErrors(damaged).empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 1000);
}
