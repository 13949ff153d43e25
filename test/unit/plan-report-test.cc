/*
 * Copyright (c) 2026 The ml-cluster authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "error-of.h"
#include "plan-cases.h"

#include "ns3/plan-report.h"
#include "ns3/transformer-generator.h"
#include "ns3/word-list.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace ns3::mlcluster;

namespace
{

/// @return a GPT of four layers
TransformerModel
MakeModel()
{
    TransformerModel model;
    model.name = "small";
    model.layers = 4;
    model.hiddenSize = 256;
    model.heads = 8;
    model.vocabulary = 1024;
    model.sequenceLength = 128;
    return model;
}

/// @return tensor 4 x data 2 x pipeline 2, four micro-batches of eight sequences
ParallelPlan
MakePlan()
{
    ParallelPlan plan;
    plan.tensor = 4;
    plan.data = 2;
    plan.pipeline = 2;
    plan.microBatch = 8;
    plan.microBatches = 4;
    plan.bucketBytes = 0;
    return plan;
}

/// @param notation of a network @return it
ClusterTopology
MakeTopology(const std::string& notation)
{
    auto dimensions = ClusterTopology::ParseNotation(notation);
    for (auto& dimension : dimensions)
    {
        dimension.linkBitRate = 1;
    }
    return ClusterTopology(dimensions);
}

/// @param plan a plan @param capacityBytes memory of an NPU @return its report on FC(4)_SW(4)
PlanReport
MakeReport(const ParallelPlan& plan, uint64_t capacityBytes)
{
    const auto topology = MakeTopology("FC(4)_SW(4)");
    return {MakeModel(), plan, &topology, capacityBytes};
}

/// @param report a report @return what it prints
std::string
Print(const PlanReport& report)
{
    std::ostringstream os;
    report.Print(os);
    return os.str();
}

} // namespace

TEST(PlanReportTest, TellsWhatIsCommunicatedWithItsFormula)
{
    // beta S h is 524288 B; a stage has 4 blocks and 495488 or 463232 parameters on a rank
    std::ostringstream os;
    MakeReport(MakePlan(), 0).WriteTrafficCsv(os);
    EXPECT_EQ(os.str(),
              "family,groups,members,where,operation,fewest_of_a_rank,most_of_a_rank,"
              "bytes_of_a_rank,bytes_of_all_ranks,formula\n"
              "data,8,2,dimension 1 (2 of 4),all-reduce,1,2,1981952,30679072,"
              "gamma P on stages 0; gamma P + 4 (loss) on stages 1\n"
              "embedding,8,2,\"dimension 1 (2 of 4, 2 apart)\",all-reduce,1,1,262144,4194304,"
              "gamma V h/t on stages 0 to 1\n"
              "model,2,8,\"dimension 0 (whole) and dimension 1 (2 of 4, 2 apart)\",all-reduce,1,1,"
              "8,128,8 (gradient norm) on stages 0 to 1\n"
              "pipeline,8,2,\"dimension 1 (2 of 4, 2 apart)\",send,4,4,2097152,33554432,"
              "m beta T h on stages 0 to 1\n"
              "tensor,4,4,dimension 0 (whole),all-reduce,36,48,18923520,302383104,"
              "2 m B beta S h + m beta S h (embedding) on stages 0; "
              "2 m B beta S h + m beta S h (head) + 12 m S (head) on stages 1\n");
}

TEST(PlanReportTest, TellsWhatStagesDo)
{
    std::ostringstream os;
    const auto report = MakeReport(MakePlan(), 25000000);
    report.WriteStageCsv(os);
    EXPECT_EQ(os.str(),
              "stage,layers,ranks,parameters_of_a_rank,flop_of_a_rank,flop_of_all_ranks,"
              "memory_of_a_rank_bytes,memory_percent\n"
              "0,0-1,8,495488,10623768832,84990150656,31463168,125.9\n"
              "1,2-3,8,463232,12248610048,97988880384,21445376,85.8\n");
    EXPECT_EQ(report.GetStagesWithoutRoom(), std::vector<uint32_t>{0});
}

TEST(PlanReportTest, PrintsRoundedNumbers)
{
    auto plan = MakePlan();
    plan.zeroStage = 1;
    const auto text = Print(MakeReport(plan, 1 << 20));
    for (const char* line :
         {"small, 3.454 M parameters, on 16 ranks: tensor 4 x context 1 x data 2 x pipeline 2\n",
          "A step: 8.192 k tokens, 180.4 GFLOP of the model, 180.4 GFLOP with what is computed "
          "again\n",
          "all ranks  dimension 0 (whole) and dimension 1 (whole)       1       16\n",
          "data       reduce-scatter       1     1         1.982 MB            30.68 MB\n",
          "data       reduce-scatter  gamma P                                             0 to 1\n",
          "0      0-1         8     495.5 k",
          "Memory of a rank of stage 0\n",
          "optimizer       12 P/n, P = 495488, n = 2",
          "Without room in 1MiB: stages 0, 1\n",
          "data       all-gather      beta P/n                                            0 to 1\n",
          "data       all-gather           1     1         495.5 kB            7.670 MB\n",
          "Bytes of a collective: buffer of a rank, of an all-gather the shard of a rank\n",
          "m = 4 micro-batches of b = 8 sequences of s = 128 tokens; h = 256, u = 256, V = 1024\n"})
    {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
    EXPECT_EQ(text.find("t_e"), std::string::npos);
}

TEST(PlanReportTest, TellsOfExperts)
{
    auto model = MakeModel();
    model.experts = 8;
    model.topExperts = 2;
    auto plan = MakePlan();
    plan.data = 4;
    plan.expert = 4;
    const auto text = Print(PlanReport(model, plan, nullptr, 0));
    EXPECT_NE(text.find("expert         all-to-all  4 m l_x beta X h + 4 m l_x E"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("E = 8, e = 4, t_e = 4, n_e = 1; l_x layers with experts"),
              std::string::npos);
}

TEST(PlanReportTest, RefusesANetworkOfAnotherSize)
{
    const auto topology = MakeTopology("FC(4)_SW(5)");
    EXPECT_EQ(ErrorOf([&] { const PlanReport report(MakeModel(), MakePlan(), &topology, 0); }),
              "the plan has 16 ranks, FullyConnected(4)_Switch(5) has 20");
}

TEST(PlanReportTest, CountsWhatAllMicroBatchesHave)
{
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i)
    {
        PlanCase drawn = DrawPlanCase(random);
        drawn.plan.microBatches *= 3;
        SCOPED_TRACE(drawn.Describe());
        const auto workload = TransformerGenerator(drawn.model, drawn.plan).Generate();
        std::map<std::string, double> bytes;
        for (uint32_t rank = 0; rank < workload.GetNRanks(); ++rank)
        {
            const auto& graph = workload.GetGraph(rank);
            for (uint32_t k = 0; k < graph.GetNNodes(); ++k)
            {
                const auto& node = *graph.GetNode(k);
                const bool isSend = node.kind == NodeKind::Send;
                if (isSend || node.kind == NodeKind::Collective)
                {
                    bytes[(node.group.empty() ? "all ranks" : node.group) + " " +
                          (isSend ? "send" : ToString(node.collective))] += 1.0 * node.bytes;
                }
            }
        }
        std::ostringstream os;
        PlanReport(drawn.model, drawn.plan, nullptr, 0).WriteTrafficCsv(os);
        std::istringstream is(os.str());
        std::string line;
        std::getline(is, line);
        std::map<std::string, double> counted;
        while (std::getline(is, line))
        {
            const auto cells = SplitWords(line, ',');
            counted[cells[0] + " " + cells[4]] = std::stod(cells[8]);
        }
        EXPECT_EQ(counted, bytes);
    }
}
