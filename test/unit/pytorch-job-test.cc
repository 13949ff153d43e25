/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "temporary-folder.h"
#include "trace-texts.h"

#include "ns3/chakra-reader.h"
#include "ns3/pytorch-job.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

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

/// A rank of a job: an all-to-all of unequal parts, and a message to or from the other rank.
struct Rank
{
    std::string in{"[1, 2]"};                           ///< split sizes sent
    std::string out{"[1, 3]"};                          ///< split sizes received
    uint64_t elements{3};                               ///< of the tensor sent
    std::string operation{"send"};                      ///< of the message
    uint64_t messageElements{10};                       ///< of its tensor
    int64_t peer{1};                                    ///< its other end
    std::string groupRanks{"0, 1"};                     ///< members of group 0
    std::string info{"\"rank\": 0, \"world_size\": 2"}; ///< distributedInfo

    /// @return the execution trace
    std::string ExecutionTrace() const
    {
        const auto tensor = [](uint64_t n) {
            return "[[1, 2, 0, " + std::to_string(n) + R"(, 4, "cuda:0"], 5, ["0", "w"], )";
        };
        return traces::ExecutionTrace(
            {{1, PROCESS, 1, 0},
             {2, THREAD, 1},
             {3,
              "## process_group:init ##",
              2,
              1,
              1,
              R"(["[{\"pg_name\": \"0\", \"ranks\": [)" + groupRanks + R"(]}]"])"},
             {4,
              "record_param_comms",
              2,
              1,
              2,
              tensor(elements) + "0, \"all_to_allv\", " + in + ", " + out + "]"},
             {5,
              "record_param_comms",
              2,
              1,
              3,
              tensor(messageElements) + std::to_string(peer) + ", \"" + operation + "\"]"}});
    }

    /// @return the Kineto trace
    std::string Kineto() const
    {
        return traces::Kineto({Operator("## process_group:init ##", 100, 500, 10, 1),
                               Operator("record_param_comms", 100, 1000, 100, 2),
                               Operator("record_param_comms", 100, 2000, 100, 3),
                               Call("cudaLaunchKernel", 100, 1010, 5, 71),
                               Kernel("ncclDevKernel_SendRecv", 20, 1060, 5, 71),
                               Call("cudaLaunchKernel", 100, 2010, 5, 72),
                               Kernel("ncclDevKernel_SendRecv", 20, 2060, 5, 72)},
                              info);
    }
};

/// @return two ranks that fit together
std::vector<Rank>
TwoRanks()
{
    Rank first;
    Rank second;
    second.in = "[3, 4]";
    second.out = "[2, 4]";
    second.elements = 7;
    second.operation = "recv";
    second.peer = 0;
    second.info = "\"rank\": 1, \"world_size\": 2";
    return {first, second};
}

/// Converts jobs.
class PytorchJobTest : public FolderTest
{
  protected:
    /// @param ranks the job @param options how to convert @return the job, run; m_errors and
    /// m_warnings receive problems
    PytorchJob Run(const std::vector<Rank>& ranks, const PytorchJobOptions& options = {})
    {
        std::vector<PytorchJob::Files> files;
        for (uint32_t i = 0; i < ranks.size(); ++i)
        {
            const std::string name = std::to_string(i) + ".json";
            files.push_back({i,
                             Write("et" + name, ranks[i].ExecutionTrace()),
                             Write("kineto" + name, ranks[i].Kineto())});
        }
        return Run(files, options);
    }

    /// @param files of ranks @param options how to convert @return the job, run
    PytorchJob Run(const std::vector<PytorchJob::Files>& files,
                   const PytorchJobOptions& options = {})
    {
        Diagnostics diagnostics;
        PytorchJob job(files, options);
        job.Run(Path("out"), diagnostics);
        m_errors = Join(diagnostics.GetErrors());
        m_warnings = Join(diagnostics.GetWarnings());
        return job;
    }

    /// @param lines texts @return them, one a line
    static std::string Join(const std::vector<std::string>& lines)
    {
        std::string text;
        for (const auto& line : lines)
        {
            text += line + "\n";
        }
        return text;
    }

    /// @return names of the files that were written
    std::vector<std::string> Written() const
    {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(Path("")))
        {
            const std::string name = entry.path().filename().string();
            if (name.rfind("out", 0) == 0)
            {
                names.push_back(name);
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    /// @param ranks a job @param message what an error of it holds
    void ExpectError(const std::vector<Rank>& ranks, const std::string& message)
    {
        Run(ranks);
        EXPECT_NE(m_errors.find(message), std::string::npos) << m_errors;
        EXPECT_TRUE(Written().empty()) << "no file is left";
    }

    std::string m_errors;   ///< of the last job
    std::string m_warnings; ///< of the last job
};

TEST_F(PytorchJobTest, FilesAreTheWorkload)
{
    for (const bool gzip : {false, true})
    {
        PytorchJobOptions options;
        options.gzip = gzip;
        const PytorchJob job = Run(TwoRanks(), options);
        EXPECT_EQ(m_errors + m_warnings, "");
        EXPECT_EQ(Written(), (std::vector<std::string>{"out.0.et", "out.1.et", "out.groups.json"}));
        Diagnostics diagnostics;
        const auto workload =
            ReadChakraWorkload(Path("out"),
                               2,
                               ReadCommunicatorGroups(Path("out.groups.json"), diagnostics),
                               {},
                               diagnostics);
        EXPECT_EQ(Join(diagnostics.GetErrors()) + Join(diagnostics.GetWarnings()), "");
        ASSERT_TRUE(workload);
        workload->Check(diagnostics);
        EXPECT_EQ(Join(diagnostics.GetErrors()), "");
        EXPECT_EQ(workload->GetGroup("0"), (std::vector<uint32_t>{0, 1}));
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            const auto& graph = workload->GetGraph(rank);
            const auto& nodes = job.GetResults()[rank].trace.nodes;
            ASSERT_EQ(graph.GetNNodes(), nodes.size());
            for (uint32_t i = 0; i < graph.GetNNodes(); ++i)
            {
                const auto& node = *graph.GetNode(i);
                EXPECT_EQ(node.name, nodes[i].name);
                EXPECT_EQ(node.kind, nodes[i].kind);
                EXPECT_EQ(node.durationPs, nodes[i].durationPs);
                EXPECT_EQ(node.stream, nodes[i].stream);
                EXPECT_EQ(node.bytes, nodes[i].bytes);
                EXPECT_EQ(node.peerBytes, nodes[i].peerBytes);
                EXPECT_EQ(node.peer, nodes[i].peer);
                EXPECT_EQ(node.tag, nodes[i].tag);
                EXPECT_EQ(node.group, node.kind == NodeKind::Collective ? "0" : "");
            }
        }
    }
}

TEST_F(PytorchJobTest, RanksMustFitTogether)
{
    auto ranks = TwoRanks();
    ranks[1].in = "[2, 5]";
    ExpectError(ranks, "receives 12 bytes from rank 1, which sends 8 (");
    ranks = TwoRanks();
    ranks[1].out = "[1, 4]";
    ExpectError(ranks, "receives 4 bytes from rank 0, which sends 8 (");
    ranks = TwoRanks();
    ranks[0].out = "[1, 3, 0]";
    ExpectError(ranks, "has 3 sizes of what it receives; one for each of the 2 members is needed");
    ranks = TwoRanks();
    ranks[1].operation = "send";
    ExpectError(ranks, "has no matching receive from rank 0");
    ranks = TwoRanks();
    ranks[1].messageElements = 11;
    ExpectError(ranks, "expects 44");
    ranks = TwoRanks();
    ranks[1].groupRanks = "1, 0";
    ExpectError(ranks, "process group 0: has ranks 1, 0, but 0, 1 on rank 0");
    ranks = TwoRanks();
    ranks[1].info = "\"rank\": 0";
    ExpectError(ranks, "distributedInfo.rank: is 0, but the file is given for rank 1");
}

TEST_F(PytorchJobTest, ErrorsOfAllRanksAreTold)
{
    auto ranks = TwoRanks();
    ranks[0].elements = 4;
    ranks[1].elements = 8;
    Run(ranks);
    EXPECT_NE(m_errors.find("add up to 3"), std::string::npos) << m_errors;
    EXPECT_NE(m_errors.find("add up to 7"), std::string::npos) << m_errors;
}

TEST_F(PytorchJobTest, PartsOfAJobAreNotCompared)
{
    const Rank second = TwoRanks()[1];
    const auto job = Run(
        {{1, Write("et.json", second.ExecutionTrace()), Write("kineto.json", second.Kineto())}});
    EXPECT_EQ(m_errors, "");
    EXPECT_NE(m_warnings.find("1 of 2 ranks are given"), std::string::npos);
    EXPECT_EQ(Written(), (std::vector<std::string>{"out.1.et", "out.groups.json"}));
    EXPECT_EQ(job.GetResults().at(0).rank, 1U);
}

TEST_F(PytorchJobTest, RanksAreThoseThatTheTracesTell)
{
    const auto ranks = TwoRanks();
    const auto files = [&](std::size_t i) {
        const std::string name = std::to_string(i) + ".json";
        return PytorchJob::Files{{},
                                 Write("et" + name, ranks[i].ExecutionTrace()),
                                 Write("kineto" + name, ranks[i].Kineto())};
    };
    const auto job = Run({files(1), files(0)});
    EXPECT_EQ(m_errors + m_warnings, "");
    EXPECT_EQ(job.GetResults().at(0).rank, 0U);
    EXPECT_EQ(job.GetResults().at(0).file, Path("et0.json"));
    Run({files(1), files(1)});
    EXPECT_NE(m_errors.find("is of rank 1, and so is " + Path("et1.json")), std::string::npos);
}

TEST_F(PytorchJobTest, AnExecutionTraceAloneTellsTooLittle)
{
    Run({{0, Write("et.json", Rank().ExecutionTrace()), ""}});
    EXPECT_NE(m_errors.find("has neither times nor operations of the device"), std::string::npos);
    Run({{0, Path("none.json"), Path("none.json")}});
    EXPECT_NE(m_errors.find("No such file"), std::string::npos);
}

TEST_F(PytorchJobTest, ALinkedTraceNeedsNoKinetoTrace)
{
    const std::string linked = Write("linked.json", R"({"schema": "1.0.3-chakra.0.0.4", "nodes": [
        {"id": 0, "name": "[pytorch|profiler|execution_trace|process]", "ctrl_deps": 0, "attrs": []},
        {"id": 1, "name": "[pytorch|profiler|execution_trace|thread]", "ctrl_deps": 0, "attrs": []},
        {"id": 2, "name": "a", "ctrl_deps": 1, "ts": 10, "exclusive_dur": 5.25, "attrs": []},
        {"id": 3, "name": "k2", "ctrl_deps": 2, "ts": 40, "exclusive_dur": 7, "cat": "kernel",
         "stream": 7, "attrs": []},
        {"id": 4, "name": "k1", "ctrl_deps": 2, "ts": 20, "exclusive_dur": 7, "cat": "kernel",
         "stream": 7, "attrs": []}]})");
    const auto job = Run({{0, linked, ""}});
    EXPECT_EQ(m_errors, "");
    const auto& nodes = job.GetResults()[0].trace.nodes;
    ASSERT_EQ(nodes.size(), 4U);
    EXPECT_EQ(nodes[1].durationPs, 5250000);
    EXPECT_EQ(nodes[2].name, "k1") << "it ran first";
    EXPECT_EQ(nodes[3].dependencies, (std::vector<uint64_t>{1, 2}));
    Run({{0, linked, Write("k.json", Rank().Kineto())}});
    EXPECT_NE(m_errors.find("is linked to a device trace already"), std::string::npos);
}

TEST_F(PytorchJobTest, WhatCannotBeWrittenIsAnError)
{
    const Rank rank;
    const std::vector<PytorchJob::Files> files{
        {0, Write("et.json", rank.ExecutionTrace()), Write("k.json", rank.Kineto())}};
    Diagnostics diagnostics;
    PytorchJob(files, {}).Run(Path("none/out"), diagnostics);
    EXPECT_NE(Join(diagnostics.GetErrors()).find("cannot be written"), std::string::npos);
}

/// @param text a text @param random generator @return it, damaged in one of several ways
std::string
Damage(std::string text, std::mt19937& random)
{
    const std::size_t at = random() % text.size();
    const std::size_t length = 1 + random() % 20;
    const std::string bytes = "0123456789-.,:[]{}\"ae\\ \n\xff";
    switch (random() % 5)
    {
    case 0:
        return text.substr(0, at);
    case 1:
        return text.erase(at, length);
    case 2:
        text[at] = bytes[random() % bytes.size()];
        return text;
    case 3:
        return text.insert(at, text.substr(random() % text.size(), length));
    default: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        return digit == std::string::npos ? text
                                          : text.insert(digit, "9223372036854775807", length);
    }
    }
}

TEST_F(PytorchJobTest, DamagedTracesGiveErrorsOrSoundWorkloads)
{
    std::mt19937 random(11);
    int nErrors = 0;
    for (int round = 0; round < 300; ++round)
    {
        const Rank rank = TwoRanks()[0];
        std::string executionTrace = rank.ExecutionTrace();
        std::string kineto = rank.Kineto();
        const std::size_t nFaults = 1 + random() % 3;
        for (std::size_t i = 0; i < nFaults; ++i)
        {
            std::string& text = random() % 2 == 0 ? executionTrace : kineto;
            text = Damage(text + " ", random);
        }
        Run({{0, Write("et.json", executionTrace), Write("k.json", kineto)}});
        if (!m_errors.empty())
        {
            ++nErrors;
            EXPECT_TRUE(Written().empty());
            continue;
        }
        Diagnostics diagnostics;
        ReadChakraGraph(Path("out.0.et"), {}, diagnostics);
        EXPECT_EQ(Join(diagnostics.GetErrors()), "") << executionTrace << kineto;
        std::filesystem::remove(Path("out.0.et"));
        std::filesystem::remove(Path("out.groups.json"));
    }
    EXPECT_GT(nErrors, 100);
    EXPECT_LT(nErrors, 280);
}

TEST(ConversionLedger, WhatComesInIsKeptOrLeftOut)
{
    ConversionLedger ledger;
    ledger.Keep("kernels", 5);
    ledger.Keep("copies");
    ledger.LeaveOut("kernels", "too odd", "7");
    ledger.LeaveOut("kernels", "too odd", "9");
    ledger.LeaveOut("kernels", "too even", "8");
    EXPECT_EQ(ledger.GetAccount("kernels").GetIn(), 8U);
    EXPECT_EQ(ledger.GetAccount("others").GetIn(), 0U);
    ASSERT_EQ(ledger.GetAccounts().size(), 2U);
    std::ostringstream os;
    ledger.Print(os, 1);
    EXPECT_EQ(os.str(),
              "  kernels                                8 in,        5 kept\n"
              "    2 left out, too odd: 7, ...\n"
              "    1 left out, too even: 8\n"
              "  copies                                 1 in,        1 kept\n");
    ConversionLedger sum;
    sum.Keep("copies");
    sum.Add(ledger, "rank 1: ");
    EXPECT_EQ(sum.GetAccount("copies").kept, 2U);
    EXPECT_EQ(sum.GetAccount("kernels").GetIn(), 8U);
    EXPECT_EQ(sum.GetAccount("kernels").leftOut[0].ids,
              (std::vector<std::string>{"rank 1: 7", "rank 1: 9"}));
}

} // namespace
} // namespace mlcluster
} // namespace ns3
